"""What an expression can denote while a model is compiled: more than the numbers that it can denote at run time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import FunctionType
from typing import TypeGuard

from asset.deferred import dataclass
from asset.frontends.python.ir_expressions import conjunction, constant
from asset.ir.nodes import Binary, BinaryOp, Conditional, Const, Expr, Local, Read
from asset.ir.shapes import Leaf, LocalShape, OptionalShape, RefShape, Shape, TupleShape, UnionShape
from asset.span import Span


@dataclass(frozen=True, slots=True)
class Static:
    """Something known while the model is compiled: a constant, a class, a function, a module."""

    value: object


@dataclass(frozen=True, slots=True)
class Scalar:
    """A number computed at run time."""

    expr: Expr


@dataclass(frozen=True, slots=True)
class Truth:
    """What `and` or `or` gives if one operand is no number: a condition can be made of it, and nothing else.

    `operand` is the text of what would be handed on as it is.
    """

    expr: Expr
    operand: str


@dataclass(frozen=True, slots=True)
class SlotRef:
    """A local variable that holds a number."""

    slot: int


@dataclass(frozen=True, slots=True)
class ArrayRef:
    """A state variable that is an array, or a row of it: some indices are given, `dims` are left."""

    variable: int
    name: str
    dims: tuple[int, ...]
    indices: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class TableRef:
    """A constant tuple, or a row of it whose indices are known at run time only."""

    name: str
    data: tuple[object, ...]
    indices: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class TupleOf:
    """A tuple written out, with values known at run time."""

    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class InState:
    """The cells of state variables: a leaf is a variable."""

    def read(self, leaf: int, indices: tuple[Expr, ...], span: Span) -> Expr:
        return Read(span, leaf, indices)


@dataclass(frozen=True, slots=True)
class InSlots:
    """Cells in local variables: those of a leaf one after the other.

    If `varies` is true, they are those of a name that may be bound to another value later; else they are a copy that
    nothing changes.
    """

    leaves: tuple[Leaf, ...]
    first: tuple[int, ...]
    varies: bool = False

    def read(self, leaf: int, indices: tuple[Expr, ...], span: Span) -> Expr:
        return self._among(self.first[leaf], self.leaves[leaf].dims, indices, span)

    def slot(self, leaf: int, indices: tuple[int, ...]) -> int:
        """The local variable of a cell."""
        at = 0
        for size, index in zip(self.leaves[leaf].dims, indices, strict=True):
            at = at * size + index
        return self.first[leaf] + at

    def _among(self, slot: int, dims: tuple[int, ...], indices: tuple[Expr, ...], span: Span) -> Expr:
        """A local variable cannot be indexed, so an index known at run time only is compared with each number."""
        if not indices:
            return Local(span, slot)
        if dims[0] == 0:
            return Const(span, 0)  # there is none, so the value is not used
        size = 1
        for dim in dims[1:]:
            size *= dim
        known = constant(indices[0])
        if known is not None:
            known = min(max(known, 0), dims[0] - 1)  # if it is outside, the value is not used
            return self._among(slot + known * size, dims[1:], indices[1:], span)
        *others, last = (self._among(slot + k * size, dims[1:], indices[1:], span) for k in range(dims[0]))
        for k in reversed(range(len(others))):
            last = Conditional(span, Binary(span, BinaryOp.EQ, indices[0], Const(span, k)), others[k], last)
        return last


@dataclass(frozen=True, slots=True)
class Computed:
    """Cells that are computed from those of other values, each when it is read."""

    cell: Callable[[int, tuple[Expr, ...], Span], Expr]

    def read(self, leaf: int, indices: tuple[Expr, ...], span: Span) -> Expr:
        return self.cell(leaf, indices, span)


Source = InState | InSlots | Computed


@dataclass(frozen=True, slots=True)
class Compound:
    """A value of several cells: its leaves from `leaf` on, at the indices of what it is part of.

    `checks` are expressions that are 1 if the value is there, and a model error otherwise. If `alias` is true, a name
    that is bound to it denotes the place, so that assigning through it changes the state (or the local collection that
    has a name); otherwise the value.
    """

    shape: Shape
    source: Source
    leaf: int
    name: str
    indices: tuple[Expr, ...] = ()
    checks: tuple[Expr, ...] = ()
    alias: bool = True

    @property
    def is_place(self) -> bool:
        """Whether a name that is bound to it denotes the place. None, references and tuples do not change, nor does one
        of several records."""
        changes = not isinstance(self.shape, OptionalShape | RefShape | TupleShape | UnionShape)
        return self.alias and isinstance(self.source, InState) and changes

    @property
    def is_variable(self) -> bool:
        """Whether it is (part of) what a name is bound to, and changes with it."""
        return isinstance(self.source, InSlots) and self.source.varies

    def part(self, shape: Shape, leaf: int, indices: tuple[Expr, ...] = (), suffix: str = "") -> Compound:
        """A part of the value, `leaf` leaves behind its first one."""
        given = (*self.indices, *indices)
        return replace(self, shape=shape, leaf=self.leaf + leaf, name=self.name + suffix, indices=given)

    def read(self, leaf: int, indices: tuple[Expr, ...], span: Span) -> Expr:
        """A cell of the value, which must be there."""
        return self.source.read(self.leaf + leaf, (*self.indices, *indices), span)

    def cell(self, leaf: int, indices: tuple[Expr, ...], span: Span) -> Expr:
        """A cell of the value; a model error if the value is not there."""
        read = self.read(leaf, indices, span)
        return Conditional(span, conjunction(self.checks, span), read, Const(span, 0)) if self.checks else read


@dataclass(frozen=True, slots=True)
class RecordOf:
    """A record written out: the values of its parts, in their order."""

    cls: type
    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class SetOf:
    """A set written out."""

    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Operation:
    """A method of a compound value, before it is called: `self.queue.put`."""

    value: Compound
    name: str


@dataclass(frozen=True, slots=True)
class RangeOf:
    """range(start, stop, step) with a bound known at run time."""

    start: Expr
    stop: Expr
    step: Expr


@dataclass(frozen=True, slots=True)
class Itself:
    """`self`: the model."""


@dataclass(frozen=True, slots=True)
class Super:
    """`super()` in a method of `owner`."""

    owner: type


@dataclass(frozen=True, slots=True)
class Method:
    """A method of the model or of a record, with `receiver` as its first argument (None: a static method)."""

    function: FunctionType
    receiver: Value | None


@dataclass(frozen=True, slots=True)
class Poison:
    """What a rejected statement would have given; using it is no second error."""


Value = (
    Static
    | Scalar
    | Truth
    | SlotRef
    | ArrayRef
    | TableRef
    | TupleOf
    | Compound
    | RecordOf
    | SetOf
    | Operation
    | RangeOf
    | Itself
    | Super
    | Method
    | Poison
)


def is_collection(value: Value) -> TypeGuard[Compound]:
    """Whether it is a local collection."""
    return isinstance(value, Compound) and isinstance(value.shape, LocalShape)


def is_optional(value: Value) -> TypeGuard[Compound]:
    """Whether it may be None."""
    return isinstance(value, Compound) and isinstance(value.shape, OptionalShape)


def known_integer(value: Value) -> int | None:
    """The number, if it is known now."""
    if isinstance(value, Static) and isinstance(value.value, int):
        return int(value.value)
    return constant(value.expr) if isinstance(value, Scalar) else None


def tuple_items(value: Value) -> tuple[Value, ...] | None:
    """The items of a tuple that is written out or known now."""
    match value:
        case TupleOf(items):
            return items
        case Static(tuple() as known):
            return tuple(Static(item) for item in known)
        case _:
            return None
