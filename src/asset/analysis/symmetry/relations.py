"""Comparisons of numbers, and the least or largest of elements that are there in some states only."""

from __future__ import annotations

from collections.abc import Sequence

from asset.analysis.symmetry.terms import Beyond, Term, Terms
from asset.analysis.values import interval as i
from asset.ir import nodes as n

MOST_VALUES = 64


def compared(t: Terms, op: n.BinaryOp, a: Term, b: Term) -> Term:
    """The condition that the comparison is."""
    match op:
        case n.BinaryOp.EQ:
            return t.zero(t.minus(a, b))
        case n.BinaryOp.NE:
            return t.truth(t.minus(a, b))
        case n.BinaryOp.LT:
            return t.positive(t.minus(b, a))
        case n.BinaryOp.GT:
            return t.positive(t.minus(a, b))
        case n.BinaryOp.LE:
            return t.negation(t.positive(t.minus(a, b)))
        case _:
            return t.negation(t.positive(t.minus(b, a)))


def extremum(t: Terms, elements: Sequence[tuple[Term, Term]], least: bool) -> tuple[list[tuple[Term, Term]], Term]:
    """Conditions and numbers, and the condition that there is no element. It is a value if an element has that value
    and none has a better one: in whatever order they are looked at. The elements are conditions and numbers."""
    within = i.spanning(bound for _, x in elements for bound in t.interval(x))
    if within.hi - within.lo >= MOST_VALUES:
        raise Beyond
    values = range(within.lo, within.hi + 1)
    cases, none = list[tuple[Term, Term]](), t.true
    for value in values if least else reversed(values):
        here = t.either(*(t.both(c, t.zero(t.minus(x, t.constant(value)))) for c, x in elements))
        cases.append((t.both(none, here), t.constant(value)))
        none = t.both(none, t.negation(here))
    return cases, none
