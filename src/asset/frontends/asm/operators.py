"""Operators between terms: of truth values, of sets, and comparisons."""

from __future__ import annotations

from collections.abc import Iterator

from asset.frontends.asm import tree as t
from asset.frontends.asm.problems import Rejected
from asset.frontends.asm.sets import difference, intersection, union
from asset.frontends.asm.values import Scalar, SetValue, Value, noun
from asset.ir import nodes as n


def of_sets(term: t.Binary, a: Value, b: Value) -> Value:
    span = term.span
    if not isinstance(a, SetValue) or not isinstance(b, SetValue):
        raise Rejected(f"{term.op} needs two sets, and these are {noun(a)} and {noun(b)}", span)
    match term.op:
        case "union" | "+":
            return union(a, b, span)
        case "intersect":
            return intersection(a, b, span)
        case "\\" | "-":
            return difference(a, b, span)
    raise Rejected(f"{term.op} is not defined for sets", span)


def conjuncts(term: t.Term) -> Iterator[t.Term]:
    if isinstance(term, t.Binary) and term.op == "and":
        yield from conjuncts(term.left)
        yield from conjuncts(term.right)
    else:
        yield term


def decided(op: str, left: Scalar, right: Scalar) -> bool | None:
    """What a comparison is, if all values that its sides may have agree on it."""
    a, b = left.codes, right.codes
    if not a or not b:
        return None
    match op:
        case "<" | ">=" if a[-1] < b[0]:
            return op == "<"
        case "<" | ">=" if a[0] >= b[-1]:
            return op == ">="
        case "<=" | ">" if a[-1] <= b[0]:
            return op == "<="
        case "<=" | ">" if a[0] > b[-1]:
            return op == ">"
    return None


COMPARE = {"<": n.BinaryOp.LT, "<=": n.BinaryOp.LE, ">": n.BinaryOp.GT, ">=": n.BinaryOp.GE}
