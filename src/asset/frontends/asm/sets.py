"""Sets that change: each is a universe of possible elements, and a test that says which of them are in the set."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import compress, product
from math import prod

from asset.frontends.asm import code as c
from asset.frontends.asm.folding import Folding
from asset.frontends.asm.kinds import MOST_PACKED, NUMBERS, UNDEF_NUMBER, Listed, Numbers, Static, code_of, kind_over
from asset.frontends.asm.problems import Rejected
from asset.frontends.asm.values import (
    Scalar,
    SequenceValue,
    SetValue,
    TupleValue,
    Value,
    boolean,
    contains,
    equal,
    noun,
    of_static,
    scalar,
    static_of,
)
from asset.ir import nodes as n
from asset.span import Span


def union(a: SetValue, b: SetValue, span: Span) -> SetValue:
    universe = tuple(dict.fromkeys((*a.universe, *b.universe)))
    if a.test is None and b.test is None:
        return SetValue(universe)
    return SetValue(universe, lambda v: c.disjunction(span, (contains(a, v, span), contains(b, v, span))))


def intersection(a: SetValue, b: SetValue, span: Span) -> SetValue:
    return SetValue(a.universe, lambda v: c.conjunction(span, (contains(a, v, span), contains(b, v, span))))


def difference(a: SetValue, b: SetValue, span: Span) -> SetValue:
    if a.test is None and b.test is None:
        return SetValue(tuple(each for each in a.universe if each not in b.universe))
    without = lambda v: c.conjunction(span, (contains(a, v, span), c.negation(span, contains(b, v, span))))  # noqa: E731
    return SetValue(a.universe, without)


def included(a: SetValue, b: SetValue, span: Span) -> n.Expr:
    """Whether every element of the one is in the other."""
    values = [of_static(each, span) for each in a.universe]
    return c.conjunction(
        span, (c.disjunction(span, (c.negation(span, contains(a, v, span)), contains(b, v, span))) for v in values)
    )


class SetFunctions:
    """The functions of the standard library whose first argument is a set that changes."""

    def __init__(self, folding: Folding, span: Span) -> None:
        self._folding = folding
        self._span = span

    def applied(self, name: str, args: tuple[Value, ...]) -> Value | None:
        """None if there is no such function of sets."""
        first = args[0]
        assert isinstance(first, SetValue)
        span = self._span
        match name, args[1:]:
            case (("size" | "card"), ()):
                return Scalar(self._sum(first, lambda v: c.const(span, 1)), NUMBERS, within=_sizes(first))
            case "sum", ():
                kind = kind_over(first.universe) or NUMBERS
                return Scalar(self._sum(first, lambda v: scalar(v, kind, span).expr), kind)
            case (("isEmpty" | "notEmpty"), ()):
                some = self._folding.fold(n.FoldOp.ANY, first, lambda v: c.const(span, 1), span)
                return boolean(some if name == "notEmpty" else c.negation(span, some))
            case (("min" | "max"), ()):
                return self._extremum(name, first)
            case (("contains" | "includes"), (element,)):
                return boolean(contains(first, element, span))
            case (("notin" | "excludes"), (element,)):
                return boolean(c.negation(span, contains(first, element, span)))
            case "including", (element,):
                return self._including(first, element)
            case "excluding", (element,):
                return self._excluding(first, element)
            case _, (SetValue() as other,) if name in _OF_TWO:
                return _OF_TWO[name](first, other, span)
        return None

    def _sum(self, of: SetValue, term: Callable[[Value], n.Expr]) -> n.Expr:
        return self._folding.fold(n.FoldOp.SUM, of, term, self._span)

    def _extremum(self, name: str, of: SetValue) -> Value:
        """The least or greatest number in a set; `undef` of an empty one."""
        kind = kind_over(of.universe)
        if not isinstance(kind, Numbers):
            raise Rejected(f"{name} needs a set of numbers that is not empty", self._span)
        codes = sorted(code_of(each, kind) for each in of.universe)
        found: n.Expr | None = None
        for code in codes if name == "max" else reversed(codes):
            value = Scalar(c.const(self._span, code), kind)
            inside = contains(of, value, self._span)
            missing = c.const(self._span, UNDEF_NUMBER) if found is None else found
            found = c.conditional(self._span, inside, value.expr, missing)
        assert found is not None
        return Scalar(found, kind, True, tuple(codes))

    def _including(self, of: SetValue, element: Value) -> Value:
        span = self._span
        universe = tuple(dict.fromkeys((*of.universe, *self.possible(element))))
        return SetValue(universe, lambda v: c.disjunction(span, (contains(of, v, span), equal(element, v, span))))

    def _excluding(self, of: SetValue, element: Value) -> Value:
        span = self._span
        return SetValue(
            of.universe,
            lambda v: c.conjunction(span, (contains(of, v, span), c.negation(span, equal(element, v, span)))),
        )

    def possible(self, element: Value) -> tuple[Static, ...]:
        """The values that an element may have."""
        known = static_of(element)
        if known is not None:
            return (known,)
        if isinstance(element, Scalar):
            found = self._folding.possible(element)
            if found is not None:
                return found
        match element:
            case TupleValue(parts):
                return tuple(product(*map(self.possible, parts)))
            case SetValue(universe) if 2 ** len(universe) <= MOST_PACKED:
                rows = product((False, True), repeat=len(universe))
                return tuple(frozenset(compress(universe, row)) for row in rows)
            case SequenceValue(item=item, capacity=capacity):
                items = [self.possible(item(c.const(self._span, k))) for k in range(capacity)]
                if prod(len(each) + 1 for each in items) <= MOST_PACKED:
                    lists = (product(*items[:length]) for length in range(capacity + 1))
                    return tuple(Listed(row) for each in lists for row in each)
        raise Rejected(
            f"the elements of this set are not known to be finitely many: one is {noun(element)}",
            self._span,
            "write {$x in D | G}",
        )


def _sizes(of: SetValue) -> tuple[int, ...]:
    return tuple(range(len(of.universe) + 1))


_OF_TWO: Mapping[str, Callable[[SetValue, SetValue, Span], Value]] = {
    "union": union,
    "intersection": intersection,
    "difference": difference,
    "symmetricDifference": lambda a, b, span: union(difference(a, b, span), difference(b, a, span), span),
    "equality": lambda a, b, span: boolean(equal(a, b, span)),
    "allin": lambda a, b, span: boolean(included(b, a, span)),
    "notallin": lambda a, b, span: boolean(c.negation(span, included(b, a, span))),
}
