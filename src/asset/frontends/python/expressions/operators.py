"""Arithmetic and boolean operators. What is known now is computed now."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn

from asset.frontends.python.body import Body, Evaluation
from asset.frontends.python.compounds import Compounds
from asset.frontends.python.constants import Listed, is_immutable
from asset.frontends.python.problems import Rejected
from asset.frontends.python.shapes.bounded_sets import BoundedSets
from asset.frontends.python.shapes.plain_sets import PlainSets
from asset.frontends.python.shapes.sets import OPERATORS, Sets
from asset.frontends.python.values import (
    Compound,
    Computed,
    Scalar,
    Static,
    TupleOf,
    Value,
    known_integer,
    tuple_items,
)
from asset.ir import nodes as n
from asset.ir.shapes import (
    ArrayShape,
    BagShape,
    BoundedSetShape,
    Collection,
    LocalShape,
    MapShape,
    OptionalShape,
    QueueShape,
    RecordShape,
    RefShape,
    SetShape,
    Shape,
    TupleShape,
    UnionShape,
)

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

UNARY: dict[type[ast.unaryop], tuple[n.UnaryOp, Callable[[Any], Any]]] = {
    ast.USub: (n.UnaryOp.NEGATE, operator.neg),
    ast.Invert: (n.UnaryOp.INVERT, operator.invert),
    ast.Not: (n.UnaryOp.NOT, operator.not_),
}

LARGEST_POWER = 64


class Operators:
    def __init__(self, body: Body, evaluation: Evaluation, compounds: Compounds) -> None:
        self._body = body
        self._evaluation = evaluation
        self._compounds = compounds

    # --- arithmetic -----------------------------------------------------------------------------------------------

    def binary(self, node: ast.BinOp) -> Value:
        left = self._evaluation.evaluate(node.left)
        before = len(self._body.emitted)
        right = self._evaluation.evaluate(node.right)
        left = self._compounds.order.held_before(left, before)
        return self.arithmetic(node.op, (left, node.left), (right, node.right), node)

    def arithmetic(
        self,
        op: ast.operator,
        left: tuple[Value, ast.expr],
        right: tuple[Value, ast.expr],
        node: ast.expr | ast.stmt,
    ) -> Value:
        if isinstance(op, ast.Div):
            numbers = known_integer(left[0]), known_integer(right[0])
            if numbers[0] is not None and numbers[1]:
                return Static(numbers[0] / numbers[1])  # to compare with, or to round
            what = "/ gives a fraction, and the language has integers only"
            self._body.reject(node, what, "write // (it rounds down)")
        if type(op) not in BINARY:
            self._body.reject(node, "@ is not part of the language")
        kind, compute = BINARY[type(op)]
        if isinstance(left[0], Static) and isinstance(right[0], Static):
            known = _computed(compute, left[0].value, right[0].value)
            if known is not None:
                return Static(known)
        first = self._compounds.through(*left)
        if isinstance(first, Compound) and isinstance(first.shape, SetShape) and kind in OPERATORS:
            return Sets(self._compounds, first).combined(kind, right[0], right[1])
        if isinstance(first, Compound) and isinstance(first.shape, BoundedSetShape) and kind in OPERATORS:
            return BoundedSets(self._compounds, first).combined(kind, right[0], right[1])
        second = self._compounds.through(*right)
        if isinstance(second, Compound) and isinstance(second.shape, SetShape) and kind in OPERATORS:
            return Sets(self._compounds, second).combined_with(left[0], kind, left[1])
        if isinstance(second, Compound) and isinstance(second.shape, BoundedSetShape) and kind in OPERATORS:
            return BoundedSets(self._compounds, second).combined_with(left[0], kind, left[1])
        if kind is n.BinaryOp.OR and (_is_dict(left[0]) or _is_dict(right[0])):
            pairs = [self._compounds.sequences.pairs_of(*each) for each in (left, right)]
            return self._compounds.sequences.merged(pairs, right[1])
        collection = self._of_collections(kind, left[0], right[0], right[1])
        if collection is not None:
            return collection
        number, uses = self._evaluation.number, self._body.draft.uses
        return Scalar(uses.of_numbers(n.Binary(self._body.span(node), kind, number(*left), number(*right))))

    def _of_collections(self, kind: n.BinaryOp, left: Value, right: Value, node: ast.expr) -> Value | None:
        """Lists and tuples one behind the other, a list several times, and what operators make of plain sets."""
        sequences = self._compounds.sequences
        if kind is n.BinaryOp.ADD:
            items = self._tuple_items(left, node), self._tuple_items(right, node)
            lists = any(isinstance(v, Static) and isinstance(v.value, Listed) for v in (left, right))
            if items[0] is not None and items[1] is not None and not lists:
                return TupleOf((*items[0], *items[1]))
            return sequences.joined(left, right, node)
        if kind is n.BinaryOp.MUL and sequences.kind_of(left) in (Collection.LIST, Collection.TUPLE):
            times = known_integer(right)
            if times is None:
                self._body.reject(node, "it is not known how long this becomes", "multiply by a constant")
            return sequences.repeated(left, times, node)
        plain = sequences.as_plain_set(left, node) if kind in OPERATORS else None
        return None if plain is None else PlainSets(self._compounds, plain).combined(kind, right, node)

    def _tuple_items(self, value: Value, node: ast.expr) -> tuple[Value, ...] | None:
        if isinstance(value, Compound) and isinstance(value.shape, TupleShape):
            return self._compounds.items_of(value, node)
        return tuple_items(value)

    def unary(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            test, span = self._evaluation.condition(node.operand), self._body.span(node)
            return Static(not test) if isinstance(test, bool) else Scalar(n.Unary(span, n.UnaryOp.NOT, test))
        value = self._evaluation.evaluate(node.operand)
        if isinstance(node.op, ast.UAdd):
            return Scalar(self._evaluation.number(value, node.operand))
        kind, compute = UNARY[type(node.op)]
        if isinstance(value, Static) and isinstance(value.value, int):
            return Static(compute(int(value.value)))
        number = self._evaluation.number(value, node.operand)
        return Scalar(self._body.draft.uses.of_numbers(n.Unary(self._body.span(node), kind, number)))

    # --- and, or, if-else -----------------------------------------------------------------------------------------

    def boolean(self, node: ast.BoolOp, tested: bool = False) -> Value:
        """The operands that decide: one known now either ends the evaluation or does not matter.

        If it is `tested`, only its truth matters.
        """
        is_and = isinstance(node.op, ast.And)
        operands: list[n.Expr] = []
        for position, part in enumerate(node.values):
            last = position == len(node.values) - 1
            value = self._operand(part, tested, last, first=position == 0)
            if isinstance(value, Static) and is_immutable(value.value):
                decides = bool(value.value) != is_and
                if not operands and (decides or last):
                    return value
                if not decides and not last:
                    continue
                operands.append(self._evaluation.number(value, part))
                if decides:
                    break
                continue
            operands.append(self._evaluation.number(value, part))
        if len(operands) == 1:
            return Scalar(operands[0])
        return Scalar((n.And if is_and else n.Or)(self._body.span(node), tuple(operands)))

    def _operand(self, part: ast.expr, tested: bool, last: bool, first: bool) -> Value:
        """An operand of `and` or `or`; all but the first one may not be evaluated."""

        def evaluated() -> Value:
            value = self.boolean(part, True) if tested and isinstance(part, ast.BoolOp) else None
            value = self._evaluation.evaluate(part) if value is None else value
            return self._decided(value, part, tested) if isinstance(value, Compound) and (tested or not last) else value

        return evaluated() if first else self._body.lazy_value(evaluated, self._evaluation.number, part)

    def _decided(self, value: Compound, node: ast.expr, tested: bool) -> Value:
        """What an operand of which only the truth matters decides."""
        if isinstance(value.shape, OptionalShape) and not tested:
            what = f"{value.name} is None or a value, which and and or would hand on"
            self._body.reject(node, what, "compare it with None")
        test = self._compounds.truth(value, node)
        return Static(test) if isinstance(test, bool) else Scalar(test)

    def conditional(self, node: ast.IfExp) -> Value:
        test = self._evaluation.condition(node.test)
        if isinstance(test, bool):
            return self._evaluation.evaluate(node.body if test else node.orelse)
        shapes = [self._shape_of(part) for part in (node.body, node.orelse)]
        ref = next((shape for shape in shapes if isinstance(shape, RefShape)), None)
        if ref is not None:
            chosen = self._chosen(node, test, self._reference)
            return Compound(ref, Computed(lambda _leaf, _at, _span: chosen), 0, ast.unparse(node), alias=False)
        if any(isinstance(shape, _PLACES) for shape in shapes):
            self._reject_places(node)
        if any(isinstance(part, _WRITTEN) or _is_none(part) for part in (node.body, node.orelse)):
            self._reject_choice(node)
        return Scalar(self._chosen(node, test, self._evaluation.scalar))

    def _chosen(self, node: ast.IfExp, test: n.Expr, number: Callable[[ast.expr], n.Expr]) -> n.Expr:
        lazily, span = self._body.lazily, self._body.span
        then, orelse = (lazily(partial(number, part), span(part)) for part in (node.body, node.orelse))
        return n.Conditional(span(node), test, then, orelse)

    def _shape_of(self, node: ast.expr) -> Shape | None:
        """Of a value of several cells or a reference, None of others; looks at it, and forgets that it did."""
        if isinstance(node, ast.IfExp):
            return self._shape_of(node.body) or self._shape_of(node.orelse)
        if not isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call):
            return None
        try:
            with self._body.trial():
                value = self._evaluation.evaluate(node)
        except Rejected:
            return None
        return value.shape if isinstance(value, Compound) else None

    def _reference(self, node: ast.expr) -> n.Expr:
        """The number of the object; 0 of None."""
        span = self._body.span(node)
        if _is_none(node):
            return n.Const(span, 0)
        value = self._evaluation.evaluate(node)
        if not isinstance(value, Compound) or not isinstance(value.shape, RefShape):
            self._body.reject(node, "this is no reference, as the other value is", "write if and else")
        return value.cell(0, (), span)

    def _reject_places(self, node: ast.IfExp) -> NoReturn:
        what = "parts of the state are chosen, and it is not known which ones are meant from here on"
        self._body.reject(node, what, "write if and else, and in each branch what is done with them")

    def _reject_choice(self, node: ast.IfExp) -> NoReturn:
        tuples = [part for part in (node.body, node.orelse) if isinstance(part, ast.Tuple)]
        if any(isinstance(item, ast.Attribute | ast.Subscript) for part in tuples for item in part.elts):
            self._reject_places(node)
        what = "a choice between values that are no numbers is made in an assignment"
        self._body.reject(node, what, f"write x = {ast.unparse(node)}, and use x here")


_WRITTEN = (ast.Tuple, ast.List, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.DictComp)
"""Values of several parts that are written out."""

_PLACES = (RecordShape, ArrayShape, SetShape, BoundedSetShape, QueueShape, BagShape, MapShape, UnionShape)
"""Shapes of parts of the state that have a place, and are no numbers."""


def _is_dict(value: Value) -> bool:
    match value:
        case Static(dict()) | Compound(shape=MapShape() | LocalShape(kind=Collection.DICT)):
            return True
        case _:
            return False


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _computed(compute: Callable[[Any, Any], Any], left: object, right: object) -> int | tuple[object, ...] | None:
    """The result if both are numbers or tuples and it is defined; else it is left to run time."""
    if not isinstance(left, int | tuple) or not isinstance(right, int | tuple):
        return None
    if compute in (operator.pow, operator.lshift) and not (isinstance(right, int) and 0 <= right <= LARGEST_POWER):
        return None
    try:
        result = compute(left, right)
    except (ArithmeticError, ValueError, TypeError):
        return None
    return result if isinstance(result, int | tuple) else None
