"""Collections that a text writes out, or describes: {1, $x}, [a : b], {$x in D | $x > 2 : f($x)}."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from asset.frontends.asm import code as c
from asset.frontends.asm import tree as t
from asset.frontends.asm.bags import BagFunctions
from asset.frontends.asm.binding import Bound, Environment, bind
from asset.frontends.asm.kinds import NUMBERS
from asset.frontends.asm.problems import Rejected
from asset.frontends.asm.sequences import gathered
from asset.frontends.asm.values import (
    BagValue,
    ChangingMap,
    SequenceValue,
    SetValue,
    UndefValue,
    Value,
    chosen,
    defined,
    either,
    equal,
    number,
    of_static,
    scalar,
)
from asset.ir import nodes as n
from asset.span import Span

if TYPE_CHECKING:
    from asset.frontends.asm.terms import Terms

_NO_SPAN = Span("<asset>", 0)


class Displays:
    """Makes such collections for the terms of a function."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms

    def set(self, term: t.SetDisplay, env: Environment) -> Value:
        found = self._terms.static(term, env)
        if found is not None:
            return found
        items = [self._terms.value(item, env) for item in term.items]
        universe = dict.fromkeys(each for item in items for each in self._terms.possible(item, term.span))
        return SetValue(
            tuple(universe), lambda v: c.disjunction(term.span, (equal(item, v, term.span) for item in items))
        )

    def interval(self, term: t.Interval, env: Environment) -> Value:
        found = self._terms.static(term, env)
        if found is not None:
            return found
        span = term.span
        low, high = (number(self._terms.value(each, env), each.span) for each in (term.low, term.high))
        whole = low.kind is NUMBERS and high.kind is NUMBERS
        if low.codes is None or high.codes is None or term.step is not None or not whole:
            problem = "an interval that depends on the state needs bounds that are finite and whole, and no step"
            raise Rejected(problem, span, "write {$x in D | $x <= n}")
        there = (defined(low, span), defined(high, span))

        def test(value: Value) -> n.Expr:
            at = scalar(value, NUMBERS, span).expr
            above, below = c.binary(span, n.BinaryOp.LE, low.expr, at), c.binary(span, n.BinaryOp.LE, at, high.expr)
            return c.conjunction(span, (*there, above, below))

        return SetValue(tuple(range(min(low.codes), max(high.codes) + 1)), test)

    def sequence(self, term: t.SequenceDisplay, env: Environment) -> Value:
        items = tuple(self._terms.value(item, env) for item in term.items)
        return SequenceValue(c.const(term.span, len(items)), lambda at: chosen(items, at, term.span), len(items))

    def bag(self, term: t.BagDisplay, env: Environment) -> Value:
        found = self._terms.static(term, env)
        if found is not None:
            return found
        functions = BagFunctions(lambda v: self._terms.possible(v, term.span), term.span)
        if term.of is not None:
            return functions.as_bag(self._terms.value(term.of, env))
        return functions.of_items([(c.const(term.span, 1), self._terms.value(item, env)) for item in term.items])

    def map(self, term: t.MapDisplay, env: Environment) -> Value:
        found = self._terms.static(term, env)
        if found is not None:
            return found
        pairs = [(c.const(term.span, 1), self._terms.value(k, env), self._terms.value(v, env)) for k, v in term.pairs]
        return self._mapping(pairs, term.span)

    def _mapping(self, pairs: list[tuple[n.Expr, Value, Value]], span: Span) -> Value:
        """A map of the pairs that are there."""
        keys = tuple(dict.fromkeys(known for _, key, _ in pairs for known in self._terms.possible(key, span)))

        def at(key: Value) -> Value:
            found: Value = UndefValue()
            for there, each, value in pairs:
                found = either(c.conjunction(span, (there, equal(each, key, span))), value, found, span)
            return found

        return ChangingMap(keys, at)

    def comprehension(self, term: t.Comprehension, env: Environment) -> Value:
        found = self._terms.static(term, env)
        if found is not None:
            return found
        span, of = term.span, term.value
        if of is not None:
            members = self._members(term, env)
            return self._mapping([(there, key, self._terms.value(of, inner)) for there, key, inner in members], span)
        if term.collects == "set" and len(term.binders) == 1 and _is_name_of(term.element, term.binders[0]):
            return self._subset(term, env)
        elements = [(there, element) for there, element, _ in self._members(term, env)]
        match term.collects:
            case "sequence":
                return gathered(elements, span)
            case "bag":
                return BagFunctions(lambda v: self._terms.possible(v, span), span).of_items(elements)
        universe = dict.fromkeys(known for _, element in elements for known in self._terms.possible(element, span))

        def test(v: Value) -> n.Expr:
            same = (c.conjunction(span, (there, equal(element, v, span))) for there, element in elements)
            return c.disjunction(span, same)

        return SetValue(tuple(universe), test)

    def _subset(self, term: t.Comprehension, env: Environment) -> SetValue:
        """The elements of one set that the guard holds for."""
        (binder,), span = term.binders, term.span
        domain = self._terms.set(binder.domain, env)

        def test(v: Value) -> n.Expr:
            inner = dict(env)
            bind(binder.pattern, v, inner)
            inside = domain.test(v) if domain.test is not None else c.const(span, 1)
            guard = () if term.guard is None else (self._terms.truth(term.guard, inner),)
            return c.conjunction(span, (inside, *guard))

        return SetValue(domain.universe, test)

    def _members(self, term: t.Comprehension, env: Environment) -> Iterator[tuple[n.Expr, Value, Environment]]:
        """When each element is collected, which it is, and what the binders are then."""
        for inside, inner in self.unrolled(term.binders, env, term.collects != "set"):
            guard = () if term.guard is None else (self._terms.truth(term.guard, inner),)
            there = c.conjunction(term.span, (inside, *guard))
            if c.known(there) != 0:
                yield there, self._terms.value(term.element, inner), inner

    def unrolled(
        self, binders: tuple[t.Binder, ...], env: Environment, repeated: bool = False
    ) -> Iterator[tuple[n.Expr, dict[str, Bound]]]:
        """For each value that the binders can have: whether it is in their sets, and the environment.

        `repeated` if what a sequence or a bag has several times counts as often."""
        if not binders:
            yield c.const(_NO_SPAN, 1), dict(env)
            return
        first, rest = binders[0], binders[1:]
        for inside, value in self._generated(first, env, repeated):
            inner = dict(env)
            bind(first.pattern, value, inner)
            for deeper, environment in self.unrolled(rest, inner, repeated):
                yield c.conjunction(first.span, (inside, deeper)), environment

    def _generated(self, binder: t.Binder, env: Environment, repeated: bool) -> Iterator[tuple[n.Expr, Value]]:
        span, collection = binder.span, self._terms.value(binder.domain, env)
        match collection:
            case SequenceValue(length, item, capacity) if repeated:
                for at in (c.const(span, k) for k in range(capacity)):
                    yield c.binary(span, n.BinaryOp.GT, length, at), item(at)
                return
            case BagValue(universe, count, most) if repeated:
                for value in (of_static(each, span) for each in universe):
                    for k in range(most):
                        yield c.binary(span, n.BinaryOp.GT, count(value), c.const(span, k)), value
                return
        domain = self._terms.set(binder.domain, env)
        for value in (of_static(each, span) for each in domain.universe):
            yield domain.test(value) if domain.test is not None else c.const(span, 1), value


def _is_name_of(element: t.Term, binder: t.Binder) -> bool:
    return isinstance(element, t.Name) and isinstance(binder.pattern, t.Name) and element.name == binder.pattern.name
