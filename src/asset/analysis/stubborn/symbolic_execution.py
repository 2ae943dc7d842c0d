"""Running code of the IR on symbolic values: the reference interpreter, step by step, on `SymbolicRun`s."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from asset.analysis.stubborn import symbolic_operators as operators
from asset.analysis.stubborn.runs import Faulted, SymbolicRun
from asset.analysis.stubborn.symbolic_values import Linear, Truth, Value
from asset.analysis.values.interval import Interval
from asset.ir import nodes as n
from asset.ir.faults import LOOP_LIMIT, Fault, FaultKind
from asset.ir.interpreter import CommandDisabled, Completion
from asset.ir.program import Program
from asset.ir.types import ScalarType
from asset.span import NOWHERE


class CallFrame:
    def __init__(self, slots: int, args: list[Value]) -> None:
        self.locals: list[Value] = [*args, *[0] * (slots - len(args))]
        self.result: Value = 0


class SymbolicExecution:
    """Executes functions of a program along a run. Raises CommandDisabled, Faulted or Opaque where the run ends so."""

    def __init__(self, program: Program, run: SymbolicRun) -> None:
        self.program = program
        self.run = run

    def call(self, function: int, args: list[Value]) -> Value:
        code = self.program.functions[function]
        frame = CallFrame(len(code.slots), args)
        self._block(code.body, frame)
        return self.run.simplified(frame.result)

    # --- statements ---------------------------------------------------------------------------------------------

    def _block(self, body: tuple[n.Stmt, ...], frame: CallFrame) -> Completion:
        for statement in body:
            self.run.step(statement.span)
            flow = _EXECUTE[type(statement)](self, statement, frame)
            if flow is not Completion.NEXT:
                return flow
        return Completion.NEXT

    def _set_local(self, s: n.SetLocal, frame: CallFrame) -> Completion:
        frame.locals[s.slot] = self._value(s.value, frame)
        return Completion.NEXT

    def _set_state(self, s: n.SetState, frame: CallFrame) -> Completion:
        value = self._value(s.value, frame)
        cell = self._cell(s.variable, s.indices, frame)
        self.run.store[cell] = self._in_range(cell, value)
        self.run.written_at.setdefault(cell, s.span)
        return Completion.NEXT

    def _in_range(self, cell: int, value: Value) -> Value:
        """The value, which is one of the cell's type on this run."""
        kind = self._type(cell)
        value = self.run.settled(value)
        match value:
            case int():
                return self._fault_unless(value in kind, value)
            case Linear() if value.only is not None:
                return self.run.pointwise(value, lambda x: x if x in kind else _out_of_range())
            case Linear() if not self._fits(cell, value) and self.run.few_cases(value):
                exact = self.run.concrete(value)
                return self._fault_unless(exact in kind, exact)
        if self._fits(cell, value):
            return value
        bounds = self.run.interval(value).meet(Interval(kind.lo, kind.hi))
        if bounds is None:
            raise Faulted
        return self.run.unknown([value], bounds, faulty=True)

    def _type(self, cell: int) -> ScalarType:
        return self.run.cells.variables[cell].type

    def _fits(self, cell: int, value: Value) -> bool:
        """Whether every value between the bounds of this one is of the cell's type."""
        lo, hi = self.run.interval(value)
        kind, domain = self._type(cell), self.run.cells.domains[cell]
        if domain is None:
            return kind.lo <= lo and hi <= kind.hi
        return hi - lo < len(domain) and all(x in kind for x in range(lo, hi + 1))

    def _fault_unless(self, fine: bool, value: int) -> int:
        if not fine:
            raise Faulted
        return value

    def _if(self, s: n.If, frame: CallFrame) -> Completion:
        for case in s.cases:
            self.run.here = case.test.span
            if self._true(case.test, frame):
                return self._block(case.body, frame)
        return self._block(s.orelse, frame)

    def _while(self, s: n.While, frame: CallFrame) -> Completion:
        rounds = 0
        while self._true(s.test, frame):
            rounds += 1
            if rounds > LOOP_LIMIT:
                raise Faulted
            self.run.step(s.span)
            flow = self._block(s.body, frame)
            if flow is Completion.BREAK:
                break
            if flow is Completion.RETURN:
                return flow
        return Completion.NEXT

    def _for(self, s: n.For, frame: CallFrame) -> Completion:
        for value in self._range(s, frame):
            self.run.step(s.span)
            frame.locals[s.slot] = value
            flow = self._block(s.body, frame)
            if flow is Completion.BREAK:
                break
            if flow is Completion.RETURN:
                return flow
        return Completion.NEXT

    def _range(self, loop: n.For | n.Generator, frame: CallFrame) -> range:
        start, stop, step = (self._value(e, frame) for e in (loop.start, loop.stop, loop.step))
        size = self.run.concrete(step)
        if size == 0:
            raise Faulted
        return range(self.run.concrete(start), self.run.concrete(stop), size)

    def _return(self, s: n.Return, frame: CallFrame) -> Completion:
        frame.result = 0 if s.value is None else self._value(s.value, frame)
        return Completion.RETURN

    def _when(self, s: n.When, frame: CallFrame) -> Completion:
        if not self._true(s.test, frame):
            raise CommandDisabled
        return Completion.NEXT

    def _fail(self, s: n.Fail, frame: CallFrame) -> Completion:
        raise Faulted

    def _evaluate(self, s: n.Evaluate, frame: CallFrame) -> Completion:
        self._value(s.value, frame)
        return Completion.NEXT

    # --- expressions --------------------------------------------------------------------------------------------

    def _value(self, e: n.Expr, frame: CallFrame) -> Value:
        return _VALUE[type(e)](self, e, frame)

    def _true(self, e: n.Expr, frame: CallFrame) -> bool:
        return self.run.true(self._value(e, frame))

    def _local(self, e: n.Local, frame: CallFrame) -> Value:
        return self.run.simplified(frame.locals[e.slot])

    def _read(self, e: n.Read, frame: CallFrame) -> Value:
        return self.run.current(self._cell(e.variable, e.indices, frame))

    def _cell(self, variable: int, indices: tuple[n.Expr, ...], frame: CallFrame) -> int:
        given = self.program.variables[variable]
        values = [self._value(index, frame) for index in indices]
        return self.program.offsets[variable] + self._place(given.dims, values)

    def _place(self, dims: tuple[int, ...], indices: list[Value]) -> int:
        at = 0
        for size, value in zip(dims, indices, strict=True):
            index = self.run.concrete(value, size)
            if index < 0:
                raise Faulted
            at = at * size + index
        return at

    def _table(self, e: n.Table, frame: CallFrame) -> Value:
        indices = [self.run.settled(self._value(index, frame)) for index in e.indices]
        if len(indices) == 1:
            index = indices[0]
            if isinstance(index, Linear) and index.only is not None:
                return self.run.pointwise(index, lambda x: e.values[x] if 0 <= x < e.dims[0] else _out_of_range())
        return e.values[self._place(e.dims, indices)]

    def _unary(self, e: n.Unary, frame: CallFrame) -> Value:
        return operators.unary(self.run, e, self._value(e.operand, frame))

    def _binary(self, e: n.Binary, frame: CallFrame) -> Value:
        return operators.binary(self.run, e, self._value(e.left, frame), self._value(e.right, frame))

    def _and(self, e: n.And, frame: CallFrame) -> Value:
        return self._until(e.operands, False, frame)

    def _or(self, e: n.Or, frame: CallFrame) -> Value:
        return self._until(e.operands, True, frame)

    def _until(self, operands: tuple[n.Expr, ...], found: bool, frame: CallFrame) -> Value:
        """The first operand that is true, or false, as is looked for; else the last one."""
        for operand in operands[:-1]:
            value = self._value(operand, frame)
            if self.run.true(value) is found:
                return self._after_test(value, found)
        return self._value(operands[-1], frame)

    def _after_test(self, value: Value, held: bool) -> Value:
        """A value of which it is known whether it is 0."""
        if not held:
            return 0
        return 1 if isinstance(value, Truth) else self.run.simplified(value)

    def _conditional(self, e: n.Conditional, frame: CallFrame) -> Value:
        return self._value(e.then if self._true(e.test, frame) else e.orelse, frame)

    def _call(self, e: n.Call, frame: CallFrame) -> Value:
        args = [self._value(a, frame) for a in e.args]
        here = self.run.here
        self.run.step(e.span)
        result = self.call(e.function, args)
        self.run.here = here
        return result

    def _fold(self, e: n.Fold, frame: CallFrame) -> Value:
        elements = (self._value(e.element, frame) for _ in self._generate(e.generators, frame))
        match e.op:
            case n.FoldOp.ANY:
                return int(any(self.run.true(x) for x in elements))
            case n.FoldOp.ALL:
                return int(all(self.run.true(x) for x in elements))
            case n.FoldOp.SUM:
                total: Value = 0
                for element in elements:
                    total = operators.added(self.run, total, element)
                return total
            case n.FoldOp.MIN | n.FoldOp.MAX:
                return self._extremum(e, list(elements), frame)

    def _extremum(self, e: n.Fold, elements: list[Value], frame: CallFrame) -> Value:
        if not elements:
            if e.default is None:
                raise Faulted
            return self._value(e.default, frame)
        result = elements[0]
        for element in elements[1:]:
            result = operators.extremum(self.run, result, element, least=e.op is n.FoldOp.MIN)
        return result

    def _generate(self, generators: tuple[n.Generator, ...], frame: CallFrame) -> Iterator[None]:
        if not generators:
            yield
            return
        first, rest = generators[0], generators[1:]
        for value in self._range(first, frame):
            self.run.step(first.span)
            frame.locals[first.slot] = value
            for bind in first.binds:
                frame.locals[bind.slot] = self._value(bind.value, frame)
            if first.test is None or self._true(first.test, frame):
                yield from self._generate(rest, frame)


def _out_of_range() -> int:
    raise Fault(FaultKind.RANGE, NOWHERE, "")


_EXECUTE: dict[type[n.Node], Callable[[SymbolicExecution, Any, CallFrame], Completion]] = {
    n.SetLocal: SymbolicExecution._set_local,
    n.SetState: SymbolicExecution._set_state,
    n.If: SymbolicExecution._if,
    n.While: SymbolicExecution._while,
    n.For: SymbolicExecution._for,
    n.Break: lambda self, s, frame: Completion.BREAK,
    n.Continue: lambda self, s, frame: Completion.CONTINUE,
    n.Return: SymbolicExecution._return,
    n.When: SymbolicExecution._when,
    n.Fail: SymbolicExecution._fail,
    n.Evaluate: SymbolicExecution._evaluate,
}

_VALUE: dict[type[n.Node], Callable[[SymbolicExecution, Any, CallFrame], Value]] = {
    n.Const: lambda self, e, frame: e.value,
    n.Local: SymbolicExecution._local,
    n.Read: SymbolicExecution._read,
    n.Table: SymbolicExecution._table,
    n.Unary: SymbolicExecution._unary,
    n.Binary: SymbolicExecution._binary,
    n.And: SymbolicExecution._and,
    n.Or: SymbolicExecution._or,
    n.Conditional: SymbolicExecution._conditional,
    n.Call: SymbolicExecution._call,
    n.Fold: SymbolicExecution._fold,
}
