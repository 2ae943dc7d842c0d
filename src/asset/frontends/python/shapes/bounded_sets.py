"""Sets of at most so many elements: the elements themselves, by increasing cells."""

from __future__ import annotations

import ast
from functools import partial
from math import prod
from typing import NoReturn

from asset.frontends.python.ir_expressions import conjunction, disjunction
from asset.frontends.python.shapes import set_methods
from asset.frontends.python.shapes.plain_sets import PlainSets
from asset.frontends.python.shapes.queues import Queues
from asset.frontends.python.shapes.set_methods import SetMethods
from asset.frontends.python.values import Compound, InSlots, Value
from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.ir.shapes import BoundedSetShape, Collection, leaves
from asset.ir.types import EnumType, ScalarType
from asset.span import Span


class BoundedSets(Queues, SetMethods):
    remedy = "use len, in or a loop"

    def item(self, index: Value, node: ast.expr) -> Compound:
        self.body.reject(node, "a Set cannot be indexed", "write sorted(...)[k]")

    def delete(self, index: Value, target: ast.expr) -> None:
        self.item(index, target)

    # --- elements -------------------------------------------------------------------------------------------------

    def _candidate(self, value: Value, node: ast.expr) -> Compound:
        """The element in local variables; a model error if it is outside of the domain."""
        element = self._empty(node)
        self._fill(element, value, node)
        return element

    def _empty(self, node: ast.expr) -> Compound:
        """Local variables for an element."""
        first = self.compounds.sequences.new_slots(self.shape.item, "element", node)
        return Compound(self.shape.item, InSlots(leaves(self.shape.item), first), 0, "element", alias=False)

    def _fill(self, element: Compound, value: Value, node: ast.expr) -> None:
        span = self.body.span(node)
        self.compounds.lowered(element).store(self.holding.assigned_now(value, node), node)
        message = (f"an element is out of range: {self.value.name} does not take it",)
        types = [leaf.scalar.type for leaf in leaves(self.shape.item) for _ in range(prod(leaf.dims))]
        for cell, scalar in zip(self.storage.cells(element, span), types, strict=True):
            self.storage.require(_in_type(cell, scalar, span), FaultKind.RANGE, message, span)

    def _ranked(self, element: Compound, span: Span) -> tuple[n.Expr, n.Expr]:
        """How many elements are less than this one, and whether it is there."""
        position, there = self.body.new_slot("position", (0, self.shape.capacity)), self.body.new_slot("there", (0, 1))
        at = self.body.new_slot("at", (0, self.shape.capacity - 1))
        k, size = n.Local(span, at), self.size(span)
        item = self._item(k)
        before = (n.SetLocal(span, position, n.Binary(span, n.BinaryOp.ADD, k, n.Const(span, 1))),)
        found = (n.SetLocal(span, there, n.Const(span, 1)),)
        less = n.Case(span, self._less(item, element, span), before)
        same = n.Case(span, self.storage.same_cells(item, element, span), found)
        for slot in (position, there):
            self.body.emit(n.SetLocal(span, slot, n.Const(span, 0)))
        self.body.emit(n.For(span, at, n.Const(span, 0), size, n.Const(span, 1), (n.If(span, (less, same)),)))
        return n.Local(span, position), n.Local(span, there)

    def _less(self, left: Compound, right: Compound, span: Span) -> n.Expr:
        """Whether the first cell that differs is less."""
        result: n.Expr = n.Const(span, 0)
        pairs = list(zip(self.storage.cells(left, span), self.storage.cells(right, span), strict=True))
        for a, b in reversed(pairs):
            same = n.Binary(span, n.BinaryOp.EQ, a, b)
            result = n.Or(span, (n.Binary(span, n.BinaryOp.LT, a, b), n.And(span, (same, result))))
        return result

    def add(self, node: ast.Call) -> None:
        place = self.at(node)
        place.include(place._candidate(self.argument(node), node), node)

    def include(self, element: Compound, node: ast.expr) -> None:
        """The element is in the set."""
        span = self.body.span(node)
        position, there = self._ranked(element, span)
        code = self.body.collected(partial(self._insert, element, position, node))
        self.body.emit(n.If(span, (n.Case(span, n.Unary(span, n.UnaryOp.NOT, there), code),)))

    def _insert(self, element: Compound, position: n.Expr, node: ast.expr) -> None:
        """The elements from the position on move back."""
        span, capacity = self.body.span(node), self.shape.capacity
        room = n.Binary(span, n.BinaryOp.LT, self.size(span), n.Const(span, capacity))
        self.storage.require(room, FaultKind.RAISE, (f"Full: {self.value.name} is full: it holds {capacity}",), span)
        if capacity > 1:
            at = self.body.new_slot("at", (1, capacity - 1))
            k = n.Local(span, at)
            previous = self._item(n.Binary(span, n.BinaryOp.SUB, k, n.Const(span, 1)))
            moved = self.body.collected(partial(self.storage.copy, self._item(k, alias=True), previous, span))
            last = n.Binary(span, n.BinaryOp.MIN, self.size(span), n.Const(span, capacity - 1))
            self.body.emit(n.For(span, at, last, position, n.Const(span, -1), moved))
        end = n.Binary(span, n.BinaryOp.MIN, position, n.Const(span, capacity - 1))
        self.storage.copy(self._item(end, alias=True), element, span)
        self.set_cell(0, (), n.Binary(span, n.BinaryOp.ADD, self.size(span), n.Const(span, 1)), span)

    def _sought(self, element: Value, node: ast.expr) -> n.Expr:
        """The position of the element; -1 if it is not there."""
        span, slot = self.body.span(node), self.body.new_slot("found", (-1, self.shape.capacity - 1))
        held = self.holding.assigned_now(element, node)
        at = self.body.new_slot("at", (0, self.shape.capacity - 1))
        k = n.Local(span, at)
        same = self.compounds.equal(self.storage.normal(self._item(k), node), held, node)
        found = (n.SetLocal(span, slot, k),)
        self.body.emit(n.SetLocal(span, slot, n.Const(span, -1)))
        code = (n.If(span, (n.Case(span, same, found),)),)
        self.body.emit(n.For(span, at, n.Const(span, 0), self.size(span), n.Const(span, 1), code))
        return n.Local(span, slot)

    def discard(self, node: ast.Call) -> None:
        place, span = self.at(node), self.body.span(node)
        position = place._sought(self.arguments(node, 1, 1)[0], node)
        there = n.Binary(span, n.BinaryOp.GE, position, n.Const(span, 0))
        code = self.body.collected(partial(place.close, position, span))
        self.body.emit(n.If(span, (n.Case(span, there, code),)))

    def remove(self, node: ast.Call) -> None:
        place, span = self.at(node), self.body.span(node)
        position = place._sought(self.arguments(node, 1, 1)[0], node)
        there = n.Binary(span, n.BinaryOp.GE, position, n.Const(span, 0))
        message = (f"KeyError: the element is not in {self.value.name}",)
        self.storage.require(there, FaultKind.RAISE, message, span)
        place.close(position, span)

    # --- whole sets -----------------------------------------------------------------------------------------------

    def plain(self, value: Value, node: ast.expr) -> Compound | None:
        """A set as a plain one in local variables; None if it is no set."""
        sequences = self.compounds.sequences
        plain = sequences.as_plain_set(value, node)
        if plain is not None:
            return plain
        if isinstance(value, Compound) and isinstance(value.shape, BoundedSetShape):
            spread = sequences.required(value, node)
            return sequences.collected(Collection.SET, spread.items, spread.length, node)
        return None

    def _operands(self, other: Value, node: ast.expr) -> tuple[PlainSets, PlainSets]:
        both = [self.plain(self.compounds.through(value, node), node) for value in (self.value, other)]
        if both[0] is None or both[1] is None:
            self._reject_operand(node)
        return PlainSets(self.compounds, both[0]), PlainSets(self.compounds, both[1])

    def _reject_operand(self, node: ast.expr) -> NoReturn:
        self.body.reject(node, "a Set has nothing in common with this", "use another set of such elements")

    def combined(self, op: n.BinaryOp, other: Value, node: ast.expr) -> Value:
        left, right = self._operands(other, node)
        return left.combined(op, right.value, node)

    def combined_with(self, other: Value, op: n.BinaryOp, node: ast.expr) -> Value:
        """`other op self`."""
        right, left = self._operands(other, node)
        return left.combined(op, right.value, node)

    def compared(self, op: n.BinaryOp, other: Value, node: ast.expr) -> n.Expr:
        left, right = self._operands(other, node)
        return left.compared(op, right.value, node)

    def equals(self, other: Value, node: ast.expr) -> n.Expr:
        if isinstance(other, Compound) and other.shape == self.shape:
            return self.storage.same_cells(self.value, other, self.body.span(node))
        return self._has_the_elements_of(other, node)

    def _has_the_elements_of(self, other: Value, node: ast.expr) -> n.Expr:
        """As many as the other set, and each of these; nothing is stored for it, as it may be asked of many sets."""
        plain, span = self.plain(self.compounds.through(other, node), node), self.body.span(node)
        if plain is None:
            self._reject_operand(node)
        right = PlainSets(self.compounds, plain)
        tests: list[n.Expr] = [n.Binary(span, n.BinaryOp.EQ, self.size(span), right.size(span))]
        for k, item in enumerate(right.all_items(node)):
            held = [self.is_equal(n.Const(span, at), item, node) for at in range(self.shape.capacity)]
            tests.append(n.Or(span, (n.Unary(span, n.UnaryOp.NOT, right.there(k, span)), *held)))
        return conjunction(tests, span)

    def put_in(self, value: Value, node: ast.expr) -> None:
        if isinstance(value, Compound) and value.shape == self.shape:
            self.storage.copy(self.value, value, self.body.span(node))
            return
        plain, span = self.plain(value, node), self.body.span(node)
        if plain is None:
            self.body.reject(node, f"{self.value.name} takes a set", "write {...}")
        spread, capacity = self.compounds.sequences.required(plain, node), self.shape.capacity
        room = n.Binary(span, n.BinaryOp.LE, spread.length, n.Const(span, capacity))
        full = f"Full: {self.value.name} is full: it holds {capacity}"
        made: list[tuple[n.Expr, Compound]] = []
        there: n.Expr
        for k, item in enumerate(spread.items):
            there, element = n.Binary(span, n.BinaryOp.LT, n.Const(span, k), spread.length), self._empty(node)
            code = self.body.collected(partial(self._fill, element, item, node))
            self.body.emit(n.If(span, (n.Case(span, there, code),)))
            made.append((there, element))
        self.storage.require(room, FaultKind.RAISE, (full,), span)
        self.storage.blank(self.value, span)
        for there, element in made:
            code = self.body.collected(partial(self.include, element, node))
            self.body.emit(n.If(span, (n.Case(span, there, code),)))


def _in_type(cell: n.Expr, scalar: ScalarType, span: Span) -> n.Expr:
    if isinstance(scalar, EnumType):
        values = sorted({value for _, value in scalar.members})
        return disjunction([n.Binary(span, n.BinaryOp.EQ, cell, n.Const(span, value)) for value in values], span)
    low = n.Binary(span, n.BinaryOp.LE, n.Const(span, scalar.lo), cell)
    return conjunction([low, n.Binary(span, n.BinaryOp.LE, cell, n.Const(span, scalar.hi))], span)


BoundedSets.ACTIONS = {
    "add": BoundedSets.add,
    "discard": BoundedSets.discard,
    "remove": BoundedSets.remove,
    "clear": BoundedSets.clear,
    **set_methods.ACTIONS,
}
BoundedSets.TAKES = {}
BoundedSets.VALUES = {"copy": BoundedSets.copy, **set_methods.VALUES}
