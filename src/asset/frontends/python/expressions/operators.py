"""Arithmetic and boolean operators. What is known now is computed now."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from enum import Enum, auto
from functools import partial
from typing import Any, NoReturn

from asset.frontends.python.body import Body, Evaluation
from asset.frontends.python.compounds import Compounds
from asset.frontends.python.constants import Listed, is_immutable
from asset.frontends.python.local_shapes import holds_place
from asset.frontends.python.problems import Rejected
from asset.frontends.python.shapes.bounded_sets import BoundedSets
from asset.frontends.python.shapes.optionals import Optionals
from asset.frontends.python.shapes.plain_sets import PlainSets
from asset.frontends.python.shapes.sets import OPERATORS, Sets
from asset.frontends.python.values import (
    ArrayRef,
    Compound,
    Computed,
    InSlots,
    RecordOf,
    Scalar,
    SetOf,
    Static,
    Truth,
    TupleOf,
    Value,
    known_integer,
    tuple_items,
)
from asset.ir import nodes as n
from asset.ir.shapes import (
    BoundedSetShape,
    Collection,
    LocalShape,
    MapShape,
    OptionalShape,
    RefShape,
    ScalarShape,
    SetShape,
    Shape,
    TupleShape,
    leaves,
)
from asset.model.syntax_trees import placed

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
CHOICE = "the choice"


class _Kind(Enum):
    """What an operand of `and` or `or` is."""

    NUMBER = auto()
    OPTIONAL = auto()  # None, or something else
    PARTS = auto()  # a collection, a record or a tuple
    CONDITION = auto()  # something of which only the truth is known


class Operators:
    def __init__(self, body: Body, evaluation: Evaluation, compounds: Compounds) -> None:
        self._body = body
        self._evaluation = evaluation
        self._compounds = compounds

    # --- arithmetic -----------------------------------------------------------------------------------------------

    def binary(self, node: ast.BinOp) -> Value:
        first, second = (self._compounds.operand(part) for part in (node.left, node.right))
        left = self._evaluation.evaluate(first)
        before = len(self._body.emitted)
        right = self._evaluation.evaluate(second)
        left = self._compounds.order.held_before(left, before)
        return self.arithmetic(node.op, (left, first), (right, second), node)

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
        left, right = (self._compounds.as_tuple(value, node) for value in (left, right))
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
        if not tested and (kept := self._without_number(node)) is not None:
            return self._truth_of(node, kept)
        if not tested and (choice := self.choice_of(node)) is not None:
            return self.conditional(choice)
        is_and = isinstance(node.op, ast.And)
        operands: list[n.Expr] = []
        for position, part in enumerate(node.values):
            last = position == len(node.values) - 1
            value = self._operand(part, tested, (position == 0, last), is_and)
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

    def _operand(self, part: ast.expr, tested: bool, position: tuple[bool, bool], is_and: bool) -> Value:
        """An operand of `and` or `or`, with whether it is the first and the last one; all but the first one may not be
        evaluated."""
        first, last = position

        def evaluated() -> Value:
            value = self.boolean(part, True) if tested and isinstance(part, ast.BoolOp) else None
            value = self._evaluation.evaluate(part) if value is None else value
            if isinstance(value, Truth):
                return Scalar(value.expr)
            if not isinstance(value, Compound) or (last and not tested):
                return value
            return self._or_zero(value, part) if not is_and and not tested else self._decided(value, part)

        return evaluated() if first else self._body.lazy_value(evaluated, self._evaluation.number, part)

    def _truth_of(self, node: ast.BoolOp, kept: ast.expr) -> Value:
        """The condition that it is: the operand would be handed on as it is, and some others are numbers."""
        test, span = self._evaluation.condition(node), self._body.span(node)
        return Truth(n.Const(span, int(test)) if isinstance(test, bool) else test, self._operand_text(kept))

    def _operand_text(self, node: ast.expr) -> str:
        """What is handed on; of a call, what the function hands on."""
        found = self._looked_at(node)
        return found.operand if isinstance(found, Truth) else ast.unparse(node)

    def _without_number(self, node: ast.BoolOp) -> ast.expr | None:
        """The first operand of which no number can be made, if others are numbers or conditions."""
        kinds = {part: self._kind_of(part) for part in node.values}
        found = [part for part, kind in kinds.items() if kind in (_Kind.PARTS, _Kind.CONDITION)]
        return found[0] if found and {_Kind.NUMBER, _Kind.CONDITION} & {*kinds.values()} else None

    def choice_of(self, node: ast.expr) -> ast.IfExp | None:
        """`a or b` as `a if a else b`, and `a and b` as `b if a else a`, if what is handed on may be no number."""
        if not isinstance(node, ast.BoolOp):
            return None
        kinds, is_and = [self._kind_of(part) for part in node.values], isinstance(node.op, ast.And)
        may_be_none = kinds[-1] is _Kind.OPTIONAL or (is_and and _Kind.OPTIONAL in kinds)
        if _Kind.PARTS not in kinds and not may_be_none:
            return None
        if self._without_number(node) is not None:
            return None
        first, *others = node.values
        rest = others[0] if len(others) == 1 else placed(ast.BoolOp(node.op, others), node)
        if self._acts(first):
            what = f"{ast.unparse(first)} may change the state, and is handed on"
            self._body.reject(first, what, "assign it to a local variable first")
        return placed(ast.IfExp(first, rest, first) if is_and else ast.IfExp(first, first, rest), node)

    def _kind_of(self, node: ast.expr) -> _Kind:
        if isinstance(node, ast.Compare | ast.UnaryOp | ast.JoinedStr):
            return _Kind.NUMBER
        if isinstance(node, ast.BoolOp) and all(self._kind_of(part) is _Kind.NUMBER for part in node.values):
            return _Kind.NUMBER
        match self._looked_at(node):
            case Static(None) | Compound(shape=OptionalShape() | RefShape()):
                return _Kind.OPTIONAL
            case Static(tuple() | frozenset()) | TupleOf() | RecordOf() | SetOf() | Compound() | ArrayRef():
                return _Kind.PARTS
            case Truth():
                return _Kind.CONDITION
            case _:
                return _Kind.NUMBER

    def _acts(self, node: ast.expr) -> bool:
        with self._body.trial():
            self._body.has_acted = False
            self._evaluation.evaluate(node)
            return self._body.has_acted

    def _or_zero(self, value: Compound, node: ast.expr) -> Value:
        """An operand of `or` before the last one: if it is None, it is handed on as little as 0 is."""
        if not isinstance(value.shape, OptionalShape) or not isinstance(value.shape.item, ScalarShape):
            return self._decided(value, node)
        optional, span = Optionals(self._compounds, value), self._body.span(node)
        number = self._evaluation.number(optional.unchecked(node), node)
        return Scalar(n.Conditional(span, optional.some(span), number, n.Const(span, 0)))

    def _decided(self, value: Compound, node: ast.expr) -> Value:
        """What an operand of which only the truth matters decides."""
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
        if self.chooses_values(node):
            return self._chosen_value(node, test)
        return Scalar(self._chosen(node, test, self._evaluation.scalar))

    def chooses_values(self, choice: ast.IfExp) -> bool:
        """Whether one of the two is no number."""
        return any(map(self._is_no_number, (choice.body, choice.orelse)))

    def chooses_places(self, choice: ast.IfExp) -> bool:
        """Whether one of the two is a part of the state that may change."""
        return any(map(self._is_place, (choice.body, choice.orelse)))

    def _is_place(self, node: ast.expr) -> bool:
        if isinstance(node, ast.IfExp):
            return self.chooses_places(node)
        value = self._looked_at(node)
        return value is not None and holds_place(value)

    def _is_no_number(self, node: ast.expr) -> bool:
        if isinstance(node, ast.IfExp):
            return self.chooses_values(node)
        match self._looked_at(node):
            case Static(known):
                return known is None or isinstance(known, tuple | set | frozenset)
            case TupleOf() | RecordOf() | SetOf() | Compound() | ArrayRef():
                return True
            case _:
                return False

    def _chosen_value(self, node: ast.IfExp, test: n.Expr) -> Value:
        """The one or the other value as it is now, in local variables."""
        if self._body.has_acted:
            what = "something before this changes the state, which this choice may read"
            self._body.reject(node, what, "assign the choice to a local variable first")
        found: list[Value] = []
        parts = (node.body, node.orelse)
        codes = [self._body.collected(lambda part=part: found.append(self._held(part))) for part in parts]  # type: ignore[misc]
        sequences, span = self._compounds.sequences, self._body.span(node)
        shape = sequences.item_shape(found, node)
        slots = InSlots(leaves(shape), sequences.new_slots(shape, CHOICE, node))
        chosen = Compound(shape, slots, 0, CHOICE, alias=False)
        store = self._compounds.lowered(chosen).store
        stored = [self._body.collected(partial(store, value, node)) for value in found]
        case = n.Case(span, test, (*codes[0], *stored[0]))
        self._body.emit(n.If(span, (case,), (*codes[1], *stored[1])))
        return self._compounds.storage.normal(chosen, node)

    def _held(self, node: ast.expr) -> Value:
        value = self._evaluation.evaluate(node)
        if holds_place(value) and not self._compounds.holding.copies_places:
            self._reject_places(node)
        plain = self._compounds.sequences.as_plain_set(value, node)
        return self._compounds.holding.assigned_now(value if plain is None else plain, node)

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
        value = self._looked_at(node)
        return value.shape if isinstance(value, Compound) else None

    def _looked_at(self, node: ast.expr) -> Value | None:
        """What the expression denotes; that it was evaluated is forgotten. None if it is rejected."""
        try:
            with self._body.trial():
                return self._evaluation.evaluate(node)
        except Rejected:
            return None

    def _reference(self, node: ast.expr) -> n.Expr:
        """The number of the object; 0 of None."""
        span = self._body.span(node)
        if _is_none(node):
            return n.Const(span, 0)
        value = self._evaluation.evaluate(node)
        if not isinstance(value, Compound) or not isinstance(value.shape, RefShape):
            self._body.reject(node, "this is no reference, as the other value is", "write if and else")
        return value.cell(0, (), span)

    def _reject_places(self, node: ast.expr) -> NoReturn:
        what = "parts of the state are chosen, and it is not known which ones are meant from here on"
        self._body.reject(node, what, "write if and else, and in each branch what is done with them")


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
