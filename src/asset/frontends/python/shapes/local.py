"""Local collections: lists, tuples, sets and dicts in local variables, in the order of insertion."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, NoReturn

from asset.frontends.python.constants import Listed
from asset.frontends.python.ir_expressions import conjunction, constant, disjunction
from asset.frontends.python.local_shapes import Unlike, joined_shape, shape_of
from asset.frontends.python.shapes.lowering import Lowering
from asset.frontends.python.sharing import OwnRows
from asset.frontends.python.traversals import Traversal
from asset.frontends.python.values import ArrayRef, Compound, Scalar, Static, TupleOf, Value, is_collection
from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.ir.shapes import ArrayShape, Collection, LocalShape, QueueShape, Shape, TupleShape
from asset.span import Span


class Locals(Lowering):
    """What they have in common: the items one after the other, of which the first ones are there."""

    remedy = "index it, or use sum, any, all, min or max"
    has_order: ClassVar[bool] = True
    """Whether Python says in which order the items are."""
    not_there: ClassVar[str] = "ValueError"
    """What Python raises if an element to remove is not there."""

    # --- reading --------------------------------------------------------------------------------------------------

    def size(self, span: Span) -> n.Expr:
        """How many items there are."""
        return self.cell(0, (), span)

    def length(self, node: ast.expr) -> n.Expr:
        return self.size(self.body.span(node))

    def truth(self, span: Span) -> n.Expr:
        return n.Binary(span, n.BinaryOp.GT, self.size(span), n.Const(span, 0))

    def there(self, k: int, span: Span) -> n.Expr:
        """Whether there is an item k."""
        return n.Binary(span, n.BinaryOp.LT, n.Const(span, k), self.size(span))

    def place(self, position: n.Expr, checks: tuple[n.Expr, ...] = ()) -> Compound:
        place = self.inside(self.shape.item, 1, (position,))
        return replace(place, checks=(*place.checks, *checks))

    def at_place(self, position: n.Expr, node: ast.expr, checks: tuple[n.Expr, ...] = ()) -> Value:
        """The item as a value."""
        return self.storage.normal(replace(self.place(position, checks), alias=False), node)

    def all_items(self, node: ast.expr) -> tuple[Value, ...]:
        """The items for which there is room, whether they are there or not."""
        span = self.body.span(node)
        return tuple(self.at_place(n.Const(span, k), node) for k in range(self.shape.capacity))

    def sought_of(self, item: Value, node: ast.expr) -> Value:
        """What is looked for and iterated over: the item or, in a dict, its key."""
        return item

    def sought(self, node: ast.expr) -> tuple[Value, ...]:
        return tuple(self.sought_of(item, node) for item in self.all_items(node))

    def element(self, index: Value, node: ast.expr) -> Value:
        if self.shape.capacity == 0:
            return Scalar(self.missing(n.Const(self.body.span(node), 0), node))
        item = self.item(index, node)
        return self.storage.normal(replace(item, alias=False), node)

    def missing(self, there: n.Expr, node: ast.expr) -> n.Expr:
        message = f"IndexError: {self.noun} index out of range"
        return self.storage.check(there, message, self.body.span(node), FaultKind.INDEX)

    def item(self, index: Value, node: ast.expr) -> Compound:
        """The place of an item."""
        return self.place(*self._position(index, node))

    def _position(self, index: Value, node: ast.expr) -> tuple[n.Expr, tuple[n.Expr, ...]]:
        """The position of an index, a negative one counting from the end, and the check that there is an item."""
        span = self.body.span(node)
        given = self.order.require_repeatable(self.number(index, node), node)
        position = self.holding.index(given)
        known = self.body.bounds_of(position)
        if known is None or known[0] < 0:
            from_end = n.Binary(span, n.BinaryOp.ADD, position, self.size(span))
            negative = n.Binary(span, n.BinaryOp.LT, position, n.Const(span, 0))
            position = self.holding.index(n.Conditional(span, negative, from_end, position))
        low = n.Binary(span, n.BinaryOp.LE, n.Const(span, 0), position)
        inside = n.And(span, (low, n.Binary(span, n.BinaryOp.LT, position, self.size(span))))
        last = constant(position)
        if last is not None:
            position = n.Const(span, min(max(last, 0), self.shape.capacity - 1))  # if it is outside, a check fails
        return position, (self.missing(inside, node),)

    def traversal(self, node: ast.expr) -> Traversal:
        span = self.body.span(node)

        def element(k: n.Expr) -> Value:
            return self.sought_of(self.at_place(k, node), node)

        zero, one, most = n.Const(span, 0), n.Const(span, 1), self.shape.capacity
        return Traversal(self.value.name, zero, self.size(span), one, element, most=most, has_order=self.has_order)

    def contains(self, element: Value, node: ast.expr) -> n.Expr:
        return self.compounds.evaluated([element], lambda held: self.among(held[0], self.sought(node), node), node)

    def among(self, element: Value, items: Sequence[Value], node: ast.expr) -> n.Expr:
        span = self.body.span(node)
        tests = [
            n.And(span, (self.there(k, span), self.compounds.equal(item, element, node)))
            for k, item in enumerate(items)
        ]
        return disjunction(tests, span)

    def found(self, element: Value, node: ast.expr) -> n.Expr:
        """The position of the first such item, or of such a key; -1 if there is none."""
        span, slot = self.body.span(node), self.body.new_slot("found", (-1, max(self.shape.capacity - 1, 0)))
        sought = self.holding.assigned_now(element, node)
        self.body.emit(n.SetLocal(span, slot, n.Const(span, -1)))
        cases = []
        for k, item in enumerate(self.sought(node)):
            test = n.And(span, (self.there(k, span), self.compounds.equal(item, sought, node)))
            cases.append(n.Case(span, test, (n.SetLocal(span, slot, n.Const(span, k)),)))
        if cases:
            self.body.emit(n.If(span, tuple(cases)))
        return n.Local(span, slot)

    # --- comparing ------------------------------------------------------------------------------------------------

    def equals(self, other: Value, node: ast.expr) -> n.Expr:
        span = self.body.span(node)
        sequences = self.compounds.sequences
        other = self.compounds.through(other, node)
        right = sequences.spread(other, node)
        if right is None or not self.is_like(other):
            return n.Const(span, 0)
        return sequences.equal(sequences.required(self.value, node), right, node)

    def is_like(self, other: Value) -> bool:
        """Whether Python compares the two item by item."""
        known = other.value if isinstance(other, Static) else None
        is_tuple = isinstance(other, TupleOf) or (isinstance(known, tuple) and not isinstance(known, Listed))
        is_tuple = is_tuple or (isinstance(other, Compound) and isinstance(other.shape, TupleShape))
        if isinstance(other, ArrayRef) or (isinstance(other, Compound) and isinstance(other.shape, ArrayShape)):
            return True
        if isinstance(other, Compound) and isinstance(other.shape, LocalShape | QueueShape):
            kind = other.shape.kind if isinstance(other.shape, LocalShape) else Collection.LIST
            return kind is self.shape.kind
        return is_tuple == (self.shape.kind is Collection.TUPLE)

    def same_members(self, other: Value, node: ast.expr) -> n.Expr:
        """Whether it has as many items as another collection of its kind, and each of them is there too."""
        span = self.body.span(node)
        if not is_collection(other) or not self.is_like(other):
            return n.Const(span, 0)
        right = Locals(self.compounds, other)
        same = n.Binary(span, n.BinaryOp.EQ, self.size(span), right.size(span))
        return conjunction([same, *self.each_among(right, node)], span)

    def each_among(self, right: Locals, node: ast.expr) -> list[n.Expr]:
        """Tests that are all true if each item is one of the other collection."""
        span, items = self.body.span(node), right.all_items(node)
        return [
            n.Or(span, (n.Unary(span, n.UnaryOp.NOT, self.there(k, span)), right.among(item, items, node)))
            for k, item in enumerate(self.all_items(node))
        ]

    # --- storing --------------------------------------------------------------------------------------------------

    def store(self, value: Value, node: ast.expr) -> None:
        self.put_in(value, node)

    def put_in(self, value: Value, node: ast.expr) -> None:
        """Becomes equal to another collection of the kind."""
        span = self.body.span(node)
        spread = self.compounds.sequences.spread(value, node, pairs=True)
        if spread is None:
            self.body.reject(node, f"this is no {self.noun}")
        if is_collection(value) and value.is_variable and value.name != self.value.name:
            self.compounds.sequences.share(value.name, self.value.name, node)
        for k, item in enumerate(spread.items[: self.shape.capacity]):
            self.compounds.lowered(self.place(n.Const(span, k))).store(item, node)
        for k in range(len(spread.items), self.shape.capacity):
            self.storage.blank(self.place(n.Const(span, k)), span)
        self.set_cell(0, (), spread.length, span)

    # --- changing -------------------------------------------------------------------------------------------------

    def at(self, node: ast.expr, assigns: bool = False) -> Any:
        """The collection, which is about to be changed; `assigns`: an item gets a value, and none comes or goes."""
        if not self.value.is_variable or not self.value.alias or self.value.name not in self.body.collections.slots:
            what = f"this {self.noun} does not change: it has no name of its own here"
            self.body.reject(node, what, "assign a copy to a local variable first")
        name, collections = self.value.name, self.body.collections
        collections.changed.add(name)
        collections.sharing.changed(name, node)
        depth = len(self.value.indices)
        if depth and not OwnRows(name, depth, self.body.definition.node).hold():
            what = f"a collection in {name} is changed in place, and may have another name too"
            self.body.reject(node, what, "build it anew, and assign it as a whole")
        self.compounds.sequences.require_unshared(name, node)
        if name in collections.traversed and not (assigns and collections.traversed[name]):
            what = f"{name} is changed while it is iterated over"
            self.body.reject(node, what, f"iterate over a copy: list({name})")
        return type(self)(self.compounds, self.holding.fixed(self.value, node))

    def takes(self, item: Value, node: ast.expr, by: int = 1) -> bool:
        """Whether there is room for so many more items like this one; if not, the function is read again."""
        self.compounds.sequences.put(item, node)
        shape = shape_of(item)
        if shape is None:
            self.reject_item(item, node)
        if self.value.indices:
            self.body.reject(node, "a collection in a collection does not grow", "build it first, then append it")
        if not self.counted(shape, by, node):
            what = f"it is not known how long {self.value.name} can become"
            self.body.reject(node, what, "append in a for loop over range(...), of as many rounds as it can take")
        return self.fits(shape)

    def counted(self, shape: Shape, by: int, node: ast.expr) -> bool:
        """Whether it is known how often so many items of that shape are put in here."""
        try:
            return self.body.collections.grows(self.value.name, shape, by)
        except Unlike as unlike:
            self.body.reject(node, f"{self.value.name} holds {unlike}", "put items of one kind into a collection")

    def fits(self, shape: Shape) -> bool:
        """Whether an item of that shape can be stored; if not, the function is read again."""
        try:
            return bool(self.shape.capacity) and joined_shape((self.shape.item, shape)) == self.shape.item
        except Unlike:
            return False

    def reject_item(self, item: Value, node: ast.expr) -> NoReturn:
        what = "a part of the state that may change is put into a local collection"
        remedy = "write x.copy()" if isinstance(item, Compound) else "write list(x)"
        self.body.reject(node, what, remedy)

    def push(self, item: Value, node: ast.expr) -> None:
        """One item more, at the end."""
        if not self.takes(item, node):
            return
        self.push_within(self.holding.assigned_now(item, node), node)

    def push_within(self, item: Value, node: ast.expr) -> None:
        """The same, if it is known that there is room. Its cells are read once, and not for each place."""
        item = self.holding.value(item, node)
        span, size = self.body.span(node), self.size(self.body.span(node))
        room = n.Binary(span, n.BinaryOp.LT, size, n.Const(span, self.shape.capacity))
        self.storage.require(room, FaultKind.RAISE, (f"MemoryError: {self.value.name} is too long",), span)
        cases = []
        for k in range(self.shape.capacity):
            place = self.compounds.lowered(self.place(n.Const(span, k)))
            code = self.body.collected(partial(place.store, item, node))
            cases.append(n.Case(span, n.Binary(span, n.BinaryOp.EQ, size, n.Const(span, k)), code))
        self.body.emit(n.If(span, tuple(cases)))
        self.set_cell(0, (), n.Binary(span, n.BinaryOp.ADD, size, n.Const(span, 1)), span)

    def shift(self, position: n.Expr, node: ast.expr) -> None:
        """The items behind the position move up."""
        span = self.body.span(node)
        for k in range(self.shape.capacity - 1):
            target, source = (self.place(n.Const(span, j)) for j in (k, k + 1))
            behind = n.Binary(span, n.BinaryOp.LE, position, n.Const(span, k))
            code = self.body.collected(partial(self.storage.copy, target, source, span))
            if code:
                self.body.emit(n.If(span, (n.Case(span, behind, code),)))
        self.set_cell(0, (), n.Binary(span, n.BinaryOp.SUB, self.size(span), n.Const(span, 1)), span)

    def removed(self, element: Value, node: ast.expr, required: str) -> None:
        """Takes the element out; if it is required to be there, a model error says that it is not."""
        place, span = self.at(node), self.body.span(node)
        position = place.found(element, node)
        there = n.Binary(span, n.BinaryOp.GE, position, n.Const(span, 0))
        if required:
            self.storage.require(there, FaultKind.RAISE, (required,), span)
            place.shift(position, node)
        else:
            code = self.body.collected(lambda: place.shift(position, node))
            self.body.emit(n.If(span, (n.Case(span, there, code),)))

    def remove(self, node: ast.Call) -> None:
        message = f"{self.not_there}: the element is not in {self.value.name}"
        self.removed(self.arguments(node, 1, 1)[0], node, message)

    def taken_out(self, index: Value, node: ast.expr) -> Value:
        """The item of the index, which is no longer there."""
        if self.shape.capacity == 0:
            nothing = self.element(index, node)
            self.body.emit(n.Evaluate(self.body.span(node), self.number(nothing, node)))
            return nothing
        item = self.holding.fixed(self.item(index, node), node)
        taken = self.holding.value(self.storage.normal(replace(item, alias=False), node), node)
        self.shift(item.indices[len(self.value.indices)], node)
        return taken

    def delete(self, index: Value, node: ast.expr) -> None:
        """`del xs[k]`, `del d[key]`."""
        self.at(node).taken_out(index, node)

    def clear(self, node: ast.Call) -> None:
        self.arguments(node, 0, 0)
        self.at(node).set_cell(0, (), n.Const(self.body.span(node), 0), self.body.span(node))
