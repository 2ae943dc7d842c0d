"""What a reader wants to see of a run besides its states: whose step each is, whom it touches, what holds, its text."""

from __future__ import annotations

import linecache
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from asset.analysis.processes.ownership import Processes
from asset.engine.outcome import Executable, Path
from asset.ir import nodes as n
from asset.ir.faults import Fault
from asset.ir.footprint import Footprint, Footprints
from asset.ir.interpreter import Interpreter
from asset.ir.program import Family, Program, State
from asset.ir.requirements import Requirement, Stage
from asset.span import Span
from asset.verdict import Counterexample, Step, Violation


@dataclass(frozen=True, slots=True)
class Illustrator:
    """Adds to the steps of a run what can be seen by running the model."""

    executable: Executable
    processes: Processes
    requirements: Sequence[Requirement]

    def of(self, run: Counterexample, path: Path) -> Counterexample:
        """The run with the processes, texts and property values of its steps."""
        states = [None, *(state for _, state in path)]
        steps = tuple(
            self._step(step, command, (before, after))
            for step, (command, after), before in zip(run.steps, path, states, strict=False)
        )
        last = path[-1][1]
        steps = (*steps[:-1], replace(steps[-1], holds=self._holds(last, self._is_terminal(last))))
        involved = {name for step in steps for name in (step.process, *step.writes, *step.reads)}
        return replace(run, steps=steps, processes=tuple(p for p in self.processes.names if p in involved))

    def _step(self, step: Step, command: int | None, states: tuple[State | None, State]) -> Step:
        before, after = states
        holds = self._holds(after, terminal=False)
        if command is None or before is None:
            return replace(step, holds=holds)
        own = self.processes.of_command[command]
        body = _body(self.executable.program, self.executable.program.commands[command][0])
        footprint = self._footprint(before, command)
        writes = self._owners(footprint.writes) - {own}
        return replace(
            step,
            process=own,
            writes=self._in_order(writes),
            reads=self._in_order(self._owners(footprint.reads) - writes - {own}),
            body=body,
            lines=_lines(footprint, body.file),
            holds=holds,
        )

    def _footprint(self, before: State, command: int) -> Footprint:
        """What the step touches; nothing is known of a model that is run by CPython."""
        if not isinstance(self.executable, Interpreter):
            return Footprint(frozenset(), frozenset())
        return Footprints(self.executable.program).firing(before, command)

    def _owners(self, cells: Iterable[int]) -> set[str]:
        return {owner for cell in cells if (owner := self.processes.of_cell[cell]) is not None}

    def _in_order(self, names: set[str]) -> tuple[str, ...]:
        return tuple(name for name in self.processes.names if name in names)

    def _is_terminal(self, state: State) -> bool:
        try:
            return all(self.executable.fire(state, each) is None for each in range(self.executable.program.nr_commands))
        except Fault:
            return False

    def _holds(self, state: State, terminal: bool) -> dict[str, bool]:
        """Each predicate that can be evaluated in the state; those of terminal states only if it is one."""
        wanted = [r for r in self.requirements if terminal or r.stage is not Stage.TERMINAL]
        found: dict[str, bool] = {}
        for predicate in (each for requirement in wanted for each in requirement.predicates):
            try:
                found[predicate.name] = self.executable.evaluate(predicate, state) is None
            except Fault:
                continue
        return found


def _body(program: Program, family: Family) -> Span:
    """The text of the transition, from its first line to the last that has code."""
    code = program.functions[family.function] if program.functions else None
    ends = [node.span.end_line for node in n.walk(*code.body) if node.span.file == family.span.file] if code else []
    return replace(family.span, end_line=max([family.span.line, *ends]))


def _lines(footprint: Footprint, file: str) -> tuple[int, ...]:
    """The lines of the file with statements that were run; not of those that contain others."""
    simple = [s for s in footprint.statements if s.span.file == file and not isinstance(s, n.If | n.For | n.While)]
    return tuple(sorted({line for s in simple for line in range(s.span.line, max(s.span.line, s.span.end_line) + 1)}))


def sources(violation: Violation | None, run: Counterexample | None) -> dict[str, str]:
    """The text of each file that the violation or a step points to, as far as it can be read."""
    found: dict[str, str] = {}
    for span in _spans(violation, run):
        if span.file not in found and (lines := linecache.getlines(span.file)):
            found[span.file] = "".join(lines)
    return found


def _spans(violation: Violation | None, run: Counterexample | None) -> Iterator[Span]:
    if violation is not None and violation.span is not None:
        yield violation.span
    for step in run.steps if run is not None else ():
        if step.body is not None:
            yield step.body
