"""Shapes of values in local variables: that of a value, and one that takes each of several values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce

from asset.frontends.python.values import ArrayRef, Compound, RecordOf, Scalar, SlotRef, Static, TupleOf, Value
from asset.ir.shapes import (
    NUMBER,
    Collection,
    LocalShape,
    OptionalShape,
    RecordShape,
    RefShape,
    ScalarShape,
    Shape,
    TupleShape,
    UnionShape,
    noun,
)

NOTHING = RecordShape("nothing", (), ())
"""The shape of the items of a collection that has none: code that reads them is never reached."""


class Unlike(Exception):
    """No shape takes both values; says why."""


def shape_of(value: Value) -> Shape | None:
    """The shape of a local variable that takes the value; None if no local collection can hold it."""
    match value:
        case Scalar() | SlotRef() | Static(int()):
            return NUMBER
        case Static(None):
            return OptionalShape(NOTHING)
        case TupleOf(items):
            return _of_parts(items)
        case Static(tuple() as known):
            return _of_parts(Static(item) for item in known)
        case RecordOf(cls, items):
            parts = _of_parts(items)
            names = tuple(getattr(cls, "_fields"))  # noqa: B009 (of records, which type checkers do not see here)
            return None if parts is None else RecordShape(cls.__name__, names, parts.items, cls)
        case Compound(shape=shape):
            return None if value.is_place else general(shape)
        case ArrayRef():
            return None
        case _:
            return None


def holds_place(value: Value) -> bool:
    """Whether it is a part of the state that may change, or a tuple with one."""
    if isinstance(value, TupleOf):
        return any(map(holds_place, value.items))
    return isinstance(value, ArrayRef) or (isinstance(value, Compound) and value.is_place)


def _of_parts(items: Iterable[Value]) -> TupleShape | None:
    shapes = [shape_of(item) for item in items]
    return TupleShape(tuple(s for s in shapes if s is not None)) if None not in shapes else None


def general(shape: Shape) -> Shape:
    """The shape with parts that take any number; sets, maps and the like stay what they are."""
    match shape:
        case ScalarShape():
            return NUMBER
        case TupleShape(items):
            return TupleShape(tuple(map(general, items)))
        case RecordShape(items=items):
            return replace(shape, items=tuple(map(general, items)))
        case UnionShape(variants):
            return UnionShape(tuple(replace(v, items=tuple(map(general, v.items))) for v in variants))
        case OptionalShape(item):
            return OptionalShape(general(item))
        case LocalShape(item=item):
            return replace(shape, item=general(item))
        case _:
            return shape


def joined_shape(shapes: Iterable[Shape]) -> Shape:
    """A shape that takes the values of each of the shapes."""
    return reduce(_join, shapes)


def _join(a: Shape, b: Shape) -> Shape:
    match a, b:
        case _ if a == b:
            return a
        case ScalarShape(), ScalarShape():
            return NUMBER
        case (RefShape() as ref, OptionalShape(x)) | (OptionalShape(x), RefShape() as ref) if x == NOTHING:
            return ref
        case OptionalShape(x), OptionalShape(y):
            return OptionalShape(y if x == NOTHING else x if y == NOTHING else _join(x, y))
        case OptionalShape(x), _:
            return OptionalShape(b if x == NOTHING else _join(x, b))
        case _, OptionalShape(y):
            return OptionalShape(a if y == NOTHING else _join(a, y))
        case TupleShape(xs), TupleShape(ys) if len(xs) == len(ys):
            return TupleShape(tuple(_join(x, y) for x, y in zip(xs, ys, strict=True)))
        case TupleShape(), TupleShape():
            return _join(as_row(a), as_row(b))
        case RecordShape(items=xs, host=one), RecordShape(items=ys, host=other) if one is other:
            return replace(a, items=tuple(_join(x, y) for x, y in zip(xs, ys, strict=True)))
        case ((RecordShape() | UnionShape()), (RecordShape() | UnionShape())):
            return _united(a, b)
        case LocalShape(kind=kind, capacity=m, item=x), LocalShape(kind=other, capacity=k, item=y) if kind is other:
            item = y if x == NOTHING else x if y == NOTHING else _join(x, y)
            return LocalShape(kind, max(m, k), item)
        case TupleShape(), LocalShape(kind=Collection.TUPLE):
            return _join(as_row(a), b)
        case LocalShape(kind=Collection.TUPLE), TupleShape():
            return _join(a, as_row(b))
        case _:
            raise Unlike(f"a {_word(a)} and a {_word(b)}")


def _united(a: RecordShape | UnionShape, b: RecordShape | UnionShape) -> UnionShape:
    """One of several records."""
    found: dict[object, RecordShape] = {}
    for each in (a, b):
        for variant in each.variants if isinstance(each, UnionShape) else (each,):
            known = found.get(variant.host)
            joined = variant if known is None else _join(known, variant)
            assert isinstance(joined, RecordShape)
            found[variant.host] = joined
    return UnionShape(tuple(found.values()))


def as_row(shape: TupleShape) -> LocalShape:
    """Tuples of several lengths are stored as lists are."""
    return LocalShape(Collection.TUPLE, len(shape.items), joined_shape(shape.items) if shape.items else NOTHING)


def _word(shape: Shape) -> str:
    match shape:
        case ScalarShape():
            return "number"
        case TupleShape(items):
            return f"tuple of {len(items)}"
        case _:
            return noun(shape)
