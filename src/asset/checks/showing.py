"""A state, and a step of a run, as a reader sees them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from asset.checks.rendering import scalar, unravelled
from asset.checks.shown_states import ShownState
from asset.checks.subject import Subject
from asset.engine.outcome import Path
from asset.ir.program import Program, State, Variable
from asset.verdict import Change, Step, Value


def steps(program: Program, subject: Subject, path: Path) -> tuple[Step, ...]:
    """The run as a reader sees it."""
    shown = ShownState.of(program, path[0][1])
    found = [_step(shown, subject, None, ())]
    for command, after in path[1:]:
        shown, changes = shown.then(after)
        found.append(_step(shown, subject, command, changes))
    return tuple(found)


def state(program: Program, subject: Subject, cells: State) -> Step:
    """A state by itself as a reader sees it."""
    return _step(ShownState.of(program, cells), subject, None, ())


def _step(shown: ShownState, subject: Subject, command: int | None, changes: tuple[Change, ...]) -> Step:
    """The step by `command` that made these changes; the initial state has neither."""
    seen, program = subject.seen(shown.cells), shown.program
    return Step(
        transition=None if command is None else program.command_name(command),
        state=shown.values,
        changes=changes,
        span=None if command is None else program.commands[command][0].span,
        shown=seen.shown,
        model=seen.model,
    )


def shown_cells(program: Program, state: State, wanted: Iterable[int]) -> dict[str, Value]:
    """These cells of the state by name, `client[2]`, in the order of declaration."""
    found: dict[str, Value] = {}
    for cell in sorted(wanted):
        number = bisect_right(program.offsets, cell) - 1
        variable = program.variables[number]
        indices = unravelled(variable.dims, cell - program.offsets[number])
        found[_cell_name(variable, indices)] = scalar(variable.type, state[cell])
    return found


def _cell_name(variable: Variable, indices: tuple[int, ...]) -> str:
    return variable.name + "".join(f"[{i}]" for i in indices)
