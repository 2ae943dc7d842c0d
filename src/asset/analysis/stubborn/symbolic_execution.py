"""Running code of the IR on symbolic values: what it does along one `SymbolicRun`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from asset.analysis.stubborn import symbolic_operators as operators
from asset.analysis.stubborn.queues import Queue, Queues
from asset.analysis.stubborn.runs import Opaque, SymbolicRun
from asset.analysis.stubborn.symbolic_values import Appended, Symbolic, Truth, UnknownValue, Value, cells_of
from asset.analysis.values.interval import Interval
from asset.analysis.values.linear import Linear
from asset.ir import nodes as n
from asset.ir.evaluation import CallFrame, Completion, Evaluator
from asset.ir.faults import Fault, FaultKind
from asset.ir.program import Program
from asset.ir.types import ScalarType
from asset.span import NOWHERE, Span

SymbolicFrame = CallFrame[Symbolic]


class SymbolicExecution(Evaluator[Symbolic]):
    """Executes functions of a program along a run. Raises CommandDisabled, Fault or Opaque if the run ends so."""

    run: SymbolicRun
    apart: frozenset[n.Node] = frozenset()
    """Conjunctions, or disjunctions, of which a run looks at one part only; there is a run for each. That one of their
    parts is false, or true, is all that is asked of them."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.queues = Queues(program)

    def along(self, run: SymbolicRun) -> SymbolicExecution:
        """This, executing along another run from now on."""
        self.run = run
        return self

    def _run(self, function: int, args: list[Value]) -> Value:
        return self.run.simplified(super()._run(function, args))

    def _call(self, e: n.Call, frame: SymbolicFrame) -> Value:
        args = [self._value(a, frame) for a in e.args]
        callee = self.program.functions[e.function]
        if callee.opaque:
            raise Opaque(callee.opaque, e.span)
        here = self.run.here
        self.run.step(e.span)
        result = self._run(e.function, args)
        self.run.here = here
        return result

    def _and(self, e: n.And, frame: SymbolicFrame) -> Value:
        if e in self.apart:
            return self._one_of(e.operands, frame)
        return self._at_once(e, frame, decisive=False) if _only_looks(e) else super()._and(e, frame)

    def _or(self, e: n.Or, frame: SymbolicFrame) -> Value:
        if e in self.apart:
            return self._one_of(e.operands, frame)
        return self._at_once(e, frame, decisive=True) if _only_looks(e) else super()._or(e, frame)

    def _at_once(self, e: n.And | n.Or, frame: SymbolicFrame, *, decisive: bool) -> Value:
        """The value of operands that do no harm if they are looked at in vain. What is not known of them is one thing
        that is not known: a way for each would be of no use."""
        unknown = list[Value]()
        for operand in e.operands:
            value = self.run.simplified(self._value(operand, frame))
            if isinstance(value, UnknownValue):
                unknown.append(value)
            elif self.run.true(value) is decisive:
                return int(decisive)
        return self.run.unknown(unknown, Interval(0, 1), faulty=False) if unknown else int(not decisive)

    def _one_of(self, operands: tuple[n.Expr, ...], frame: SymbolicFrame) -> Value:
        return self._value(operands[self.run.choose(len(operands))], frame)

    def _quantified(self, e: n.Fold, frame: SymbolicFrame) -> int:
        if e not in self.apart:
            return super()._quantified(e, frame)
        for _ in self._generate(e.generators, frame):
            if self.run.choose(2) == 0:
                return int(self._test(e.element, frame))
        return int(e.op is n.FoldOp.ALL)

    def _reached(self, node: n.Stmt | n.Case | n.Generator) -> None:
        if isinstance(node, n.Case):
            self.run.here = node.test.span
        else:
            self.run.step(node.span)

    def _fail(self, s: n.Fail, frame: SymbolicFrame) -> Completion:
        raise Fault(s.kind, s.span, "")

    # --- cells --------------------------------------------------------------------------------------------------

    def _get(self, cell: int) -> Value:
        value = self.run.current(cell)
        return UnknownValue(value.cells, value.interval) if isinstance(value, Appended) else value

    def _get_before(self, cell: int) -> Value:
        return self.run.before(cell)

    def _set(self, cell: int, value: Value, span: Span) -> None:
        self.run.store[cell] = self._in_range(cell, value)
        self.run.written_at.setdefault(cell, span)

    def _in_range(self, cell: int, value: Value) -> Value:
        """The value, which is one of the cell's type on this run."""
        kind = self._type(cell)
        value = self.run.settled(value)
        match value:
            case int():
                return _of_type(value, kind)
            case Linear() if value.only is not None:
                return self.run.pointwise(value, lambda x: _of_type(x, kind))
            case Linear() if not self._fits(cell, value) and self.run.few_cases(value):
                return _of_type(self.run.concrete(value), kind)
        if self._fits(cell, value):
            return value
        bounds = self.run.interval(value).meet(Interval(kind.lo, kind.hi))
        if bounds is None:
            raise _out_of_range()
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

    def _set_state(self, s: n.SetState, frame: SymbolicFrame) -> Completion:
        if not self.queues.holds_items(s.variable):
            return super()._set_state(s, frame)
        value = self._value(s.value, frame)
        *indices, place = (self._value(index, frame) for index in s.indices)
        variable = self.program.variables[s.variable]
        element = self._element(variable.dims[:-1], indices, variable.name, s.span)
        queue = self.queues.at(s.variable, element)
        first = self.program.offsets[s.variable] + element * variable.dims[-1]
        places = range(first, first + variable.dims[-1])
        if queue is None or not self._put(queue, places, self.run.simplified(place), value, s.span):
            self._set(first + self._element(variable.dims[-1:], [place], variable.name, s.span), value, s.span)
        return Completion.NEXT

    def _put(self, queue: Queue, places: range, place: Value, value: Value, span: Span) -> bool:
        """Puts the value behind the last item of the queue, if that is what the place is, whatever its length may be;
        else False."""
        run = self.run
        if not isinstance(place, Linear) or place != run.current(queue.length):
            return False
        lo, hi = run.interval(place)
        cells = places[lo : hi + 1]
        if lo < 0 or hi >= len(places) or not all(isinstance(run.store.get(c), Appended | None) for c in cells):
            return False
        value = self._in_range(cells[0], value)
        put = run.interval(value)
        for cell in cells:
            earlier = run.store.get(cell)
            known = earlier if isinstance(earlier, Appended) else Appended(frozenset(), put, put=put)
            reads = known.cells | cells_of(value) | {cell, queue.length}
            run.store[cell] = Appended(reads, self._whole(cell), put=known.put.hull(put))
            run.written_at.setdefault(cell, span)
        return True

    def _whole(self, cell: int) -> Interval:
        kind = self._type(cell)
        return Interval(kind.lo, kind.hi)

    def _element(self, dims: tuple[int, ...], indices: list[Value], name: str, span: Span) -> int:
        at = 0
        for size, value in zip(dims, indices, strict=True):
            index = self.run.concrete(value, size)
            if index < 0:
                raise _out_of_range()
            at = at * size + index
        return at

    # --- values -------------------------------------------------------------------------------------------------

    def _true(self, value: Value) -> bool:
        return self.run.true(value)

    def _found_true(self, value: Value) -> Value:
        return 1 if isinstance(value, Truth) else self.run.simplified(value)

    def _integer(self, value: Value) -> int:
        return self.run.concrete(value)

    def _local(self, e: n.Local, frame: SymbolicFrame) -> Value:
        return self.run.simplified(frame.locals[e.slot])

    def _table(self, e: n.Table, frame: SymbolicFrame) -> Value:
        indices = [self.run.settled(self._value(index, frame)) for index in e.indices]
        if len(indices) == 1:
            index = indices[0]
            if isinstance(index, Linear) and index.only is not None:
                return self.run.pointwise(index, lambda x: _looked_up(e, x))
        return e.values[self._element(e.dims, indices, e.name, e.span)]

    def _unary_value(self, e: n.Unary, value: Value) -> Value:
        return operators.unary(self.run, e, value)

    def _binary_value(self, e: n.Binary, left: Value, right: Value) -> Value:
        return operators.binary(self.run, e, left, right)

    def _sum(self, e: n.Fold, elements: Iterable[Value]) -> Value:
        total: Value = 0
        for element in elements:
            total = operators.added(self.run, total, element)
        return total

    def _extremum(self, e: n.Fold, elements: list[Value]) -> Value:
        result = elements[0]
        for element in elements[1:]:
            result = operators.extremum(self.run, result, element, least=e.op is n.FoldOp.MIN)
        return result


@lru_cache(maxsize=65536)
def _only_looks(e: n.Expr) -> bool:
    """Whether the expression compares variables with each other or with numbers, and nothing else: then it is no model
    error, and of the kind 0 or 1."""
    match e:
        case n.And(operands=operands) | n.Or(operands=operands):
            return all(map(_only_looks, operands))
        case n.Unary(op=n.UnaryOp.NOT, operand=operand):
            return _only_looks(operand)
        case n.Binary(op=op, left=left, right=right) if op in n.COMPARISONS:
            return all(map(_is_plain, (left, right)))
    return False


def _is_plain(e: n.Expr) -> bool:
    return isinstance(e, n.Const | n.Local) or (isinstance(e, n.Read) and not e.indices)


def _of_type(value: int, kind: ScalarType) -> int:
    if value not in kind:
        raise _out_of_range()
    return value


def _looked_up(e: n.Table, index: int) -> int:
    if not 0 <= index < e.dims[0]:
        raise _out_of_range()
    return e.values[index]


def _out_of_range() -> Fault:
    """Analyses do not tell model errors apart."""
    return Fault(FaultKind.RANGE, NOWHERE, "")
