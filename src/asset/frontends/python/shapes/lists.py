"""Lists and tuples in local variables."""

from __future__ import annotations

import ast
from functools import partial

from asset.frontends.python.local_shapes import shape_of
from asset.frontends.python.shapes.local import Locals
from asset.frontends.python.values import Scalar, Static, Value
from asset.ir import nodes as n


class Row(Locals):
    """A list or a tuple."""

    def count(self, node: ast.Call) -> Value:
        (element,) = self.arguments(node, 1, 1)
        span, items = self.body.span(node), self.all_items(node)

        def counted(held: list[Value]) -> n.Expr:
            total: n.Expr = n.Const(span, 0)
            for k, item in enumerate(items):
                test = n.And(span, (self.there(k, span), self.compounds.equal(item, held[0], node)))
                one = n.Conditional(span, test, n.Const(span, 1), n.Const(span, 0))
                total = n.Binary(span, n.BinaryOp.ADD, total, one)
            return total

        return Scalar(self.compounds.evaluated([element], counted, node))

    def index(self, node: ast.Call) -> Value:
        position, span = self.found(self.arguments(node, 1, 1)[0], node), self.body.span(node)
        there = n.Binary(span, n.BinaryOp.GE, position, n.Const(span, 0))
        checked = self.storage.check(there, f"ValueError: the element is not in the {self.noun}", span)
        return Scalar(n.Conditional(span, checked, position, position))

    def lengthened(self, other: Value, node: ast.expr) -> None:
        """The items of another collection come behind those that are there."""
        spread = self.compounds.sequences.spread(other, node)
        if spread is None:
            self.body.reject(node, "this cannot be appended", "append its items in a for loop")
        span = self.body.span(node)
        held = [self.holding.assigned_now(item, node) for item in spread.items]
        length = self.holding.index(spread.length)
        fit = [self.takes(item, node) for item in held]
        for k, item in enumerate(held if all(fit) else []):
            there = n.Binary(span, n.BinaryOp.LT, n.Const(span, k), length)
            code = self.body.collected(partial(self.push_within, item, node))
            self.body.emit(n.If(span, (n.Case(span, there, code),)))


class Lists(Row):
    def append(self, node: ast.Call) -> None:
        self.at(node).push(self.argument(node), node)

    def store_item(self, index: Value, value: Value, target: ast.Subscript) -> None:
        place, shape = self.at(target, assigns=True), shape_of(value)
        self.compounds.sequences.put(value, target)
        if shape is None:
            self.reject_item(value, target)
        if not self.value.indices:
            self.counted(shape, 0, target)
        held, span = self.holding.assigned_now(value, target), self.body.span(target)
        if self.shape.capacity == 0:
            self.body.emit(n.Evaluate(span, place.missing(n.Const(span, 0), target)))
        elif place.fits(shape):
            item = self.holding.fixed(place.item(index, target), target)
            self.compounds.lowered(item).store(held, target)

    def extend(self, node: ast.Call) -> None:
        self.extended(self.arguments(node, 1, 1)[0], node)

    def extended(self, other: Value, node: ast.expr) -> None:
        """`xs += other`."""
        self.at(node).lengthened(other, node)

    def pop(self, node: ast.Call) -> Value:
        """Takes the last item out, or the one at the index."""
        place, given = self.at(node), self.arguments(node, 0, 1)
        taken: Value = place.taken_out((*given, Static(-1))[0], node)
        return taken

    def insert(self, node: ast.Call) -> None:
        """The items from the index on move back."""
        place, (index, item) = self.at(node), self.arguments(node, 2, 2)
        span = self.body.span(node)
        if not place.takes(item, node):
            return
        held, size = self.holding.assigned_now(item, node), self.holding.index(place.size(span))
        given = self.holding.index(self.number(index, node))
        negative = n.Binary(span, n.BinaryOp.LT, given, n.Const(span, 0))
        from_end = n.Binary(span, n.BinaryOp.ADD, given, size)
        position = n.Conditional(span, negative, n.Binary(span, n.BinaryOp.MAX, from_end, n.Const(span, 0)), given)
        at = self.holding.index(n.Binary(span, n.BinaryOp.MIN, position, size))
        place.push_within(held, node)
        for k in reversed(range(self.shape.capacity)):
            target = place.place(n.Const(span, k))
            moved = self.body.collected(partial(self.storage.copy, target, place.place(n.Const(span, k - 1)), span))
            put = self.body.collected(partial(self.compounds.lowered(target).store, held, node))
            here = n.Case(span, n.Binary(span, n.BinaryOp.EQ, at, n.Const(span, k)), put)
            behind = n.And(
                span,
                (
                    n.Binary(span, n.BinaryOp.LT, at, n.Const(span, k)),
                    n.Binary(span, n.BinaryOp.LE, n.Const(span, k), size),
                ),
            )
            cases = (here, n.Case(span, behind, moved)) if k and moved else (here,)
            self.body.emit(n.If(span, cases))

    def reverse(self, node: ast.Call) -> None:
        self.arguments(node, 0, 0)
        place, sequences = self.at(node), self.compounds.sequences
        place.put_in(sequences.backwards(place.value, node), node)

    def sort(self, node: ast.Call) -> None:
        """`xs.sort(key=..., reverse=...)`."""
        self.at(node).put_in(self.sorted_items(node), node)


Row.VALUES = {"copy": Row.copy, "count": Row.count, "index": Row.index}
Lists.ACTIONS = {
    "append": Lists.append,
    "extend": Lists.extend,
    "insert": Lists.insert,
    "remove": Lists.remove,
    "clear": Lists.clear,
    "reverse": Lists.reverse,
    "sort": Lists.sort,
}
Lists.TAKES = {"pop": Lists.pop}
