"""Arrays of compound values; Arrays of numbers are simpler, see `ArrayRef`."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from asset.frontends.python.shapes.numbered import Numbered
from asset.frontends.python.traversals import Traversal, counted
from asset.frontends.python.values import ArrayRef, Compound, Value
from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.ir.shapes import dims_of, is_scalars
from asset.span import Span


class Arrays(Numbered):
    remedy = "index it, or use sum, any, all, min or max"
    WITHOUT: ClassVar[Mapping[str, tuple[str, str]]] = dict.fromkeys(
        ("append", "extend", "insert", "pop", "remove", "clear"),
        ("an Array keeps its length", "use a Queue, or assign a list of as many items"),
    )

    def item(self, index: Value, node: ast.expr) -> Compound:
        number = self.order.require_repeatable(self.number(index, node), node)
        if self.value.checks:  # the index is evaluated before it is known whether there is an Array
            number = self.holding.index(number)
        return self.at_index(number)

    def at_index(self, index: n.Expr) -> Compound:
        checked = self.storage.checked_index(index, self.shape.length, self.value.name)
        return self.inside(self.shape.item, 0, (checked,))

    def length(self, node: ast.expr) -> n.Expr:
        return n.Const(self.body.span(node), self.shape.length)

    def truth(self, span: Span) -> n.Expr:
        return n.Const(span, int(self.shape.length > 0))

    def traversal(self, node: ast.expr) -> Traversal:
        def element(k: n.Expr) -> Value:
            return self.storage.normal(self.inside(self.shape.item, 0, (k,)), node)

        return counted(self.body.span(node), self.value.name, self.shape.length, element)

    def contains(self, element: Value, node: ast.expr) -> n.Expr:
        return self.equal_items(n.FoldOp.ANY, element, node)

    def is_equal(self, at: n.Expr, element: Value, node: ast.expr) -> n.Expr:
        item = self.storage.normal(self.inside(self.shape.item, 0, (at,)), node)
        return self.compounds.equal(item, element, node)

    @property
    def room(self) -> int:
        length: int = self.shape.length
        return length

    def put_in(self, value: Value, node: ast.expr) -> None:
        """An Array of its shape, or as many items as it has in a list or a tuple."""
        value = self._alike(value)
        spread = None if self._is_whole(value) else self.compounds.sequences.spread(value, node)
        if spread is None:
            super().put_in(value, node)
            return
        span, length = self.body.span(node), self.shape.length
        self.storage.require(
            n.Binary(span, n.BinaryOp.EQ, spread.length, n.Const(span, length)),
            FaultKind.RAISE,
            (f"ValueError: {self.value.name} has {length} elements, not ", spread.length),
            span,
        )
        for k, item in enumerate(spread.items[:length]):
            self.compounds.lowered(self.inside(self.shape.item, 0, (n.Const(span, k),))).store(item, node)

    def _is_whole(self, value: Value) -> bool:
        return isinstance(value, Compound) and value.shape == self.shape

    def equals(self, other: Value, node: ast.expr) -> n.Expr:
        return super().equals(self._alike(other), node)

    def _alike(self, other: Value) -> Value:
        """An Array of numbers of the same dimensions, as a value of this shape: its cells may be of other types."""
        if isinstance(other, ArrayRef):
            other = self.storage.as_compound(other)
        if isinstance(other, Compound) and is_scalars(self.shape) and dims_of(other.shape) == dims_of(self.shape):
            return replace(other, shape=self.shape)
        return other


Arrays.ACTIONS = {"sort": Arrays.sort, "reverse": Arrays.reverse}
Arrays.VALUES = {"copy": Arrays.copy, "count": Arrays.count, "index": Arrays.index}
