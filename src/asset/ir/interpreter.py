"""The reference interpreter: what a program means. Every other way of running one must agree with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Never

from asset.ir import nodes as n
from asset.ir.evaluation import CallFrame, CommandDisabled, Completion, Evaluator, Situation
from asset.ir.faults import INT_MAX, INT_MIN, Fault, FaultKind
from asset.ir.program import Program, State, Style, Variable
from asset.ir.requirements import Predicate, StepPredicate
from asset.ir.types import FractionType
from asset.span import Span

IntegerFrame = CallFrame[Never]


class Interpreter(Evaluator[Never]):
    """Runs commands and properties of a program on states given as tuples of cell values."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._statements |= {n.Oblige: type(self)._oblige, n.ObligeAll: type(self)._oblige_all}
        self._cells: list[int] = []
        self._before: State = ()
        self._obliged: list[int] = []
        self._skipped: tuple[State, range] = (), range(0)
        """A state, and commands that are known to be disabled in it."""
        self.marked: set[int] = set()
        """The marks that were reached so far."""

    def fire(self, state: State, command: int) -> State | None:
        """The state after the command, or None if it is disabled. Raises Fault on a model error."""
        if command in self._skipped[1] and (state is self._skipped[0] or state == self._skipped[0]):
            return None
        family, indices = self.program.commands[command]
        self._load(state)
        frame = self._new_frame(family.function, list(indices))
        self._work = 0
        try:
            fired = self._completed(family.function, frame)
        except CommandDisabled:
            if family.skips is not None:
                self._skipped = state, range(command - self._integer(frame.locals[family.skips]), command)
            return None
        if family.skips is not None:
            self._skipped = state, range(command + 1, command + 1 + fired)
        if family.style is Style.GUARDED or fired:
            return tuple(self._cells)
        if tuple(self._cells) != state:
            raise Fault(FaultKind.CHANGED, family.span, f"{family.name} returned False but changed the state")
        return None

    def successors(self, state: State) -> Iterator[tuple[int, State]]:
        """The enabled commands and where they lead, in the order of firing: last number first."""
        command = self.program.nr_commands - 1
        while command >= 0:
            successor = self.fire(state, command)
            if successor is not None:
                yield command, successor
            command = self.before_skipped(state, command) - 1

    def next_tried(self, state: State, command: int) -> int:
        """The first command after one that was just fired in the state of which it is not known that it is disabled."""
        of, skipped = self._skipped
        return skipped.stop if skipped and skipped.start == command + 1 and of == state else command + 1

    def before_skipped(self, state: State, command: int) -> int:
        """The first of the commands up to this one that are known to be disabled, or this one."""
        of, skipped = self._skipped
        return skipped.start if skipped and skipped.stop == command and of == state else command

    def evaluate(self, predicate: Predicate, state: State) -> str | None:
        """None if the predicate holds, else what is wrong. Raises Fault on a model error."""
        self._load(state)
        result = self.call(predicate.function, [])
        if predicate.messages:
            return predicate.messages[result - 1] if result else None
        return None if result else f"{predicate.name} is false"

    def evaluate_step(self, predicate: StepPredicate, before: State, after: State) -> bool:
        """Whether the predicate holds of the step. Raises Fault on a model error."""
        self._load(after)
        values = [self.call(function, []) for function in predicate.values]
        self._load(before)
        return self.call(predicate.function, values) != 0

    def obligations(self, state: State, command: int) -> tuple[int, ...]:
        """The commands that must be in a stubborn set of the state if `command` is, in the order listed.

        These are all, in increasing order, if the command has no rule. Raises Fault on a model error.
        """
        family, indices = self.program.commands[command]
        if family.rule is None:
            return tuple(range(self.program.nr_commands))
        self._load(state)
        self._obliged = []
        self.call(family.rule, list(indices))
        return tuple(self._obliged)

    def representative(self, state: State) -> State:
        """The symmetric state that stands for this one; itself if there is no symmetry. Raises Fault."""
        if self.program.representative is None:
            return state
        self._load(state)
        self.call(self.program.representative, [])
        return tuple(self._cells)

    def holds(self, condition: n.Expr, state: State) -> bool:
        """Whether a condition without locals holds in the state. Raises Fault on a model error."""
        self._load(state)
        return self._value(condition, CallFrame(0, [])) != 0

    def _load(self, state: State) -> None:
        """Afterwards code runs on a copy of the state."""
        self._cells, self._before = list(state), state

    def _situation(self, frame: IntegerFrame) -> Situation:
        return frame.locals, self._cells

    # --- values ---------------------------------------------------------------------------------------------------

    def _true(self, value: int) -> bool:
        return value != 0

    def _integer(self, value: int) -> int:
        return value

    def _element(self, dims: tuple[int, ...], indices: list[int], name: str, span: Span) -> int:
        at = 0
        for number, index in enumerate(indices):
            size = dims[number]
            if not 0 <= index < size:
                raise Fault(FaultKind.INDEX, span, f"index {index} of {name} is out of bounds: it has {size} elements")
            at = at * size + index
        return at

    def _get(self, cell: int) -> int:
        return self._cells[cell]

    def _get_before(self, cell: int) -> int:
        return self._before[cell]

    def _set(self, cell: int, value: int, span: Span) -> None:
        variable = self.program.cell_variables[cell]
        if value not in variable.type:
            shown = variable.type.show(value) if isinstance(variable.type, FractionType) else self.program.spoken(value)
            text = f"{self.program.cell_names[cell]} = {shown} is out of range: {describe_range(variable)}"
            raise Fault(FaultKind.RANGE, span, text)
        self._cells[cell] = value

    def _unary_value(self, e: n.Unary, value: int) -> int:
        return unary_value(e, value)

    def _binary_value(self, e: n.Binary, left: int, right: int) -> int:
        return binary_value(e, left, right)

    def _sum(self, e: n.Fold, elements: Iterable[int]) -> int:
        total = 0
        for element in elements:
            total = _fits(total + element, e)
        return total

    def _extremum(self, e: n.Fold, elements: list[int]) -> int:
        return min(elements) if e.op is n.FoldOp.MIN else max(elements)

    # --- statements that only an interpreter runs ---------------------------------------------------------------------

    def _fail(self, s: n.Fail, frame: IntegerFrame) -> Completion:
        text = "".join(p if isinstance(p, str) else self.program.spoken(self._value(p, frame)) for p in s.message)
        raise Fault(s.kind, s.span, text)

    def _mark(self, s: n.Mark, frame: CallFrame[Never]) -> Completion:
        self.marked.add(s.number)
        return Completion.NEXT

    def _oblige(self, s: n.Oblige, frame: IntegerFrame) -> Completion:
        for expression in s.commands:
            command = self._value(expression, frame)
            if not 0 <= command < self.program.nr_commands:
                text = f"there is no transition {command}: they are numbered 0..{self.program.nr_commands - 1}"
                raise Fault(FaultKind.INDEX, s.span, text)
            self._obliged.append(command)
        return Completion.NEXT

    def _oblige_all(self, s: n.ObligeAll, frame: IntegerFrame) -> Completion:
        self._obliged += range(self.program.nr_commands)
        return Completion.NEXT


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
