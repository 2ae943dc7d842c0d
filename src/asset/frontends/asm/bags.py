"""Bags that change: each says of the possible elements how often they are there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from asset.frontends.asm import code as c
from asset.frontends.asm.kinds import NUMBERS, Numbers, Static, code_of, kind_over
from asset.frontends.asm.problems import Rejected
from asset.frontends.asm.values import (
    BagValue,
    Scalar,
    SetValue,
    Value,
    boolean,
    contains,
    equal,
    noun,
    of_static,
)
from asset.ir import nodes as n
from asset.span import Span

Possible = Callable[[Value], tuple[Static, ...]]
"""The values that an element may have."""


class BagFunctions:
    """The functions of the standard library on bags that change."""

    def __init__(self, possible: Possible, span: Span) -> None:
        self._possible = possible
        self._span = span
        self._zero, self._one = c.const(span, 0), c.const(span, 1)

    def applied(self, name: str, args: tuple[Value, ...]) -> Value | None:
        """None if there is no such function of bags."""
        of, span = self.as_bag(args[0]), self._span
        match name, args[1:]:
            case (("size" | "card" | "length"), ()):
                return self._number(self._total(of, lambda each: self._one), of.most * len(of.universe))
            case "sum", ():
                kind = kind_over(of.universe)
                if not isinstance(kind, Numbers):
                    return None
                return Scalar(self._total(of, lambda each: c.const(span, code_of(each, kind))), kind)
            case (("isEmpty" | "notEmpty"), ()):
                some = c.disjunction(span, (self._is_in(of, of_static(each, span)) for each in of.universe))
                return boolean(some if name == "notEmpty" else c.negation(span, some))
            case "asSet", ():
                return self.as_set(of)
            case "asBag", ():
                return of
            case "count", (element,):
                return self._number(self._times(of, element), of.most)
            case (("contains" | "includes"), (element,)):
                return boolean(self._is_in(of, element))
            case (("notin" | "excludes"), (element,)):
                return boolean(c.negation(span, self._is_in(of, element)))
            case "including", (element,):
                return self.of_items([(self._one, element)], base=of)
            case "excluding", (element,):
                return self._excluding(of, element)
            case _, (BagValue() | SetValue() as other,) if name in _OF_TWO:
                return self._joined(name, of, self.as_bag(other))
        return None

    def of_items(self, items: Sequence[tuple[n.Expr, Value]], base: BagValue | None = None) -> BagValue:
        """The bag of the items that are there, added to another one."""
        span = self._span
        universe = dict.fromkeys(() if base is None else base.universe)
        universe |= dict.fromkeys(each for _, item in items for each in self._possible(item))

        def count(value: Value) -> n.Expr:
            found = self._zero if base is None else self._times(base, value)
            for there, item in items:
                here = c.conjunction(span, (there, equal(item, value, span)))
                found = c.binary(span, n.BinaryOp.ADD, found, c.conditional(span, here, self._one, self._zero))
            return found

        return BagValue(tuple(universe), count, len(items) + (0 if base is None else base.most))

    def as_bag(self, value: Value) -> BagValue:
        match value:
            case BagValue():
                return value
            case SetValue(universe):
                count = lambda v: c.conditional(self._span, contains(value, v, self._span), self._one, self._zero)  # noqa: E731
                return BagValue(universe, count, 1, value.there)
        raise Rejected(f"a bag is needed here, and this is {noun(value)}", self._span)

    def as_set(self, of: BagValue) -> SetValue:
        return SetValue(of.universe, lambda v: self._is_in(of, v), of.there)

    def _times(self, of: BagValue, element: Value) -> n.Expr:
        """How often the element is there, which need not be one that can be."""
        if not of.universe:
            return self._zero
        certain = set(self._known(element)) <= set(of.universe)
        inside = self._one if certain else contains(SetValue(of.universe), element, self._span)
        return c.conditional(self._span, inside, of.count(element), self._zero)

    def _known(self, element: Value) -> tuple[object, ...]:
        try:
            return self._possible(element)
        except Rejected:
            return (None,)

    def _is_in(self, of: BagValue, element: Value) -> n.Expr:
        return c.binary(self._span, n.BinaryOp.GT, self._times(of, element), self._zero)

    def _number(self, count: n.Expr, most: int) -> Value:
        return Scalar(count, NUMBERS, within=tuple(range(most + 1)))

    def _total(self, of: BagValue, weight: Callable[[Static], n.Expr]) -> n.Expr:
        total = self._zero
        for each in of.universe:
            times = of.count(of_static(each, self._span))
            total = c.binary(
                self._span, n.BinaryOp.ADD, total, c.binary(self._span, n.BinaryOp.MUL, times, weight(each))
            )
        return total

    def _excluding(self, of: BagValue, element: Value) -> BagValue:
        """One of it is taken away, if there is one."""
        span = self._span

        def count(value: Value) -> n.Expr:
            times = of.count(value)
            here = c.conjunction(span, (equal(element, value, span), c.binary(span, n.BinaryOp.GT, times, self._zero)))
            return c.conditional(span, here, c.binary(span, n.BinaryOp.SUB, times, self._one), times)

        return BagValue(of.universe, count, of.most)

    def _joined(self, name: str, left: BagValue, right: BagValue) -> Value:
        if name == "equality":
            return boolean(equal(left, right, self._span))
        op, most = _OF_TWO[name]
        universe = left.universe if name == "intersection" else dict.fromkeys((*left.universe, *right.universe))

        def count(value: Value) -> n.Expr:
            return c.binary(self._span, op, self._times(left, value), self._times(right, value))

        return BagValue(tuple(universe), count, most(left.most, right.most))


_OF_TWO: dict[str, tuple[n.BinaryOp, Callable[[int, int], int]]] = {
    "union": (n.BinaryOp.ADD, lambda a, b: a + b),
    "intersection": (n.BinaryOp.MIN, min),
    "equality": (n.BinaryOp.EQ, max),
}
