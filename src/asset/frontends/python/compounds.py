"""Compound values: what they have in common whatever their shape, and comparing them.

What can be done with a value of one shape is in `asset.frontends.python.shapes`, a class for each.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace

from asset.frontends.python.body import Body, Evaluation
from asset.frontends.python.constants import Listed
from asset.frontends.python.evaluation_order import EvaluationOrder
from asset.frontends.python.expressions.tables import padded
from asset.frontends.python.holding import Holding
from asset.frontends.python.ir_expressions import conjunction, constant
from asset.frontends.python.local_shapes import NOTHING
from asset.frontends.python.sequences import Sequences
from asset.frontends.python.shapes import LOCAL, LOWERINGS, Lowering
from asset.frontends.python.storage import Storage
from asset.frontends.python.values import (
    Compound,
    InSlots,
    RecordOf,
    Scalar,
    Static,
    TableRef,
    TupleOf,
    Value,
    is_collection,
    is_optional,
    tuple_items,
)
from asset.ir import nodes as n
from asset.ir.shapes import (
    BoundedSetShape,
    LocalShape,
    MapShape,
    OptionalShape,
    RefShape,
    ScalarShape,
    SetShape,
    UnionShape,
    noun,
)


class Compounds:
    """Compound values of all shapes; it is the `CompoundValues` that each shape works with."""

    def __init__(
        self, body: Body, evaluation: Evaluation, storage: Storage, order: EvaluationOrder, holding: Holding
    ) -> None:
        self.body = body
        self.evaluation = evaluation
        self.storage = storage
        self.order = order
        self.holding = holding
        self.sequences = Sequences(body, self, storage, holding)

    def lowered(self, value: Compound) -> Lowering:
        shape = value.shape
        return (LOCAL[shape.kind] if isinstance(shape, LocalShape) else LOWERINGS[type(shape)])(self, value)

    # --- as numbers, conditions and tuples --------------------------------------------------------------------------

    def number(self, value: Compound, node: ast.expr) -> n.Expr:
        """The value as a number: only an optional number can be one."""
        if isinstance(value.shape, OptionalShape):
            inner = self.lowered(value).inner(node)
            if isinstance(inner.shape, ScalarShape):
                return inner.cell(0, (), self.body.span(node))
        if value.shape == NOTHING:
            return n.Const(self.body.span(node), 0)
        is_local = isinstance(value.source, InSlots) and not value.is_variable
        what = (
            f"{f'a {noun(value.shape)}' if is_local else f'the {noun(value.shape)} {value.name}'} is used as a number"
        )
        self.body.reject(node, what, self.lowered(value).remedy)

    def truth(self, value: Compound, node: ast.expr) -> n.Expr | bool:
        """Whether Python takes the value for true."""
        lowered, span = self.lowered(value), self.body.span(node)
        test = lowered.truth(span)
        known = constant(test)
        reached = [] if known is None else lowered.reached(span)
        if reached:
            return n.And(span, (*reached, test))
        return test if known is None else bool(known)

    def size(self, value: Compound, node: ast.expr) -> n.Expr:
        """`len(value)`."""
        lowered, span = self.lowered(value), self.body.span(node)
        length = lowered.length(node)
        reached = lowered.reached(span) if isinstance(length, n.Const) else []
        if not reached:
            return length
        return n.Conditional(span, conjunction(reached, span), length, n.Const(span, 0))

    def through(self, value: Value, node: ast.expr) -> Value:
        """The value; of an optional compound value, that value, which is a model error if there is none."""
        if is_optional(value):
            inner = self.lowered(value).inner(node)
            return value if isinstance(inner.shape, ScalarShape) else inner
        return value

    def as_tuple(self, value: Value, node: ast.expr) -> Value:
        """The value; a row of a constant table as a tuple that is written out, if all rows are as long."""
        if isinstance(value, TupleOf):
            return TupleOf(tuple(self.as_tuple(item, node) for item in value.items))
        if not isinstance(value, TableRef) or not value.indices:
            return value
        row: object = value.data
        for _ in value.indices:
            row = row[0] if isinstance(row, tuple) and row else None
        if not isinstance(row, tuple) or isinstance(row, Listed):
            return value
        table, depth = padded(value.data), len(value.indices)
        if table.is_ragged(depth):
            return value
        places = [(*value.indices, n.Const(self.body.span(node), k)) for k in range(table.dims[depth])]
        if depth + 1 < len(table.dims):
            return TupleOf(tuple(self.as_tuple(replace(value, indices=at), node) for at in places))
        span = self.body.span(node)
        return TupleOf(tuple(Scalar(n.Table(span, value.name, table.dims, table.values, at)) for at in places))

    def items_of(self, value: Value, node: ast.expr) -> tuple[Value, ...]:
        """The items of a tuple."""
        value = self.as_tuple(value, node)
        items = tuple_items(value)
        if items is not None:
            return items
        if isinstance(value, Compound):
            return self.lowered(value).items(node)
        self.body.reject(node, "a tuple is needed here")

    # --- comparing ------------------------------------------------------------------------------------------------

    def evaluated(self, values: Sequence[Value], use: Callable[[list[Value]], n.Expr], node: ast.expr) -> n.Expr:
        """An expression that uses the values several times or not at all, each evaluated once and before the rest."""
        span = self.body.span(node)
        binds: list[n.Bind] = []
        reached = 0
        held = []
        for value in values:
            if isinstance(value, Compound):
                tests = self.lowered(value).reached(span)
                binds += [n.Bind(span, self.body.new_slot("reached"), test) for test in tests]
                reached += len(tests)
            held.append(self.order.bind_value(value, binds))
        if len(values) > 1:
            for bind in binds:
                self.order.require_repeatable(bind.value, node)
        return self.order.after(binds if len(binds) > reached else [], use(held), span)

    def equal(self, left: Value, right: Value, node: ast.expr) -> n.Expr:
        """Whether two values are equal, of which at least one is compound."""
        return self.evaluated([left, right], lambda both: self._equality(both[0], both[1], node), node)

    def _equality(self, left: Value, right: Value, node: ast.expr) -> n.Expr:
        span = self.body.span(node)
        left, right = self.as_tuple(left, node), self.as_tuple(right, node)
        if (isinstance(right, Compound) and not isinstance(left, Compound)) or is_collection(right):
            left, right = right, left
        if isinstance(right, Compound) and isinstance(right.shape, UnionShape | BoundedSetShape | SetShape | MapShape):
            left, right = right, left
        if is_optional(right) and isinstance(left, Compound):
            left, right = (left, right) if is_optional(left) else (right, left)
        if isinstance(right, Compound) and isinstance(right.shape, RefShape):
            left, right = right, left
        if isinstance(left, Compound):
            is_nothing = left.shape == NOTHING or (isinstance(right, Compound) and right.shape == NOTHING)
            return n.Const(span, 0) if is_nothing else self.lowered(left).equals(right, node)
        if isinstance(left, RecordOf) and isinstance(right, RecordOf):
            if left.cls is not right.cls:
                return n.Const(span, 0)
            return self.equal_parts(left.items, right.items, node)
        if isinstance(left, TupleOf) and isinstance(right, TupleOf | Static):
            return self.equal_parts(left.items, self.items_of(right, node), node)
        if isinstance(left, RecordOf) or isinstance(right, RecordOf | TupleOf):
            self.body.reject(node, "these are never equal")
        number = self.evaluation.number
        return n.Binary(span, n.BinaryOp.EQ, number(left, node), number(right, node))

    def equal_parts(self, left: Sequence[Value], right: Sequence[Value], node: ast.expr) -> n.Expr:
        span = self.body.span(node)
        if len(left) != len(right):
            return n.Const(span, 0)
        return conjunction([self.equal(a, b, node) for a, b in zip(left, right, strict=True)], span)

    def is_among(self, element: Value, items: Sequence[Value], node: ast.expr) -> n.Expr:
        """Whether a value equals one of the items, all of which are evaluated."""

        def found(values: list[Value]) -> n.Expr:
            tests = tuple(self.equal(values[0], item, node) for item in values[1:])
            return n.Or(self.body.span(node), tests) if tests else n.Const(self.body.span(node), 0)

        return self.evaluated([element, *items], found, node)
