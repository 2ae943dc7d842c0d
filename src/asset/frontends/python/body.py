"""The state of compiling one function, shared by the classes that compile its parts."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from math import prod
from types import FunctionType
from typing import NoReturn

from asset.errors import Diagnostic
from asset.frontends.python.intervals import Interval, interval
from asset.frontends.python.problems import Problems, Rejected
from asset.frontends.python.source import Definition, Sources
from asset.frontends.python.values import (
    ArrayRef,
    Compound,
    InSlots,
    InState,
    Itself,
    Method,
    Operation,
    Poison,
    RangeOf,
    RecordOf,
    Scalar,
    SetOf,
    SlotRef,
    Static,
    Super,
    TableRef,
    TupleOf,
    Value,
    constant,
)
from asset.ir import nodes as n
from asset.ir.faults import INT_MAX, INT_MIN, FaultKind
from asset.ir.program import Function, Variable
from asset.ir.shapes import leaves
from asset.model import Model
from asset.span import Span


class Role(Enum):
    """What a function is compiled for; it decides what it may return."""

    TRANSITION = auto()  # nothing
    FIRE = auto()  # on every path, whether it fired
    PROPERTY = auto()  # on every path, whether it holds
    MESSAGES = auto()  # what is wrong, as text, or None
    RULE = auto()  # nothing; it lists obligations
    REPRESENTATIVE = auto()  # nothing
    HELPER = auto()


@dataclass
class Summary:
    """What callers need to know of a compiled function."""

    number: int = -1
    gives_value: bool = False
    gives_nothing: bool = False
    writes: Span | None = None
    guards: Span | None = None
    broken: bool = False

    def includes(self, callee: Summary) -> None:
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
    bounds: Interval | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """A function to compile: specialised for arguments that are not plain numbers."""

    function: FunctionType
    role: Role
    arguments: tuple[Argument, ...]


class Unit(ABC):
    """The program being made."""

    model: Model
    variables: tuple[Variable, ...]
    sources: Sources
    problems: Problems
    messages: list[str]
    functions: list[Function]

    @abstractmethod
    def compiled(self, request: Request, at: Span) -> Summary:
        """The function's summary; it is compiled unless it was already."""

    @abstractmethod
    def position(self) -> int:
        """The function that gives the position that an index denotes in a tuple of a length, or less than 0."""

    @abstractmethod
    def conversion(self, name: str, numbers: tuple[int, ...], at: Span) -> int:
        """The function that gives its argument back where it is one of the numbers, and is a model error elsewhere."""

    @abstractmethod
    def requirement(self, kind: FaultKind, message: str, at: Span) -> int:
        """The function that gives 1 where its argument is true, and is this model error elsewhere."""


@dataclass
class Loop:
    """What is bound where `break` and `continue` leave the loop's body."""

    leaving: list[dict[str, Value]] = field(default_factory=list)


class Body(ABC):
    """Compiles the body of one function: names, slots and the statements made so far."""

    def __init__(self, unit: Unit, definition: Definition, request: Request) -> None:
        self.unit = unit
        self.definition = definition
        self.role = request.role
        self.summary = Summary()
        self.slots: list[str] = []
        self.bounds: dict[int, Interval] = {}
        self.emitted: list[n.Stmt] = []
        self.loops: list[Loop] = []
        self.depth = 0
        self.may_hold = False  # whether a row that is iterated over is to be fixed when the iteration begins
        self.binds: list[n.Bind] | None = None  # in a generator expression, where that is done
        self.tested: ast.expr | None = None  # the `and` or `or` of which only the truth matters
        self.bound: dict[str, Value] | None = {}
        self.aliases: set[str] = set()
        self._named: dict[str, int] = {}
        for argument in request.arguments:
            self._bind_argument(argument)

    # --- what the parts do for each other -------------------------------------------------------------------------

    @abstractmethod
    def evaluate(self, node: ast.expr) -> Value:
        """What the expression denotes."""

    @abstractmethod
    def kept(self, value: Compound, node: ast.expr) -> Compound:
        """What a name that is bound to the value denotes: the place, or the value as it is now."""

    @abstractmethod
    def compound_number(self, value: Compound, node: ast.expr) -> n.Expr:
        """The compound value as a number; rejects what is none."""

    @abstractmethod
    def truth(self, value: Compound, node: ast.expr) -> n.Expr | bool:
        """Whether Python takes the compound value for true."""

    @abstractmethod
    def fold(self, op: n.FoldOp, node: ast.GeneratorExp, default: n.Expr | None, span: Span) -> Value:
        """`op(… for …)`."""

    # --- names and slots ------------------------------------------------------------------------------------------

    def _bind_argument(self, argument: Argument) -> None:
        """The parameter's numbers get the next slots; what is known of it is bound to its name."""
        first = len(self.slots)
        self.slots += [
            argument.name if argument.passed == 1 else f"{argument.name}.{k}" for k in range(argument.passed)
        ]
        here = self.definition.head
        passed = tuple(n.Local(here, first + k) for k in range(argument.passed))
        assert self.bound is not None
        match argument.value:
            case SlotRef():
                self._named[argument.name] = first
                self.bound[argument.name] = SlotRef(first)
                if argument.bounds and not self.definition.stores[argument.name]:
                    self.bounds[first] = argument.bounds
            case ArrayRef(variable, name, dims):
                self.bound[argument.name] = ArrayRef(variable, name, dims, passed)
            case TableRef(name, data):
                self.bound[argument.name] = TableRef(name, data, passed)
            case Compound() | RecordOf() | TupleOf() as value:
                self.bound[argument.name] = received(value, list(passed), self.unit.variables)
            case known:
                self.bound[argument.name] = known

    @property
    def names(self) -> dict[str, Value]:
        """What is bound here; code that cannot be reached is not compiled."""
        assert self.bound is not None
        return self.bound

    def slot_of(self, name: str) -> int:
        """The slot of the user's variable: one for all its assignments."""
        if name not in self._named:
            self._named[name] = self.new_slot(name)
        return self._named[name]

    def new_slot(self, name: str) -> int:
        self.slots.append(name)
        return len(self.slots) - 1

    def is_stable(self, e: n.Expr) -> bool:
        """Whether the expression has the same value wherever it stands in the function."""
        return isinstance(e, n.Const) or (isinstance(e, n.Local) and not self.definition.stores[self.slots[e.slot]])

    def interval(self, e: n.Expr) -> Interval | None:
        return interval(e, self.bounds, self.unit.variables)

    # --- errors ---------------------------------------------------------------------------------------------------

    def span(self, node: ast.expr | ast.stmt | ast.pattern | ast.keyword | ast.arg) -> Span:
        return self.definition.span(node)

    def reject(self, node: ast.expr | ast.stmt | ast.pattern | ast.keyword, message: str, remedy: str = "") -> NoReturn:
        raise Rejected(Diagnostic(message, self.span(node), remedy))

    # --- values to numbers ----------------------------------------------------------------------------------------

    def scalar(self, node: ast.expr) -> n.Expr:
        """The expression as a number."""
        return self.number(self.evaluate(node), node)

    def number(self, value: Value, node: ast.expr) -> n.Expr:
        """The value as a number; rejects what is none."""
        match value:
            case Scalar(expr):
                return expr
            case SlotRef(slot):
                return n.Local(self.span(node), slot)
            case Static(known):
                return self._constant(known, node)
            case Poison():
                raise Rejected
            case Compound():
                return self.compound_number(value, node)
            case _:
                what, remedy = _no_number(value)
                self.reject(node, f"{what} is used as a number", remedy)

    def _constant(self, known: object, node: ast.expr) -> n.Const:
        if isinstance(known, int):
            if not INT_MIN <= known <= INT_MAX:
                self.reject(node, f"the constant {int(known)} does not fit 64 bits")
            return n.Const(self.span(node), int(known))
        match known:
            case float() | complex():
                self.reject(node, f"{known!r} is not an integer", "the language has integers only")
            case str():
                self.reject(node, "text is not a value of the language", "use an IntEnum for names")
            case None:
                self.reject(node, "None is used as a number", "use a value of its own, say an IntEnum member")
            case tuple():
                self.reject(node, "a tuple is used as a number", "index it")
            case list() | dict() | set():
                self.reject(
                    node,
                    f"a {type(known).__name__} is not part of the language, as it may change",
                    "use a tuple for constants, or an Array in the state",
                )
            case _:
                name = getattr(known, "__name__", repr(known))
                remedy = f"call it: {name}(...)" if callable(known) and not isinstance(known, type) else ""
                self.reject(node, f"{name} is used as a number", remedy)

    def condition(self, node: ast.expr) -> n.Expr | bool:
        """The expression as a condition: True or False where that is known now."""
        self.tested = node
        value = self.evaluate(node)
        self.tested = None
        if isinstance(value, Static) and not isinstance(value.value, list | dict | set | float):
            return bool(value.value)
        if isinstance(value, Compound):
            return self.truth(value, node)
        expr = self.number(value, node)
        known = constant(expr)
        return expr if known is None else bool(known)

    def attempt(self, node: ast.expr) -> n.Expr | bool:
        """The condition; where it is rejected, that is recorded and compiling goes on with what depends on it."""
        try:
            return self.condition(node)
        except Rejected as rejected:
            self.fail(rejected)
            return n.Local(self.span(node), self.new_slot("rejected"))

    def fail(self, rejected: Rejected) -> None:
        self.unit.problems.record(rejected)
        self.summary.broken = True

    # --- rows of arrays and tables --------------------------------------------------------------------------------

    def frozen(self, value: Value, node: ast.expr) -> Value:
        """The value, with what may change held in slots of its own; indices are checked now, as Python does."""
        if isinstance(value, RangeOf):
            start, stop, step = (self.held_number(bound, "range") for bound in (value.start, value.stop, value.step))
            return RangeOf(start, stop, step)
        if isinstance(value, Compound):
            return self.kept(value, node)
        if not isinstance(value, ArrayRef | TableRef):
            return value
        indices = self.checked_indices(value, node)
        held = tuple(self.held_number(index, value.name) for index in indices)
        if isinstance(value, ArrayRef):
            return ArrayRef(value.variable, value.name, value.dims, held)
        return TableRef(value.name, value.data, held)

    def held_number(self, index: n.Expr, name: str) -> n.Expr:
        here = self.definition.head
        if isinstance(index, n.Const):
            return n.Const(here, index.value)
        if isinstance(index, n.Local) and self.is_stable(index):
            return n.Local(here, index.slot)
        if isinstance(index, n.Local) and self.binds is not None:
            return index  # a generator expression assigns to no local variable
        slot = self.new_slot(f"{name}.index")
        if self.binds is None:
            self.emitted.append(n.SetLocal(index.span, slot, index))
        else:
            self.binds.append(n.Bind(index.span, slot, index))
        return n.Local(here, slot)

    def checked_indices(self, value: ArrayRef | TableRef, node: ast.expr) -> tuple[n.Expr, ...]:
        """The indices given so far; each is checked where it may be out of bounds."""
        if isinstance(value, TableRef):
            return value.indices
        full = self.unit.variables[value.variable].dims
        return tuple(
            self.checked_index(index, size, value.name) for index, size in zip(value.indices, full, strict=False)
        )

    def checked_index(self, index: n.Expr, size: int, name: str) -> n.Expr:
        """The index; a look-up in the table of all indices faults where there is no such one."""
        known = self.interval(index)
        if known is not None and known[0] >= 0 and known[1] < size:
            return index
        return n.Table(index.span, name, (size,), tuple(range(size)), (index,))


def _no_number(value: Value) -> tuple[str, str]:
    match value:
        case ArrayRef():
            return f"the Array {value.name}", "index it, or use sum, any, all, min or max"
        case TableRef() | TupleOf():
            return "a tuple", "index it"
        case RangeOf():
            return "a range", "loop over it"
        case RecordOf(cls=cls):
            return f"a {cls.__name__}", "name one of its parts"
        case SetOf():
            return "a set", "assign it to a Set in the state"
        case Operation(name=name):
            return f"the method {name}", f"call it: {name}(...)"
        case Method():
            return f"the method {value.function.__name__}", f"call it: self.{value.function.__name__}(...)"
        case Itself() | Super():
            return "the model itself", "use its state variables"
        case _:
            return "this", ""


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
        case Compound(source=InSlots(parts, _)):
            first = []
            for leaf in parts:
                first.append(passed[0].slot if passed else 0)
                del passed[: prod(leaf.dims)]
            return Compound(value.shape, InSlots(parts, tuple(first)), 0, value.name, alias=False)
        case _:
            return value


def joined(ends: Iterable[dict[str, Value] | None]) -> dict[str, Value] | None:
    """What is bound alike at all the ends that are reached; None where none is."""
    reached = [end for end in ends if end is not None]
    if not reached:
        return None
    first, *others = reached
    alike = {name: value for name, value in first.items() if all(o.get(name) == value for o in others)}
    return alike | {name: value for end in reached for name, value in end.items() if value == Poison()}
