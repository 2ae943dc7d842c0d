"""Expressions of the IR: how they are put together, and what is plain to see of them.

Bounds that are plain to see spare checks that can never fail.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

from asset.ir import nodes as n
from asset.ir.program import Variable
from asset.ir.types import BoolType
from asset.span import Span

NumberBounds = tuple[int, int]
"""The smallest and the largest value of a number."""


def conjunction(tests: Sequence[n.Expr], span: Span) -> n.Expr:
    """Whether all tests are true."""
    if not tests:
        return n.Const(span, 1)
    return tests[0] if len(tests) == 1 else n.And(span, tuple(tests))


def disjunction(tests: Sequence[n.Expr], span: Span) -> n.Expr:
    """Whether a test is true."""
    if not tests:
        return n.Const(span, 0)
    return tests[0] if len(tests) == 1 else n.Or(span, tuple(tests))


def from_left(op: n.BinaryOp, parts: Sequence[n.Expr], span: Span) -> n.Expr:
    """`a op b op …`, from left to right."""
    return reduce(lambda left, right: n.Binary(span, op, left, right), parts)


def affine(k: n.Expr, shift: int, factor: int, span: Span) -> n.Expr:
    """shift + factor * k, computed now if k is known."""
    known = constant(k)
    if known is not None:
        return n.Const(span, shift + factor * known)
    scaled = k if factor == 1 else n.Binary(span, n.BinaryOp.MUL, k, n.Const(span, factor))
    return scaled if shift == 0 else n.Binary(span, n.BinaryOp.ADD, scaled, n.Const(span, shift))


def rounds(span: Span, slot: int, count: int, binds: Sequence[n.Bind] = ()) -> n.Generator:
    """`for slot in range(count)`, with what is bound in each round."""
    return n.Generator(span, slot, n.Const(span, 0), n.Const(span, count), n.Const(span, 1), tuple(binds))


def constant(e: n.Expr) -> int | None:
    """The expression's value, if it is a constant."""
    return e.value if isinstance(e, n.Const) else None


def bounds_of(e: n.Expr, slots: Mapping[int, NumberBounds], variables: Sequence[Variable]) -> NumberBounds | None:
    """The smallest and the largest value that the expression can have, or None if nothing is known."""
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
        case n.Binary(op=op) if op in n.COMPARISONS:
            return 0, 1
        case n.Binary(op=n.BinaryOp.MOD, right=n.Const(value=divisor)) if divisor > 0:
            return 0, divisor - 1
        case n.Binary(op=n.BinaryOp.ADD | n.BinaryOp.SUB as op, left=left, right=right):
            a, b = bounds_of(left, slots, variables), bounds_of(right, slots, variables)
            if a is None or b is None:
                return None
            return (a[0] + b[0], a[1] + b[1]) if op is n.BinaryOp.ADD else (a[0] - b[1], a[1] - b[0])
        case n.Conditional(then=then, orelse=orelse):
            a, b = bounds_of(then, slots, variables), bounds_of(orelse, slots, variables)
            return None if a is None or b is None else (min(a[0], b[0]), max(a[1], b[1]))
        case _:
            return None


def has_call(*roots: n.Node) -> bool:
    """Whether evaluating may change the state."""
    return any(isinstance(node, n.Call) for node in n.walk(*roots))


def is_plain(e: n.Expr) -> bool:
    """Whether evaluating it twice gives the same, and costs little."""
    return not any(isinstance(node, n.Call | n.Fold) for node in n.walk(e))


def is_atom(e: n.Expr) -> bool:
    """Whether it is a constant, a local variable or a state variable: evaluating it again changes nothing."""
    return isinstance(e, n.Const | n.Local) or (isinstance(e, n.Read) and not e.indices)


def is_boolean(e: n.Expr, variables: Sequence[Variable]) -> bool:
    """Whether Python would have a bool here, and not merely a number."""
    match e:
        case n.Unary(op=n.UnaryOp.NOT) | n.Fold(op=n.FoldOp.ANY | n.FoldOp.ALL):
            return True
        case n.Binary(op=op):
            return op in n.COMPARISONS
        case n.Read(variable=number):
            return isinstance(variables[number].type, BoolType)
        case n.And(operands=operands) | n.Or(operands=operands):
            return all(is_boolean(operand, variables) for operand in operands)
        case _:
            return False
