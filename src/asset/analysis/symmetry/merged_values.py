"""Expressions evaluated to terms, on the way that code is run on: under the condition of being there."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from asset.analysis.symmetry.relations import compared, extremum
from asset.analysis.symmetry.terms import Beyond, Term, Terms
from asset.analysis.values import interval as i
from asset.analysis.values.linear import tabulated
from asset.analysis.watch import Watch
from asset.ir import nodes as n
from asset.ir.faults import Fault
from asset.ir.interpreter import binary_value, unary_value
from asset.ir.program import Program
from asset.span import Span

MOST_ROUNDS = 256
"""Of a loop whose number of rounds depends on the state."""

MOST_STEPS = 200_000

COMMUTATIVE = frozenset({n.BinaryOp.MUL, n.BinaryOp.AND, n.BinaryOp.OR, n.BinaryOp.XOR, n.BinaryOp.MIN, n.BinaryOp.MAX})


Traced = list[tuple[Span, int | None, Term]]
"""Comparisons as they were made, and assignments with the cell: the place, and the condition or the number."""


@dataclass(slots=True)
class TermFrame:
    """The locals of one call, None if they have no value yet. `outer` is the condition of being called. `latest` are
    the last assignments to locals: the path there, and the value."""

    locals: list[Term | None]
    outer: Term
    result: Term | None = None
    latest: dict[int, tuple[Term, Term]] = field(default_factory=dict)


@dataclass
class MergedValues(ABC):
    """What is known while one piece of code is run. `store` has the cells that were assigned to; paths are conditions
    of being there, from the beginning of the call on and given that no `when` was false."""

    program: Program
    terms: Terms
    watch: Watch
    store: dict[int, Term] = field(default_factory=dict)
    traced: Traced = field(default_factory=list)
    steps: int = MOST_STEPS
    _paths: dict[tuple[Term, Term], Term] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.guard = self.terms.true
        self.fault = self.terms.false

    @abstractmethod
    def call(self, function: int, args: list[Term], outer: Term) -> Term:
        """What the function returns, called under the condition `outer`."""

    # --- what is found out --------------------------------------------------------------------------------------

    def fails(self, condition: Term) -> None:
        """A model error occurs if the condition holds and no `when` was false before."""
        if condition != self.terms.false:
            self.fault = self.terms.either(self.fault, self.terms.both(self.guard, condition))

    def require(self, condition: Term, path: Term) -> None:
        self.guard = self.terms.both(self.guard, self.terms.either(self.terms.negation(path), condition))

    def changed(self) -> Term:
        t = self.terms
        return t.either(*(t.truth(t.minus(new, t.value_of(cell))) for cell, new in self.updates().items()))

    def updates(self) -> dict[int, Term]:
        return {cell: new for cell, new in self.store.items() if new != self.terms.value_of(cell)}

    def _count_step(self) -> None:
        self.watch.tick()
        self.steps -= 1
        if self.steps < 0:
            raise Beyond

    def _here(self, frame: TermFrame, path: Term) -> Term:
        """The path from the beginning of the command on."""
        if (frame.outer, path) not in self._paths:
            self._paths[frame.outer, path] = self.terms.both(frame.outer, path)
        return self._paths[frame.outer, path]

    def _less(self, value: Term, bound: int) -> Term:
        return self.terms.positive(self.terms.minus(self.terms.constant(bound), value))

    def _rounds(self, loop: n.For | n.Generator, frame: TermFrame, path: Term) -> Iterator[tuple[Term, Term]]:
        """The loop's counter in each round, and the condition that the round is reached."""
        t = self.terms
        start, stop, step = (self._value(e, frame, path) for e in (loop.start, loop.stop, loop.step))
        first, size = t.known(start), t.known(step)
        if first is None or not size:
            raise Beyond
        bounds = t.interval(stop)
        numbers = range(first, bounds.hi if size > 0 else bounds.lo, size)
        if len(numbers) > MOST_ROUNDS and t.known(stop) is None:
            raise Beyond
        for number in numbers:
            to_go = t.minus(stop, t.constant(number))
            yield t.constant(number), t.positive(to_go if size > 0 else t.times(to_go, -1))

    # --- expressions --------------------------------------------------------------------------------------------

    def _value(self, e: n.Expr, frame: TermFrame, path: Term) -> Term:
        return _VALUE[type(e)](self, e, frame, path)

    def _local(self, e: n.Local, frame: TermFrame, path: Term) -> Term:
        value = frame.locals[e.slot]
        assigned, latest = frame.latest.get(e.slot, (self.terms.false, None))
        if latest is not None and self.terms.both(path, assigned) == path:
            return latest  # every way to here leads through that assignment, and through no later one
        return self.terms.constant(0) if value is None else value

    def _current(self, cell: int) -> Term:
        return self.store[cell] if cell in self.store else self.terms.value_of(cell)

    def _read(self, e: n.Read, frame: TermFrame, path: Term) -> Term:
        places = list(self._places(e.variable, e.indices, frame, path))
        if e.before:
            return self.terms.cases((condition, self.terms.value_of(cell)) for condition, cell in places)
        return self.terms.cases((condition, self._there(cell, condition, frame, path)) for condition, cell in places)

    def _there(self, cell: int, condition: Term, frame: TermFrame, path: Term) -> Term:
        """The value of the cell as it is read here."""
        known = self.terms.presence.get(cell)
        if known is None or cell in self.store or known.by in self.store:
            return self._current(cell)
        absent = self.terms.within(cell, known.absent)
        here = self.terms.both(self.guard, self._here(frame, path), condition, absent)
        return self.terms.name_in(cell) if here == self.terms.false else self._current(cell)

    def _places(
        self, variable: int, indices: tuple[n.Expr, ...], frame: TermFrame, path: Term
    ) -> list[tuple[Term, int]]:
        offset = self.program.offsets[variable]
        dims = self.program.variables[variable].dims
        return [(c, offset + at) for c, at in self._elements(dims, indices, frame, path)]

    def _elements(
        self, dims: tuple[int, ...], indices: tuple[n.Expr, ...], frame: TermFrame, path: Term
    ) -> list[tuple[Term, int]]:
        """The elements of an array that the indices can mean, each with the condition that it is the one."""
        t, found = self.terms, [(self.terms.true, 0)]
        values = [self._value(index, frame, path) for index in indices]
        for size, value in zip(dims, values, strict=True):
            bounds = t.interval(value)
            if bounds.lo < 0 or bounds.hi >= size:
                outside = t.either(self._less(value, 0), t.negation(self._less(value, size)))
                self.fails(t.both(self._here(frame, path), outside))
            within = range(max(0, bounds.lo), min(size, bounds.hi + 1))
            options = [(t.zero(t.minus(value, t.constant(k))), k) for k in within]
            found = [(t.both(c, o), at * size + k) for c, at in found for o, k in options if t.both(c, o) != t.false]
            if not found:
                raise Beyond  # there is no such element at all: nothing can be said of its value
        return found

    def _table(self, e: n.Table, frame: TermFrame, path: Term) -> Term:
        t = self.terms
        return t.cases((c, t.constant(e.values[at])) for c, at in self._elements(e.dims, e.indices, frame, path))

    def _unary(self, e: n.Unary, frame: TermFrame, path: Term) -> Term:
        t, operand = self.terms, self._value(e.operand, frame, path)
        known, cell = t.known(operand), t.only_cell(operand)
        if e.op is n.UnaryOp.NOT:
            return t.atom(t.zero(operand))
        if known is not None or cell is not None:
            return self._pointwise([operand], lambda xs: unary_value(e, xs[0]), self._here(frame, path))
        if e.op is n.UnaryOp.INVERT:
            return t.minus(t.constant(-1), operand)
        bounds = i.unary(e.op, t.interval(operand))
        if e.op is n.UnaryOp.NEGATE and bounds.fits:
            return t.times(operand, -1)
        return self._operator(e.op.value, [operand], bounds, self._here(frame, path))

    def _pointwise(self, operands: list[Term], function: Callable[[list[int]], int], here: Term) -> Term:
        """A function of constants and functions of the same cell."""
        t = self.terms
        cell = next((c for c in map(t.only_cell, operands) if c is not None), None)
        size = 1 if cell is None else len(t.cells.domains[cell] or ())
        tables = [t.results(x) if t.known(x) is None else [t.known(x) or 0] * size for x in operands]
        weights, faulty = tabulated(lambda k: function([table[k] for table in tables]), range(size), size)
        if cell is None:
            self.fails(here if faulty else t.false)
            return t.constant(weights[0])
        self.fails(t.both(here, t.within(cell, faulty)))
        return t.function_of(cell, weights)

    def _binary(self, e: n.Binary, frame: TermFrame, path: Term) -> Term:
        a, b = self._value(e.left, frame, path), self._value(e.right, frame, path)
        result = self._of_constants(e, a, b)
        if result is None:
            result = self._applied(e, a, b, self._here(frame, path))
        if e.op in n.COMPARISONS:
            self.traced.append((e.span, None, result))
        return result

    def _of_constants(self, e: n.Binary, a: Term, b: Term) -> Term | None:
        left, right = self.terms.known(a), self.terms.known(b)  # in loops over messages most operations are of these
        with suppress(Fault):
            return None if left is None or right is None else self.terms.constant(binary_value(e, left, right))
        return None

    def _applied(self, e: n.Binary, a: Term, b: Term, here: Term) -> Term:
        t = self.terms
        cells = {c for x in (a, b) for c in [t.only_cell(x)] if c is not None}
        if len(cells) < 2 and all(t.known(x) is not None or t.only_cell(x) is not None for x in (a, b)):
            return self._pointwise([a, b], lambda xs: binary_value(e, *xs), here)
        if e.op in n.COMPARISONS:
            return t.atom(compared(t, e.op, a, b))
        bounds = i.binary(e.op, t.interval(a), t.interval(b))
        if bounds.fits:
            exact = self._exactly(e.op, a, b)
            if exact is not None:
                return exact
        if e.op in n.DIVISIONS:
            self.fails(t.both(here, t.zero(b)))
        if e.op in n.SHIFTS:
            self.fails(t.both(here, self._less(b, 0)))
        ordered = e.op not in COMMUTATIVE
        return self._by_cases(e, a, b, here) or self._operator(e.op.value, [a, b], bounds, here, ordered)

    def _exactly(self, op: n.BinaryOp, a: Term, b: Term) -> Term | None:
        t = self.terms
        left, right = t.known(a), t.known(b)
        if op in (n.BinaryOp.ADD, n.BinaryOp.SUB):
            return t.plus(a, b) if op is n.BinaryOp.ADD else t.minus(a, b)
        if op is n.BinaryOp.AND:
            return t.masked(b, left) if right is None else t.masked(a, right)
        if op is n.BinaryOp.MUL and left is not None:
            return t.times(b, left)
        if op is n.BinaryOp.MUL and right is not None:
            return t.times(a, right)
        return None

    def _by_cases(self, e: n.Binary, a: Term, b: Term, here: Term) -> Term | None:
        """The operator applied to each case of an operand that is a distinction of few cases."""
        t = self.terms
        left, right = t.cases_of(a), t.cases_of(b)
        if not 1 < len(left) * len(right) <= 64:
            return None
        pairs = [(t.both(c, d), x, y) for c, x in left for d, y in right]
        found = []
        for condition, x, y in pairs:
            if condition != t.false:
                found.append((condition, self._applied(e, x, y, t.both(here, condition))))
        return t.cases(found)

    def _operator(self, name: str, operands: list[Term], bounds: i.Interval, here: Term, ordered: bool = True) -> Term:
        """Something of which only the operands are known; an overflow of it is a model error."""
        t = self.terms
        result = t.bound(t.op(name, operands, ordered), bounds)
        if not bounds.fits:
            overflow = t.bound(t.op(f"overflow of {name}", operands, ordered), i.BOOLEAN)
            self.fails(t.both(here, t.truth(overflow)))
        return result

    def _and(self, e: n.And, frame: TermFrame, path: Term) -> Term:
        t = self.terms
        passed, truths = path, []
        for operand in e.operands[:-1]:
            truths.append(t.truth(self._value(operand, frame, passed)))
            passed = t.both(passed, truths[-1])
        last = self._value(e.operands[-1], frame, passed)
        condition = t.as_condition(last)
        if condition is not None:
            return t.atom(t.both(*truths, condition))
        return t.choose(t.both(*truths), last, t.constant(0))

    def _or(self, e: n.Or, frame: TermFrame, path: Term) -> Term:
        t = self.terms
        passed, values = path, []
        for operand in e.operands:
            values.append(self._value(operand, frame, passed))
            passed = t.both(passed, t.zero(values[-1]))
        conditions = [c for c in map(t.as_condition, values) if c is not None]
        if len(conditions) == len(values):
            return t.atom(t.either(*conditions))
        result = values[-1]
        for value in reversed(values[:-1]):
            result = t.choose(t.truth(value), value, result)
        return result

    def _conditional(self, e: n.Conditional, frame: TermFrame, path: Term) -> Term:
        t = self.terms
        test = t.truth(self._value(e.test, frame, path))
        if test in (t.true, t.false):
            return self._value(e.then if test == t.true else e.orelse, frame, path)
        then = self._value(e.then, frame, t.both(path, test))
        orelse = self._value(e.orelse, frame, t.both(path, t.negation(test)))
        return t.choose(test, then, orelse)

    def _call(self, e: n.Call, frame: TermFrame, path: Term) -> Term:
        args = [self._value(a, frame, path) for a in e.args]
        return self.call(e.function, args, self._here(frame, path))

    # --- folds --------------------------------------------------------------------------------------------------

    def _fold(self, e: n.Fold, frame: TermFrame, path: Term) -> Term:
        match e.op:
            case n.FoldOp.ANY | n.FoldOp.ALL:
                return self._quantified(e, frame, path)
            case n.FoldOp.SUM:
                return self._total(e, frame, path)
            case _:
                return self._extremum(e, frame, path)

    def _quantified(self, e: n.Fold, frame: TermFrame, path: Term) -> Term:
        """`any` and `all`: what comes after the first element that decides it is not evaluated."""
        t, found, going = self.terms, list[Term](), [path]
        for reached in self._generate(e.generators, frame, lambda: going[-1]):
            holds = t.truth(self._value(e.element, frame, t.both(going[-1], reached)))
            if e.op is n.FoldOp.ALL:
                holds = t.negation(holds)
            found.append(t.both(reached, holds))
            going.append(t.both(going[-1], t.negation(found[-1])))
        some = t.either(*found)
        return t.atom(some if e.op is n.FoldOp.ANY else t.negation(some))

    def _total(self, e: n.Fold, frame: TermFrame, path: Term) -> Term:
        t, total = self.terms, self.terms.constant(0)
        for reached in self._generate(e.generators, frame, lambda: path):
            value = self._value(e.element, frame, t.both(path, reached))
            total = t.plus(total, t.choose(reached, value, t.constant(0)))
            if not t.interval(total).fits:
                raise Beyond
        return total

    def _extremum(self, e: n.Fold, frame: TermFrame, path: Term) -> Term:
        t, found = self.terms, list[Term]()
        reached_if = []
        for reached in self._generate(e.generators, frame, lambda: path):
            reached_if.append(reached)
            found.append(self._value(e.element, frame, t.both(path, reached)))
        if any(reached != t.true for reached in reached_if):
            value, none = extremum(t, list(zip(reached_if, found, strict=True)), e.op is n.FoldOp.MIN)
            if e.default is None:
                self.fails(t.both(self._here(frame, path), none))
                return t.cases([*value, (none, t.constant(0))])
            return t.cases([*value, (none, self._value(e.default, frame, t.both(path, none)))])
        if not found and e.default is None:
            self.fails(self._here(frame, path))
            return t.constant(0)
        if not found and e.default is not None:
            return self._value(e.default, frame, path)
        known = [t.known(x) for x in found]
        least = e.op is n.FoldOp.MIN
        if len(set(found)) == 1:
            return found[0]
        if all(x is not None for x in known):
            constants = [x for x in known if x is not None]
            return t.constant(min(constants) if least else max(constants))
        choose = min if least else max
        bounds = [t.interval(x) for x in found]
        within = i.Interval(choose(b.lo for b in bounds), choose(b.hi for b in bounds))
        return self._operator(e.op.value, sorted(set(found)), within, self._here(frame, path), ordered=False)

    def _generate(
        self, generators: tuple[n.Generator, ...], frame: TermFrame, path: Callable[[], Term]
    ) -> Iterator[Term]:
        """The condition that each combination of the generators is reached, with their slots set."""
        t = self.terms
        if not generators:
            yield t.true
            return
        first, rest = generators[0], generators[1:]
        for counter, reached in self._rounds(first, frame, path()):
            self._count_step()
            frame.locals[first.slot] = counter
            for slot in (first.slot, *(bind.slot for bind in first.binds)):
                frame.latest.pop(slot, None)
            for bind in first.binds:
                frame.locals[bind.slot] = self._value(bind.value, frame, t.both(path(), reached))
            if first.test is not None:
                reached = t.both(reached, t.truth(self._value(first.test, frame, t.both(path(), reached))))
            if reached != t.false:
                for inner in self._generate(rest, frame, lambda here=reached: t.both(path(), here)):  # type: ignore[misc]
                    yield t.both(reached, inner)


_VALUE: dict[type[n.Node], Callable[[MergedValues, Any, TermFrame, Term], Term]] = {
    n.Const: lambda self, e, frame, path: self.terms.constant(e.value),
    n.Local: MergedValues._local,
    n.Read: MergedValues._read,
    n.Table: MergedValues._table,
    n.Unary: MergedValues._unary,
    n.Binary: MergedValues._binary,
    n.And: MergedValues._and,
    n.Or: MergedValues._or,
    n.Conditional: MergedValues._conditional,
    n.Call: MergedValues._call,
    n.Fold: MergedValues._fold,
}
