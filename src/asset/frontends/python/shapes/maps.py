"""Maps: for each key whether it is in the map, and its item."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import partial

from asset.frontends.python.shapes.keyed import Keyed
from asset.frontends.python.shapes.lowering import is_none
from asset.frontends.python.traversals import Traversal
from asset.frontends.python.values import Compound, Computed, Scalar, Static, TupleOf, Value
from asset.ir import nodes as n
from asset.ir.shapes import Collection, OptionalShape, ScalarShape
from asset.span import Span


class Maps(Keyed):
    def item(self, index: Value, node: ast.expr) -> Compound:
        span = self.body.span(node)
        numbers = [self.order.require_repeatable(number, node) for number in self.numbers(index, node)]
        there = self.storage.check(self.present(numbers, span), f"KeyError: the key is not in {self.value.name}", span)
        return self._item(numbers, node, (there,))

    def _item(self, numbers: list[n.Expr], node: ast.expr, checks: tuple[n.Expr, ...] = ()) -> Compound:
        item = self.inside(self.shape.item, 1, self.positions(numbers, self.body.span(node)), ".values")
        return replace(item, checks=(*item.checks, *checks))

    def store_item(self, index: Value, value: Value, target: ast.Subscript) -> None:
        value = self.holding.assigned_now(value, target)
        place, span = self.at(target), self.body.span(target)
        numbers = self.held_numbers(index, target)
        place.require_key(numbers, target)
        self.compounds.lowered(place._item(numbers, target)).store(value, target)
        place.set_cell(0, place.positions(numbers, span), n.Const(span, 1), span)

    def put_in(self, value: Value, node: ast.expr) -> None:
        """A Map of its shape, or a dict."""
        sequences = self.compounds.sequences
        if sequences.kind_of(value) is not Collection.DICT:
            super().put_in(value, node)
            return
        spread, span = sequences.spread(value, node, pairs=True), self.body.span(node)
        assert spread is not None
        self.storage.blank(self.value, span)
        for k, pair in enumerate(spread.items):
            key, item = self.compounds.items_of(pair, node)
            there = n.Binary(span, n.BinaryOp.LT, n.Const(span, k), spread.length)
            code = self.body.collected(partial(self._put, key, item, node))
            self.body.emit(n.If(span, (n.Case(span, there, code),)))

    def _put(self, key: Value, item: Value, node: ast.expr) -> None:
        numbers, span = self.held_numbers(key, node), self.body.span(node)
        self.require_key(numbers, node)
        self.compounds.lowered(self._item(numbers, node)).store(item, node)
        self.set_cell(0, self.positions(numbers, span), n.Const(span, 1), span)

    def delete(self, index: Value, target: ast.expr) -> None:
        """`del place[index]`."""
        place, span = self.at(target), self.body.span(target)
        numbers = self.held_numbers(index, target)
        place.require_present(numbers, target)
        self.storage.blank(place._item(numbers, target), span)
        place.set_cell(0, place.positions(numbers, span), n.Const(span, 0), span)

    def over(self, what: str, node: ast.expr) -> Traversal:
        """The iteration over `keys()`, `values()` or `items()`."""
        keys = self.traversal(node)
        if what == "keys":
            return keys

        def element(k: n.Expr) -> Value:
            key = keys.element(k)
            item = self.storage.normal(self._item(self.numbers(key, node), node), node)
            return item if what == "values" else TupleOf((key, item))

        return replace(keys, element=element, counts=False)

    def only_iterated(self, node: ast.Call) -> Value:
        what = f"{ast.unparse(node)} can only be iterated over"
        self.body.reject(node, what, f"write [... for x in {ast.unparse(node)}], or sorted({ast.unparse(node)})")

    def get(self, node: ast.Call) -> Value:
        """`get(key, default)` of numbers."""
        key, default = (*self.arguments(node, 1, 2), Static(None))[:2]
        if isinstance(self.shape.item, ScalarShape) and is_none(default):
            return self._optional(key, node)
        if not isinstance(self.shape.item, ScalarShape):
            self.body.reject(
                node, f"get of {self.value.name} may give a value of several cells", "test with in, then index"
            )
        span, otherwise = self.body.span(node), self.number(default, node)

        def found(held: list[n.Expr]) -> n.Expr:
            *numbers, instead = held
            item = self._item(numbers, node).cell(0, (), span)
            return n.Conditional(span, self.present(numbers, span), item, instead)

        return Scalar(self.once_behind([*self.numbers(key, node), otherwise], found, node))

    def _optional(self, key: Value, node: ast.Call) -> Value:
        """`get(key)` of numbers: the item, or None."""
        numbers = [self.holding.index(self.order.require_repeatable(e, node)) for e in self.numbers(key, node)]
        item = self._item(numbers, node)

        def cell(leaf: int, indices: tuple[n.Expr, ...], span: Span) -> n.Expr:
            there = self.present(numbers, span)
            return there if leaf == 0 else n.Conditional(span, there, item.read(0, (), span), n.Const(span, item_blank))

        item_blank = self.shape.item.type.lo
        return Compound(OptionalShape(self.shape.item), Computed(cell), 0, "the item", alias=False)


VIEWS = ("keys", "values", "items")

Maps.ACTIONS = {"clear": Maps.clear}
Maps.VALUES = {
    "copy": Maps.copy,
    "get": Maps.get,
    "keys": Maps.only_iterated,
    "values": Maps.only_iterated,
    "items": Maps.only_iterated,
}
