"""Plain sets in local variables: lists without equal elements. Python does not say in which order they are."""

from __future__ import annotations

import ast
from functools import partial

from asset.frontends.python.ir_expressions import conjunction
from asset.frontends.python.shapes.local import Locals
from asset.frontends.python.values import Compound, Scalar, Value, is_collection
from asset.ir import nodes as n
from asset.ir.shapes import Collection


class PlainSets(Locals):
    has_order = False
    not_there = "KeyError"

    def item(self, index: Value, node: ast.expr) -> Compound:
        self.body.reject(node, "a set cannot be indexed", "write sorted(...)[k]")

    def element(self, index: Value, node: ast.expr) -> Value:
        return self.item(index, node)

    def equals(self, other: Value, node: ast.expr) -> n.Expr:
        return self.same_members(self._plain(other, node), node)

    def _plain(self, other: Value, node: ast.expr) -> Value:
        """A set written out, or known now, as one in local variables."""
        return self.compounds.sequences.as_plain_set(other, node) or other

    def include(self, item: Value, node: ast.expr) -> None:
        """The item is in the set."""
        span = self.body.span(node)
        held = self.holding.assigned_now(item, node)
        missing = n.Unary(span, n.UnaryOp.NOT, self.among(held, self.all_items(node), node))
        code = self.body.collected(lambda: self.push_within(held, node))
        self.body.emit(n.If(span, (n.Case(span, missing, code),)))

    def add(self, node: ast.Call) -> None:
        place, (item,) = self.at(node), self.arguments(node, 1, 1)
        if place.takes(item, node):
            place.include(item, node)

    def discard(self, node: ast.Call) -> None:
        self.removed(self.arguments(node, 1, 1)[0], node, "")

    # --- whole sets -----------------------------------------------------------------------------------------------

    def operand(self, other: Value, node: ast.expr) -> PlainSets:
        other = self._plain(other, node)
        if is_collection(other) and self.is_like(other):
            return PlainSets(self.compounds, other)
        self.body.reject(node, "a set has nothing in common with this", "use another set")

    def combined(self, op: n.BinaryOp, other: Value, node: ast.expr) -> Value:
        """`self op other`, as a set of its own."""
        right, span, sequences = self.operand(other, node), self.body.span(node), self.compounds.sequences
        mine, theirs = self.all_items(node), right.all_items(node)
        shape = sequences.item_shape((*mine, *theirs), node)
        made = sequences.empty(Collection.SET, shape, len(mine) + len(theirs), node)
        result = PlainSets(self.compounds, made)
        sources = [(self, right, mine)] + ([(right, self, theirs)] if op in (n.BinaryOp.OR, n.BinaryOp.XOR) else [])
        for own, against, items in sources:
            for k, item in enumerate(items):
                found = against.among(item, against.all_items(node), node)
                tests = [own.there(k, span)]
                if op is n.BinaryOp.AND:
                    tests.append(found)
                elif op is not n.BinaryOp.OR or own is not self:
                    tests.append(n.Unary(span, n.UnaryOp.NOT, found))
                code = self.body.collected(partial(result.push_within, item, node))
                self.body.emit(n.If(span, (n.Case(span, conjunction(tests, span), code),)))
        return made

    def compared(self, op: n.BinaryOp, other: Value, node: ast.expr) -> n.Expr:
        """`self op other` for the order by inclusion."""
        right, span = self.operand(other, node), self.body.span(node)
        left, right = (self, right) if op in (n.BinaryOp.LE, n.BinaryOp.LT) else (right, self)
        tests = left.each_among(right, node)
        if op in (n.BinaryOp.LT, n.BinaryOp.GT):
            tests.append(n.Binary(span, n.BinaryOp.LT, left.size(span), right.size(span)))
        return conjunction(tests, span)

    def union(self, node: ast.Call) -> Value:
        return self.combined(n.BinaryOp.OR, self.arguments(node, 1, 1)[0], node)

    def intersection(self, node: ast.Call) -> Value:
        return self.combined(n.BinaryOp.AND, self.arguments(node, 1, 1)[0], node)

    def difference(self, node: ast.Call) -> Value:
        return self.combined(n.BinaryOp.SUB, self.arguments(node, 1, 1)[0], node)

    def issubset(self, node: ast.Call) -> Value:
        return Scalar(self.compared(n.BinaryOp.LE, self.arguments(node, 1, 1)[0], node))

    def issuperset(self, node: ast.Call) -> Value:
        return Scalar(self.compared(n.BinaryOp.GE, self.arguments(node, 1, 1)[0], node))

    def isdisjoint(self, node: ast.Call) -> Value:
        right, span = self.operand(self.arguments(node, 1, 1)[0], node), self.body.span(node)
        tests = [
            n.And(span, (self.there(k, span), right.among(item, right.all_items(node), node)))
            for k, item in enumerate(self.all_items(node))
        ]
        return Scalar(n.Unary(span, n.UnaryOp.NOT, n.Or(span, tuple(tests)) if tests else n.Const(span, 0)))


PlainSets.ACTIONS = {
    "add": PlainSets.add,
    "discard": PlainSets.discard,
    "remove": PlainSets.remove,
    "clear": PlainSets.clear,
}
PlainSets.VALUES = {
    "copy": PlainSets.copy,
    "union": PlainSets.union,
    "intersection": PlainSets.intersection,
    "difference": PlainSets.difference,
    "issubset": PlainSets.issubset,
    "issuperset": PlainSets.issuperset,
    "isdisjoint": PlainSets.isdisjoint,
}
