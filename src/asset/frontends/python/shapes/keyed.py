"""What sets, bags and maps have in common: a cell for each key of a finite domain."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from asset.frontends.python.ir_expressions import affine, conjunction
from asset.frontends.python.shapes.lowering import Lowering
from asset.frontends.python.traversals import Traversal, counted
from asset.frontends.python.values import Scalar, TupleOf, Value
from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.ir.shapes import BagShape, Keys, MapShape, ScalarShape, SetShape
from asset.ir.types import EnumType
from asset.span import Span

if TYPE_CHECKING:
    from asset.frontends.python.key_cells import KeyCells

Indices = tuple[n.Expr, ...]


class Keyed(Lowering):
    remedy = "use len, in or a loop"

    @property
    def keys(self) -> Keys:
        shape = self.value.shape
        assert isinstance(shape, SetShape | BagShape | MapShape)
        return shape.keys

    # --- keys -----------------------------------------------------------------------------------------------------

    def numbers(self, key: Value, node: ast.expr) -> list[n.Expr]:
        """The numbers of a key."""
        if self.keys.shape is not None:
            return self._shaped().numbers(key, node)
        if self.keys.single:
            return [self.number(key, node)]
        items = self.compounds.items_of(key, node)
        if len(items) != len(self.keys.parts):
            self.body.reject(node, f"a key of {self.value.name} has {len(self.keys.parts)} parts: {self.keys}")
        return [self.number(item, node) for item in items]

    def _shaped(self) -> KeyCells:
        from asset.frontends.python.key_cells import KeyCells  # it knows other shapes, and they know this one

        return KeyCells(self.compounds, self.keys, self.value.name)

    def held_numbers(self, key: Value, node: ast.expr) -> list[n.Expr]:
        return [self.held(number) for number in self.numbers(key, node)]

    def positions(self, numbers: Sequence[n.Expr], span: Span) -> Indices:
        """The indices of a key's cell."""
        return tuple(_shifted(e, -part.type.lo, span) for e, part in zip(numbers, self.keys.parts, strict=True))

    def within(self, numbers: Sequence[n.Expr], span: Span, exactly: bool) -> list[n.Expr]:
        """What is to be tested for the key to have a cell or (`exactly`) to be in the domain."""
        parts = zip(numbers, self.keys.parts, strict=True)
        return [test for e, part in parts for test in self._tests(e, part, span, exactly)]

    def _tests(self, e: n.Expr, part: ScalarShape, span: Span, exactly: bool) -> list[n.Expr]:
        lo, hi = part.type.lo, part.type.hi
        known = self.body.bounds_of(e)
        tests: list[n.Expr] = []
        if known is None or known[0] < lo:
            tests.append(n.Binary(span, n.BinaryOp.GE, e, n.Const(span, lo)))
        if known is None or known[1] > hi:
            tests.append(n.Binary(span, n.BinaryOp.LE, e, n.Const(span, hi)))
        if exactly and isinstance(part.type, EnumType) and len({v for _, v in part.type.members}) <= hi - lo:
            members = sorted({value for _, value in part.type.members})
            tests.append(n.Or(span, tuple(n.Binary(span, n.BinaryOp.EQ, e, n.Const(span, m)) for m in members)))
        return tests

    def require_key(self, numbers: Sequence[n.Expr], node: ast.expr) -> None:
        """A model error if the key, which is to be put in, is outside of the domain."""
        span = self.body.span(node)
        tests = self.within(numbers, span, exactly=True)
        if tests:
            shown = [piece for k, e in enumerate(numbers) for piece in ((", ", e) if k else (e,))]
            message = ("", *shown, f" is out of range: {self.value.name} takes {self.keys}")
            self.storage.require(conjunction(tests, span), FaultKind.RANGE, message, span)

    def require_present(self, numbers: Sequence[n.Expr], node: ast.expr) -> None:
        """A model error if the key is not in it."""
        span = self.body.span(node)
        message = (f"KeyError: the key is not in {self.value.name}",)
        self.storage.require(self.present(numbers, span), FaultKind.RAISE, message, span)

    def present(self, numbers: Sequence[n.Expr], span: Span) -> n.Expr:
        """Whether the key is in it."""

        def test(held: list[n.Expr]) -> n.Expr:
            there = self.is_in(self.positions(held, span), span)
            return conjunction([*self.reached(span), *self.within(held, span, exactly=False), there], span)

        return self.order.once(numbers, test, span)

    def is_in(self, positions: Indices, span: Span) -> n.Expr:
        """Whether the key of that cell is in it."""
        return self.cell(0, positions, span)

    # --- what all of them offer -------------------------------------------------------------------------------------

    def contains(self, element: Value, node: ast.expr) -> n.Expr:
        return self.present(self.numbers(element, node), self.body.span(node))

    def truth(self, span: Span) -> n.Expr:
        return self.storage.fold_cells(n.FoldOp.ANY, self.keys.sizes, lambda at: self.is_in(at, span), span)

    def length(self, node: ast.expr) -> n.Expr:
        span = self.body.span(node)
        return self.storage.fold_cells(n.FoldOp.SUM, self.keys.sizes, lambda at: self.cell(0, at, span), span)

    def traversal(self, node: ast.expr) -> Traversal:
        """Over the keys that are in it; each is looked at when its turn comes."""
        span = self.body.span(node)
        if self.keys.single:
            lo, hi = self.keys.parts[0].type.lo, self.keys.parts[0].type.hi
            start, stop, one = n.Const(span, lo), n.Const(span, hi + 1), n.Const(span, 1)
            whole = Traversal(self.value.name, start, stop, one, Scalar, counts=True)
            return replace(whole, test=lambda k: self.is_in(self.positions([k], span), span))
        whole = counted(span, self.value.name, prod(self.keys.sizes), lambda k: self._key(k, span))
        return replace(whole, test=lambda k: self.is_in(self._spread(k, span), span))

    def _spread(self, k: n.Expr, span: Span) -> Indices:
        """The indices of cell k, counted row by row."""
        indices: list[n.Expr] = []
        for size in reversed(self.keys.sizes):
            indices.append(n.Binary(span, n.BinaryOp.MOD, k, n.Const(span, size)))
            k = n.Binary(span, n.BinaryOp.FLOORDIV, k, n.Const(span, size))
        return tuple(reversed(indices))

    def _key(self, k: n.Expr, span: Span) -> Value:
        parts = zip(self._spread(k, span), self.keys.parts, strict=True)
        if self.keys.shape is not None:
            return self._shaped().key(tuple(_shifted(e, part.type.lo, span) for e, part in parts))
        return TupleOf(tuple(Scalar(_shifted(e, part.type.lo, span)) for e, part in parts))


def _shifted(e: n.Expr, by: int, span: Span) -> n.Expr:
    return affine(e, by, 1, span) if by else e
