"""Expressions: as values, and as conditions that jump."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from asset.analysis.values.interval import TOP
from asset.codegen.arithmetic import Arithmetic, Operand
from asset.codegen.builder import Builder
from asset.codegen.cell_access import CellAccess, InMemory, InRegisters, Store
from asset.codegen.loops import Bounds, LoopLabels, range_loop
from asset.codegen.unit import Unit
from asset.ir import nodes as n
from asset.ir.faults import INT_MAX, INT_MIN, FaultKind
from asset.ir.rounds import KNOWN_LIMIT

# The status of a function: it ended normally, a `when` disabled the command, or minus the code of a fault.
DONE, DISABLED = 1, 0


class FunctionFrame(NamedTuple):
    """A function being written: where its state and locals are, and where it goes when it ends."""

    unit: Unit
    b: Builder
    store: Store
    before: Store
    """The state as it was at entry."""
    locals: list[str]
    status: str
    exit: str
    fault: Callable[[FaultKind], str]
    disabled: Callable[[], str]
    work: str = ""
    """Where the work of loops that are counted is summed up."""


class Expressions:
    def __init__(self, frame: FunctionFrame) -> None:
        self.frame = frame
        self.b = frame.b
        self.unit = frame.unit
        self.places = CellAccess(frame.b, frame.store, frame.unit.constants)
        self._before = CellAccess(frame.b, frame.before, frame.unit.constants)
        self.arithmetic = Arithmetic(frame.b, frame.fault)

    def value(self, e: n.Expr) -> str:
        """The expression's value as an operand."""
        return _VALUE[type(e)](self, e)

    def branch(self, e: n.Expr, yes: str, no: str) -> None:
        """Jumps to `yes` if the expression is not 0, else to `no`."""
        match e:
            case n.Unary(op=n.UnaryOp.NOT, operand=operand):
                self.branch(operand, no, yes)
            case n.And(operands=operands) | n.Or(operands=operands):
                self._branch_until(operands, yes, no, isinstance(e, n.And))
            case n.Binary(op=op, left=left, right=right) if op in n.COMPARISONS:
                a = self.value(left)
                self.b.fork(self.arithmetic.compare(op, a, self.value(right)), yes, no)
            case _:
                self.b.fork(self.b.let(f"icmp ne i64 {self.value(e)}, 0"), yes, no)

    def _branch_until(self, operands: Sequence[n.Expr], yes: str, no: str, truth: bool) -> None:
        for operand in operands[:-1]:
            onward = self.b.name("b")
            self.branch(operand, *((onward, no) if truth else (yes, onward)))
            self.b.begin(onward)
        self.branch(operands[-1], yes, no)

    def operand(self, e: n.Expr) -> Operand:
        return Operand(self.value(e), self.unit.intervals.of(e))

    # --- leaves -------------------------------------------------------------------------------------------------

    def _const(self, e: n.Const) -> str:
        return str(e.value)

    def _local(self, e: n.Local) -> str:
        return self.b.load(self.frame.locals[e.slot])

    def _read(self, e: n.Read) -> str:
        extent = self.unit.extents[e.variable]
        cell = self.flat_index(extent.dims, e.indices)
        places = self._before if e.before else self.places
        return places.read(extent, cell) if extent.cells else "0"  # of no cells, every index is out of bounds

    def _table(self, e: n.Table) -> str:
        index = self.flat_index(e.dims, e.indices)
        if not e.values:
            return "0"  # every index is out of bounds
        return self.b.load(self.b.element(self.unit.constants.array(e.values), index))

    def flat_index(self, dims: Sequence[int], indices: Sequence[n.Expr]) -> str:
        """The number of the element, when all indices have been evaluated and then checked."""
        values = [self.value(index) for index in indices]
        if all(isinstance(i, n.Const) and 0 <= i.value < size for i, size in zip(indices, dims, strict=True)):
            flat = 0
            for value, size in zip(values, dims, strict=True):
                flat = flat * size + int(value)
            return str(flat)
        return self._checked_index(dims, indices, values)

    def _checked_index(self, dims: Sequence[int], indices: Sequence[n.Expr], values: Sequence[str]) -> str:
        flat = ""
        for index, value, size in zip(indices, values, dims, strict=True):
            if not self.unit.intervals.of(index).within(0, size - 1):
                self.arithmetic.fault_if(self.b.let(f"icmp uge i64 {value}, {size}"), FaultKind.INDEX)
            flat = self.b.let(f"add i64 {self.b.let(f'mul i64 {flat}, {size}')}, {value}") if flat else value
        # A number would be taken for one that is within bounds.
        return flat if flat.startswith("%") else self.b.let(f"add i64 0, {flat}")

    # --- operators ----------------------------------------------------------------------------------------------

    def _unary(self, e: n.Unary) -> str:
        return self.arithmetic.unary(e.op, self.operand(e.operand))

    def _binary(self, e: n.Binary) -> str:
        left = self.operand(e.left)
        return self.arithmetic.binary(e.op, left, self.operand(e.right))

    def _until(self, e: n.And | n.Or) -> str:
        """The operands one after the other, until one is 0 (`and`) or not 0 (`or`): that one, or the last."""
        result, done = self.b.slot(), self.b.name("done")
        for operand in e.operands[:-1]:
            value, onward = self.value(operand), self.b.name("b")
            self.b.store(value, result)
            more = "ne" if isinstance(e, n.And) else "eq"
            self.b.fork(self.b.let(f"icmp {more} i64 {value}, 0"), onward, done)
            self.b.begin(onward)
        self.b.store(self.value(e.operands[-1]), result)
        self.b.begin(done)
        return self.b.load(result)

    def _conditional(self, e: n.Conditional) -> str:
        result = self.b.slot()
        yes, no, done = self.b.name("then"), self.b.name("else"), self.b.name("done")
        self.branch(e.test, yes, no)
        for label, part in ((yes, e.then), (no, e.orelse)):
            self.b.begin(label)
            self.b.store(self.value(part), result)
            self.b.jump(done)
        self.b.begin(done)
        return self.b.load(result)

    def _call(self, e: n.Call) -> str:
        args = [f"i64 {value}" for value in [self.value(arg) for arg in e.args]]
        store, kind = self.frame.store, self.unit.result_type(e.function)
        match store:
            case InRegisters():
                state = [f"i64 {store.load(word)}" for word in self.unit.words]
            case InMemory():
                state = [f"ptr {store.base}"]
        work = self.unit.work_argument(e.function, self.b.load(self.frame.work) if self.frame.work else "0")
        result = self.b.let(f"call {kind} @function{e.function}({', '.join(state + args + work)})")
        status = self.b.let(f"extractvalue {kind} {result}, 0")
        self.b.store(status, self.frame.status, "i32")
        self.b.leave_if(self.b.let(f"icmp ne i32 {status}, {DONE}"), self.frame.exit)
        if isinstance(store, InRegisters) and e.function in self.unit.writers:
            for word in self.unit.words:
                store.store(word, self.b.let(f"extractvalue {kind} {result}, {word + 2}"))
        if work and self.frame.work:
            last = 2 + self.unit.result_words(e.function)
            self.b.store(self.b.let(f"extractvalue {kind} {result}, {last}"), self.frame.work)
        return self.b.let(f"extractvalue {kind} {result}, 1")

    # --- loops --------------------------------------------------------------------------------------------------

    def for_each(self, loop: n.For | n.Generator, body: Callable[[LoopLabels], None]) -> None:
        """Runs the body with the loop's slot set to each value of the range; the counter cannot overflow."""
        start, stop, step = (self.operand(part) for part in (loop.start, loop.stop, loop.step))
        if 0 in step.interval:
            self.arithmetic.fault_if(self.b.let(f"icmp eq i64 {step.text}, 0"), FaultKind.RANGE)

        def round_of(labels: LoopLabels) -> None:
            self.count(loop)
            body(labels)

        range_loop(self.b, Bounds(start, stop, step), self.frame.locals[loop.slot], round_of)

    def count(self, node: n.Node) -> None:
        """Faults if the loops that are counted have done too much; see `ir.rounds`."""
        weight = self.unit.counted.weights.get(node)
        if weight is None:
            return
        work = self.b.let(f"add i64 {self.b.load(self.frame.work)}, {weight}")
        self.b.store(work, self.frame.work)
        self.arithmetic.fault_if(self.b.let(f"icmp ugt i64 {work}, {KNOWN_LIMIT}"), FaultKind.LOOP)

    def _fold(self, e: n.Fold) -> str:
        b, result, done = self.b, self.b.slot(), self.b.name("done")
        match e.op:
            case n.FoldOp.SUM:
                self._sum(e, result)
            case n.FoldOp.ANY | n.FoldOp.ALL:
                self._any_or_all(e, result, done)
            case n.FoldOp.MIN | n.FoldOp.MAX:
                self._extremum(e, result)
        b.begin(done)
        return b.load(result)

    def _generate(self, generators: Sequence[n.Generator], element: Callable[[], None]) -> None:
        """Runs `element` once for each combination of the generators."""
        if not generators:
            element()
            return
        first, rest = generators[0], generators[1:]

        def body(labels: LoopLabels) -> None:
            for bind in first.binds:
                self.b.store(self.value(bind.value), self.frame.locals[bind.slot])
            if first.test is not None:
                taken = self.b.name("taken")
                self.branch(first.test, taken, labels.next)
                self.b.begin(taken)
                self.count(first.test)
            self._generate(rest, element)

        self.for_each(first, body)

    def _sum(self, e: n.Fold, total: str) -> None:
        interval = self.unit.intervals.of(e)  # of all partial sums; at a limit of TOP if some may not fit
        may_overflow = interval.lo == TOP.lo or interval.hi == TOP.hi

        def add() -> None:
            value = self.value(e.element)
            self.b.store(self.arithmetic.checked("add", self.b.load(total), value, may_overflow), total)

        self.b.store("0", total)
        self._generate(e.generators, add)

    def _any_or_all(self, e: n.Fold, result: str, done: str) -> None:
        looked_for = e.op is n.FoldOp.ANY

        def test() -> None:
            found, onward = self.b.name("found"), self.b.name("b")
            self.branch(e.element, *((found, onward) if looked_for else (onward, found)))
            self.b.begin(found)
            self.b.store(str(int(looked_for)), result)
            self.b.jump(done)
            self.b.begin(onward)

        self.b.store(str(int(not looked_for)), result)
        self._generate(e.generators, test)

    def _extremum(self, e: n.Fold, best: str) -> None:
        b, some = self.b, self.b.slot("i1")
        name, worst = ("smin", INT_MAX) if e.op is n.FoldOp.MIN else ("smax", INT_MIN)

        def improve() -> None:
            value = self.value(e.element)
            b.store(b.let(f"call i64 @llvm.{name}.i64(i64 {b.load(best)}, i64 {value})"), best)
            b.store("true", some, "i1")

        b.store(str(worst), best)
        b.store("false", some, "i1")
        self._generate(e.generators, improve)
        nothing = b.let(f"xor i1 {b.load(some, 'i1')}, true")
        if e.default is None:
            self.arithmetic.fault_if(nothing, FaultKind.EMPTY)
            return
        empty, done = b.name("empty"), b.name("done")
        b.fork(nothing, empty, done)
        b.begin(empty)
        b.store(self.value(e.default), best)
        b.begin(done)


_VALUE: dict[type[n.Node], Callable[[Expressions, Any], str]] = {
    n.Const: Expressions._const,
    n.Local: Expressions._local,
    n.Read: Expressions._read,
    n.Table: Expressions._table,
    n.Unary: Expressions._unary,
    n.Binary: Expressions._binary,
    n.And: Expressions._until,
    n.Or: Expressions._until,
    n.Conditional: Expressions._conditional,
    n.Call: Expressions._call,
    n.Fold: Expressions._fold,
}
