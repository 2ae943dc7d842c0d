"""How a state is shown: its variables as they were declared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import compress
from math import prod

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
    refers,
    variant_of,
)
from asset.ir.types import BoolType, IntType, RefType, ScalarType
from asset.model.value_cells import Leaves, Place, StateCells, detached
from asset.model.views import component
from asset.verdict import Members, Named, Parts, Value

LINK = " ▸ "
"""Between objects of a list."""


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
    return Leaves(tuple(Leaf(v.name, ScalarShape(v.type), v.dims) for v in program.variables), program.offsets)


def cells_of(program: Program, state: State) -> list[int]:
    """The cells of a state; those of one with heaps know them."""
    heaps = [d for d in program.declared if isinstance(d.shape, HeapShape)]
    if not heaps:
        return list(state)
    cells = StateCells(state)
    cells.heaps.update((d.first, Place(leaves_of(program), cells, d.shape, d.first, d.name)) for d in heaps)
    return cells


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
        case RefShape() as ref:
            return _chain(place, ref)
        case HeapShape(item=item):
            return {f"#{k}": _object(place, k) for k in range(1, place.read() + 1)}
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


def _object(heap: Place, number: int) -> Value:
    """An object by itself: what its references refer to is named by its number."""
    assert isinstance(heap.shape, HeapShape)
    if heap.read(1, number - 1):
        return "freed"
    item = detached(heap.shape.item, heap.part(heap.shape.item, 2, number - 1).snapshot())
    return shown(item)


def link_of(heap: HeapShape, first: int) -> str | None:
    """The part by which the objects of a heap are linked to lists; None if they refer to more than the next one."""
    parts = zip(heap.item.names, heap.item.items, strict=True)
    found = [(name, part) for name, part in parts if refers(part)]
    is_list = len(found) == 1 and isinstance(found[0][1], RefShape) and found[0][1].heap == first
    return found[0][0] if is_list else None


def _chain(place: Place, ref: RefShape) -> Value:
    """What is referred to, and what that refers to if it is a list: `#1 3 ▸ #2 5 ▸ None`."""
    heap = place.home.heaps.get(ref.heap) if isinstance(place.home, StateCells) else None
    number, kind = place.read(), RefType(0, ref.capacity)
    link = link_of(heap.shape, heap.leaf) if heap is not None and isinstance(heap.shape, HeapShape) else None
    if heap is None or link is None or not number:
        return scalar(kind, number)
    words: dict[str, str] = {}
    following = kind.show(number)
    while following not in words and following != "None":
        found = _object(heap, int(following[1:]))
        if not isinstance(found, Named):
            return LINK.join((*words.values(), f"{following} {found}"))
        words[following] = " ".join((following, *_content(found, link)))
        following = str(found[link])
    return LINK.join((*words.values(), following))


def _content(found: Named, link: str) -> tuple[str, ...]:
    """An object without its link, in words."""
    parts = [str(value) for name, value in found.items() if name != link]
    return (parts[0] if len(parts) == 1 else f"({', '.join(parts)})",) if parts else ()


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
    return f"({', '.join(map(str, value))})" if isinstance(value, list) else str(value)
