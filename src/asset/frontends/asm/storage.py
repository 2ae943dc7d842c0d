"""Where the values of dynamic functions are: locations are cells, functions with arguments are arrays.

How values lie in cells is told in `cell_layout`; here they are read and updated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from asset.frontends.asm import code as c
from asset.frontends.asm import tuples
from asset.frontends.asm.cell_layout import CellLayout
from asset.frontends.asm.cell_types import undef_cell
from asset.frontends.asm.kinds import (
    UNDEF_NUMBER,
    BagSort,
    MapSort,
    Numbers,
    ScalarSort,
    SequenceSort,
    SetSort,
    Sort,
    Static,
    TupleSort,
    codes_of,
    values_of,
)
from asset.frontends.asm.packing import like, scalars, shaped_value
from asset.frontends.asm.problems import Rejected, wrong_number
from asset.frontends.asm.values import (
    MOST_CODES,
    NOWHERE,
    BagValue,
    ChangingMap,
    MapValue,
    Scalar,
    SequenceValue,
    SetValue,
    TupleValue,
    UndefValue,
    Value,
    as_changing,
    contains,
    defined,
    either,
    noun,
    of_static,
    scalar,
)
from asset.ir import nodes as n
from asset.span import Span

Reader = Callable[[int, tuple[n.Expr, ...], Span], n.Expr]
"""How a cell is read: its variable and its indices."""


@dataclass(frozen=True, slots=True)
class CellUpdate:
    """A cell that an update changes."""

    variable: int
    indices: tuple[n.Expr, ...]
    value: n.Expr


@dataclass(frozen=True, slots=True)
class Stored(CellLayout):
    """A function and its cells: how its values are read and updated."""

    def _given(self, args: tuple[Value, ...], span: Span) -> list[Scalar]:
        """The scalar parts of the arguments."""
        given = [part for arg, sort in self._paired(args, span) for part in like(sort, arg, span)]
        return [scalar(value, sort.kind, span) for sort, value in zip(self.arguments, given, strict=True)]

    def _paired(self, args: tuple[Value, ...], span: Span) -> Iterator[tuple[Value, Sort]]:
        sorts = self.function.args
        if len(args) == 1 and len(sorts) > 1 and isinstance(args[0], TupleValue):
            args = args[0].parts
        if len(args) != len(sorts):
            raise wrong_number(self.function.name, len(sorts), len(args), span)
        return zip(args, sorts, strict=True)

    def indices(self, args: tuple[Value, ...], span: Span) -> tuple[n.Expr, ...]:
        """Where the location is in its variables."""
        return self._indices(self._given(args, span), span)

    def _indices(self, given: list[Scalar], span: Span) -> tuple[n.Expr, ...]:
        """A value that the function does not take is an index out of bounds."""
        return tuple(
            c.binary(span, n.BinaryOp.SUB, value.expr, c.const(span, sort.bounds[0]))
            for sort, value in zip(self.arguments, given, strict=True)
        )

    def _inside(self, given: list[Scalar], span: Span) -> n.Expr:
        """Whether the arguments are in their domains; where only a constraint makes them finite, they have to be."""
        tests = []
        for number, (sort, value) in enumerate(zip(self.arguments, given, strict=True)):
            assert sort.codes is not None
            certain = not value.maybe and value.codes is not None and set(value.codes) <= set(sort.codes)
            if not certain and (number not in self.function.bounded or value.maybe):
                tests.append(c.one_of(span, value.expr, sort.codes))
        return c.conjunction(span, tests)

    def read(self, args: tuple[Value, ...], reader: Reader, span: Span) -> Value:
        """The value; what is not a location was never set."""
        given = self._given(args, span)
        inside, value = self._inside(given, span), self._at(self._indices(given, span), reader, span)
        if c.known(inside) == 1:
            return value
        match value:
            case SetValue(universe, test):
                assert test is not None
                there = c.conjunction(span, (inside, defined(value, span)))
                return SetValue(universe, lambda v: c.conjunction(span, (inside, test(v))), there)
            case BagValue(universe, count, most):
                there = c.conjunction(span, (inside, defined(value, span)))
                zero = c.const(span, 0)
                return BagValue(universe, lambda v: c.conditional(span, inside, count(v), zero), most, there)
            case SequenceValue(length, item, capacity):
                there = c.conjunction(span, (inside, defined(value, span)))
                return SequenceValue(c.conditional(span, inside, length, c.const(span, 0)), item, capacity, there)
        return either(inside, value, of_static(self.function.elsewhere, span), span)

    def _at(self, indices: tuple[n.Expr, ...], reader: Reader, span: Span) -> Value:
        match self.result:
            case SetSort(of):
                return replace(self._read_set(of, indices, reader, span), there=self._there(indices, reader, span))
            case BagSort(of, most):
                count = partial(self._read_element, of, indices, reader, span)
                return BagValue(values_of(of) or (), count, most or 0, self._there(indices, reader, span))
            case SequenceSort(of, capacity):
                assert capacity is not None

                def item(at: n.Expr) -> Value:
                    place = c.known(at)
                    if place is not None and place not in range(capacity):
                        return _blank(of, span)  # there never is one, and nothing asks what it is
                    return self._read_value(of, 1, False, (*indices, at), reader, span)

                length, there = reader(self.first, indices, span), self._there(indices, reader, span)
                return SequenceValue(length, item, capacity, there)
            case MapSort(keys, of):
                return ChangingMap(values_of(keys) or (), partial(self._read_entry, indices, reader, span))
        return self._read_scalars(indices, reader, span)

    def _there(self, indices: tuple[n.Expr, ...], reader: Reader, span: Span) -> n.Expr | None:
        return reader(self.last, indices, span) if self.says_whether else None

    def _read_scalars(self, indices: tuple[n.Expr, ...], reader: Reader, span: Span) -> Value:
        if not self.partly:
            return self._read_value(self.result, 0, self.maybe, indices, reader, span)
        there = (reader(variable, indices, span) for variable in range(self.first_saying, self.last + 1))
        return self._read_value(self.result, 0, self.maybe, indices, reader, span, there)

    def _read_entry(self, indices: tuple[n.Expr, ...], reader: Reader, span: Span, key: Value) -> Value:
        """What a map has for a key; nothing, if that cannot be a key."""
        assert isinstance(self.result, MapSort)
        sorts = scalars((self.result.keys,))
        parts = [scalar(v, s.kind, span) for v, s in zip(like(self.result.keys, key, span), sorts, strict=True)]
        inside = c.conjunction(span, (c.one_of(span, v.expr, s.codes or ()) for v, s in zip(parts, sorts, strict=True)))
        at = tuple(
            c.binary(span, n.BinaryOp.SUB, v.expr, c.const(span, s.bounds[0]))
            for v, s in zip(parts, sorts, strict=True)
        )
        if c.known(inside) == 0:
            return UndefValue()
        return either(
            inside, self._read_value(self.result.of, 0, True, (*indices, *at), reader, span), UndefValue(), span
        )

    def _read_set(self, of: Sort, indices: tuple[n.Expr, ...], reader: Reader, span: Span) -> SetValue:
        return SetValue(values_of(of) or (), partial(self._read_element, of, indices, reader, span))

    def _read_element(self, of: Sort, indices: tuple[n.Expr, ...], reader: Reader, span: Span, value: Value) -> n.Expr:
        """The cell of an element: whether it is in a set, or how often it is in a bag."""
        parts = scalars((of,))
        codes = [scalar(v, part.kind, span).expr for v, part in zip(like(of, value, span), parts, strict=True)]
        inner = (
            c.binary(span, n.BinaryOp.SUB, code, c.const(span, part.bounds[0]))
            for code, part in zip(codes, parts, strict=True)
        )
        return reader(self.first, (*indices, *inner), span)

    def _read_value(
        self,
        sort: Sort,
        leaf: int,
        maybe: bool,
        indices: tuple[n.Expr, ...],
        reader: Reader,
        span: Span,
        there: Iterator[n.Expr] | None = None,
    ) -> Value:
        parts = scalars((sort,))
        cells = [reader(self.first + leaf + k, indices, span) for k in range(len(parts))]
        parts_read = iter([_decoded(cell, part, maybe, span) for cell, part in zip(cells, parts, strict=True)])
        return shaped_value(sort, parts_read, span, there)

    def updates(self, args: tuple[Value, ...], value: Value, span: Span) -> list[CellUpdate]:
        """The cells that the location consists of, with their new values."""
        indices = self.indices(args, span)
        match self.result:
            case SetSort(of):
                return [*self._set_updates(of, indices, value, span), *self._there_updates(indices, value, span)]
            case BagSort(of):
                return [*self._bag_updates(of, indices, value, span), *self._there_updates(indices, value, span)]
            case SequenceSort():
                return [*self._sequence_updates(indices, value, span), *self._there_updates(indices, value, span)]
            case MapSort():
                return list(self._map_updates(indices, value, span))
        parts = scalars((self.result,))
        if isinstance(value, UndefValue):
            codes = [c.const(span, undef_cell(part)) for part in parts]
        else:
            given = like(self.result, value, span)
            codes = [_encoded(scalar(v, p.kind, span), p, span) for v, p in zip(given, parts, strict=True)]
        there = tuples.being_there(self.result, value, span) if self.partly else ()
        return [CellUpdate(self.first + k, indices, code) for k, code in enumerate((*codes, *there))]

    def misses(self, args: tuple[Value, ...], span: Span) -> n.Expr:
        """Whether the arguments are `undef`, or in a gap of their domain; beyond its ends there is no such cell."""
        tests = []
        for sort, value in zip(self.arguments, self._given(args, span), strict=True):
            assert sort.codes is not None
            low, high = sort.bounds
            fits = value.codes is not None and set(value.codes) <= set(sort.codes)
            if value.maybe:
                tests.append(c.negation(span, defined(value, span)))
            if high - low >= len(sort.codes) and not fits:
                tests.append(c.negation(span, c.one_of(span, value.expr, sort.codes)))
        return c.disjunction(span, tests)

    def below(self, value: Value, span: Span) -> Iterator[tuple[int, n.Expr]]:
        """The numbers that stand for `undef` in cells, each with the question whether the value has it there."""
        match self.result, value:
            case MapSort(keys, of), MapValue() | ChangingMap():
                given = as_changing(value, span)
                entries, sort = [given.at(of_static(key, span)) for key in values_of(keys) or ()], of
            case (ScalarSort() | TupleSort()) as sort, _ if self.maybe:
                entries = [value]
            case _:
                return
        for entry in entries:
            for part, given_ in zip(scalars((sort,)), like(sort, entry, span), strict=True):
                low, number = undef_cell(part), scalar(given_, part.kind, span)
                if isinstance(part.kind, Numbers) and (number.codes is None or low in number.codes):
                    yield low, c.equal(span, number.expr, c.const(span, low))

    def is_too_fine(self, value: Value, span: Span) -> n.Expr:
        """Whether a number in it is a fraction between those that the function takes."""
        tests: list[n.Expr] = []
        if isinstance(self.result, ScalarSort | TupleSort) and isinstance(value, Scalar | TupleValue):
            parts = like(self.result, value, span)
            tests += [
                c.equal(span, each.expr, c.const(span, NOWHERE)) for each in parts if NOWHERE in (each.codes or ())
            ]
        return c.disjunction(span, tests)

    def outside(self, value: Value, span: Span) -> n.Expr:
        """Whether a set has elements, or a map keys, that the function cannot have, or an item of a sequence or an
        entry of a map has a part that is `undef`."""
        match self.result, value:
            case SetSort(of), SetValue(universe):
                every = set(values_of(of) or ())
                wrong = [of_static(each, span) for each in universe if each not in every]
                return c.disjunction(span, (contains(value, each, span) for each in wrong))
            case BagSort(of), BagValue(universe, count):
                every = set(values_of(of) or ())
                wrong = [of_static(each, span) for each in universe if each not in every]
                return c.disjunction(span, (_positive(count(each), span) for each in wrong))
            case MapSort(keys), MapValue() | ChangingMap():
                given, every = as_changing(value, span), set(values_of(keys) or ())
                wrong = [of_static(key, span) for key in given.keys if key not in every]
                known = [given.at(of_static(key, span)) for key in given.keys if key in every]
                lacking = (c.conjunction(span, (defined(each, span), _lacks_a_part(each, span))) for each in known)
                return c.disjunction(span, (*(defined(given.at(key), span) for key in wrong), *lacking))
            case SequenceSort(), SequenceValue(length, item, capacity):
                places = [c.const(span, place) for place in range(capacity)]
                used = [c.binary(span, n.BinaryOp.GT, length, at) for at in places]
                lacking = (_lacks_a_part(item(at), span) for at in places)
                return c.disjunction(span, (c.conjunction(span, pair) for pair in zip(used, lacking, strict=True)))
        return c.const(span, 0)

    def _there_updates(self, indices: tuple[n.Expr, ...], value: Value, span: Span) -> Iterator[CellUpdate]:
        if self.says_whether:
            yield CellUpdate(self.last, indices, defined(value, span))

    def _set_updates(self, of: Sort, indices: tuple[n.Expr, ...], value: Value, span: Span) -> Iterator[CellUpdate]:
        if isinstance(value, UndefValue):
            value = SetValue(())
        if not isinstance(value, SetValue):
            raise Rejected(f"a set is needed here, and this is {noun(value)}", span)
        for each, inner in _places_of(of, span):
            inside = c.conjunction(span, (defined(value, span), contains(value, of_static(each, span), span)))
            yield CellUpdate(self.first, (*indices, *inner), inside)

    def _bag_updates(self, of: Sort, indices: tuple[n.Expr, ...], value: Value, span: Span) -> Iterator[CellUpdate]:
        zero = c.const(span, 0)
        if isinstance(value, UndefValue):
            value = BagValue((), lambda v: zero, 0)
        if not isinstance(value, BagValue):
            raise Rejected(f"a bag is needed here, and this is {noun(value)}", span)
        possible = set(value.universe)
        for each, inner in _places_of(of, span):
            count = value.count(of_static(each, span)) if each in possible else zero
            yield CellUpdate(self.first, (*indices, *inner), c.conditional(span, defined(value, span), count, zero))

    def _map_updates(self, indices: tuple[n.Expr, ...], value: Value, span: Span) -> Iterator[CellUpdate]:
        assert isinstance(self.result, MapSort)
        given, keys = as_changing(value, span), scalars((self.result.keys,))
        parts = scalars((self.result.of,))
        for key in values_of(self.result.keys) or ():
            at = tuple(
                c.const(span, code - sort.bounds[0])
                for code, sort in zip(codes_of(self.result.keys, key), keys, strict=True)
            )
            entry = like(self.result.of, given.at(of_static(key, span)), span)
            for k, (v, p) in enumerate(zip(entry, parts, strict=True)):
                yield CellUpdate(self.first + k, (*indices, *at), _encoded(scalar(v, p.kind, span), p, span))

    def _sequence_updates(self, indices: tuple[n.Expr, ...], value: Value, span: Span) -> Iterator[CellUpdate]:
        assert isinstance(self.result, SequenceSort) and self.result.capacity is not None
        if isinstance(value, UndefValue):
            value = SequenceValue(c.const(span, 0), lambda at: UndefValue(), 0)
        if not isinstance(value, SequenceValue):
            raise Rejected(f"a sequence is needed here, and this is {noun(value)}", span)
        length = c.conditional(span, defined(value, span), value.length, c.const(span, 0))
        yield CellUpdate(self.first, indices, length)
        parts = scalars((self.result.of,))
        for place in range(self.result.capacity):
            at = c.const(span, place)
            used = c.binary(span, n.BinaryOp.GT, length, at)
            if place >= value.capacity or c.known(used) == 0:
                codes = [c.const(span, part.bounds[0]) for part in parts]
            else:
                given = like(self.result.of, value.item(at), span)
                codes = [
                    c.conditional(span, used, scalar(v, p.kind, span).expr, c.const(span, p.bounds[0]))
                    for v, p in zip(given, parts, strict=True)
                ]
            for k, code in enumerate(codes):
                yield CellUpdate(self.first + 1 + k, (*indices, at), code)


def _places_of(of: Sort, span: Span) -> Iterator[tuple[Static, tuple[n.Expr, ...]]]:
    """The elements that a set or a bag may have, each with the indices of its cell."""
    parts = scalars((of,))
    for each in values_of(of) or ():
        codes = codes_of(of, each)
        yield each, tuple(c.const(span, code - p.bounds[0]) for code, p in zip(codes, parts, strict=True))


def _blank(sort: Sort, span: Span) -> Value:
    """What is behind the end of a sequence."""
    parts = scalars((sort,))
    blanks = (Scalar(c.const(span, part.bounds[0]), part.kind) for part in parts)
    return shaped_value(sort, blanks, span)


def _positive(count: n.Expr, span: Span) -> n.Expr:
    return c.binary(span, n.BinaryOp.GT, count, c.const(span, 0))


def _decoded(cell: n.Expr, sort: ScalarSort, maybe: bool, span: Span) -> Scalar:
    if maybe and isinstance(sort.kind, Numbers):
        missing = c.equal(span, cell, c.const(span, undef_cell(sort)))
        cell = c.conditional(span, missing, c.const(span, UNDEF_NUMBER), cell)
    return Scalar(cell, sort.kind, maybe, sort.codes if sort.codes and len(sort.codes) <= MOST_CODES else None)


def _encoded(value: Scalar, sort: ScalarSort, span: Span) -> n.Expr:
    """What the cell gets. A number just below the others would be taken for `undef`, so it becomes one that is out of
    range in any case."""
    if not isinstance(sort.kind, Numbers) or not value.maybe:
        return value.expr
    missing = c.equal(span, value.expr, c.const(span, UNDEF_NUMBER))
    return c.conditional(span, missing, c.const(span, undef_cell(sort)), value.expr)


def _lacks_a_part(value: Value, span: Span) -> n.Expr:
    """Whether it is `undef`, or a part of it is."""
    if isinstance(value, TupleValue):
        return c.disjunction(span, (_lacks_a_part(part, span) for part in value.parts))
    return c.negation(span, defined(value, span))
