"""Arithmetic of numbers, which gives `undef` if an operand is `undef`.

`div` and `mod` round down, as in ASM-SL. `quot` and `rem` are those of AsmetaL, which round towards zero.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from asset.frontends.asm import code as c
from asset.frontends.asm.kinds import NUMBERS, undef_of
from asset.frontends.asm.values import Scalar, computed, defined
from asset.ir import nodes as n
from asset.span import Span


def quotient(a: int, b: int) -> int:
    """Rounded towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def remainder(a: int, b: int) -> int:
    """It has the sign of the dividend."""
    return abs(a) % abs(b) * (-1 if a < 0 else 1)


COMPUTE: Mapping[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "div": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
    "quot": quotient,
    "rem": remainder,
    "^": lambda a, b: int(a**b) if 0 <= b < 64 else _beyond(),
    "min": min,
    "max": max,
}
"""What each operator gives."""

_OPERATORS = {
    "+": n.BinaryOp.ADD,
    "-": n.BinaryOp.SUB,
    "*": n.BinaryOp.MUL,
    "div": n.BinaryOp.FLOORDIV,
    "mod": n.BinaryOp.MOD,
    "^": n.BinaryOp.POW,
    "min": n.BinaryOp.MIN,
    "max": n.BinaryOp.MAX,
}


def _beyond() -> int:
    raise ValueError("the power is no integer of 64 bits")


def computation(op: str, left: Scalar, right: Scalar, span: Span) -> Scalar:
    """The result of an operator."""
    codes = computed(COMPUTE[op], left, right)
    if op not in ("quot", "rem"):
        result = c.binary(span, _OPERATORS[op], left.expr, right.expr)
    elif _never_negative(left) and _never_negative(right):
        result = c.binary(span, n.BinaryOp.FLOORDIV if op == "quot" else n.BinaryOp.MOD, left.expr, right.expr)
    else:
        result = _towards_zero(op, left.expr, right.expr, span)
    return strict(result, (left, right), codes, span)


def _never_negative(value: Scalar) -> bool:
    return value.codes is not None and all(code >= 0 for code in value.codes)


def _towards_zero(op: str, left: n.Expr, right: n.Expr, span: Span) -> n.Expr:
    a, b = absolute(left, span), absolute(right, span)
    zero = c.const(span, 0)
    negative = c.binary(span, n.BinaryOp.LT, left, zero)
    if op == "quot":
        negative = c.binary(span, n.BinaryOp.NE, negative, c.binary(span, n.BinaryOp.LT, right, zero))
    size = c.binary(span, n.BinaryOp.FLOORDIV if op == "quot" else n.BinaryOp.MOD, a, b)
    return c.conditional(span, negative, c.negative(span, size), size)


def _not_undef(e: n.Expr, span: Span) -> n.Expr:
    """A number that happens to be the one that stands for `undef` becomes another one that no machine can mention."""
    same = c.equal(span, e, c.const(span, undef_of(NUMBERS)))
    return c.conditional(span, same, c.const(span, undef_of(NUMBERS) - 1), e)


def absolute(e: n.Expr, span: Span) -> n.Expr:
    known = c.known(e)
    return n.Unary(span, n.UnaryOp.ABS, e) if known is None else c.const(span, abs(known))


def strict(result: n.Expr, operands: tuple[Scalar, ...], codes: tuple[int, ...] | None, span: Span) -> Scalar:
    """The result, or `undef` if an operand is."""
    unsure = [each for each in operands if each.maybe]
    if not unsure:
        return Scalar(result, NUMBERS, within=codes)
    there = c.conjunction(span, (defined(each, span) for each in unsure))
    missing = c.const(span, undef_of(NUMBERS))
    if codes is None:
        result = _not_undef(result, span)
    return Scalar(c.conditional(span, there, result, missing), NUMBERS, True, codes)
