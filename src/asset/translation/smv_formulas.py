"""Formulas of temporal logic in the notation of SMV."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from asset.logic import formulas as f

AtomText = Callable[[Hashable], str]


def ltl(formula: f.Formula, atom: AtomText) -> str:
    """A formula of LTL; W and M are spelled out, as not every version of SMV has them."""
    match formula:
        case f.Next() | f.Eventually() | f.Always():
            return f"{_UNARY[type(formula)]} {ltl(formula.operands[0], atom)}"
        case f.Until(left, right):
            return f"({ltl(left, atom)} U {ltl(right, atom)})"
        case f.Release(left, right):
            return f"({ltl(left, atom)} V {ltl(right, atom)})"
        case f.WeakUntil(left, right):
            a, b = ltl(left, atom), ltl(right, atom)
            return f"(G {a} | ({a} U {b}))"
        case f.StrongRelease(left, right):
            a, b = ltl(left, atom), ltl(right, atom)
            return f"({b} U ({a} & {b}))"
    return _boolean(formula, atom, ltl)


def ctl(formula: f.Formula, atom: AtomText) -> str:
    """A formula of CTL."""
    if not isinstance(formula, f.ForAll | f.Exists):
        return _boolean(formula, atom, ctl)
    path, every = formula.path, isinstance(formula, f.ForAll)
    letter = "A" if every else "E"
    operands = [ctl(each, atom) for each in path.operands]
    match path:
        case f.Next() | f.Eventually() | f.Always():
            return f"{letter}{_UNARY[type(path)]} {operands[0]}"
        case f.Until():
            return f"{letter} [{operands[0]} U {operands[1]}]"
        case f.StrongRelease():
            return f"{letter} [{operands[1]} U ({operands[0]} & {operands[1]})]"
        case f.Release():
            return f"!{_other(letter)} [!{operands[0]} U !{operands[1]}]"
        case f.WeakUntil():
            return f"!{_other(letter)} [!{operands[1]} U (!{operands[0]} & !{operands[1]})]"
    raise AssertionError(path)


def _other(letter: str) -> str:
    return "E" if letter == "A" else "A"


_UNARY: dict[type[f.Formula], str] = {f.Next: "X", f.Eventually: "F", f.Always: "G"}


def _boolean(formula: f.Formula, atom: AtomText, inner: Callable[[f.Formula, AtomText], str]) -> str:
    match formula:
        case f.Constant(value):
            return "TRUE" if value else "FALSE"
        case f.Atom(key):
            return atom(key)
        case f.Not(operand):
            return f"!{inner(operand, atom)}"
        case f.And(parts):
            return f"({' & '.join(inner(each, atom) for each in parts)})" if parts else "TRUE"
        case f.Or(parts):
            return f"({' | '.join(inner(each, atom) for each in parts)})" if parts else "FALSE"
        case f.Implies(left, right):
            return f"({inner(left, atom)} -> {inner(right, atom)})"
        case f.Iff(left, right):
            return f"({inner(left, atom)} <-> {inner(right, atom)})"
    raise AssertionError(formula)
