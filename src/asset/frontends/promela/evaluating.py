"""Expressions of Promela as expressions of the IR."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeGuard

from asset.errors import ModelRejected
from asset.frontends.promela import syntax as s
from asset.frontends.promela.code import (
    Slots,
    Value,
    all_of,
    any_of,
    as_int,
    equal,
    is_false,
    is_true,
    negated,
    number,
    plus,
    source_text,
    truth,
)
from asset.frontends.promela.constants import OPERATORS
from asset.frontends.promela.expressions import type_of
from asset.frontends.promela.layout import Block, Kind, Layout
from asset.frontends.promela.types import CHAN, INT, Basic, Structure, scalars
from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.ir.program import Function
from asset.span import NOWHERE, Span

UNNAMED = "names no channel"

MOST_LOOKED_AT = 8
"""Messages that are looked at one by one for a match, so that analyses know which one it is; more are by a loop."""


@dataclass(slots=True)
class Frame:
    """Whose code is written: a process of a kind with the number `pid`; neither for what looks at the whole state."""

    kind: Kind | None
    pid: n.Expr
    slots: Slots = field(default_factory=Slots)


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of the state, and the type of what it holds."""

    variable: int
    indices: tuple[n.Expr, ...]
    type: Basic
    lo: int
    hi: int

    def read(self, span: Span) -> Value:
        return Value(n.Read(span, self.variable, self.indices), self.lo, self.hi)


_COMPARISONS = {
    "==": n.BinaryOp.EQ,
    "!=": n.BinaryOp.NE,
    "<": n.BinaryOp.LT,
    "<=": n.BinaryOp.LE,
    ">": n.BinaryOp.GT,
    ">=": n.BinaryOp.GE,
}
_ARITHMETIC = {
    "+": n.BinaryOp.ADD,
    "-": n.BinaryOp.SUB,
    "*": n.BinaryOp.MUL,
    "&": n.BinaryOp.AND,
    "|": n.BinaryOp.OR,
    "^": n.BinaryOp.XOR,
    "<<": n.BinaryOp.LSHIFT,
    ">>": n.BinaryOp.RSHIFT,
    "/": n.BinaryOp.FLOORDIV,
    "%": n.BinaryOp.MOD,
}


class Evaluating:
    """Knows where everything is. What needs functions of the whole program is asked of `whole`."""

    def __init__(self, layout: Layout, kinds: Mapping[str, Kind], blocks: Mapping[s.Declaration, Block]) -> None:
        self.layout = layout
        self.kinds = kinds
        self.blocks = blocks
        self.fixed: set[s.Declaration] = set()
        """Names of channels that are never assigned to."""
        self.named: dict[tuple[s.Declaration, str], frozenset[s.Declaration]] = {}
        """The channels that a variable can name, by the declarations that make them."""
        self.unset: set[tuple[s.Declaration, str]] = set()
        """The variables that may name no channel."""
        self.functions: list[Function] = []
        """Those of the program that is written."""
        self.last = -1
        """The variable that has the number of the process that took the last step, if the model asks for it."""
        self.whole: dict[str, Callable[[Span, n.Expr], Value]] = {}

    @contextmanager
    def with_timeout(self, there_is: bool) -> Iterator[None]:
        """In what is written here it is known whether nothing else can be executed."""
        timeout = self.whole["timeout"]
        self.whole["timeout"] = lambda span, pid: number(span, int(there_is))
        yield
        self.whole["timeout"] = timeout

    # --- values -------------------------------------------------------------------------------------------------------

    def value(self, e: s.Expr, frame: Frame) -> Value:
        match e:
            case s.Number(value=value):
                return number(e.span, value)
            case s.Reference():
                return self._reference(e, frame)
            case s.Predefined(name=name):
                return self._predefined(e, name, frame)
            case s.Unary():
                return self._unary(e, frame)
            case s.Binary():
                return self._binary(e, frame)
            case s.Conditional():
                test, then, orelse = (self.value(part, frame) for part in (e.test, e.then, e.orelse))
                code = n.Conditional(e.span, truth(test), then.code, orelse.code)
                return Value(code, min(then.lo, orelse.lo), max(then.hi, orelse.hi))
            case s.ChannelQuery():
                return self._query(e, frame)
            case s.RemoteLabel():
                return self._remote_label(e, frame)
            case s.RemoteVariable():
                return self._remote_variable(e, frame)
            case s.OfProcess(query=query, number=pid):
                return self._whole(query, e.span, self.value(pid, frame).code)
            case s.Poll():
                return Value(self.poll(e, frame), 0, 1)
        said = "run stands alone in a statement, or is all that is assigned"
        raise ModelRejected.of(said, e.span, "write p = run q() as a statement of its own")

    def test(self, e: s.Expr, frame: Frame) -> n.Expr:
        return truth(self.value(e, frame))

    def _predefined(self, e: s.Expr, name: str, frame: Frame) -> Value:
        if name != "_pid":
            return self._whole(name, e.span, frame.pid)
        if frame.kind is None:
            raise ModelRejected.of("_pid is the number of a process, and this is none", e.span, "name the process")
        return Value(frame.pid, frame.kind.pids[0], frame.kind.pids[-1])

    def _whole(self, name: str, span: Span, pid: n.Expr) -> Value:
        if name not in self.whole:
            raise ModelRejected.of(f"{name} is not supported here", span, "leave it out")
        return self.whole[name](span, pid)

    def _unary(self, e: s.Unary, frame: Frame) -> Value:
        operand = self.value(e.operand, frame)
        if operand.constant is not None:
            known = operand.constant
            return number(e.span, INT.wrapped({"-": -known, "~": ~known, "!": int(not known)}[e.op]))
        if e.op == "!":
            return Value(negated(truth(operand)), 0, 1)
        if e.op == "-":
            return as_int(Value(n.Unary(e.span, n.UnaryOp.NEGATE, operand.code), -operand.hi, -operand.lo))
        return Value(n.Unary(e.span, n.UnaryOp.INVERT, operand.code), ~operand.hi, ~operand.lo)

    def _binary(self, e: s.Binary, frame: Frame) -> Value:
        left, right = self.value(e.left, frame), self.value(e.right, frame)
        if left.constant is not None and right.constant is not None and not (e.op in "/%" and right.constant == 0):
            return number(e.span, INT.wrapped(OPERATORS[e.op](left.constant, right.constant)))
        if e.op == "&&":
            return Value(all_of(e.span, (truth(left), truth(right))), 0, 1)
        if e.op == "||":
            return Value(any_of(e.span, (truth(left), truth(right))), 0, 1)
        if e.op in _COMPARISONS:
            return Value(n.Binary(e.span, _COMPARISONS[e.op], left.code, right.code), 0, 1)
        return _arithmetic(e, left, right)

    # --- variables ----------------------------------------------------------------------------------------------------

    def _reference(self, e: s.Reference, frame: Frame) -> Value:
        declaration = e.declaration
        if declaration in self.fixed:
            return self._fixed_channel(e, frame)
        return self.cell(e, frame).read(e.span)

    def _fixed_channel(self, e: s.Reference, frame: Frame) -> Value:
        """The number of a channel whose name is never assigned to."""
        declaration = e.declaration
        block = self.blocks[declaration]
        length = declaration.length or 1
        index = number(e.span, 0) if e.index is None else self.value(e.index, frame)
        if declaration.length is not None and index.constant is None:
            index = Value(_checked(e.span, index.code, declaration), 0, length - 1)
        kind = None if declaration.owner is None else frame.kind
        if kind is not None and not kind.single:
            slot = plus(frame.pid, -kind.pids[0])
            scaled = n.Binary(e.span, n.BinaryOp.MUL, slot, n.Const(e.span, length)) if length > 1 else slot
            code: n.Expr = scaled if index.constant == 0 else n.Binary(e.span, n.BinaryOp.ADD, scaled, index.code)
        else:
            code = index.code
        return Value(plus(code, block.base), block.base, block.base + block.count - 1)

    def cell(self, e: s.Reference, frame: Frame) -> Cell:
        found = type_of(e)
        if isinstance(found, Structure):
            raise ModelRejected.of(f"this is a whole {found}", e.span, "name a field of it")
        declaration = e.declaration
        path = "".join(f".{part.name}" for part in e.parts)
        indices = [*self.slot(declaration, frame), *self._index(e.span, declaration.length, e.index, frame)]
        at = declaration.type
        for part in e.parts:
            assert isinstance(at, Structure)
            member = at.member(part.name)
            assert member is not None
            indices += self._index(e.span, member.length, part.index, frame)
            at = member.type
        return self._cell(self.layout.cells[declaration][path], tuple(indices), found)

    def _cell(self, variable: int, indices: tuple[n.Expr, ...], type: Basic) -> Cell:
        declared = self.layout.variables[variable].type
        return Cell(variable, indices, type, declared.lo, declared.hi)

    def slot(self, declaration: s.Declaration, frame: Frame) -> list[n.Expr]:
        if declaration.owner is None or frame.kind is None or frame.kind.single:
            return []
        return [plus(frame.pid, -frame.kind.pids[0])]

    def _index(self, span: Span, length: int | None, index: s.Expr | None, frame: Frame) -> list[n.Expr]:
        if length is None:
            return []
        return [n.Const(span, 0) if index is None else self.value(index, frame).code]

    def place(self, kind: Kind, pid: n.Expr, span: Span) -> n.Expr:
        """The number of the place that the process is at."""
        indices = () if kind.single else (plus(pid, -kind.pids[0]),)
        return n.Read(span, kind.place, indices)

    def priority(self, kind: Kind, pid: n.Expr, span: Span) -> n.Expr:
        indices = () if kind.single else (plus(pid, -kind.pids[0]),)
        return n.Read(span, kind.priority, indices)

    def is_kind(self, kind: Kind, pid: n.Expr, span: Span) -> list[n.Expr]:
        """Tests for a number to be one that processes of the kind can have."""
        if isinstance(pid, n.Const):
            return [n.Const(span, int(pid.value in kind.pids))]
        first, last = n.Const(span, kind.pids[0]), n.Const(span, kind.pids[-1])
        return [n.Binary(span, n.BinaryOp.GE, pid, first), n.Binary(span, n.BinaryOp.LE, pid, last)]

    # --- other processes ----------------------------------------------------------------------------------------------

    def _other(self, name: str, pid: s.Expr | None, span: Span, frame: Frame) -> tuple[Kind, n.Expr]:
        if name not in self.kinds:
            raise ModelRejected.of(f"there is no proctype {name}", span, f"there are {', '.join(self.kinds)}")
        kind = self.kinds[name]
        return kind, self._first_there(kind, span) if pid is None else self.value(pid, frame).code

    def _first_there(self, kind: Kind, span: Span) -> n.Expr:
        """The least number of a process of the kind that is there; if there is none, the last one that can be."""
        found: n.Expr = n.Const(span, kind.pids[-1])
        for pid in reversed(kind.pids[:-1]):
            number = n.Const(span, pid)
            found = n.Conditional(span, self._is_there(kind, number, span), number, found)
        return found

    def _is_there(self, kind: Kind, pid: n.Expr, span: Span) -> n.Expr:
        return n.Binary(span, n.BinaryOp.NE, self.place(kind, pid, span), n.Const(span, 0))

    def _remote_label(self, e: s.RemoteLabel, frame: Frame) -> Value:
        kind, pid = self._other(e.process, e.number, e.span, frame)
        if e.label not in kind.control.labels:
            raise ModelRejected.of(f"{kind.name} has no label {e.label}", e.span, "write it before a statement")
        target = kind.control.labels[e.label].number
        if not target:
            return number(e.span, 0)
        at = equal(e.span, self.place(kind, pid, e.span), target)
        return Value(all_of(e.span, [*self.is_kind(kind, pid, e.span), at]), 0, 1)

    def _remote_variable(self, e: s.RemoteVariable, frame: Frame) -> Value:
        kind, pid = self._other(e.process, e.number, e.span, frame)
        if e.name == "_pid":
            code = n.Conditional(e.span, self._is_there(kind, pid, e.span), pid, n.Const(e.span, 0))
            return Value(code, 0, kind.pids[-1])
        declaration = next((d for d in kind.process.locals if d.name == e.name), None)
        if declaration is None:
            raise ModelRejected.of(f"{kind.name} has no variable {e.name}", e.span, "declare it there")
        reference = s.Reference(e.span, declaration, e.index, e.parts)
        found = self._reference(reference, Frame(kind, pid, frame.slots))
        one_of_them = all_of(e.span, self.is_kind(kind, pid, e.span))
        if e.number is None or is_true(one_of_them):
            return found
        code = n.Conditional(e.span, one_of_them, found.code, n.Const(e.span, 0))  # what is not there has nothing
        return Value(code, min(found.lo, 0), max(found.hi, 0))

    # --- channels -----------------------------------------------------------------------------------------------------

    def candidates(self, channel: s.Reference) -> list[Block]:
        """The channels that it can be, by the declarations that make them."""
        if type_of(channel) != CHAN:
            raise ModelRejected.of(f"{channel.declaration.name} is no channel", channel.span, "declare it as chan")
        if channel.declaration in self.fixed:
            return [self.blocks[channel.declaration]]
        makers = self.named.get(_name_of(channel), frozenset())
        return sorted((self.blocks[d] for d in makers), key=lambda block: block.base)

    def names_none(self, channel: s.Reference, frame: Frame) -> n.Expr:
        """Whether the variable names no channel, so that to speak of it is an error."""
        if _name_of(channel) not in self.unset:
            return n.Const(channel.span, 0)
        return equal(channel.span, self.value(channel, frame).code, 0)

    def chosen(
        self, channel: s.Reference, frame: Frame, blocks: Sequence[Block]
    ) -> list[tuple[Block, n.Expr, tuple[n.Expr, ...]]]:
        """For each block: whether the channel is in it, and the indices of its variables then."""
        at, span = self.value(channel, frame), channel.span
        found: list[tuple[Block, n.Expr, tuple[n.Expr, ...]]] = []
        for block in blocks:
            first, last = block.base, block.base + block.count - 1
            tests: list[n.Expr] = []
            if at.lo < first:
                tests.append(n.Binary(span, n.BinaryOp.GE, at.code, n.Const(span, first)))
            if at.hi > last:
                tests.append(n.Binary(span, n.BinaryOp.LE, at.code, n.Const(span, last)))
            indices = () if block.count == 1 else (plus(at.code, -first),)
            found.append((block, all_of(span, tests), indices))
        return found

    def _query(self, e: s.ChannelQuery, frame: Frame) -> Value:
        found: Value | None = None
        for block, test, indices in reversed(self.chosen(e.channel, frame, self.candidates(e.channel))):
            one = _queried(e, block, indices)
            if found is None:
                found = one
            else:
                code = n.Conditional(e.span, test, one.code, found.code)
                found = Value(code, min(one.lo, found.lo), max(one.hi, found.hi))
        found = found or number(e.span, 0)
        none = self.names_none(e.channel, frame)
        return found if is_false(none) else Value(self._refused(e, none, UNNAMED, found.code), found.lo, found.hi)

    def _refused(self, e: s.ChannelQuery | s.Poll | s.Receive, test: n.Expr, said: str, otherwise: n.Expr) -> n.Expr:
        """The expression, unless the test holds: then it is an error to ask."""
        if is_false(test):
            return otherwise
        fail = n.Fail(e.span, FaultKind.RAISE, (f"{source_text(e.channel.span)} {said}",))
        self.functions.append(Function(f"{source_text(e.span)}: {said}", 0, (), (fail,), e.span))
        return n.Conditional(e.span, test, n.Call(e.span, len(self.functions) - 1, ()), otherwise)

    def poll(self, e: s.Poll, frame: Frame) -> n.Expr:
        return self._refused(e, self.names_none(e.channel, frame), UNNAMED, self.can_receive(e, frame))

    def can_receive(self, e: s.Receive | s.Poll, frame: Frame) -> n.Expr:
        """Whether there is a message that matches, in a channel that can hold messages."""
        blocks = [block for block in self.candidates(e.channel) if not block.rendezvous]
        cases = []
        for block, test, indices in self.chosen(e.channel, frame, blocks):
            cases.append(all_of(e.span, (test, self._message_there(e, block, indices, frame))))
        there = any_of(e.span, cases)
        if not isinstance(e, s.Poll) and not e.keeps:
            return there
        met = [block for block in self.candidates(e.channel) if block.rendezvous]
        holds_none = any_of(e.span, [test for _, test, _ in self.chosen(e.channel, frame, met)])
        return self._refused(e, holds_none, "is a rendezvous, which holds no message to look at", there)

    def _message_there(self, e: s.Receive | s.Poll, block: Block, indices: tuple[n.Expr, ...], frame: Frame) -> n.Expr:
        length = n.Read(e.span, block.length, indices)
        if not e.anywhere or not any(a.matched for a in e.arguments):
            there = n.Binary(e.span, n.BinaryOp.GT, length, n.Const(e.span, 0))
            return all_of(e.span, (there, self.matches(e, block, (*indices, n.Const(e.span, 0)), frame)))
        if block.maker.capacity <= MOST_LOOKED_AT:
            found = [self.match_at(e, block, indices, k, frame) for k in range(block.maker.capacity)]
            return any_of(e.span, found)
        slot = frame.slots.new("position")
        element = self.matches(e, block, (*indices, n.Local(e.span, slot)), frame)
        generator = n.Generator(e.span, slot, n.Const(e.span, 0), length, n.Const(e.span, 1))
        return n.Fold(e.span, n.FoldOp.ANY, (generator,), element)

    def match_at(
        self, e: s.Receive | s.Poll, block: Block, indices: tuple[n.Expr, ...], at: int, frame: Frame
    ) -> n.Expr:
        """Whether there is a message at the position that matches."""
        there = n.Binary(e.span, n.BinaryOp.GT, n.Read(e.span, block.length, indices), n.Const(e.span, at))
        return all_of(e.span, (there, self.matches(e, block, (*indices, n.Const(e.span, at)), frame)))

    def matches(self, e: s.Receive | s.Poll, block: Block, at: tuple[n.Expr, ...], frame: Frame) -> n.Expr:
        """Whether the message at the position has the values that the receive asks for."""
        message = [n.Read(e.span, variable, at) for variable in block.contents]
        return self.matching(e, block, message, frame)

    def matching(self, e: s.Receive | s.Poll, block: Block, message: Sequence[n.Expr], frame: Frame) -> n.Expr:
        arguments = self.flattened(e, block)
        tests: list[n.Expr] = []
        for argument, sent in zip(arguments, message, strict=True):
            if argument.matched and argument.value is not None:
                wanted = self.value(argument.value, frame)
                tests.append(n.Binary(argument.span, n.BinaryOp.EQ, sent, wanted.code))
        return all_of(e.span, tests)

    def flattened(self, e: s.Receive | s.Poll, block: Block) -> list[s.Argument]:
        """An argument for each field of the channel: a structure stands for its fields, what is left out for any."""
        found: list[s.Argument] = []
        for argument in e.arguments:
            if _is_structure(argument.value):
                found += [s.Argument(argument.span, part, argument.matched) for part in fields_of(argument.value)]
            else:
                found.append(argument)
        self._require_fields(e, len(found), block)
        return [*found, *[s.Argument(e.span, None, False)] * (len(block.fields) - len(found))][: len(block.fields)]

    def sent(self, e: s.Send, block: Block) -> list[s.Expr]:
        """An argument for each field of the channel: a structure stands for its fields, what is left out for 0."""
        found: list[s.Expr] = []
        for argument in e.arguments:
            if _is_structure(argument):
                found += fields_of(argument)
            else:
                found.append(argument)
        self._require_fields(e, len(found), block)
        return [*found, *[s.Number(e.span, 0)] * (len(block.fields) - len(found))][: len(block.fields)]

    def misfit(self, e: s.Send | s.Receive, block: Block) -> str | None:
        """What is wrong if the message has another number of fields than the channel, as SPIN says while running."""
        given = e.arguments if isinstance(e, s.Send) else [a.value for a in e.arguments]
        count = sum(len(fields_of(a)) if _is_structure(a) else 1 for a in given)
        return None if count == len(block.fields) else _wrong_number(count, block)

    def _require_fields(self, e: s.Send | s.Receive | s.Poll, count: int, block: Block) -> None:
        """More fields than the only channel that it can be has are an error before anything runs."""
        if count > len(block.fields) and len(self.candidates(e.channel)) == 1:
            remedy = f"{block.declaration.name} is declared at {block.declaration.span}"
            raise ModelRejected.of(_wrong_number(count, block), e.span, remedy)


def fields_of(e: s.Reference) -> list[s.Reference]:
    """References to the basic parts of a structure."""
    found: list[s.Reference] = []
    for path, _ in scalars(type_of(e)):
        parts = tuple(s.Part(name, None if index is None else s.Number(e.span, index)) for name, index in path)
        found.append(s.Reference(e.span, e.declaration, e.index, (*e.parts, *parts)))
    return found


def _is_structure(e: s.Expr | None) -> TypeGuard[s.Reference]:
    return isinstance(e, s.Reference) and isinstance(type_of(e), Structure)


def _wrong_number(count: int, block: Block) -> str:
    name, fields = block.declaration.name, len(block.fields)
    said = f"a message of {name} has {fields} field{'s' * (fields != 1)}, and here {'is' if count == 1 else 'are'}"
    return f"{said} {count}"


def _queried(e: s.ChannelQuery, block: Block, indices: tuple[n.Expr, ...]) -> Value:
    capacity = block.maker.capacity
    if block.rendezvous:
        return number(e.span, int(e.query in ("empty", "nfull")) if e.query != "len" else 0)
    length = n.Read(e.span, block.length, indices)
    if e.query == "len":
        return Value(length, 0, capacity)
    ops = {"empty": (n.BinaryOp.EQ, 0), "nempty": (n.BinaryOp.GT, 0)}
    ops |= {"full": (n.BinaryOp.EQ, capacity), "nfull": (n.BinaryOp.LT, capacity)}
    op, bound = ops[e.query]
    return Value(n.Binary(e.span, op, length, n.Const(e.span, bound)), 0, 1)


def _checked(span: Span, index: n.Expr, declaration: s.Declaration) -> n.Expr:
    """The index, which must be one of the array."""
    length = declaration.length or 1
    return n.Table(span, declaration.name, (length,), tuple(range(length)), (index,))


def _arithmetic(e: s.Binary, left: Value, right: Value) -> Value:
    op = _ARITHMETIC[e.op]
    if e.op in "/%":
        return _division(e, left, right)
    if e.op in ("<<", ">>"):
        amount = right if right.constant is not None else None
        bits = 31 if amount is None or amount.constant is None else min(amount.constant, 31)
        code = n.Binary(e.span, op, left.code, right.code)
        if e.op == "<<":
            return as_int(Value(code, min(left.lo << bits, left.lo), max(left.hi << bits, left.hi)))
        return Value(code, min(left.lo, 0), max(left.hi, 0))
    code = n.Binary(e.span, op, left.code, right.code)
    if e.op in "&|^":
        if min(left.lo, right.lo) < 0:
            return Value(code, INT.lo, INT.hi)
        most = min(left.hi, right.hi) if e.op == "&" else (1 << max(left.hi, right.hi).bit_length()) - 1
        return Value(code, 0, most)
    corners = [OPERATORS[e.op](a, b) for a in (left.lo, left.hi) for b in (right.lo, right.hi)]
    return as_int(Value(code, min(corners), max(corners)))


def _division(e: s.Binary, left: Value, right: Value) -> Value:
    """C rounds towards 0, the IR downwards: they differ if one side is negative."""
    op = _ARITHMETIC[e.op]
    code: n.Expr = n.Binary(e.span, op, left.code, right.code)
    if left.lo >= 0 and right.lo >= 0:
        return Value(code, 0, left.hi if e.op == "/" else min(left.hi, max(right.hi - 1, 0)))
    a, b = (n.Unary(e.span, n.UnaryOp.ABS, side.code) for side in (left, right))
    size = n.Binary(e.span, op, a, b)
    zero = n.Const(e.span, 0)
    negative: n.Expr = n.Binary(e.span, n.BinaryOp.LT, left.code, zero)
    if e.op == "/":
        other = n.Binary(e.span, n.BinaryOp.LT, right.code, zero)
        negative = n.Binary(e.span, n.BinaryOp.NE, negative, other)
    code = n.Conditional(e.span, negative, n.Unary(e.span, n.UnaryOp.NEGATE, size), size)
    most = max(abs(left.lo), abs(left.hi))
    if e.op == "%":
        most = min(most, max(abs(right.lo), abs(right.hi), 1) - 1)
    return as_int(Value(code, 0 if e.op == "%" and left.lo >= 0 else -most, most))


def _name_of(e: s.Reference) -> tuple[s.Declaration, str]:
    return e.declaration, "".join(f".{part.name}" for part in e.parts)


NO_PROCESS = Frame(None, n.Const(NOWHERE, 0))
