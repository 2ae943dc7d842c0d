"""Plain sets in local variables: lists without equal elements. Python does not say in which order they are."""

from __future__ import annotations

import ast
from functools import partial

from asset.frontends.python.ir_expressions import conjunction
from asset.frontends.python.shapes import set_methods
from asset.frontends.python.shapes.local import Locals
from asset.frontends.python.shapes.set_methods import SetMethods
from asset.frontends.python.values import Compound, Value, is_collection
from asset.ir import nodes as n
from asset.ir.shapes import Collection

_TURNED = {
    n.BinaryOp.LE: n.BinaryOp.GE,
    n.BinaryOp.LT: n.BinaryOp.GT,
    n.BinaryOp.GE: n.BinaryOp.LE,
    n.BinaryOp.GT: n.BinaryOp.LT,
}


class PlainSets(Locals, SetMethods):
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

    def _declared(self, other: Value) -> SetMethods | None:
        """The other one, if it is a Set of the state."""
        if not isinstance(other, Compound) or is_collection(other):
            return None
        lowered = self.compounds.lowered(other)
        return lowered if isinstance(lowered, SetMethods) else None

    def combined(self, op: n.BinaryOp, other: Value, node: ast.expr) -> Value:
        """`self op other`, as a set of its own."""
        declared = self._declared(other)
        if declared is not None:
            return declared.combined_with(self.value, op, node)
        right, span, sequences = self.operand(other, node), self.body.span(node), self.compounds.sequences
        mine, theirs = self.all_items(node), right.all_items(node)
        shape = sequences.item_shape((*mine, *theirs), node)
        is_wider = op in (n.BinaryOp.OR, n.BinaryOp.XOR)
        room = len(mine) + (len(theirs) if is_wider else 0)
        made = sequences.empty(Collection.SET, shape, max(1, room), node)  # one that is never there can still be read
        result = PlainSets(self.compounds, made)
        sources = [(self, right, mine)] + ([(right, self, theirs)] if is_wider else [])
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
        declared = self._declared(other)
        if declared is not None:
            return declared.compared(_TURNED[op], self.value, node)
        right, span = self.operand(other, node), self.body.span(node)
        left, right = (self, right) if op in (n.BinaryOp.LE, n.BinaryOp.LT) else (right, self)
        tests = left.each_among(right, node)
        if op in (n.BinaryOp.LT, n.BinaryOp.GT):
            tests.append(n.Binary(span, n.BinaryOp.LT, left.size(span), right.size(span)))
        return conjunction(tests, span)

    def becomes(self, op: n.BinaryOp, node: ast.Call) -> None:
        if op is not n.BinaryOp.OR:
            super().becomes(op, node)
            return
        for argument in node.args:
            self.at(node).updated(self.as_set(argument), argument)

    def updated(self, other: Value, node: ast.expr) -> None:
        """The elements of another set are in this one too."""
        place, span = self, self.body.span(node)
        right = self.operand(other, node)
        items = [self.holding.assigned_now(item, node) for item in right.all_items(node)]
        size = self.holding.index(right.size(span))
        for k, item in enumerate(items):
            there = n.Binary(span, n.BinaryOp.LT, n.Const(span, k), size)
            if place.takes(item, node):
                code = self.body.collected(partial(place.include, item, node))
                self.body.emit(n.If(span, (n.Case(span, there, code),)))


PlainSets.ACTIONS = {
    "add": PlainSets.add,
    "discard": PlainSets.discard,
    "remove": PlainSets.remove,
    "clear": PlainSets.clear,
    **set_methods.ACTIONS,
}
PlainSets.VALUES = {"copy": PlainSets.copy, **set_methods.VALUES}
