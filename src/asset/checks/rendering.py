"""How a state is shown: its variables as they were declared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import compress
from math import prod

from asset.checks.heap_rendering import ShownCells, referred
from asset.ir.program import DeclaredVariable, Program, State, Variable
from asset.ir.shapes import (
    ArrayShape,
    BagShape,
    BoundedSetShape,
    FunctionShape,
    HeapShape,
    Keys,
    Leaf,
    LocalShape,
    MapShape,
    OptionalShape,
    QueueShape,
    RecordShape,
    RefShape,
    ScalarShape,
    SetShape,
    Shape,
    TupleShape,
    UnionShape,
    leaves,
    variant_of,
)
from asset.ir.types import BoolType, IntType, RefType, ScalarType
from asset.model.value_cells import Leaves, Place, detached
from asset.model.views import component
from asset.verdict import Members, Named, Parts, Value


def values(program: Program, state: State) -> dict[str, Value]:
    """The state variables by name, as they are shown."""
    plan, cells = leaves_of(program), cells_of(program, state)
    return {d.name: shown(Place(plan, cells, d.shape, d.first, d.name)) for d in declared_of(program)}


def declared_of(program: Program) -> Sequence[DeclaredVariable]:
    """The variables that are shown, in the order of their cells."""
    return program.declared or tuple(
        DeclaredVariable(v.name, _as_array(v), number) for number, v in enumerate(program.variables)
    )


def leaves_of(program: Program) -> Leaves:
    """What the cells of a state are the leaves of."""
    refs = {d.first + k: leaf.ref for d in program.declared for k, leaf in enumerate(leaves(d.shape))}
    found = (Leaf(v.name, ScalarShape(v.type), v.dims, refs.get(k)) for k, v in enumerate(program.variables))
    return Leaves(tuple(found), program.offsets)


def cells_of(program: Program, state: State) -> list[int]:
    """The cells of a state; those of one with heaps know the names of objects."""
    heaps = {d.first: d.shape for d in program.declared if isinstance(d.shape, HeapShape)}
    return ShownCells(state, leaves_of(program), heaps) if heaps else list(state)


def _as_array(variable: Variable) -> Shape:
    shape: Shape = ScalarShape(variable.type)
    for size in reversed(variable.dims):
        shape = ArrayShape(size, shape)
    return shape


def shown(place: Place) -> Value:
    """The value that is there."""
    match place.shape:
        case ScalarShape() as shape:
            return scalar(shape.type, place.read())
        case ArrayShape(item=ScalarShape() as item):
            return [scalar(item.type, cell) for cell in place.leaf_cells()]
        case ArrayShape(length, item):
            return [shown(place.part(item, 0, k)) for k in range(length)]
        case UnionShape() as union:
            return shown(place.part(*variant_of(union, place.read())))
        case BoundedSetShape(item=item):
            return Members(shown(place.part(item, 1, k)) for k in range(place.read()))
        case QueueShape(_, item):
            return [shown(place.part(item, 1, k)) for k in range(place.read())]
        case TupleShape(items):
            return Parts(shown(component(place, k)) for k in range(len(items)))
        case RecordShape(name=name, names=names):
            return Named(name, {part: shown(component(place, k)) for k, part in enumerate(names)})
        case OptionalShape(item):
            return shown(place.part(item, 1)) if place.read() else None
        case RefShape():
            return referred(place, shown)
        case HeapShape(capacity=capacity):
            return f"{place.read()} of {capacity} objects"
        case LocalShape():
            raise AssertionError("a local collection is no part of a state")
        case SetShape(keys):
            return Members(compress(_keys(keys), place.leaf_cells()))
        case BagShape(keys):
            counts = place.leaf_cells()
            return dict(zip(present(place, keys), filter(None, counts), strict=True))
        case FunctionShape(keys, item):
            return {label(keys, at): shown(place.part(item, 0, *at)) for at in map(keys.positions, keys.all())}
        case MapShape(keys):
            there = compress(range(len(_keys(keys))), place.leaf_cells())
            labels = _labels(keys)
            return {labels[at]: shown(mapped(place, unravelled(keys.sizes, at))) for at in there}


def scalar(type: ScalarType, value: int) -> Value:
    match type:
        case RefType():
            return type.show(value) if value else None
        case BoolType():
            return bool(value)
        case IntType():
            return value
        case enum:
            return enum.show(value)


def present(place: Place, keys: Keys) -> Iterator[str]:
    """The keys that are there, as text."""
    return compress(_labels(keys), place.leaf_cells())


def label(keys: Keys, positions: tuple[int, ...]) -> str:
    """The key of the cell with these indices, as text."""
    return _text(_key(keys, positions))


def mapped(place: Place, positions: tuple[int, ...]) -> Place:
    """The item of the key whose cell has these indices."""
    shape = place.shape
    assert isinstance(shape, MapShape)
    return place.part(shape.item, 1, *positions)


def unravelled(sizes: tuple[int, ...], at: int) -> tuple[int, ...]:
    """The indices of the element number `at` of an array of that shape, row by row."""
    found: list[int] = []
    for size in reversed(sizes):
        at, index = divmod(at, size)
        found.append(index)
    return tuple(reversed(found))


@lru_cache(maxsize=64)
def _keys(keys: Keys) -> tuple[Value, ...]:
    """By the number of its cell. An enum may have numbers between its members that are no keys, and never there."""
    cells = range(prod(keys.sizes))
    return tuple(_key(keys, unravelled(keys.sizes, at)) for at in cells)


@lru_cache(maxsize=64)
def _labels(keys: Keys) -> tuple[str, ...]:
    return tuple(map(_text, _keys(keys)))


def _key(keys: Keys, positions: tuple[int, ...]) -> Value:
    if keys.shape is not None:
        numbers = tuple(part.type.lo + position for part, position in zip(keys.parts, positions, strict=True))
        return shown(detached(keys.shape, keys.cells_of(numbers)))
    numbered = zip(keys.parts, positions, strict=True)
    parts = Parts(scalar(part.type, part.type.lo + position) for part, position in numbered)
    return parts[0] if keys.single else parts


def _text(value: Value) -> str:
    match value:
        case Named():
            return f"{value.name}({', '.join(f'{part}={_text(item)}' for part, item in value.items())})"
        case list():
            return f"({', '.join(map(_text, value))})"
        case _:
            return str(value)
