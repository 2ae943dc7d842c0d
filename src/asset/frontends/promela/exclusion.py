"""Whether at most one of several steps can be taken, or at least one, as far as their text shows it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from asset.frontends.promela import syntax as s
from asset.frontends.promela.constants import constant
from asset.frontends.promela.control import Step

_HOLDS = {"<": {-1}, "<=": {-1, 0}, "==": {0}, ">=": {0, 1}, ">": {1}, "!=": {-1, 1}}
"""The orders of the two sides in which a comparison holds."""
_ORDERS = {-1, 0, 1}
_MIRRORED = {"<": ">", "<=": ">=", "==": "==", ">=": "<=", ">": "<", "!=": "!="}


def exclusive(steps: Sequence[Step]) -> bool:
    return all(_exclude(a, b) for a, b in combinations(steps, 2))


def exhaustive(steps: Sequence[Step]) -> bool:
    """Whether two of them compare the same two things, so that one of them can be taken."""
    tests = [step.statement.value for step in steps if isinstance(step.statement, s.Condition)]
    return any(cover(a, b) for a, b in combinations(tests, 2))


def cover(a: s.Expr, b: s.Expr) -> bool:
    """Whether one of them holds."""
    for x, y in ((a, b), (b, a)):
        if isinstance(x, s.Unary) and x.op == "!" and same(x.operand, y):
            return True
    if not isinstance(a, s.Binary) or not isinstance(b, s.Binary) or a.op not in _HOLDS or b.op not in _HOLDS:
        return False
    return same(a.left, b.left) and same(a.right, b.right) and len(_HOLDS[a.op] | _HOLDS[b.op]) == len(_ORDERS)


def _exclude(a: Step, b: Step) -> bool:
    if isinstance(b.statement, s.Else) or (a.escape is not b.escape and a.escape is not None):
        return True
    first, second = a.statement, b.statement
    if not isinstance(first, s.Condition) or not isinstance(second, s.Condition):
        return False
    return contradict(first.value, second.value)


def contradict(a: s.Expr, b: s.Expr) -> bool:
    """Whether they cannot both hold."""
    for x, y in ((a, b), (b, a)):
        if isinstance(x, s.Binary) and x.op == "&&" and (contradict(x.left, y) or contradict(x.right, y)):
            return True
        if isinstance(x, s.Unary) and x.op == "!" and any(same(each, y) for each in _disjuncts(x.operand)):
            return True
    if not isinstance(a, s.Binary) or not isinstance(b, s.Binary) or a.op not in _HOLDS or b.op not in _HOLDS:
        return False
    if same(a.left, b.left) and same(a.right, b.right):
        return not _HOLDS[a.op] & _HOLDS[b.op]
    if same(a.left, b.right) and same(a.right, b.left):
        return not _HOLDS[a.op] & _HOLDS[_MIRRORED[b.op]]
    values = constant(a.right), constant(b.right)
    return a.op == b.op == "==" and same(a.left, b.left) and None not in values and values[0] != values[1]


def _disjuncts(e: s.Expr) -> list[s.Expr]:
    """The expression, and what it follows from."""
    return [e, *_disjuncts(e.left), *_disjuncts(e.right)] if isinstance(e, s.Binary) and e.op == "||" else [e]


def same(a: object, b: object) -> bool:
    """Whether two expressions are the same text, about the same variables."""
    if type(a) is not type(b):
        return False
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, s.Node | s.Part):
        names = [f for kind in type(a).__mro__ for f in getattr(kind, "__slots__", ()) if f != "span"]
        return all(same(getattr(a, name), getattr(b, name)) for name in names)
    return a is b or (not isinstance(a, s.Declaration) and a == b)
