"""What an expression can denote while a model is compiled: more than the numbers that it can denote at run time."""

from __future__ import annotations

from dataclasses import dataclass
from types import FunctionType

from asset.ir.nodes import Const, Expr


@dataclass(frozen=True, slots=True)
class Static:
    """Something known now: a constant, a class, a function, a module."""

    value: object


@dataclass(frozen=True, slots=True)
class Scalar:
    """A number computed at run time."""

    expr: Expr


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
    """A method of the model, with `receiver` as its first argument (None: a static method)."""

    function: FunctionType
    receiver: Itself | Static | None


@dataclass(frozen=True, slots=True)
class Poison:
    """What a rejected statement would have given; using it is no second error."""


Value = Static | Scalar | SlotRef | ArrayRef | TableRef | TupleOf | RangeOf | Itself | Super | Method | Poison


def constant(expr: Expr) -> int | None:
    """The expression's value where it is a constant."""
    return expr.value if isinstance(expr, Const) else None
