"""Dicts in local variables: lists of pairs without equal keys."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import partial

from asset.frontends.python.shapes.local import Locals
from asset.frontends.python.values import Compound, Scalar, TupleOf, Value
from asset.frontends.python.views import VIEWS
from asset.ir import nodes as n
from asset.ir.shapes import Collection, LocalShape, TupleShape, leaves


class Dicts(Locals):
    not_there = "KeyError"

    def sought_of(self, item: Value, node: ast.expr) -> Value:
        return self.compounds.items_of(item, node)[0]

    def missing(self, there: n.Expr, node: ast.expr) -> n.Expr:
        return self.storage.check(there, f"KeyError: the key is not in {self.value.name}", self.body.span(node))

    def item(self, index: Value, node: ast.expr) -> Compound:
        """The place of the key's value."""
        span, position = self.body.span(node), self.found(index, node)
        there = n.Binary(span, n.BinaryOp.GE, position, n.Const(span, 0))
        place = self.place(position, (self.missing(there, node),))
        return _value_of(place) if self.shape.capacity else place

    def equals(self, other: Value, node: ast.expr) -> n.Expr:
        return self.same_members(other, node)

    def store_item(self, index: Value, value: Value, target: ast.Subscript) -> None:
        place = self.at(target)
        if place.takes(TupleOf((index, value)), target):
            place.assign_key(index, value, target)

    def assign_key(self, key: Value, value: Value, node: ast.expr) -> None:
        """The key of the dict has the value; it stays where it is if it was there."""
        span = self.body.span(node)
        key, value = self.holding.assigned_now(key, node), self.holding.assigned_now(value, node)
        position = self.found(key, node)
        cases = []
        for k in range(self.shape.capacity):
            place = self.compounds.lowered(_value_of(self.place(n.Const(span, k))))
            code = self.body.collected(partial(place.store, value, node))
            cases.append(n.Case(span, n.Binary(span, n.BinaryOp.EQ, position, n.Const(span, k)), code))
        new = self.body.collected(lambda: self.push_within(TupleOf((key, value)), node))
        self.body.emit(n.If(span, tuple(cases), new))

    def pop(self, node: ast.Call) -> Value:
        """Takes the key out, and gives its value."""
        place, given = self.at(node), self.arguments(node, 1, 1)
        taken: Value = place.taken_out(given[0], node)
        return taken

    def setdefault(self, node: ast.Call) -> Value:
        """The key's value, which is the default if it had none."""
        place, (key, default) = self.at(node), self.arguments(node, 2, 2)
        key, default = self.holding.assigned_now(key, node), self.holding.assigned_now(default, node)
        if not place.takes(TupleOf((key, default)), node):
            return default
        span, position = self.body.span(node), place.found(key, node)
        missing = n.Binary(span, n.BinaryOp.LT, position, n.Const(span, 0))
        code = self.body.collected(lambda: place.push_within(TupleOf((key, default)), node))
        self.body.emit(n.If(span, (n.Case(span, missing, code),)))
        found: Value = place.element(key, node)
        return found

    def update(self, node: ast.Call) -> None:
        self.at(node).updated(self.arguments(node, 1, 1)[0], node.args[0])

    def updated(self, other: Value, node: ast.expr) -> None:
        """Each key of what the node denotes, a dict or a Map, gets its value."""
        place, span = self, self.body.span(node)
        spread = self.compounds.sequences.pairs_of(other, node)
        for k, pair in enumerate(spread.items):
            key, value = self.compounds.items_of(pair, node)
            there = n.Binary(span, n.BinaryOp.LT, n.Const(span, k), spread.length)
            if place.takes(pair, node):
                code = self.body.collected(partial(place.assign_key, key, value, node))
                self.body.emit(n.If(span, (n.Case(span, there, code),)))

    def get(self, node: ast.Call) -> Value:
        """`get(key, default)` of numbers."""
        key, default = self.arguments(node, 2, 2)
        span, instead = self.body.span(node), self.holding.index(self.number(default, node))
        if self.shape.capacity == 0:
            return Scalar(instead)
        position = self.found(key, node)
        place = replace(_value_of(self.place(position)), alias=False)
        value = self.number(self.storage.normal(place, node), node)
        there = n.Binary(span, n.BinaryOp.GE, position, n.Const(span, 0))
        return Scalar(n.Conditional(span, there, value, instead))

    def viewed(self, what: str, node: ast.expr) -> Compound:
        """What `keys()`, `values()` or `items()` has now, as a list; the pairs are the same cells."""
        if what == "items":
            shape = LocalShape(Collection.LIST, self.shape.capacity, self.shape.item)
            return replace(self.value, shape=shape, alias=False)
        part = ("keys", "values").index(what)
        items = tuple(self.compounds.items_of(pair, node)[part] for pair in self.all_items(node))
        return self.compounds.sequences.collected(Collection.LIST, items, self.size(self.body.span(node)), node)


def _value_of(pair: Compound) -> Compound:
    """The place of the value of a pair."""
    assert isinstance(pair.shape, TupleShape)
    key, value = pair.shape.items
    return pair.part(value, len(leaves(key)))


Dicts.ACTIONS = {"clear": Dicts.clear, "update": Dicts.update}
Dicts.TAKES = {"pop": Dicts.pop, "setdefault": Dicts.setdefault}
Dicts.VALUES = {
    "copy": Dicts.copy,
    "get": Dicts.get,
    **dict.fromkeys(VIEWS, Dicts.only_iterated),
}
