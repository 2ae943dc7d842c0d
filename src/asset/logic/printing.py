"""Formulas as text: as a person reads them, and in SPIN's notation."""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Mapping

from asset.logic.formulas import (
    Always,
    And,
    Atom,
    Constant,
    Eventually,
    Exists,
    ForAll,
    Formula,
    Iff,
    Implies,
    Next,
    Not,
    Or,
    Release,
    StrongRelease,
    Until,
    WeakUntil,
)

Names = Callable[[Hashable], str]
Symbols = Mapping[type[Formula], str]

READABLE: Symbols = {
    Not: "!",
    And: " & ",
    Or: " | ",
    Implies: " -> ",
    Iff: " <-> ",
    Next: "X ",
    Eventually: "F ",
    Always: "G ",
    Until: " U ",
    WeakUntil: " W ",
    Release: " R ",
    StrongRelease: " M ",
}
SPIN: Symbols = {**READABLE, And: " && ", Or: " || ", Eventually: "<> ", Always: "[] ", Release: " V "}

UNARY = (Not, Next, Eventually, Always)
BINARY = (Until, WeakUntil, Release, StrongRelease)
LOOSENESS: dict[type[Formula], int] = {
    **dict.fromkeys((Constant, Atom, ForAll, Exists), 0),
    **dict.fromkeys(UNARY, 1),
    **dict.fromkeys(BINARY, 2),
    And: 3,
    Or: 4,
    Implies: 5,
    Iff: 5,
}
"""How loosely an operator binds; an operand that binds no tighter than its operator is put into brackets."""


def readable(formula: Formula, name: Names = str) -> str:
    """`G (waiting -> F served)`, and `AG (p -> AF q)`; the parser reads it back if the names are expressions."""
    return _text(formula, READABLE, name)


def spin(formula: Formula, name: Names = str) -> str:
    """`[] (waiting -> <> served)`."""
    return _text(formula, SPIN, name)


def _text(formula: Formula, symbols: Symbols, name: Names) -> str:
    def inside(operand: Formula) -> str:
        text = _text(operand, symbols, name)
        if isinstance(formula, UNARY) and isinstance(operand, UNARY):
            return text
        if isinstance(operand, Atom) and _is_loose(text, isinstance(formula, Not)):
            return f"({text})"
        return f"({text})" if LOOSENESS[type(operand)] >= LOOSENESS[type(formula)] > 0 else text

    match formula:
        case Constant(value):
            return "true" if value else "false"
        case Atom(key):
            return name(key)
        case ForAll(path):
            return _quantified("A", path, symbols, name)
        case Exists(path):
            return _quantified("E", path, symbols, name)
        case And(()):
            return "true"
        case Or(()):
            return "false"
        case Not() | Next() | Eventually() | Always():
            return symbols[type(formula)] + inside(formula.operands[0])
        case _:
            return symbols[type(formula)].join(inside(operand) for operand in formula.operands)


def _is_loose(name: str, negated: bool = False) -> bool:
    """Whether an atom is an expression of Python that an operator before it would tear apart: `p or q`. With `!` before
    it, `x == 3` could be read as `(!x) == 3`."""
    try:
        expression = ast.parse(name, mode="eval").body
    except SyntaxError:
        return False
    if negated and isinstance(expression, ast.Compare | ast.BinOp):
        return True
    is_not = isinstance(expression, ast.UnaryOp) and isinstance(expression.op, ast.Not)
    return is_not or isinstance(expression, ast.BoolOp | ast.IfExp | ast.Lambda)


def _quantified(letter: str, path: Formula, symbols: Symbols, name: Names) -> str:
    if isinstance(path, Next | Eventually | Always):
        operand = path.operands[0]
        text = _text(operand, symbols, name)
        loose = _is_loose(text) if isinstance(operand, Atom) else LOOSENESS[type(operand)] > 1
        return f"{letter}{READABLE[type(path)]}" + (f"({text})" if loose else text)
    if isinstance(path, BINARY):
        return f"{letter}[{_text(path, symbols, name)}]"
    return f"{letter}({_text(path, symbols, name)})"
