"""What a command does, and what a predicate says, as terms: all ways through the code at once.

Code is run on terms. If it branches, both ways are run, each under its condition, and what differs is chosen by that
condition afterwards. Loops are unrolled, functions inlined. Code that this cannot follow has no summary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from asset.analysis.symmetry.prime_implicants import PrimeImplicants
from asset.analysis.symmetry.relations import compared, extremum
from asset.analysis.symmetry.terms import Beyond, Term, Terms
from asset.analysis.values import interval as i
from asset.analysis.values.linear import tabulated
from asset.analysis.watch import Watch
from asset.ir import nodes as n
from asset.ir.faults import Fault
from asset.ir.interpreter import binary_value, unary_value
from asset.ir.program import Family, Program, Style
from asset.ir.requirements import Predicate
from asset.span import Span

MOST_ROUNDS = 256
"""Of a loop whose number of rounds depends on the state."""

MOST_STEPS = 200_000

COMMUTATIVE = frozenset({n.BinaryOp.MUL, n.BinaryOp.AND, n.BinaryOp.OR, n.BinaryOp.XOR, n.BinaryOp.MIN, n.BinaryOp.MAX})


@dataclass(frozen=True, slots=True)
class TermSummary:
    """If `fault` holds, a model error occurs. Else the command is disabled unless `guard` holds, and then each cell
    of `updates` becomes that number; of a predicate, `guard` is that it holds."""

    guard: Term
    fault: Term
    updates: Mapping[int, Term]


Traced = list[tuple[Span, int | None, Term]]
"""Comparisons as they were made, and assignments with the cell: the place, and the condition or the number."""


@dataclass(slots=True)
class _TermFrame:
    """The locals of one call, None if they have no value yet. `outer` is the condition of being called. `latest` are
    the last assignments to locals: the path there, and the value."""

    locals: list[Term | None]
    outer: Term
    result: Term | None = None
    latest: dict[int, tuple[Term, Term]] = field(default_factory=dict)


@dataclass(slots=True)
class _LoopExits:
    broken: Term
    continued: Term


class Summarizer:
    """Raises Beyond if code cannot be followed, OutOfTime if there is no time to."""

    def __init__(self, program: Program, terms: Terms, watch: Watch | None = None) -> None:
        self.watch = watch or Watch()
        self.program = program
        self.terms = terms
        self.cells = terms.cells
        self.prime_implicants = PrimeImplicants(terms, self.watch)

    def command(self, family: Family, indices: tuple[int, ...]) -> TermSummary:
        return self._command(_MergedExecution(self), family, indices)

    def predicate(self, predicate: Predicate) -> TermSummary:
        return self._predicate(_MergedExecution(self), predicate)

    def traced_command(self, family: Family, indices: tuple[int, ...]) -> Traced:
        run = _MergedExecution(self)
        self._command(run, family, indices)
        return run.traced

    def traced_predicate(self, predicate: Predicate) -> Traced:
        run = _MergedExecution(self)
        self._predicate(run, predicate)
        return run.traced

    def _command(self, run: _MergedExecution, family: Family, indices: tuple[int, ...]) -> TermSummary:
        self.terms.begin()
        result = run.call(family.function, [self.terms.constant(k) for k in indices], self.terms.true)
        if family.style is Style.FIRE:
            fires = self.terms.truth(result)
            run.fails(self.terms.both(self.terms.negation(fires), run.changed()))
            run.require(fires, self.terms.true)
        return TermSummary(run.guard, run.fault, run.updates())

    def _predicate(self, run: _MergedExecution, predicate: Predicate) -> TermSummary:
        self.terms.begin()
        result = run.call(predicate.function, [], self.terms.true)
        holds = self.terms.zero(result) if predicate.messages else self.terms.truth(result)
        return TermSummary(holds, run.fault, {})


@dataclass
class _MergedExecution:
    """One piece of code being run. `store` has the cells that were assigned to; paths are conditions of being there,
    from the beginning of the call on and given that no `when` was false."""

    of: Summarizer
    store: dict[int, Term] = field(default_factory=dict)
    loops: list[_LoopExits] = field(default_factory=list)
    traced: Traced = field(default_factory=list)
    steps: int = MOST_STEPS
    _paths: dict[tuple[Term, Term], Term] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.program = self.of.program
        self.terms = self.of.terms
        self.guard = self.terms.true
        self.fault = self.terms.false

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

    def call(self, function: int, args: list[Term], outer: Term) -> Term:
        code = self.program.functions[function]
        if code.opaque:
            raise Beyond
        frame = _TermFrame([*args, *[None] * (len(code.slots) - len(args))], outer)
        loops, self.loops = self.loops, []
        ended = self._block(code.body, frame, self.terms.true)
        self.loops = loops
        nothing = self.terms.constant(0)
        return nothing if frame.result is None else self.terms.choose(ended, nothing, frame.result)

    # --- statements: from the path before to the path after --------------------------------------------------------

    def _block(self, body: tuple[n.Stmt, ...], frame: _TermFrame, path: Term) -> Term:
        for statement in body:
            self.of.watch.tick()
            self.steps -= 1
            if self.steps < 0:
                raise Beyond
            if path == self.terms.false or frame.outer == self.terms.false:
                return self.terms.false
            path = _EXECUTE[type(statement)](self, statement, frame, path)
        return path

    def _here(self, frame: _TermFrame, path: Term) -> Term:
        """The path from the beginning of the command on."""
        if (frame.outer, path) not in self._paths:
            self._paths[frame.outer, path] = self.terms.both(frame.outer, path)
        return self._paths[frame.outer, path]

    def _set_local(self, s: n.SetLocal, frame: _TermFrame, path: Term) -> Term:
        self._assign(frame, s.slot, self._value(s.value, frame, path), path)
        return path

    def _assign(self, frame: _TermFrame, slot: int, value: Term, path: Term) -> None:
        before = frame.locals[slot]
        frame.locals[slot] = value if before is None else self.terms.choose(path, value, before)
        frame.latest[slot] = path, value

    def _set_state(self, s: n.SetState, frame: _TermFrame, path: Term) -> Term:
        t, here = self.terms, self._here(frame, path)
        value = self._value(s.value, frame, path)
        for condition, cell in self._places(s.variable, s.indices, frame, path):
            self.traced.append((s.span, cell, value))
            self.fails(t.both(here, condition, self._out_of_range(cell, value)))
            self.store[cell] = t.choose(t.both(here, condition), value, self._current(cell))
        return path

    def _out_of_range(self, cell: int, value: Term) -> Term:
        t, kind = self.terms, self.of.cells.variables[cell].type
        bounds = t.interval(value)
        if bounds.hi - bounds.lo < 256:
            wrong = [x for x in range(bounds.lo, bounds.hi + 1) if x not in kind]
            return t.either(*(t.zero(t.minus(value, t.constant(x))) for x in wrong))
        if any(x not in kind for x in range(kind.lo, min(kind.hi, kind.lo + 1024))):
            raise Beyond  # an enumeration with gaps, and too many values to go through
        return t.either(self._less(value, kind.lo), t.positive(t.minus(value, t.constant(kind.hi))))

    def _less(self, value: Term, bound: int) -> Term:
        return self.terms.positive(self.terms.minus(self.terms.constant(bound), value))

    def _if(self, s: n.If, frame: _TermFrame, path: Term) -> Term:
        t, rest, ends, straight = self.terms, path, [], True
        for case in s.cases:
            test = t.truth(self._value(case.test, frame, rest))
            branch = t.both(rest, test)
            ends.append(self._block(case.body, frame, branch))
            straight = straight and ends[-1] == branch
            rest = t.both(rest, t.negation(test))
        ends.append(self._block(s.orelse, frame, rest))
        return path if straight and ends[-1] == rest else t.either(*ends)

    def _while(self, s: n.While, frame: _TermFrame, path: Term) -> Term:
        t, live, ended = self.terms, path, list[Term]()
        self.loops.append(_LoopExits(t.false, t.false))
        for _ in range(MOST_ROUNDS):
            if live == t.false:
                return t.either(*ended, self.loops.pop().broken)
            test = t.truth(self._value(s.test, frame, live))
            ended.append(t.both(live, t.negation(test)))
            live = self._round(s.body, frame, t.both(live, test))
        raise Beyond

    def _round(self, body: tuple[n.Stmt, ...], frame: _TermFrame, path: Term) -> Term:
        """Runs the body of the innermost loop once; the path into the next round."""
        self.loops[-1].continued = self.terms.false
        after = self._block(body, frame, path)
        return self.terms.either(after, self.loops[-1].continued)

    def _for(self, s: n.For, frame: _TermFrame, path: Term) -> Term:
        t, live, ended, straight = self.terms, path, [], True
        last = frame.locals[s.slot]
        self.loops.append(_LoopExits(t.false, t.false))
        for counter, reached in self._rounds(s, frame, path):
            into = t.both(live, reached)
            ended.append(t.both(live, t.negation(reached)))
            frame.locals[s.slot] = counter  # in the body; it need not be chosen by the path into it
            frame.latest.pop(s.slot, None)
            live = self._round(s.body, frame, into)
            last = counter if last is None else t.choose(into, counter, last)
            straight = straight and live == into
        frame.locals[s.slot] = last
        frame.latest.pop(s.slot, None)
        broken = self.loops.pop().broken
        return path if straight and broken == t.false else t.either(live, broken, *ended)

    def _rounds(self, loop: n.For | n.Generator, frame: _TermFrame, path: Term) -> Iterator[tuple[Term, Term]]:
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

    def _break(self, s: n.Break, frame: _TermFrame, path: Term) -> Term:
        self.loops[-1].broken = self.terms.either(self.loops[-1].broken, path)
        return self.terms.false

    def _continue(self, s: n.Continue, frame: _TermFrame, path: Term) -> Term:
        self.loops[-1].continued = self.terms.either(self.loops[-1].continued, path)
        return self.terms.false

    def _return(self, s: n.Return, frame: _TermFrame, path: Term) -> Term:
        value = self.terms.constant(0) if s.value is None else self._value(s.value, frame, path)
        frame.result = value if frame.result is None else self.terms.choose(path, value, frame.result)
        return self.terms.false

    def _when(self, s: n.When, frame: _TermFrame, path: Term) -> Term:
        test = self.terms.truth(self._value(s.test, frame, path))
        self.require(test, self._here(frame, path))
        return self.terms.false if test == self.terms.false else path

    def _fail(self, s: n.Fail, frame: _TermFrame, path: Term) -> Term:
        for part in s.message:
            if not isinstance(part, str):
                self._value(part, frame, path)
        self.fails(self._here(frame, path))
        return self.terms.false

    def _evaluate(self, s: n.Evaluate, frame: _TermFrame, path: Term) -> Term:
        self._value(s.value, frame, path)
        return path

    # --- expressions --------------------------------------------------------------------------------------------

    def _value(self, e: n.Expr, frame: _TermFrame, path: Term) -> Term:
        return _VALUE[type(e)](self, e, frame, path)

    def _local(self, e: n.Local, frame: _TermFrame, path: Term) -> Term:
        value = frame.locals[e.slot]
        assigned, latest = frame.latest.get(e.slot, (self.terms.false, None))
        if latest is not None and self.terms.both(path, assigned) == path:
            return latest  # every way to here leads through that assignment, and through no later one
        return self.terms.constant(0) if value is None else value

    def _current(self, cell: int) -> Term:
        return self.store[cell] if cell in self.store else self.terms.value_of(cell)

    def _read(self, e: n.Read, frame: _TermFrame, path: Term) -> Term:
        places = list(self._places(e.variable, e.indices, frame, path))
        if e.before:
            return self.terms.cases((condition, self.terms.value_of(cell)) for condition, cell in places)
        return self.terms.cases((condition, self._there(cell, condition, frame, path)) for condition, cell in places)

    def _there(self, cell: int, condition: Term, frame: _TermFrame, path: Term) -> Term:
        """The value of the cell as it is read here."""
        known = self.terms.presence.get(cell)
        if known is None or cell in self.store or known.by in self.store:
            return self._current(cell)
        absent = self.terms.within(cell, known.absent)
        here = self.terms.both(self.guard, self._here(frame, path), condition, absent)
        return self.terms.name_in(cell) if here == self.terms.false else self._current(cell)

    def _places(
        self, variable: int, indices: tuple[n.Expr, ...], frame: _TermFrame, path: Term
    ) -> list[tuple[Term, int]]:
        offset = self.program.offsets[variable]
        dims = self.program.variables[variable].dims
        return [(c, offset + at) for c, at in self._elements(dims, indices, frame, path)]

    def _elements(
        self, dims: tuple[int, ...], indices: tuple[n.Expr, ...], frame: _TermFrame, path: Term
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

    def _table(self, e: n.Table, frame: _TermFrame, path: Term) -> Term:
        t = self.terms
        return t.cases((c, t.constant(e.values[at])) for c, at in self._elements(e.dims, e.indices, frame, path))

    def _unary(self, e: n.Unary, frame: _TermFrame, path: Term) -> Term:
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

    def _binary(self, e: n.Binary, frame: _TermFrame, path: Term) -> Term:
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

    def _and(self, e: n.And, frame: _TermFrame, path: Term) -> Term:
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

    def _or(self, e: n.Or, frame: _TermFrame, path: Term) -> Term:
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

    def _conditional(self, e: n.Conditional, frame: _TermFrame, path: Term) -> Term:
        t = self.terms
        test = t.truth(self._value(e.test, frame, path))
        if test in (t.true, t.false):
            return self._value(e.then if test == t.true else e.orelse, frame, path)
        then = self._value(e.then, frame, t.both(path, test))
        orelse = self._value(e.orelse, frame, t.both(path, t.negation(test)))
        return t.choose(test, then, orelse)

    def _call(self, e: n.Call, frame: _TermFrame, path: Term) -> Term:
        args = [self._value(a, frame, path) for a in e.args]
        return self.call(e.function, args, self._here(frame, path))

    # --- folds --------------------------------------------------------------------------------------------------

    def _fold(self, e: n.Fold, frame: _TermFrame, path: Term) -> Term:
        match e.op:
            case n.FoldOp.ANY | n.FoldOp.ALL:
                return self._quantified(e, frame, path)
            case n.FoldOp.SUM:
                return self._total(e, frame, path)
            case _:
                return self._extremum(e, frame, path)

    def _quantified(self, e: n.Fold, frame: _TermFrame, path: Term) -> Term:
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

    def _total(self, e: n.Fold, frame: _TermFrame, path: Term) -> Term:
        t, total = self.terms, self.terms.constant(0)
        for reached in self._generate(e.generators, frame, lambda: path):
            value = self._value(e.element, frame, t.both(path, reached))
            total = t.plus(total, t.choose(reached, value, t.constant(0)))
            if not t.interval(total).fits:
                raise Beyond
        return total

    def _extremum(self, e: n.Fold, frame: _TermFrame, path: Term) -> Term:
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
        self, generators: tuple[n.Generator, ...], frame: _TermFrame, path: Callable[[], Term]
    ) -> Iterator[Term]:
        """The condition that each combination of the generators is reached, with their slots set."""
        t = self.terms
        if not generators:
            yield t.true
            return
        first, rest = generators[0], generators[1:]
        for counter, reached in self._rounds(first, frame, path()):
            self.of.watch.tick()
            self.steps -= 1
            if self.steps < 0:
                raise Beyond
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


_EXECUTE: dict[type[n.Node], Callable[[_MergedExecution, Any, _TermFrame, Term], Term]] = {
    n.SetLocal: _MergedExecution._set_local,
    n.SetState: _MergedExecution._set_state,
    n.If: _MergedExecution._if,
    n.While: _MergedExecution._while,
    n.For: _MergedExecution._for,
    n.Break: _MergedExecution._break,
    n.Continue: _MergedExecution._continue,
    n.Return: _MergedExecution._return,
    n.When: _MergedExecution._when,
    n.Fail: _MergedExecution._fail,
    n.Evaluate: _MergedExecution._evaluate,
}

_VALUE: dict[type[n.Node], Callable[[_MergedExecution, Any, _TermFrame, Term], Term]] = {
    n.Const: lambda self, e, frame, path: self.terms.constant(e.value),
    n.Local: _MergedExecution._local,
    n.Read: _MergedExecution._read,
    n.Table: _MergedExecution._table,
    n.Unary: _MergedExecution._unary,
    n.Binary: _MergedExecution._binary,
    n.And: _MergedExecution._and,
    n.Or: _MergedExecution._or,
    n.Conditional: _MergedExecution._conditional,
    n.Call: _MergedExecution._call,
    n.Fold: _MergedExecution._fold,
}
