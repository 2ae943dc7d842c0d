"""What a term denotes while it is lowered: a number, or something made of numbers that only exists while reading."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import TypeAlias

from asset.frontends.asm import code as c
from asset.frontends.asm.kinds import (
    MOST_NUMBER,
    NUMBERS,
    TRUTHS,
    UNDEF_NUMBER,
    UNDEFINED,
    Bagged,
    Element,
    Elements,
    Kind,
    Listed,
    Mapped,
    Numbers,
    Static,
    Truths,
    Undefined,
    code_of,
    kind_over,
    numbers,
    order,
    undef_of,
    value_of,
)
from asset.frontends.asm.problems import Rejected
from asset.ir import nodes as n
from asset.span import Span

MOST_CODES = 4096


@dataclass(frozen=True, slots=True)
class Scalar:
    """The code of a value of the kind; `maybe` if it may be that of `undef`."""

    expr: n.Expr
    kind: Kind
    maybe: bool = False
    within: tuple[int, ...] | None = None
    """The codes that it may have besides that of `undef`, in increasing order; None if that is not known."""

    @property
    def codes(self) -> tuple[int, ...] | None:
        """`within`, or the only code if it is known."""
        return (self.expr.value,) if isinstance(self.expr, n.Const) and not self.maybe else self.within


@dataclass(frozen=True, slots=True)
class TupleValue:
    """If it is `undef`, all its parts are."""

    parts: tuple[Value, ...]
    there: n.Expr | None = None
    """Whether it is not `undef`; None if it certainly is not, or if the first part tells."""
    first_tells: bool = False
    """Whether it is `undef` if and only if its first part is."""


@dataclass(frozen=True, slots=True)
class SetValue:
    """Those of the `universe` that the test holds of; all of them if there is no test."""

    universe: tuple[Static, ...]
    test: Callable[[Value], n.Expr] | None = None
    there: n.Expr | None = None
    """Whether it is not `undef`; None if it certainly is not. What is `undef` has no elements."""


@dataclass(frozen=True, slots=True)
class SequenceValue:
    """Its length, at most `capacity`, and the item at a position."""

    length: n.Expr
    item: Callable[[n.Expr], Value]
    capacity: int
    there: n.Expr | None = None
    """Whether it is not `undef`; None if it certainly is not. What is `undef` has no items."""


@dataclass(frozen=True, slots=True)
class BagValue:
    """How often each element of the `universe` is there, at most `most` times; nothing else is."""

    universe: tuple[Static, ...]
    count: Callable[[Value], n.Expr]
    most: int
    there: n.Expr | None = None
    """Whether it is not `undef`; None if it certainly is not. What is `undef` has no elements."""
    known: Bagged | None = None


@dataclass(frozen=True, slots=True)
class MapValue:
    """A function that is known."""

    pairs: tuple[tuple[Static, Static], ...]


@dataclass(frozen=True, slots=True)
class ChangingMap:
    """A map that depends on the state: what it gives for a key, which is among these or has no value."""

    keys: tuple[Static, ...]
    at: Callable[[Value], Value]


@dataclass(frozen=True, slots=True)
class UndefValue:
    """`undef`, of whatever kind."""


Value: TypeAlias = Scalar | TupleValue | SetValue | SequenceValue | BagValue | MapValue | ChangingMap | UndefValue


def of_static(value: Static, span: Span) -> Value:
    """A value that is known."""
    match value:
        case Undefined():
            return UndefValue()
        case bool():
            return Scalar(c.const(span, value), TRUTHS)
        case int():
            return Scalar(c.const(span, value), NUMBERS)
        case Fraction():
            return Scalar(c.const(span, value.numerator), numbers(value.denominator))
        case Element(kind, code):
            return Scalar(c.const(span, code), kind)
        case tuple():
            return TupleValue(tuple(of_static(part, span) for part in value))
        case frozenset():
            return SetValue(tuple(sorted(value, key=order)))
        case Listed(items):
            found = tuple(of_static(item, span) for item in items)
            return SequenceValue(c.const(span, len(items)), lambda at: chosen(found, at, span), len(items))
        case Bagged():
            return _bag_of(value, span)
        case Mapped(pairs):
            return MapValue(pairs)


def _bag_of(value: Bagged, span: Span) -> BagValue:
    pairs = value.in_order()

    def count(element: Value) -> n.Expr:
        found = c.const(span, 0)
        for each, times in pairs:
            here = equal(of_static(each, span), element, span)
            found = c.conditional(span, here, c.const(span, times), found)
        return found

    universe = tuple(each for each, _ in pairs)
    return BagValue(universe, count, max((times for _, times in pairs), default=0), known=value)


def chosen(items: tuple[Value, ...], at: n.Expr, span: Span) -> Value:
    """The item at a position; `undef` if there is none."""
    position = c.known(at)
    if position is not None:
        return items[position] if 0 <= position < len(items) else UndefValue()
    found: Value = UndefValue()
    for number, item in reversed(list(enumerate(items))):
        found = either(c.equal(span, at, c.const(span, number)), item, found, span)
    return found


def static_of(value: Value) -> Static | None:
    """The value, if it is known."""
    match value:
        case Scalar(n.Const(value=code), kind):
            return value_of(kind, code)
        case TupleValue(parts):
            there, found = c.known(defined(value, _NO_SPAN)), [static_of(part) for part in parts]
            if there == 0:
                return UNDEFINED
            return None if there is None or None in found else tuple(each for each in found if each is not None)
        case SetValue(universe, None, None):
            return frozenset(universe)
        case MapValue(pairs):
            return Mapped(pairs)
        case BagValue(known=known):
            return known
        case SequenceValue(length=n.Const(value=length), item=item, there=None):
            items = [static_of(item(n.Const(_NO_SPAN, k))) for k in range(length)]
            return None if any(each is None for each in items) else Listed(tuple(e for e in items if e is not None))
        case UndefValue():
            return UNDEFINED
    return None


_NO_SPAN = Span("<asset>", 0)


def noun(value: Value) -> str:
    """What it is, for messages."""
    match value:
        case Scalar(kind=Elements() as kind):
            return f"an element of {kind.name}"
        case Scalar(kind=kind):
            return "a truth value" if kind is TRUTHS else "a number"
        case TupleValue(parts):
            return f"a tuple of {len(parts)}"
        case SetValue():
            return "a set"
        case SequenceValue():
            return "a sequence"
        case BagValue():
            return "a bag"
        case MapValue() | ChangingMap():
            return "a map"
        case UndefValue():
            return "undef"


def scalar(value: Value, kind: Kind, span: Span) -> Scalar:
    """The value as one of the kind."""
    if isinstance(value, UndefValue):
        return Scalar(c.const(span, undef_of(kind)), kind, maybe=True)
    if isinstance(value, Scalar) and isinstance(value.kind, Numbers) and isinstance(kind, Numbers):
        return counted_in(value, kind.per, span)
    if not isinstance(value, Scalar) or value.kind is not kind:
        wanted = noun(Scalar(c.const(span, 0), kind))
        raise Rejected(f"{wanted} is needed here, and this is {noun(value)}", span, _remedy(kind))
    return value


def _remedy(kind: Kind) -> str:
    """What to write where a value of the kind is needed."""
    match kind:
        case Truths():
            return "compare it with something, as t = 1"
        case Numbers():
            return "write a number, or a function whose domain has numbers"
    return f"write an element of {kind.name}"


NOWHERE = UNDEF_NUMBER - 1
"""In the place of a number that cannot be counted in some parts of one: it is out of any range."""


def counted_in(value: Scalar, per: int, span: Span) -> Scalar:
    """The number, counted in so many parts of one; `NOWHERE` if that is not possible."""
    assert isinstance(value.kind, Numbers)
    if value.kind.per == per:
        return value
    common = lcm(value.kind.per, per)
    times, parts = common // value.kind.per, common // per
    codes = value.within and tuple(sorted({_recounted(code, times, parts) for code in value.within}))
    if any(abs(code) > MOST_NUMBER and code != NOWHERE for code in codes or ()):
        raise Rejected(f"numbers that need more than {MOST_NUMBER:,} parts are not part of what is read", span)
    expr = c.binary(span, n.BinaryOp.MUL, value.expr, c.const(span, times)) if times > 1 else value.expr
    if c.known(value.expr) == UNDEF_NUMBER:
        return Scalar(value.expr, numbers(per), value.maybe, codes)
    if parts > 1:
        whole = c.binary(span, n.BinaryOp.FLOORDIV, expr, c.const(span, parts))
        if codes is None or NOWHERE in codes:
            rest = c.binary(span, n.BinaryOp.MOD, expr, c.const(span, parts))
            fits = c.equal(span, rest, c.const(span, 0))
            whole = c.conditional(span, fits, whole, c.const(span, NOWHERE))
        expr = whole
    if value.maybe:
        if codes is None:  # another number must not become the one that stands for undef
            same = c.equal(span, expr, c.const(span, UNDEF_NUMBER))
            expr = c.conditional(span, same, c.const(span, NOWHERE), expr)
        expr = c.conditional(span, defined(value, span), expr, c.const(span, UNDEF_NUMBER))
    return Scalar(expr, numbers(per), value.maybe, codes)


def _recounted(code: int, times: int, parts: int) -> int:
    return code * times // parts if code * times % parts == 0 else NOWHERE


def number(value: Value, span: Span) -> Scalar:
    """A number, counted in whatever parts of one."""
    if isinstance(value, Scalar) and isinstance(value.kind, Numbers):
        return value
    return scalar(value, NUMBERS, span)


def alike(left: Scalar, right: Scalar, span: Span) -> tuple[Scalar, Scalar]:
    """Two numbers, counted in the same parts of one."""
    if left.kind is right.kind or not isinstance(left.kind, Numbers) or not isinstance(right.kind, Numbers):
        return left, right
    per = common_parts((left.kind.per, right.kind.per), span)
    return counted_in(left, per, span), counted_in(right, per, span)


def common_parts(parts: Iterable[int], span: Span) -> int:
    """So many parts of one all of these numbers can be counted in. Raises Rejected if they are too small."""
    per = lcm(*parts)
    if per > MOST_NUMBER:
        raise Rejected(f"fractions with a denominator beyond {MOST_NUMBER:,} are not part of what is read", span)
    return per


def truth(value: Value, span: Span) -> n.Expr:
    """Whether it is true; `undef` is not."""
    found = scalar(value, TRUTHS, span)
    return c.equal(span, found.expr, c.const(span, 1)) if found.maybe else found.expr


def boolean(e: n.Expr) -> Scalar:
    return Scalar(e, TRUTHS)


def defined(value: Value, span: Span) -> n.Expr:
    """Whether it is not `undef`."""
    match value:
        case UndefValue():
            return c.const(span, 0)
        case Scalar(expr, kind, maybe=True):
            return c.binary(span, n.BinaryOp.NE, expr, c.const(span, undef_of(kind)))
        case TupleValue((first, *_), first_tells=True):
            return defined(first, span)
        case (
            TupleValue(there=n.Node() as there)
            | SetValue(there=n.Node() as there)
            | SequenceValue(there=n.Node() as there)
            | BagValue(there=n.Node() as there)
        ):
            return there
    return c.const(span, 1)


def equal(left: Value, right: Value, span: Span) -> n.Expr:
    """Whether the values are the same."""
    match left, right:
        case (UndefValue(), other) | (other, UndefValue()):
            return c.negation(span, defined(other, span))
        case Scalar(a, kind), Scalar(b, other_kind) if kind is other_kind:
            return c.equal(span, a, b)
        case Scalar(kind=Numbers()), Scalar(kind=Numbers()):
            return equal(*alike(left, right, span), span)
        case TupleValue(parts), TupleValue(others) if len(parts) == len(others):
            pairs = (equal(a, b, span) for a, b in zip(parts, others, strict=True))
            return c.conjunction(span, (_equally_there(left, right, span), *pairs))
        case SetValue(), SetValue():
            return _equal_sets(left, right, span)
        case BagValue(), BagValue():
            return _equal_bags(left, right, span)
        case (MapValue() | ChangingMap(), MapValue() | ChangingMap()):
            return _equal_maps(as_changing(left, span), as_changing(right, span), span)
        case SequenceValue(length, item, capacity), SequenceValue(other_length, other, other_capacity):
            most = min(capacity, other_capacity)
            places = [c.const(span, k) for k in range(most)]
            items = (
                c.disjunction(span, (c.binary(span, n.BinaryOp.LE, length, at), equal(item(at), other(at), span)))
                for at in places
            )
            both = c.equal(span, defined(left, span), defined(right, span))
            return c.conjunction(span, (both, c.equal(span, length, other_length), *items))
    raise Rejected(f"{noun(left)} and {noun(right)} cannot be compared", span, "compare values of one domain")


def _equally_there(left: Value, right: Value, span: Span) -> n.Expr:
    """Whether both tuples are `undef` or none is, if that does not follow from their parts."""
    if tells_by_first(left, span) and tells_by_first(right, span):
        return c.const(span, 1)
    return c.equal(span, defined(left, span), defined(right, span))


def tells_by_first(value: Value, span: Span) -> bool:
    """Whether the tuple is `undef` if and only if its first part is."""
    match value:
        case TupleValue((first, *_), None, first_tells):
            return first_tells or c.known(defined(first, span)) == 1
    return isinstance(value, UndefValue)


def with_parts(value: TupleValue, kept: Callable[[Value], Value]) -> TupleValue:
    """The tuple of what is kept of its parts; whether it is there is kept in the same way."""
    there = None if value.there is None else kept(boolean(value.there))
    assert there is None or isinstance(there, Scalar)
    return replace(value, parts=tuple(map(kept, value.parts)), there=None if there is None else there.expr)


def as_changing(value: Value, span: Span) -> ChangingMap:
    """A map in the form that all maps have."""
    match value:
        case ChangingMap():
            return value
        case MapValue(pairs):
            return ChangingMap(tuple(key for key, _ in pairs), lambda key: _found(pairs, key, span))
    raise Rejected(f"a map is needed here, and this is {noun(value)}", span)


def _found(pairs: tuple[tuple[Static, Static], ...], key: Value, span: Span) -> Value:
    found: Value = UndefValue()
    for known, value in reversed(pairs):
        found = either(equal(of_static(known, span), key, span), of_static(value, span), found, span)
    return found


def _equal_maps(left: ChangingMap, right: ChangingMap, span: Span) -> n.Expr:
    keys = [of_static(key, span) for key in dict.fromkeys((*left.keys, *right.keys))]
    return c.conjunction(span, (equal(left.at(key), right.at(key), span) for key in keys))


def _equal_bags(left: BagValue, right: BagValue, span: Span) -> n.Expr:
    values = [of_static(each, span) for each in dict.fromkeys((*left.universe, *right.universe))]
    both = c.equal(span, defined(left, span), defined(right, span))
    return c.conjunction(span, (both, *(c.equal(span, left.count(v), right.count(v)) for v in values)))


def _equal_sets(left: SetValue, right: SetValue, span: Span) -> n.Expr:
    universe = dict.fromkeys((*left.universe, *right.universe))
    values = [of_static(each, span) for each in universe]
    both = c.equal(span, defined(left, span), defined(right, span))
    alike = (c.equal(span, contains(left, v, span), contains(right, v, span)) for v in values)
    return c.conjunction(span, (both, *alike))


def contains(collection: SetValue, value: Value, span: Span) -> n.Expr:
    """Whether the value is in the set."""
    known = None if isinstance(value, Scalar | UndefValue) else static_of(value)
    if known is not None and collection.universe and type(known) is type(collection.universe[0]):
        if known not in collection.universe:
            return c.const(span, 0)
        return c.const(span, 1) if collection.test is None else collection.test(value)
    inside = c.disjunction(span, (equal(of_static(each, span), value, span) for each in collection.universe))
    if isinstance(value, Scalar) and collection.universe:
        kind = kind_over(collection.universe)
        if kind is not None:
            one, _ = alike(value, Scalar(value.expr, kind), span)
            codes = sorted(code_of(each, one.kind) for each in collection.universe)
            inside = c.one_of(span, one.expr, codes)
    if collection.test is None:
        return inside
    return c.conjunction(span, (inside, collection.test(value)))


def either(test: n.Expr, then: Value, orelse: Value, span: Span) -> Value:
    """The one value or the other."""
    if isinstance(test, n.Const):
        return then if test.value else orelse
    match then, orelse:
        case UndefValue(), UndefValue():
            return then
        case Scalar(kind=Numbers()), Scalar(kind=Numbers()) if then.kind is not orelse.kind:
            return either(test, *alike(then, orelse, span), span)
        case (Scalar(kind=kind), _) | (_, Scalar(kind=kind)):
            a, b = scalar(then, kind, span), scalar(orelse, kind, span)
            return Scalar(c.conditional(span, test, a.expr, b.expr), kind, a.maybe or b.maybe, _joined(then, orelse))
        case (TupleValue(parts), _) | (_, TupleValue(parts)):
            return _either_tuple(test, then, orelse, len(parts), span)
        case (SetValue() | UndefValue(), SetValue() | UndefValue()):
            return _either_set(test, _as_set(then, span), _as_set(orelse, span), span)
        case (MapValue() | ChangingMap() | UndefValue(), MapValue() | ChangingMap() | UndefValue()):
            one, other = (as_changing(MapValue(()) if isinstance(v, UndefValue) else v, span) for v in (then, orelse))
            keys = tuple(dict.fromkeys((*one.keys, *other.keys)))
            return ChangingMap(keys, lambda key: either(test, one.at(key), other.at(key), span))
        case (BagValue() | UndefValue(), BagValue() | UndefValue()):
            return _either_bag(test, _as_bag(then, span), _as_bag(orelse, span), span)
        case (SequenceValue() | UndefValue(), SequenceValue() | UndefValue()):
            return _either_sequence(test, _as_sequence(then, span), _as_sequence(orelse, span), span)
    raise Rejected(f"one of these is {noun(then)}, the other {noun(orelse)}", span)


def _either_tuple(test: n.Expr, then: Value, orelse: Value, count: int, span: Span) -> TupleValue:
    pairs = zip(_parts(then, count, span), _parts(orelse, count, span), strict=True)
    parts, there = tuple(either(test, a, b, span) for a, b in pairs), _either_there(test, then, orelse, span)
    if there is not None and tells_by_first(then, span) and tells_by_first(orelse, span):
        return TupleValue(parts, first_tells=True)
    return TupleValue(parts, there)


def _as_set(value: SetValue | UndefValue, span: Span) -> SetValue:
    return value if isinstance(value, SetValue) else SetValue((), None, c.const(span, 0))


def _either_set(test: n.Expr, then: SetValue, orelse: SetValue, span: Span) -> SetValue:
    universe = tuple(dict.fromkeys((*then.universe, *orelse.universe)))
    return SetValue(
        universe,
        lambda v: c.conditional(span, test, contains(then, v, span), contains(orelse, v, span)),
        _either_there(test, then, orelse, span),
    )


def _as_bag(value: BagValue | UndefValue, span: Span) -> BagValue:
    zero = c.const(span, 0)
    return value if isinstance(value, BagValue) else BagValue((), lambda v: zero, 0, zero)


def _either_bag(test: n.Expr, then: BagValue, orelse: BagValue, span: Span) -> BagValue:
    return BagValue(
        tuple(dict.fromkeys((*then.universe, *orelse.universe))),
        lambda v: c.conditional(span, test, then.count(v), orelse.count(v)),
        max(then.most, orelse.most),
        _either_there(test, then, orelse, span),
    )


def _as_sequence(value: SequenceValue | UndefValue, span: Span) -> SequenceValue:
    zero = c.const(span, 0)
    return value if isinstance(value, SequenceValue) else SequenceValue(zero, lambda at: UndefValue(), 0, zero)


def _either_sequence(test: n.Expr, then: SequenceValue, orelse: SequenceValue, span: Span) -> SequenceValue:
    return SequenceValue(
        c.conditional(span, test, then.length, orelse.length),
        lambda at: either(test, then.item(at), orelse.item(at), span),
        max(then.capacity, orelse.capacity),
        _either_there(test, then, orelse, span),
    )


def _either_there(test: n.Expr, then: Value, orelse: Value, span: Span) -> n.Expr | None:
    there = c.conditional(span, test, defined(then, span), defined(orelse, span))
    return None if c.known(there) == 1 else there


def _joined(then: Value, orelse: Value) -> tuple[int, ...] | None:
    """The codes that one or the other may have."""
    found: set[int] = set()
    for each in (then, orelse):
        codes = each.codes if isinstance(each, Scalar) else ()
        if codes is None:
            return None
        found.update(codes)
    return tuple(sorted(found)) if len(found) <= MOST_CODES else None


def computed(compute: Callable[[int, int], int], left: Scalar, right: Scalar) -> tuple[int, ...] | None:
    """The codes that the result of an operator may have."""
    a, b = left.codes, right.codes
    if a is None or b is None or len(a) * len(b) > MOST_CODES:
        return None
    try:
        return tuple(sorted({compute(x, y) for x in a for y in b}))
    except (ArithmeticError, ValueError):
        return None


def _parts(value: Value, count: int, span: Span) -> tuple[Value, ...]:
    if isinstance(value, UndefValue):
        return (value,) * count
    if isinstance(value, TupleValue) and len(value.parts) == count:
        return value.parts
    raise Rejected(f"a tuple of {count} is needed here, and this is {noun(value)}", span)


def flat(value: Value, span: Span) -> tuple[Scalar, ...]:
    """The scalar parts of a value."""
    match value:
        case Scalar():
            return (value,)
        case TupleValue(parts):
            return tuple(scalar for part in parts for scalar in flat(part, span))
    raise Rejected(f"a number, an element or a tuple is needed here, and this is {noun(value)}", span)
