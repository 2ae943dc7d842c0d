"""What a reader wants to see of a run besides its states: whose step each is, whom it touches, what holds, its text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from asset.analysis.processes.ownership import Processes
from asset.checks.showing import code
from asset.checks.source_texts import texts
from asset.checks.waiting import Waits
from asset.engine.outcome import Executable, Path
from asset.engine.sources import is_terminal
from asset.ir import nodes as n
from asset.ir.faults import Fault
from asset.ir.footprint import Footprint, Footprints, RememberedFootprints
from asset.ir.interpreter import Interpreter
from asset.ir.program import Family, Program, State, differing
from asset.ir.requirements import Predicate, Requirement, Stage
from asset.span import Span
from asset.verdict import Counterexample, Step, Stillness, Violation


class Illustrator:
    """Adds to the steps of a run what can be seen by running the model."""

    def __init__(self, executable: Executable, processes: Processes, requirements: Sequence[Requirement]) -> None:
        # Of a model that is run by CPython, nothing is known of what a step touches.
        seen = RememberedFootprints(executable.program) if isinstance(executable, Interpreter) else None
        self.executable = seen or executable
        """Runs the model. What it has fired before is illustrated without being fired again."""
        self.processes = processes
        self._footprints = seen
        self._properties = _Properties(executable, seen, requirements)
        self._bodies: dict[int, Span] = {}
        self._kept: dict[int, frozenset[int]] = {}  # by the first command of a family
        self._lines: dict[tuple[str, tuple[int, ...]], tuple[int, ...]] = {}  # by the file and what was run

    def of(self, run: Counterexample, path: Path) -> Counterexample:
        """The run with the processes, texts and property values of its steps."""
        states = [None, *(state for _, state in path)]
        steps = [
            self.step(step, command, (before, after))
            for step, (command, after), before in zip(run.steps, path, states, strict=False)
        ]
        last = path[-1][1]
        ends = run.failing is None and self._is_terminal(last)
        if ends:
            steps[-1] = replace(steps[-1], holds=self._properties.of(last, terminal=True))
        involved = {name for step in steps for name in (step.process, *step.writes, *step.reads)}
        return replace(
            run,
            steps=tuple(steps),
            processes=tuple(p for p in self.processes.names if p in involved),
            stillness=self._stillness(run, path, ends),
        )

    def _stillness(self, run: Counterexample, path: Path, ends: bool) -> Stillness:
        waits = Waits(self.executable.program, self.processes, path)
        if run.cycle_starts_at is not None:
            return waits.in_the_cycle(run.cycle_starts_at)
        return waits.at_the_end() if ends else Stillness()

    def step(self, step: Step, command: int | None, states: tuple[State | None, State]) -> Step:
        """The step by `command` from the first state to the second, which may be an initial one."""
        before, after = states
        holds = self._properties.of(after)
        if command is None or before is None:
            return replace(step, holds=holds)
        own, body = self.processes.of_command[command], self._body(command)
        footprint = self._footprint(before, command)
        writes, lines = self._owners(footprint.writes) - {own}, self._lines_of(footprint, body.file)
        # The constructor itself: `replace` takes most of the time of a long run.
        return Step(
            transition=step.transition,
            state=step.state,
            changes=step.changes,
            span=step.span,
            shown=step.shown,
            model=step.model,
            process=own,
            writes=self._in_order(writes),
            reads=self._in_order(self._owners(footprint.reads) - writes - {own}),
            body=body,
            lines=lines,
            holds=holds,
            move=step.move,
            code=code(body.file, self._doing(command, footprint, body)) if step.move else step.code,
        )

    def _body(self, command: int) -> Span:
        family, _ = self.executable.program.commands[command]
        if family.first not in self._bodies:
            self._bodies[family.first] = _body(self.executable.program, family)
        return self._bodies[family.first]

    def _lines_of(self, footprint: Footprint, file: str) -> tuple[int, ...]:
        # The statements are the program's, so they stay what they are; a run does the same over and over.
        key = (file, tuple(map(id, footprint.statements)))
        if key not in self._lines:
            self._lines[key] = _lines(footprint, file)
        return self._lines[key]

    def _footprint(self, before: State, command: int) -> Footprint:
        if self._footprints is None:
            return Footprint(frozenset(), frozenset())
        return self._footprints.firing(before, command)

    def _doing(self, command: int, footprint: Footprint, body: Span) -> list[int]:
        """The lines that say what a step of a process does: where it begins, and what assigns the user's variables, and
        its own that are state. Statements that were made for the step stand at lines of their own choice."""
        variables, keeping = self.executable.program.variables, self._keeping(command)
        assigning = [
            s.span
            for s in footprint.statements
            if isinstance(s, n.Evaluate)
            or id(s) in keeping
            or (isinstance(s, n.SetState) and variables[s.variable].owner is None)
        ]
        return sorted({body.line, *(span.line for span in assigning if span.file == body.file)})

    def _keeping(self, command: int) -> frozenset[int]:
        """The statements that give local variables of the process, which are state, their values."""
        program = self.executable.program
        if self._footprints is None:
            return frozenset()
        family, _ = program.commands[command]
        if family.first not in self._kept:
            function = program.functions[family.function]
            stored = {number: v.owner.local for number, v in enumerate(program.variables) if v.owner and v.owner.local}
            names = set(stored.values())
            assigning = [s for s in n.walk(*function.body) if isinstance(s, n.SetLocal)]
            self._kept[family.first] = frozenset(
                id(s)
                for s in assigning
                if (name := function.slots[s.slot]) in names
                and not (isinstance(s.value, n.Read) and stored.get(s.value.variable) == name)  # the step begins so
            )
        return self._kept[family.first]

    def _owners(self, cells: Iterable[int]) -> set[str]:
        return {owner for cell in cells if (owner := self.processes.of_cell[cell]) is not None}

    def _in_order(self, names: set[str]) -> tuple[str, ...]:
        return tuple(name for name in self.processes.names if name in names) if names else ()

    def _is_terminal(self, state: State) -> bool:
        try:
            return is_terminal(self.executable, state)
        except Fault:
            return False


class _Properties:
    """Which predicates hold in the states of a run. What a predicate has not read cannot change what it says."""

    def __init__(
        self, executable: Executable, footprints: Footprints | None, requirements: Sequence[Requirement]
    ) -> None:
        self._executable = executable
        self._footprints = footprints
        self._predicates = [(p, r.stage is Stage.TERMINAL) for r in requirements for p in r.predicates]
        self._state: State = ()
        self._known: dict[int, tuple[frozenset[int], bool | None]] = {}  # by the number of the predicate

    def of(self, state: State, terminal: bool = False) -> dict[str, bool]:
        """Each predicate that can be evaluated in the state; those of terminal states only if it is one."""
        self._forget(state)
        found: dict[str, bool] = {}
        for number, (predicate, only_terminal) in enumerate(self._predicates):
            if only_terminal and not terminal:
                continue
            if number not in self._known:
                self._known[number] = self._evaluated(predicate, state)
            holds = self._known[number][1]
            if holds is not None:
                found[predicate.name] = holds
        return found

    def _forget(self, state: State) -> None:
        """Afterwards only what is true in this state as well is known."""
        if len(self._state) != len(state):
            self._known.clear()
        changed = set(differing(self._state, state))
        self._known = {number: known for number, known in self._known.items() if known[0].isdisjoint(changed)}
        self._state = state

    def _evaluated(self, predicate: Predicate, state: State) -> tuple[frozenset[int], bool | None]:
        """The cells that the predicate read, and whether it holds; None if that is a model error."""
        interpreter = self._footprints or self._executable
        try:
            holds = interpreter.evaluate(predicate, state) is None
        except Fault:
            holds = None
        reads = frozenset(range(len(state))) if self._footprints is None else self._footprints.reads
        return reads, holds


def _body(program: Program, family: Family) -> Span:
    """The text of the transition, from its first line to the last that has code."""
    code = program.functions[family.function] if program.functions else None
    ends = [node.span.end_line for node in code.nodes if node.span.file == family.span.file] if code else []
    return replace(family.span, end_line=max([family.span.line, *ends]))


def _lines(footprint: Footprint, file: str) -> tuple[int, ...]:
    """The lines of the file with statements that were run; not of those that contain others."""
    simple = [s for s in footprint.statements if s.span.file == file and not isinstance(s, n.If | n.For | n.While)]
    return tuple(sorted({line for s in simple for line in range(s.span.line, max(s.span.line, s.span.end_line) + 1)}))


def sources(violation: Violation | None, run: Counterexample | None) -> dict[str, str]:
    """The text of each file that the violation or a step points to, as far as it can be read."""
    return texts(_spans(violation, run))


def _spans(violation: Violation | None, run: Counterexample | None) -> Iterator[Span]:
    if violation is not None and violation.span is not None:
        yield violation.span
    for step in run.steps if run is not None else ():
        if step.body is not None:
            yield step.body
