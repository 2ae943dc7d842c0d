"""Tuples in the state."""

from __future__ import annotations

import ast
from dataclasses import replace

from asset.frontends.python.shapes.lowering import Lowering
from asset.frontends.python.values import Compound, Static, TupleOf, Value
from asset.ir import nodes as n
from asset.ir.shapes import Collection, part_of
from asset.span import Span


class Tuples(Lowering):
    remedy = "index it"

    def item(self, index: Value, node: ast.expr) -> Compound:
        known = index.value if isinstance(index, Static) else None
        count = len(self.shape.items)
        if not isinstance(known, int) or not -count <= known < count:
            row = self.compounds.sequences.copied(self.value, node, Collection.TUPLE)
            return replace(self.compounds.lowered(row).item(index, node), alias=False)
        return self._part(known % count, alias=False)

    def _part(self, position: int, alias: bool) -> Compound:
        shape, leaf = part_of(self.shape, position)
        return replace(self.inside(shape, leaf, (), f".{position}"), alias=alias)

    def items(self, node: ast.expr) -> tuple[Value, ...]:
        parts = (self._part(k, alias=False) for k in range(len(self.shape.items)))
        return tuple(self.storage.normal(part, node) for part in parts)

    def length(self, node: ast.expr) -> n.Expr:
        return n.Const(self.body.span(node), len(self.shape.items))

    def truth(self, span: Span) -> n.Expr:
        return n.Const(span, int(bool(self.shape.items)))

    def contains(self, element: Value, node: ast.expr) -> n.Expr:
        return self.compounds.is_among(element, self.items(node), node)

    def put_in(self, value: Value, node: ast.expr) -> None:
        if isinstance(value, Compound) and value.shape == self.shape:
            self.storage.copy(self.value, value, self.body.span(node))
            return
        items = self.compounds.items_of(value, node)
        if len(items) != len(self.shape.items):
            self.body.reject(node, f"{self.value.name} takes a tuple of {len(self.shape.items)}, not of {len(items)}")
        for position, item in enumerate(items):
            self.compounds.lowered(self._part(position, alias=True)).store(item, node)

    def equals(self, other: Value, node: ast.expr) -> n.Expr:
        if isinstance(other, Compound) and other.shape == self.shape:
            return self.storage.same_cells(self.value, other, self.body.span(node))
        if not isinstance(other, TupleOf | Compound) and not (
            isinstance(other, Static) and isinstance(other.value, tuple)
        ):
            self.body.reject(node, "a tuple is compared with something else", "compare it with a tuple")
        return self.compounds.equal_parts(self.items(node), self.compounds.items_of(other, node), node)
