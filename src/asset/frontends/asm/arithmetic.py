"""Arithmetic of numbers, which gives `undef` if an operand is `undef`.

`div` and `mod` round down, as in ASM-SL. `quot` and `rem` are those of AsmetaL, which round towards zero. Numbers are
exact: what they are counted in is chosen so that no result is lost. `/` needs a divisor that has few values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import ceil, floor, lcm, trunc
from typing import Any

from asset.frontends.asm import code as c
from asset.frontends.asm.kinds import MOST_NUMBER, NUMBERS, Kind, Numbers, numbers, undef_of
from asset.frontends.asm.problems import Rejected
from asset.frontends.asm.values import Scalar, alike, common_parts, computed, defined
from asset.ir import nodes as n
from asset.span import Span


def quotient(a: int, b: int) -> int:
    """Rounded towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def remainder(a: int, b: int) -> int:
    """It has the sign of the dividend."""
    return abs(a) % abs(b) * (-1 if a < 0 else 1)


COMPUTE: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "div": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
    "quot": quotient,
    "rem": remainder,
    "^": lambda a, b: a**b if 0 <= b < 64 else _beyond(),
    "min": min,
    "max": max,
}
"""What each operator gives, of integers and of fractions."""

_DIVISIONS = ("div", "mod", "quot", "rem")

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
    if op == "/":
        return _ratio(left, right, span)
    kind = _kind_of_result(op, left, right, span)
    if op not in ("*", "^"):
        left, right = alike(left, right, span)
    codes = computed(COMPUTE[op], left, right)
    operands = left, right
    if op in _DIVISIONS:
        left, right = _there(left, 0, span), _there(right, 1, span)
    if op not in ("quot", "rem"):
        result = c.binary(span, _OPERATORS[op], left.expr, right.expr)
    elif _never_negative(left) and _never_negative(right):
        result = c.binary(span, n.BinaryOp.FLOORDIV if op == "quot" else n.BinaryOp.MOD, left.expr, right.expr)
    else:
        result = _towards_zero(op, left.expr, right.expr, span)
    return strict(result, operands, codes, span, kind)


def _there(operand: Scalar, otherwise: int, span: Span) -> Scalar:
    """The operand, or another number if it is `undef`: divisions by that, or of that, need not be looked at.

    What it can be is written as well, as numbers of SMV must be small in branches that are not taken, too."""
    if not operand.maybe:
        return operand
    expr = c.conditional(span, defined(operand, span), operand.expr, c.const(span, otherwise))
    if operand.within is None:
        return Scalar(expr, operand.kind)
    within = tuple(sorted({*operand.within, otherwise}))
    expr = c.binary(span, n.BinaryOp.MIN, expr, c.const(span, within[-1]))
    return Scalar(c.binary(span, n.BinaryOp.MAX, expr, c.const(span, within[0])), operand.kind, within=within)


def _kind_of_result(op: str, left: Scalar, right: Scalar, span: Span) -> Kind:
    """What the result is counted in."""
    parts = _parts(left), _parts(right)
    match op:
        case "*":
            return numbers(common_parts((parts[0] * parts[1],), span))
        case "^" if parts != (1, 1):
            known = c.known(right.expr)
            if known is None or known < 0 or parts[1] > 1:
                raise Rejected("a power of a fraction needs an exponent that is known", span, "write a product")
            return numbers(common_parts((parts[0] ** min(known, 64),), span))
        case "div" | "quot":
            return NUMBERS
    return numbers(common_parts(parts, span))


def _parts(value: Scalar) -> int:
    assert isinstance(value.kind, Numbers)
    return value.kind.per


def _ratio(left: Scalar, right: Scalar, span: Span) -> Scalar:
    """A fraction, counted in parts that fit whatever the divisor is: a / b is a times so many parts of b."""
    divisors = [code for code in right.codes or () if code]
    if not divisors:
        raise Rejected(
            "/ needs a divisor of which the text tells the values",
            span,
            "divide by a constant, or by a function with a finiteness constraint; idiv(a, b) is the whole part of any",
        )
    parts = common_parts((_parts(left) * lcm(*divisors),), span)
    whole = lcm(*divisors) * _parts(right)
    factor = c.binary(span, n.BinaryOp.FLOORDIV, c.const(span, whole), _there(right, 1, span).expr)
    codes = computed(lambda a, b: a * (whole // b), left, right) if 0 not in (right.codes or ()) else None
    return strict(c.binary(span, n.BinaryOp.MUL, left.expr, factor), (left, right), codes, span, numbers(parts))


def rounded(name: str, value: Scalar, span: Span) -> Scalar:
    """The integer that a function makes of a number: `rtoi` goes towards zero, `round` to the nearest."""
    per = _parts(value)
    if per == 1:
        return value
    one, twice = c.const(span, per), c.const(span, 2 * per)
    match name:
        case "floor":
            result = c.binary(span, n.BinaryOp.FLOORDIV, value.expr, one)
        case "ceil":
            result = c.negative(span, c.binary(span, n.BinaryOp.FLOORDIV, c.negative(span, value.expr), one))
        case "round":
            double = c.binary(span, n.BinaryOp.MUL, value.expr, c.const(span, 2))
            result = c.binary(span, n.BinaryOp.FLOORDIV, c.binary(span, n.BinaryOp.ADD, double, one), twice)
        case _:
            result = _towards_zero("quot", value.expr, one, span)
    codes = value.codes and tuple(sorted({int(ROUND[name](Fraction(code, per))) for code in value.codes}))
    return strict(result, (value,), codes, span)


ROUND: Mapping[str, Callable[[Fraction], int]] = {
    "floor": floor,
    "ceil": ceil,
    "round": lambda x: floor(x + Fraction(1, 2)),
    "rtoi": trunc,
    "rton": trunc,
}
"""What makes integers of numbers."""


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


def strict(
    result: n.Expr, operands: tuple[Scalar, ...], codes: tuple[int, ...] | None, span: Span, kind: Kind = NUMBERS
) -> Scalar:
    """The result, or `undef` if an operand is."""
    if kind is not NUMBERS and any(abs(code) > MOST_NUMBER for code in codes or ()):
        raise Rejected(f"a fraction that needs more than {MOST_NUMBER:,} parts", span, "choose smaller domains")
    unsure = [each for each in operands if each.maybe]
    if not unsure:
        return Scalar(result, kind, within=codes)
    there = c.conjunction(span, (defined(each, span) for each in unsure))
    missing = c.const(span, undef_of(NUMBERS))
    if codes is None:
        result = _not_undef(result, span)
    return Scalar(c.conditional(span, there, result, missing), kind, True, codes)
