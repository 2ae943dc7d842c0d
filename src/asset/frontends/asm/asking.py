"""Terms that ask the environment for something: only for what their value depends on.

What a term asks for is written before it. If that matters only in some cases, it is written as a branch.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from asset.frontends.asm import code as c
from asset.frontends.asm.judging import LOGIC, Judged
from asset.ir import nodes as n
from asset.span import Span

_SHORT = ("and", "or", "implies")
"""Operators whose right side does not matter if the left one decides."""


class MayBeLazy(Protocol):
    """What is asked."""

    @property
    def lazy(self) -> bool:
        """Whether it matters that nothing is asked for that a value does not depend on."""
        ...


@dataclass(frozen=True, slots=True)
class Asking:
    """Writes what parts of terms ask for. `varying` are the slots of loops, of which no branch can be made."""

    writer: c.Writer
    asked: MayBeLazy
    varying: set[int]

    def connected(self, op: str, first: Callable[[], Judged], second: Callable[[], Judged], span: Span) -> Judged:
        """An operator of logic. A side that asks for nothing is evaluated first, and the other one asks only if it
        still matters."""
        left, asking = self.writer.captured(first)
        right, also = self.writer.captured(second)
        swaps = self.asked.lazy and asking and not also and op in ("and", "or")
        if swaps and not c.may_fail(right.yes) and not c.may_fail(right.false(span)):
            left, asking, right, also = right, also, left, asking
        self._emit(asking)
        if op in _SHORT:
            left = self._unless_decided(op, left, also, span)
        else:
            self._emit(also)
        return LOGIC[op](left, right, span)

    def _unless_decided(self, op: str, left: Judged, also: tuple[n.Stmt, ...], span: Span) -> Judged:
        """Emits what the right side asks for, if the left one does not decide: the left side."""
        if left.no is None:
            return Judged(self.under(span, left.yes, also, matters=op != "or"))
        if op == "or":
            return Judged(self.under(span, left.yes, also, matters=False), left.no)
        return Judged(left.yes, self.under(span, left.no, also, matters=False))

    def under(self, span: Span, test: n.Expr, asking: tuple[n.Stmt, ...], matters: bool) -> n.Expr:
        """Emits what asks for something, which matters only if the test is true, or only if it is false: the test."""
        eager = not self.asked.lazy or c.known(test) is not None or c.slots_in(test) & self.varying
        if not asking or eager or c.may_fail(test):
            self._emit(asking)
            return test
        test = self.writer.assign(span, "test", test)
        self.writer.emit_if(span, test if matters else c.negation(span, test), asking)
        return test

    def _emit(self, statements: tuple[n.Stmt, ...]) -> None:
        for each in statements:
            self.writer.emit(each)
