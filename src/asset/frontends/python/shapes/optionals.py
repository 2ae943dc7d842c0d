"""Optionals: whether there is an item, and the item."""

from __future__ import annotations

import ast
from dataclasses import replace

from asset.frontends.python.shapes.lowering import Lowering, is_none
from asset.frontends.python.traversals import Traversal
from asset.frontends.python.values import Compound, Static, Value, is_optional
from asset.ir import nodes as n
from asset.ir.shapes import ScalarShape
from asset.span import Span


class Optionals(Lowering):
    remedy = "compare it with None, or use what it holds"

    def some(self, span: Span) -> n.Expr:
        """Whether there is an item."""
        return self.cell(0, (), span)

    def _item(self, checks: tuple[n.Expr, ...] = (), alias: bool = False) -> Compound:
        item = self.inside(self.shape.item, 1, (), ".value")
        return replace(item, checks=(*item.checks, *checks), alias=alias)

    def unchecked(self, node: ast.expr) -> Value:
        """The item, which is used only if there is one."""
        return self.storage.normal(self._item(), node)

    def inner(self, node: ast.expr) -> Compound:
        """The item; a model error if there is none."""
        span = self.body.span(node)
        return self._item((self.storage.check(self.some(span), f"TypeError: {self.value.name} is None", span),))

    def _lowered(self, node: ast.expr) -> Lowering:
        return self.compounds.lowered(self.inner(node))

    def attribute(self, name: str, node: ast.Attribute) -> Value:
        return self._lowered(node).attribute(name, node)

    def part(self, name: str, node: ast.expr) -> Compound:
        return self._lowered(node).part(name, node)

    def item(self, index: Value, node: ast.expr) -> Compound:
        return self._lowered(node).item(index, node)

    def items(self, node: ast.expr) -> tuple[Value, ...]:
        return self._lowered(node).items(node)

    def length(self, node: ast.expr) -> n.Expr:
        span = self.body.span(node)
        item = self.inner(node)
        return n.Conditional(span, item.checks[-1], self.compounds.lowered(item).length(node), n.Const(span, 0))

    def contains(self, element: Value, node: ast.expr) -> n.Expr:
        return self._lowered(node).contains(element, node)

    def traversal(self, node: ast.expr) -> Traversal:
        span, item = self.body.span(node), self.inner(node)
        traversal = self.compounds.lowered(item).traversal(node)
        stop = n.Conditional(span, item.checks[-1], traversal.stop, n.Const(span, 0))
        return replace(traversal, stop=stop, most=traversal.most_rounds)

    def truth(self, span: Span) -> n.Expr:
        item = self._item()
        lowered = self.compounds.lowered(item)
        inner = lowered.truth(span) if not self._is_number() else item.cell(0, (), span)
        return n.And(span, (self.some(span), inner))

    def _is_number(self) -> bool:
        return isinstance(self.shape.item, ScalarShape)

    def store(self, value: Value, node: ast.expr) -> None:
        span = self.body.span(node)
        if is_none(value):
            self.set_cell(0, (), n.Const(span, 0), span)
            self.storage.blank(self._item(alias=True), span)
        elif is_optional(value):
            if value.shape == self.shape:
                super().put_in(value, node)
            else:
                self._put_parts(value, node)
        else:
            self.compounds.lowered(self._item(alias=True)).store(value, node)
            self.set_cell(0, (), n.Const(span, 1), span)

    def _equal_parts(self, other: Compound, node: ast.expr) -> n.Expr:
        span, right = self.body.span(node), Optionals(self.compounds, other)
        items = [self.storage.normal(each._item(), node) for each in (self, right)]
        same = n.Binary(span, n.BinaryOp.EQ, self.some(span), right.some(span))
        none = n.Unary(span, n.UnaryOp.NOT, self.some(span))
        return n.And(span, (same, n.Or(span, (none, self.compounds.equal(items[0], items[1], node)))))

    def _put_parts(self, value: Compound, node: ast.expr) -> None:
        """An optional whose item is of another shape."""
        span, other = self.body.span(node), Optionals(self.compounds, value)
        item = self.storage.normal(other._item(), node)
        some = self.body.collected(lambda: self.store(item, node))
        none = self.body.collected(lambda: self.store(Static(None), node))
        self.body.emit(n.If(span, (n.Case(span, other.some(span), some),), none))

    def equals(self, other: Value, node: ast.expr) -> n.Expr:
        span = self.body.span(node)
        if is_none(other):
            return n.Unary(span, n.UnaryOp.NOT, self.some(span))
        if is_optional(other):
            return super().equals(other, node) if other.shape == self.shape else self._equal_parts(other, node)
        item = self.storage.normal(self._item(), node)
        reached = self.compounds.lowered(other).reached(span) if isinstance(other, Compound) else []
        return n.And(span, (*reached, self.some(span), self.compounds.equal(item, other, node)))
