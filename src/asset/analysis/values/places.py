"""Values by place: which values the variables of a process have while its program counter has each of its values.

Commands of processes begin with a test of a program counter, and end with an assignment to it. What was true of the
process's own variables at the end of one command is so at the beginning of the next: a counter that was compared with
its bound in one step, and is increased in the next, stays below it.

Nothing is taken from what variables are called. A *counter* is a variable that commands compare with a constant before
anything else, and assign to; a variable is *followed* with it if it has as many cells, and no command assigns to it
that has nothing to do with the counter. What is followed with what only matters for how much is found:

  - Where a counter is assigned to, what is known of the followed variables of the same index is true at its new value;
    of those of which nothing is known, the range is.
  - An assignment to a followed variable after which the counter of the same index may not be assigned to any more, in
    the same function, may be true at any value of it (`lasting`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from asset.analysis.values.facts import Facts, Given, Key, NamedCell, index_of, moved_by
from asset.analysis.values.interval import Interval
from asset.analysis.values.widening import widen
from asset.deferred import dataclass, field
from asset.ir import nodes as n
from asset.ir.program import Function, Program, State

Place = tuple[int, int]
"""A counter, and a value of it."""

GROWTHS_BEFORE_THRESHOLDS, GROWTHS_BEFORE_TYPE = 3, 12
"""So often a range at a place grows as it is found to; then it jumps, and at last it is the whole type."""


MOST_PLACES = 4096
"""Values that a counter may have."""


@dataclass(frozen=True, slots=True)
class Followed:
    """Which variables are followed with which counter."""

    variables: Mapping[int, tuple[int, ...]]
    """By counter."""
    counter_of: Mapping[int, int]
    lasting: frozenset[int]
    """The assignments, by identity, after which the counter may not be assigned to any more."""

    def given(self, e: n.Call, writes: frozenset[int], facts: Facts) -> Given:
        """What is known of followed cells, in terms of the parameters of a function that assigns to a counter."""
        if writes.isdisjoint(self.variables):
            return frozenset()
        known = [(k, index_of(argument)) for k, argument in enumerate(e.args)]
        parameters = {index[0]: (k, -index[1]) for k, index in known if index is not None and index[0] is not None}
        given: list[tuple[Key, Interval]] = []
        for key, values in facts.items():
            if isinstance(key, NamedCell) and not key.before and key.variable in self.counter_of:
                indices = moved_by(key.indices, parameters.get)
                if indices is not None:
                    given.append((NamedCell(key.variable, indices), values))
        return frozenset(given)


NOTHING_FOLLOWED = Followed({}, {}, frozenset())


@dataclass(slots=True)
class ValuesAtPlaces:
    """What is known by now; a place that is missing has not been reached."""

    followed: Followed
    types: Sequence[Interval]
    bounds: tuple[int, ...]
    """Where values that grow pause."""
    values: dict[Place, dict[int, Interval]] = field(default_factory=dict)
    anywhere: dict[int, Interval] = field(default_factory=dict)
    """What may be true at any place, by variable."""
    grown: set[Place] = field(default_factory=set)
    asked: set[Place] = field(default_factory=set)
    """What code asked for that was interpreted since this was cleared."""
    rounds_up: bool = True
    """Whether values that grow jump; else they are exactly what was added."""
    _growths: dict[tuple[Place | None, int], int] = field(default_factory=dict)

    def at(self, place: Place) -> Iterator[tuple[int, Interval]] | None:
        """The values of followed variables at the place; None if it is not reached."""
        known = self.values.get(place)
        if known is None:
            return None
        return ((v, now if v not in self.anywhere else now.hull(self.anywhere[v])) for v, now in known.items())

    def add(self, place: Place, variable: int, values: Interval) -> None:
        known = self.values.setdefault(place, {})
        before = known.get(variable)
        if before is None:
            known[variable] = values
        elif not values.within(*before):
            known[variable] = self._wider(place, variable, before, before.hull(values))
        else:
            return
        self.grown.add(place)

    def add_anywhere(self, variable: int, values: Interval) -> None:
        before = self.anywhere.get(variable, values)
        if variable not in self.anywhere or not values.within(*before):
            self.anywhere[variable] = self._wider(None, variable, before, before.hull(values))
            self.grown |= {place for place in self.values if variable in self.values[place]}

    def note(
        self, s: n.SetState, cell: NamedCell | None, stored: Interval, facts: Facts, ranges: Sequence[Interval]
    ) -> None:
        """Adds what an assignment tells, which the facts are true before."""
        if id(s) in self.followed.lasting:
            self.add_anywhere(s.variable, stored)
        for variable in self.followed.variables.get(s.variable, ()):
            held = None if cell is None else facts.get(NamedCell(variable, cell.indices))
            for place in range(stored.lo, stored.hi + 1):
                self.add((s.variable, place), variable, held or ranges[variable])

    def tell(
        self, facts: Facts, cell: NamedCell, place: int, ranges: Sequence[Interval], assigned: Collection[int]
    ) -> bool:
        """Adds to the facts what is known of the process at a place, but for variables that the firing may have
        assigned to by now; False if no process gets there."""
        if cell.before or cell.variable in assigned or cell.variable not in self.followed.variables:
            return True
        self.asked.add((cell.variable, place))
        known = self.at((cell.variable, place))
        if known is None:
            return False
        for variable, values in known:
            if variable not in assigned:
                own = NamedCell(variable, cell.indices)
                held = facts.get(own, ranges[variable]).meet(values)
                if held is None:
                    return False
                facts[own] = held
        return True

    def begin(self, program: Program, states: Sequence[State]) -> None:
        """Adds what is true in the states."""
        for counter, variables in self.followed.variables.items():
            first = program.offsets[counter]
            for state in states:
                for k in range(program.variables[counter].cells):
                    for variable in variables:
                        value = state[program.offsets[variable] + k]
                        self.add((counter, state[first + k]), variable, Interval(value, value))

    def begun(self, rounds_up: bool) -> ValuesAtPlaces:
        """One that knows what this one does, all of which is new to it."""
        values = {place: dict(known) for place, known in self.values.items()}
        return ValuesAtPlaces(self.followed, self.types, self.bounds, values, grown=set(values), rounds_up=rounds_up)

    def within(self, other: ValuesAtPlaces) -> bool:
        """Whether all that it knows is known there."""
        return all(v in other.anywhere and now.within(*other.anywhere[v]) for v, now in self.anywhere.items()) and all(
            place in other.values and v in other.values[place] and now.within(*other.values[place][v])
            for place, known in self.values.items()
            for v, now in known.items()
        )

    def _wider(self, place: Place | None, variable: int, before: Interval, now: Interval) -> Interval:
        if not self.rounds_up:
            return now
        count = self._growths[place, variable] = self._growths.get((place, variable), 0) + 1
        declared = self.types[variable]
        if count > GROWTHS_BEFORE_TYPE:
            return declared
        if count <= GROWTHS_BEFORE_THRESHOLDS:
            return now
        return widen(before, now, self.bounds).meet(declared) or declared


# --- what is followed -------------------------------------------------------------------------------------------------


def find_followed(program: Program, writes: Sequence[frozenset[int]]) -> Followed:
    """`writes` are the variables that each function assigns to, with what it calls."""
    few = [v.type.hi - v.type.lo < MOST_PLACES and len(v.dims) <= 1 for v in program.variables]
    tests = [[v for v in _first_tested(program.functions[family.function]) if few[v]] for family in program.families]
    assigned = [writes[family.function] for family in program.families]
    counters = {here[0] for here, own in zip(tests, assigned, strict=True) if here and here[0] in own}
    about = [counters & own.union(here) for here, own in zip(tests, assigned, strict=True)]
    counter_of: dict[int, int] = {}
    for variable, each in enumerate(program.variables):
        near = [here for here, own in zip(about, assigned, strict=True) if variable in own]
        common = set.intersection(*near) if near and variable not in counters else set[int]()
        alike = sorted(counter for counter in common if program.variables[counter].dims == each.dims)
        if alike:
            counter_of[variable] = alike[0]
    variables = {c: tuple(v for v, own in counter_of.items() if own == c) for c in sorted(set(counter_of.values()))}
    lasting = frozenset(
        id(node) for function in program.functions for node in _lasting(function.body, None, (), counter_of)
    )
    return Followed(variables, counter_of, lasting)


def _first_tested(function: Function) -> Iterator[int]:
    """The variables whose cells are compared with constants before everything else."""
    for statement in function.body:
        if not isinstance(statement, n.When):
            return
        tests = statement.test.operands if isinstance(statement.test, n.And) else (statement.test,)
        for test in tests:
            match test:
                case n.Binary(op=n.BinaryOp.EQ, left=n.Read(variable=variable), right=n.Const()):
                    yield variable


@dataclass(frozen=True, slots=True)
class _Behind:
    """What comes behind a statement in its block, and the loop that the block is the body of, if it is one."""

    block: Sequence[n.Stmt]
    loop: n.While | n.For | None


def _lasting(
    body: Sequence[n.Stmt], loop: n.While | n.For | None, around: tuple[_Behind, ...], counter_of: Mapping[int, int]
) -> Iterator[n.SetState]:
    """Assignments to followed variables in the block that no assignment to the counter is sure to come after; `around`
    is what comes behind the block, the innermost first."""
    for k, statement in enumerate(body):
        after = (_Behind(body[k + 1 :], loop), *around)
        counter = counter_of.get(statement.variable) if isinstance(statement, n.SetState) else None
        if isinstance(statement, n.SetState) and counter is not None and not _moves_later(statement, counter, after):
            yield statement
        for inner, within in _blocks(statement):
            yield from _lasting(inner, within, after, counter_of)


def _blocks(statement: n.Stmt) -> Iterator[tuple[Sequence[n.Stmt], n.While | n.For | None]]:
    match statement:
        case n.If(cases=cases, orelse=orelse):
            yield from ((case.body, None) for case in cases)
            yield orelse, None
        case n.While(body=body) | n.For(body=body):
            yield body, statement


def _moves_later(assigned: n.SetState, counter: int, after: Sequence[_Behind]) -> bool:
    """Whether the counter of the same index is assigned to, whatever is done in between."""
    slots = {e.slot for index in assigned.indices for e in n.walk(index) if isinstance(e, n.Local)}
    indices = tuple(map(index_of, assigned.indices))
    if None in indices:
        return False
    for behind in after:
        for statement in behind.block:
            match statement:
                case n.SetState(variable=variable, indices=there) if variable == counter:
                    if tuple(map(index_of, there)) == indices:
                        return True
            inside = list(n.walk(statement))
            if any(isinstance(node, n.Return) or _binds(node, slots) for node in inside):
                return False
            if any(isinstance(node, n.Break | n.Continue) for node in inside):
                break  # what comes behind it in this block may be left out
        if behind.loop is not None and any(_binds(node, slots) for node in n.walk(behind.loop)):
            return False  # another round may be about another index
    return False


def _binds(node: n.Node, slots: set[int]) -> bool:
    match node:
        case n.SetLocal(slot=slot, value=n.Local(slot=same)) if slot == same:
            return False
        case n.SetLocal(slot=slot) | n.For(slot=slot) | n.Generator(slot=slot) | n.Bind(slot=slot):
            return slot in slots
    return False
