"""Maps: for each key whether it is in the map, and its item."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import partial

from asset.frontends.python.shapes.keyed import Keyed
from asset.frontends.python.values import Compound, Scalar, Value
from asset.ir import nodes as n
from asset.ir.shapes import Collection, ScalarShape


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

    def get(self, node: ast.Call) -> Value:
        """`get(key, default)` of numbers."""
        key, default = self.arguments(node, 2, 2)
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


Maps.ACTIONS = {"clear": Maps.clear}
Maps.VALUES = {"copy": Maps.copy, "get": Maps.get}
