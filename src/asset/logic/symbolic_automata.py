"""Automata as the translation works on them: a state's edges are a decision diagram with sets of edges as leaves."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

from asset.logic.automata import Automaton, Cube, Edge, components, marks_within
from asset.logic.decision_diagrams import Diagram, Table, paths, unions

Move = tuple[int, int]
"""Target and marks."""
Moves = frozenset[Move]


class FormulaTooLarge(Exception):
    """Its automaton cannot be built within bounds."""


@dataclass(frozen=True)
class Symbolic:
    """A transition-based generalised Büchi automaton; `acceptance` sets, whose marks are bits."""

    table: Table
    initial: int
    rows: tuple[Diagram[Moves], ...]
    acceptance: int

    @cached_property
    def successors(self) -> list[list[Move]]:
        """The edges of each state, whatever the letter, each once."""
        return [sorted(moves) for moves in unions(self.rows)]

    @cached_property
    def components(self) -> list[list[int]]:
        return components(self.successors)

    @cached_property
    def component_of(self) -> list[int]:
        number = [0] * len(self.rows)
        for i, component in enumerate(self.components):
            for state in component:
                number[state] = i
        return number

    @cached_property
    def accepting(self) -> list[bool]:
        """Which components have a cycle that visits all acceptance sets."""
        full = (1 << self.acceptance) - 1
        return [marks_within(self.successors, component) == full for component in self.components]

    @property
    def is_empty(self) -> bool:
        """Whether it accepts nothing; all its states are reachable."""
        return not any(self.accepting)

    @cached_property
    def size(self) -> tuple[int, int]:
        return len(self.rows), sum(len(value) for row in self.rows for _, value in paths(row))


def nothing(table: Table) -> Symbolic:
    """The automaton that accepts no run."""
    return Symbolic(table, 0, (table.leaf(frozenset()),), 0)


def reachable(automaton: Symbolic) -> Symbolic:
    """The part that can be reached, its states numbered in the order of a breadth-first search."""
    order = [automaton.initial]
    number = {automaton.initial: 0}
    for state in order:
        for target, _ in automaton.successors[state]:
            if target not in number:
                number[target] = len(order)
                order.append(target)
    if order == list(range(len(automaton.rows))):
        return automaton

    def renumbered(moves: Moves) -> Moves:
        return frozenset((number[target], marks) for target, marks in moves)

    rows = automaton.table.mapped_rows((automaton.rows[state] for state in order), renumbered)
    return Symbolic(automaton.table, 0, rows, automaton.acceptance)


MANY = 200
"""The guards of an automaton with more states are left as they are: to shorten them takes as long as to find them."""


def explicit(automaton: Symbolic, atoms: Sequence[Hashable]) -> Automaton:
    """The same as data, with an edge for each target and marks."""
    shorten = joined if len(automaton.rows) <= MANY else list[Cube]
    return Automaton(
        tuple(atoms),
        len(automaton.rows),
        automaton.initial,
        tuple(_edges(row, shorten) for row in automaton.rows),
        automaton.acceptance,
    )


def _edges(row: Diagram[Moves], shorten: Callable[[list[Cube]], list[Cube]]) -> tuple[Edge, ...]:
    guards: dict[Move, list[Cube]] = {}
    for cube, moves in paths(row):
        for move in moves:
            guards.setdefault(move, []).append(cube)
    return tuple(Edge(tuple(shorten(cubes)), *move) for move, cubes in sorted(guards.items()))


def joined(cubes: list[Cube]) -> list[Cube]:
    """The same disjunction with cubes that differ in one literal's sign only put together, as long as there are any."""
    if len(cubes) == 1:
        return cubes
    found = set(cubes)
    for true, false in sorted(cubes):
        _absorb(found, true, false)
    return sorted(found)


def _absorb(found: set[Cube], true: int, false: int) -> None:
    if (true, false) not in found:
        return
    bits = true
    while bits:
        bit = bits & -bits
        bits ^= bit
        twin = (true ^ bit, false | bit)
        if twin in found:
            found -= {(true, false), twin}
            found.add((true ^ bit, false))
            _absorb(found, true ^ bit, false)
            return


def product(first: Symbolic, second: Symbolic, most: int | None = None) -> Symbolic:
    """The automaton of what both accept; they are of one table. One with more states than this is too large."""
    table = first.table
    order = [(first.initial, second.initial)]
    number = {order[0]: 0}
    rows = []

    def moves(a: Moves, b: Moves) -> Moves:
        found = set()
        for d, m in a:
            for e, k in b:
                pair = (d, e)
                if pair not in number:
                    number[pair] = len(order)
                    order.append(pair)
                found.add((number[pair], m | k << first.acceptance))
        return frozenset(found)

    for p, q in order:
        rows.append(table.combined(first.rows[p], second.rows[q], moves))
        if most is not None and len(order) > most:
            raise FormulaTooLarge
    return Symbolic(table, 0, tuple(rows), first.acceptance + second.acceptance)


def union(first: Symbolic, second: Symbolic) -> Symbolic:
    """The automaton of what one of them accepts: a new state begins as both. Edges have the marks of missing sets."""
    table, acceptance = first.table, max(first.acceptance, second.acceptance)

    def placed(automaton: Symbolic, shift: int) -> tuple[Diagram[Moves], ...]:
        more = (1 << acceptance) - (1 << automaton.acceptance)
        return table.mapped_rows(automaton.rows, lambda moves: frozenset((d + shift, m | more) for d, m in moves))

    firsts, seconds = placed(first, 1), placed(second, 1 + len(first.rows))
    begin = table.combined(firsts[first.initial], seconds[second.initial], lambda a, b: a | b)
    return Symbolic(table, 0, (begin, *firsts, *seconds), acceptance)
