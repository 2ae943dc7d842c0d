"""Runs as SPIN tells them: its trail files, and what `spin -t -p` prints.

A line of a trail says which process takes a step, and by the number of which element of its control flow. A command
of ours may be several such steps: those of an atomic sequence, or of the two sides of a rendezvous. Which they were is
seen when the command is fired, from the places that its processes come to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from asset.errors import UsageError
from asset.frontends.promela import syntax as s
from asset.frontends.promela.code import source_text
from asset.frontends.promela.control import Shape, Step
from asset.frontends.promela.layout import Block, Kind
from asset.frontends.promela.lowering import Lowered
from asset.frontends.promela.spin_text import statement_text
from asset.ir.faults import Fault, FaultKind
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program, State
from asset.span import Span

MOST_TRIED = 50_000
"""States that are looked at to find the run of a trail."""


@dataclass(frozen=True, slots=True)
class Micro:
    """A step of a process, as SPIN counts steps: the steps that lead where the process came to."""

    kind: Kind
    pid: int
    steps: tuple[Step, ...]


class Recorder(Interpreter):
    """An interpreter that remembers where processes go."""

    def __init__(self, lowered: Lowered) -> None:
        super().__init__(lowered.program)
        self._places: dict[int, tuple[Kind, int]] = {}
        starts = _first_cells(lowered.program)
        for kind in lowered.kinds:
            for slot, pid in enumerate(kind.pids):
                self._places[starts[kind.place] + slot] = kind, pid
        self.moved: list[Micro] = []

    def _load(self, state: State) -> None:
        super()._load(state)
        self.moved = []

    def failed(self, state: State, command: int) -> State:
        """What the command has made of the state when it fails."""
        with suppress(Fault):
            self.fire(state, command)
        return tuple(self._cells)

    def place_of(self, pid: int) -> tuple[int, Kind, int] | None:
        """The cell that says where the process is, its kind, and where it is now."""
        cells = ((cell, kind, self._get(cell)) for cell, (kind, own) in self._places.items() if own == pid)
        return next((found for found in cells if found[2]), None)

    def _set(self, cell: int, value: int, span: Span) -> None:
        if cell in self._places:
            kind, pid = self._places[cell]
            before = super()._get(cell)
            if before:  # otherwise the process is made
                self.moved.append(Micro(kind, pid, tuple(_steps(kind, before, value, span))))
        super()._set(cell, value, span)


def _first_cells(program: Program) -> list[int]:
    """The number of the first cell of each variable."""
    found, at = [], 0
    for variable in program.variables:
        found.append(at)
        at += variable.cells
    return found


def _steps(kind: Kind, before: int, after: int, span: Span) -> Iterator[Step]:
    """Steps between the places with these numbers; those of the element that is there in the text, if it is told."""
    place = kind.control.places[before - 1]
    found = [st for st in kind.control.steps[place] if (st.target.number if st.target else 0) == after]
    exact = [st for st in found if st.element.span == span]
    return iter(exact or found)


# --- trail files ------------------------------------------------------------------------------------------------------

Line = tuple[int, int]
"""A line of a trail: the number of a process, and of an element."""


def read_trail(text: str, file: str, lowered: Lowered) -> list[Line]:
    """The steps of the processes; those of a claim are left out, which has a number before theirs."""
    lines: list[Line] = []
    claimed = False
    for number, row in enumerate(text.splitlines(), 1):
        parts = row.split(":")
        try:
            step, pid, element = (int(part) for part in parts)
        except ValueError:
            remedy = "SPIN writes lines of three numbers: step:process:transition"
            raise UsageError.of(f"line {number} is none of a trail", Span(file, number, 1), remedy) from None
        if step == -2:
            claimed = True
        elif step >= 0:
            lines.append((pid, element))
    if not claimed:
        return lines
    processes = {kind.name for kind in lowered.kinds}
    own = [
        range(first, first + _size(lowered, name)) for name, first in lowered.first_states.items() if name in processes
    ]
    return [(pid - 1, element) for pid, element in lines if any(element in each for each in own)]


def _size(lowered: Lowered, name: str) -> int:
    return next(kind.control.size for kind in lowered.kinds if kind.name == name)


@dataclass(frozen=True, slots=True)
class Followed:
    """The commands of a run with the states that they lead to; `failing` is the one that fails in the last state. From
    the state with number `cycle` on, it is repeated for ever."""

    path: tuple[tuple[int | None, State], ...]
    failing: int | None = None
    fault: Fault | None = None
    cycle: int | None = None


def follow(lowered: Lowered, lines: Sequence[Line]) -> Followed:
    """The run of the trail. Raises UsageError if the model has none."""
    return _Follower(lowered, lines).run()


class _Follower:
    def __init__(self, lowered: Lowered, lines: Sequence[Line]) -> None:
        self._lowered = lowered
        self._recorder = Recorder(lowered)
        self._lines = lines
        self._furthest = 0

    def run(self) -> Followed:
        start: State = self._lowered.program.initial
        pending: list[tuple[Followed, int, int | None]] = [(Followed(((None, start),)), 0, None)]
        for _ in range(MOST_TRIED):
            if not pending:
                break
            run, done, last = pending.pop()
            self._furthest = max(self._furthest, done)
            if done == len(self._lines) or run.fault is not None:
                return run
            pending += reversed(list(self._onward(run, done, last)))
        said = f"the model has no run like this: step {self._furthest + 1} of the trail cannot be taken"
        raise UsageError.of(said, remedy="is the trail of this model, with the same macros?")

    def _onward(self, run: Followed, done: int, last: int | None) -> Iterator[tuple[Followed, int, int | None]]:
        """What can come next; SPIN merges steps that nobody else sees with the one before, and has no line for them."""
        merged: list[tuple[Followed, int, int | None]] = []
        pid, _ = self._lines[done]
        found = False
        for command, after, moved in self._fired(run.path[-1][1]):
            if isinstance(after, Fault):
                if done + len(moved) + 1 >= len(self._lines) and self._owner(command) == pid:
                    yield Followed(run.path, command, after), done + 1, pid
                continue
            taken = self._consumed(moved, done)
            onward = Followed((*run.path, (command, after)))
            if taken:
                found = True
                yield onward, done + taken, moved[-1].pid
            elif moved and moved[0].pid == last:
                merged.append((onward, done, last))
        if not found:
            yield from merged

    def _fired(self, state: State) -> Iterator[tuple[int, State | Fault, list[Micro]]]:
        for command in range(self._lowered.program.nr_commands):
            try:
                after: State | Fault | None = self._recorder.fire(state, command)
            except Fault as fault:
                after = fault
            if after is not None:
                yield command, after, self._recorder.moved

    def _consumed(self, moved: Sequence[Micro], done: int) -> int:
        """How many lines the steps of a command are; none if they are others."""
        taken = 0
        for micro in moved:
            if done + taken < len(self._lines) and self._is(micro, self._lines[done + taken]):
                taken += 1
            elif taken == 0:
                return 0
        return taken

    def _is(self, micro: Micro, line: Line) -> bool:
        first = self._lowered.first_states[micro.kind.name]
        return micro.pid == line[0] and any(first + step.element.state - 1 == line[1] for step in micro.steps)

    def _owner(self, command: int) -> int | None:
        return owner_of(self._lowered, command)


def owner_of(lowered: Lowered, command: int) -> int | None:
    """The number of the process whose step the command is."""
    family, indices = lowered.program.commands[command]
    for kind in lowered.kinds:
        if kind.name == family.process:
            return kind.pids[0] if kind.single else indices[0]
    return None


# --- what `spin -t -p` prints -----------------------------------------------------------------------------------------


CYCLE = "  <<<<<START OF CYCLE>>>>>"


def told(lowered: Lowered, followed: Followed) -> str:
    """The run, a line for each step, and where the processes are in the end."""
    recorder, lines, count = Recorder(lowered), list[str](), 0
    there = sum(kind.process.active for kind in lowered.kinds)
    made = there
    for number, ((_, before), (command, _)) in enumerate(zip(followed.path, followed.path[1:], strict=False)):
        assert command is not None
        lines += [CYCLE] if number == followed.cycle else []
        recorder.fire(before, command)
        for micro in recorder.moved:
            count += 1
            if (process := _made(micro)) is not None:
                lines.append(f"Starting {process} with pid {there}")
                there, made = there + 1, made + 1
            there -= micro.steps[0].element.shape is Shape.END
            lines.append(_line(lowered, micro, count))
    last = followed.path[-1][1]
    if followed.fault is not None and followed.failing is not None:
        last = recorder.failed(last, followed.failing)
        for micro in recorder.moved:  # before it fails, in the same atomic sequence
            count += 1
            lines.append(_line(lowered, micro, count))
        count += 1
        told, last = _failure(recorder, lowered, (followed.failing, followed.fault), count, last)
        lines += told
    lines.append(f"spin: trail ends after {count} steps")
    return "\n".join([*lines, *_ending(lowered, last, count), f"{made} process{'' if made == 1 else 'es'} created"])


def _made(micro: Micro) -> str | None:
    """The proctype of the process that the step makes, if it makes one."""
    match micro.steps[0].statement:
        case s.Condition(value=s.Run(process=process)) | s.Assign(value=s.Run(process=process)):
            return process
    return None


def _failure(
    recorder: Recorder, lowered: Lowered, failing: tuple[int, Fault], count: int, state: State
) -> tuple[list[str], State]:
    """What is said of the step that fails, and the state then: an assertion that fails is passed."""
    command, fault = failing
    violated = fault.kind is FaultKind.ASSERTION
    lines = [f"spin: {_place(fault.span)}, Error: {'assertion violated' if violated else fault.message}"]
    if violated:
        lines.append(f"spin: text of failed assertion: {_failed(lowered, fault)}")
    pid = recorder.moved[-1].pid if recorder.moved else owner_of(lowered, command)
    found = None if pid is None else recorder.place_of(pid)
    if pid is None or found is None:
        return lines, state
    cell, kind, number = found
    steps = kind.control.steps[kind.control.places[number - 1]]
    step = next((step for step in steps if step.element.span == fault.span), steps[0])
    lines.append(_line(lowered, Micro(kind, pid, (step,)), count))
    if violated and isinstance(step.statement, s.Assert) and step.target is not None:
        state = (*state[:cell], step.target.number, *state[cell + 1 :])
    return lines, state


def _failed(lowered: Lowered, fault: Fault) -> str:
    """The assertion as SPIN prints it."""
    for kind in lowered.kinds:
        inside = (each.steps for each in kind.control.inside.values())
        for step in (step for found in (kind.control.steps, *inside) for steps in found.values() for step in steps):
            if step.element.span == fault.span and isinstance(step.statement, s.Assert):
                return statement_text(step.statement) or ""
    return source_text(fault.span)


def _line(lowered: Lowered, micro: Micro, count: int) -> str:
    step = micro.steps[0]
    if step.element.shape is Shape.END:
        return f"{count:3}: proc {micro.pid} terminates"
    at = f"proc {micro.pid:2} ({micro.kind.name}:1) {_place(step.element.span)} (state {step.element.state})"
    return f"{count:3}:\t{at}\t[{_statement(step)}]"


def _statement(step: Step) -> str:
    element = step.element.subs[0].first if step.element.shape is Shape.D_STEP else step.element
    if element.shape is not Shape.STEP or element.statement is None:
        return source_text(element.span) if step.element.shape is Shape.D_STEP else "goto"
    return statement_text(element.statement) or source_text(element.span)


def _place(span: Span) -> str:
    return f"{span.file.rsplit('/', 1)[-1]}:{span.line}"


def _ending(lowered: Lowered, state: State, count: int) -> Iterator[str]:
    """How many processes are left, the global variables, and where each process is, the youngest first."""
    starts = _first_cells(lowered.program)
    alive: dict[int, tuple[Kind, int]] = {}
    for kind in lowered.kinds:
        for slot, pid in enumerate(kind.pids):
            if number := state[starts[kind.place] + slot]:
                alive[pid] = kind, number
    yield f"#processes: {len(alive)}"
    yield from _variables(lowered, state, starts)
    for pid in sorted(alive, reverse=True):
        kind, number = alive[pid]
        place = kind.control.places[number - 1]
        valid = " <valid end state>" if place in kind.control.ends else ""
        span = kind.process.end if place.shape is Shape.END and kind.process.end else place.span
        yield f"{count:3}:\tproc {pid:2} ({kind.name}:1) {_place(span)} (state {place.state}){valid}"


_TRUTH = {"False": "0", "True": "1"}


def _variables(lowered: Lowered, state: State, starts: Sequence[int]) -> Iterator[str]:
    """The global variables; of channels, what they hold."""
    program = lowered.program
    channels = {block.length: block for block in lowered.channels if not block.rendezvous}
    contents = {each for block in channels.values() for each in block.contents}
    for number, (variable, first) in enumerate(zip(program.variables, starts, strict=True)):
        if variable.owner is not None or variable.name.startswith("_") or number in contents:
            continue
        if number in channels:
            if channels[number].declaration.owner is None:
                yield from _queues(program, channels[number], state, starts)
            continue
        for k in range(variable.cells):
            shown = variable.name if not variable.dims else f"{variable.name}[{k}]"
            told = variable.type.show(state[first + k])
            yield f"\t\t{shown} = {_TRUTH.get(told, told)}"


def _queues(program: Program, block: Block, state: State, starts: Sequence[int]) -> Iterator[str]:
    name, capacity = block.declaration.name, block.maker.capacity
    for k in range(block.count):
        messages = ""
        for at in range(state[starts[block.length] + k]):
            cell = k * capacity + at
            told = [program.variables[v].type.show(state[starts[v] + cell]) for v in block.contents]
            messages += f"[{','.join(_TRUTH.get(each, each) for each in told)}]"
        shown = name if block.declaration.length is None else f"{name}[{k}]"
        yield f"\t\tqueue {block.base + k} ({shown}): {messages}"
