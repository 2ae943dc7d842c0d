"""The types of cells: those that hold the values of a sort, with one that stands for `undef` if they may be that."""

from __future__ import annotations

from asset.frontends.asm.kinds import (
    NUMBERS,
    TRUTHS,
    UNDEF_CODE,
    Elements,
    Numbers,
    ScalarSort,
    Sort,
    TupleSort,
    shown,
    value_of,
)
from asset.frontends.asm.packing import scalars
from asset.ir.shapes import ScalarShape, Shape, TupleShape
from asset.ir.types import BoolType, EnumType, FractionType, IntType, ScalarType

MOST_NAMED = 4096


def shape_of(sort: Sort, maybe: bool) -> Shape:
    """The shape of a scalar or a tuple."""
    if isinstance(sort, TupleSort):
        return TupleShape(tuple(shape_of(part, maybe) for part in sort.parts))
    return ScalarShape(cell_type(scalars((sort,))[0], maybe))


def cell_type(sort: ScalarSort, maybe: bool) -> ScalarType:
    """The type of a cell that holds these values, and `undef` if it may."""
    assert sort.codes is not None
    low, high = sort.bounds
    if sort.kind is TRUTHS and not maybe:
        return BoolType()
    if sort.kind is NUMBERS and ((high - low == len(sort.codes) - 1 and not maybe) or len(sort.codes) > MOST_NAMED):
        return IntType(low - maybe, high)
    members = [(shown(value_of(sort.kind, code)), code) for code in sort.codes]
    alike = isinstance(sort.kind, Numbers) or (isinstance(sort.kind, Elements) and sort.kind.alike)
    undef = (("undef", undef_cell(sort)),) if maybe else ()
    if isinstance(sort.kind, Numbers) and sort.kind.per > 1:
        return FractionType(_domain_name(sort), (*undef, *members), alike, sort.kind.per)
    return EnumType(_domain_name(sort), (*undef, *members), alike)


def _domain_name(sort: ScalarSort) -> str:
    """For messages: the name of a domain, or which numbers there are."""
    if not isinstance(sort.kind, Numbers) or not sort.codes:
        return sort.kind.name
    low, high = sort.bounds
    if sort.kind is NUMBERS and high - low == len(sort.codes) - 1:
        return f"{low}..{high}"
    return f"{{{', '.join(shown(value_of(sort.kind, code)) for code in sort.codes)}}}"


def undef_cell(sort: ScalarSort) -> int:
    return sort.bounds[0] - 1 if isinstance(sort.kind, Numbers) else UNDEF_CODE
