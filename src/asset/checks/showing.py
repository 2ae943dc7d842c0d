"""A state, and a step of a run, as a reader sees them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import product

from asset.ir.program import Program, State, Variable
from asset.ir.types import BoolType, IntType
from asset.model import Model, in_state, shown
from asset.verdict import Change, Step, Value


def step(program: Program, model: Model, command: int | None, before: State | None, after: State) -> Step:
    """The step by `command` from `before` to `after` as a reader sees it; the initial state has neither."""
    seen = in_state(model, after)
    return Step(
        transition=None if command is None else program.command_name(command),
        state=values(program, after),
        changes=() if before is None else tuple(_changes(program, before, after)),
        span=None if command is None else program.commands[command][0].span,
        shown=shown(seen),
        model=seen,
    )


def values(program: Program, state: State) -> dict[str, Value]:
    """The state variables by name, as they are shown."""
    return {v.name: value for v, value in zip(program.variables, _values(program, state), strict=True)}


def _values(program: Program, state: State) -> Iterator[Value]:
    for variable, offset in zip(program.variables, program.offsets, strict=True):
        cells = [shown_value(variable, value) for value in state[offset : offset + variable.cells]]
        yield _shape(cells, variable.dims) if variable.dims else cells[0]


def _shape(cells: list[Value], dims: tuple[int, ...]) -> Value:
    if len(dims) == 1:
        return cells
    row = len(cells) // dims[0] if dims[0] else 0
    return [_shape(cells[i * row : (i + 1) * row], dims[1:]) for i in range(dims[0])]


def shown_value(variable: Variable, value: int) -> Value:
    match variable.type:
        case BoolType():
            return bool(value)
        case IntType():
            return value
        case enum:
            return enum.show(value)


def shown_cells(program: Program, state: State, wanted: Iterable[int]) -> dict[str, Value]:
    """These cells of the state by name, `client[2]`, in the order of declaration."""
    found: dict[str, Value] = {}
    for cell in sorted(wanted):
        number = bisect_right(program.offsets, cell) - 1
        variable = program.variables[number]
        indices = _indices(variable.dims, cell - program.offsets[number])
        found[_cell_name(variable, indices)] = shown_value(variable, state[cell])
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


def _changes(program: Program, before: State, after: State) -> Iterator[Change]:
    for variable, offset in zip(program.variables, program.offsets, strict=True):
        for at, indices in enumerate(product(*map(range, variable.dims)), start=offset):
            if before[at] != after[at]:
                yield Change(
                    _cell_name(variable, indices), shown_value(variable, before[at]), shown_value(variable, after[at])
                )
