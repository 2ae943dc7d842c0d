"""Removing what no accepted run uses: states, marks of edges that are on no accepting cycle, whole acceptance sets."""

from __future__ import annotations

from asset.logic.symbolic_automata import Moves, Symbolic, nothing, reachable


def cleaned(automaton: Symbolic) -> Symbolic:
    """The states from which something is accepted, marks only within accepting components, and no needless sets."""
    automaton = reachable(automaton)
    useful = _useful(automaton)
    if not useful[automaton.initial]:
        return nothing(automaton.table)
    component, accepting = automaton.component_of, automaton.accepting

    def kept(source: int, moves: Moves) -> Moves:
        within = component[source] if accepting[component[source]] else -1
        marked = {(d, m if component[d] == within else 0) for d, m in moves if useful[d]}
        return without_weaker(marked)

    rows = tuple(
        automaton.table.mapped(row, lambda moves, source=source: kept(source, moves))  # type: ignore[misc]
        for source, row in enumerate(automaton.rows)
    )
    return _without_needless_sets(reachable(Symbolic(automaton.table, automaton.initial, rows, automaton.acceptance)))


def without_weaker(moves: set[tuple[int, int]]) -> Moves:
    """Without edges that go to the same state as another with more marks."""
    return frozenset((d, m) for d, m in moves if not any(d == e and m != k and m & k == m for e, k in moves))


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
    inner = [
        marks
        for state, moves in enumerate(automaton.successors)
        for target, marks in moves
        if automaton.component_of[state] == automaton.component_of[target]
    ]
    kept = list(range(automaton.acceptance))
    for i in range(automaton.acceptance):
        others = [j for j in kept if j != i]
        if all(m >> i & 1 for m in inner) or any(all(m >> i & 1 or not m >> j & 1 for m in inner) for j in others):
            kept = others
    if len(kept) == automaton.acceptance:
        return automaton

    def remarked(moves: Moves) -> Moves:
        return without_weaker({(d, sum(1 << new for new, old in enumerate(kept) if m >> old & 1)) for d, m in moves})

    rows = tuple(automaton.table.mapped(row, remarked) for row in automaton.rows)
    return Symbolic(automaton.table, automaton.initial, rows, len(kept))
