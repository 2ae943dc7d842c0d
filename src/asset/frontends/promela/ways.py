"""Ways through atomic sequences: which of the steps that can be taken is taken, at each place where there are several.

If the ways are few, each is a command of its own: its last index is a number with a digit for each choice, whose base
is how many steps can be taken there. If they are many, or if it is not known how many they are, the choices are *drawn*
from a number: at each choice, the numbers that are left are divided among the steps that can be taken, and the command
takes the step that its number belongs to. The first of the numbers that are left at the end is the one that is enabled;
all others are disabled, and skipped. A step that leads back to the same choice gets more of the numbers than one that
does not, as more choices follow it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from asset.frontends.promela.code import Slots, all_of, equal, guarded, plus
from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.span import Span

MOST_COMMANDS = 256
"""Ways that are commands of their own."""

MOST_DRAWN = 1 << 16
"""Numbers that the choices of one sequence are drawn from, unless the user allows more."""

MOST_ALLOWED = 1 << 24

ALLOWED = "_ways"
"""The macro that says from how many numbers they are drawn."""

AGAIN = 8
"""How many times as many numbers a step gets that leads back to the same choice."""

CHOICE, WAYS = 1, 2
"""Slots of `resume`: the number, or what is left of it; and how many numbers there are."""


@dataclass(frozen=True, slots=True)
class Ways:
    """How many commands there are for the ways, and whether the choices are drawn from their numbers."""

    count: int = 1
    drawn: bool = False


@dataclass(frozen=True, slots=True)
class Way:
    """The way that a command takes, and how many there are. If choices are drawn, the slot `skips` says how many
    commands before a disabled one need not be tried."""

    number: n.Expr
    ways: Ways
    skips: int = -1

    def begun(self, span: Span) -> list[n.Stmt]:
        """If the first step cannot be taken, no command can be."""
        return [n.SetLocal(span, self.skips, self.number)] if self.ways.drawn else []

    def over(self) -> tuple[n.Stmt, ...]:
        """The command ends without a choice: only the first of the ways is one."""
        span, first = self.number.span, equal(self.number.span, self.number, 0)
        if self.ways.drawn:
            skipped = n.SetLocal(span, self.skips, plus(self.number, -1))
            return (skipped, n.When(span, first), n.Return(span, n.Const(span, self.ways.count - 1)))
        return () if self.ways.count == 1 else (n.When(span, first),)

    def resumed(self, span: Span, call: n.Expr, slots: Slots) -> list[n.Stmt]:
        """What follows the choices that `resume` has made: it disables the command, or says whether it is disabled."""
        if not self.ways.drawn:
            return [n.Evaluate(span, call)]
        result = slots.new("result")
        found = n.Local(span, result)
        return [
            n.SetLocal(span, result, call),
            n.SetLocal(span, self.skips, found),
            n.When(span, n.Binary(span, n.BinaryOp.LT, found, n.Const(span, 0))),
            n.Return(span, n.Binary(span, n.BinaryOp.SUB, n.Const(span, -1), found)),
        ]


@dataclass(frozen=True, slots=True)
class Taken:
    """A step that may be taken: the slot that says whether it can be, what it does, and its share of the numbers."""

    flag: int
    body: tuple[n.Stmt, ...]
    share: int


@dataclass(frozen=True, slots=True)
class Choosing:
    """How `resume` finds which steps to take. `left` is the slot of what was multiplied, or divided, so far."""

    drawn: bool
    left: int

    def begun(self, span: Span) -> n.Stmt:
        return n.SetLocal(span, self.left, n.Local(span, WAYS) if self.drawn else n.Const(span, 1))

    def over(self, span: Span) -> tuple[n.Stmt, ...]:
        """No further choice. If choices were drawn, a negative result says that the command is fired, and from how
        many numbers it was the first one; others say how many before it are disabled."""
        first = equal(span, n.Local(span, CHOICE), 0)
        if not self.drawn:
            return (n.When(span, first),)
        fired = n.Return(span, n.Binary(span, n.BinaryOp.SUB, n.Const(span, 0), n.Local(span, self.left)))
        return (n.If(span, (n.Case(span, first, (fired,)),)), n.Return(span, plus(n.Local(span, CHOICE), -1)))

    def weighed(self, taken: Taken) -> int:
        """How much the step counts among those that can be taken."""
        return taken.share if self.drawn else 1

    def picked(self, span: Span, options: Sequence[Taken], total: int, slots: Slots) -> tuple[n.Stmt, ...]:
        """One of the steps that can be taken; `total` is the slot that has how much they count together."""
        return (self._drawn if self.drawn else self._by_digits)(span, options, total, slots)

    def _by_digits(self, span: Span, options: Sequence[Taken], total: int, slots: Slots) -> tuple[n.Stmt, ...]:
        digit, choice, count = slots.new("digit"), n.Local(span, CHOICE), n.Local(span, total)
        bases = n.Local(span, self.left)
        more = n.Binary(span, n.BinaryOp.GT, bases, n.Local(span, WAYS))
        code: list[n.Stmt] = [
            n.SetLocal(span, self.left, n.Binary(span, n.BinaryOp.MUL, bases, count)),
            n.If(span, (n.Case(span, more, (_exceeded(span),)),)),
            n.SetLocal(span, digit, n.Binary(span, n.BinaryOp.MOD, choice, count)),
            n.SetLocal(span, CHOICE, n.Binary(span, n.BinaryOp.FLOORDIV, choice, count)),
        ]
        rank: n.Expr = n.Const(span, 0)
        cases: list[n.Case] = []
        for option in options:
            can = n.Local(span, option.flag)
            chosen = n.Binary(span, n.BinaryOp.EQ, n.Local(span, digit), rank)
            cases.append(n.Case(span, all_of(span, (can, chosen)), option.body))
            rank = n.Binary(span, n.BinaryOp.ADD, rank, can)
        return (*code, n.If(span, tuple(cases)))

    def _drawn(self, span: Span, options: Sequence[Taken], total: int, slots: Slots) -> tuple[n.Stmt, ...]:
        """The choice is compared with the share of one step after the other, which is taken from it if it is more."""
        part, waiting = slots.new("part"), slots.new("waiting")
        choice, size = n.Local(span, CHOICE), n.Local(span, part)
        code: list[n.Stmt] = [n.SetLocal(span, waiting, n.Const(span, 1))]
        for option in options:
            shared = n.Binary(span, n.BinaryOp.MUL, n.Local(span, self.left), n.Const(span, option.share))
            divided = n.Binary(span, n.BinaryOp.FLOORDIV, shared, n.Local(span, total))
            none = equal(span, size, 0)
            beyond = n.Binary(span, n.BinaryOp.GE, choice, size)
            passed = n.SetLocal(span, CHOICE, n.Binary(span, n.BinaryOp.SUB, choice, size))
            chosen = (
                n.SetLocal(span, waiting, n.Const(span, 0)),
                n.SetLocal(span, self.left, size),
                *option.body,
            )
            body = (
                n.SetLocal(span, part, divided),
                n.If(span, (n.Case(span, none, (_exceeded(span),)),)),
                n.If(span, (n.Case(span, beyond, (passed,)),), chosen),
            )
            can = all_of(span, (n.Local(span, waiting), n.Local(span, option.flag)))
            code.append(n.If(span, (n.Case(span, can, body),)))
        remainder = (n.Return(span, choice),)
        return (*code, *guarded(span, n.Local(span, waiting), remainder))


def _exceeded(span: Span) -> n.Stmt:
    text = ("there are more ways through this atomic sequence than ", n.Local(span, WAYS), " numbers tell apart; ")
    return n.Fail(span, FaultKind.LIMIT, (*text, f"-D {ALLOWED}={16 * MOST_DRAWN} allows more"))
