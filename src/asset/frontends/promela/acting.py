"""Basic statements of Promela as code of the IR: when each can be executed, and what it does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from asset.frontends.promela import syntax as s
from asset.frontends.promela.code import (
    Slots,
    Value,
    all_of,
    any_of,
    equal,
    fitted,
    guarded,
    is_true,
    negated,
    number,
    plus,
    source_text,
)
from asset.frontends.promela.control import Shape
from asset.frontends.promela.evaluating import MOST_LOOKED_AT, UNNAMED, Cell, Evaluating, Frame
from asset.frontends.promela.exclusive_use import ExclusiveUse
from asset.frontends.promela.expressions import HIGHEST
from asset.frontends.promela.instances import BOUND, MOST_PROCESSES
from asset.frontends.promela.layout import Block, Kind
from asset.frontends.promela.tracing import Tracing
from asset.frontends.promela.types import Structure, extended, leaves
from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.ir.program import Function
from asset.span import Span

UNROLLED = 16
"""Cells that are reset one by one; more are reset by a loop."""


class Acting:
    def __init__(self, evaluating: Evaluating, functions: list[Function], running: int) -> None:
        self.evaluating = evaluating
        self.functions = functions
        self.running = running
        """The variable that has the number of processes."""
        self.trace: Tracing | None = None
        self.exclusive: ExclusiveUse | None = None
        self._makers: dict[str, int] = {}

    # --- when ---------------------------------------------------------------------------------------------------------

    def guard(self, statement: s.Basic | None, frame: Frame) -> n.Expr:
        """Whether it can be executed by the process alone. A rendezvous cannot."""
        match statement:
            case s.Condition(value=s.Run()):
                return n.Const(statement.span, 1)
            case s.Condition(value=value):
                return self.evaluating.test(value, frame)
            case s.Send():
                room = self._room(statement, frame)
                return any_of(statement.span, (*(test for test, _ in self._astray(statement, frame)), room))
            case s.Receive():
                there = self.evaluating.can_receive(statement, frame)
                return any_of(statement.span, (*(test for test, _ in self._astray(statement, frame)), there))
            case None:
                return n.Const(frame.pid.span, 1)
        return n.Const(statement.span, 1)

    def _room(self, e: s.Send, frame: Frame) -> n.Expr:
        blocks = [block for block in self.evaluating.candidates(e.channel) if not block.rendezvous]
        cases = []
        for block, test, indices in self.evaluating.chosen(e.channel, frame, blocks):
            length = n.Read(e.span, block.length, indices)
            room = n.Binary(e.span, n.BinaryOp.LT, length, n.Const(e.span, block.maker.capacity))
            cases.append(all_of(e.span, (test, room)))
        return any_of(e.span, cases)

    def _astray(self, e: s.Send | s.Receive, frame: Frame) -> Iterator[tuple[n.Expr, str]]:
        """When it is an error to send or to receive there, and what is wrong then."""
        yield self.evaluating.names_none(e.channel, frame), UNNAMED
        if isinstance(e, s.Send):
            yield self._lost(e, frame), "is a channel of a process that has ended"

    def _lost(self, e: s.Send, frame: Frame) -> n.Expr:
        """Whether the process that made the channel has ended."""
        evaluating = self.evaluating
        if e.channel.declaration in evaluating.fixed:
            return n.Const(e.span, 0)
        cases = []
        for block, test, indices in evaluating.chosen(e.channel, frame, evaluating.candidates(e.channel)):
            kind = evaluating.kinds.get(block.declaration.owner or "")
            if kind is not None and any(place.shape is Shape.END for place in kind.control.places):
                gone = equal(e.span, evaluating.place(kind, _maker_of(block, kind, indices, e.span), e.span), 0)
                cases.append(all_of(e.span, (test, gone)))
        return any_of(e.span, cases)

    def _there(self, e: s.Send | s.Receive, frame: Frame) -> list[n.Stmt]:
        """An error if the channel is none to send to, or to receive from."""
        code: list[n.Stmt] = []
        for test, said in self._astray(e, frame):
            fail = n.Fail(e.span, FaultKind.RAISE, (f"{source_text(e.channel.span)} {said}",))
            code += guarded(e.span, test, [fail])
        return code

    # --- what ---------------------------------------------------------------------------------------------------------

    def effect(self, statement: s.Basic | None, frame: Frame) -> list[n.Stmt]:
        match statement:
            case s.Condition(value=s.Run() as run):
                return [n.Evaluate(run.span, self._run(run, frame).code)]
            case s.Assign():
                return self._assign(statement, frame)
            case s.SetPriority():
                return self._set_priority(statement, frame)
            case s.Send():
                return [
                    *self._there(statement, frame),
                    *self.respected(statement, frame),
                    *self._send(statement, frame),
                ]
            case s.Receive():
                return [
                    *self._there(statement, frame),
                    *self.respected(statement, frame),
                    *self._receive(statement, frame),
                ]
            case s.Assert(value=value):
                return self._assert(statement, value, frame)
        return []

    def _assign(self, e: s.Assign, frame: Frame) -> list[n.Stmt]:
        value = self._run(e.value, frame) if isinstance(e.value, s.Run) else self.evaluating.value(e.value, frame)
        return [self.store(e.span, self.evaluating.cell(e.target, frame), value)]

    def _set_priority(self, e: s.SetPriority, frame: Frame) -> list[n.Stmt]:
        """A number that no process has is passed over, as in SPIN."""
        evaluating, span = self.evaluating, e.span
        pid, value = evaluating.value(e.number, frame).code, evaluating.value(e.value, frame)
        code: list[n.Stmt] = []
        if value.lo < 1 or value.hi > HIGHEST:
            low = n.Binary(span, n.BinaryOp.LT, value.code, n.Const(span, 1))
            high = n.Binary(span, n.BinaryOp.GT, value.code, n.Const(span, HIGHEST))
            fail = n.Fail(span, FaultKind.RAISE, ("the priority ", value.code, f" is not one from 1 to {HIGHEST}"))
            code += guarded(span, any_of(span, (low, high)), [fail])
        for kind in evaluating.kinds.values():
            there = evaluating.place(kind, pid, span)
            alive = n.Binary(span, n.BinaryOp.NE, there, n.Const(span, 0))
            test = all_of(span, (*evaluating.is_kind(kind, pid, span), alive))
            indices = () if kind.single else (plus(pid, -kind.pids[0]),)
            code += guarded(span, test, [n.SetState(span, kind.priority, indices, value.code)])
        return code

    def store(self, span: Span, cell: Cell, value: Value) -> n.Stmt:
        """What does not fit is cut off; a channel or an mtype must be one that there is."""
        return n.SetState(span, cell.variable, cell.indices, fitted(value, cell.type).code)

    def _assert(self, e: s.Assert, value: s.Expr, frame: Frame) -> list[n.Stmt]:
        test = self.evaluating.test(value, frame)
        if is_true(test):
            return []
        fail = n.Fail(e.span, FaultKind.ASSERTION, (f"the assertion failed: {source_text(value.span)}",))
        return guarded(e.span, negated(test), [fail])

    # --- messages -----------------------------------------------------------------------------------------------------

    def message(self, e: s.Send, block: Block, frame: Frame) -> list[Value]:
        """The values that are sent, as the fields of the channel take them."""
        arguments = self.evaluating.sent(e, block)
        return [fitted(self.evaluating.value(a, frame), f) for a, f in zip(arguments, block.fields, strict=True)]

    def _send(self, e: s.Send, frame: Frame) -> list[n.Stmt]:
        blocks = [block for block in self.evaluating.candidates(e.channel) if not block.rendezvous]
        cases = self.evaluating.chosen(e.channel, frame, blocks)
        return _selected(
            e.span, [(test, self.fitting(e, block, self._put(e, block, at, frame))) for block, test, at in cases]
        )

    def respected(self, e: s.Send | s.Receive, frame: Frame) -> list[n.Stmt]:
        """An error if the channel is claimed by another process."""
        return [] if self.exclusive is None else self.exclusive.respected(e, frame)

    def fitting(self, e: s.Send | s.Receive, block: Block, code: list[n.Stmt]) -> list[n.Stmt]:
        """The code, unless the message has another number of fields than the channel."""
        wrong = self.evaluating.misfit(e, block)
        return code if wrong is None else [n.Fail(e.span, FaultKind.RAISE, (wrong,))]

    def _put(self, e: s.Send, block: Block, indices: tuple[n.Expr, ...], frame: Frame) -> list[n.Stmt]:
        length = n.Read(e.span, block.length, indices)
        values = [value.code for value in self.message(e, block, frame)]
        traced = self.traced(e.span, block, indices, values, sends=True)
        if e.in_order:
            return [*traced, *self._put_in_order(e, block, indices, values, frame.slots)]
        stored: list[n.Stmt] = [
            n.SetState(e.span, variable, (*indices, length), value)
            for variable, value in zip(block.contents, values, strict=True)
        ]
        return [*traced, *stored, n.SetState(e.span, block.length, indices, plus(length, 1))]

    def traced(
        self, at: Span, block: Block, indices: Sequence[n.Expr], message: Sequence[n.Expr], sends: bool
    ) -> list[n.Stmt]:
        """What a trace has to say of the message."""
        return [] if self.trace is None else self.trace.event(at, block, indices, message, sends)

    def _put_in_order(
        self, e: s.Send, block: Block, indices: tuple[n.Expr, ...], values: Sequence[n.Expr], slots: Slots
    ) -> list[n.Stmt]:
        """Messages that are greater move back by one, from the last one on, until the place is found."""
        span, zero, one = e.span, n.Const(e.span, 0), n.Const(e.span, 1)
        kept = [slots.new(f"field{k}") for k in range(len(values))]
        code: list[n.Stmt] = [n.SetLocal(span, slot, value) for slot, value in zip(kept, values, strict=True)]
        at = slots.new("at")
        here = n.Local(span, at)
        before = [n.Read(span, v, (*indices, plus(here, -1))) for v in block.contents]
        own = [n.Local(span, slot) for slot in kept]
        greater = _greater(span, before, own)
        moving = all_of(span, (n.Binary(span, n.BinaryOp.GT, here, zero), greater))
        move: list[n.Stmt] = [
            n.SetState(span, v, (*indices, here), value) for v, value in zip(block.contents, before, strict=True)
        ]
        code.append(n.SetLocal(span, at, n.Read(span, block.length, indices)))
        body = (*move, n.SetLocal(span, at, n.Binary(span, n.BinaryOp.SUB, here, one)))
        leave = n.If(span, (n.Case(span, negated(moving), (n.Break(span),)),))
        rounds = n.Const(span, block.maker.capacity)
        code.append(n.For(span, slots.new("round"), zero, rounds, one, (leave, *body)))
        code += [n.SetState(span, v, (*indices, here), value) for v, value in zip(block.contents, own, strict=True)]
        length = n.Read(span, block.length, indices)
        return [*code, n.SetState(span, block.length, indices, plus(length, 1))]

    def _receive(self, e: s.Receive, frame: Frame) -> list[n.Stmt]:
        blocks = [block for block in self.evaluating.candidates(e.channel) if not block.rendezvous]
        cases = self.evaluating.chosen(e.channel, frame, blocks)
        return _selected(
            e.span, [(test, self.fitting(e, block, self._take(e, block, at, frame))) for block, test, at in cases]
        )

    def _take(self, e: s.Receive, block: Block, indices: tuple[n.Expr, ...], frame: Frame) -> list[n.Stmt]:
        if not e.anywhere or not any(a.matched for a in e.arguments):
            return self._take_from(n.Const(e.span, 0), e, block, indices, frame)
        capacity = block.maker.capacity
        if capacity > MOST_LOOKED_AT:
            return self._search(e, block, indices, frame)
        cases = [
            n.Case(
                e.span,
                self.evaluating.match_at(e, block, indices, k, frame),
                tuple(self._take_from(n.Const(e.span, k), e, block, indices, frame)),
            )
            for k in range(capacity)
        ]
        return [n.If(e.span, tuple(cases[:-1]), cases[-1].body)] if capacity > 1 else list(cases[0].body)

    def _search(self, e: s.Receive, block: Block, indices: tuple[n.Expr, ...], frame: Frame) -> list[n.Stmt]:
        """The first message that matches is taken."""
        span, slots = e.span, frame.slots
        position = slots.new("at")
        at = n.Local(span, position)
        found = self.evaluating.matches(e, block, (*indices, at), frame)
        leave = n.If(span, (n.Case(span, found, (n.Break(span),)),))
        zero, one = n.Const(span, 0), n.Const(span, 1)
        counter = slots.new("position")
        step = n.SetLocal(span, position, n.Local(span, counter))
        length = n.Read(span, block.length, indices)
        search = n.For(span, counter, zero, length, one, (step, leave))
        return [n.SetLocal(span, position, zero), search, *self._take_from(at, e, block, indices, frame)]

    def _take_from(
        self, at: n.Expr, e: s.Receive, block: Block, indices: tuple[n.Expr, ...], frame: Frame
    ) -> list[n.Stmt]:
        """The message at the position is received."""
        span, slots = e.span, frame.slots
        code: list[n.Stmt] = []
        fields = [slots.new(f"field{k}") for k in range(len(block.fields))]
        code += [
            n.SetLocal(span, slot, n.Read(span, v, (*indices, at)))
            for slot, v in zip(fields, block.contents, strict=True)
        ]
        if not e.keeps:
            code += self.traced(span, block, indices, [n.Local(span, k) for k in fields], sends=False)
            code += self._close_gap(span, block, indices, at, slots)
        message = [Value(n.Local(span, k), f.lo, f.hi) for k, f in zip(fields, block.fields, strict=True)]
        return [*code, *self.received(e, block, message, frame)]

    def received(self, e: s.Receive, block: Block, message: Sequence[Value], frame: Frame) -> list[n.Stmt]:
        """The fields are assigned to the variables, from left to right."""
        code: list[n.Stmt] = []
        for argument, value in zip(self.evaluating.flattened(e, block), message, strict=True):
            if isinstance(argument.value, s.Reference) and not argument.matched:
                code.append(self.store(argument.span, self.evaluating.cell(argument.value, frame), value))
        return code

    def _close_gap(
        self, span: Span, block: Block, indices: tuple[n.Expr, ...], at: n.Expr, slots: Slots
    ) -> list[n.Stmt]:
        """The messages behind the position move forward by one; what is not used is 0, and moves as well, so that what
        becomes of a place does not depend on the length."""
        length = n.Read(span, block.length, indices)
        last = plus(length, -1)
        code: list[n.Stmt] = []
        if block.maker.capacity > 1:
            counter = slots.new("behind")
            here = n.Local(span, counter)
            moves: tuple[n.Stmt, ...] = tuple(
                n.SetState(span, v, (*indices, here), n.Read(span, v, (*indices, plus(here, 1))))
                for v in block.contents
            )
            end, one = n.Const(span, block.maker.capacity - 1), n.Const(span, 1)
            code.append(n.For(span, counter, at, end, one, moves))
        code.append(n.SetState(span, block.length, indices, last))
        last_place = n.Const(span, block.maker.capacity - 1)
        code += [n.SetState(span, v, (*indices, last_place), n.Const(span, 0)) for v in block.contents]
        return code

    # --- processes ----------------------------------------------------------------------------------------------------

    def _run(self, e: s.Run, frame: Frame) -> Value:
        kind = self.evaluating.kinds.get(e.process)
        if kind is None:
            return Value(n.Call(e.span, self._never_made(e), ()), 0, 0)
        arguments = []
        for argument, parameter in zip(e.arguments, kind.process.parameters, strict=True):
            (leaf,) = leaves(parameter.type)[:1]
            arguments.append(fitted(self.evaluating.value(argument, frame), leaf.type).code)
        if kind.priority >= 0:
            arguments.append(n.Const(e.span, e.priority or 1))
        code = n.Call(e.span, self._maker(kind), tuple(arguments))
        return Value(code, kind.pids[0], kind.pids[-1])

    def _never_made(self, e: s.Run) -> int:
        """The function of a `run` that is not come to, as the control flow shows (`instances`)."""
        fail = n.Fail(e.span, FaultKind.LIMIT, (f"this run of {e.process} was thought never to be come to",))
        self.functions.append(Function(f"no run {e.process}", 0, (), (fail,), e.span))
        return len(self.functions) - 1

    def _maker(self, kind: Kind) -> int:
        """The function that makes a process, given its arguments; its number is what it returns."""
        if kind.name not in self._makers:
            parameters = kind.process.parameters
            slots = Slots([p.name for p in parameters])
            if kind.priority >= 0:
                slots.new("priority")
            count = len(slots.names)
            body = self._making(kind, slots)
            function = Function(f"run {kind.name}", count, tuple(slots.names), body, kind.process.span)
            self.functions.append(function)
            self._makers[kind.name] = len(self.functions) - 1
        return self._makers[kind.name]

    def _making(self, kind: Kind, slots: Slots) -> tuple[n.Stmt, ...]:
        span, evaluating = kind.process.span, self.evaluating
        running = n.Read(span, self.running)
        slot = slots.new("number")
        pid = n.Const(span, kind.pids[0]) if kind.single else n.Local(span, slot)
        frame = Frame(kind, pid, slots)
        code: list[n.Stmt] = [n.SetLocal(span, slot, running), *_require_room(span, kind, slot)]
        code.append(n.SetState(span, self.running, (), plus(n.Local(span, slot), 1)))
        indices = () if kind.single else (plus(pid, -kind.pids[0]),)
        if kind.priority >= 0:
            code.append(n.SetState(span, kind.priority, indices, n.Local(span, len(kind.process.parameters))))
        for number_of, declaration in enumerate(kind.process.locals):
            if declaration in evaluating.fixed:
                continue
            initial = declaration.initial
            length = declaration.length or 1
            if declaration.parameter:
                values = [Value(n.Local(span, number_of), 0, 0)]
            elif isinstance(declaration.type, Structure):
                code += self._structured(declaration, kind, frame)
                continue
            elif isinstance(initial, s.ChannelMaker):
                values = self._own_channels(declaration, kind, pid)
            elif isinstance(initial, s.InitialList):
                values = [number(span, value) for value in extended(initial.values, length)]
            elif initial is not None:
                values = [evaluating.value(initial, frame)] * length
            elif declaration.length is None:
                values = [number(span, 0)]  # as it is already: so that analyses need not follow it from before
            else:
                continue
            code += self._filled(declaration, values, frame)
        code.append(n.SetState(span, kind.place, indices, n.Const(span, kind.control.start.number)))
        return (*code, n.Return(span, n.Local(span, slot)))

    def _own_channels(self, declaration: s.Declaration, kind: Kind, pid: n.Expr) -> list[Value]:
        block, length = self.evaluating.blocks[declaration], declaration.length or 1
        first: n.Expr = plus(pid, -kind.pids[0])
        if length > 1:
            first = n.Binary(pid.span, n.BinaryOp.MUL, first, n.Const(pid.span, length))
        last = block.base + block.count - 1
        return [Value(plus(first, block.base + k), block.base, last) for k in range(length)]

    def _filled(self, declaration: s.Declaration, values: Sequence[Value], frame: Frame) -> list[n.Stmt]:
        """The elements of the variable have the values."""
        span, code = declaration.span, list[n.Stmt]()
        for index, value in enumerate(values):
            at = None if declaration.length is None else s.Number(span, index)
            cell = self.evaluating.cell(s.Reference(span, declaration, at), frame)
            code.append(n.SetState(span, cell.variable, cell.indices, fitted(value, cell.type).code))
        return code

    def _structured(self, declaration: s.Declaration, kind: Kind, frame: Frame) -> list[n.Stmt]:
        """The fields of the variable have the first values that their typedef gives them."""
        code: list[n.Stmt] = []
        span, slot, makers = declaration.span, self.evaluating.slot(declaration, frame), dict(declaration.within)
        for leaf in leaves(declaration.type, declaration.length):
            variable = self.evaluating.layout.cells[declaration][leaf.path]
            values = [number(span, value) for value in leaf.initial]
            if leaf.path in makers:
                values = self._own_channels(makers[leaf.path], kind, frame.pid)
            for at, value in zip(product(*map(range, leaf.dims)), values, strict=True):
                if value.constant != 0:
                    indices = (*slot, *(n.Const(span, k) for k in at))
                    code.append(n.SetState(span, variable, indices, value.code))
        return code

    def moved(self, span: Span, frame: Frame) -> list[n.Stmt]:
        """The process has taken a step, if that is asked for. A claim is no process."""
        if self.evaluating.last < 0 or frame.kind is None or frame.kind.name not in self.evaluating.kinds:
            return []
        return [n.SetState(span, self.evaluating.last, (), frame.pid)]

    def ending(self, kind: Kind, frame: Frame) -> list[n.Stmt]:
        """The process is gone: its variables and channels are as if it had never been."""
        span, variables = kind.process.span, self.evaluating.layout.variables
        slot = () if kind.single else (plus(frame.pid, -kind.pids[0]),)
        code = self.moved(span, frame)
        code.append(n.SetState(span, self.running, (), plus(n.Read(span, self.running), -1)))
        if kind.priority >= 0:
            code.append(n.SetState(span, kind.priority, slot, n.Const(span, 0)))
        for declaration in kind.process.locals:
            for variable in self.evaluating.layout.cells.get(declaration, {}).values():
                dims = variables[variable].dims[len(slot) :]
                code += _cleared(span, variable, slot, dims, frame.slots)
            for maker in (declaration, *(made for _, made in declaration.within)):
                block = self.evaluating.blocks.get(maker)
                if block is not None and not block.rendezvous:
                    code += self._emptied(maker, block, slot, frame)
        code.append(n.SetState(span, kind.place, slot, n.Const(span, 0)))
        return code

    def _emptied(
        self, declaration: s.Declaration, block: Block, slot: tuple[n.Expr, ...], frame: Frame
    ) -> list[n.Stmt]:
        span, code = declaration.span, list[n.Stmt]()
        length = declaration.length or 1
        for k in range(length):
            at: tuple[n.Expr, ...] = ()
            if block.count > 1:
                first = n.Binary(span, n.BinaryOp.MUL, slot[0], n.Const(span, length)) if slot else n.Const(span, 0)
                at = (plus(first if length > 1 or not slot else slot[0], k),)
            code.append(n.SetState(span, block.length, at, n.Const(span, 0)))
            for variable in block.contents:
                code += _cleared(span, variable, at, (block.maker.capacity,), frame.slots)
        return code


def _maker_of(block: Block, kind: Kind, indices: tuple[n.Expr, ...], span: Span) -> n.Expr:
    """The number of the process that made a channel of the block."""
    if kind.single or not indices:
        return n.Const(span, kind.pids[0])
    (at,), length = indices, block.declaration.length or 1
    slot = at if length == 1 else n.Binary(span, n.BinaryOp.FLOORDIV, at, n.Const(span, length))
    return plus(slot, kind.pids[0])


def _require_room(span: Span, kind: Kind, slot: int) -> list[n.Stmt]:
    here = n.Local(span, slot)
    first, last = kind.pids[0], kind.pids[-1]
    outside = n.Or(
        span,
        (
            n.Binary(span, n.BinaryOp.LT, here, n.Const(span, first)),
            n.Binary(span, n.BinaryOp.GT, here, n.Const(span, last)),
        ),
    )
    message = ("too many processes: ", kind.name, " would have number ", here, f"; there is room up to {last}")
    if last + 1 >= MOST_PROCESSES:
        fail = n.Fail(span, FaultKind.RAISE, message)
    else:
        fail = n.Fail(span, FaultKind.LIMIT, (*message, f", and -D {BOUND}={min(MOST_PROCESSES, 2 * last)} makes more"))
    return [n.If(span, (n.Case(span, outside, (fail,)),))]


def _cleared(
    span: Span, variable: int, before: tuple[n.Expr, ...], dims: tuple[int, ...], slots: Slots
) -> list[n.Stmt]:
    """All cells of the array are 0."""
    zero = n.Const(span, 0)
    if not dims:
        return [n.SetState(span, variable, before, zero)]
    if dims[0] <= UNROLLED:
        return [
            each
            for k in range(dims[0])
            for each in _cleared(span, variable, (*before, n.Const(span, k)), dims[1:], slots)
        ]
    counter = slots.new("cell")
    body = _cleared(span, variable, (*before, n.Local(span, counter)), dims[1:], slots)
    return [n.For(span, counter, zero, n.Const(span, dims[0]), n.Const(span, 1), tuple(body))]


def _greater(span: Span, left: Sequence[n.Expr], right: Sequence[n.Expr]) -> n.Expr:
    """Whether the message is greater: by its first field that differs."""
    greater = n.Binary(span, n.BinaryOp.GT, left[0], right[0])
    if len(left) == 1:
        return greater
    same = n.Binary(span, n.BinaryOp.EQ, left[0], right[0])
    return any_of(span, (greater, all_of(span, (same, _greater(span, left[1:], right[1:])))))


def _selected(span: Span, cases: Sequence[tuple[n.Expr, list[n.Stmt]]]) -> list[n.Stmt]:
    """The code of the first case that applies; one of them does."""
    if len(cases) == 1:
        return cases[0][1]
    if not cases:
        return []
    return [n.If(span, tuple(n.Case(span, test, tuple(body)) for test, body in cases))]
