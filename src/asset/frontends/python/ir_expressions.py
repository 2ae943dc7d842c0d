"""Expressions of the IR: how they are put together, and what is plain to see of them.

Bounds that are plain to see spare checks that can never fail.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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


_COMBINED: Mapping[n.BinaryOp, Callable[[NumberBounds, NumberBounds], NumberBounds]] = {
    n.BinaryOp.ADD: lambda a, b: (a[0] + b[0], a[1] + b[1]),
    n.BinaryOp.SUB: lambda a, b: (a[0] - b[1], a[1] - b[0]),
    n.BinaryOp.MIN: lambda a, b: (min(a[0], b[0]), min(a[1], b[1])),
    n.BinaryOp.MAX: lambda a, b: (max(a[0], b[0]), max(a[1], b[1])),
}
"""What is known of the result, by what is known of the operands."""


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
        case n.Binary(op=op, left=left, right=right) if op in _COMBINED:
            a, b = bounds_of(left, slots, variables), bounds_of(right, slots, variables)
            return None if a is None or b is None else _COMBINED[op](a, b)
        case n.Binary(op=n.BinaryOp.FLOORDIV, left=left, right=n.Const(value=divisor)) if divisor > 0:
            a = bounds_of(left, slots, variables)
            return None if a is None else (a[0] // divisor, a[1] // divisor)
        case n.Fold(op=n.FoldOp.SUM, generators=generators, element=element):
            rounds, a = _most_rounds(generators, slots, variables), bounds_of(element, slots, variables)
            return None if rounds is None or a is None else (min(0, a[0] * rounds), max(0, a[1] * rounds))
        case n.Conditional(then=then, orelse=orelse):
            return _around([bounds_of(part, slots, variables) for part in (then, orelse)])
        case n.And(operands=operands) | n.Or(operands=operands):  # one of them is handed on
            return _around([bounds_of(part, slots, variables) for part in operands])
        case _:
            return None


def _around(parts: Sequence[NumberBounds | None]) -> NumberBounds | None:
    known = [part for part in parts if part is not None]
    return (min(a for a, _ in known), max(b for _, b in known)) if len(known) == len(parts) else None


def _most_rounds(
    generators: Sequence[n.Generator], slots: Mapping[int, NumberBounds], variables: Sequence[Variable]
) -> int | None:
    """The most rounds that they make together, if that is plain to see."""
    rounds = 1
    for generator in generators:
        first, last = (bounds_of(e, slots, variables) for e in (generator.start, generator.stop))
        if first is None or last is None or constant(generator.step) != 1:
            return None
        rounds *= max(0, last[1] - first[0])
    return rounds


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
