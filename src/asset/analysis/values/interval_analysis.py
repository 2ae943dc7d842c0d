"""Which values each expression can have: an abstract interpretation with intervals.

Forward and flow-sensitive. Facts are kept about local variables and about cells of the state whose indices are
constants or locals; tests refine them, assignments replace them, branches join them, loops widen them. A function is
interpreted once for each combination of argument intervals it is called with, and what is found of an expression is
the hull over all of them. A fault ends a run, so an expression's interval tells of those evaluations that succeed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from typing import Any

from asset.analysis.values.contexts import Called, context
from asset.analysis.values.facts import (
    Facts,
    Given,
    NamedCell,
    cell_of,
    forget_slot,
    forget_state,
    join,
    key_of,
)
from asset.analysis.values.interval import (
    BOOLEAN,
    FALSE,
    MIRRORED,
    NEGATED,
    TOP,
    Interval,
    binary,
    declared_ranges,
    hull_of,
    narrowed,
    spanning,
    unary,
)
from asset.analysis.values.places import ValuesAtPlaces
from asset.analysis.values.state_access import (
    assigned_variables,
    changes_state,
    indexing_slots,
    selecting_assignments,
    state_writers,
)
from asset.analysis.values.widening import thresholds, widen
from asset.ir import nodes as n
from asset.ir.faults import INT_MAX, INT_MIN
from asset.ir.program import Family, Program

# After so many rounds of a loop, bounds that still grow jump to the next constant of the program, then to infinity.
ROUNDS_BEFORE_THRESHOLDS, ROUNDS_BEFORE_INFINITY = 2, 6

# Where the heads of a loop are kept apart, each may grow so often besides: what is not known at once comes from others.
ROUNDS_OF_ONE_VALUE = 12


class Intervals:
    """What is known of each expression of a program, by the expression's identity."""

    def __init__(self, program: Program, found: dict[int, Interval]) -> None:
        self._program = program  # keeps the expressions, and so their identities, alive
        self._found = found

    def of(self, e: n.Expr) -> Interval:
        """All values the expression can have; of one that is never evaluated, all values there are."""
        return self._found.get(id(e), TOP)


def find_intervals(program: Program, ranges: Sequence[Interval] | None = None) -> Intervals:
    """Interprets every command, every rule, every property and the representative. `ranges` are the values that the
    cells of each variable have in all states in which they are run: those of its type unless they are given."""
    interpreter = AbstractInterpreter(program, ranges or declared_ranges(program))
    for family in program.families:
        interpreter.fire(family)
    interpreter.ask()
    return Intervals(program, interpreter.found)


class _Activation:
    """A function being interpreted: what it returned so far and, for each loop around, the facts at its jumps."""

    def __init__(self) -> None:
        self.returned: Interval | None = None
        self.breaks: list[list[Facts | None]] = []
        self.continues: list[list[Facts | None]] = []

    def returns(self, value: Interval) -> None:
        self.returned = value if self.returned is None else self.returned.hull(value)


class AbstractInterpreter:
    """Runs code on all states with values in the ranges at once. `found` are the values of expressions, by their
    identity; `stored` those that were assigned to each variable."""

    def __init__(self, program: Program, ranges: Sequence[Interval]) -> None:
        self.program = program
        self._types = declared_ranges(program)
        self.writes = assigned_variables(program)
        self.writers = state_writers(program)
        self.indexing = indexing_slots(program)
        self.thresholds = thresholds(program)
        self._changing: dict[int, bool] = {}
        self._binding: dict[int, frozenset[int]] = {}
        self._selecting: dict[int, bool] = {}
        """Whether a loop does what a local says."""
        self._ending_rounds: set[int] = set()
        """Of such loops, the assignments to the local after which the next round begins."""
        self._begin(ranges)

    def on(
        self, ranges: Sequence[Interval], places: tuple[ValuesAtPlaces, ValuesAtPlaces] | None = None
    ) -> AbstractInterpreter:
        """One for states with values in other ranges, which has found nothing yet. `places` are the values at places
        that are known, and those that are found."""
        other = copy(self)
        other._begin(ranges, places)
        return other

    def _begin(self, ranges: Sequence[Interval], places: tuple[ValuesAtPlaces, ValuesAtPlaces] | None = None) -> None:
        self._ranges = ranges
        self._places = places
        self._depth = 0  # of calls
        self._assigned: set[int] = set()  # the variables that the firing may have assigned to by now
        self.found: dict[int, Interval] = {}
        self.stored: dict[int, Interval] = {}
        self._settling = 0  # how many loops are not settled yet: what is seen meanwhile is not the final truth
        self._results: dict[Called, dict[tuple[Interval, ...], Interval]] = {}
        self._recorded: set[tuple[Called, tuple[Interval, ...]]] = set()
        self._here = _Activation()

    # --- functions ----------------------------------------------------------------------------------------------

    def fire(self, family: Family) -> None:
        """Interprets the commands of the family, and their rule."""
        if not family.size:
            return
        indices = tuple(spanning(r) for r in family.ranges)
        self.call(family.function, indices)
        if family.rule is not None:
            self.call(family.rule, indices)

    def ask(self) -> None:
        """Interprets what is asked of states and steps, and the representative."""
        for predicate in self.program.predicates:
            self.call(predicate.function, ())
        for of_step in self.program.step_predicates:
            for value in of_step.values:
                self.call(value, ())
            self.call(of_step.function, (TOP,) * len(of_step.values))
        if self.program.representative is not None:
            self.call(self.program.representative, ())

    def call(self, function: int, args: tuple[Interval, ...], given: Given = frozenset()) -> Interval:
        """What the function returns when its arguments are in the intervals; `given` is what else is known of cells."""
        called = Called(function, given, begins=not self._depth)
        known = self._results.setdefault(called, {})
        args = context(known, args)
        final = not self._settling
        if args in known and (not final or (called, args) in self._recorded):
            return known[args]
        if not self._depth:
            self._assigned = set()
        self._depth += 1
        outer, self._here = self._here, _Activation()
        facts: Facts = dict(enumerate(args))
        facts.update(given)
        if self._block(self.program.functions[function].body, facts) is not None:
            self._here.returns(FALSE)
        result = FALSE if self._here.returned is None else self._here.returned
        self._here = outer
        self._depth -= 1
        known[args] = result
        if final:
            self._recorded.add((called, args))
        return result

    # --- statements ---------------------------------------------------------------------------------------------

    def _block(self, body: tuple[n.Stmt, ...], facts: Facts | None) -> Facts | None:
        for statement in body:
            if facts is None:
                return None
            facts = _EXECUTE[type(statement)](self, statement, facts)
        return facts

    def _set_local(self, s: n.SetLocal, facts: Facts) -> Facts | None:
        value = self._value(s.value, facts)
        if isinstance(s.value, n.Local) and s.value.slot == s.slot:
            return facts
        forget_slot(facts, s.slot, self.indexing)
        facts[s.slot] = value
        if id(s) in self._ending_rounds:
            self._here.continues[-1].append(facts)
            return None
        return facts

    def _set_state(self, s: n.SetState, facts: Facts) -> Facts | None:
        value = self._value(s.value, facts)
        for index in s.indices:
            self._value(index, facts)
        stored = value.meet(self._types[s.variable])
        if stored is None:
            return None
        known = self.stored.get(s.variable)
        self.stored[s.variable] = stored if known is None else known.hull(stored)
        cell = cell_of(s.variable, s.indices)
        if self._places is not None and not self._settling:
            self._places[1].note(s, cell, stored, facts, self._ranges)
        if self._depth == 1:
            self._assigned.add(s.variable)
        forget_state(facts, frozenset((s.variable,)))
        if cell is not None:
            facts[cell] = stored
        return facts

    def _if(self, s: n.If, facts: Facts) -> Facts | None:
        ends: list[Facts | None] = []
        rest: Facts | None = facts
        for case in s.cases:
            if rest is None:
                break
            value = self._value(case.test, rest)
            ends.append(self._block(case.body, self._taken(rest, case.test, value, True)))
            rest = self._taken(rest, case.test, value, False)
        ends.append(self._block(s.orelse, rest))
        return join(ends)

    def _while(self, s: n.While, facts: Facts) -> Facts | None:
        if isinstance(s.test, n.Local) and id(s) not in self._selecting:
            ends = selecting_assignments(s, s.test.slot)
            self._selecting[id(s)] = bool(ends)
            self._ending_rounds |= ends

        def around(head: Facts) -> Facts | None:
            self._value(s.test, head)
            self._here.breaks[-1].append(self._refined(head, s.test, False))
            return self._block(s.body, self._refined(head, s.test, True))

        if isinstance(s.test, n.Local) and self._selecting[id(s)]:
            return self._selected(facts, s.test.slot, around)
        return self._loop(facts, around)

    def _selected(self, entry: Facts, slot: int, around: Callable[[Facts], Facts | None]) -> Facts | None:
        """As `_loop`, of one that does what a local says: the facts at its head are kept apart by the local's value."""
        self._settling += 1
        heads = {entry.get(slot): dict(entry)}
        rounds: dict[Interval | None, int] = {}
        pending = list(heads)
        while pending:
            for back in self._rounds(heads[pending.pop()], around)[1]:
                value = back.get(slot)
                value = value if value is not None and value.lo == value.hi else None
                head = heads.get(value)
                joined = join([head, back])
                if joined is not None and joined != head:
                    rounds[value] = rounds.get(value, 0) + 1
                    patience = max(rounds[value] - ROUNDS_OF_ONE_VALUE, 0)
                    heads[value] = joined if head is None else self._widened(head, joined, patience)
                    pending.append(value)
        self._settling -= 1
        return join(each for head in heads.values() for each in self._rounds(head, around)[0])

    def _for(self, s: n.For, facts: Facts) -> Facts | None:
        values = self._range(s, facts)

        def around(head: Facts) -> Facts | None:
            self._here.breaks[-1].append(dict(head))
            if values is None:
                return None
            self._bind(head, s.slot, values)
            return self._block(s.body, head)

        return self._loop(facts, around)

    def _loop(self, entry: Facts, around: Callable[[Facts], Facts | None]) -> Facts | None:
        """The facts after the loop: those at its exits, when the facts at its head have settled."""
        self._settling += 1
        head, rounds = dict(entry), 0
        while True:
            _, back = self._once(head, around)
            joined = join([head, back])
            if joined is None or joined == head:
                break
            rounds += 1
            head = self._widened(head, joined, rounds)
        head = self._narrowed(entry, head, around)
        self._settling -= 1
        exits, _ = self._once(head, around)
        return join(exits)

    def _narrowed(self, entry: Facts, head: Facts, around: Callable[[Facts], Facts | None]) -> Facts:
        """Tighter facts at the head, if one more round shows that they hold in all rounds; else the same."""
        tighter = join([entry, self._once(head, around)[1]]) or head
        return tighter if join([tighter, self._once(tighter, around)[1]]) == tighter else head

    def _once(self, head: Facts, around: Callable[[Facts], Facts | None]) -> tuple[list[Facts | None], Facts | None]:
        """Goes round once: the facts at the exits, and those with which the next round begins."""
        exits, backs = self._rounds(head, around)
        return exits, join(backs)

    def _rounds(self, head: Facts, around: Callable[[Facts], Facts | None]) -> tuple[list[Facts | None], list[Facts]]:
        """Goes round once: the facts at each exit, and at each way to the next round."""
        self._here.breaks.append([])
        self._here.continues.append([])
        ends = [around(dict(head)), *self._here.continues.pop()]
        return self._here.breaks.pop(), [facts for facts in ends if facts is not None]

    def _widened(self, old: Facts, new: Facts, rounds: int) -> Facts:
        if rounds <= ROUNDS_BEFORE_THRESHOLDS:
            return new
        bounds = self.thresholds if rounds <= ROUNDS_BEFORE_INFINITY else (INT_MIN, INT_MAX)
        return {key: widen(old[key], value, bounds) for key, value in new.items()}

    def _break(self, s: n.Break, facts: Facts) -> None:
        self._here.breaks[-1].append(facts)

    def _continue(self, s: n.Continue, facts: Facts) -> None:
        self._here.continues[-1].append(facts)

    def _return(self, s: n.Return, facts: Facts) -> None:
        self._here.returns(FALSE if s.value is None else self._value(s.value, facts))

    def _when(self, s: n.When, facts: Facts) -> Facts | None:
        self._value(s.test, facts)
        return self._refined(facts, s.test, True)

    def _fail(self, s: n.Fail, facts: Facts) -> None:
        for part in s.message:
            if not isinstance(part, str):
                self._value(part, facts)

    def _mark(self, s: n.Mark, facts: Facts) -> Facts:
        return facts

    def _evaluate(self, s: n.Evaluate, facts: Facts) -> Facts:
        self._value(s.value, facts)
        return facts

    def _oblige(self, s: n.Oblige, facts: Facts) -> Facts:
        for command in s.commands:
            self._value(command, facts)
        return facts

    def _oblige_all(self, s: n.ObligeAll, facts: Facts) -> Facts:
        return facts

    # --- expressions --------------------------------------------------------------------------------------------

    def _value(self, e: n.Expr, facts: Facts) -> Interval:
        """The expression's interval; `facts` become those that hold after it."""
        result = _VALUE[type(e)](self, e, facts)
        if not self._settling:
            known = self.found.get(id(e))
            self.found[id(e)] = result if known is None else known.hull(result)
        return result

    def _const(self, e: n.Const, facts: Facts) -> Interval:
        return Interval(e.value, e.value)

    def _local(self, e: n.Local, facts: Facts) -> Interval:
        return facts.get(e.slot, TOP)

    def _read(self, e: n.Read, facts: Facts) -> Interval:
        for index in e.indices:
            self._value(index, facts)
        return self._known(e, facts)

    def _known(self, e: n.Local | n.Read, facts: Facts) -> Interval:
        key = key_of(e)
        held = TOP if isinstance(e, n.Local) else self._ranges[e.variable]
        return held if key is None else facts.get(key, held)

    def _table(self, e: n.Table, facts: Facts) -> Interval:
        for index in e.indices:
            self._value(index, facts)
        return spanning(e.values) if e.values else TOP

    def _unary(self, e: n.Unary, facts: Facts) -> Interval:
        return unary(e.op, self._value(e.operand, facts)).clipped()

    def _binary(self, e: n.Binary, facts: Facts) -> Interval:
        left = self._value(e.left, facts)
        return binary(e.op, left, self._value(e.right, facts)).clipped()

    def _and(self, e: n.And, facts: Facts) -> Interval:
        return self._until(e, facts, True)

    def _or(self, e: n.Or, facts: Facts) -> Interval:
        return self._until(e, facts, False)

    def _until(self, e: n.And | n.Or, facts: Facts, truth: bool) -> Interval:
        """Operands are evaluated while they have this truth value; the last one evaluated is the result."""
        result: Interval | None = None
        rest: Facts | None = dict(facts)
        for number, operand in enumerate(e.operands):
            if rest is None:
                break
            value = self._value(operand, rest)
            if number < len(e.operands) - 1:
                stops = value.meet(FALSE) if truth else narrowed(n.BinaryOp.NE, value, FALSE)
                rest = self._refined(rest, operand, truth)
            else:
                stops = value
            if stops is not None:
                result = stops if result is None else result.hull(stops)
        self._forget_effects(e, facts)
        return TOP if result is None else result

    def _conditional(self, e: n.Conditional, facts: Facts) -> Interval:
        value = self._value(e.test, facts)
        results = []
        for branch, truth in ((e.then, True), (e.orelse, False)):
            taken = self._taken(facts, e.test, value, truth)
            if taken is not None:
                results.append(self._value(branch, taken))
        self._forget_effects(e, facts)
        return hull_of(results)

    def _call(self, e: n.Call, facts: Facts) -> Interval:
        args = tuple([self._value(arg, facts) for arg in e.args])
        given: Given = frozenset()
        if self._places is not None:
            given = self._places[0].followed.given(e, self.writes[e.function], facts)
        result = self.call(e.function, args, given)
        forget_state(facts, self.writes[e.function])
        if self._depth == 1:
            self._assigned |= self.writes[e.function]
        return result

    def _fold(self, e: n.Fold, facts: Facts) -> Interval:
        self._forget_effects(e, facts)
        inner: Facts | None = dict(facts)
        rounds = 1
        for generator in e.generators:
            if inner is None:
                break
            values = self._range(generator, inner)
            rounds *= 0 if values is None else values.hi - values.lo + 1
            inner = None if values is None else self._generated(generator, values, inner)
            if inner is not None and self._changes(e):
                forget_state(inner)  # an earlier round may have changed what the test saw
        element = None if inner is None else self._value(e.element, inner)
        default = None if e.default is None else self._value(e.default, dict(facts))
        match e.op:
            case n.FoldOp.ANY | n.FoldOp.ALL:
                return BOOLEAN
            case n.FoldOp.SUM:
                return FALSE if element is None else element.sums(rounds)
            case n.FoldOp.MIN | n.FoldOp.MAX:
                return hull_of([part for part in (element, default) if part is not None])

    def _generated(self, generator: n.Generator, values: Interval, facts: Facts) -> Facts | None:
        self._bind(facts, generator.slot, values)
        for bind in generator.binds:
            self._bind(facts, bind.slot, self._value(bind.value, facts))
        if generator.test is None:
            return facts
        self._value(generator.test, facts)
        return self._refined(facts, generator.test, True)

    def _range(self, loop: n.For | n.Generator, facts: Facts) -> Interval | None:
        """The values a loop's counter takes, or None if it takes none."""
        start, stop, step = (self._value(e, facts) for e in (loop.start, loop.stop, loop.step))
        up = Interval(start.lo, stop.hi - 1) if step.hi > 0 and start.lo < stop.hi else None
        down = Interval(stop.lo + 1, start.hi) if step.lo < 0 and start.hi > stop.lo else None
        return up.hull(down) if up and down else up or down

    def _bind(self, facts: Facts, slot: int, value: Interval) -> None:
        forget_slot(facts, slot, self.indexing)
        facts[slot] = value

    def _forget_effects(self, e: n.Expr, facts: Facts) -> None:
        """Forgets whatever the expression may have changed, in whichever of its parts were evaluated."""
        for slot in self._bound(e):
            forget_slot(facts, slot, self.indexing)
        if self._changes(e):
            forget_state(facts)

    def _bound(self, e: n.Node) -> frozenset[int]:
        """The slots that are bound in the expression."""
        if id(e) not in self._binding:
            own = {e.slot} if isinstance(e, n.Generator | n.Bind) else set()
            self._binding[id(e)] = frozenset(own).union(*map(self._bound, n.children(e)))
        return self._binding[id(e)]

    def _changes(self, e: n.Expr) -> bool:
        if id(e) not in self._changing:
            self._changing[id(e)] = changes_state(e, self.writers)
        return self._changing[id(e)]

    # --- tests --------------------------------------------------------------------------------------------------

    def _taken(self, facts: Facts, test: n.Expr, value: Interval, truth: bool) -> Facts | None:
        """The facts of a branch that is taken if the test has this outcome; `value` is that of the test."""
        possible = narrowed(n.BinaryOp.NE, value, FALSE) if truth else value.meet(FALSE)
        return None if possible is None else self._refined(facts, test, truth)

    def _refined(self, facts: Facts, test: n.Expr, truth: bool) -> Facts | None:
        """A copy of the facts, with what the test's outcome adds to them; None if it cannot have that outcome."""
        result = dict(facts)
        if self._changes(test):
            return result  # what the test saw may have changed since
        possible = self._assume(result, test, truth)
        self._forget_effects(test, result)
        return result if possible else None

    def _assume(self, facts: Facts, test: n.Expr, truth: bool) -> bool:
        """Adds what the outcome tells; False if it cannot be."""
        match test:
            case n.Const(value=value):
                return bool(value) == truth
            case n.Unary(op=n.UnaryOp.NOT, operand=operand):
                return self._assume(facts, operand, not truth)
            case n.And(operands=operands) if truth:
                return all(self._assume(facts, operand, True) for operand in operands)
            case n.Or(operands=operands) if not truth:
                return all(self._assume(facts, operand, False) for operand in operands)
            case n.And(operands=operands) | n.Or(operands=operands):
                return self._assume_some(facts, operands, truth)
            case n.Binary(op=op, left=left, right=right) if op in n.COMPARISONS:
                return self._compare(facts, op if truth else NEGATED[op], left, right)
            case n.Local() | n.Read():
                return self._restrict(facts, test, n.BinaryOp.NE if truth else n.BinaryOp.EQ, FALSE)
        return True

    def _assume_some(self, facts: Facts, operands: tuple[n.Expr, ...], truth: bool) -> bool:
        """At least one of the operands has the outcome."""
        joined = join(self._refined(facts, operand, truth) for operand in operands)
        facts.clear()
        facts.update(joined or {})
        return joined is not None

    def _compare(self, facts: Facts, op: n.BinaryOp, left: n.Expr, right: n.Expr) -> bool:
        a, b = self._simple(left, facts), self._simple(right, facts)
        return self._restrict(facts, left, op, b) and self._restrict(facts, right, MIRRORED[op], a)

    def _simple(self, e: n.Expr, facts: Facts) -> Interval:
        """The interval of a constant, a local or a cell; anything else counts as unknown."""
        match e:
            case n.Const(value=value):
                return Interval(value, value)
            case n.Local() | n.Read():
                return self._known(e, facts)
        return TOP

    def _restrict(self, facts: Facts, e: n.Expr, op: n.BinaryOp, other: Interval) -> bool:
        if not isinstance(e, n.Local | n.Read):
            return True
        rest = narrowed(op, self._known(e, facts), other)
        key = key_of(e)
        if rest is None or key is None:
            return rest is not None
        facts[key] = rest
        if self._places is None or self._depth != 1 or not isinstance(key, NamedCell) or rest.lo < rest.hi:
            return True
        return self._places[0].tell(facts, key, rest.lo, self._ranges, self._assigned)


_EXECUTE: dict[type[n.Node], Callable[[AbstractInterpreter, Any, Facts], Facts | None]] = {
    n.SetLocal: AbstractInterpreter._set_local,
    n.SetState: AbstractInterpreter._set_state,
    n.If: AbstractInterpreter._if,
    n.While: AbstractInterpreter._while,
    n.For: AbstractInterpreter._for,
    n.Break: AbstractInterpreter._break,
    n.Continue: AbstractInterpreter._continue,
    n.Return: AbstractInterpreter._return,
    n.When: AbstractInterpreter._when,
    n.Fail: AbstractInterpreter._fail,
    n.Evaluate: AbstractInterpreter._evaluate,
    n.Mark: AbstractInterpreter._mark,
    n.Oblige: AbstractInterpreter._oblige,
    n.ObligeAll: AbstractInterpreter._oblige_all,
}

_VALUE: dict[type[n.Node], Callable[[AbstractInterpreter, Any, Facts], Interval]] = {
    n.Const: AbstractInterpreter._const,
    n.Local: AbstractInterpreter._local,
    n.Read: AbstractInterpreter._read,
    n.Table: AbstractInterpreter._table,
    n.Unary: AbstractInterpreter._unary,
    n.Binary: AbstractInterpreter._binary,
    n.And: AbstractInterpreter._and,
    n.Or: AbstractInterpreter._or,
    n.Conditional: AbstractInterpreter._conditional,
    n.Call: AbstractInterpreter._call,
    n.Fold: AbstractInterpreter._fold,
}
