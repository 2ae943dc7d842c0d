"""What code means, whatever its values are: one run, step by step.

A *domain* says what values are: integers and, if it has others, `Symbol`s. The reference interpreter (`ir.interpreter`)
has integers only; symbolic execution (`analysis.stubborn`) has functions of the state too. Here is what is the same in
all domains: what is evaluated, in which order, and what is done next.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from enum import Enum, auto
from typing import Any, Generic, TypeVar

from asset.ir import nodes as n
from asset.ir.faults import Fault, FaultKind
from asset.ir.program import Program
from asset.ir.rounds import KNOWN_LIMIT, counted_loops
from asset.span import Span

Symbol = TypeVar("Symbol")


class CommandDisabled(Exception):
    """A `when` was false: the command being fired is disabled."""


class Completion(Enum):
    """How a statement ended."""

    NEXT = auto()
    BREAK = auto()
    CONTINUE = auto()
    RETURN = auto()


class CallFrame(Generic[Symbol]):
    """The locals of one call, and what it returned."""

    __slots__ = ("locals", "result")

    def __init__(self, slots: int, args: list[int | Symbol]) -> None:
        self.locals = args + [0] * (slots - len(args))
        self.result: int | Symbol = 0


Situation = tuple[list[Any], list[Any]]
"""All that the rest of a run depends on."""


class _Recurrence:
    """Notices that a loop comes back to where it has been: a situation is kept, each time for twice as many rounds."""

    __slots__ = ("_kept", "_left", "_length")

    def __init__(self) -> None:
        self._kept: Situation | None = None
        self._left = self._length = 1

    def again(self, now: Situation | None) -> bool:
        if now is None:
            return False
        if now == self._kept:
            return True
        self._left -= 1
        if self._left == 0:
            self._length *= 2
            self._kept, self._left = (now[0].copy(), now[1].copy()), self._length
        return False


class Evaluator(ABC, Generic[Symbol]):
    """Runs functions of a program. Raises Fault on a model error and CommandDisabled if a `when` is false."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._counting = counted_loops(program)
        self._work = 0  # of what is counted, since the function was called that calls the others
        own = type(self)  # a domain may have its own way to run a statement or to evaluate an expression
        self._statements: dict[type[n.Node], Callable[[Any, Any, CallFrame[Symbol]], Completion]] = {
            n.SetLocal: own._set_local,
            n.SetState: own._set_state,
            n.If: own._if,
            n.While: own._while,
            n.For: own._for,
            n.Break: lambda self, s, frame: Completion.BREAK,
            n.Continue: lambda self, s, frame: Completion.CONTINUE,
            n.Return: own._return,
            n.When: own._when,
            n.Fail: own._fail,
            n.Evaluate: own._evaluate,
            n.Mark: own._mark,
        }
        self._expressions: dict[type[n.Node], Callable[[Any, Any, CallFrame[Symbol]], int | Symbol]] = {
            n.Const: lambda self, e, frame: e.value,
            n.Local: own._local,
            n.Read: own._read,
            n.Table: own._table,
            n.Unary: own._unary,
            n.Binary: own._binary,
            n.And: own._and,
            n.Or: own._or,
            n.Conditional: own._conditional,
            n.Call: own._call,
            n.Fold: own._fold,
        }

    # --- what a domain says ---------------------------------------------------------------------------------------

    @abstractmethod
    def _true(self, value: int | Symbol) -> bool:
        """Whether the value is not 0."""

    @abstractmethod
    def _integer(self, value: int | Symbol) -> int:
        """The value as an integer."""

    @abstractmethod
    def _element(self, dims: tuple[int, ...], indices: list[int | Symbol], name: str, span: Span) -> int:
        """The number of an element of an array, row by row."""

    @abstractmethod
    def _get(self, cell: int) -> int | Symbol:
        """The value of the cell."""

    @abstractmethod
    def _get_before(self, cell: int) -> int | Symbol:
        """The value that the cell had when the firing began."""

    @abstractmethod
    def _set(self, cell: int, value: int | Symbol, span: Span) -> None:
        """Afterwards the cell has the value, which is one of its type."""

    @abstractmethod
    def _unary_value(self, e: n.Unary, value: int | Symbol) -> int | Symbol: ...

    @abstractmethod
    def _binary_value(self, e: n.Binary, left: int | Symbol, right: int | Symbol) -> int | Symbol: ...

    @abstractmethod
    def _sum(self, e: n.Fold, elements: Iterable[int | Symbol]) -> int | Symbol: ...

    @abstractmethod
    def _extremum(self, e: n.Fold, elements: list[int | Symbol]) -> int | Symbol:
        """The least or the greatest element; there is one."""

    @abstractmethod
    def _fail(self, s: n.Fail, frame: CallFrame[Symbol]) -> Completion: ...

    def _reached(self, node: n.Stmt | n.Case | n.Generator) -> None:
        """The run comes to a statement, to the test of a case, or to a further round of a loop."""

    # --- statements ---------------------------------------------------------------------------------------------

    def call(self, function: int, args: list[int | Symbol]) -> int | Symbol:
        """What the function returns."""
        self._work = 0
        return self._run(function, args)

    def _run(self, function: int, args: list[int | Symbol]) -> int | Symbol:
        return self._completed(function, self._new_frame(function, args))

    def _new_frame(self, function: int, args: list[int | Symbol]) -> CallFrame[Symbol]:
        return CallFrame(len(self.program.functions[function].slots), args)

    def _completed(self, function: int, frame: CallFrame[Symbol]) -> int | Symbol:
        self._block(self.program.functions[function].body, frame)
        return frame.result

    def _block(self, body: tuple[n.Stmt, ...], frame: CallFrame[Symbol]) -> Completion:
        for statement in body:
            self._reached(statement)
            completion = self._statements[type(statement)](self, statement, frame)
            if completion is not Completion.NEXT:
                return completion
        return Completion.NEXT

    def _set_local(self, s: n.SetLocal, frame: CallFrame[Symbol]) -> Completion:
        frame.locals[s.slot] = self._value(s.value, frame)
        return Completion.NEXT

    def _set_state(self, s: n.SetState, frame: CallFrame[Symbol]) -> Completion:
        value = self._value(s.value, frame)
        self._set(self._cell(s, frame), value, s.span)
        return Completion.NEXT

    def _if(self, s: n.If, frame: CallFrame[Symbol]) -> Completion:
        for case in s.cases:
            self._reached(case)
            if self._test(case.test, frame):
                self._count(case)
                return self._block(case.body, frame)
        return self._block(s.orelse, frame)

    def _while(self, s: n.While, frame: CallFrame[Symbol]) -> Completion:
        seen = _Recurrence()
        while self._test(s.test, frame):
            self._count(s)
            if seen.again(self._situation(frame)):
                raise Fault(FaultKind.LOOP, s.span, "the loop does not end: it comes back to where it has been")
            self._reached(s)
            completion = self._block(s.body, frame)
            if completion is Completion.BREAK:
                break
            if completion is Completion.RETURN:
                return completion
        return Completion.NEXT

    def _for(self, s: n.For, frame: CallFrame[Symbol]) -> Completion:
        for value in self._range(s, frame):
            self._count(s)
            self._reached(s)
            frame.locals[s.slot] = value
            completion = self._block(s.body, frame)
            if completion is Completion.BREAK:
                break
            if completion is Completion.RETURN:
                return completion
        return Completion.NEXT

    def _count(self, node: n.Node) -> None:
        """What `Counted` says of the node has happened."""
        weight = self._counting.weights.get(node)
        if weight is not None:
            self._add_work(weight, node)

    def _add_work(self, weight: int, node: n.Node) -> None:
        self._work += weight
        if self._work > KNOWN_LIMIT:
            raise Fault(FaultKind.LOOP, node.span, self._counting.message(node))

    def _situation(self, frame: CallFrame[Symbol]) -> Situation | None:
        """Where the run is; None if that is not known."""
        return None

    def _range(self, loop: n.For | n.Generator, frame: CallFrame[Symbol]) -> range:
        start, stop, step = (self._value(e, frame) for e in (loop.start, loop.stop, loop.step))
        size = self._integer(step)
        if size == 0:
            raise Fault(FaultKind.RANGE, loop.span, "range() with step 0")
        return range(self._integer(start), self._integer(stop), size)

    def _return(self, s: n.Return, frame: CallFrame[Symbol]) -> Completion:
        frame.result = 0 if s.value is None else self._value(s.value, frame)
        return Completion.RETURN

    def _when(self, s: n.When, frame: CallFrame[Symbol]) -> Completion:
        if not self._test(s.test, frame):
            raise CommandDisabled
        return Completion.NEXT

    def _mark(self, s: n.Mark, frame: CallFrame[Symbol]) -> Completion:
        return Completion.NEXT

    def _evaluate(self, s: n.Evaluate, frame: CallFrame[Symbol]) -> Completion:
        self._value(s.value, frame)
        return Completion.NEXT

    # --- expressions --------------------------------------------------------------------------------------------

    def _value(self, e: n.Expr, frame: CallFrame[Symbol]) -> int | Symbol:
        return self._expressions[type(e)](self, e, frame)

    def _test(self, e: n.Expr, frame: CallFrame[Symbol]) -> bool:
        """Whether the expression is true."""
        return self._true(self._value(e, frame))

    def _local(self, e: n.Local, frame: CallFrame[Symbol]) -> int | Symbol:
        return frame.locals[e.slot]

    def _read(self, e: n.Read, frame: CallFrame[Symbol]) -> int | Symbol:
        cell = self._cell(e, frame)
        return self._get_before(cell) if e.before else self._get(cell)

    def _cell(self, e: n.Read | n.SetState, frame: CallFrame[Symbol]) -> int:
        offset = self.program.offsets[e.variable]
        if not e.indices:
            return offset
        variable = self.program.variables[e.variable]
        indices = [self._value(i, frame) for i in e.indices]
        return offset + self._element(variable.dims, indices, variable.name, e.span)

    def _table(self, e: n.Table, frame: CallFrame[Symbol]) -> int | Symbol:
        return e.values[self._element(e.dims, [self._value(i, frame) for i in e.indices], e.name, e.span)]

    def _unary(self, e: n.Unary, frame: CallFrame[Symbol]) -> int | Symbol:
        return self._unary_value(e, self._value(e.operand, frame))

    def _binary(self, e: n.Binary, frame: CallFrame[Symbol]) -> int | Symbol:
        return self._binary_value(e, self._value(e.left, frame), self._value(e.right, frame))

    def _and(self, e: n.And, frame: CallFrame[Symbol]) -> int | Symbol:
        for operand in e.operands[:-1]:
            if not self._test(operand, frame):
                return 0
        return self._value(e.operands[-1], frame)

    def _or(self, e: n.Or, frame: CallFrame[Symbol]) -> int | Symbol:
        for operand in e.operands[:-1]:
            value = self._value(operand, frame)
            if self._true(value):
                return self._found_true(value)
        return self._value(e.operands[-1], frame)

    def _found_true(self, value: int | Symbol) -> int | Symbol:
        """The value, of which it is known by now that it is not 0."""
        return value

    def _conditional(self, e: n.Conditional, frame: CallFrame[Symbol]) -> int | Symbol:
        return self._value(e.then if self._test(e.test, frame) else e.orelse, frame)

    def _call(self, e: n.Call, frame: CallFrame[Symbol]) -> int | Symbol:
        args = [self._value(a, frame) for a in e.args]
        return self._run(e.function, args)

    def _fold(self, e: n.Fold, frame: CallFrame[Symbol]) -> int | Symbol:
        if e.op is n.FoldOp.ANY or e.op is n.FoldOp.ALL:
            return self._quantified(e, frame)
        elements = (self._value(e.element, frame) for _ in self._generate(e.generators, frame))
        if e.op is n.FoldOp.SUM:
            return self._sum(e, elements)
        found = list(elements)
        if found:
            return self._extremum(e, found)
        if e.default is None:
            raise Fault(FaultKind.EMPTY, e.span, f"{e.op.value}() of nothing")
        return self._value(e.default, frame)

    def _quantified(self, e: n.Fold, frame: CallFrame[Symbol]) -> int:
        decisive = e.op is n.FoldOp.ANY
        for _ in self._generate(e.generators, frame):
            if self._test(e.element, frame) is decisive:
                return int(decisive)
        return int(not decisive)

    def _generate(self, generators: tuple[n.Generator, ...], frame: CallFrame[Symbol]) -> Iterator[None]:
        """Yields once for each combination of the generators, with their slots set."""
        if not generators:
            yield
            return
        first, rest = generators[0], generators[1:]
        for value in self._range(first, frame):
            self._count(first)
            self._reached(first)
            frame.locals[first.slot] = value
            for bind in first.binds:
                frame.locals[bind.slot] = self._value(bind.value, frame)
            if first.test is None:
                yield from self._generate(rest, frame)
            elif self._test(first.test, frame):
                self._count(first.test)
                yield from self._generate(rest, frame)
