"""Which values the cells of each variable have in the states that can be reached: a fixed point over all commands.

It begins with the values in the initial states. Commands are interpreted on all states with values in the ranges so
far, and what they assign is added, until nothing is new. Ranges that grow are rounded up to all values of as many bits,
so that this is soon; as that may have let in more than can be, what is left when everything is interpreted once more is
taken instead, if that lets in nothing new, and so on. In large programs, what grows for long may have any value.

What is known of the variables of a process depends on the place that it is at (`places`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

from asset.analysis.values.interval import Interval, declared_ranges, spanning
from asset.analysis.values.interval_analysis import AbstractInterpreter
from asset.analysis.values.places import NOTHING_FOLLOWED, Place, ValuesAtPlaces, find_followed
from asset.ir import nodes as n
from asset.ir.program import Family, Function, Program, State

MAX_NODES = 40_000
"""Nodes that are interpreted, again and again, before ranges that still grow become all values of the type: half a
second, about."""

MAX_NODES_WITH_PLACES = 4 * MAX_NODES
"""The same, before places are followed no more. Much of it is not interpreted: it begins at places not reached yet."""

Ranges = tuple[Interval, ...]


def reached_ranges(program: Program, starts: Sequence[State] = ()) -> Ranges:
    """By variable. What is proved holds in every state that can be reached from `starts`, or from the initial states if
    none are given, and while code runs in one."""
    search = _Search(program, starts)
    known = search.grow()
    if not search.rounded and not known.at_places.values:
        return known.ranges
    narrower = search.once(known)
    if not narrower.within(known):  # what is known must be seen to be left by no command
        known = search.without_places()
        narrower = search.once(known)
    while narrower.within(known) and not known.within(narrower) and not search.exhausted:
        again = search.once(narrower)
        if not again.within(narrower):
            break
        known, narrower = narrower, again
    return known.ranges


def initial_ranges(program: Program, starts: Sequence[State] = ()) -> Ranges:
    """The values in the states that runs begin in."""
    types = declared_ranges(program)
    found = []
    for first, variable, declared in zip(program.offsets, program.variables, types, strict=True):
        cells = slice(first, first + variable.cells)
        values = [value for state in starts or program.initial_states for value in state[cells]]
        found.append(spanning(values) if values else declared)
    return tuple(found)


class _Known(NamedTuple):
    """The values of each variable, and those of some of them at each place of a process."""

    ranges: Ranges
    at_places: ValuesAtPlaces

    def within(self, other: _Known) -> bool:
        within = all(a.within(*b) for a, b in zip(self.ranges, other.ranges, strict=True))
        return within and self.at_places.within(other.at_places)


class _Search:
    def __init__(self, program: Program, starts: Sequence[State]) -> None:
        self._program = program
        self._types = declared_ranges(program)
        self._access = _access(program)
        self._interpreter = AbstractInterpreter(program, self._types)
        self._followed = find_followed(program, self._interpreter.writes)
        self._initial = initial_ranges(program, starts)
        self._begun = self._unmoved()
        """The values at places in the states that runs begin in."""
        self._begun.begin(program, tuple(starts or program.initial_states))
        self._left = MAX_NODES_WITH_PLACES if self._followed.variables else MAX_NODES
        self._asked: dict[int, set[Place]] = {}
        """By the number of a family, the places that it depends on; those of what is asked of states, behind them."""
        self.rounded: set[int] = set()
        """The variables whose range was made wider than what was found, and is not the whole type."""

    def _unmoved(self) -> ValuesAtPlaces:
        return ValuesAtPlaces(self._followed, self._types, self._interpreter.thresholds)

    def without_places(self) -> _Known:
        """What is known if places are not followed, which takes too long in a large program."""
        self._followed = NOTHING_FOLLOWED
        self._begun, self._left, self.rounded = self._unmoved(), MAX_NODES, set()
        return self.grow()

    def grow(self) -> _Known:
        """Ranges that no command leaves. In each round code is interpreted that reads what has changed."""
        ranges, at_places = self._initial, self._begun.begun(rounds_up=True)
        changed: frozenset[int] | None = None
        while changed is None or changed or at_places.grown:
            if self.exhausted and self._followed.variables:
                return self.without_places()
            grown, at_places.grown = at_places.grown, set()
            stored = self._stored(ranges, (at_places, at_places), changed, grown)
            wider = tuple(
                now if new is None or new.within(*now) else self._rounded(variable, now.hull(new))
                for variable, (now, new) in enumerate(zip(ranges, stored, strict=True))
            )
            changed = frozenset(variable for variable, now in enumerate(ranges) if wider[variable] != now)
            ranges = wider
        return _Known(ranges, at_places)

    @property
    def exhausted(self) -> bool:
        """Whether interpreting code again would take too long."""
        return self._left < 0

    def once(self, known: _Known) -> _Known:
        """The values in initial states, and those that are assigned in states with the values that are known."""
        found = self._begun.begun(rounds_up=False)
        stored = self._stored(known.ranges, (known.at_places, found), None, set())
        ranges = tuple(now if new is None else now.hull(new) for now, new in zip(self._initial, stored, strict=True))
        return _Known(ranges, found)

    def _stored(
        self,
        ranges: Ranges,
        at_places: tuple[ValuesAtPlaces, ValuesAtPlaces],
        changed: frozenset[int] | None,
        grown: set[Place],
    ) -> Sequence[Interval | None]:
        """By variable, what is assigned to it by code that reads something that has changed, or asks for a place at
        which values have grown; or by all code. What only assigns to variables that have all values of their types
        already is left out, unless values at places depend on it."""
        interpreter = self._interpreter.on(ranges, at_places)
        narrow = {variable for variable, now in enumerate(ranges) if now != self._types[variable]}
        parts: list[tuple[Iterable[int], Callable[[], None]]] = [
            *((_code(family), partial(interpreter.fire, family)) for family in self._program.families),
            (_asked(self._program), interpreter.ask),
        ]
        for number, (code, interpret) in enumerate(parts):
            depends = self._asked.setdefault(number, set())
            if self._matters(code, narrow, changed if grown.isdisjoint(depends) else None):
                at_places[0].asked = depends
                interpret()
        full = {variable: self._types[variable] for variable in range(len(ranges)) if variable not in narrow}
        return [(interpreter.stored | full).get(variable) for variable in range(len(ranges))]

    def _matters(self, functions: Iterable[int], narrow: set[int], changed: frozenset[int] | None) -> bool:
        """Whether the code may assign to a variable whose range is narrow, or to a counter, and depends on something
        that has changed; then it is interpreted, which is counted."""
        access = [self._access[function] for function in functions]
        counters = {counter for code in access for counter in code.writes if counter in self._followed.variables}
        if not counters and not any(code.writes & narrow for code in access):
            return False
        passed_on = {variable for counter in counters for variable in self._followed.variables[counter]}
        if changed is not None and not any(code.reads & changed for code in access) and not passed_on & changed:
            return False
        self._left -= sum(code.size for code in access)
        return True

    def _rounded(self, variable: int, values: Interval) -> Interval:
        """All values of the type that fit the bits that these need."""
        span = (1 << (values.hi - values.lo).bit_length()) - 1
        declared = self._types[variable]
        if self.exhausted:
            return declared
        lo = min(values.lo, max(declared.lo, declared.hi - span))
        found = Interval(lo, min(lo + span, declared.hi))
        (self.rounded.discard if found in (values, declared) else self.rounded.add)(variable)
        return found


def _code(family: Family) -> list[int]:
    return [family.function] if family.rule is None else [family.function, family.rule]


def _asked(program: Program) -> list[int]:
    """The functions of properties and representatives."""
    found = [predicate.function for predicate in program.predicates]
    found += [function for each in program.step_predicates for function in (each.function, *each.values)]
    return found if program.representative is None else [*found, program.representative]


class _Access(NamedTuple):
    """The variables that code reads, those that it assigns to, and how many nodes it has."""

    reads: frozenset[int]
    writes: frozenset[int]
    size: int


def _access(program: Program) -> list[_Access]:
    """By function, with what it calls, directly or not; calls never lead back to where they come from."""
    found: dict[int, _Access] = {}

    def of(number: int) -> _Access:
        if number not in found:
            found[number] = _with_calls(program.functions[number], of)
        return found[number]

    return [of(number) for number in range(len(program.functions))]


def _with_calls(function: Function, of: Callable[[int], _Access]) -> _Access:
    nodes = list(function.nodes)
    called = [of(node.function) for node in nodes if isinstance(node, n.Call)]
    return _Access(
        frozenset(node.variable for node in nodes if isinstance(node, n.Read)).union(*(each.reads for each in called)),
        frozenset(node.variable for node in nodes if isinstance(node, n.SetState)).union(
            *(each.writes for each in called)
        ),
        len(nodes) + sum(each.size for each in called),
    )
