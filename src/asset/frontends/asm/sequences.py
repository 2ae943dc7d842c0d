"""Sequences that change: each is a length and a function from positions, which begin with 0, to items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from asset.frontends.asm import code as c
from asset.frontends.asm.kinds import NUMBERS
from asset.frontends.asm.problems import Rejected
from asset.frontends.asm.values import (
    Scalar,
    SequenceValue,
    SetValue,
    UndefValue,
    Value,
    boolean,
    either,
    equal,
    noun,
    scalar,
)
from asset.ir import nodes as n
from asset.span import Span


class SequenceFunctions:
    """The functions of the standard library on sequences that change."""

    def __init__(self, span: Span) -> None:
        self._span = span
        self._zero, self._one = c.const(span, 0), c.const(span, 1)

    def applied(self, name: str, args: tuple[Value, ...]) -> Value | None:
        """None if there is no such function of sequences."""
        if name == "prepend" and len(args) == 2:
            return self._inserted(_sequence(args[1], self._span), self._zero, args[0])
        of, span = _sequence(args[0], self._span), self._span
        match name, args[1:]:
            case (("length" | "size" | "card"), ()):
                return Scalar(of.length, NUMBERS, within=tuple(range(of.capacity + 1)))
            case (("isEmpty" | "notEmpty"), ()):
                empty = c.equal(span, of.length, self._zero)
                return boolean(empty if name == "isEmpty" else c.negation(span, empty))
            case "first", ():
                return self._item(of, self._zero)
            case "last", ():
                return self._item(of, self._less(of.length, self._one))
            case "tail", ():
                return UndefValue() if of.capacity == 0 else self._tail(of)
            case "contains" | "includes", (element,):
                return boolean(c.disjunction(span, self._places(of, element)))
            case "at", (position,):
                return self._item(of, self._number(position))
            case "excluding", (element,):
                return self._without(of, element)
            case "append", (element,):
                return self._inserted(of, of.length, element)
            case "indexOf", (element,):
                return self._position(of, element)
            case "count", (element,):
                return self._count(of, element)
            case (("union" | "concat"), (SequenceValue() as other,)):
                return self._joined(of, other)
            case "subSequence", (begin, end):
                return self._part(of, self._number(begin), self._number(end))
            case "insertAt", (position, element):
                at = self._number(position)
                return self._if(self._ordered(self._zero, at, of.length), self._inserted(of, at, element))
            case "replaceAt", (position, element):
                at = self._number(position)
                item = lambda k: either(c.equal(span, k, at), element, of.item(k), span)  # noqa: E731
                last = self._less(of.length, self._one)
                return self._if(self._ordered(self._zero, at, last), SequenceValue(of.length, item, of.capacity))
        return None

    def _number(self, value: Value) -> n.Expr:
        return scalar(value, NUMBERS, self._span).expr

    def _less(self, a: n.Expr, b: n.Expr) -> n.Expr:
        return c.binary(self._span, n.BinaryOp.SUB, a, b)

    def _item(self, of: SequenceValue, at: n.Expr) -> Value:
        """The item there, `undef` if there is none."""
        if of.capacity == 0:
            return UndefValue()
        low = c.binary(self._span, n.BinaryOp.GE, at, self._zero)
        there = c.conjunction(self._span, (low, c.binary(self._span, n.BinaryOp.LT, at, of.length)))
        return either(there, of.item(at), UndefValue(), self._span)

    def _places(self, of: SequenceValue, element: Value) -> list[n.Expr]:
        """Of each position, whether the element is there."""
        span, places = self._span, [c.const(self._span, k) for k in range(of.capacity)]
        return [
            c.conjunction(span, (c.binary(span, n.BinaryOp.GT, of.length, at), equal(of.item(at), element, span)))
            for at in places
        ]

    def _position(self, of: SequenceValue, element: Value) -> Value:
        """The first position of the element, -1 if it has none."""
        found = c.const(self._span, -1)
        for at, there in reversed(list(enumerate(self._places(of, element)))):
            found = c.conditional(self._span, there, c.const(self._span, at), found)
        return Scalar(found, NUMBERS, within=tuple(range(-1, of.capacity)))

    def _count(self, of: SequenceValue, element: Value) -> Value:
        total = self._zero
        for there in self._places(of, element):
            one = c.conditional(self._span, there, self._one, self._zero)
            total = c.binary(self._span, n.BinaryOp.ADD, total, one)
        return Scalar(total, NUMBERS, within=tuple(range(of.capacity + 1)))

    def _inserted(self, of: SequenceValue, at: n.Expr, element: Value) -> SequenceValue:
        """The sequence with one more item."""
        span = self._span

        def item(k: n.Expr) -> Value:
            if at is of.length:
                return either(c.equal(span, k, at), element, of.item(k), span)
            before = c.binary(span, n.BinaryOp.LT, k, at)
            behind = either(before, of.item(k), of.item(self._less(k, self._one)), span)
            return either(c.equal(span, k, at), element, behind, span)

        return SequenceValue(c.binary(span, n.BinaryOp.ADD, of.length, self._one), item, of.capacity + 1)

    def _without(self, of: SequenceValue, element: Value) -> SequenceValue:
        """The sequence without the first of the items that are the element."""
        span, at = self._span, scalar(self._position(of, element), NUMBERS, self._span).expr
        there = c.binary(span, n.BinaryOp.GE, at, self._zero)

        def item(k: n.Expr) -> Value:
            later = c.conjunction(span, (there, c.binary(span, n.BinaryOp.GE, k, at)))
            return either(later, of.item(c.binary(span, n.BinaryOp.ADD, k, self._one)), of.item(k), span)

        length = c.conditional(span, there, self._less(of.length, self._one), of.length)
        return SequenceValue(length, item, of.capacity)

    def _joined(self, first: SequenceValue, second: SequenceValue) -> SequenceValue:
        span = self._span

        def item(k: n.Expr) -> Value:
            inside = c.binary(span, n.BinaryOp.LT, k, first.length)
            return either(inside, first.item(k), second.item(self._less(k, first.length)), span)

        length = c.binary(span, n.BinaryOp.ADD, first.length, second.length)
        return SequenceValue(length, item, first.capacity + second.capacity)

    def _part(self, of: SequenceValue, begin: n.Expr, end: n.Expr) -> SequenceValue:
        """From `begin` on, and before `end`; `undef` if there is no such part."""
        span = self._span
        part = SequenceValue(
            self._less(end, begin), lambda k: of.item(c.binary(span, n.BinaryOp.ADD, k, begin)), of.capacity
        )
        return self._if(self._ordered(self._zero, begin, end, of.length), part)

    def _tail(self, of: SequenceValue) -> SequenceValue:
        """It can be one item shorter, so a function that calls itself with it comes to an end."""
        found, capacity = self._part(of, self._one, of.length), of.capacity - 1
        return replace(found, capacity=capacity, length=found.length if capacity else self._zero)

    def _ordered(self, *numbers: n.Expr) -> n.Expr:
        """Whether none is larger than the next."""
        pairs = [pair for pair in pairwise(numbers) if pair[0] is not pair[1]]
        return c.conjunction(self._span, (c.binary(self._span, n.BinaryOp.LE, a, b) for a, b in pairs))

    def _if(self, there: n.Expr, found: SequenceValue) -> SequenceValue:
        """The sequence, or `undef`, which has no items."""
        if c.known(there) == 1:
            return found
        return replace(found, length=c.conditional(self._span, there, found.length, self._zero), there=there)


def gathered(items: Sequence[tuple[n.Expr, Value]], span: Span) -> SequenceValue:
    """The sequence of the items that are there, in their order."""
    before, places = c.const(span, 0), list[n.Expr]()
    one, zero = c.const(span, 1), c.const(span, 0)
    for there, _ in items:
        places.append(before)
        before = c.binary(span, n.BinaryOp.ADD, before, c.conditional(span, there, one, zero))

    def item(at: n.Expr) -> Value:
        found: Value = UndefValue()
        for (there, value), place in reversed(list(zip(items, places, strict=True))):
            found = either(c.conjunction(span, (there, c.equal(span, place, at))), value, found, span)
        return found

    return SequenceValue(before, item, len(items))


def as_set(of: SequenceValue, universe: SetValue, span: Span) -> SetValue:
    """The items of a sequence, which are among those of the universe."""
    functions = SequenceFunctions(span)
    return SetValue(universe.universe, lambda v: c.disjunction(span, functions._places(of, v)))


def _sequence(value: Value, span: Span) -> SequenceValue:
    if not isinstance(value, SequenceValue):
        raise Rejected(f"a sequence is needed here, and this is {noun(value)}", span)
    return value
