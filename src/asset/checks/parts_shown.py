"""The parts of a state that some of its cells belong to, as a reader knows them.

Single cells of numbers, arrays, records and tuples have names, `client[2].phase`. Those of a set, a queue or another
container mean nothing by themselves: the container is shown. Objects of heaps have the names of ways that lead to them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from asset.checks.heap_rendering import ShownCells
from asset.checks.rendering import cells_of, declared_of, leaves_of, scalar, shown, unravelled
from asset.ir.program import Program, State
from asset.ir.shapes import ArrayShape, HeapShape, RecordShape, TupleShape, part_of
from asset.model.value_cells import Place
from asset.model.views import component
from asset.verdict import Value

FREED = " is freed"


def parts_shown(program: Program, state: State, wanted: Iterable[int]) -> dict[str, Value]:
    """The parts that these cells belong to, by name, in the order of declaration."""
    plan, declared, cells = leaves_of(program), declared_of(program), cells_of(program, state)
    found: dict[str, Value] = {}
    for cell in sorted(wanted):
        leaf = bisect_right(plan.offsets, cell) - 1
        indices = unravelled(plan.leaves[leaf].dims, cell - plan.offsets[leaf])
        variable = declared[bisect_right(declared, leaf, key=lambda d: d.first) - 1]
        place = Place(plan, cells, variable.shape, variable.first, variable.name)
        if isinstance(variable.shape, HeapShape):
            name, value = _in_heap(place, leaf, indices, state[cell])
        else:
            name, value = _part(place, leaf, indices)
        found[name] = value
    telling = {name: value for name, value in found.items() if not _goes_without_saying(name, value)}
    return telling or found


def _goes_without_saying(name: str, value: Value) -> bool:
    """A reference is what leads to the object that is called so; an object that is used is there."""
    return value == name or (name.endswith(FREED) and value is False)


def _part(place: Place, leaf: int, indices: tuple[int, ...]) -> tuple[str, Value]:
    """The smallest part of the place that has a name, down to that cell."""
    name = place.name
    while True:
        match place.shape:
            case ArrayShape(item=item):
                k = indices[len(place.indices)]
                place, name = place.part(item, 0, k), f"{name}[{k}]"
            case RecordShape() | TupleShape() as shape:
                k = _position(shape, leaf - place.leaf)
                place = component(place, k)
                name = f"{name}.{shape.names[k]}" if isinstance(shape, RecordShape) else f"{name}[{k}]"
            case _:
                return name, shown(place)


def _position(shape: RecordShape | TupleShape, leaf: int) -> int:
    """Which part of the shape has that leaf."""
    return next(k for k in reversed(range(len(shape.items))) if part_of(shape, k)[1] <= leaf)


def _in_heap(heap: Place, leaf: int, indices: tuple[int, ...], number: int) -> tuple[str, Value]:
    """A part of an object, by a way that leads to it."""
    cells, found = heap.cells, heap.plan.leaves[leaf]
    if leaf == heap.leaf:
        return f"len({heap.name})", number
    assert isinstance(cells, ShownCells)
    way = cells.names.get((heap.leaf, indices[0] + 1), f"an object of {heap.name}")
    if leaf == heap.leaf + 1:
        return way + FREED, bool(number)
    name = way + cells.part(heap.leaf, leaf) + "".join(f"[{k}]" for k in indices[1:])
    if found.ref is None:
        return name, scalar(found.scalar.type, number)
    return name, cells.names.get((found.ref.heap, number)) if number else None
