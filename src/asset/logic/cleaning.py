"""Removing what no accepted run uses: states, marks of edges that are on no accepting cycle, whole acceptance sets."""

from __future__ import annotations

from collections.abc import Callable

from asset.logic.decision_diagrams import Diagram
from asset.logic.symbolic_automata import Moves, Symbolic, nothing, reachable


def cleaned(automaton: Symbolic) -> Symbolic:
    """The states from which something is accepted, marks only within accepting components, and no needless sets."""
    automaton = reachable(automaton)
    useful = _useful(automaton)
    if not useful[automaton.initial]:
        return nothing(automaton.table)
    component, accepting = automaton.component_of, automaton.accepting

    def kept_in(within: int) -> Callable[[Diagram[Moves]], Diagram[Moves]]:
        def kept(moves: Moves) -> Moves:
            return without_weaker({(d, m if component[d] == within else 0) for d, m in moves if useful[d]})

        return automaton.table.mapping(kept)

    inner = {c: kept_in(c) for c, accepted in enumerate(accepting) if accepted}
    outside = kept_in(-1)
    rows = tuple(inner.get(component[source], outside)(row) for source, row in enumerate(automaton.rows))
    return _without_needless_sets(reachable(Symbolic(automaton.table, automaton.initial, rows, automaton.acceptance)))


def without_weaker(moves: set[tuple[int, int]]) -> Moves:
    """Without edges that go to the same state as another with more marks."""
    marks: dict[int, list[int]] = {}
    for target, m in moves:
        marks.setdefault(target, []).append(m)
    if len(marks) == len(moves):
        return frozenset(moves)
    return frozenset((d, m) for d, beside in marks.items() for m in beside if not any(m & k == m != k for k in beside))


def _useful(automaton: Symbolic) -> list[bool]:
    """From which states something is accepted."""
    useful = [False] * len(automaton.rows)
    for i, component in enumerate(automaton.components):  # those that it reaches come before
        good = automaton.accepting[i] or any(useful[d] for state in component for d, _ in automaton.successors[state])
        for state in component:
            useful[state] = good
    return useful


def _without_needless_sets(automaton: Symbolic) -> Symbolic:
    """A set is needless if it has all edges on cycles, accepting or not, or all those of another set."""
    inner = {
        marks
        for state, moves in enumerate(automaton.successors)
        for target, marks in moves
        if automaton.component_of[state] == automaton.component_of[target]
    }
    kept = list(range(automaton.acceptance))
    for i in range(automaton.acceptance):
        others = [j for j in kept if j != i]
        if all(m >> i & 1 for m in inner) or any(all(m >> i & 1 or not m >> j & 1 for m in inner) for j in others):
            kept = others
    if len(kept) == automaton.acceptance:
        return automaton

    def remarked(moves: Moves) -> Moves:
        return without_weaker({(d, sum(1 << new for new, old in enumerate(kept) if m >> old & 1)) for d, m in moves})

    rows = automaton.table.mapped_rows(automaton.rows, remarked)
    return Symbolic(automaton.table, automaton.initial, rows, len(kept))
