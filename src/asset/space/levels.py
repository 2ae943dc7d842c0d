"""A state space by its levels: how many states are how far from an initial one, where it ends, what is wrong there.

Of a space that is too large to be drawn state by state, this shows the shape. Every edge leads to the next level, stays
in its own, or leads back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from asset.space.exploring import Explored
from asset.space.graph_views import distances, title
from asset.space.state_graph import Arrow, GraphView, Mark, StateGraph, StateNode

MOST = 30
"""Nodes; of a deeper space, each stands for several levels."""

FORWARD = "edges to the next level"


@dataclass(frozen=True, slots=True)
class _States:
    """The states by number: the level of each, and what marks it."""

    depths: Sequence[int]
    marks: Sequence[frozenset[Mark]]
    edges: Iterable[tuple[int, int, int]]
    """From, to, and how many."""


def levels_of(graph: StateGraph) -> StateGraph:
    """Of a graph that has a node for each state."""
    states = _States(
        [node.depth for node in graph.nodes],
        [node.marks for node in graph.nodes],
        ((arrow.source, arrow.target, arrow.edges) for arrow in graph.arrows),
    )
    nodes, arrows = _drawn(states)
    return replace(graph, view=GraphView.LEVELS, nodes=nodes, arrows=arrows, families=(FORWARD,))


def levels(explored: Explored) -> StateGraph:
    """Of an explored space."""
    edges = [(source, target, 1) for source, each in enumerate(explored.edges) for _, target in each]
    count = len(explored.states)
    reached = distances(count, ((source, target) for source, target, _ in edges), set(range(explored.starts)))
    marks = [frozenset(_marks(explored, state)) for state in range(count)]
    nodes, arrows = _drawn(_States(reached, marks, edges))
    name = title(explored.program, explored.reduced_by)
    return StateGraph(name, GraphView.LEVELS, nodes, arrows, (FORWARD,), count, len(edges))


def _marks(explored: Explored, state: int) -> Iterator[Mark]:
    if state < explored.starts:
        yield Mark.INITIAL
    if explored.is_terminal(state):
        yield Mark.TERMINAL
    if state in explored.wrong:
        yield Mark.BAD


def _drawn(states: _States) -> tuple[tuple[StateNode, ...], tuple[Arrow, ...]]:
    together = -(-(max(states.depths) + 1) // MOST)
    group = [depth // together for depth in states.depths]
    between: Counter[tuple[int, int]] = Counter()
    for source, target, count in states.edges:
        between[group[source], group[target]] += count
    members: list[list[int]] = [[] for _ in range(max(group) + 1)]
    for state, number in enumerate(group):
        members[number].append(state)
    marks = ([states.marks[state] for state in own] for own in members)
    nodes = tuple(_node(number, together, each, between) for number, each in enumerate(marks))
    onward = [between[at, at + 1] for at in range(len(nodes) - 1)]
    return nodes, tuple(Arrow(at, at + 1, FORWARD, (f"{count:,}",), count) for at, count in enumerate(onward))


def _node(number: int, together: int, marks: Sequence[frozenset[Mark]], between: Counter[tuple[int, int]]) -> StateNode:
    first = number * together
    counts = Counter(mark for each in marks for mark in each)
    within, back = between[number, number], sum(n for (a, b), n in between.items() if a == number and b < number)
    depth = f"depth {first}" if together == 1 else f"depths {first} to {first + together - 1}"
    lines = [depth, f"{len(marks):,} state{'s' * (len(marks) != 1)}"]
    lines += [f"{counts[mark]:,} {mark.value}" for mark in (Mark.TERMINAL, Mark.BAD) if counts[mark]]
    lines += [f"{count:,} edges {words}" for count, words in ((within, "within"), (back, "back")) if count]
    return StateNode(number, tuple(lines), {}, number, len(marks), frozenset(counts))
