"""The functions of the standard library on values of the state."""

from __future__ import annotations

from collections.abc import Callable

from asset.frontends.asm import code as c
from asset.frontends.asm import tree as t
from asset.frontends.asm.folding import Folding
from asset.frontends.asm.kinds import NUMBERS, undef_of
from asset.frontends.asm.problems import Rejected
from asset.frontends.asm.static_library import LIBRARY
from asset.frontends.asm.values import (
    Scalar,
    SequenceValue,
    SetValue,
    UndefValue,
    Value,
    boolean,
    contains,
    defined,
    either,
    equal,
    noun,
    of_static,
    scalar,
    static_of,
    truth,
)
from asset.ir import nodes as n
from asset.span import Span

TEMPORAL = frozenset(
    {"ag", "af", "ax", "eg", "ef", "ex", "au", "eu", "aw", "ew", "g", "f", "x", "u", "v", "w", "r"}
    | {"AG", "AF", "AX", "EG", "EF", "EX", "AU", "EU", "AW", "EW", "G", "F", "X", "U", "V", "W", "R"}
)


def applied(folding: Folding, term: t.Apply, args: tuple[Value, ...]) -> Value | None:
    """What a function of the library gives; None if there is no such function."""
    if term.name not in LIBRARY or not LIBRARY.arity(term.name, len(args)):
        return None
    known = [static_of(arg) for arg in args]
    if all(each is not None for each in known):
        found = LIBRARY[term.name](*known)
        if found is not None:
            return of_static(found, term.span)
    return _Application(folding, term.name, args, term.span).value()


class _Application:
    def __init__(self, folding: Folding, name: str, args: tuple[Value, ...], span: Span) -> None:
        self._folding = folding
        self._name = name
        self._args = args
        self._span = span

    def value(self) -> Value:
        first = self._args[0]
        if self._name in _OF_ANY:
            return _OF_ANY[self._name](first, self._span)
        if self._name in ("min", "max", "abs", "div", "mod"):
            return self._number()
        if self._name == "prepend":
            return self._of_sequence(self._args[1])
        if self._name == "member":
            return self._contained(self._args[1], first)
        match first:
            case SetValue():
                return self._of_set(first)
            case SequenceValue():
                return self._of_sequence(first)
        raise Rejected(f"{self._name} is not defined for {noun(first)}", self._span)

    def _number(self) -> Value:
        if isinstance(self._args[0], SetValue):
            raise Rejected(f"{self._name} of a set that changes is not part of what is read", self._span)
        numbers = [scalar(arg, NUMBERS, self._span) for arg in self._args]
        operators = {
            "min": n.BinaryOp.MIN,
            "max": n.BinaryOp.MAX,
            "div": n.BinaryOp.FLOORDIV,
            "mod": n.BinaryOp.MOD,
        }
        if self._name == "abs":
            result: n.Expr = n.Unary(self._span, n.UnaryOp.ABS, numbers[0].expr)
        else:
            result = c.binary(self._span, operators[self._name], numbers[0].expr, numbers[1].expr)
        if not any(each.maybe for each in numbers):
            return Scalar(result, NUMBERS)
        there = c.conjunction(self._span, (defined(each, self._span) for each in numbers))
        missing = c.const(self._span, undef_of(NUMBERS))
        return Scalar(c.conditional(self._span, there, result, missing), NUMBERS, maybe=True)

    # --- sets -----------------------------------------------------------------------------------------------------

    def _of_set(self, of: SetValue) -> Value:
        span, second = self._span, self._args[1] if len(self._args) > 1 else None
        match self._name, second:
            case (("size" | "card"), None):
                return Scalar(self._folding.fold(n.FoldOp.SUM, of, lambda v: c.const(span, 1), span), NUMBERS)
            case "isEmpty", None:
                some = self._folding.fold(n.FoldOp.ANY, of, lambda v: c.const(span, 1), span)
                return boolean(c.negation(span, some))
            case (("contains" | "includes"), Scalar() | SequenceValue() | SetValue() | UndefValue() as element):
                return self._contained(of, element)
            case "excludes", element if element is not None:
                return boolean(c.negation(span, truth(self._contained(of, element), span)))
            case (("union" | "intersection" | "difference"), SetValue() as other):
                return self._combined(of, other)
            case (("including" | "excluding"), element) if element is not None:
                return self._with_element(of, element)
            case (("contains" | "includes"), element) if element is not None:
                return self._contained(of, element)
        raise Rejected(f"{self._name} is not defined for a set here", span)

    def _combined(self, a: SetValue, b: SetValue) -> Value:
        span = self._span
        if self._name == "union":
            universe = tuple(dict.fromkeys((*a.universe, *b.universe)))
            return SetValue(universe, lambda v: c.disjunction(span, (contains(a, v, span), contains(b, v, span))))
        wanted = self._name == "intersection"

        def test(v: Value) -> n.Expr:
            inside = contains(b, v, span)
            return c.conjunction(span, (contains(a, v, span), inside if wanted else c.negation(span, inside)))

        return SetValue(a.universe, test)

    def _with_element(self, of: SetValue, element: Value) -> Value:
        span = self._span
        if self._name == "excluding":
            return SetValue(
                of.universe,
                lambda v: c.conjunction(span, (contains(of, v, span), c.negation(span, equal(element, v, span)))),
            )
        known = static_of(element)
        possible = self._folding.possible(element) if isinstance(element, Scalar) else None
        more = (known,) if known is not None else possible
        if more is None:
            raise Rejected("the elements of this set are not known to be finitely many", span)
        universe = tuple(dict.fromkeys((*of.universe, *more)))
        return SetValue(universe, lambda v: c.disjunction(span, (contains(of, v, span), equal(element, v, span))))

    def _contained(self, collection: Value, element: Value) -> Value:
        match collection:
            case SetValue():
                return boolean(contains(collection, element, self._span))
            case SequenceValue():
                return boolean(self._in_sequence(collection, element))
        raise Rejected(f"{self._name} is not defined for {noun(collection)}", self._span)

    # --- sequences ------------------------------------------------------------------------------------------------

    def _in_sequence(self, of: SequenceValue, element: Value) -> n.Expr:
        span = self._span
        places = [c.const(span, k) for k in range(of.capacity)]
        return c.disjunction(
            span,
            (
                c.conjunction(span, (c.binary(span, n.BinaryOp.GT, of.length, at), equal(of.item(at), element, span)))
                for at in places
            ),
        )

    def _of_sequence(self, of: Value) -> Value:
        span = self._span
        if not isinstance(of, SequenceValue):
            raise Rejected(f"{self._name} is not defined for {noun(of)}", span)
        zero, one = c.const(span, 0), c.const(span, 1)
        match self._name:
            case "length" | "size" | "card":
                return Scalar(of.length, NUMBERS)
            case "isEmpty":
                return boolean(c.equal(span, of.length, zero))
            case "contains" | "includes":
                return boolean(self._in_sequence(of, self._args[1]))
            case "first":
                return self._item(of, zero)
            case "last":
                return self._item(of, c.binary(span, n.BinaryOp.SUB, of.length, one))
            case "at":
                return self._item(of, scalar(self._args[1], NUMBERS, span).expr)
            case "tail":
                shorter = c.binary(span, n.BinaryOp.SUB, of.length, one)
                return SequenceValue(shorter, lambda at: of.item(c.binary(span, n.BinaryOp.ADD, at, one)), of.capacity)
            case "append":
                added = self._args[1]
                return self._longer(of, lambda at: either(c.equal(span, at, of.length), added, of.item(at), span))
            case "prepend":
                added = self._args[0]

                def item(at: n.Expr) -> Value:
                    before = c.binary(span, n.BinaryOp.SUB, at, one)
                    return either(c.equal(span, at, zero), added, of.item(before), span)

                return self._longer(of, item)
        raise Rejected(f"{self._name} is not defined for a sequence that changes", span)

    def _longer(self, of: SequenceValue, item: Callable[[n.Expr], Value]) -> SequenceValue:
        length = c.binary(self._span, n.BinaryOp.ADD, of.length, c.const(self._span, 1))
        return SequenceValue(length, item, of.capacity + 1)

    def _item(self, of: SequenceValue, at: n.Expr) -> Value:
        """The item there, `undef` if there is none."""
        span = self._span
        if of.capacity == 0:
            return UndefValue()
        low = c.binary(span, n.BinaryOp.GE, at, c.const(span, 0))
        there = c.conjunction(span, (low, c.binary(span, n.BinaryOp.LT, at, of.length)))
        return either(there, of.item(at), UndefValue(), span)


_OF_ANY: dict[str, Callable[[Value, Span], Value]] = {
    "isDef": lambda value, span: boolean(defined(value, span)),
    "isUndef": lambda value, span: boolean(c.negation(span, defined(value, span))),
    "not": lambda value, span: boolean(c.negation(span, truth(value, span))),
}
