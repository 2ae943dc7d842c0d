"""Elements and sequences of sets whose order the notation leaves open: any is chosen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from typing import TYPE_CHECKING, TypeGuard

from asset.frontends.asm import code as c
from asset.frontends.asm import tree as t
from asset.frontends.asm.binding import Environment
from asset.frontends.asm.problems import Rejected
from asset.frontends.asm.sequences import gathered
from asset.frontends.asm.values import (
    Scalar,
    SequenceValue,
    SetValue,
    TupleValue,
    Value,
    contains,
    flat,
    static_of,
)
from asset.ir import nodes as n
from asset.span import Span

if TYPE_CHECKING:
    from asset.frontends.asm.terms import Terms

MOST_ORDERED = 5
"""Elements of a set of which any order may be chosen: these have 120 orders."""


class OpenChoices:
    """Makes such choices for the terms of a step."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms

    def made(self, term: t.Apply, env: Environment) -> Value | None:
        """An element, or a sequence, of a set whose order is left open; None if it is something else."""
        match term:
            case t.Apply(name="chooseone", args=(of,)):
                return self._any_of(self._terms.set(of, env), "chooseone", env, of.span)
            case t.Apply(name="first" | "last", args=(t.Apply(name="asSequence", args=(of,)),)):
                found = self._terms.value(of, env)
                return self._any_of(found, "asSequence", env, term.span) if _changes(found) else None
            case t.Apply(name="asSequence", args=(of,)):
                found = self._terms.value(of, env)
                return self._in_any_order(found, env, term.span) if _changes(found) else None
        return None

    def _any_of(self, of: SetValue, asked: str, env: Environment, span: Span) -> Value:
        """Any element of the set, `undef` if it has none."""
        bound = {each.slot for value in env.values() if isinstance(value, Scalar) for each in _locals(value)}
        if bound & self._terms.varying:
            raise Rejected(
                f"{asked} for each round of a loop is not part of what is read",
                span,
                "write choose $x in S with true do …",
            )
        return self._terms.dynamics.choose(of, span)

    def _in_any_order(self, of: SetValue, env: Environment, span: Span) -> SequenceValue:
        """The elements of the set as a sequence. Of all elements that it may have an order is chosen; those that it
        has not come last in that, in their own order, so that no two orders give the same sequence."""
        if len(of.universe) > MOST_ORDERED:
            problem = f"a set that changes has an order only if it can have at most {MOST_ORDERED} elements"
            raise Rejected(problem, span, "chooseone(S) is any element of a set that changes")
        order = self._any_of(SetValue(tuple(permutations(of.universe))), "asSequence", env, span)
        parts = order.parts if isinstance(order, TupleValue) else ()
        items = [(contains(of, each, span), each) for each in parts]
        ranks = [each.expr for part in parts for each in flat(part, span)[:1]]
        for (there, _), (next_there, _), rank, next_rank in zip(items, items[1:], ranks, ranks[1:], strict=False):
            last = (c.negation(span, next_there), c.binary(span, n.BinaryOp.LE, rank, next_rank))
            self._terms.writer.emit(n.When(span, c.disjunction(span, (there, c.conjunction(span, last)))))
        return replace(gathered(items, span), there=of.there)


def _changes(value: Value) -> TypeGuard[SetValue]:
    """Whether it is a set that depends on the state."""
    return isinstance(value, SetValue) and static_of(value) is None


def _locals(value: Scalar) -> Iterator[n.Local]:
    return (each for each in n.walk(value.expr) if isinstance(each, n.Local))
