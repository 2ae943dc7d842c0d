"""The reference interpreter: what a program means. Every other way of running one must agree with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum, auto
from typing import Any

from asset.ir import nodes as n
from asset.ir.faults import INT_MAX, INT_MIN, LOOP_LIMIT, Fault, FaultKind
from asset.ir.program import Program, State, Style, Variable
from asset.ir.requirements import Predicate
from asset.span import Span


class CommandDisabled(Exception):
    """A `when` was false: the command being fired is disabled."""


class Completion(Enum):
    """How a statement ended."""

    NEXT = auto()
    BREAK = auto()
    CONTINUE = auto()
    RETURN = auto()


class CallFrame:
    """The locals of one call, and what it returned."""

    __slots__ = ("locals", "result")

    def __init__(self, slots: int, args: list[int]) -> None:
        self.locals = args + [0] * (slots - len(args))
        self.result = 0


class Interpreter:
    """Runs commands and properties of a program on states given as tuples of cell values."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._cells: list[int] = []
        self._obliged: list[int] = []

    def fire(self, state: State, command: int) -> State | None:
        """The state after the command, or None where it is disabled. Raises Fault on a model error."""
        family, indices = self.program.commands[command]
        self._load(state)
        try:
            fired = self._run(family.function, list(indices))
        except CommandDisabled:
            return None
        if family.style is Style.GUARDED or fired:
            return tuple(self._cells)
        if tuple(self._cells) != state:
            raise Fault(FaultKind.CHANGED, family.span, f"{family.name} returned False but changed the state")
        return None

    def successors(self, state: State) -> Iterator[tuple[int, State]]:
        """The enabled commands and where they lead, in the order of firing: last number first."""
        for command in reversed(range(self.program.nr_commands)):
            successor = self.fire(state, command)
            if successor is not None:
                yield command, successor

    def evaluate(self, predicate: Predicate, state: State) -> str | None:
        """None if the predicate holds, else what is wrong. Raises Fault on a model error."""
        self._load(state)
        result = self._run(predicate.function, [])
        if predicate.messages:
            return predicate.messages[result - 1] if result else None
        return None if result else f"{predicate.name} is false"

    def obligations(self, state: State, command: int) -> tuple[int, ...]:
        """The commands that must be in a stubborn set of the state where `command` is, in the order listed.

        These are all, in increasing order, where the command has no rule. Raises Fault on a model error.
        """
        family, indices = self.program.commands[command]
        if family.rule is None:
            return tuple(range(self.program.nr_commands))
        self._load(state)
        self._obliged = []
        self._run(family.rule, list(indices))
        return tuple(self._obliged)

    def representative(self, state: State) -> State:
        """The symmetric state that stands for this one; itself where there is no symmetry. Raises Fault."""
        if self.program.representative is None:
            return state
        self._load(state)
        self._run(self.program.representative, [])
        return tuple(self._cells)

    def holds(self, condition: n.Expr, state: State) -> bool:
        """Whether a condition without locals holds in the state. Raises Fault on a model error."""
        self._load(state)
        return self._value(condition, CallFrame(0, [])) != 0

    def _load(self, state: State) -> None:
        """Afterwards code runs on a copy of the state."""
        self._cells = list(state)

    # --- statements ---------------------------------------------------------------------------------------------

    def _run(self, function: int, args: list[int]) -> int:
        code = self.program.functions[function]
        frame = CallFrame(len(code.slots), args)
        self._block(code.body, frame)
        return frame.result

    def _block(self, body: tuple[n.Stmt, ...], frame: CallFrame) -> Completion:
        for statement in body:
            flow = _EXECUTE[type(statement)](self, statement, frame)
            if flow is not Completion.NEXT:
                return flow
        return Completion.NEXT

    def _set_local(self, s: n.SetLocal, frame: CallFrame) -> Completion:
        frame.locals[s.slot] = self._value(s.value, frame)
        return Completion.NEXT

    def _set_state(self, s: n.SetState, frame: CallFrame) -> Completion:
        value = self._value(s.value, frame)
        variable = self.program.variables[s.variable]
        indices = [self._value(i, frame) for i in s.indices]
        at = _flat_index(variable.dims, indices, variable.name, s.span)
        if value not in variable.type:
            cell = variable.name + "".join(f"[{i}]" for i in indices)
            raise Fault(FaultKind.RANGE, s.span, f"{cell} = {value} is out of range: {describe_range(variable)}")
        self._cells[self.program.offsets[s.variable] + at] = value
        return Completion.NEXT

    def _if(self, s: n.If, frame: CallFrame) -> Completion:
        for case in s.cases:
            if self._value(case.test, frame):
                return self._block(case.body, frame)
        return self._block(s.orelse, frame)

    def _while(self, s: n.While, frame: CallFrame) -> Completion:
        rounds = 0
        while self._value(s.test, frame):
            rounds += 1
            if rounds > LOOP_LIMIT:
                raise Fault(FaultKind.LOOP, s.span, f"the loop does not end: {LOOP_LIMIT} rounds in one firing")
            flow = self._block(s.body, frame)
            if flow is Completion.BREAK:
                break
            if flow is Completion.RETURN:
                return flow
        return Completion.NEXT

    def _for(self, s: n.For, frame: CallFrame) -> Completion:
        for value in self._range(s, frame):
            frame.locals[s.slot] = value
            flow = self._block(s.body, frame)
            if flow is Completion.BREAK:
                break
            if flow is Completion.RETURN:
                return flow
        return Completion.NEXT

    def _range(self, loop: n.For | n.Generator, frame: CallFrame) -> range:
        start, stop, step = (self._value(e, frame) for e in (loop.start, loop.stop, loop.step))
        if step == 0:
            raise Fault(FaultKind.RANGE, loop.span, "range() with step 0")
        return range(start, stop, step)

    def _return(self, s: n.Return, frame: CallFrame) -> Completion:
        frame.result = 0 if s.value is None else self._value(s.value, frame)
        return Completion.RETURN

    def _when(self, s: n.When, frame: CallFrame) -> Completion:
        if not self._value(s.test, frame):
            raise CommandDisabled
        return Completion.NEXT

    def _fail(self, s: n.Fail, frame: CallFrame) -> Completion:
        text = "".join(p if isinstance(p, str) else str(self._value(p, frame)) for p in s.message)
        raise Fault(s.kind, s.span, text)

    def _evaluate(self, s: n.Evaluate, frame: CallFrame) -> Completion:
        self._value(s.value, frame)
        return Completion.NEXT

    def _oblige(self, s: n.Oblige, frame: CallFrame) -> Completion:
        for expression in s.commands:
            command = self._value(expression, frame)
            if not 0 <= command < self.program.nr_commands:
                text = f"there is no transition {command}: they are numbered 0..{self.program.nr_commands - 1}"
                raise Fault(FaultKind.INDEX, s.span, text)
            self._obliged.append(command)
        return Completion.NEXT

    def _oblige_all(self, s: n.ObligeAll, frame: CallFrame) -> Completion:
        self._obliged += range(self.program.nr_commands)
        return Completion.NEXT

    # --- expressions --------------------------------------------------------------------------------------------

    def _value(self, e: n.Expr, frame: CallFrame) -> int:
        return _VALUE[type(e)](self, e, frame)

    def _const(self, e: n.Const, frame: CallFrame) -> int:
        return e.value

    def _local(self, e: n.Local, frame: CallFrame) -> int:
        return frame.locals[e.slot]

    def _read(self, e: n.Read, frame: CallFrame) -> int:
        offset = self.program.offsets[e.variable]
        if not e.indices:
            return self._cells[offset]
        variable = self.program.variables[e.variable]
        indices = [self._value(i, frame) for i in e.indices]
        return self._cells[offset + _flat_index(variable.dims, indices, variable.name, e.span)]

    def _table(self, e: n.Table, frame: CallFrame) -> int:
        return e.values[_flat_index(e.dims, [self._value(i, frame) for i in e.indices], e.name, e.span)]

    def _unary(self, e: n.Unary, frame: CallFrame) -> int:
        return unary_value(e, self._value(e.operand, frame))

    def _binary(self, e: n.Binary, frame: CallFrame) -> int:
        return binary_value(e, self._value(e.left, frame), self._value(e.right, frame))

    def _and(self, e: n.And, frame: CallFrame) -> int:
        value = 1
        for operand in e.operands:
            value = self._value(operand, frame)
            if not value:
                break
        return value

    def _or(self, e: n.Or, frame: CallFrame) -> int:
        value = 0
        for operand in e.operands:
            value = self._value(operand, frame)
            if value:
                break
        return value

    def _conditional(self, e: n.Conditional, frame: CallFrame) -> int:
        return self._value(e.then if self._value(e.test, frame) else e.orelse, frame)

    def _call(self, e: n.Call, frame: CallFrame) -> int:
        return self._run(e.function, [self._value(a, frame) for a in e.args])

    def _fold(self, e: n.Fold, frame: CallFrame) -> int:
        elements = (self._value(e.element, frame) for _ in self._generate(e.generators, frame))
        match e.op:
            case n.FoldOp.ANY:
                return int(any(elements))
            case n.FoldOp.ALL:
                return int(all(elements))
            case n.FoldOp.SUM:
                total = 0
                for element in elements:
                    total = _fits(total + element, e)
                return total
            case n.FoldOp.MIN | n.FoldOp.MAX:
                return self._extremum(e, list(elements), frame)

    def _extremum(self, e: n.Fold, elements: list[int], frame: CallFrame) -> int:
        if elements:
            return min(elements) if e.op is n.FoldOp.MIN else max(elements)
        if e.default is None:
            raise Fault(FaultKind.EMPTY, e.span, f"{e.op.value}() of nothing")
        return self._value(e.default, frame)

    def _generate(self, generators: tuple[n.Generator, ...], frame: CallFrame) -> Iterator[None]:
        """Yields once for each combination of the generators, with their slots set."""
        if not generators:
            yield
            return
        first, rest = generators[0], generators[1:]
        for value in self._range(first, frame):
            frame.locals[first.slot] = value
            for bind in first.binds:
                frame.locals[bind.slot] = self._value(bind.value, frame)
            if first.test is None or self._value(first.test, frame):
                yield from self._generate(rest, frame)


def unary_value(e: n.Unary, value: int) -> int:
    """What the operator makes of the value. Raises Fault on a model error."""
    match e.op:
        case n.UnaryOp.NEGATE:
            return _fits(-value, e)
        case n.UnaryOp.ABS:
            return _fits(abs(value), e)
        case n.UnaryOp.INVERT:
            return ~value
        case n.UnaryOp.NOT:
            return int(not value)


def binary_value(e: n.Binary, left: int, right: int) -> int:
    """What the operator makes of the values. Raises Fault on a model error."""
    return _fits(int(_BINARY[e.op](left, right, e)), e)


def describe_range(variable: Variable) -> str:
    """What a variable takes, in words: `x takes 0..7`."""
    return f"{variable.name} takes {variable.type}"


def _flat_index(dims: tuple[int, ...], indices: list[int], name: str, span: Span) -> int:
    at = 0
    for size, index in zip(dims, indices, strict=True):
        if not 0 <= index < size:
            raise Fault(FaultKind.INDEX, span, f"index {index} of {name} is out of bounds: it has {size} elements")
        at = at * size + index
    return at


def _fits(value: int, e: n.Unary | n.Binary | n.Fold) -> int:
    if INT_MIN <= value <= INT_MAX:
        return value
    raise Fault(FaultKind.OVERFLOW, e.span, f"the result of {e.op.value} does not fit 64 bits")


def _divide(a: int, b: int, e: n.Binary) -> int:
    if b == 0:
        raise Fault(FaultKind.DIVISION, e.span, f"{a} {e.op.value} 0: division by zero")
    return a // b if e.op is n.BinaryOp.FLOORDIV else a % b


def _shift(a: int, b: int, e: n.Binary) -> int:
    if b < 0:
        raise Fault(FaultKind.SHIFT, e.span, f"{a} {e.op.value} {b}: shift by a negative number")
    if e.op is n.BinaryOp.RSHIFT:
        return a >> min(b, 64)
    return a << min(b, 64)


def _power(a: int, b: int, e: n.Binary) -> int:
    if b < 0:
        raise Fault(FaultKind.SHIFT, e.span, f"{a} ** {b}: a negative power is no integer")
    if b > 64 and abs(a) > 1:
        return INT_MAX + 1
    return int(a ** min(b, 64 + b % 2))  # of -1, 0 and 1 only the parity of the power matters


_BINARY: dict[n.BinaryOp, Callable[[int, int, n.Binary], int]] = {
    n.BinaryOp.ADD: lambda a, b, e: a + b,
    n.BinaryOp.SUB: lambda a, b, e: a - b,
    n.BinaryOp.MUL: lambda a, b, e: a * b,
    n.BinaryOp.FLOORDIV: _divide,
    n.BinaryOp.MOD: _divide,
    n.BinaryOp.POW: _power,
    n.BinaryOp.LSHIFT: _shift,
    n.BinaryOp.RSHIFT: _shift,
    n.BinaryOp.AND: lambda a, b, e: a & b,
    n.BinaryOp.OR: lambda a, b, e: a | b,
    n.BinaryOp.XOR: lambda a, b, e: a ^ b,
    n.BinaryOp.EQ: lambda a, b, e: a == b,
    n.BinaryOp.NE: lambda a, b, e: a != b,
    n.BinaryOp.LT: lambda a, b, e: a < b,
    n.BinaryOp.LE: lambda a, b, e: a <= b,
    n.BinaryOp.GT: lambda a, b, e: a > b,
    n.BinaryOp.GE: lambda a, b, e: a >= b,
    n.BinaryOp.MIN: lambda a, b, e: min(a, b),
    n.BinaryOp.MAX: lambda a, b, e: max(a, b),
}

_EXECUTE: dict[type[n.Node], Callable[[Interpreter, Any, CallFrame], Completion]] = {
    n.SetLocal: Interpreter._set_local,
    n.SetState: Interpreter._set_state,
    n.If: Interpreter._if,
    n.While: Interpreter._while,
    n.For: Interpreter._for,
    n.Break: lambda self, s, frame: Completion.BREAK,
    n.Continue: lambda self, s, frame: Completion.CONTINUE,
    n.Return: Interpreter._return,
    n.When: Interpreter._when,
    n.Fail: Interpreter._fail,
    n.Evaluate: Interpreter._evaluate,
    n.Oblige: Interpreter._oblige,
    n.ObligeAll: Interpreter._oblige_all,
}

_VALUE: dict[type[n.Node], Callable[[Interpreter, Any, CallFrame], int]] = {
    n.Const: Interpreter._const,
    n.Local: Interpreter._local,
    n.Read: Interpreter._read,
    n.Table: Interpreter._table,
    n.Unary: Interpreter._unary,
    n.Binary: Interpreter._binary,
    n.And: Interpreter._and,
    n.Or: Interpreter._or,
    n.Conditional: Interpreter._conditional,
    n.Call: Interpreter._call,
    n.Fold: Interpreter._fold,
}
