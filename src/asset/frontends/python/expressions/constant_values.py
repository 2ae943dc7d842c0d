"""Constants of several cells of which one is chosen at run time: a table for each cell.

Tuples, lists, sets, dicts and records that the text names, and what an index of a transition ranges over.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

from asset.frontends.python.constants import Listed, in_some_order
from asset.frontends.python.local_shapes import NOTHING, Unlike, joined_shape
from asset.frontends.python.values import Compound, Computed
from asset.ir import nodes as n
from asset.ir.shapes import (
    NUMBER,
    Collection,
    LocalShape,
    OptionalShape,
    RecordShape,
    ScalarShape,
    Shape,
    TupleShape,
    UnionShape,
    leaves,
)
from asset.model import Record
from asset.model.symbols import is_symbol, number_of
from asset.span import Span

Cells = list[list[int]]
"""Leaf by leaf, the cells of a value, row by row."""


def one_of(name: str, values: Sequence[object], at: n.Expr) -> Compound | None:
    """The value at a position that is known at run time, and within; None if these are no values of one kind."""
    shapes = [_shape(value) for value in values]
    try:
        shape = joined_shape(shape for shape in shapes if shape is not None)
    except (Unlike, TypeError):
        return None
    if None in shapes or isinstance(shape, ScalarShape):
        return None
    rows = [_cells(shape, value) for value in values]
    parts = leaves(shape)

    def cell(leaf: int, indices: tuple[n.Expr, ...], span: Span) -> n.Expr:
        table = tuple(number for row in rows for number in row[leaf])
        return n.Table(span, name, (len(rows), *parts[leaf].dims), table, (at, *indices))

    return Compound(shape, Computed(cell), 0, name, alias=False)


def _shape(value: object) -> Shape | None:
    """The shape of a local variable that takes the constant; None if there is none."""
    match value:
        case None:
            return OptionalShape(NOTHING)
        case Listed():
            return _row(Collection.LIST, value)
        case tuple():
            parts = [_shape(part) for part in value]
            return None if None in parts else TupleShape(tuple(part for part in parts if part is not None))
        case frozenset() | set():
            return _row(Collection.SET, value)
        case dict():
            return _row(Collection.DICT, value.items())
        case Record():
            parts = [_shape(getattr(value, name)) for name in value._fields]
            known = tuple(part for part in parts if part is not None)
            whole = RecordShape(type(value).__name__, tuple(value._fields), known, type(value))
            return whole if len(known) == len(parts) else None
        case _:
            return NUMBER if isinstance(value, int) or is_symbol(value) else None


def _row(kind: Collection, items: Iterable[object]) -> Shape | None:
    shapes = [_shape(item) for item in items]
    known = [shape for shape in shapes if shape is not None]
    if len(known) < len(shapes):
        return None
    return LocalShape(kind, len(shapes), joined_shape(known) if known else NOTHING)


def _cells(shape: Shape, value: object) -> Cells:
    match shape:
        case OptionalShape(item):
            return [[0], *_blank(item)] if value is None else [[1], *_cells(item, value)]
        case TupleShape(items):
            assert isinstance(value, tuple)
            return [leaf for item, part in zip(items, value, strict=True) for leaf in _cells(item, part)]
        case RecordShape(names=names, items=items):
            parts = (getattr(value, name) for name in names)
            return [leaf for item, part in zip(items, parts, strict=True) for leaf in _cells(item, part)]
        case UnionShape(variants):
            tag = next(k for k, variant in enumerate(variants) if variant.host is type(value))
            given = (_cells(v, value) if k == tag else _blank(v) for k, v in enumerate(variants))
            return [[tag], *(leaf for part in given for leaf in part)]
        case LocalShape(capacity=capacity, item=item):
            rows = [_cells(item, part) for part in _items(value)]
            filled = [*rows, *([_blank(item)] * (capacity - len(rows)))]
            return [[len(rows)], *([x for row in filled for x in row[leaf]] for leaf in range(len(leaves(item))))]
        case _:
            return [[number_of(value)]]


def _items(value: object) -> Sequence[object]:
    if isinstance(value, dict):
        return list(value.items())
    if isinstance(value, set | frozenset):
        return in_some_order(value)
    assert isinstance(value, tuple)
    return value


def _blank(shape: Shape) -> Cells:
    return [[0] * prod(leaf.dims) for leaf in leaves(shape)]
