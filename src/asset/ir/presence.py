"""Which cells of a value are in use: by canonicity, what is not in use holds the blank of its type.

A cell is *controlled* by another one if it is in use only while that one is large enough: the content of an optional by
its flag, place k of a queue by the length, the value of a key by whether the key is there. Only the innermost control
is named: if what is around it is not in use, it is blank, and so what it controls is not in use either. A local
variable of a process is controlled by the program counter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import prod

from asset.ir.program import DeclaredVariable, Program, State, Variable
from asset.ir.shapes import (
    ArrayShape,
    BagShape,
    BoundedSetShape,
    FunctionShape,
    HeapShape,
    Keys,
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

At = tuple[int, tuple[int, ...]]
"""A cell of a value: the number of its leaf, and its indices there."""


@dataclass(frozen=True, slots=True)
class Control:
    """In use if the cell, counted from the first one of the variable, is at least `least`; never if it is None."""

    cell: int | None
    least: int = 1


@cache
def controls(shape: Shape) -> Mapping[int, Control]:
    """The control of each cell that is not always in use, cells being numbered leaf by leaf, each row by row."""
    numbers = _numbers(shape)
    return {numbers[at]: Control(None if by is None else numbers[by], least) for at, (by, least) in _found(shape)}


def _numbers(shape: Shape) -> dict[At, int]:
    ats = ((k, index) for k, leaf in enumerate(leaves(shape)) for index in product(*map(range, leaf.dims)))
    return {at: number for number, at in enumerate(ats)}


_Found = tuple[tuple[At, tuple[At | None, int]], ...]


def _found(shape: Shape) -> _Found:
    match shape:
        case ScalarShape() | RefShape() | LocalShape():
            return ()
        case ArrayShape(length, item):
            return tuple(each for k in range(length) for each in _moved(_found(item), 0, (k,)))
        case UnionShape(variants):
            firsts = [variant_of(shape, tag)[1] for tag in range(len(variants))]
            held = zip(variants, firsts, strict=True)
            return tuple(each for variant, first in held for each in _moved(_found(variant), first, ()))
        case TupleShape(items) | RecordShape(items=items):
            firsts = [sum(len(leaves(item)) for item in items[:k]) for k in range(len(items))]
            parts = zip(items, firsts, strict=True)
            return tuple(each for item, first in parts for each in _moved(_found(item), first, ()))
        case SetShape(keys) | BagShape(keys):
            return _no_keys(keys)
        case FunctionShape(keys, item):
            known = {keys.positions(key) for key in keys.all()}
            inside = (
                (_found(item) if at in known else _everything(item), at) for at in product(*map(range, keys.sizes))
            )
            return tuple(each for found, at in inside for each in _moved(found, 0, at))
        case MapShape(keys, item):
            places = product(*map(range, keys.sizes))
            items_held = tuple(each for place in places for each in _controlled(item, place, (0, place), 1))
            return (*_no_keys(keys), *items_held)
        case QueueShape(capacity, item) | BoundedSetShape(capacity, item):
            return tuple(each for k in range(capacity) for each in _controlled(item, (k,), (0, ()), k + 1))
        case HeapShape(capacity=capacity, item=item):
            freed = tuple(((1, (k,)), ((0, ()), k + 1)) for k in range(capacity))
            objects = (_controlled(item, (k,), (0, ()), k + 1, behind=2) for k in range(capacity))
            return (*freed, *(each for found in objects for each in found))
        case OptionalShape(item):
            return _controlled(item, (), (0, ()), 1)


def _no_keys(keys: Keys) -> _Found:
    """The cells of numbers between the members of an enum, which are no keys."""
    if keys.shape is not None or prod(keys.sizes) == len(keys.all()):
        return ()
    known = {keys.positions(key) for key in keys.all()}
    return tuple(((0, place), (None, 1)) for place in product(*map(range, keys.sizes)) if place not in known)


def _controlled(item: Shape, place: tuple[int, ...], by: At, least: int, behind: int = 1) -> _Found:
    """The cells of an item behind the leaf that controls it: by that, unless by something inside the item."""
    inside = dict(_moved(_found(item), behind, place))
    return tuple((at, inside.get(at, (by, least))) for at, _ in _moved(_everything(item), behind, place))


def _everything(shape: Shape) -> _Found:
    return tuple((at, (None, 1)) for at in _numbers(shape))


def _moved(found: _Found, first: int, place: tuple[int, ...]) -> _Found:
    """The same as part of something larger: behind so many leaves, at these indices."""

    def moved(at: At) -> At:
        return first + at[0], (*place, *at[1])

    return tuple((moved(at), (None if by is None else moved(by), least)) for at, (by, least) in found)


# --- in a program -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Use:
    """A cell is in use if the cell `by` has one of the values; else it is `blank`."""

    by: int
    values: frozenset[int]
    blank: int

    def holds(self, state: State) -> bool:
        return state[self.by] in self.values


def uses_of(program: Program) -> dict[int, Use]:
    """The cells of a program that are not always in use, and that are blank whenever they are not."""
    shapes = program.declared if program.blanks else ()
    found = {cell: use for declared in shapes for cell, use in _of_shape(program, declared)}
    owned = [(v.owner, at, v) for at, v in _placed(program) if v.owner is not None]
    counters = {(owner.process, v.dims): at for owner, at, v in owned if owner.local is None}
    for owner, at, v in owned:
        counter = counters.get((owner.process, v.dims))
        if owner.live is not None and counter is not None:
            live = frozenset(owner.live)
            found.update((at + k, Use(counter + k, live, v.initial[k])) for k in range(v.cells))
    return found


def _placed(program: Program) -> Iterator[tuple[int, Variable]]:
    return zip(program.offsets, program.variables, strict=True)


def _of_shape(program: Program, declared: DeclaredVariable) -> Iterator[tuple[int, Use]]:
    first = program.offsets[declared.first] if program.variables else 0
    for cell, by in controls(declared.shape).items():
        if by.cell is not None:
            largest = program.cell_variables[first + by.cell].type.hi
            blank = program.cell_variables[first + cell].type.lo
            yield first + cell, Use(first + by.cell, frozenset(range(by.least, largest + 1)), blank)
