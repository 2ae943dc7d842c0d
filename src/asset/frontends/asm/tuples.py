"""Tuples with parts that are `undef`: such a tuple is a tuple, and only a location without any value is `undef`.

Mostly no tuple of a function has a first part that is `undef`. Then the location is `undef` if and only if its first
cell is.
Of the others, each tuple has a cell of its own that says whether it is there, in the order in which they begin.
"""

from __future__ import annotations

from collections.abc import Iterator

from asset.frontends.asm.kinds import Sort, Static, TupleSort, Undefined, flattened
from asset.frontends.asm.values import (
    BagValue,
    Scalar,
    SequenceValue,
    SetValue,
    TupleValue,
    UndefValue,
    Value,
    defined,
    tells_by_first,
)
from asset.ir import nodes as n
from asset.span import Span


def names_of(sort: Sort, prefix: str = "") -> Iterator[str]:
    """How the cells are called that say whether a tuple, and each one in it, is there."""
    if isinstance(sort, TupleSort):
        yield f"{prefix}.defined"
        for k, part in enumerate(sort.parts):
            yield from names_of(part, f"{prefix}.{k}")


def known_to_be_there(sort: Sort, value: Static) -> Iterator[bool]:
    """What these cells are for a value that is known."""
    if isinstance(sort, TupleSort):
        yield not isinstance(value, Undefined)
        parts = value if isinstance(value, tuple) else (value,) * len(sort.parts)
        for part, each in zip(sort.parts, parts, strict=True):
            yield from known_to_be_there(part, each)


def being_there(sort: Sort, value: Value, span: Span) -> Iterator[n.Expr]:
    """What these cells are for a value."""
    if isinstance(sort, TupleSort):
        yield defined(value, span)
        parts = value.parts if isinstance(value, TupleValue) else (value,) * len(sort.parts)
        for part, each in zip(sort.parts, parts, strict=True):
            yield from being_there(part, each, span)


def has_undef(value: Static) -> bool:
    """Whether it is `undef`, or a part of it is."""
    return any(isinstance(part, Undefined) for part in flattened(value))


def first_is_undef(value: Static) -> bool:
    """Whether it has a tuple whose first part is `undef`."""
    if not isinstance(value, tuple) or not value:
        return False
    return isinstance(value[0], Undefined) or any(map(first_is_undef, value))


def may_have_undef(value: Value) -> bool:
    """Whether it may be `undef`, or a part of it."""
    match value:
        case UndefValue():
            return True
        case Scalar(maybe=maybe):
            return maybe
        case TupleValue(parts):
            return any(map(may_have_undef, parts))
        case SetValue(there=there) | SequenceValue(there=there) | BagValue(there=there):
            return there is not None
    return False


def first_may_be_undef(value: Value, span: Span) -> bool:
    """Whether it may have a tuple that is there although its first part is `undef`."""
    if not isinstance(value, TupleValue):
        return False
    return not tells_by_first(value, span) or any(first_may_be_undef(part, span) for part in value.parts)
