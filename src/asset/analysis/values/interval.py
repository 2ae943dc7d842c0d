"""Intervals of integers and what operators make of them, before it is asked whether the results fit 64 bits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from asset.ir.faults import INT_MAX, INT_MIN
from asset.ir.nodes import BinaryOp, UnaryOp
from asset.ir.program import Program


class Interval(NamedTuple):
    """All integers from `lo` to `hi`; never empty."""

    lo: int
    hi: int

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int) and self.lo <= value <= self.hi

    def within(self, lo: int, hi: int) -> bool:
        return lo <= self.lo and self.hi <= hi

    @property
    def fits(self) -> bool:
        """Whether every value fits 64 bits."""
        return self.within(INT_MIN, INT_MAX)

    def hull(self, other: Interval) -> Interval:
        return Interval(min(self.lo, other.lo), max(self.hi, other.hi))

    def meet(self, other: Interval) -> Interval | None:
        lo, hi = max(self.lo, other.lo), min(self.hi, other.hi)
        return Interval(lo, hi) if lo <= hi else None

    def sums(self, most: int) -> Interval:
        """The sums, also the partial ones, of at most so many elements."""
        return Interval(min(0, self.lo * most), max(0, self.hi * most)).clipped()

    def clipped(self) -> Interval:
        """The values that fit 64 bits; all that do if none of these does (the operation faults then)."""
        return self.meet(TOP) or TOP


TOP = Interval(INT_MIN, INT_MAX)
BOOLEAN = Interval(0, 1)
FALSE, TRUE = Interval(0, 0), Interval(1, 1)

# Stands for a bound too far out to be worth computing; it fits no word.
_FAR = 1 << 130
_UNKNOWN = Interval(-_FAR, _FAR)


def hull_of(parts: Sequence[Interval]) -> Interval:
    """All values of the parts; if there is no part, no value is ever seen, and any interval will do."""
    return spanning(bound for part in parts for bound in part) if parts else TOP


def spanning(values: Iterable[int]) -> Interval:
    """The least interval with all the values, of which there is at least one."""
    found = list(values)
    return Interval(min(found), max(found))


def declared_ranges(program: Program) -> tuple[Interval, ...]:
    """For each variable the values of its type."""
    return tuple(Interval(variable.type.lo, variable.type.hi) for variable in program.variables)


def unary(op: UnaryOp, a: Interval) -> Interval:
    match op:
        case UnaryOp.NEGATE:
            return Interval(-a.hi, -a.lo)
        case UnaryOp.INVERT:
            return Interval(~a.hi, ~a.lo)
        case UnaryOp.ABS:
            return Interval(0 if 0 in a else min(abs(a.lo), abs(a.hi)), max(abs(a.lo), abs(a.hi)))
        case UnaryOp.NOT:
            return TRUE if a == FALSE else FALSE if 0 not in a else BOOLEAN


def binary(op: BinaryOp, a: Interval, b: Interval) -> Interval:
    """All results of the operator on values of the intervals, if it has one; they need not fit 64 bits."""
    return _BINARY[op](a, b)


def _mul(a: Interval, b: Interval) -> Interval:
    return spanning(x * y for x in a for y in b)


def _floordiv(a: Interval, b: Interval) -> Interval:
    divisors = [d for d in (b.lo, -1, 1, b.hi) if d and d in b]
    return spanning(x // d for x in a for d in divisors) if divisors else _UNKNOWN


def _mod(a: Interval, b: Interval) -> Interval:
    if b.lo > 0:
        if a.lo >= 0:
            return a if a.hi < b.lo else Interval(0, min(a.hi, b.hi - 1))
        return Interval(0, b.hi - 1)
    return Interval(min(b.lo + 1, 0), max(b.hi - 1, 0))


def _pow(a: Interval, b: Interval) -> Interval:
    lowest, highest = max(b.lo, 0), max(b.hi, 0)
    if a.within(-1, 1):
        return a.hull(TRUE)
    if highest > 64:
        return _UNKNOWN
    if a.lo >= 1:
        return Interval(a.lo**lowest, a.hi**highest)
    bound = max(abs(a.lo), abs(a.hi)) ** highest
    return Interval(0 if a.lo == 0 else -bound, max(bound, 1))


def _lshift(a: Interval, b: Interval) -> Interval:
    shifts = (min(max(b.lo, 0), 64), min(max(b.hi, 0), 64))
    return spanning(x << s for x in a for s in shifts)


def _rshift(a: Interval, b: Interval) -> Interval:
    shifts = (min(max(b.lo, 0), 64), min(max(b.hi, 0), 64))
    return spanning(x >> s for x in a for s in shifts)


def _all_bits(a: Interval, b: Interval) -> Interval:
    """What can be written with as many bits as the widest value, and a sign if one is negative."""
    bits = max((v if v >= 0 else ~v).bit_length() for v in (*a, *b))
    return Interval(0 if a.lo >= 0 and b.lo >= 0 else -(1 << bits), (1 << bits) - 1)


def _and(a: Interval, b: Interval) -> Interval:
    for values, mask in ((a, b), (b, a)):
        if mask.lo == mask.hi >= 0 and mask.lo & (mask.lo + 1) == 0 and values.lo | mask.lo == values.hi | mask.lo:
            return Interval(values.lo & mask.lo, values.hi & mask.lo)  # only the bits below differ
    bounds = [x.hi for x in (a, b) if x.lo >= 0]
    return Interval(0, min(bounds)) if bounds else _all_bits(a, b)


def _or(a: Interval, b: Interval) -> Interval:
    result = _all_bits(a, b)
    return Interval(max(a.lo, b.lo), result.hi) if result.lo == 0 else result


def _decided(yes: bool, no: bool) -> Interval:
    return TRUE if yes else FALSE if no else BOOLEAN


def _eq(a: Interval, b: Interval) -> Interval:
    return _decided(a == b and a.lo == a.hi, a.meet(b) is None)


def _lt(a: Interval, b: Interval) -> Interval:
    return _decided(a.hi < b.lo, a.lo >= b.hi)


def _le(a: Interval, b: Interval) -> Interval:
    return _decided(a.hi <= b.lo, a.lo > b.hi)


_BINARY: dict[BinaryOp, Callable[[Interval, Interval], Interval]] = {
    BinaryOp.ADD: lambda a, b: Interval(a.lo + b.lo, a.hi + b.hi),
    BinaryOp.SUB: lambda a, b: Interval(a.lo - b.hi, a.hi - b.lo),
    BinaryOp.MUL: _mul,
    BinaryOp.FLOORDIV: _floordiv,
    BinaryOp.MOD: _mod,
    BinaryOp.POW: _pow,
    BinaryOp.LSHIFT: _lshift,
    BinaryOp.RSHIFT: _rshift,
    BinaryOp.AND: _and,
    BinaryOp.OR: _or,
    BinaryOp.XOR: _all_bits,
    BinaryOp.EQ: _eq,
    BinaryOp.NE: lambda a, b: unary(UnaryOp.NOT, _eq(a, b)),
    BinaryOp.LT: _lt,
    BinaryOp.LE: _le,
    BinaryOp.GT: lambda a, b: _lt(b, a),
    BinaryOp.GE: lambda a, b: _le(b, a),
    BinaryOp.MIN: lambda a, b: Interval(min(a.lo, b.lo), min(a.hi, b.hi)),
    BinaryOp.MAX: lambda a, b: Interval(max(a.lo, b.lo), max(a.hi, b.hi)),
}


MIRRORED = {
    BinaryOp.EQ: BinaryOp.EQ,
    BinaryOp.NE: BinaryOp.NE,
    BinaryOp.LT: BinaryOp.GT,
    BinaryOp.LE: BinaryOp.GE,
    BinaryOp.GT: BinaryOp.LT,
    BinaryOp.GE: BinaryOp.LE,
}
NEGATED = {
    BinaryOp.EQ: BinaryOp.NE,
    BinaryOp.NE: BinaryOp.EQ,
    BinaryOp.LT: BinaryOp.GE,
    BinaryOp.LE: BinaryOp.GT,
    BinaryOp.GT: BinaryOp.LE,
    BinaryOp.GE: BinaryOp.LT,
}


def narrowed(op: BinaryOp, a: Interval, b: Interval) -> Interval | None:
    """The values of `a` for which the comparison with some value of `b` can be true; None if there are none."""
    match op:
        case BinaryOp.EQ:
            return a.meet(b)
        case BinaryOp.NE:
            return _without(a, b.lo) if b.lo == b.hi else a
        case BinaryOp.LT:
            return a.meet(Interval(min(a.lo, b.hi - 1), b.hi - 1))
        case BinaryOp.LE:
            return a.meet(Interval(min(a.lo, b.hi), b.hi))
        case BinaryOp.GT:
            return a.meet(Interval(b.lo + 1, max(a.hi, b.lo + 1)))
        case BinaryOp.GE:
            return a.meet(Interval(b.lo, max(a.hi, b.lo)))
    raise ValueError(f"{op.value} is no comparison")


def _without(a: Interval, value: int) -> Interval | None:
    """The interval without one of its ends; unchanged if the value is inside or outside."""
    lo, hi = a.lo + (a.lo == value), a.hi - (a.hi == value)
    return Interval(lo, hi) if lo <= hi else None
