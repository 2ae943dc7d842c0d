"""Merging states by direct and by reverse simulation, and leaving out edges that others make needless.

State q simulates p if for each edge of p, under each letter, q has an edge with at least the same marks to a state
that simulates its target. Then q accepts all that p accepts. In reverse the same is said of the ways that lead to a
state. Marks of edges between components are none here: if they counted as all, a state could be merged with one
that keeps promising.
"""

from __future__ import annotations

from asset.logic.cleaning import cleaned, without_weaker
from asset.logic.decision_diagrams import Diagram, Pairs, always
from asset.logic.symbolic_automata import Move, Moves, Symbolic, reachable

LARGEST = 60
"""Automata with more states are left as they are: the relation has a pair for each two of them."""


def reduced(automaton: Symbolic) -> Symbolic:
    """The automaton with states merged and edges left out, as long as that makes it smaller."""
    automaton = cleaned(automaton)
    while len(automaton.rows) <= LARGEST:
        smaller = cleaned(merged_in_reverse(cleaned(merged(automaton))))
        if smaller.size >= automaton.size:
            return smaller if smaller.size == automaton.size else automaton
        automaton = smaller
    return automaton


Relation = list[int]
"""For each state the set, as bits, of those that simulate it."""


def simulation(rows: list[Diagram[Moves]], start: Relation) -> Relation:
    """The greatest simulation within `start`.

    The relation only becomes smaller. So what is not related stays so, and what is related must be looked at again:
    after a round without a change nothing is left that is not.
    """
    above = list(start)
    changed = True
    known: Pairs = {}
    while changed:
        changed = False
        known = {pair: False for pair, is_related in known.items() if not is_related}

        def related(below: Moves, over: Moves) -> bool:
            return all(any(m & k == m and above[d] >> e & 1 for e, k in over) for d, m in below)

        for p, row in enumerate(rows):
            rest = above[p] & ~(1 << p)
            while rest:
                bit = rest & -rest
                rest ^= bit
                if not always(row, rows[bit.bit_length() - 1], related, known):
                    above[p] ^= bit
                    changed = True
    return above


def representatives(above: Relation) -> list[int]:
    """For each state the first one that is simulated by it and simulates it."""
    found: list[int] = []
    for p, simulating in enumerate(above):
        mutual = (q for q in range(p) if simulating >> q & 1 and above[q] >> p & 1)
        found.append(next((found[q] for q in mutual), p))
    return found


def merged(automaton: Symbolic) -> Symbolic:
    """By direct simulation; an edge goes if another with its marks leads to a state that simulates its target."""
    count = len(automaton.rows)
    above = simulation(list(automaton.rows), [(1 << count) - 1] * count)
    first = representatives(above)

    def best(moves: Moves) -> Moves:
        joined = {(first[d], m) for d, m in moves}
        return frozenset(a for a in joined if not any(a != b and _exceeds(b, a, above) for b in joined))

    rows = automaton.table.mapped_rows(automaton.rows, best)
    return reachable(Symbolic(automaton.table, first[automaton.initial], rows, automaton.acceptance))


def _exceeds(over: Move, below: Move, above: Relation) -> bool:
    """Whether an edge can do all that another can."""
    (e, k), (d, m) = over, below
    return m & k == m and bool(above[d] >> e & 1)


def merged_in_reverse(automaton: Symbolic) -> Symbolic:
    """By simulation of the ways that lead to states; the initial state is simulated by itself only."""
    count, table = len(automaton.rows), automaton.table
    everyone = (1 << count) - 1
    start = [1 << p if p == automaton.initial else everyone for p in range(count)]
    above = simulation(_reversed(automaton), start)
    first = representatives(above)
    renamed = table.mapped_rows(automaton.rows, lambda moves: frozenset((first[d], m) for d, m in moves))
    union = table.combining(_union)
    rows = list(renamed)
    for state, row in enumerate(renamed):
        rows[first[state]] = union(rows[first[state]], row)
    best = table.mapped_rows([rows[q] for q in first], lambda moves: without_weaker(set(moves)))
    return reachable(Symbolic(table, first[automaton.initial], best, automaton.acceptance))


def _union(first: Moves, second: Moves) -> Moves:
    return first | second


def _reversed(automaton: Symbolic) -> list[Diagram[Moves]]:
    """For each state the edges into it: their sources."""
    table, empty = automaton.table, automaton.table.leaf(Moves())
    into = [empty] * len(automaton.rows)
    union = table.combining(_union)
    for source, row in enumerate(automaton.rows):
        for target in {target for target, _ in automaton.successors[source]}:

            def sources(moves: Moves, source: int = source, target: int = target) -> Moves:
                return frozenset((source, m) for d, m in moves if d == target)

            into[target] = union(into[target], table.mapped(row, sources))
    return into
