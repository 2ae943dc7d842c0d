"""Functions to compile: for what, with which arguments, and what their callers learn of them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from math import prod
from types import FunctionType

from asset.deferred import dataclass
from asset.frontends.python.ir_expressions import NumberBounds
from asset.frontends.python.values import (
    ArrayRef,
    Compound,
    InSlots,
    InState,
    Itself,
    RecordOf,
    SlotRef,
    Static,
    TableRef,
    TupleOf,
    Value,
)
from asset.ir import nodes as n
from asset.ir.program import Variable
from asset.ir.shapes import RefShape, leaves
from asset.span import NOWHERE, Span


class FunctionRole(Enum):
    """What a function is compiled for. It decides what the function may return."""

    TRANSITION = auto()  # nothing
    FIRE = auto()  # on every path, whether it fired
    PROPERTY = auto()  # on every path, whether it holds
    MESSAGES = auto()  # what is wrong, as text, or None
    RULE = auto()  # nothing; it lists obligations
    REPRESENTATIVE = auto()  # nothing
    HELPER = auto()
    CELL = auto()  # a number, or one cell of a value that has several


class FunctionSummary:
    """What callers need to know of a compiled function."""

    def __init__(self, broken: bool = False) -> None:
        self.number = -1
        self.gives_value = False
        self.gives_nothing = False
        self.gives_truth = ""
        """The text of what it hands on, if only the truth of what it returns is known."""
        self.refers: RefShape | None = None
        """What it returns, if that is a reference; then to return nothing is to return None."""
        self.given: Argument | None = None
        """Of a function that returns a cell: the value that it is a cell of, as an argument."""
        self.writes: Span | None = None
        self.guards: Span | None = None
        self.broken = broken

    def includes(self, callee: FunctionSummary) -> None:
        """Effects of what is called are effects of the caller."""
        self.writes = self.writes or callee.writes
        self.guards = self.guards or callee.guards
        self.broken = self.broken or callee.broken


@dataclass(frozen=True, slots=True)
class Argument:
    """How a parameter is given: `value` has placeholders for the numbers that are passed at run time."""

    name: str
    value: Value
    passed: int
    bounds: NumberBounds | None = None
    choices: tuple[object, ...] = ()
    """Of an index of a transition that is no number: what the number that is passed is a position in."""


@dataclass(frozen=True, slots=True)
class Request:
    """A function to compile: specialised for arguments that are not plain numbers."""

    function: FunctionType
    role: FunctionRole
    arguments: tuple[Argument, ...] = ()
    cell: int = 0
    """The number of the cell that it returns, if it returns one."""


def is_known(value: Value) -> bool:
    """Whether the callee is compiled for the value itself: nothing of it is passed at run time."""
    match value:
        case Itself() | Static(None | str() | tuple() | range() | type() | frozenset()):
            return True
        case _:
            return False


def specialised(value: Value) -> Value:
    """What the callee is compiled for: numbers and indices are left out, as they are passed."""
    match value:
        case ArrayRef(variable, name, dims):
            return ArrayRef(variable, name, dims)
        case TableRef(name, data, indices):
            return TableRef(name, data, tuple(n.Const(NOWHERE, 0) for _ in indices))
        case TupleOf(items):
            return TupleOf(tuple(map(specialised, items)))
        case RecordOf(cls, items):
            return RecordOf(cls, tuple(map(specialised, items)))
        case Compound() if value.is_place:
            return Compound(value.shape, value.source, value.leaf, value.name)
        case Compound():
            return copied(value)
        case _:
            return value if is_known(value) else SlotRef(-1)


def copied(value: Value) -> Value:
    """What a function is compiled for that is passed all cells of the value."""
    match value:
        case TupleOf(items):
            return TupleOf(tuple(map(copied, items)))
        case RecordOf(cls, items):
            return RecordOf(cls, tuple(map(copied, items)))
        case Compound():
            return Compound(value.shape, InSlots(leaves(value.shape), ()), 0, value.name, alias=False)
        case _:
            return SlotRef(-1)


def received(value: Value, passed: list[n.Local], variables: Sequence[Variable]) -> Value:
    """The parameter that a function was compiled for, with the numbers that it is passed; these are used up."""
    match value:
        case SlotRef():
            return SlotRef(passed.pop(0).slot)
        case TupleOf(items):
            return TupleOf(tuple(received(item, passed, variables) for item in items))
        case RecordOf(cls, items):
            return RecordOf(cls, tuple(received(item, passed, variables) for item in items))
        case Compound(source=InState()):
            given = len(variables[value.leaf].dims) - len(leaves(value.shape)[0].dims)
            indices = tuple(passed.pop(0) for _ in range(given))
            return Compound(value.shape, value.source, value.leaf, value.name, indices, (), value.alias)
        case ArrayRef(variable, name, dims):
            indices = tuple(passed.pop(0) for _ in range(len(variables[variable].dims) - len(dims)))
            return ArrayRef(variable, name, dims, indices)
        case TableRef(name, data, placeholders):
            return TableRef(name, data, tuple(passed.pop(0) for _ in placeholders))
        case Compound(source=InSlots(parts, _)):
            first = []
            for leaf in parts:
                first.append(passed[0].slot if passed else 0)
                del passed[: prod(leaf.dims)]
            return Compound(value.shape, InSlots(parts, tuple(first)), 0, value.name, alias=False)
        case _:
            return value
