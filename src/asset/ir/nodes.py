"""The IR: expressions and statements as frozen data.

Expressions are evaluated as Python does: operands from left to right, `and`/`or` and conditional expressions only
as far as needed. Every value is a 64-bit integer; booleans are 0 and 1. A call may change the state, so the order of
evaluation is part of the meaning. Whatever can go wrong raises a `Fault` at the node's span.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from enum import Enum
from operator import eq, ge, gt, le, lt, ne

from asset.deferred import dataclass
from asset.ir.faults import FaultKind
from asset.span import Span


class UnaryOp(Enum):
    NEGATE = "-"
    INVERT = "~"
    NOT = "not"
    ABS = "abs"


class BinaryOp(Enum):
    ADD = "+"
    SUB = "-"
    MUL = "*"
    FLOORDIV = "//"  # rounds down, as in Python
    MOD = "%"  # has the sign of the divisor, as in Python
    POW = "**"
    LSHIFT = "<<"
    RSHIFT = ">>"
    AND = "&"
    OR = "|"
    XOR = "^"
    EQ = "=="
    NE = "!="
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="
    MIN = "min"  # min(a, b)
    MAX = "max"


COMPARISONS: Mapping[BinaryOp, Callable[[int, int], bool]] = {
    BinaryOp.EQ: eq,
    BinaryOp.NE: ne,
    BinaryOp.LT: lt,
    BinaryOp.LE: le,
    BinaryOp.GT: gt,
    BinaryOp.GE: ge,
}
DIVISIONS = frozenset({BinaryOp.FLOORDIV, BinaryOp.MOD})  # by 0 they are a fault
SHIFTS = frozenset({BinaryOp.LSHIFT, BinaryOp.RSHIFT, BinaryOp.POW})  # by a negative number they are a fault


class FoldOp(Enum):
    SUM = "sum"
    ANY = "any"  # 0 or 1; stops at the first true element
    ALL = "all"  # 0 or 1; stops at the first false element
    MIN = "min"
    MAX = "max"


# Compared by identity, as facts about nodes are kept: the same code at two places is not the same node.
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Node:
    span: Span

    def __repr__(self) -> str:
        parts = (f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if f.name != "span")
        return f"{type(self).__name__}({', '.join(parts)})"


# --- expressions ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Const(Node):
    value: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Local(Node):
    """The value of a local variable; the verifier proves that it has one."""

    slot: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Read(Node):
    """The value of a cell of a state variable: one index for each dimension.

    With `before`, the value that it had when the firing began, whatever was assigned since: how updates that happen
    together read the state. Only the function of a family may have such reads, not what it calls.
    """

    variable: int
    indices: tuple[Expr, ...] = ()
    before: bool = False


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Table(Node):
    """An element of a constant array, given row by row; indices are checked against `dims`."""

    name: str
    dims: tuple[int, ...]
    values: tuple[int, ...]
    indices: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Unary(Node):
    op: UnaryOp
    operand: Expr


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Binary(Node):
    op: BinaryOp
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class And(Node):
    """The first operand that is 0, else the last one: Python's `and`."""

    operands: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Or(Node):
    """The first operand that is not 0, else the last one: Python's `or`."""

    operands: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Conditional(Node):
    test: Expr
    then: Expr
    orelse: Expr


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Call(Node):
    """Runs `program.functions[function]`; its value is what it returns, or 0. It may change the state."""

    function: int
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Generator(Node):
    """`for slot in range(start, stop, step)`, then each of `binds` in order, then `if test`.

    `binds` give names to what is derived from the loop counter: the element of an array that is iterated over.
    """

    slot: int
    start: Expr
    stop: Expr
    step: Expr
    binds: tuple[Bind, ...] = ()
    test: Expr | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Bind(Node):
    slot: int
    value: Expr


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Fold(Node):
    """`op(element for … for …)`, the last generator innermost. MIN and MAX of nothing are `default`, or a fault."""

    op: FoldOp
    generators: tuple[Generator, ...]
    element: Expr
    default: Expr | None = None


Expr = Const | Local | Read | Table | Unary | Binary | And | Or | Conditional | Call | Fold


# --- statements -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SetLocal(Node):
    slot: int
    value: Expr


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SetState(Node):
    """Evaluates the value, then the indices, then assigns; a value outside the variable's type is a fault."""

    variable: int
    indices: tuple[Expr, ...]
    value: Expr


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Case(Node):
    test: Expr
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class If(Node):
    """`if/elif/…/else`: the body of the first case whose test is true, else `orelse`."""

    cases: tuple[Case, ...]
    orelse: tuple[Stmt, ...] = ()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class While(Node):
    """If it goes round too often, that is a LOOP fault, as for any loop that is counted (`ir.rounds`)."""

    test: Expr
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class For(Node):
    """`for slot in range(start, stop, step)`: the bounds are evaluated once; assigning to the slot in the body does
    not change the iteration. A step of 0 is a RANGE fault."""

    slot: int
    start: Expr
    stop: Expr
    step: Expr
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Break(Node):
    pass


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Continue(Node):
    pass


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Return(Node):
    """Leaves the function. Without a value it returns 0."""

    value: Expr | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class When(Node):
    """Disables the command being fired if the test is false, wherever it stands: nothing is changed then."""

    test: Expr


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Fail(Node):
    """A failed assert or a raised exception. The message is text with values of expressions in it."""

    kind: FaultKind
    message: tuple[str | Expr, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Evaluate(Node):
    """An expression for its effects: a call."""

    value: Expr


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Mark(Node):
    """Notes that it was reached, and changes nothing (`ir.coverage`)."""

    number: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Oblige(Node):
    """In a rule: if the rule's command is in a stubborn set, so are these commands, given by their numbers.

    A number that no command has is an INDEX fault.
    """

    commands: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ObligeAll(Node):
    """In a rule: every command is obliged, in increasing order."""


Stmt = (
    SetLocal
    | SetState
    | If
    | While
    | For
    | Break
    | Continue
    | Return
    | When
    | Fail
    | Evaluate
    | Mark
    | Oblige
    | ObligeAll
)


# --- walking ----------------------------------------------------------------------------------------------------


_FIELDS: dict[type[Node], tuple[str, ...]] = {}
"""By kind of node, the fields that may have nodes in them."""


def children(node: Node) -> list[Node]:
    """The node's direct parts, in the order of their fields."""
    kind = type(node)
    names = _FIELDS.get(kind)
    if names is None:
        names = _FIELDS[kind] = _fields_with_nodes(kind)
    found: list[Node] = []
    for name in names:
        value = getattr(node, name)
        if type(value) is tuple:
            found += [part for part in value if isinstance(part, Node)]
        elif isinstance(value, Node):
            found.append(value)
    return found


def _fields_with_nodes(kind: type[Node]) -> tuple[str, ...]:
    """Most nodes have fields that are mere numbers or names; all code is walked over so often that looking at these
    takes a good part of the time of compiling it."""
    nodes = ("Expr", "Stmt", *(each.__name__ for each in Node.__subclasses__()))
    return tuple(f.name for f in fields(kind) if any(name in re.findall(r"\w+", str(f.type)) for name in nodes))


def walk(*roots: Node) -> Iterator[Node]:
    """Every node below the roots, each before its parts, in the order of the text; iterative."""
    stack = list(reversed(roots))
    while stack:
        node = stack.pop()
        yield node
        parts = children(node)
        parts.reverse()
        stack += parts
