"""How the values of a dynamic function lie in cells: which variables it has, and what is in them initially.

A function has a variable for each scalar part of its values. A set has a truth value for each possible element, a
sequence its length and its items; behind its end, items have their least value, so that equal values have equal cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from math import prod

from asset.frontends.asm import tuples
from asset.frontends.asm.cell_types import cell_type, shape_of, undef_cell
from asset.frontends.asm.kinds import (
    Bagged,
    BagSort,
    Listed,
    Mapped,
    MapSort,
    ScalarSort,
    SequenceSort,
    SetSort,
    Sort,
    Static,
    TupleSort,
    Undefined,
    codes_of,
    value_of,
    values_of,
)
from asset.frontends.asm.packing import scalars, shaped
from asset.frontends.asm.signature import FunctionInfo
from asset.ir.program import DeclaredVariable, Variable
from asset.ir.shapes import FunctionShape, Keys, QueueShape, ScalarShape, SetShape, Shape
from asset.ir.types import BoolType, IntType, ScalarType


@dataclass(frozen=True, slots=True)
class CellLayout:
    """Of a function whose variables are those from number `first` on; `maybe` if its values, or parts of them, may be
    `undef`, `partly` if they may be tuples whose first part is."""

    function: FunctionInfo
    first: int
    maybe: bool
    partly: bool = False

    @property
    def arguments(self) -> tuple[ScalarSort, ...]:
        return scalars(self.function.args)

    @property
    def dims(self) -> tuple[int, ...]:
        return tuple(map(extent, self.arguments))

    @property
    def result(self) -> Sort:
        assert self.function.result is not None
        return self.function.result

    def variables(self, initial: Callable[[tuple[Static, ...]], Static]) -> Iterator[Variable]:
        """The variables, with what each location is initially."""
        name, span = self.function.name, self.function.span
        found = list(self._initial_rows(initial))
        for number, (suffix, type_, dims) in enumerate(self._leaves()):
            blank = [type_.lo] * prod(dims)
            cells = (blank if value is None else self._cells_of(value)[number] for value in found)
            values = tuple(code for each in cells for code in each)
            yield Variable(name + suffix, type_, (*self.dims, *dims), values, span)

    @property
    def says_whether(self) -> tuple[str, ...]:
        """The cells of their own that say that the location is not `undef`, and if it is a tuple, what is in it."""
        if self.partly:
            return tuple(tuples.names_of(self.result))
        return (".defined",) if self.maybe and isinstance(self.result, SetSort | SequenceSort | BagSort) else ()

    @property
    def last(self) -> int:
        """Its last variable; those that say whether something is there are the last ones."""
        return self.first + len(list(self._leaves())) - 1

    @property
    def first_saying(self) -> int:
        return self.last + 1 - len(self.says_whether)

    def declared(self) -> list[DeclaredVariable]:
        """How the function is shown."""
        found = [DeclaredVariable(self.function.name, self._for_arguments(self._shape()), self.first)]
        truth = self._for_arguments(ScalarShape(BoolType()))
        for variable, name in enumerate(self.says_whether, self.first_saying):
            found.append(DeclaredVariable(f"{self.function.name}{name}", truth, variable))
        return found

    def _for_arguments(self, shape: Shape) -> Shape:
        if not self.arguments:
            return shape
        parts = tuple(ScalarShape(cell_type(sort, False)) for sort in self.arguments)
        return FunctionShape(Keys(parts, single=len(parts) == 1), shape)

    def _shape(self) -> Shape:
        match self.result:
            case SetSort(of):
                parts = tuple(ScalarShape(cell_type(sort, False)) for sort in scalars((of,)))
                return SetShape(Keys(parts, single=len(parts) == 1))
            case SequenceSort(of, capacity):
                assert capacity is not None
                return QueueShape(capacity, shape_of(of, False))
            case BagSort(of, most):
                parts = tuple(ScalarShape(cell_type(sort, False)) for sort in scalars((of,)))
                return FunctionShape(Keys(parts, single=len(parts) == 1), ScalarShape(IntType(0, most or 0)))
            case MapSort(keys, of):
                parts = tuple(ScalarShape(cell_type(sort, False)) for sort in scalars((keys,)))
                return FunctionShape(Keys(parts, single=len(parts) == 1), shape_of(of, True))
        return shape_of(self.result, self.maybe)

    def placed(self, args: tuple[Static, ...], value: Static, offsets: list[int]) -> Iterator[tuple[int, int]]:
        """The cells of the location, by their numbers in a state, and what they are if it has the value."""
        at = 0
        codes_given = codes_of(TupleSort(self.function.args), args)
        for code, sort in zip(codes_given, self.arguments, strict=True):
            at = at * extent(sort) + code - sort.bounds[0]
        for number, codes in enumerate(self._cells_of(value)):
            for k, code in enumerate(codes):
                yield offsets[self.first + number] + at * len(codes) + k, code

    def initial_values(self, initial: Callable[[tuple[Static, ...]], Static]) -> Iterator[Static]:
        """Of each location."""
        return (value for value in self._initial_rows(initial) if value is not None)

    def _initial_rows(self, initial: Callable[[tuple[Static, ...]], Static]) -> Iterator[Static | None]:
        """Of each location, row by row; None for those that only fill the array."""
        taken = [set(values_of(arg) or ()) for arg in self.function.args]
        for codes in product(*(range(sort.bounds[0], sort.bounds[0] + extent(sort)) for sort in self.arguments)):
            args = self._arguments_of(codes)
            inside = all(arg in values for arg, values in zip(args, taken, strict=True))
            yield initial(args) if inside else None

    def _arguments_of(self, codes: tuple[int, ...]) -> tuple[Static, ...]:
        given = iter(value_of(sort.kind, code) for sort, code in zip(self.arguments, codes, strict=True))
        return tuple(shaped(sort, given) for sort in self.function.args)

    def _leaves(self) -> Iterator[tuple[str, ScalarType, tuple[int, ...]]]:
        yield from self._contents()
        yield from ((name, BoolType(), ()) for name in self.says_whether)

    def _contents(self) -> Iterator[tuple[str, ScalarType, tuple[int, ...]]]:
        match self.result:
            case SetSort(of):
                yield "", BoolType(), tuple(map(extent, scalars((of,))))
            case BagSort(of, most):
                yield "", IntType(0, most or 0), tuple(map(extent, scalars((of,))))
            case SequenceSort(of, capacity):
                assert capacity is not None
                yield ".length", IntType(0, capacity), ()
                parts = scalars((of,))
                for k, part in enumerate(parts):
                    yield f".items{_suffix(k, parts)}", cell_type(part, False), (capacity,)
            case MapSort(keys, of):
                parts = scalars((of,))
                for k, part in enumerate(parts):
                    yield _suffix(k, parts), cell_type(part, True), tuple(map(extent, scalars((keys,))))
            case result:
                parts = scalars((result,))
                for k, part in enumerate(parts):
                    yield _suffix(k, parts), cell_type(part, self.maybe), ()

    def _cells_of(self, value: Static) -> list[list[int]]:
        """Of each variable, the cells that hold the value."""
        whether = tuples.known_to_be_there(self.result, value) if self.partly else [not isinstance(value, Undefined)]
        return self._contents_of(value) + [[int(there)] for there in whether if self.says_whether]

    def _contents_of(self, value: Static) -> list[list[int]]:
        match self.result:
            case SetSort(of):
                members = value if isinstance(value, frozenset) else frozenset[Static]()
                parts = scalars((of,))
                spans = (range(part.bounds[0], part.bounds[0] + extent(part)) for part in parts)
                inside = {codes_of(of, each) for each in members}
                return [[int(codes in inside) for codes in product(*spans)]]
            case BagSort(of):
                counts = dict(value.counts) if isinstance(value, Bagged) else {}
                times = {codes_of(of, each): count for each, count in counts.items()}
                spans = (range(part.bounds[0], part.bounds[0] + extent(part)) for part in scalars((of,)))
                return [[times.get(codes, 0) for codes in product(*spans)]]
            case SequenceSort(of, capacity):
                assert capacity is not None
                items = value.items if isinstance(value, Listed) else ()
                rows = [codes_of(of, item) for item in items]
                blank = tuple(part.bounds[0] for part in scalars((of,)))
                rows += [blank] * (capacity - len(rows))
                return [[len(items)], *([row[k] for row in rows] for k in range(len(blank)))]
            case MapSort(keys, of):
                return self._cells_of_map(keys, of, value)
        return [[code] for code in _codes_of(self.result, value)]

    @staticmethod
    def _cells_of_map(keys: Sort, of: Sort, value: Static) -> list[list[int]]:
        pairs = value.pairs if isinstance(value, Mapped) else ()
        rows = {codes_of(keys, key): codes_of(of, each) for key, each in pairs}
        spans = (range(part.bounds[0], part.bounds[0] + extent(part)) for part in scalars((keys,)))
        places = list(product(*spans))
        return [
            [rows[at][k] if at in rows else undef_cell(part) for at in places] for k, part in enumerate(scalars((of,)))
        ]


def _codes_of(sort: Sort, value: Static) -> tuple[int, ...]:
    """The cells of a scalar or a tuple, parts of which may be `undef`."""
    if isinstance(value, Undefined):
        return tuple(map(undef_cell, scalars((sort,))))
    if isinstance(sort, TupleSort) and isinstance(value, tuple):
        return tuple(code for part, each in zip(sort.parts, value, strict=True) for code in _codes_of(part, each))
    return codes_of(sort, value)


def extent(sort: ScalarSort) -> int:
    low, high = sort.bounds
    return high - low + 1


def _suffix(k: int, parts: tuple[ScalarSort, ...]) -> str:
    return f".{k}" if len(parts) > 1 else ""
