"""Expressions whose value is known from the text: conditions of the preprocessor, lengths of arrays, capacities."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from asset.errors import ModelRejected
from asset.frontends.promela import syntax as s
from asset.frontends.promela.lexing import Kind, Token
from asset.frontends.promela.types import INT
from asset.span import Span

OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
    "%": lambda a, b: a - OPERATORS["/"](a, b) * b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<<": lambda a, b: a << (b & 31),
    ">>": lambda a, b: a >> (b & 31),
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "&&": lambda a, b: int(bool(a) and bool(b)),
    "||": lambda a, b: int(bool(a) or bool(b)),
}

Look = Callable[[s.Expr], int | None]


def constant(e: s.Expr, look: Look = lambda e: None) -> int | None:
    """The value, as C computes it; None if it is not known. `look` knows the values of references."""
    match e:
        case s.Number(value=value):
            return value
        case s.Unary(op=op, operand=operand):
            known = constant(operand, look)
            return None if known is None else INT.wrapped({"-": -known, "~": ~known, "!": int(not known)}[op])
        case s.Binary(op=op, left=left, right=right):
            a, b = constant(left, look), constant(right, look)
            if (op == "&&" and 0 in (a, b)) or (op == "||" and (a or b)):
                return int(op == "||")
            if a is None or b is None or (b == 0 and op in "/%"):
                return None
            return INT.wrapped(OPERATORS[op](a, b))
        case s.Conditional(test=test, then=then, orelse=orelse):
            known = constant(test, look)
            return None if known is None else constant(then if known else orelse, look)
    return look(e)


_OF_C = {r"'\0'": 0, r"'\a'": 7, r"'\b'": 8, r"'\v'": 11}
"""Characters that are others in C than in Promela."""


def _preprocessed(token: Token) -> Token:
    """A token of `#if`: names that are no macros are 0, and a number that begins with 0 is octal, as in C."""
    if token.kind is Kind.NAME:
        return replace(token, kind=Kind.NUMBER, text="0")
    if token.kind is Kind.NUMBER and re.fullmatch("0[0-7]+", token.text):
        return replace(token, text=str(int(token.text, 8)))
    if token.kind is Kind.NUMBER and token.text in _OF_C:
        return replace(token, text=str(_OF_C[token.text]))
    return token


def condition(tokens: Sequence[Token], at: Span) -> bool:
    """Whether the condition of `#if` holds."""
    from asset.frontends.promela.expressions import ConditionParser, Scope
    from asset.frontends.promela.token_stream import TokenStream

    stream = TokenStream([*map(_preprocessed, tokens), Token(Kind.END, "", at)])
    value = constant(ConditionParser(stream, Scope()).expression())
    if value is None or stream.now.kind is not Kind.END:
        raise ModelRejected.of("this condition cannot be evaluated", at, "use numbers, macros and defined()")
    return bool(value)
