"""Truth values that may be `undef`: what operators of logic and comparisons make of them.

`undef` stands for not knowing (Kleene): `undef and false` is false, `undef or true` is true, and all else that depends
on what is `undef` is `undef`, as in the simulator of AsmetaL.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from asset.frontends.asm import code as c
from asset.frontends.asm.kinds import TRUTHS, UNDEF_CODE, UNDEFINED, Static
from asset.frontends.asm.operators import COMPARE, decided
from asset.frontends.asm.values import Scalar, Value, alike, boolean, defined, scalar
from asset.ir import nodes as n
from asset.span import Span


@dataclass(frozen=True, slots=True)
class Judged:
    """When something is true, and when it is false; if `no` is None, it is one of both."""

    yes: n.Expr
    no: n.Expr | None = None

    def false(self, span: Span) -> n.Expr:
        return c.negation(span, self.yes) if self.no is None else self.no


def judged(value: Value, span: Span) -> Judged:
    """A truth value."""
    found = scalar(value, TRUTHS, span)
    if not found.maybe:
        return Judged(found.expr)
    return Judged(*(c.equal(span, found.expr, c.const(span, code)) for code in (1, 0)))


def as_value(found: Judged, span: Span) -> Scalar:
    if found.no is None:
        return boolean(found.yes)
    unknown = c.conditional(span, found.no, c.const(span, 0), c.const(span, UNDEF_CODE))
    return Scalar(c.conditional(span, found.yes, c.const(span, 1), unknown), TRUTHS, True, (0, 1))


def negated(found: Judged, span: Span) -> Judged:
    return Judged(c.negation(span, found.yes)) if found.no is None else Judged(found.no, found.yes)


def compared(op: str, left: Scalar, right: Scalar, span: Span) -> Judged:
    """A comparison of numbers."""
    left, right = alike(left, right, span)
    known = decided(op, left, right)
    less = c.binary(span, COMPARE[op], left.expr, right.expr) if known is None else c.const(span, known)
    if not left.maybe and not right.maybe:
        return Judged(less)
    there = (defined(left, span), defined(right, span))
    return Judged(c.conjunction(span, (*there, less)), c.conjunction(span, (*there, c.negation(span, less))))


def _both(a: Judged, b: Judged, span: Span) -> Judged:
    yes = c.conjunction(span, (a.yes, b.yes))
    if a.no is None and b.no is None:
        return Judged(yes)
    return Judged(yes, c.disjunction(span, (a.false(span), b.false(span))))


def _one(a: Judged, b: Judged, span: Span) -> Judged:
    yes = c.disjunction(span, (a.yes, b.yes))
    if a.no is None and b.no is None:
        return Judged(yes)
    return Judged(yes, c.conjunction(span, (a.false(span), b.false(span))))


def _alike(a: Judged, b: Judged, span: Span) -> Judged:
    if a.no is None and b.no is None:
        return Judged(c.binary(span, n.BinaryOp.EQ, a.yes, b.yes))
    return _one(_both(a, b, span), _both(negated(a, span), negated(b, span), span), span)


LOGIC: Mapping[str, Callable[[Judged, Judged, Span], Judged]] = {
    "and": _both,
    "or": _one,
    "implies": lambda a, b, span: _one(negated(a, span), b, span),
    "iff": _alike,
    "xor": lambda a, b, span: negated(_alike(a, b, span), span),
}


# --- values that are known -------------------------------------------------------------------------------------------


def negation_of(value: Static) -> Static:
    return not value if isinstance(value, bool) else UNDEFINED


def connected(op: str, left: Callable[[], Static], right: Callable[[], Static]) -> Static:
    """An operator of logic between values that are known; the right one is not asked for if the left one decides."""
    first = left()
    if op == "implies":
        first, op = negation_of(first), "or"
    if op in ("and", "or"):
        decides = op == "or"
        if first is decides:
            return decides
        second = right()
        if second is decides:
            return decides
        known = isinstance(first, bool) and isinstance(second, bool)
        return not decides if known else UNDEFINED
    second = right()
    if not isinstance(first, bool) or not isinstance(second, bool):
        return UNDEFINED
    return (first == second) == (op == "iff")
