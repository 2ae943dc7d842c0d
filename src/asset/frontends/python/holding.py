"""Values as they are now: what is held is not changed by what is done later."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from asset.frontends.python.body import Body, Evaluation
from asset.frontends.python.ir_expressions import has_call
from asset.frontends.python.local_shapes import holds_place
from asset.frontends.python.storage import Storage, all_indices
from asset.frontends.python.values import (
    ArrayRef,
    Compound,
    Computed,
    InSlots,
    Operation,
    RangeOf,
    RecordOf,
    Scalar,
    SetOf,
    SlotRef,
    Static,
    TableRef,
    Truth,
    TupleOf,
    Value,
)
from asset.ir import nodes as n
from asset.ir.shapes import leaves
from asset.span import Span


class Holding:
    """Holds values in slots: set by statements or, in a generator expression, by binds of its generator."""

    def __init__(self, body: Body, evaluation: Evaluation, storage: Storage) -> None:
        self._body = body
        self._evaluation = evaluation
        self._storage = storage
        self._binds: list[n.Bind] | None = None
        self.holds_rows = False
        """Whether a row that is iterated over is to be held when the iteration begins."""
        self.copies_places = False
        """Whether parts of the state are put into collections as copies: nothing changes them before they are used."""

    @contextmanager
    def mode(self, holds_rows: bool, binds: list[n.Bind] | None = None) -> Iterator[None]:
        """Meanwhile rows are held, or not; what is held goes into the binds, if they are given."""
        outside = self.holds_rows, self._binds
        self.holds_rows, self._binds = holds_rows, binds
        try:
            yield
        finally:
            self.holds_rows, self._binds = outside

    @contextmanager
    def copying(self, copies: bool) -> Iterator[None]:
        """Meanwhile parts of the state may be items of collections, or not."""
        outside, self.copies_places = self.copies_places, copies
        try:
            yield
        finally:
            self.copies_places = outside

    # --- numbers and rows -----------------------------------------------------------------------------------------

    def number(self, e: n.Expr, name: str) -> n.Expr:
        """The number as it is now."""
        here = self._body.definition.head
        if isinstance(e, n.Const):
            return n.Const(here, e.value)
        if isinstance(e, n.Local) and self._body.is_stable(e):
            return n.Local(here, e.slot)
        if isinstance(e, n.Local) and self._binds is not None:
            return e  # a generator expression assigns to no local variable
        slot = self._body.new_slot(f"{name}.index")
        self._set_slot(slot, e, e.span)
        return n.Local(here, slot)

    def _set_slot(self, slot: int, value: n.Expr, span: Span) -> None:
        if self._binds is None:
            self._body.emit(n.SetLocal(span, slot, value))
        else:
            self._binds.append(n.Bind(span, slot, value))

    def index(self, e: n.Expr) -> n.Expr:
        """The index as it is now: in a slot, unless it is a constant or a local variable."""
        if isinstance(e, n.Const | n.Local):
            return e
        slot = self._body.new_slot("index", self._body.bounds_of(e))
        self._body.emit(n.SetLocal(e.span, slot, e))
        return n.Local(e.span, slot)

    def row(self, row: ArrayRef) -> ArrayRef:
        """The row; its indices are checked now, as Python does."""
        indices = tuple(self.number(index, row.name) for index in self._storage.checked_indices(row))
        return replace(row, indices=indices)

    def table_row(self, row: TableRef) -> TableRef:
        return replace(row, indices=tuple(self.number(index, row.name) for index in row.indices))

    # --- values ---------------------------------------------------------------------------------------------------

    def value(self, value: Value, source: ast.expr) -> Value:
        """The value as it is now: no later assignment changes it."""
        match value:
            case TupleOf(items):
                return TupleOf(tuple(self.value(item, source) for item in items))
            case RecordOf(cls, items):
                return RecordOf(cls, tuple(self.value(item, source) for item in items))
            case SetOf() | Operation():
                self._evaluation.number(value, source)
                raise AssertionError
            case Scalar(n.Const()) | Static():
                return value
            case Scalar() | SlotRef():
                number, span = self._evaluation.number(value, source), self._body.span(source)
                slot = self._body.new_slot("held", self._body.bounds_of(number))
                self._body.emit(n.SetLocal(span, slot, number))
                return Scalar(n.Local(span, slot))
            case Truth(expr, operand):
                return Truth(self.number(expr, "held"), operand)
            case RangeOf(start, stop, step):
                return RangeOf(*(self.number(bound, "range") for bound in (start, stop, step)))
            case Compound():
                return self.kept(value, source)
            case ArrayRef():
                return self.row(value)
            case TableRef():
                return self.table_row(value)
            case _:
                return value

    def assigned(self, value: Value, node: ast.expr) -> Value:
        """The value to be assigned part by part, so that no part of the assignment changes the rest of it."""
        if isinstance(value, TupleOf | RecordOf) and self._body.has_acted:
            self._require_unchanged(value.items, node)
        match value:
            case TupleOf(items):
                return TupleOf(tuple(self._own(item, node) for item in items))
            case RecordOf(cls, items):
                return RecordOf(cls, tuple(self._own(item, node) for item in items))
            case SetOf(items):
                return SetOf(tuple(self._own(item, node) for item in items))
            case Compound(source=Computed()):
                return self._copied(value, node)
            case Compound():
                return self.fixed(value, node)
            case _:
                return value

    def _require_unchanged(self, items: tuple[Value, ...], node: ast.expr) -> None:
        """Rejects a part of the state before something that may change it, which Python would see."""
        places = [k for k, item in enumerate(items) if holds_place(item)]
        if places and any(isinstance(item, Scalar) and has_call(item.expr) for item in items[places[0] :]):
            what = "a part of the state stands before something that may change it"
            self._body.reject(node, what, "write x.copy(), or call it in a statement of its own")

    def assigned_now(self, value: Value, node: ast.expr) -> Value:
        """The same of a value that may be a number as well, which is evaluated before whatever is tested next."""
        value = self.assigned(value, node)
        return Scalar(self.number(value.expr, "value")) if isinstance(value, Scalar) else value

    def _own(self, value: Value, node: ast.expr) -> Value:
        match value:
            case Compound():
                return self._copied(value, node)
            case ArrayRef():
                return self._copied(self._storage.as_compound(value), node)
            case TupleOf() | RecordOf() | SetOf():
                return self.assigned(value, node)
            case _:
                return self.value(value, node)

    # --- compound values ------------------------------------------------------------------------------------------

    def kept(self, value: Compound, node: ast.expr) -> Compound:
        """What a name that is bound to the value denotes: the place, or the value as it is now."""
        return self.fixed(value, node) if value.is_place else self._copied(value, node)

    def fixed(self, value: Compound, node: ast.expr) -> Compound:
        """The place with its indices held and its checks made, so that it can be used in several statements."""
        span = self._body.span(node)
        for check in value.checks:
            self._make(check, span)
        indices = tuple(self.number(index, value.name) for index in self._storage.checked_indices(value))
        return replace(value, indices=indices, checks=())

    def _make(self, check: n.Expr, span: Span) -> None:
        if self._binds is None:
            self._body.emit(n.Evaluate(span, check))
        else:
            self._set_slot(self._body.new_slot("check"), check, span)

    def _copied(self, value: Compound, node: ast.expr) -> Compound:
        """The value as it is now, in local variables."""
        if isinstance(value.source, InSlots) and not value.indices and not value.checks and not value.is_variable:
            return value
        span, place = self._body.span(node), self.fixed(value, node)
        first: list[int] = []
        parts = leaves(value.shape)
        for number, leaf in enumerate(parts):
            first.append(len(self._body.slots))
            for indices in all_indices(leaf.dims, span):
                cell = place.read(number, indices, span)
                self._set_slot(self._body.new_slot(f"{value.name}{leaf.name}"), cell, span)
        return Compound(value.shape, InSlots(parts, tuple(first)), 0, value.name, alias=False)
