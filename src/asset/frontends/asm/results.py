"""Locations that belong to a call: `result`, which the rule returns, and those that it declares as `local`.

They are in no state. What a sequence does to them is seen by its later stages, and outside when it is done.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from asset.frontends.asm import code as c
from asset.frontends.asm.kinds import Static
from asset.frontends.asm.problems import Rejected, wrong_number
from asset.frontends.asm.updates import Path, exclusive
from asset.frontends.asm.values import (
    Scalar,
    SequenceValue,
    SetValue,
    TupleValue,
    UndefValue,
    Value,
    chosen,
    contains,
    either,
    equal,
    noun,
    of_static,
    static_of,
    with_parts,
)
from asset.frontends.asm.writing import UpdateWriter
from asset.ir import nodes as n
from asset.span import Span


class Returned:
    """The updates of such a location, in the order in which they are made."""

    def __init__(self, updates: UpdateWriter, span: Span, loops: frozenset[int]) -> None:
        self._updates = updates
        self._span = span
        self._loops = loops
        self._noted: list[tuple[n.Expr, Value]] = []
        self._ways: list[tuple[Path, Value]] = []
        self._seen = 0

    def note(self, value: Value, certain: bool, path: Path, loops: frozenset[int]) -> None:
        """An update. That two of them do not conflict must be told by the text, as no state could show it."""
        at_once = self._ways[self._seen :]
        if loops != self._loops or any(not exclusive(path, way) and not _alike(value, other) for way, other in at_once):
            raise Rejected(
                "the result of a rule, or a local function, may be given two values at once here",
                self._span,
                "give it one in each branch, or in a sequence",
            )
        done = c.const(self._span, 1) if certain else self._updates.flagged(self._span)
        self._noted.append((done, self._kept(value)))
        self._ways.append((path, value))

    def _kept(self, value: Value) -> Value:
        match value:
            case Scalar(expr):
                return replace(value, expr=self._updates.kept(expr, self._span))
            case TupleValue():
                return with_parts(value, self._kept)
            case UndefValue():
                return value
            case SequenceValue():
                return self._kept_sequence(value)
            case SetValue():
                return self._kept_set(value)
        raise Rejected(
            f"the result of a rule, or a local function, cannot be {noun(value)}",
            self._span,
            "use numbers, elements, tuples, sets or sequences",
        )

    def _kept_sequence(self, value: SequenceValue) -> Value:
        if static_of(value) is not None:
            return value
        span, length, items = self._span, self._updates.kept(value.length, self._span), list[Value]()
        for at in (c.const(span, k) for k in range(value.capacity)):
            used = c.binary(span, n.BinaryOp.GT, length, at)  # what is behind the end is not evaluated
            items.append(self._kept(either(used, value.item(at), UndefValue(), span)))
        kept = tuple(items)
        return SequenceValue(length, lambda at: chosen(kept, at, span), value.capacity, self._kept_test(value.there))

    def _kept_set(self, value: SetValue) -> Value:
        if static_of(value) is not None:
            return value
        span, members = self._span, [of_static(each, self._span) for each in value.universe]
        inside = [(each, self._updates.kept(contains(value, each, span), span)) for each in members]

        def test(of: Value) -> n.Expr:
            return c.disjunction(span, (c.conjunction(span, (kept, equal(each, of, span))) for each, kept in inside))

        return SetValue(value.universe, test, self._kept_test(value.there))

    def _kept_test(self, test: n.Expr | None) -> n.Expr | None:
        return None if test is None else self._updates.kept(test, self._span)

    @property
    def visible(self) -> int:
        """How many of the updates can be read."""
        return self._seen

    def seen(self, count: int | None = None) -> None:
        """A stage of a sequence ends: what it noted can be read. Or only so much, as before the sequence."""
        self._seen = len(self._noted) if count is None else count

    def value_so_far(self) -> Value:
        return self._last(self._noted[: self._seen])

    def value(self) -> Value:
        return self._last(self._noted)

    def _last(self, noted: Sequence[tuple[n.Expr, Value]]) -> Value:
        found: Value = UndefValue()
        for done, value in noted:
            found = either(done, value, found, self._span)
        return found

    @property
    def flags(self) -> list[n.Expr]:
        return [done for done, _ in self._noted]


@dataclass(frozen=True, slots=True)
class LocalFunction:
    """A local function with arguments: a location for each value of these."""

    name: str
    span: Span
    cells: Mapping[tuple[Static, ...], Returned]

    def places(self, args: tuple[Value, ...], span: Span) -> Iterator[tuple[Returned, n.Expr]]:
        """The locations that it may be for the arguments, and when it is each."""
        arity = len(next(iter(self.cells)))
        if len(args) == 1 and arity > 1 and isinstance(args[0], TupleValue):
            args = args[0].parts
        if len(args) != arity:
            raise wrong_number(self.name, arity, len(args), span)
        for key, cell in self.cells.items():
            pairs = zip(key, args, strict=True)
            here = c.conjunction(span, (equal(of_static(known, span), arg, span) for known, arg in pairs))
            if c.known(here) != 0:
                yield cell, here

    def value_so_far(self) -> Value:
        raise Rejected(f"{self.name} takes arguments", self.span)

    def value_at(self, args: tuple[Value, ...], span: Span) -> Value:
        """What it is for the arguments; `undef` if they are not in its domains."""
        found: Value = UndefValue()
        for cell, here in self.places(args, span):
            found = either(here, cell.value_so_far(), found, span)
        return found


def _alike(one: Value, other: Value) -> bool:
    known = static_of(one)
    return known is not None and known == static_of(other)
