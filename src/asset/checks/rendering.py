"""How a state is shown: its variables as they were declared, and what a step changed of them."""

from __future__ import annotations

from collections.abc import Iterator

from asset.ir.program import DeclaredVariable, Owner, Program, State, Variable
from asset.ir.shapes import (
    ArrayShape,
    BagShape,
    Keys,
    Leaf,
    MapShape,
    OptionalShape,
    QueueShape,
    RecordShape,
    ScalarShape,
    SetShape,
    Shape,
    TupleShape,
)
from asset.ir.types import BoolType, IntType, ScalarType
from asset.model.value_cells import Leaves, Place
from asset.model.views import component
from asset.verdict import Change, Members, Named, Parts, Value

ABSENT = "absent"


def values(program: Program, state: State) -> dict[str, Value]:
    """The state variables by name, as they are shown."""
    return {place.name: _shown(place) for place in _places(program, state)}


def changes(program: Program, before: State, after: State) -> Iterator[Change]:
    """What differs between the states: single cells of arrays and records, containers as a whole."""
    for old, new in zip(_places(program, before), _places(program, after), strict=True):
        owner = program.variables[new.leaf].owner
        yield from _changes(old, new, new.name) if owner is None else _changes_of_process(old, new, owner)


def _changes_of_process(old: Place, new: Place, owner: Owner, indices: tuple[int, ...] = ()) -> Iterator[Change]:
    """Changes of program counters, `customer 2: line 38 → line 41`, and of locals: `customer 2 gate: 0 → 1`."""
    if len(indices) == len(owner.firsts):
        words = [owner.process, *map(str, indices), *([] if owner.local is None else [owner.local])]
        yield from _changes(old, new, " ".join(words))
        return
    assert isinstance(new.shape, ArrayShape)
    item, first = new.shape.item, owner.firsts[len(indices)]
    for k in range(new.shape.length):
        yield from _changes_of_process(old.part(item, 0, k), new.part(item, 0, k), owner, (*indices, first + k))


def _places(program: Program, state: State) -> Iterator[Place]:
    declared = program.declared or tuple(
        DeclaredVariable(v.name, _as_array(v), number) for number, v in enumerate(program.variables)
    )
    parts = tuple(Leaf(v.name, ScalarShape(v.type), v.dims) for v in program.variables)
    plan, cells = Leaves(parts, program.offsets), list(state)
    return (Place(plan, cells, d.shape, d.first, d.name) for d in declared)


def _as_array(variable: Variable) -> Shape:
    shape: Shape = ScalarShape(variable.type)
    for size in reversed(variable.dims):
        shape = ArrayShape(size, shape)
    return shape


# --- values -----------------------------------------------------------------------------------------------------


def _shown(place: Place) -> Value:
    match place.shape:
        case ScalarShape() as shape:
            return scalar(shape.type, place.read())
        case ArrayShape(length, item):
            return [_shown(place.part(item, 0, k)) for k in range(length)]
        case QueueShape(_, item):
            return [_shown(place.part(item, 1, k)) for k in range(place.read())]
        case TupleShape(items):
            return Parts(_shown(component(place, k)) for k in range(len(items)))
        case RecordShape(name=name, names=names):
            return Named(name, {part: _shown(component(place, k)) for k, part in enumerate(names)})
        case OptionalShape(item):
            return _shown(place.part(item, 1)) if place.read() else None
        case SetShape(keys):
            return Members(_key(keys, key) for key, _ in _present(place, keys))
        case BagShape(keys):
            return {_text(_key(keys, key)): count for key, count in _present(place, keys)}
        case MapShape(keys, item):
            return {_text(_key(keys, key)): _shown(_mapped(place, key)) for key, _ in _present(place, keys)}


def scalar(type: ScalarType, value: int) -> Value:
    match type:
        case BoolType():
            return bool(value)
        case IntType():
            return value
        case enum:
            return enum.show(value)


def _present(place: Place, keys: Keys) -> Iterator[tuple[tuple[int, ...], int]]:
    """The keys that are there, with their cells."""
    for key in keys.all():
        cell = place.read(0, *keys.positions(key))
        if cell:
            yield key, cell


def _key(keys: Keys, key: tuple[int, ...]) -> Value:
    parts = Parts(scalar(part.type, number) for part, number in zip(keys.parts, key, strict=True))
    return parts[0] if keys.single else parts


def _text(value: Value) -> str:
    return f"({', '.join(map(str, value))})" if isinstance(value, list) else str(value)


def _mapped(place: Place, key: tuple[int, ...]) -> Place:
    shape = place.shape
    assert isinstance(shape, MapShape)
    return place.part(shape.item, 1, *shape.keys.positions(key))


# --- changes ----------------------------------------------------------------------------------------------------


def _changes(old: Place, new: Place, name: str) -> Iterator[Change]:
    if old.snapshot() == new.snapshot():
        return
    match new.shape:
        case ArrayShape(length, item):
            for k in range(length):
                yield from _changes(old.part(item, 0, k), new.part(item, 0, k), f"{name}[{k}]")
        case RecordShape(names=names):
            for k, part in enumerate(names):
                yield from _changes(component(old, k), component(new, k), f"{name}.{part}")
        case MapShape(keys):
            for key in keys.all():
                yield from _changed_item(old, new, key, name)
        case OptionalShape(item) if old.read() and new.read():
            yield from _changes(old.part(item, 1), new.part(item, 1), name)
        case _:
            yield Change(name, _shown(old), _shown(new))


def _changed_item(old: Place, new: Place, key: tuple[int, ...], name: str) -> Iterator[Change]:
    shape = new.shape
    assert isinstance(shape, MapShape)
    label = f"{name}[{_text(_key(shape.keys, key))}]"
    at = shape.keys.positions(key)
    items = (_mapped(old, key), _mapped(new, key))
    there = (old.read(0, *at), new.read(0, *at))
    if all(there):
        yield from _changes(*items, label)
    elif any(there):
        before, after = (_shown(item) if present else ABSENT for item, present in zip(items, there, strict=True))
        yield Change(label, before, after)
