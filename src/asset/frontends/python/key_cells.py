"""Keys that are records, unions or nested tuples: the numbers that they are stored by, and the keys of numbers."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from asset.frontends.python.ir_expressions import affine, conjunction
from asset.frontends.python.shapes.lowering import CompoundValues, is_none
from asset.frontends.python.shapes.optionals import Optionals
from asset.frontends.python.shapes.records import Records
from asset.frontends.python.shapes.unions import Unions
from asset.frontends.python.values import Compound, Computed, RecordOf, Value
from asset.ir import nodes as n
from asset.ir.shapes import (
    Keys,
    NumberedVariant,
    OptionalShape,
    RecordShape,
    ScalarShape,
    Shape,
    TupleShape,
    UnionShape,
    leaves,
    noun,
    numbered_variants,
)
from asset.span import Span

Indices = tuple[n.Expr, ...]


class KeyCells:
    def __init__(self, compounds: CompoundValues, keys: Keys, name: str) -> None:
        self._compounds = compounds
        self._body = compounds.body
        self._keys = keys
        self._name = name

    # --- from keys to numbers ---------------------------------------------------------------------------------------

    def numbers(self, key: Value, node: ast.expr) -> list[n.Expr]:
        """The numbers of a key."""
        shape = self._keys.shape
        assert shape is not None
        if isinstance(shape, UnionShape):
            return [self._number(shape, self._compounds.through(key, node), node)]
        return self._cells(shape, key, node)

    def _cells(self, shape: Shape, value: Value, node: ast.expr) -> list[n.Expr]:
        """The cells of the value in that shape, which has no Arrays or the like in it."""
        match shape:
            case ScalarShape():
                return [self._compounds.evaluation.number(value, node)]
            case TupleShape(items):
                parts = self._compounds.items_of(value, node)
                if len(parts) != len(items):
                    self._body.reject(node, f"a key of {self._name} has {len(items)} parts: {self._keys}")
                return [c for item, part in zip(items, parts, strict=True) for c in self._cells(item, part, node)]
            case RecordShape(items=items):
                parts = self._record_parts(shape, self._compounds.through(value, node), node)
                return [c for item, part in zip(items, parts, strict=True) for c in self._cells(item, part, node)]
            case OptionalShape(item):
                return self._optional_cells(item, value, node)
            case _:
                self._body.reject(node, f"{noun(shape)} cannot be a part of a key")

    def _record_parts(self, shape: RecordShape, value: Value, node: ast.expr) -> tuple[Value, ...]:
        if isinstance(value, RecordOf) and value.cls is shape.host:
            return value.items
        if isinstance(value, Compound) and isinstance(value.shape, UnionShape):
            union = Unions(self._compounds, value)
            variant = union.checked_variant(shape.host, node)
            value = value if variant is None else variant
        if isinstance(value, Compound) and isinstance(value.shape, RecordShape) and value.shape.host is shape.host:
            return Records(self._compounds, value).parts(node)
        self._body.reject(node, f"{self._name} takes a {shape.name}", f"write {shape.name}(...)")

    def _optional_cells(self, item: Shape, value: Value, node: ast.expr) -> list[n.Expr]:
        span, blank = self._body.span(node), [leaf.blank for leaf in leaves(item)]
        if is_none(value):
            return [n.Const(span, number) for number in (0, *blank)]
        if not isinstance(value, Compound) or not isinstance(value.shape, OptionalShape):
            return [n.Const(span, 1), *self._cells(item, value, node)]
        optional = Optionals(self._compounds, value)
        some, inner = optional.some(span), self._cells(item, optional.unchecked(node), node)
        cells = zip(inner, blank, strict=True)
        return [some, *(n.Conditional(span, some, cell, n.Const(span, other)) for cell, other in cells)]

    def _number(self, shape: UnionShape, value: Value, node: ast.expr) -> n.Expr:
        """The number of a key of a union; -1 if it is outside of the domain."""
        span, variants = self._body.span(node), numbered_variants(shape)
        if isinstance(value, Compound) and isinstance(value.shape, UnionShape):
            union, number = Unions(self._compounds, value), n.Const(span, -1)
            result: n.Expr = number
            for tag, own in enumerate(value.shape.variants):
                mine = next((k for k, variant in enumerate(shape.variants) if variant.host is own.host), None)
                if mine is not None:
                    cells = self._cells(shape.variants[mine], union.variant(tag), node)
                    here = self._numbered(variants[mine], cells, span)
                    result = n.Conditional(span, union.is_variant(tag, span), here, result)
            return result
        host = value.cls if isinstance(value, RecordOf) else getattr(getattr(value, "shape", None), "host", None)
        chosen = next((k for k, variant in enumerate(shape.variants) if variant.host is host), None)
        if chosen is None:
            self._body.reject(node, f"{self._name} takes {noun(shape)}", "write one of these records")
        return self._numbered(variants[chosen], self._cells(shape.variants[chosen], value, node), span)

    def _numbered(self, variant: NumberedVariant, cells: Sequence[n.Expr], span: Span) -> n.Expr:
        number: n.Expr = n.Const(span, 0)
        tests: list[n.Expr] = []
        for cell, part in zip(cells, variant.scalars, strict=True):
            lo, hi = part.type.lo, part.type.hi
            known = self._body.bounds_of(cell)
            if known is None or known[0] < lo or known[1] > hi:
                tests.append(n.Binary(span, n.BinaryOp.LE, n.Const(span, lo), cell))
                tests.append(n.Binary(span, n.BinaryOp.LE, cell, n.Const(span, hi)))
            number = n.Binary(span, n.BinaryOp.ADD, affine(number, 0, hi - lo + 1, span), affine(cell, -lo, 1, span))
        number = affine(number, variant.offset, 1, span)
        return n.Conditional(span, conjunction(tests, span), number, n.Const(span, -1)) if tests else number

    # --- from numbers to keys ---------------------------------------------------------------------------------------

    def key(self, numbers: Indices) -> Compound:
        """The key that has these numbers."""
        shape = self._keys.shape
        assert shape is not None

        def cell(leaf: int, indices: Indices, span: Span) -> n.Expr:
            return self._union_cell(shape, leaf, numbers[0], span) if isinstance(shape, UnionShape) else numbers[leaf]

        return Compound(shape, Computed(cell), 0, "the key", alias=False)

    def _union_cell(self, shape: UnionShape, leaf: int, number: n.Expr, span: Span) -> n.Expr:
        """The cell of the key with that number: which record it is, or a part of one, blank if it is another one."""
        variants = numbered_variants(shape)
        if leaf == 0:
            tag: n.Expr = n.Const(span, 0)
            for k, variant in enumerate(variants[1:], 1):
                behind = n.Binary(span, n.BinaryOp.LE, n.Const(span, variant.offset), number)
                tag = n.Conditional(span, behind, n.Const(span, k), tag)
            return tag
        variant = next(v for v in reversed(variants) if v.first <= leaf)
        scalar, below = variant.scalars[leaf - variant.first], 1
        for part in variant.scalars[leaf - variant.first + 1 :]:
            below *= part.type.hi - part.type.lo + 1
        rest = affine(number, -variant.offset, 1, span)
        if below > 1:
            rest = n.Binary(span, n.BinaryOp.FLOORDIV, rest, n.Const(span, below))
        size = n.Const(span, scalar.type.hi - scalar.type.lo + 1)
        digit = affine(n.Binary(span, n.BinaryOp.MOD, rest, size), scalar.type.lo, 1, span)
        end = n.Const(span, variant.offset + variant.size)
        from_here = n.Binary(span, n.BinaryOp.LE, n.Const(span, variant.offset), number)
        inside = n.And(span, (from_here, n.Binary(span, n.BinaryOp.LT, number, end)))
        return n.Conditional(span, inside, digit, n.Const(span, scalar.type.lo))
