"""Unions: one of several records, which a match tells apart."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import partial

from asset.frontends.python.ir_expressions import disjunction
from asset.frontends.python.shapes.lowering import Lowering
from asset.frontends.python.values import Compound, RecordOf, Scalar, Value
from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.ir.shapes import RecordShape, ScalarShape, UnionShape, part_of, variant_of
from asset.span import Span


class Unions(Lowering):
    remedy = "name one of its parts"

    # --- variants -------------------------------------------------------------------------------------------------

    def is_variant(self, tag: int, span: Span) -> n.Expr:
        return n.Binary(span, n.BinaryOp.EQ, self.cell(0, (), span), n.Const(span, tag))

    def variant(self, tag: int, alias: bool = False) -> Compound:
        """The record, if it is that one."""
        shape, leaf = variant_of(self.shape, tag)
        return replace(self.inside(shape, leaf), alias=alias)

    def tag_of(self, host: object) -> int | None:
        return next((k for k, variant in enumerate(self.shape.variants) if variant.host is host), None)

    def checked_variant(self, host: object, node: ast.expr) -> Compound | None:
        """The record of that class, a model error if it is another one; None if it never is."""
        tag, span = self.tag_of(host), self.body.span(node)
        if tag is None:
            return None
        message = f"TypeError: {self.value.name} is another record"
        variant = self.variant(tag)
        return replace(variant, checks=(*variant.checks, self.storage.check(self.is_variant(tag, span), message, span)))

    def tags_of(self, classes: object) -> list[int]:
        """The variants that are of the class, or of one of the classes."""
        assert isinstance(classes, type | tuple)
        return [k for k, variant in enumerate(self.shape.variants) if issubclass(variant.host, classes)]

    def is_a(self, classes: tuple[type, ...], span: Span) -> n.Expr:
        """Whether it is a record of one of the classes."""
        return disjunction([self.is_variant(tag, span) for tag in self.tags_of(classes)], span)

    # --- reading --------------------------------------------------------------------------------------------------

    def attribute(self, name: str, node: ast.Attribute) -> Value:
        span = self.body.span(node)
        having = [k for k, variant in enumerate(self.shape.variants) if name in variant.names]
        if not having:
            known = ", ".join(dict.fromkeys(part for variant in self.shape.variants for part in variant.names))
            self.body.reject(node, f"no {self.noun} has '{name}'", f"they have: {known}")
        there = disjunction([self.is_variant(tag, span) for tag in having], span)
        checked = self.storage.check(there, f"AttributeError: this record has no {name}", span)
        checks = () if len(having) == len(self.shape.variants) else (checked,)
        parts = [self._part(tag, name) for tag in having]
        if all(isinstance(part.shape, ScalarShape) for part in parts):
            *others, last = (part.cell(0, (), span) for part in parts)
            for tag, cell in reversed(list(zip(having, others, strict=False))):
                last = n.Conditional(span, self.is_variant(tag, span), cell, last)
            return Scalar(n.Conditional(span, checked, last, n.Const(span, 0)) if checks else last)
        if len(parts) > 1:
            self.body.reject(node, f"'{name}' is a part of several of {self.noun}", "match on the class first")
        return self.storage.normal(replace(parts[0], checks=(*parts[0].checks, *checks)), node)

    def _part(self, tag: int, name: str) -> Compound:
        record = self.variant(tag)
        assert isinstance(record.shape, RecordShape)
        shape, leaf = part_of(record.shape, record.shape.names.index(name))
        return record.part(shape, leaf, (), f".{name}")

    def equals(self, other: Value, node: ast.expr) -> n.Expr:
        span = self.body.span(node)
        if isinstance(other, Compound) and other.shape == self.shape:
            return self.storage.same_cells(self.value, other, span)
        if isinstance(other, Compound) and isinstance(other.shape, UnionShape):
            right = Unions(self.compounds, other)
            pairs = [(k, right.tag_of(variant.host)) for k, variant in enumerate(self.shape.variants)]
            same = [self._both(k, right, tag, node) for k, tag in pairs if tag is not None]
            return disjunction(same, span)
        host = other.cls if isinstance(other, RecordOf) else getattr(getattr(other, "shape", None), "host", None)
        tag = self.tag_of(host)
        if tag is None:
            return n.Const(span, 0)
        return n.And(span, (self.is_variant(tag, span), self.compounds.equal(self.variant(tag), other, node)))

    def _both(self, tag: int, right: Unions, other: int, node: ast.expr) -> n.Expr:
        span = self.body.span(node)
        same = self.compounds.equal(self.variant(tag), right.variant(other), node)
        return n.And(span, (self.is_variant(tag, span), right.is_variant(other, span), same))

    # --- storing --------------------------------------------------------------------------------------------------

    def put_in(self, value: Value, node: ast.expr) -> None:
        span = self.body.span(node)
        if isinstance(value, Compound) and value.shape == self.shape:
            self.storage.copy(self.value, value, span)
            return
        if isinstance(value, Compound) and isinstance(value.shape, UnionShape):
            self._put_variants(Unions(self.compounds, value), node)
            return
        host = value.cls if isinstance(value, RecordOf) else getattr(getattr(value, "shape", None), "host", None)
        tag = self.tag_of(host)
        if tag is None:
            self.body.reject(node, f"{self.value.name} takes {self.noun}", "write one of these records")
        self._put(tag, value, node)

    def _put(self, tag: int, value: Value, node: ast.expr) -> None:
        span = self.body.span(node)
        self.set_cell(0, (), n.Const(span, tag), span)
        for k in range(len(self.shape.variants)):
            if k != tag:
                self.storage.blank(self.variant(k, alias=True), span)
        self.compounds.lowered(self.variant(tag, alias=True)).store(value, node)

    def _put_variants(self, other: Unions, node: ast.expr) -> None:
        """A value of a union of other shapes, each in its turn."""
        span, cases = self.body.span(node), []
        for k, variant in enumerate(other.shape.variants):
            tag = self.tag_of(variant.host)
            if tag is not None:
                code = self.body.collected(partial(self._put, tag, other.variant(k), node))
                cases.append(n.Case(span, other.is_variant(k, span), code))
        if not cases:
            self.body.reject(node, f"{self.value.name} takes {self.noun}", "write one of these records")
        message = (f"TypeError: {self.value.name} takes {self.noun}",)
        self.body.emit(n.If(span, tuple(cases), (n.Fail(span, FaultKind.RAISE, message),)))
