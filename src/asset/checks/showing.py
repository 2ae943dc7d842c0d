"""A state, and a step of a run, as a reader sees them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from asset.checks.rendering import changes, scalar, values
from asset.checks.subject import Subject
from asset.ir.program import Program, State, Variable
from asset.verdict import Step, Value


def step(program: Program, subject: Subject, command: int | None, before: State | None, after: State) -> Step:
    """The step by `command` from `before` to `after` as a reader sees it; the initial state has neither."""
    seen = subject.seen(after)
    return Step(
        transition=None if command is None else program.command_name(command),
        state=values(program, after),
        changes=() if before is None else tuple(changes(program, before, after)),
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
        indices = _indices(variable.dims, cell - program.offsets[number])
        found[_cell_name(variable, indices)] = scalar(variable.type, state[cell])
    return found


def _indices(dims: tuple[int, ...], at: int) -> tuple[int, ...]:
    """Of the element number `at` of an array of that shape, row by row."""
    found: list[int] = []
    for size in reversed(dims):
        at, index = divmod(at, size)
        found.append(index)
    return tuple(reversed(found))


def _cell_name(variable: Variable, indices: tuple[int, ...]) -> str:
    return variable.name + "".join(f"[{i}]" for i in indices)
