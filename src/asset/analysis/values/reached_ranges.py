"""Which values the cells of each variable have in the states that can be reached: a fixed point over all commands.

It begins with the values in the initial states. Commands are interpreted on all states with values in the ranges so
far, and what they assign is added, until nothing is new. Ranges that grow are rounded up to all values of as many bits,
so that this is soon; as that may have let in more than can be, what is left when everything is interpreted once more is
taken instead, if that lets in nothing new, and so on. In large programs, what grows for long may have any value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from asset.analysis.values.interval import Interval, declared_ranges, spanning
from asset.analysis.values.interval_analysis import AbstractInterpreter
from asset.ir import nodes as n
from asset.ir.program import Family, Function, Program, State

MAX_NODES = 40_000
"""Nodes that are interpreted, again and again, before ranges that still grow become all values of the type: half a
second, about."""

Ranges = tuple[Interval, ...]


def reached_ranges(program: Program, starts: Sequence[State] = ()) -> Ranges:
    """By variable. What is proved holds in every state that can be reached from `starts`, or from the initial states if
    none are given, and while code runs in one."""
    initial = initial_ranges(program, starts)
    search = _Search(program)
    ranges = search.grow(initial)
    if not search.rounded:
        return ranges
    narrower = search.once(initial, ranges)
    while narrower != ranges and not search.exhausted:
        again = search.once(initial, narrower)
        if not _within(again, narrower):
            break
        ranges, narrower = narrower, again
    return ranges


def initial_ranges(program: Program, starts: Sequence[State] = ()) -> Ranges:
    """The values in the states that runs begin in."""
    types = declared_ranges(program)
    found = []
    for first, variable, declared in zip(program.offsets, program.variables, types, strict=True):
        cells = slice(first, first + variable.cells)
        values = [value for state in starts or program.initial_states for value in state[cells]]
        found.append(spanning(values) if values else declared)
    return tuple(found)


def _within(inner: Ranges, outer: Ranges) -> bool:
    return all(a.within(*b) for a, b in zip(inner, outer, strict=True))


class _Search:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._types = declared_ranges(program)
        self._access = _access(program)
        self._interpreter = AbstractInterpreter(program, self._types)
        self._left = MAX_NODES
        self.rounded: set[int] = set()
        """The variables whose range was made wider than what was found, and is not the whole type."""

    def grow(self, ranges: Ranges) -> Ranges:
        """Ranges that no command leaves. In each round code is interpreted that reads what has changed."""
        changed: frozenset[int] | None = None
        while changed is None or changed:
            stored = self._stored(ranges, changed)
            wider = tuple(
                now if new is None or new.within(*now) else self._rounded(variable, now.hull(new))
                for variable, (now, new) in enumerate(zip(ranges, stored, strict=True))
            )
            changed = frozenset(variable for variable, now in enumerate(ranges) if wider[variable] != now)
            ranges = wider
        return ranges

    @property
    def exhausted(self) -> bool:
        """Whether interpreting code again would take too long."""
        return self._left < 0

    def once(self, initial: Ranges, ranges: Ranges) -> Ranges:
        """The values in initial states, and those that are assigned in states with values in the ranges."""
        stored = self._stored(ranges, None)
        return tuple(now if new is None else now.hull(new) for now, new in zip(initial, stored, strict=True))

    def _stored(self, ranges: Ranges, changed: frozenset[int] | None) -> Sequence[Interval | None]:
        """By variable, what is assigned to it by code that reads something that has changed, or by all code. What only
        assigns to variables that have all values of their types already is left out."""
        interpreter = self._interpreter.on(ranges)
        narrow = {variable for variable, now in enumerate(ranges) if now != self._types[variable]}
        for family in self._program.families:
            if family.size and self._matters(_code(family), narrow, changed):
                interpreter.fire(family)
        if self._matters(_asked(self._program), narrow, changed):
            interpreter.ask()
        full = {variable: self._types[variable] for variable in range(len(ranges)) if variable not in narrow}
        return [(interpreter.stored | full).get(variable) for variable in range(len(ranges))]

    def _matters(self, functions: Iterable[int], narrow: set[int], changed: frozenset[int] | None) -> bool:
        """Whether the code may assign to a variable whose range is narrow; then it is interpreted, which is counted."""
        access = [self._access[function] for function in functions]
        if not any(code.writes & narrow for code in access):
            return False
        if changed is not None and not any(code.reads & changed for code in access):
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
