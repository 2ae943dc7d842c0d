"""Formulas of `ltl` blocks as properties: an invariant if one state answers it, otherwise temporal logic in calls."""

from __future__ import annotations

import re

from asset.frontends.promela.in_python.expressions import opposite
from asset.frontends.promela.in_python.names import Unsaid
from asset.logic import formulas as f
from asset.logic.python_words import PYTHON_WORDS
from asset.span import Span

_OR, _AND, _NOT, _ATOM = range(4)


def is_invariant(formula: f.Formula) -> bool:
    return isinstance(formula, f.Always) and _of_one_state(formula.operand)


def _of_one_state(formula: f.Formula) -> bool:
    if isinstance(formula, f.Atom | f.Constant):
        return True
    return isinstance(formula, f.Not | f.And | f.Or) and all(map(_of_one_state, formula.operands))


def written(formula: f.Formula, span: Span) -> str:
    """The formula, whose atoms are code of Python."""
    return _written(formula, span, _OR)


def _written(formula: f.Formula, span: Span, level: int) -> str:
    """The same where operators bind so tightly."""
    match formula:
        case f.Constant(value=value):
            return str(value)
        case f.Atom(key=str() as code):
            return _within(code, _loosest(code), level)
        case f.Not(operand=f.Atom(key=str() as code)) if opposite(code) is not None:
            return str(opposite(code))
        case f.Not(operand=operand):
            return _within(f"not {_written(operand, span, _NOT)}", _NOT, level)
        case f.And(operands=operands):
            return _within(" and ".join(_written(each, span, _AND) for each in operands), _AND, level)
        case f.Or(operands=operands):
            return _within(" or ".join(_written(each, span, _NOT) for each in operands), _OR, level)
        case f.Iff():
            left, right = (_written(each, span, _OR) for each in formula.operands)
            return _within(f"implies({left}, {right}) and implies({right}, {left})", _AND, level)
    if type(formula) not in PYTHON_WORDS:
        remedy = "write it with [], <>, X and U"
        raise Unsaid(f"{type(formula).__name__} in a formula", span, remedy)
    return f"{PYTHON_WORDS[type(formula)]}({', '.join(_written(each, span, _OR) for each in formula.operands)})"


def _loosest(code: str) -> int:
    """The operator of the code that binds least, as far as its words show."""
    if re.search(r"\b(or|if)\b", code):
        return _OR
    if re.search(r"\band\b", code):
        return _AND
    return _NOT if code.startswith("not ") else _ATOM


def _within(code: str, own: int, level: int) -> str:
    return code if own >= level else f"({code})"
