"""Queues: the length, and the items from the head on; behind them the cells are blank."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import partial

from asset.frontends.python.ir_expressions import affine
from asset.frontends.python.shapes.numbered import Numbered
from asset.frontends.python.traversals import Traversal
from asset.frontends.python.values import Compound, Scalar, Static, Value
from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.ir.shapes import Collection
from asset.span import Span


class Queues(Numbered):
    remedy = "use len, peek or a loop"

    def size(self, span: Span) -> n.Expr:
        """How many items there are."""
        return self.cell(0, (), span)

    def _item(self, index: n.Expr, checks: tuple[n.Expr, ...] = (), alias: bool = False) -> Compound:
        """The place of an item. What is read from it is a value, unless it is to be changed here."""
        item = self.inside(self.shape.item, 1, (index,), ".items")
        return replace(item, checks=(*item.checks, *checks), alias=alias)

    # --- reading --------------------------------------------------------------------------------------------------

    def length(self, node: ast.expr) -> n.Expr:
        return self.size(self.body.span(node))

    def truth(self, span: Span) -> n.Expr:
        return n.Binary(span, n.BinaryOp.GT, self.size(span), n.Const(span, 0))

    def empty(self, node: ast.Call) -> Value:
        self.arguments(node, 0, 0)
        span = self.body.span(node)
        return Scalar(n.Binary(span, n.BinaryOp.EQ, self.size(span), n.Const(span, 0)))

    def full(self, node: ast.Call) -> Value:
        self.arguments(node, 0, 0)
        span = self.body.span(node)
        return Scalar(n.Binary(span, n.BinaryOp.EQ, self.size(span), n.Const(span, self.shape.capacity)))

    def peek(self, node: ast.Call) -> Value:
        self.arguments(node, 0, 0)
        span = self.body.span(node)
        there = self.storage.check(self.truth(span), f"Empty: {self.value.name} is empty", span)
        return self.storage.normal(self._item(n.Const(span, 0), (there,)), node)

    def item(self, index: Value, node: ast.expr) -> Compound:
        span = self.body.span(node)
        given = self.holding.index(self.order.require_repeatable(self.number(index, node), node))
        position = self.holding.index(self._from_start(given, span))
        message = f"an index of {self.value.name} is out of bounds"
        there = self.storage.check(self._inside(position, span), message, span, FaultKind.INDEX)
        known = self.body.bounds_of(position)
        inside = known is not None and known[0] >= 0 and known[1] < self.shape.capacity
        return self._item(position if inside else self._limited(position, span), (there,))

    def _from_start(self, index: n.Expr, span: Span) -> n.Expr:
        """The position: a negative index counts from the end."""
        known = self.body.bounds_of(index)
        if known is not None and known[0] >= 0:
            return index
        from_end = n.Binary(span, n.BinaryOp.ADD, index, self.size(span))
        negative = n.Binary(span, n.BinaryOp.LT, index, n.Const(span, 0))
        return from_end if isinstance(index, n.Const) else n.Conditional(span, negative, from_end, index)

    def _inside(self, position: n.Expr, span: Span) -> n.Expr:
        low = n.Binary(span, n.BinaryOp.LE, n.Const(span, 0), position)
        return n.And(span, (low, n.Binary(span, n.BinaryOp.LT, position, self.size(span))))

    def _limited(self, position: n.Expr, span: Span) -> n.Expr:
        """An index of the array of items, whatever the position: if it is none, a check fails."""
        below = n.Binary(span, n.BinaryOp.MIN, position, n.Const(span, self.shape.capacity - 1))
        return n.Binary(span, n.BinaryOp.MAX, below, n.Const(span, 0))

    def traversal(self, node: ast.expr) -> Traversal:
        span = self.body.span(node)

        def element(k: n.Expr) -> Value:
            return self.storage.normal(self._item(k), node)

        zero, one, most = n.Const(span, 0), n.Const(span, 1), self.shape.capacity
        return Traversal(self.value.name, zero, self.size(span), one, element, guards=self.unchanged, most=most)

    def unchanged(self, length: n.Expr, span: Span) -> None:
        """A model error if the length is not what it was when the iteration began."""
        same = n.Binary(span, n.BinaryOp.EQ, self.size(span), length)
        message = (f"RuntimeError: {self.value.name} changed while it was iterated over",)
        self.storage.require(same, FaultKind.RAISE, message, span)

    def contains(self, element: Value, node: ast.expr) -> n.Expr:
        return self.equal_items(n.FoldOp.ANY, element, node)

    def is_equal(self, at: n.Expr, element: Value, node: ast.expr) -> n.Expr:
        span = self.body.span(node)
        before_end = n.Binary(span, n.BinaryOp.LT, at, self.size(span))
        item = self.storage.normal(self._item(at), node)
        return n.And(span, (before_end, self.compounds.equal(item, element, node)))

    @property
    def room(self) -> int:
        capacity: int = self.shape.capacity
        return capacity

    def put_in(self, value: Value, node: ast.expr) -> None:
        """A Queue of its shape, or a list that is not longer than it can be."""
        sequences = self.compounds.sequences
        if sequences.kind_of(value) is not Collection.LIST:
            super().put_in(value, node)
            return
        spread, span, capacity = sequences.required(value, node), self.body.span(node), self.shape.capacity
        room = n.Binary(span, n.BinaryOp.LE, spread.length, n.Const(span, capacity))
        full = f"Full: {self.value.name} is full: it holds {capacity}"
        self.storage.require(room, FaultKind.RAISE, (full,), span)
        for k in range(capacity):
            place = self._item(n.Const(span, k), alias=True)
            there = n.Binary(span, n.BinaryOp.LT, n.Const(span, k), spread.length)
            absent = self.body.collected(partial(self.storage.blank, place, span))
            if k < len(spread.items):
                lowered, item = self.compounds.lowered(place), spread.items[k]
                present = self.body.collected(partial(lowered.store, item, node))
                self.body.emit(n.If(span, (n.Case(span, there, present),), absent))
            else:
                self.body.emitted += absent
        self.set_cell(0, (), spread.length, span)

    def store_item(self, index: Value, value: Value, target: ast.Subscript) -> None:
        """`place[index] = value`."""
        held, place = self.holding.assigned_now(value, target), self.at(target)
        item = self.holding.fixed(place.item(index, target), target)
        self.compounds.lowered(replace(item, alias=True)).store(held, target)

    # --- changing -------------------------------------------------------------------------------------------------

    def put(self, node: ast.Call) -> None:
        place = self.at(node)
        place.push(self.holding.assigned_now(self.argument(node), node), node)

    def extend(self, node: ast.Call) -> None:
        self.at(node).extended(self.arguments(node, 1, 1)[0], node)

    def extended(self, other: Value, node: ast.expr) -> None:
        """The items of a list come behind those that are there; the indices of the place are held."""
        place, span = self, self.body.span(node)
        spread = self.compounds.sequences.required(other, node)
        length = self.holding.index(spread.length)
        held = [self.holding.assigned_now(item, node) for item in spread.items]
        for k, item in enumerate(held):
            there = n.Binary(span, n.BinaryOp.LT, n.Const(span, k), length)
            code = self.body.collected(partial(place.push, item, node))
            self.body.emit(n.If(span, (n.Case(span, there, code),)))

    def require_room(self, span: Span) -> None:
        """A model error if the queue is full."""
        capacity = self.shape.capacity
        room = n.Binary(span, n.BinaryOp.LT, self.size(span), n.Const(span, capacity))
        full = f"Full: {self.value.name} is full: it holds {capacity}"
        self.storage.require(room, FaultKind.RAISE, (full,), span)

    def push(self, value: Value, node: ast.expr) -> None:
        """Adds an item to the queue, whose indices are held."""
        place, span = self, self.body.span(node)
        capacity = self.shape.capacity
        self.require_room(span)
        end = n.Binary(span, n.BinaryOp.MIN, place.size(span), n.Const(span, capacity - 1))
        self.compounds.lowered(place._item(end, alias=True)).store(value, node)
        place.set_cell(0, (), n.Binary(span, n.BinaryOp.ADD, place.size(span), n.Const(span, 1)), span)

    def insert(self, node: ast.Call) -> None:
        place, (index, item) = self.at(node), self.arguments(node, 2, 2)
        place.put_before(self.number(index, node), item, node)

    def appendleft(self, node: ast.Call) -> None:
        place, (item,) = self.at(node), self.arguments(node, 1, 1)
        place.put_before(n.Const(self.body.span(node), 0), item, node)

    def put_before(self, index: n.Expr, item: Value, node: ast.expr) -> None:
        """The items from the index on move back, and the item comes there; the indices of the place are held."""
        span, last = self.body.span(node), self.shape.capacity - 1
        given, value = self.held(index), self.holding.assigned_now(item, node)
        self.require_room(span)
        inside = n.Binary(span, n.BinaryOp.MIN, self._from_start(given, span), self.size(span))
        at = self.held(n.Binary(span, n.BinaryOp.MAX, inside, n.Const(span, 0)))
        slot = self.body.new_slot("at", (1, max(last, 1)))
        k = n.Local(span, slot)
        before = affine(k, -1, 1, span)
        moved = self.body.collected(lambda: self.storage.copy(self._item(k), self._item(before), span))
        if last > 0:
            self.body.emit(n.For(span, slot, n.Const(span, last), at, n.Const(span, -1), moved))
        self.compounds.lowered(self._item(self._limited(at, span), alias=True)).store(value, node)
        self.set_cell(0, (), n.Binary(span, n.BinaryOp.ADD, self.size(span), n.Const(span, 1)), span)

    def delete(self, index: Value, target: ast.expr) -> None:
        """`del place[index]`."""
        place, span = self.at(target), self.body.span(target)
        position = self.held(place._from_start(self.held(self.number(index, target)), span))
        message = f"an index of {self.value.name} is out of bounds"
        self.storage.require(place._inside(position, span), FaultKind.INDEX, (message,), span)
        place.close(position, span)

    def get(self, node: ast.Call) -> Value:
        """Takes out the head, or the item at the position."""
        taken: Value = self.at(node).take((*self.arguments(node, 0, 1), Static(0))[0], node)
        return taken

    def pop(self, node: ast.Call) -> Value:
        """Takes out the last item, or the one at the position."""
        place, span, given = self.at(node), self.body.span(node), (*self.arguments(node, 0, 1), Static(-1))[0]
        held = Scalar(self.held(self.number(given, node)))
        self.storage.require(place.truth(span), FaultKind.RAISE, (f"Empty: {self.value.name} is empty",), span)
        taken: Value = place.take(held, node)
        return taken

    def popleft(self, node: ast.Call) -> Value:
        self.arguments(node, 0, 0)
        taken: Value = self.at(node).take(Static(0), node)
        return taken

    def remove(self, node: ast.Call) -> None:
        """Takes out the first item that is equal."""
        place, (item,) = self.at(node), self.arguments(node, 1, 1)
        place.take(Scalar(place.found(item, node)), node)

    def take(self, index: Value, node: ast.expr) -> Value:
        """Takes an item out of the queue, whose indices are held."""
        place, span = self, self.body.span(node)
        position = self.held(self._from_start(self.held(self.number(index, node)), span))
        place.require_item(position, span)
        taken = self.holding.value(self.storage.normal(place._item(place._position(position, span)), node), node)
        place.close(position, span)
        return taken

    def _position(self, position: n.Expr, span: Span) -> n.Expr:
        return position if isinstance(position, n.Const) else self._limited(position, span)

    def require_item(self, position: n.Expr, span: Span) -> None:
        """A model error if there is no item at the position."""
        if isinstance(position, n.Const) and position.value == 0:
            self.storage.require(self.truth(span), FaultKind.RAISE, (f"Empty: {self.value.name} is empty",), span)
            return
        at_head = n.Binary(span, n.BinaryOp.EQ, position, n.Const(span, 0))
        some = n.Or(span, (n.Unary(span, n.UnaryOp.NOT, at_head), self.truth(span)))
        self.storage.require(some, FaultKind.RAISE, (f"Empty: {self.value.name} is empty",), span)
        message = ("index ", position, f" of {self.value.name} is out of bounds")
        self.storage.require(self._inside(position, span), FaultKind.INDEX, message, span)

    def close(self, position: n.Expr, span: Span) -> None:
        """The items behind the position move up, and the last place becomes blank."""
        last = self.shape.capacity - 1
        if last > 0:
            slot = self.body.new_slot("at", (0, last - 1))
            k = n.Local(span, slot)
            following = n.Binary(span, n.BinaryOp.ADD, k, n.Const(span, 1))
            body = self.body.collected(lambda: self.storage.copy(self._item(k), self._item(following), span))
            stop, one = n.Const(span, last), n.Const(span, 1)
            self.body.emit(n.For(span, slot, position, stop, one, body))
        self.storage.blank(self._item(n.Const(span, last)), span)
        self.set_cell(0, (), n.Binary(span, n.BinaryOp.SUB, self.size(span), n.Const(span, 1)), span)


Queues.ACTIONS = {
    "put": Queues.put,
    "append": Queues.put,
    "extend": Queues.extend,
    "insert": Queues.insert,
    "appendleft": Queues.appendleft,
    "reverse": Queues.reverse,
    "sort": Queues.sort,
    "remove": Queues.remove,
    "clear": Queues.clear,
}
Queues.TAKES = {"get": Queues.get, "pop": Queues.pop, "popleft": Queues.popleft}
Queues.VALUES = {
    "count": Queues.count,
    "index": Queues.index,
    "peek": Queues.peek,
    "empty": Queues.empty,
    "full": Queues.full,
    "copy": Queues.copy,
}
