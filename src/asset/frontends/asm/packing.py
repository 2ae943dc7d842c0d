"""Sets, sequences, bags and maps inside other values: each is stored as a number, its place among all of its sort."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from asset.frontends.asm import code as c
from asset.frontends.asm.kinds import (
    UNDEF_CODE,
    Bagged,
    BagSort,
    Listed,
    Mapped,
    MapSort,
    Packed,
    ScalarSort,
    SequenceSort,
    SetSort,
    Sort,
    Static,
    TupleSort,
    packed,
    scalars_of,
    values_of,
)
from asset.frontends.asm.problems import Rejected
from asset.frontends.asm.values import (
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
    static_of,
)
from asset.ir import nodes as n
from asset.span import Span

Collections = SetSort | SequenceSort | BagSort | MapSort
_COLLECTIONS = (SetSort, SequenceSort, BagSort, MapSort)


def scalars(sorts: tuple[Sort, ...]) -> tuple[ScalarSort, ...]:
    found = scalars_of(TupleSort(sorts))
    assert found is not None
    return found


def like(sort: Sort, value: Value, span: Span) -> tuple[Scalar, ...]:
    """The scalar parts of a value of the sort."""
    match sort, value:
        case _, UndefValue():
            return tuple(scalar(value, part.kind, span) for part in scalars((sort,)))
        case TupleSort(parts), TupleValue(given) if len(parts) == len(given):
            return tuple(each for part, v in zip(parts, given, strict=True) for each in like(part, v, span))
        case ScalarSort(kind), Scalar():
            return (scalar(value, kind, span),)
        case ((SetSort() | SequenceSort() | BagSort() | MapSort()), _):
            return (_packed(sort, value, span),)
    raise Rejected(f"a value of {len(scalars((sort,)))} parts is needed here, and this is {noun(value)}", span)


def shaped(sort: Sort, given: Iterator[Static]) -> Static:
    """The value of the sort that has these scalar parts."""
    if isinstance(sort, TupleSort):
        return tuple(shaped(part, given) for part in sort.parts)
    return next(given)


def shaped_value(sort: Sort, given: Iterator[Scalar], span: Span, there: Iterator[n.Expr] | None = None) -> Value:
    """The value that has these scalar parts; `there` says of each tuple whether it is, else its first part tells."""
    if isinstance(sort, TupleSort):
        here = None if there is None else next(there)
        parts = tuple(shaped_value(part, given, span, there) for part in sort.parts)
        return TupleValue(parts, here, first_tells=there is None and bool(parts))
    found = next(given)
    return _unpacked(sort, found, span) if isinstance(sort, _COLLECTIONS) else found


def _packed(sort: Collections, value: Value, span: Span) -> Scalar:
    whole = packed(sort)
    assert whole is not None and isinstance(whole.kind, Packed)
    known = static_of(value)
    beyond = len(whole.kind.values)
    if known is not None:
        return Scalar(c.const(span, whole.kind.places.get(known, beyond)), whole.kind)
    fits, place = _placed(sort, value, span)
    place = c.conditional(span, fits, place, c.const(span, beyond))
    there = c.known(defined(value, span)) == 1
    if not there:
        place = c.conditional(span, defined(value, span), place, c.const(span, UNDEF_CODE))
    return Scalar(place, whole.kind, not there, whole.codes if c.known(fits) == 1 else None)


def _placed(sort: Sort, value: Value, span: Span) -> tuple[n.Expr, n.Expr]:
    """Whether the value is one of the sort, and its place among all of these."""
    match sort, value:
        case ScalarSort(kind, codes), Scalar() | UndefValue():
            assert codes is not None
            return _place_of_code(scalar(value, kind, span), codes, span)
        case TupleSort(parts), TupleValue(given) if len(parts) == len(given):
            digits = [_placed(part, each, span) for part, each in zip(parts, given, strict=True)]
            return _number(digits, [_count(part) for part in parts], span)
        case SetSort(of), SetValue(universe):
            wrong = (contains(value, each, span) for each in _others(of, universe, span))
            fits = c.negation(span, c.disjunction(span, wrong))
            there = [contains(value, each, span) for each in _members(of, span)]
            bits = [c.conditional(span, each, c.const(span, 1 << k), c.const(span, 0)) for k, each in enumerate(there)]
            return fits, _sum(bits, span)
        case SequenceSort(of), SequenceValue():
            return _place_of_sequence(sort, value, span)
        case BagSort(of, most), BagValue(universe, count):
            wrong = (
                c.binary(span, n.BinaryOp.GT, count(each), c.const(span, 0)) for each in _others(of, universe, span)
            )
            counts = [count(each) for each in _members(of, span)]
            few = [c.binary(span, n.BinaryOp.LE, each, c.const(span, most or 0)) for each in counts]
            fits = c.conjunction(span, (c.negation(span, c.disjunction(span, wrong)), *few))
            one = c.const(span, 1)
            return fits, _number([(one, each) for each in counts], [(most or 0) + 1] * len(counts), span)[1]
        case MapSort(), MapValue() | ChangingMap():
            return _place_of_map(sort, as_changing(value, span), span)
    raise Rejected(f"this is {noun(value)}, and something else is needed", span)


def _place_of_code(value: Scalar, codes: tuple[int, ...], span: Span) -> tuple[n.Expr, n.Expr]:
    certain = not value.maybe and value.codes is not None and set(value.codes) <= set(codes)
    fits = c.const(span, 1) if certain else c.one_of(span, value.expr, codes)
    first = c.binary(span, n.BinaryOp.SUB, value.expr, c.const(span, codes[0]))
    if codes[-1] - codes[0] == len(codes) - 1:
        return fits, first
    places = {code: place for place, code in enumerate(codes)}
    row = tuple(places.get(code, 0) for code in range(codes[0], codes[-1] + 1))
    return fits, n.Table(span, "place", (len(row),), row, (first,))


def _place_of_sequence(sort: SequenceSort, value: SequenceValue, span: Span) -> tuple[n.Expr, n.Expr]:
    base, capacity = _count(sort.of), sort.capacity or 0
    before = [0, *accumulate(base**length for length in range(capacity + 1))]
    fitting, found = c.const(span, 0), c.const(span, 0)
    for length in range(min(capacity, value.capacity) + 1):
        here = c.equal(span, value.length, c.const(span, length))
        digits = [_placed(sort.of, value.item(c.const(span, k)), span) for k in range(length)]
        fits, place = _number(digits, [base] * length, span)
        place = c.binary(span, n.BinaryOp.ADD, place, c.const(span, before[length]))
        fitting, found = c.conditional(span, here, fits, fitting), c.conditional(span, here, place, found)
    return fitting, found


def _place_of_map(sort: MapSort, value: ChangingMap, span: Span) -> tuple[n.Expr, n.Expr]:
    digits, zero = [], c.const(span, 0)
    for key in _members(sort.keys, span):
        entry = value.at(key)
        there = defined(entry, span)
        if c.known(there) == 0:
            digits.append((c.const(span, 1), zero))
            continue
        fits, place = _placed(sort.of, entry, span)
        more = c.binary(span, n.BinaryOp.ADD, place, c.const(span, 1))
        digits.append((c.disjunction(span, (c.negation(span, there), fits)), c.conditional(span, there, more, zero)))
    wrong = (defined(value.at(each), span) for each in _others(sort.keys, value.keys, span))
    fits, place = _number(digits, [_count(sort.of) + 1] * len(digits), span)
    return c.conjunction(span, (fits, c.negation(span, c.disjunction(span, wrong)))), place


def _number(digits: Sequence[tuple[n.Expr, n.Expr]], bases: Sequence[int], span: Span) -> tuple[n.Expr, n.Expr]:
    """Whether all digits fit, and the number that they are, the first one counting most."""
    found = c.const(span, 0)
    for (_, digit), base in zip(digits, bases, strict=True):
        found = c.binary(span, n.BinaryOp.ADD, c.binary(span, n.BinaryOp.MUL, found, c.const(span, base)), digit)
    return c.conjunction(span, (fits for fits, _ in digits)), found


def _sum(parts: Sequence[n.Expr], span: Span) -> n.Expr:
    found = c.const(span, 0)
    for part in parts:
        found = c.binary(span, n.BinaryOp.ADD, found, part)
    return found


def _members(sort: Sort, span: Span) -> list[Value]:
    return [of_static(each, span) for each in values_of(sort) or ()]


def _others(sort: Sort, universe: tuple[Static, ...], span: Span) -> list[Value]:
    """Those of the universe that are not of the sort."""
    every = set(values_of(sort) or ())
    return [of_static(each, span) for each in universe if each not in every]


def _count(sort: Sort) -> int:
    return len(values_of(sort) or ())


# --- back ------------------------------------------------------------------------------------------------------------


def _unpacked(sort: Collections, found: Scalar, span: Span) -> Value:
    """The collection that has the number; `undef`, if that has one."""
    if not found.maybe:
        return _value_at(sort, found.expr, span)
    there = defined(found, span)
    value = _value_at(sort, c.conditional(span, there, found.expr, c.const(span, 0)), span)
    match value:
        case SetValue(test=test) if test is not None:
            return replace(value, test=lambda v: c.conjunction(span, (there, test(v))), there=there)
        case SequenceValue(length=length):
            return replace(value, length=c.conditional(span, there, length, c.const(span, 0)), there=there)
        case BagValue(count=count):
            return replace(value, count=lambda v: c.conditional(span, there, count(v), c.const(span, 0)), there=there)
        case ChangingMap(keys, at):
            return ChangingMap(keys, lambda key: either(there, at(key), UndefValue(), span))
    raise AssertionError(value)


def _value_at(sort: Sort, place: n.Expr, span: Span) -> Value:
    """The value with that place among all of the sort."""
    values = values_of(sort) or ()
    match sort:
        case ScalarSort(kind, codes):
            assert codes is not None
            if codes[-1] - codes[0] == len(codes) - 1:
                return Scalar(c.binary(span, n.BinaryOp.ADD, place, c.const(span, codes[0])), kind, within=codes)
            return Scalar(n.Table(span, "value", (len(codes),), codes, (place,)), kind, within=codes)
        case TupleSort(parts):
            columns = [[_place_in(part, _part(each, k)) for each in values] for k, part in enumerate(parts)]
            tables = [n.Table(span, "part", (len(values),), tuple(column), (place,)) for column in columns]
            return TupleValue(tuple(_value_at(part, t, span) for part, t in zip(parts, tables, strict=True)))
        case SetSort(of):
            inside = _looked_up(of, values, _is_in, place, span)
            return SetValue(values_of(of) or (), inside)
        case BagSort(of, most):
            counted = _looked_up(of, values, _times, place, span)
            return BagValue(values_of(of) or (), counted, most or 0)
        case SequenceSort():
            return _sequence_at(sort, values, place, span)
        case MapSort(keys, of):
            entry = _looked_up(keys, values, lambda each, key: _entry(of, each, key), place, span)
            return ChangingMap(values_of(keys) or (), lambda key: _entry_at(of, entry(key), span))
    raise AssertionError(sort)


def _looked_up(
    members: Sort, values: tuple[Static, ...], cell: Callable[[Static, Static], int], place: n.Expr, span: Span
) -> Callable[[Value], n.Expr]:
    """What a table of all values and their possible members has for a member; 0 for what is no member."""
    every = values_of(members) or ()
    cells = tuple(cell(each, member) for each in values for member in every)

    def at(member: Value) -> n.Expr:
        fits, column = _placed(members, member, span)
        found = n.Table(span, "member", (len(values), len(every)), cells, (place, column))
        return c.conditional(span, fits, found, c.const(span, 0)) if every else c.const(span, 0)

    return at


def _sequence_at(sort: SequenceSort, values: tuple[Static, ...], place: n.Expr, span: Span) -> SequenceValue:
    capacity, rows = sort.capacity or 0, [_listed(each).items for each in values]
    lengths = n.Table(span, "length", (len(rows),), tuple(map(len, rows)), (place,))
    cells = tuple(_place_in(sort.of, row[k]) if k < len(row) else 0 for row in rows for k in range(capacity))

    def item(at: n.Expr) -> Value:
        known = c.known(at)
        inside = at if known is None or known in range(capacity) else c.const(span, 0)
        found = n.Table(span, "item", (len(rows), capacity), cells, (place, inside))
        return _value_at(sort.of, found, span) if capacity else UndefValue()

    return SequenceValue(lengths, item, capacity)


def _entry(of: Sort, each: Static, key: Static) -> int:
    """0 if the map has nothing for the key, else one more than the place of what it has."""
    assert isinstance(each, Mapped)
    found = dict(each.pairs)
    return _place_in(of, found[key]) + 1 if key in found else 0


def _entry_at(of: Sort, entry: n.Expr, span: Span) -> Value:
    there = c.binary(span, n.BinaryOp.GT, entry, c.const(span, 0))
    place = c.conditional(span, there, c.binary(span, n.BinaryOp.SUB, entry, c.const(span, 1)), c.const(span, 0))
    return either(there, _value_at(of, place, span), UndefValue(), span)


def _place_in(sort: Sort, value: Static) -> int:
    return (values_of(sort) or ()).index(value)


def _part(value: Static, k: int) -> Static:
    assert isinstance(value, tuple)
    return value[k]


def _is_in(collection: Static, element: Static) -> int:
    assert isinstance(collection, frozenset)
    return int(element in collection)


def _times(bag: Static, element: Static) -> int:
    assert isinstance(bag, Bagged)
    return dict(bag.counts).get(element, 0)


def _listed(value: Static) -> Listed:
    assert isinstance(value, Listed)
    return value
