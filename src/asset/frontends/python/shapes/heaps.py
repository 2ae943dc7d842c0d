"""Heaps and references: an object is found by its number, which is looked up whenever a reference is followed."""

from __future__ import annotations

import ast
from dataclasses import replace
from inspect import getattr_static
from types import FunctionType
from typing import NoReturn

from asset.frontends.python.local_shapes import NOTHING
from asset.frontends.python.shapes.lowering import Lowering, is_none
from asset.frontends.python.shapes.records import Records
from asset.frontends.python.storage import all_indices
from asset.frontends.python.values import Compound, InSlots, InState, Method, Scalar, Value
from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.ir.shapes import HeapShape, OptionalShape, RecordShape, RefShape, leaves
from asset.model.heaps import no_room
from asset.model.records import Record
from asset.model.state import article
from asset.span import Span


class Refs(Lowering):
    remedy = "compare it with None, or use a part of what it refers to"

    @property
    def record(self) -> str:
        return str(self.shape.record)

    def number_in(self, span: Span) -> n.Expr:
        """0 for None, else the number of the object."""
        return self.cell(0, (), span)

    def _heap(self) -> Compound:
        """The heap that it refers into."""
        found = next(v for v in self.body.draft.model._variables.values() if v.leaf == self.shape.heap)
        return Compound(found.shape, InState(), found.leaf, found.name)

    def object(self, node: ast.expr, text: str, use: str) -> Compound:
        """The object that is referred to; a model error if there is none, or if it was freed."""
        span, heap = self.body.span(node), self._heap()
        assert isinstance(heap.shape, HeapShape)
        follow = self.body.draft.functions.following(heap.leaf, (text, use), span)
        index = n.Call(span, follow, (self.order.require_repeatable(self.number_in(span), node),))
        return Compound(heap.shape.item, InState(), heap.leaf + 2, f"{heap.name}.items", (index,))

    def attribute(self, name: str, node: ast.Attribute) -> Value:
        shape = self._record_shape()
        method = getattr_static(shape.host, name, None)
        if name not in shape.names and isinstance(method, FunctionType) and name not in vars(Record):
            return Method(method, self._some(node, name))
        return self.storage.normal(self.part(name, node), node)

    def _some(self, node: ast.Attribute, name: str) -> Compound:
        """The reference; a model error if it is None."""
        span, text = self.body.span(node), ast.unparse(node.value)
        message = f"AttributeError: {text} is None: it has no '{name}'"
        return replace(self.value, checks=(*self.value.checks, self.storage.check(self.truth(span), message, span)))

    def _record_shape(self) -> RecordShape:
        shape = self._heap().shape
        assert isinstance(shape, HeapShape)
        return shape.item

    def part(self, name: str, node: ast.expr) -> Compound:
        if name not in self._record_shape().names:
            self.reject_name(name, node)
        assert isinstance(node, ast.Attribute)
        found = self.object(node, ast.unparse(node.value), f"it has no '{name}'")
        return Records(self.compounds, found).part(name, node)

    def reject_name(self, name: str, node: ast.expr) -> NoReturn:
        known = ", ".join(self._record_shape().names)
        self.body.reject(node, f"{article(self.record)} has no '{name}'", f"it has: {known}")

    def truth(self, span: Span) -> n.Expr:
        return n.Binary(span, n.BinaryOp.NE, self.number_in(span), n.Const(span, 0))

    def referred(self, value: Value, node: ast.expr) -> n.Expr:
        """The number of what another value refers to."""
        span = self.body.span(node)
        if is_none(value) or (isinstance(value, Compound) and value.shape == OptionalShape(NOTHING)):
            return n.Const(span, 0)
        if isinstance(value, Compound) and isinstance(value.shape, RefShape) and value.shape.record == self.record:
            return value.cell(0, (), span)
        self.body.reject(node, f"this is no reference to {article(self.record)}", f"use None, or a Ref({self.record})")

    def store(self, value: Value, node: ast.expr) -> None:
        self.set_cell(0, (), self.referred(value, node), self.body.span(node))

    def equals(self, other: Value, node: ast.expr) -> n.Expr:
        span = self.body.span(node)
        return n.Binary(span, n.BinaryOp.EQ, self.number_in(span), self.referred(other, node))


class Heaps(Lowering):
    remedy = "use a reference to one of its objects"

    def size(self, span: Span) -> n.Expr:
        return self.cell(0, (), span)

    def length(self, node: ast.expr) -> n.Expr:
        return self.size(self.body.span(node))

    def truth(self, span: Span) -> n.Expr:
        return n.Binary(span, n.BinaryOp.GT, self.size(span), n.Const(span, 0))

    def full(self, node: ast.Call) -> Value:
        self.arguments(node, 0, 0)
        span = self.body.span(node)
        return Scalar(n.Binary(span, n.BinaryOp.EQ, self.size(span), n.Const(span, self.shape.capacity)))

    def new(self, node: ast.Call) -> Value:
        """A new object; its parts are assigned in their order."""
        span, capacity, shape = self.body.span(node), self.shape.capacity, self.shape.item
        given = {name: self.holding.assigned_now(value, node) for name, value in self._given(node).items()}
        room = n.Binary(span, n.BinaryOp.LT, self.size(span), n.Const(span, capacity))
        full = (f"Full: {no_room(self.value.name, self.shape)}",)
        self.storage.require(room, FaultKind.RAISE, full, span)
        slot = self.body.new_slot("new", (1, capacity))
        more = n.Binary(span, n.BinaryOp.ADD, self.size(span), n.Const(span, 1))
        last = n.Binary(span, n.BinaryOp.MIN, more, n.Const(span, capacity))
        self.body.emit(n.SetLocal(span, slot, last))
        index = n.Binary(span, n.BinaryOp.SUB, n.Local(span, slot), n.Const(span, 1))
        made = self.inside(shape, 2, (index,), ".items")
        self._begin(made, span)
        for name in shape.names:
            if name in given:
                self.compounds.lowered(Records(self.compounds, made).part(name, node)).store(given[name], node)
        self.set_cell(0, (), n.Local(span, slot), span)
        ref = RefShape(shape.name, capacity, self.value.leaf)
        return Compound(ref, InSlots(leaves(ref), (slot,)), 0, "new", alias=False)

    def _given(self, node: ast.Call) -> dict[str, Value]:
        """The parts that are given, evaluated as they stand in the text."""
        shape, evaluate = self.shape.item, self.compounds.evaluation.evaluate
        starred = [part for part in node.args if isinstance(part, ast.Starred)]
        named = [keyword.arg for keyword in node.keywords]
        wrong = [name for name in named if name not in shape.names[len(node.args) :]]
        if starred or wrong or len(node.args) > len(shape.names):
            self.body.reject(node, f"{shape.name} has the parts {', '.join(shape.names)}", "give each at most once")
        given = {name: evaluate(part) for name, part in zip(shape.names, node.args, strict=False)}
        return given | {keyword.arg: evaluate(keyword.value) for keyword in node.keywords if keyword.arg is not None}

    def _begin(self, made: Compound, span: Span) -> None:
        """The object is as it was declared; a part that begins as a blank is one already."""
        at = 0
        for number, leaf in enumerate(leaves(made.shape)):
            for indices in all_indices(leaf.dims, span):
                if self.shape.initial[at] != leaf.blank:
                    self.storage.set_cell(made, number, indices, n.Const(span, self.shape.initial[at]), span)
                at += 1

    def free(self, node: ast.Call) -> None:
        (value,) = self.arguments(node, 1, 1)
        if not isinstance(value, Compound) or not isinstance(value.shape, RefShape):
            self.body.reject(node, "this is no reference", f"free what a Ref({self.shape.item.name}) refers to")
        if value.shape.heap != self.value.leaf:
            self.body.reject(node, f"this refers into another Heap than {self.value.name}")
        span = self.body.span(node)
        found = Refs(self.compounds, value).object(node, ast.unparse(node.args[0]), "it cannot be freed")
        place = self.holding.fixed(found, node)
        self.storage.blank(place, span)
        self.set_cell(1, place.indices, n.Const(span, 1), span)


Heaps.ACTIONS = {"free": Heaps.free}
Heaps.TAKES = {"new": Heaps.new}
Heaps.VALUES = {"full": Heaps.full}
