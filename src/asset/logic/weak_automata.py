"""The least weak deterministic automaton of a formula, if it has one.

If a language can be accepted by a weak deterministic automaton, the powerset construction with the right accepting
components accepts it, and its minimisation is unique (Dax, Eisinger, Klaedtke, *Mechanizing the powerset
construction for restricted classes of ω-automata*, 2007; Löding, *Efficient minimization of deterministic weak
ω-automata*, 2001). Whether it does is checked by two products.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import islice

from asset.logic.automata import components, has_accepting_component
from asset.logic.cleaning import cleaned
from asset.logic.decision_diagrams import Diagram, Table, at, leaves, paths
from asset.logic.symbolic_automata import Moves, Symbolic, product, reachable

MOST_SUBSETS = 12
"""More subsets than this for each state are not tried: so many would hardly become fewer than the states."""
LARGEST_TABLE = 5000
"""Nor are more questions made for it."""
MOST_STATES, MOST_LOOPS = 8, 8
"""In how many states of a component letters that lead back to the state are tried, and how many of them."""

Rows = list[Diagram[int]]
Subset = frozenset[int]


def minimal_weak(automaton: Symbolic, negation: Callable[[], Symbolic]) -> Symbolic | None:
    """The least weak deterministic automaton with the same language, if there is one and it has no more states.

    The automaton of the complement is asked for only if it is needed.
    """
    built = _powerset(automaton)
    if built is None:
        return None
    rows, subsets = built
    table = automaton.table
    accepting = _accepting_states(automaton, rows, subsets)
    if accepting is None:
        return None
    minimised = _minimised(table, rows, accepting, most=len(automaton.rows) + 1)  # one state may be left out: the sink
    if minimised is None:
        return None
    rows, accepting = minimised
    weak = _marked(table, rows, accepting)
    result = cleaned(weak)
    if len(result.rows) > len(automaton.rows):
        return None
    complement = _marked(table, rows, [not a for a in accepting])
    if product(complement, automaton).is_empty and product(weak, negation()).is_empty:
        return result
    return None


def _powerset(automaton: Symbolic) -> tuple[Rows, list[Subset]] | None:
    """The deterministic automaton of the sets of states that a word leads to; the empty set rejects."""
    table = automaton.table
    targets = table.mapped_rows(automaton.rows, lambda moves: frozenset(d for d, _ in moves))
    order = [frozenset([automaton.initial])]
    number = {order[0]: 0}
    rows: Rows = []
    limit = table.size + LARGEST_TABLE
    union, numbered = table.combining(_union), table.mapping(number.__getitem__)
    for subset in order:
        joined = reduce(union, (targets[state] for state in sorted(subset)), table.leaf(Subset()))
        for after in leaves([joined]):
            if after not in number:
                number[after] = len(order)
                order.append(after)
        if len(order) > MOST_SUBSETS * (len(automaton.rows) + 1) or table.size > limit:
            return None
        rows.append(numbered(joined))
    return rows, order


def _union(first: Subset, second: Subset) -> Subset:
    return first | second


def _accepting_states(automaton: Symbolic, rows: Rows, subsets: Sequence[Subset]) -> list[bool] | None:
    """Whether runs that stay in a state's component are accepted; without a cycle, what makes the result least.

    None if the cycles that are tried in a component disagree: then there is no weak automaton.
    """
    graph = [[(target, 0) for target in leaves([row])] for row in rows]
    colour = [0] * len(rows)
    highest = 2 * len(rows)
    for component in components(graph):  # those that it reaches come before
        members = set(component)
        below = [colour[d] for state in component for d, _ in graph[state] if d not in members]
        best = min(below, default=highest)
        cycles = _cycles(rows, component)
        verdicts = {_accepts_for_ever(automaton, subsets[start], word) for start, word in cycles}
        if len(verdicts) > 1:
            return None
        if verdicts == {best % 2 != 0}:
            best -= 1
        for state in component:
            colour[state] = best
    return [c % 2 == 0 for c in colour]


def _cycles(rows: Rows, component: list[int]) -> Iterator[tuple[int, list[int]]]:
    """Some cycles of a component, by a state and the word from it: a shortest one, and letters that lead back."""
    start, members = component[0], set(component)
    word = _cycle(rows, start, members)
    if word is not None:
        yield start, word
        for state in component[:MOST_STATES]:
            loops = (letter for (letter, _), target in paths(rows[state]) if target == state)
            yield from ((state, [letter]) for letter in islice(loops, MOST_LOOPS))


def _cycle(rows: Rows, start: int, members: set[int]) -> list[int] | None:
    """The letters of a shortest cycle through a state, within its component."""
    before: dict[int, tuple[int, int]] = {}
    order = [start]
    for state in order:
        for (letter, _), target in paths(rows[state]):
            if target == start:
                word = [letter]
                while state != start:
                    state, letter = before[state]
                    word.append(letter)
                return word[::-1]
            if target in members and target not in before:
                before[target] = (state, letter)
                order.append(target)
    return None


def _accepts_for_ever(automaton: Symbolic, starts: Subset, word: list[int]) -> bool:
    """Whether the word, repeated for ever, is accepted from one of the states."""
    order = [(state, 0) for state in sorted(starts)]
    number = {place: i for i, place in enumerate(order)}
    graph: list[list[tuple[int, int]]] = []
    for state, position in order:
        after = (position + 1) % len(word)
        moves = sorted(at(automaton.rows[state], word[position]))
        for target, _ in moves:
            if (target, after) not in number:
                number[target, after] = len(order)
                order.append((target, after))
        graph.append([(number[target, after], marks) for target, marks in moves])
    return has_accepting_component(graph, automaton.acceptance)


def _minimised(table: Table, rows: Rows, accepting: list[bool], most: int) -> tuple[Rows, list[bool]] | None:
    """States that cannot be told apart become one (Moore); the first state stays the first. None if too many remain."""
    block = [int(a != accepting[0]) for a in accepting]
    count = len(set(block))
    while True:
        numbers: dict[tuple[int, int], int] = {}
        signatures = list(zip(block, map(id, table.mapped_rows(rows, block.__getitem__)), strict=True))
        block = [numbers.setdefault(signature, len(numbers)) for signature in signatures]
        if len(numbers) == count:
            break
        count = len(numbers)
        if count > most:
            return None
    first = [block.index(b) for b in range(count)]
    return list(table.mapped_rows((rows[q] for q in first), block.__getitem__)), [accepting[q] for q in first]


def _marked(table: Table, rows: Rows, accepting: list[bool]) -> Symbolic:
    """An edge is marked if it leads to an accepting state."""

    def move(target: int) -> Moves:
        return frozenset([(target, int(accepting[target]))])

    return reachable(Symbolic(table, 0, table.mapped_rows(rows, move), 1))
