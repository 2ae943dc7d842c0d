"""Bounds of expressions, as far as they show at once: spares checks that can never fail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from asset.ir import nodes as n
from asset.ir.program import Variable
from asset.ir.types import BoolType

Interval = tuple[int, int]

_BOOLEAN = n.COMPARISONS


def interval(e: n.Expr, slots: Mapping[int, Interval], variables: Sequence[Variable]) -> Interval | None:
    """The smallest and the largest value that the expression can have, or None where nothing is known."""
    match e:
        case n.Const(value=value):
            return value, value
        case n.Local(slot=slot):
            return slots.get(slot)
        case n.Read(variable=number):
            return variables[number].type.lo, variables[number].type.hi
        case n.Table(values=values) if values:
            return min(values), max(values)
        case n.Unary(op=n.UnaryOp.NOT) | n.Fold(op=n.FoldOp.ANY | n.FoldOp.ALL):
            return 0, 1
        case n.Binary(op=op) if op in _BOOLEAN:
            return 0, 1
        case n.Binary(op=n.BinaryOp.MOD, right=n.Const(value=divisor)) if divisor > 0:
            return 0, divisor - 1
        case n.Binary(op=n.BinaryOp.ADD | n.BinaryOp.SUB as op, left=left, right=right):
            a, b = interval(left, slots, variables), interval(right, slots, variables)
            if a is None or b is None:
                return None
            return (a[0] + b[0], a[1] + b[1]) if op is n.BinaryOp.ADD else (a[0] - b[1], a[1] - b[0])
        case n.Conditional(then=then, orelse=orelse):
            a, b = interval(then, slots, variables), interval(orelse, slots, variables)
            return None if a is None or b is None else (min(a[0], b[0]), max(a[1], b[1]))
        case _:
            return None


def has_call(*roots: n.Node) -> bool:
    """Whether evaluating may change the state."""
    return any(isinstance(node, n.Call) for node in n.walk(*roots))


def is_plain(e: n.Expr) -> bool:
    """Whether evaluating it twice gives the same, and costs little."""
    return not any(isinstance(node, n.Call | n.Fold) for node in n.walk(e))


def is_boolean(e: n.Expr, variables: Sequence[Variable]) -> bool:
    """Whether Python would have a bool here, and not merely a number."""
    match e:
        case n.Unary(op=n.UnaryOp.NOT) | n.Fold(op=n.FoldOp.ANY | n.FoldOp.ALL):
            return True
        case n.Binary(op=op):
            return op in _BOOLEAN
        case n.Read(variable=number):
            return isinstance(variables[number].type, BoolType)
        case n.And(operands=operands) | n.Or(operands=operands):
            return all(is_boolean(operand, variables) for operand in operands)
        case _:
            return False
