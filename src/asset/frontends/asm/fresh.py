"""New elements of domains: each `extend` of a step takes the next ones that do not exist yet.

Elements that do not exist are all alike, so which of them is taken makes no difference but for the name.
"""

from __future__ import annotations

from asset.frontends.asm import code as c
from asset.frontends.asm.firing import StateBefore
from asset.frontends.asm.signature import Growing
from asset.frontends.asm.values import Scalar
from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.span import Span


class FreshElements:
    """Counts the elements that a step has made so far, in a local for each domain."""

    def __init__(self, writer: c.Writer, state: StateBefore) -> None:
        self._writer = writer
        self._state = state
        self._made: dict[str, tuple[Growing, int, Span]] = {}

    def element(self, growing: Growing, span: Span) -> Scalar:
        """A new element. If all that were asked for exist, a limit is reached: the machine itself has no bound."""
        if growing.domain not in self._made:
            self._made[growing.domain] = growing, self._writer.cleared(span, f"made {growing.domain}"), span
        slot = self._made[growing.domain][1]
        before = self._state.count_before(growing, span)
        place = self._copied(span, c.binary(span, n.BinaryOp.ADD, before, n.Local(span, slot)))
        full = c.binary(span, n.BinaryOp.GE, place, c.const(span, growing.size))
        text = f"extend {growing.domain}: all its elements exist already; -p {growing.domain}=… allows more"
        self._writer.branch(span, full, (n.Fail(span, FaultKind.LIMIT, (text,)),))
        one_more = c.binary(span, n.BinaryOp.ADD, n.Local(span, slot), c.const(span, 1))
        self._writer.emit(n.SetLocal(span, slot, one_more))
        codes = tuple(range(growing.first, growing.first + growing.size))
        code = c.binary(span, n.BinaryOp.ADD, place, c.const(span, growing.first))
        return Scalar(code, self._state.names.kind_of(growing), within=codes)

    def kept(self) -> dict[str, n.Expr]:
        """How many were made so far, to be seen by the rules that come after in a sequence."""
        return {domain: self._copied(span, n.Local(span, slot)) for domain, (_, slot, span) in self._made.items()}

    def _copied(self, span: Span, value: n.Expr) -> n.Expr:
        """The value as it is now."""
        slot = self._writer.cleared(span, "made")
        self._writer.emit(n.SetLocal(span, slot, value))
        return n.Local(span, slot)

    def count_all(self) -> None:
        """At the end of the step, what was made exists."""
        for growing, slot, span in self._made.values():
            counter = self._state.stored[growing.counter].first
            total = c.binary(span, n.BinaryOp.ADD, self._state.count_before(growing, span), n.Local(span, slot))
            self._writer.emit(n.SetState(span, counter, (), total))

    def begin_again(self) -> None:
        """The rule is written a second time, and makes the same elements."""
        for _, slot, span in self._made.values():
            self._writer.emit(n.SetLocal(span, slot, c.const(span, 0)))
