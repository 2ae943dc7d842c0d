"""Operators: arithmetic, comparisons, membership, boolean operators. What is known now is computed now."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Sequence
from enum import IntEnum
from functools import reduce
from typing import Any

from asset.frontends.python.compounds import Compounds
from asset.frontends.python.intervals import has_call, is_plain
from asset.frontends.python.shapes.sets import OPERATORS, ORDERS, Sets
from asset.frontends.python.values import (
    ArrayRef,
    Compound,
    RangeOf,
    RecordOf,
    Scalar,
    SetOf,
    Static,
    TableRef,
    TupleOf,
    Value,
    constant,
)
from asset.ir import nodes as n
from asset.ir.shapes import OptionalShape, SetShape
from asset.span import Span

BINARY: dict[type[ast.operator], tuple[n.BinaryOp, Callable[[Any, Any], Any]]] = {
    ast.Add: (n.BinaryOp.ADD, operator.add),
    ast.Sub: (n.BinaryOp.SUB, operator.sub),
    ast.Mult: (n.BinaryOp.MUL, operator.mul),
    ast.FloorDiv: (n.BinaryOp.FLOORDIV, operator.floordiv),
    ast.Mod: (n.BinaryOp.MOD, operator.mod),
    ast.Pow: (n.BinaryOp.POW, operator.pow),
    ast.LShift: (n.BinaryOp.LSHIFT, operator.lshift),
    ast.RShift: (n.BinaryOp.RSHIFT, operator.rshift),
    ast.BitAnd: (n.BinaryOp.AND, operator.and_),
    ast.BitOr: (n.BinaryOp.OR, operator.or_),
    ast.BitXor: (n.BinaryOp.XOR, operator.xor),
}

COMPARE: dict[type[ast.cmpop], tuple[n.BinaryOp, Callable[[Any, Any], bool]]] = {
    ast.Eq: (n.BinaryOp.EQ, operator.eq),
    ast.NotEq: (n.BinaryOp.NE, operator.ne),
    ast.Lt: (n.BinaryOp.LT, operator.lt),
    ast.LtE: (n.BinaryOp.LE, operator.le),
    ast.Gt: (n.BinaryOp.GT, operator.gt),
    ast.GtE: (n.BinaryOp.GE, operator.ge),
}

UNARY: dict[type[ast.unaryop], tuple[n.UnaryOp, Callable[[Any], Any]]] = {
    ast.USub: (n.UnaryOp.NEGATE, operator.neg),
    ast.Invert: (n.UnaryOp.INVERT, operator.invert),
    ast.Not: (n.UnaryOp.NOT, operator.not_),
}

LARGEST_POWER = 64


class Operators(Compounds):
    # --- arithmetic -----------------------------------------------------------------------------------------------

    def binary(self, node: ast.BinOp) -> Value:
        left = self.evaluate(node.left)
        right = self.evaluate(node.right)
        return self.arithmetic(node.op, (left, node.left), (right, node.right), node)

    def arithmetic(
        self,
        op: ast.operator,
        left: tuple[Value, ast.expr],
        right: tuple[Value, ast.expr],
        node: ast.expr | ast.stmt,
    ) -> Value:
        if isinstance(op, ast.Div):
            self.reject(node, "/ gives a fraction, and the language has integers only", "write // (it rounds down)")
        if type(op) not in BINARY:
            self.reject(node, "@ is not part of the language")
        kind, compute = BINARY[type(op)]
        if isinstance(left[0], Static) and isinstance(right[0], Static):
            known = _computed(compute, left[0].value, right[0].value)
            if known is not None:
                return Static(known)
        first = self.through(*left)
        if isinstance(first, Compound) and isinstance(first.shape, SetShape) and kind in OPERATORS:
            return Sets(self, first).combined(kind, right[0], right[1])
        return Scalar(n.Binary(self.span(node), kind, self.number(*left), self.number(*right)))

    def unary(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            test = self.condition(node.operand)
            return Static(not test) if isinstance(test, bool) else Scalar(n.Unary(self.span(node), n.UnaryOp.NOT, test))
        value = self.evaluate(node.operand)
        if isinstance(node.op, ast.UAdd):
            return Scalar(self.number(value, node.operand))
        kind, compute = UNARY[type(node.op)]
        if isinstance(value, Static) and isinstance(value.value, int):
            return Static(compute(int(value.value)))
        return Scalar(n.Unary(self.span(node), kind, self.number(value, node.operand)))

    # --- and, or, if-else -----------------------------------------------------------------------------------------

    def boolean(self, node: ast.BoolOp) -> Value:
        """The operands that decide: one known now either ends the evaluation or does not matter."""
        is_and = isinstance(node.op, ast.And)
        operands: list[n.Expr] = []
        for position, part in enumerate(node.values):
            last = position == len(node.values) - 1
            tested = self.tested is node
            self.tested = part if tested else self.tested
            value = self.evaluate(part)
            self.tested = node if tested else self.tested
            if isinstance(value, Compound) and (tested or not last):
                value = self._decided(value, part, tested)
            if isinstance(value, Static) and not isinstance(value.value, list | dict | set | float):
                decides = bool(value.value) != is_and
                if not operands and (decides or last):
                    return value
                if not decides and not last:
                    continue
                operands.append(self.number(value, part))
                if decides:
                    break
                continue
            operands.append(self.number(value, part))
        if len(operands) == 1:
            return Scalar(operands[0])
        return Scalar((n.And if is_and else n.Or)(self.span(node), tuple(operands)))

    def _decided(self, value: Compound, node: ast.expr, tested: bool) -> Value:
        """What an operand decides, where nothing but its truth matters."""
        if isinstance(value.shape, OptionalShape) and not tested:
            self.reject(
                node, f"{value.name} is None or a value, which and and or would hand on", "compare it with None"
            )
        test = self.truth(value, node)
        return Static(test) if isinstance(test, bool) else Scalar(test)

    def conditional(self, node: ast.IfExp) -> Value:
        test = self.condition(node.test)
        if isinstance(test, bool):
            return self.evaluate(node.body if test else node.orelse)
        then, orelse = self.scalar(node.body), self.scalar(node.orelse)
        return Scalar(n.Conditional(self.span(node), test, then, orelse))

    # --- comparisons ----------------------------------------------------------------------------------------------

    def comparison(self, node: ast.Compare) -> Value:
        if len(node.ops) == 1:
            left = self.evaluate(node.left)
            return self._compare(node.ops[0], (left, node.left), node.comparators[0], node)
        return self._chain(node)

    def _compare(self, op: ast.cmpop, left: tuple[Value, ast.expr], right: ast.expr, node: ast.Compare) -> Value:
        if isinstance(op, ast.In | ast.NotIn):
            found = self._membership(left, right, node)
            return found if isinstance(op, ast.In) else self._negated(found, node)
        other = self.evaluate(right)
        if isinstance(op, ast.Is | ast.IsNot):
            return self._identity(op, left[0], other, node)
        kind, compute = COMPARE[type(op)]
        if any(isinstance(v, Compound | RecordOf | TupleOf) for v in (left[0], other)):
            return self._compare_compounds(kind, left, (other, right), node)
        if isinstance(left[0], Static) and isinstance(other, Static):
            return Static(_compared(compute, left[0].value, other.value, lambda: self._reject_order(node)))
        if isinstance(left[0], ArrayRef) and isinstance(other, ArrayRef) and kind in (n.BinaryOp.EQ, n.BinaryOp.NE):
            return self._arrays_equal(left[0], other, kind, node)
        return Scalar(n.Binary(self.span(node), kind, self.number(*left), self.number(other, right)))

    def _compare_compounds(
        self, kind: n.BinaryOp, left: tuple[Value, ast.expr], right: tuple[Value, ast.expr], node: ast.Compare
    ) -> Value:
        if kind in (n.BinaryOp.EQ, n.BinaryOp.NE):
            equal = Scalar(self.equal(left[0], right[0], node))
            return equal if kind is n.BinaryOp.EQ else self._negated(equal, node)
        first = self.through(*left)
        if isinstance(first, Compound) and isinstance(first.shape, SetShape) and kind in ORDERS:
            return Scalar(Sets(self, first).compared(kind, right[0], node))
        return Scalar(n.Binary(self.span(node), kind, self.number(*left), self.number(*right)))

    def _reject_order(self, node: ast.Compare) -> None:
        self.reject(node, "these cannot be compared")

    def _negated(self, value: Value, node: ast.expr) -> Value:
        if isinstance(value, Static):
            return Static(not value.value)
        return Scalar(n.Unary(self.span(node), n.UnaryOp.NOT, self.number(value, node)))

    def _identity(self, op: ast.cmpop, left: Value, right: Value, node: ast.Compare) -> Value:
        if None not in [v.value if isinstance(v, Static) else 0 for v in (left, right)]:
            same = "==" if isinstance(op, ast.Is) else "!="
            self.reject(node, "'is' compares objects, and numbers are not objects here", f"write {same}")
        for value in (left, right):
            if isinstance(value, Compound) and isinstance(value.shape, OptionalShape):
                none = Scalar(self.equal(value, Static(None), node))
                return none if isinstance(op, ast.Is) else self._negated(none, node)
        identical = all(isinstance(v, Static) and v.value is None for v in (left, right))
        return Static(identical == isinstance(op, ast.Is))

    def _arrays_equal(self, left: ArrayRef, right: ArrayRef, kind: n.BinaryOp, node: ast.expr) -> Value:
        if left.dims != right.dims:
            return Static(kind is n.BinaryOp.NE)
        span = self.span(node)
        counters = [self.new_slot(f"{left.name}.at") for _ in left.dims]
        generators = tuple(_counting(span, slot, size) for slot, size in zip(counters, left.dims, strict=True))
        inner = tuple(n.Local(span, slot) for slot in counters)
        cells = [n.Read(span, a.variable, (*self.checked_indices(a, node), *inner)) for a in (left, right)]
        equal = n.Fold(span, n.FoldOp.ALL, generators, n.Binary(span, n.BinaryOp.EQ, cells[0], cells[1]))
        return Scalar(equal if kind is n.BinaryOp.EQ else n.Unary(span, n.UnaryOp.NOT, equal))

    def _chain(self, node: ast.Compare) -> Value:
        """`a < b < c`: each operand is evaluated once, from left to right, and only as far as needed."""
        if any(isinstance(op, ast.In | ast.NotIn | ast.Is | ast.IsNot) for op in node.ops):
            self.reject(node, "in and is cannot be chained", "write the comparisons with and")
        span = self.span(node)
        values = [(self.evaluate(part), part) for part in (node.left, *node.comparators)]
        if any(isinstance(value, Compound) for value, _ in values):
            self.reject(node, "only numbers can be compared in a chain", "write the comparisons with and")
        operands = [self.number(*value) for value in values]
        kinds = [COMPARE[type(op)][0] for op in node.ops]
        known = [constant(operand) for operand in operands]
        if None not in known:
            computes = [COMPARE[type(op)][1] for op in node.ops]
            return Static(all(c(a, b) for c, a, b in zip(computes, known[:-1], known[1:], strict=True)))
        if any(has_call(operand) for operand in operands[1:]):
            return Scalar(self._chained(kinds, operands, span))
        pairs = zip(kinds, operands[:-1], operands[1:], strict=True)
        tests = tuple(n.Binary(span, kind, a, b) for kind, a, b in pairs)
        return Scalar(n.And(span, tests))

    def _chained(self, kinds: Sequence[n.BinaryOp], operands: Sequence[n.Expr], span: Span) -> n.Expr:
        """A chain whose operands may change the state: each is bound to a slot when its turn comes."""
        left, right = operands[0], operands[1]
        if len(kinds) == 1:
            return n.Binary(span, kinds[0], left, right)
        slots = [self.new_slot("chain"), self.new_slot("chain")]
        first, second = (n.Local(span, slot) for slot in slots)
        rest = self._chained(kinds[1:], [second, *operands[2:]], span)
        test = n.And(span, (n.Binary(span, kinds[0], first, second), rest))
        return self.let(slots, [left, right], test, span)

    def let(self, slots: Sequence[int], values: Sequence[n.Expr], condition: n.Expr, span: Span) -> n.Expr:
        """The condition's truth, with the slots bound to the values in order: a fold of one round."""
        binds = tuple(n.Bind(value.span, slot, value) for slot, value in zip(slots, values, strict=True))
        once = n.Generator(span, self.new_slot("once"), n.Const(span, 0), n.Const(span, 1), n.Const(span, 1), binds)
        return n.Fold(span, n.FoldOp.ANY, (once,), condition)

    # --- membership -----------------------------------------------------------------------------------------------

    def _membership(self, left: tuple[Value, ast.expr], right: ast.expr, node: ast.expr) -> Value:
        container = self.evaluate(right)
        if isinstance(left[0], Static) and isinstance(container, Static):
            return Static(self._known_membership(left[0].value, container.value, node))
        if isinstance(container, Compound):
            return Scalar(self.lowered(container).contains(left[0], node))
        if isinstance(left[0], Compound | RecordOf):
            return self._compound_among(left[0], container, node)
        element, span = self.number(*left), self.span(node)
        match container:
            case Static(range() as values) if values.step == 1:
                return Scalar(self._between(element, n.Const(span, values.start), n.Const(span, values.stop), span))
            case Static(tuple() | range() as values):
                return self._among(element, [self.number(Static(v), right) for v in values], span)
            case Static(type() as cls) if issubclass(cls, IntEnum):
                return self._among(element, [n.Const(span, int(member)) for member in cls], span)
            case TupleOf(items) | SetOf(items):
                assert isinstance(right, ast.Tuple | ast.Set)
                parts = [self.number(item, part) for item, part in zip(items, right.elts, strict=True)]
                return self._among(element, parts, span)
            case RangeOf(start, stop, step) if constant(step) == 1:
                return Scalar(self._between(element, start, stop, span))
            case ArrayRef(dims=(size,)):
                return Scalar(self._in_array(element, container, size, node))
            case TableRef():
                self.reject(node, "membership in a row of a table is not part of the language", "use any(... for ...)")
            case _:
                self.reject(node, "this cannot be searched", "use a tuple, a range or an Array of numbers")

    def _compound_among(self, element: Value, container: Value, node: ast.expr) -> Value:
        """Whether a compound value equals one of those in a tuple that is written out."""
        return Scalar(self.is_among(element, self.items_of(container, node), node))

    def _known_membership(self, element: object, container: object, node: ast.expr) -> bool:
        if isinstance(container, type) and issubclass(container, IntEnum):
            return any(element == member for member in container)
        if not isinstance(container, tuple | range | str):
            self.reject(node, "this cannot be searched", "use a tuple, a range or an Array of numbers")
        return element in container

    def _among(self, element: n.Expr, values: list[n.Expr], span: Span) -> Value:
        """Whether the element equals one of the values, all of which are evaluated."""
        if not values:
            return Static(False)
        if is_plain(element) and all(_cannot_fail(value) for value in values):
            return Scalar(_any_equal(element, values, span))
        slots = [self.new_slot("in") for _ in range(len(values) + 1)]
        held: list[n.Expr] = [n.Local(span, slot) for slot in slots]
        return Scalar(self.let(slots, [element, *values], _any_equal(held[0], held[1:], span), span))

    def _between(self, element: n.Expr, start: n.Expr, stop: n.Expr, span: Span) -> n.Expr:
        """start <= element < stop, with everything evaluated once."""
        if is_plain(element) and _cannot_fail(start) and _cannot_fail(stop):
            return _within(element, start, stop, span)
        slots = [self.new_slot("in") for _ in range(3)]
        held: list[n.Expr] = [n.Local(span, slot) for slot in slots]
        return self.let(slots, [element, start, stop], _within(held[0], held[1], held[2], span), span)

    def _in_array(self, element: n.Expr, array: ArrayRef, size: int, node: ast.expr) -> n.Expr:
        span = self.span(node)
        slot, counter = self.new_slot("in"), self.new_slot(f"{array.name}.at")
        sought = element if _cannot_fail(element) else n.Local(span, slot)
        indices = (*self.checked_indices(array, node), n.Local(span, counter))
        equal = n.Binary(span, n.BinaryOp.EQ, n.Read(span, array.variable, indices), sought)
        search = n.Fold(span, n.FoldOp.ANY, (_counting(span, counter, size),), equal)
        return search if sought is element else self.let([slot], [element], search, span)


def _counting(span: Span, slot: int, size: int) -> n.Generator:
    return n.Generator(span, slot, n.Const(span, 0), n.Const(span, size), n.Const(span, 1))


def _cannot_fail(e: n.Expr) -> bool:
    """Whether evaluating it again, or not at all, makes no difference."""
    return isinstance(e, n.Const | n.Local) or (isinstance(e, n.Read) and not e.indices)


def _any_equal(element: n.Expr, values: Sequence[n.Expr], span: Span) -> n.Expr:
    tests = tuple(n.Binary(span, n.BinaryOp.EQ, element, value) for value in values)
    return tests[0] if len(tests) == 1 else n.Or(span, tests)


def _within(element: n.Expr, start: n.Expr, stop: n.Expr, span: Span) -> n.Expr:
    low = n.Binary(span, n.BinaryOp.LE, start, element)
    return n.And(span, (low, n.Binary(span, n.BinaryOp.LT, element, stop)))


def _computed(compute: Callable[[Any, Any], Any], left: object, right: object) -> int | tuple[object, ...] | None:
    """The result where both are numbers or tuples and it is defined; else it is left to run time."""
    if not isinstance(left, int | tuple) or not isinstance(right, int | tuple):
        return None
    if compute in (operator.pow, operator.lshift) and not (isinstance(right, int) and 0 <= right <= LARGEST_POWER):
        return None
    try:
        result = compute(left, right)
    except (ArithmeticError, ValueError, TypeError):
        return None
    return result if isinstance(result, int | tuple) else None


def _compared(
    compute: Callable[[Any, Any], bool], left: object, right: object, incomparable: Callable[[], None]
) -> bool:
    try:
        return bool(compute(left, right))
    except TypeError:
        incomparable()
        raise


def sum_of(op: n.BinaryOp, parts: Sequence[n.Expr], span: Span) -> n.Expr:
    """`a op b op …`, from left to right."""
    return reduce(lambda left, right: n.Binary(span, op, left, right), parts)
