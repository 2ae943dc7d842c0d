"""A run as it is shown, state by state: each shares with the one before whatever the step left as it was.

What a step takes to be shown is proportional to what it changed, but for looking which cells differ.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

from asset.checks.rendering import (
    cells_of,
    declared_of,
    label,
    leaves_of,
    mapped,
    present,
    shown,
    unravelled,
    values,
)
from asset.ir.program import DeclaredVariable, Owner, Program, State, differing
from asset.ir.shapes import (
    ArrayShape,
    FunctionShape,
    MapShape,
    OptionalShape,
    RecordShape,
    ScalarShape,
    leaves,
    part_of,
    refers,
)
from asset.model.value_cells import Leaves, Place
from asset.model.views import component
from asset.verdict import Change, Named, Value

ABSENT = "absent"

Touched = list[tuple[int, tuple[int, ...]]]
"""The leaf and the indices of each cell that differs."""

Following = Generator[Change, None, Value]
"""Gives what changed, and in the end the value after it."""


@dataclass(frozen=True, slots=True)
class _Outline:
    """What is the same of all states of a program."""

    program: Program
    declared: Sequence[DeclaredVariable]
    leaves: Leaves
    firsts: tuple[int, ...]
    """The first leaf of each variable."""
    referring: tuple[int, ...]
    """The numbers of those that refer to objects."""

    @classmethod
    def of(cls, program: Program) -> _Outline:
        declared = declared_of(program)
        referring = tuple(number for number, each in enumerate(declared) if refers(each.shape))
        return cls(program, declared, leaves_of(program), tuple(each.first for each in declared), referring)

    def cells(self, state: State) -> list[int]:
        return cells_of(self.program, state) if self.referring else list(state)


@dataclass(frozen=True, slots=True)
class ShownState:
    """A state as it is shown."""

    cells: State
    values: dict[str, Value]
    _outline: _Outline

    @classmethod
    def of(cls, program: Program, state: State) -> ShownState:
        return cls(state, values(program, state), _Outline.of(program))

    def then(self, after: State) -> tuple[ShownState, tuple[Change, ...]]:
        """A following state, and what differs: single cells of arrays and records, containers as a whole."""
        now, found = dict(self.values), list[Change]()
        before, behind = (self._outline.cells(state) for state in (self.cells, after))
        for number, touched in self._touched(after):
            declared = self._outline.declared[number]
            places = (self._place(declared, before), self._place(declared, behind))
            following = self._followed(number, places, touched)
            now[declared.name] = _exhausted(following, found)
        return ShownState(after, now, self._outline), tuple(found)

    def _place(self, declared: DeclaredVariable, cells: list[int]) -> Place:
        return Place(self._outline.leaves, cells, declared.shape, declared.first)

    def _followed(self, number: int, places: Places, touched: Touched) -> Following:
        declared = self._outline.declared[number]
        owner, value = self._outline.program.variables[declared.first].owner, self.values[declared.name]
        if number in self._outline.referring:
            return _compared(places[1], value, owner or declared.name)
        if owner is None:
            return _followed(places, value, touched, declared.name)
        return _followed_processes(places, value, touched, owner)

    def _touched(self, after: State) -> Sequence[tuple[int, Touched]]:
        """The numbers of the variables that differ, each with its cells that do; and of all that refer to objects,
        which may differ."""
        leaves, by_variable = self._outline.leaves, dict[int, Touched]()
        for number in self._outline.referring:
            by_variable[number] = []
        for cell in differing(self.cells, after):
            leaf = bisect_right(leaves.offsets, cell) - 1
            indices = unravelled(leaves.leaves[leaf].dims, cell - leaves.offsets[leaf])
            number = bisect_right(self._outline.firsts, leaf) - 1
            by_variable.setdefault(number, []).append((leaf, indices))
        return sorted(by_variable.items())


def _compared(new: Place, value: Value, named: Owner | str) -> Following:
    """What is shown of references depends on the objects: it is shown anew, and compared."""
    now = shown(new)
    yield from _differences(value, now, named)
    return now


def _differences(old: Value, new: Value, named: Owner | str) -> Iterator[Change]:
    """Of arrays and records part by part, of other values as a whole."""
    if isinstance(named, Owner):
        yield from _owned_differences(old, new, named)
    elif type(old) is list and type(new) is list and len(old) == len(new):
        for k, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from _differences(one, other, f"{named}[{k}]")
    elif isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys((*old, *new)):
            name = f"{named}.{key}" if isinstance(new, Named) else f"{named}[{key}]"
            yield from _differences(old.get(key, ABSENT), new.get(key, ABSENT), name)
    elif old != new:
        yield Change(named, old, new)


def _owned_differences(old: Value, new: Value, owner: Owner, indices: tuple[int, ...] = ()) -> Iterator[Change]:
    if len(indices) == len(owner.firsts):
        words = [owner.process, *map(str, indices), *([] if owner.local is None else [owner.local])]
        yield from _differences(old, new, " ".join(words))
        return
    assert isinstance(old, list) and isinstance(new, list)
    first = owner.firsts[len(indices)]
    for k, (one, other) in enumerate(zip(old, new, strict=True)):
        yield from _owned_differences(one, other, owner, (*indices, first + k))


def _exhausted(following: Following, changes: list[Change]) -> Value:
    while True:
        try:
            changes.append(next(following))
        except StopIteration as end:
            value: Value = end.value
            return value


def changes(program: Program, before: State, after: State) -> tuple[Change, ...]:
    """What differs between the states."""
    return ShownState.of(program, before).then(after)[1]


Places = tuple[Place, Place]
"""The same part of the state before and of the state after."""


def _followed_processes(
    places: Places, value: Value, touched: Touched, owner: Owner, indices: tuple[int, ...] = ()
) -> Following:
    """Changes of program counters, `customer 2: line 38 → line 41`, and of locals: `customer 2 gate: 0 → 1`."""
    if len(indices) == len(owner.firsts):
        words = [owner.process, *map(str, indices), *([] if owner.local is None else [owner.local])]
        return (yield from _followed(places, value, touched, " ".join(words)))
    assert isinstance(value, list)
    items, first = list(value), owner.firsts[len(indices)]
    for (k,), inner in _grouped(touched, slice(len(indices), len(indices) + 1)):
        items[k] = yield from _followed_processes(_items(places, k), items[k], inner, owner, (*indices, first + k))
    return items


def _followed(places: Places, value: Value, touched: Touched, name: str) -> Following:
    old, new = places
    match new.shape:
        case ScalarShape():  # first, as most are
            return (yield from _replaced(new, value, name))
        case ArrayShape() if isinstance(value, list):
            items = list(value)
            for (k,), inner in _grouped(touched, slice(len(new.indices), len(new.indices) + 1)):
                items[k] = yield from _followed(_items(places, k), items[k], inner, f"{name}[{k}]")
            return items
        case RecordShape() if isinstance(value, dict):
            return (yield from _followed_record(places, value, touched, name))
        case FunctionShape() if isinstance(value, dict):
            return (yield from _followed_function(places, value, touched, name))
        case MapShape() if isinstance(value, dict):
            return (yield from _followed_map(places, value, touched, name))
        case OptionalShape(item) if old.read() and new.read():
            return (yield from _followed((old.part(item, 1), new.part(item, 1)), value, touched, name))
        case _:
            return (yield from _replaced(new, value, name))


def _replaced(new: Place, value: Value, name: str) -> Following:
    now = shown(new)
    yield Change(name, value, now)
    return now


def _followed_record(places: Places, value: dict[str, Value], touched: Touched, name: str) -> Following:
    old, new = places
    shape = new.shape
    assert isinstance(shape, RecordShape)
    parts = dict(value)
    for k, part in enumerate(shape.names):
        item, ahead = part_of(shape, k)
        own = range(new.leaf + ahead, new.leaf + ahead + len(leaves(item)))
        inner = [cell for cell in touched if cell[0] in own]
        if inner:
            there = (component(old, k), component(new, k))
            parts[part] = yield from _followed(there, parts[part], inner, f"{name}.{part}")
    return Named(shape.name, parts)


def _followed_function(places: Places, value: dict[str, Value], touched: Touched, name: str) -> Following:
    old, new = places
    shape = new.shape
    assert isinstance(shape, FunctionShape)
    items = dict(value)
    depth, width = len(new.indices), len(shape.keys.parts)
    for positions, inner in _grouped(touched, slice(depth, depth + width)):
        key = label(shape.keys, positions)
        within = (old.part(shape.item, 0, *positions), new.part(shape.item, 0, *positions))
        named = f"{name}({key})" if shape.keys.single else f"{name}{key}"
        items[key] = yield from _followed(within, value[key], inner, named)
    return items


def _followed_map(places: Places, value: dict[str, Value], touched: Touched, name: str) -> Following:
    old, new = places
    shape = new.shape
    assert isinstance(shape, MapShape)
    items: dict[str, Value] = {}
    depth, width = len(new.indices), len(shape.keys.parts)
    for positions, inner in _grouped(touched, slice(depth, depth + width)):
        key = label(shape.keys, positions)
        named = f"{name}[{key}]"
        there = (old.read(0, *positions), new.read(0, *positions))
        if all(there):
            within = (mapped(old, positions), mapped(new, positions))
            items[key] = yield from _followed(within, value[key], inner, named)
        elif there[1]:
            items[key] = shown(mapped(new, positions))
            yield Change(named, ABSENT, items[key])
        else:
            yield Change(named, value[key], ABSENT)
    return {key: items[key] if key in items else value[key] for key in present(new, shape.keys)}


def _items(places: Places, k: int) -> Places:
    old, new = places
    shape = new.shape
    assert isinstance(shape, ArrayShape)
    return old.part(shape.item, 0, k), new.part(shape.item, 0, k)


def _grouped(touched: Touched, dimensions: slice) -> Iterator[tuple[tuple[int, ...], Touched]]:
    """The cells by their indices in these dimensions, by increasing indices."""
    found: dict[tuple[int, ...], Touched] = {}
    for cell in touched:
        found.setdefault(cell[1][dimensions], []).append(cell)
    return iter(sorted(found.items()))
