"""Transition-based generalised Büchi automata as data, and whether one accepts a run that ends in a cycle."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Sequence
from dataclasses import dataclass

Cube = tuple[int, int]
"""A conjunction of literals: the bits of the atoms that must be true, and of those that must be false."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A move under any letter of its guard, a disjunction of cubes; it belongs to the acceptance sets of its marks."""

    guard: tuple[Cube, ...]
    target: int
    marks: int

    def allows(self, letter: int) -> bool:
        return any(letter & true == true and not letter & false for true, false in self.guard)


@dataclass(frozen=True, slots=True)
class Automaton:
    """It accepts a run if it has a way through which visits each of the acceptance sets infinitely often.

    A letter has bit i if `atoms[i]` holds. An edge leaves a state under the letter of the state that the run is in.
    """

    atoms: tuple[Hashable, ...]
    states: int
    initial: int
    edges: tuple[tuple[Edge, ...], ...]
    acceptance: int

    @property
    def all_marks(self) -> int:
        return (1 << self.acceptance) - 1

    def letter(self, holds: Callable[[Hashable], bool]) -> int:
        """The letter of a state, given whether each atom holds in it."""
        return sum(1 << i for i, atom in enumerate(self.atoms) if holds(atom))

    @property
    def promising(self) -> list[int]:
        """The states of components with a cycle and all acceptance sets: no other state is on an accepting cycle."""
        rows = [[(edge.target, edge.marks) for edge in out] for out in self.edges]
        parts = (each for each in components(rows) if marks_within(rows, each) == self.all_marks)
        return sorted(state for part in parts for state in part)

    @property
    def waits(self) -> bool:
        """Whether it begins in a state that is on no accepting cycle, in which it may stay under every letter, and that
        it does not come back to."""
        stays = any(edge.target == self.initial and (0, 0) in edge.guard for edge in self.edges[self.initial])
        comes_back = any(
            edge.target == self.initial for state, out in enumerate(self.edges) if state != self.initial for edge in out
        )
        return stays and not comes_back and self.initial not in self.promising

    @property
    def edges_by_letter(self) -> int:
        """How many edges there are if one is counted for each letter: the measure of the literature."""
        letters = [[e for e in out if e.allows(letter)] for out in self.edges for letter in range(1 << len(self.atoms))]
        return sum(map(len, letters))


def recurring(atoms: Sequence[Hashable], guards: Sequence[Sequence[Cube]]) -> Automaton:
    """Accepts the runs on which each of the guards holds again and again; it has one state."""
    edges = (Edge(tuple(guard), 0, 1 << number) for number, guard in enumerate(guards) if guard)
    return Automaton(tuple(atoms), 1, 0, ((Edge(((0, 0),), 0, 0), *edges),), len(guards))


def accepts(automaton: Automaton, prefix: Sequence[Container[Hashable]], cycle: Sequence[Container[Hashable]]) -> bool:
    """Whether the automaton accepts the run; of a state, the atoms that hold in it are given."""
    word = [automaton.letter(state.__contains__) for state in (*prefix, *cycle)]
    start = (automaton.initial, 0)

    def moves(place: tuple[int, int]) -> list[tuple[tuple[int, int], int]]:
        state, position = place
        after = position + 1 if position + 1 < len(word) else len(prefix)
        return [((e.target, after), e.marks) for e in automaton.edges[state] if e.allows(word[position])]

    successors: dict[tuple[int, int], list[tuple[tuple[int, int], int]]] = {}
    stack = [start]
    while stack:
        place = stack.pop()
        if place not in successors:
            successors[place] = moves(place)
            stack += [target for target, _ in successors[place]]
    numbers = {place: i for i, place in enumerate(successors)}
    rows = [[(numbers[target], marks) for target, marks in out] for out in successors.values()]
    return has_accepting_component(rows, automaton.acceptance)


Rows = Sequence[Iterable[tuple[int, int]]]
"""A graph: for each state its edges, as target and marks."""


def components(rows: Rows) -> list[list[int]]:
    """The strong components (Tarjan), each after those that it reaches."""
    index: dict[int, int] = {}
    low: list[int] = [0] * len(rows)
    stack: list[int] = []
    found: list[list[int]] = []
    on_stack = [False] * len(rows)
    for root in range(len(rows)):
        if root in index:
            continue
        work = [(root, iter(rows[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack[root] = True
        while work:
            state, rest = work[-1]
            for target, _ in rest:
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    on_stack[target] = True
                    work.append((target, iter(rows[target])))
                    break
                if on_stack[target]:
                    low[state] = min(low[state], index[target])
            else:
                work.pop()
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[state])
                if low[state] == index[state]:
                    at = stack.index(state)
                    found.append(stack[at:])
                    del stack[at:]
                    for member in found[-1]:
                        on_stack[member] = False
    return found


def marks_within(rows: Rows, component: Iterable[int]) -> int | None:
    """The marks of all edges inside a component, or None if it has no edge."""
    members = set(component)
    inner = [marks for state in members for target, marks in rows[state] if target in members]
    if not inner:
        return None
    union = 0
    for marks in inner:
        union |= marks
    return union


def has_accepting_component(rows: Rows, acceptance: int) -> bool:
    """Whether a cycle visits all acceptance sets; all states of the graph count as reachable."""
    return any(marks_within(rows, component) == (1 << acceptance) - 1 for component in components(rows))
