"""Maps: for each key whether it is in the map, and its item."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import partial

from asset.frontends.python.ir_expressions import conjunction
from asset.frontends.python.shapes.keyed import Keyed
from asset.frontends.python.shapes.lowering import is_none
from asset.frontends.python.traversals import Spread, Traversal
from asset.frontends.python.values import Compound, Computed, Scalar, Static, TupleOf, Value
from asset.frontends.python.views import VIEWS
from asset.ir import nodes as n
from asset.ir.shapes import Collection, OptionalShape, ScalarShape
from asset.span import Span


class Maps(Keyed):
    def item(self, index: Value, node: ast.expr) -> Compound:
        span = self.body.span(node)
        numbers = [self.order.require_repeatable(number, node) for number in self.numbers(index, node)]
        if self.value.checks:  # the key is evaluated before it is known whether there is a map
            numbers = [self.holding.index(number) for number in numbers]
        there = self.storage.check(self.present(numbers, span), f"KeyError: the key is not in {self.value.name}", span)
        return self._item(numbers, node, (there,))

    def _item(self, numbers: list[n.Expr], node: ast.expr, checks: tuple[n.Expr, ...] = ()) -> Compound:
        item = self.inside(self.shape.item, 1, self.positions(numbers, self.body.span(node)), ".values")
        return replace(item, checks=(*item.checks, *checks))

    def store_item(self, index: Value, value: Value, target: ast.Subscript) -> None:
        value = self.holding.assigned_now(value, target)
        self.at(target)._put(index, value, target)

    def put_in(self, value: Value, node: ast.expr) -> None:
        """A Map of its shape, or a dict."""
        spread, span = self._pairs(value, node), self.body.span(node)
        if spread is None:
            super().put_in(value, node)
            return
        self.storage.blank(self.value, span)
        self._put_all(spread, node, span)

    def _put_all(self, spread: Spread, node: ast.expr, span: Span) -> None:
        for k, pair in enumerate(spread.items):
            key, item = self.compounds.items_of(pair, node)
            there = n.Binary(span, n.BinaryOp.LT, n.Const(span, k), spread.length)
            code = self.body.collected(partial(self._put, key, item, node))
            self.body.emit(n.If(span, (n.Case(span, there, code),)))

    def _pairs(self, value: Value, node: ast.expr) -> Spread | None:
        """The keys of a dict with their items; None if it is none."""
        is_dict = isinstance(value, Static) and isinstance(value.value, dict)
        if not is_dict and self.compounds.sequences.kind_of(value) is not Collection.DICT:
            return None
        return self.compounds.sequences.pairs_of(value, node)

    def equals(self, other: Value, node: ast.expr) -> n.Expr:
        """A Map of its shape, or a dict: it has as many keys, and each of them has the same item."""
        spread, span = self._pairs(other, node), self.body.span(node)
        if spread is None:
            return super().equals(other, node)
        tests: list[n.Expr] = [n.Binary(span, n.BinaryOp.EQ, self.length(node), spread.length)]
        for k, pair in enumerate(spread.items):
            beyond = n.Binary(span, n.BinaryOp.GE, n.Const(span, k), spread.length)
            key, item = self.compounds.items_of(pair, node)
            tests.append(n.Or(span, (beyond, self._has(key, item, node))))
        return conjunction(tests, span)

    def _has(self, key: Value, item: Value, node: ast.expr) -> n.Expr:
        """Whether the key is in the map, with an item that equals this one."""
        span, numbers = self.body.span(node), self.numbers(key, node)
        own = self.storage.normal(self._item(numbers, node), node)
        return n.And(span, (self.present(numbers, span), self.compounds.equal(own, item, node)))

    def _put(self, key: Value, item: Value, node: ast.expr) -> None:
        self._put_at(self.held_numbers(key, node), item, node)

    def _put_at(self, numbers: list[n.Expr], item: Value, node: ast.expr) -> None:
        span = self.body.span(node)
        self.require_key(numbers, node)
        self.compounds.lowered(self._item(numbers, node)).store(item, node)
        self.set_cell(0, self.positions(numbers, span), n.Const(span, 1), span)

    def delete(self, index: Value, target: ast.expr) -> None:
        """`del place[index]`."""
        place, numbers = self.at(target), self.held_numbers(index, target)
        place.require_present(numbers, target)
        place._forget(numbers, target)

    def _forget(self, numbers: list[n.Expr], node: ast.expr) -> None:
        span = self.body.span(node)
        self.storage.blank(self._item(numbers, node), span)
        self.set_cell(0, self.positions(numbers, span), n.Const(span, 0), span)

    def pop(self, node: ast.Call) -> Value:
        """Takes the key out, and gives its item, or the default if there is one and the key is not there."""
        place, (key, *default) = self.at(node), self.arguments(node, 1, 2)
        numbers = self.held_numbers(key, node)
        if default:
            found: Value = place._pop_or(numbers, default[0], node)
            return found
        place.require_present(numbers, node)
        item = replace(place._item(numbers, node), alias=False)  # a value: it is gone from its place
        taken = self.storage.normal(self.holding.kept(item, node), node)
        place._forget(numbers, node)
        return taken

    def _pop_or(self, numbers: list[n.Expr], default: Value, node: ast.Call) -> Value:
        if not isinstance(self.shape.item, ScalarShape):
            what = f"pop of {self.value.name} may give a value of several cells, or a default"
            self.body.reject(node, what, "test with in, then pop")
        span, there = self.body.span(node), self.present(numbers, self.body.span(node))
        if is_none(default):
            value = self._item_or_none(numbers, node)
        else:
            otherwise = self.holding.number(self.number(default, node), "default")
            value = Scalar(n.Conditional(span, there, self._item(numbers, node).cell(0, (), span), otherwise))
        taken = self.holding.value(value, node)
        code = self.body.collected(lambda: self._forget(numbers, node))
        self.body.emit(n.If(span, (n.Case(span, there, code),)))
        return taken

    def setdefault(self, node: ast.Call) -> Value:
        """The key's item, which is the default if it had none."""
        place, (key, default), span = self.at(node), self.arguments(node, 2, 2), self.body.span(node)
        numbers, value = self.held_numbers(key, node), self.holding.assigned_now(default, node)
        missing = n.Unary(span, n.UnaryOp.NOT, place.present(numbers, span))
        code = self.body.collected(lambda: place._put_at(numbers, value, node))
        self.body.emit(n.If(span, (n.Case(span, missing, code),)))
        return self.storage.normal(place._item(numbers, node), node)

    def update(self, node: ast.Call) -> None:
        self.at(node).updated(self.arguments(node, 1, 1)[0], node.args[0])

    def updated(self, given: Value, node: ast.expr) -> None:
        """Each key of what the node denotes, a dict or a Map, gets its item; the indices of the place are held."""
        self._put_all(self.compounds.sequences.pairs_of(given, node), node, self.body.span(node))

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

    def has(self, what: str, sought: Value, node: ast.expr) -> n.Expr:
        """Whether it is among `keys()`, `values()` or `items()`."""
        span, traversal = self.body.span(node), self.over(what, node)
        slot, before = self.body.new_slot("at", traversal.bounds), len(self.body.emitted)
        k = n.Local(span, slot)
        test = None if traversal.test is None else traversal.test(k)
        same = self.compounds.equal(traversal.element(k), sought, node)
        if len(self.body.emitted) > before:
            self.body.reject(node, "this cannot be looked for here", "write any(... == x for x in ...)")
        generator = n.Generator(span, slot, traversal.start, traversal.stop, traversal.step, (), test)
        return n.Fold(span, n.FoldOp.ANY, (generator,), same)

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
        return self._item_or_none(
            [self.holding.index(self.order.require_repeatable(e, node)) for e in self.numbers(key, node)], node
        )

    def _item_or_none(self, numbers: list[n.Expr], node: ast.Call) -> Value:
        item = self._item(numbers, node)

        def cell(leaf: int, indices: tuple[n.Expr, ...], span: Span) -> n.Expr:
            there = self.present(numbers, span)
            return there if leaf == 0 else n.Conditional(span, there, item.read(0, (), span), n.Const(span, item_blank))

        item_blank = self.shape.item.type.lo
        return Compound(OptionalShape(self.shape.item), Computed(cell), 0, "the item", alias=False)


Maps.ACTIONS = {"clear": Maps.clear, "update": Maps.update}
Maps.TAKES = {"pop": Maps.pop, "setdefault": Maps.setdefault}
Maps.VALUES = {
    "copy": Maps.copy,
    "get": Maps.get,
    **dict.fromkeys(VIEWS, Maps.only_iterated),
}
