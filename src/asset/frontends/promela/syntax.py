"""The syntax tree of a model, with the place of every part. Names are resolved: a reference has its declaration."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from asset.span import Span

if TYPE_CHECKING:
    from asset.frontends.promela.lexing import Token
    from asset.frontends.promela.types import Type


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    span: Span


# --- declarations -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class ChannelMaker(Node):
    """`[4] of { byte, chan }`: a new channel, or one for each element of an array."""

    capacity: int
    fields: tuple[Type, ...]


@dataclass(frozen=True, slots=True, eq=False)
class InitialList(Node):
    """`{ 1, 2 }`: the first values of the elements of an array; the last is that of all further ones."""

    values: tuple[int, ...]


@dataclass(slots=True, eq=False)
class Declaration:
    """A variable. `initial` is what it is made with; `owner` is the proctype that it is local to, if it is."""

    name: str
    type: Type
    length: int | None
    span: Span
    owner: str | None = None
    initial: Expr | ChannelMaker | InitialList | None = None
    scope: int = 0
    """Tells variables of the same name in one proctype apart."""
    hidden: bool = False
    parameter: bool = False
    within: tuple[tuple[str, Declaration], ...] = ()
    """The channels that fields of the variable make: the path of each, and a declaration of all of them as an array."""

    @property
    def label(self) -> str:
        return f"{self.name}_{self.scope}" if self.scope else self.name


# --- expressions --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Number(Node):
    value: int
    name: str | None = None
    """The name of the mtype constant, if it is one."""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A field of a structure, and its index."""

    name: str
    index: Expr | None


@dataclass(frozen=True, slots=True, eq=False)
class Reference(Node):
    declaration: Declaration
    index: Expr | None = None
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Predefined(Node):
    """`_pid`, `_nr_pr`, `_last`, `_priority`, `np_` or `timeout`."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Unary(Node):
    op: str
    operand: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Binary(Node):
    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Conditional(Node):
    test: Expr
    then: Expr
    orelse: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Run(Node):
    process: str
    arguments: tuple[Expr, ...]
    priority: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ChannelQuery(Node):
    """`len`, `empty`, `full`, `nempty` or `nfull` of a channel."""

    query: str
    channel: Reference


@dataclass(frozen=True, slots=True, eq=False)
class Argument(Node):
    """Of a receive: a value to match (`matched`), a variable to assign to, or neither for `_`."""

    value: Expr | None
    matched: bool


@dataclass(frozen=True, slots=True, eq=False)
class Poll(Node):
    """`q?[a, b]`: whether the receive could be made. `anywhere` for `??`."""

    channel: Reference
    arguments: tuple[Argument, ...]
    anywhere: bool


@dataclass(frozen=True, slots=True, eq=False)
class RemoteLabel(Node):
    """`p[1]@label`."""

    process: str
    number: Expr | None
    label: str


@dataclass(frozen=True, slots=True, eq=False)
class RemoteVariable(Node):
    """`p[1]:v`."""

    process: str
    number: Expr | None
    name: str
    index: Expr | None
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True, eq=False)
class OfProcess(Node):
    """`enabled(pid)`, `pc_value(pid)` or `get_priority(pid)`."""

    query: str
    number: Expr


Expr = (
    Number
    | Reference
    | Predefined
    | Unary
    | Binary
    | Conditional
    | Run
    | ChannelQuery
    | Poll
    | RemoteLabel
    | RemoteVariable
    | OfProcess
)


# --- statements ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Condition(Node):
    """An expression as a statement; `skip` is 1."""

    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Assign(Node):
    target: Reference
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class SetPriority(Node):
    """`set_priority(pid, value)`, or `_priority = value`, which is about the process itself."""

    number: Expr
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Send(Node):
    channel: Reference
    arguments: tuple[Expr, ...]
    in_order: bool
    """`!!`: the message is put before the first that is greater."""


@dataclass(frozen=True, slots=True, eq=False)
class Receive(Node):
    channel: Reference
    arguments: tuple[Argument, ...]
    anywhere: bool
    """`??`: the first message that matches."""
    keeps: bool
    """`?<…>`: the message stays."""


@dataclass(frozen=True, slots=True, eq=False)
class Event(Node):
    """A send or a receive in a trace."""

    channel: Reference
    arguments: tuple[Argument, ...]
    sends: bool


@dataclass(frozen=True, slots=True, eq=False)
class Assert(Node):
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Print(Node):
    text: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Discard(Node):
    """`_ = value`: nobody can read it."""

    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Else(Node):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Goto(Node):
    label: str


@dataclass(frozen=True, slots=True, eq=False)
class Break(Node):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Choice(Node):
    """`if` or, if it `repeats`, `do`."""

    options: tuple[tuple[Stmt, ...], ...]
    repeats: bool


@dataclass(frozen=True, slots=True, eq=False)
class Sequence(Node):
    """`{ … }`, `atomic { … }` or `d_step { … }`; `kind` is the word, or nothing."""

    kind: str
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Unless(Node):
    main: tuple[Stmt, ...]
    escape: tuple[Stmt, ...]
    blocks: tuple[bool, bool] = (True, True)
    """Whether each of them stands in braces."""


@dataclass(frozen=True, slots=True, eq=False)
class Labelled(Node):
    label: str
    statement: Stmt


Basic = Condition | Assign | SetPriority | Send | Receive | Event | Assert | Print | Discard | Else
"""What takes one step."""

Stmt = Basic | Goto | Break | Choice | Sequence | Unless | Labelled


# --- the whole ------------------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class Proctype:
    name: str
    span: Span
    active: int
    """How many there are in the beginning."""
    parameters: tuple[Declaration, ...] = ()
    body: tuple[Stmt, ...] = ()
    provided: Expr | None = None
    locals: list[Declaration] = field(default_factory=list)
    """Parameters first, then all variables in the order of the text."""
    deterministic: bool = False
    priority: int | None = None
    end: Span | None = None
    """The brace behind its body."""


@dataclass(frozen=True, slots=True, eq=False)
class Formula(Node):
    """An `ltl` block: its tokens are read when all declarations are known."""

    name: str
    tokens: tuple[Token, ...]
    brace: Token
    """The one behind them."""


@dataclass(slots=True, eq=False)
class Module:
    globals: list[Declaration] = field(default_factory=list)
    processes: list[Proctype] = field(default_factory=list)
    bodies: list[Proctype] = field(default_factory=list)
    """Processes, claims and traces, in the order of the text."""
    formulas: list[Formula] = field(default_factory=list)
    never: Proctype | None = None
    trace: Proctype | None = None
    """A `trace` or a `notrace`: its name says which."""
    mtypes: dict[str, dict[str, int]] = field(default_factory=dict)
    """The constants of each mtype by their names; the unnamed one is `mtype`."""
