"""Items with numbers: what Arrays and Queues have in common."""

from __future__ import annotations

import ast

from asset.frontends.python.ir_expressions import rounds
from asset.frontends.python.shapes.lowering import Lowering
from asset.frontends.python.values import Scalar, Value
from asset.ir import nodes as n


class Numbered(Lowering):
    @property
    def room(self) -> int:
        """The most items that there can be."""
        raise NotImplementedError

    def is_equal(self, at: n.Expr, element: Value, node: ast.expr) -> n.Expr:
        """Whether there is an item at the position, and it equals the element."""
        raise NotImplementedError

    def equal_items(self, op: n.FoldOp, element: Value, node: ast.expr) -> n.Expr:
        """Whether any item equals the element, or how many do, or the position of the first one, which is -1 if there
        is none."""
        span = self.body.span(node)

        def folded(held: list[Value]) -> n.Expr:
            slot = self.body.new_slot("at", (0, max(self.room - 1, 0)))
            at = n.Local(span, slot)
            equal = self.is_equal(at, held[0], node)
            if op is not n.FoldOp.MIN:
                return n.Fold(span, op, (rounds(span, slot, self.room),), equal)
            zero, one = n.Const(span, 0), n.Const(span, 1)
            generator = n.Generator(span, slot, zero, n.Const(span, self.room), one, (), equal)
            return n.Fold(span, op, (generator,), at, n.Const(span, -1))

        return self.compounds.evaluated([element], folded, node)

    def found(self, element: Value, node: ast.expr) -> n.Expr:
        """The position of the first item that equals the element; a model error if there is none."""
        span, position = self.body.span(node), self.equal_items(n.FoldOp.MIN, element, node)
        held = self.holding.index(position)
        there = n.Binary(span, n.BinaryOp.GE, held, n.Const(span, 0))
        checked = self.storage.check(there, f"ValueError: the element is not in {self.value.name}", span)
        return n.Conditional(span, checked, held, held)

    # --- in another order -----------------------------------------------------------------------------------------

    def reverse(self, node: ast.Call) -> None:
        self.arguments(node, 0, 0)
        place = self.at(node)
        place.put_in(self.compounds.sequences.backwards(place.value, node), node)

    def sort(self, node: ast.Call) -> None:
        """`place.sort(key=..., reverse=...)`."""
        self.at(node).put_in(self.sorted_items(node), node)

    # --- values ---------------------------------------------------------------------------------------------------

    def count(self, node: ast.Call) -> Value:
        return Scalar(self.equal_items(n.FoldOp.SUM, self.arguments(node, 1, 1)[0], node))

    def index(self, node: ast.Call) -> Value:
        return Scalar(self.found(self.arguments(node, 1, 1)[0], node))
