"""Short ways to write code of the IR, with the least and the greatest value that each expression can have.

Promela computes with C's `int`, 32 bits that wrap around, and cuts off what does not fit a variable. Bounds say where
that cannot happen, so that nothing is written there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from asset.frontends.promela.types import INT, Basic
from asset.ir import nodes as n
from asset.span import Span


@dataclass(frozen=True, slots=True)
class Value:
    """An expression and bounds of its values."""

    code: n.Expr
    lo: int
    hi: int

    @property
    def constant(self) -> int | None:
        return self.code.value if isinstance(self.code, n.Const) else None


def number(span: Span, value: int) -> Value:
    return Value(n.Const(span, value), value, value)


def truth(value: Value) -> n.Expr:
    """The value as 0 or 1."""
    if value.lo >= 0 and value.hi <= 1:
        return value.code
    if value.constant is not None:
        return n.Const(value.code.span, int(value.constant != 0))
    return n.Binary(value.code.span, n.BinaryOp.NE, value.code, n.Const(value.code.span, 0))


def fitted(value: Value, type: Basic) -> Value:
    """What a variable of the type has after the value was assigned to it."""
    if type.lo <= value.lo and value.hi <= type.hi:
        return value
    span = value.code.span
    if value.constant is not None:
        return number(span, type.wrapped(value.constant))
    mask = n.Const(span, (1 << type.bits) - 1)
    if not type.signed:
        return Value(n.Binary(span, n.BinaryOp.AND, value.code, mask), type.lo, type.hi)
    offset = n.Const(span, -type.lo)
    shifted = n.Binary(span, n.BinaryOp.ADD, value.code, offset)
    masked = n.Binary(span, n.BinaryOp.AND, shifted, mask)
    return Value(n.Binary(span, n.BinaryOp.SUB, masked, offset), type.lo, type.hi)


def as_int(value: Value) -> Value:
    return fitted(value, INT)


def equal(span: Span, left: n.Expr, right: int) -> n.Expr:
    return n.Binary(span, n.BinaryOp.EQ, left, n.Const(span, right))


def all_of(span: Span, tests: Sequence[n.Expr]) -> n.Expr:
    """Whether all hold; those that are known to hold are left out."""
    left = [t for t in tests if not (isinstance(t, n.Const) and t.value)]
    if not left:
        return n.Const(span, 1)
    if any(isinstance(t, n.Const) for t in left):
        return n.Const(span, 0)
    return left[0] if len(left) == 1 else n.And(span, tuple(left))


def any_of(span: Span, tests: Sequence[n.Expr]) -> n.Expr:
    left = [t for t in tests if not (isinstance(t, n.Const) and not t.value)]
    if not left:
        return n.Const(span, 0)
    if any(isinstance(t, n.Const) for t in left):
        return n.Const(span, 1)
    return left[0] if len(left) == 1 else n.Or(span, tuple(left))


def negated(e: n.Expr) -> n.Expr:
    if isinstance(e, n.Const):
        return n.Const(e.span, int(not e.value))
    return n.Unary(e.span, n.UnaryOp.NOT, e)


def is_true(e: n.Expr) -> bool:
    return isinstance(e, n.Const) and e.value != 0


def is_false(e: n.Expr) -> bool:
    return isinstance(e, n.Const) and e.value == 0


def plus(e: n.Expr, amount: int) -> n.Expr:
    if amount == 0:
        return e
    if isinstance(e, n.Const):
        return n.Const(e.span, e.value + amount)
    op = n.BinaryOp.ADD if amount > 0 else n.BinaryOp.SUB
    return n.Binary(e.span, op, e, n.Const(e.span, abs(amount)))


def guarded(span: Span, test: n.Expr, body: Sequence[n.Stmt]) -> list[n.Stmt]:
    """The statements, if the test holds."""
    if not body or is_false(test):
        return []
    if is_true(test):
        return list(body)
    return [n.If(span, (n.Case(span, test, tuple(body)),))]


@dataclass(slots=True)
class Slots:
    """The local variables of a function of the IR while it is written."""

    names: list[str] = field(default_factory=list)

    def new(self, name: str) -> int:
        self.names.append(name)
        return len(self.names) - 1


def source_text(span: Span) -> str:
    """What stands there in the user's file, on one line."""
    line = span.source_line
    end = span.end_column - 1 if span.end_line == span.line and span.end_column > span.column else len(line)
    return line[span.column - 1 : end].strip()
