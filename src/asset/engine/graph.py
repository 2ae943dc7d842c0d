"""Progress on an explored state space, in time linear in its states and edges.

*May progress* is violated in a state from which no good state can be reached; *termination* likewise, the good states
being the terminal ones. *Must progress* is violated in a state from which a run avoids the accepted states for ever
(or, if terminal states do not count as progress, until it ends). A *recurrence* is violated by a cycle that fires a
command of `again` and none of `then` (the execution that Theorem 6 is about).

An *idle* edge is a step that changes nothing: for these requirements it is none, but for recurrences, which are about
commands, it is a step like any other. A state whose edges are all idle is terminal.

Of a violation, the first violating state in order of discovery is shown, then a shortest run that stays among the
violating states: to a cycle, or to where the run ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from asset.engine.components import strong_components
from asset.engine.store import Edge
from asset.ir.requirements import MayProgress, MustProgress, Progress, Recurrence, Requirement, Termination

LASSO_BUDGET = 1_000_000
"""How many edges may be looked at in search of the shortest lasso; beyond, the shortest one so far is taken."""


@dataclass(frozen=True)
class Graph:
    """`edges[s]` are the edges of state s in the order of firing; states are numbered in the order of discovery."""

    edges: Sequence[Sequence[Edge]]

    def without(self, idle: Callable[[int, int], bool]) -> Graph:
        """The graph without the edges that are idle: those of a state by a command."""
        return Graph([[e for e in edges if not idle(state, e[0])] for state, edges in enumerate(self.edges)])

    @cached_property
    def predecessors(self) -> list[list[int]]:
        result: list[list[int]] = [[] for _ in self.edges]
        for state, edges in enumerate(self.edges):
            for _, target in edges:
                result[target].append(state)
        return result

    @cached_property
    def terminal(self) -> list[bool]:
        return [not edges for edges in self.edges]

    def within(self, states: Sequence[bool]) -> Callable[[int], Iterator[Edge]]:
        """The edges that lead to these states, as a function of the state that they leave."""
        return lambda state: (edge for edge in self.edges[state] if states[edge[1]])


@dataclass(frozen=True, slots=True)
class Loss:
    """A run that shows how progress is lost: from the state `start`, along `run`.

    Its last step leads back to position `cycle` of the run (0 is the start), or to a terminal state if `cycle` is None.
    """

    start: int
    run: tuple[Edge, ...]
    cycle: int | None


# --- requirements -----------------------------------------------------------------------------------------------


def loss_of(graph: Graph, requirement: Requirement, accepted: Sequence[Sequence[bool]]) -> Loss | None:
    """How the requirement is violated; None if it is not. `accepted` has the states in which each predicate holds."""
    match requirement:
        case MayProgress():
            return first_loss(graph, cannot_reach(graph, _good(graph, requirement, accepted[0])))
        case MustProgress():
            return first_loss(graph, can_avoid(graph, _good(graph, requirement, accepted[0])))
        case Recurrence():
            return recurrence_loss(graph, requirement)
        case Termination():
            return first_loss(graph, cannot_reach(graph, graph.terminal))
        case _:
            raise AssertionError(f"{requirement} is decided while exploring")


def _good(graph: Graph, requirement: Progress, accepted: Sequence[bool]) -> Sequence[bool]:
    if not requirement.terminal_is_progress:
        return accepted
    return [a or t for a, t in zip(accepted, graph.terminal, strict=True)]


# --- which states violate ---------------------------------------------------------------------------------------


def cannot_reach(graph: Graph, good: Sequence[bool]) -> list[bool]:
    """The states from which no good state can be reached: a backward search from the good ones."""
    violating = [not each for each in good]
    pending = [state for state, each in enumerate(good) if each]
    while pending:
        for state in graph.predecessors[pending.pop()]:
            if violating[state]:
                violating[state] = False
                pending.append(state)
    return violating


def can_avoid(graph: Graph, good: Sequence[bool]) -> list[bool]:
    """The states from which some run meets no good state, for ever or to its end.

    States without such a run are peeled off: good ones, then those whose successors were all peeled off.
    """
    violating = [not each for each in good]
    left = [len(edges) for edges in graph.edges]
    pending = [state for state, each in enumerate(good) if each]
    while pending:
        for state in graph.predecessors[pending.pop()]:
            left[state] -= 1
            if violating[state] and not left[state]:
                violating[state] = False
                pending.append(state)
    return violating


# --- how to show it ---------------------------------------------------------------------------------------------


def first_loss(graph: Graph, violating: Sequence[bool], start: int | None = None) -> Loss | None:
    """The first violating state, or the one that is given, and from there the shortest run within the violating states
    to a cycle or an end.

    If a run to a terminal state is as short as one to a cycle, it is taken.
    """
    if start is None:
        start = next((state for state, each in enumerate(violating) if each), None)
    if start is None:
        return None
    inside = graph.within(violating)
    tree = _Tree(start, inside)
    end = next((state for state in tree.order if graph.terminal[state]), None)
    lasso = _shortest_lasso(tree, inside, tree.distance[end] if end is not None else None)
    if lasso is not None:
        return lasso
    assert end is not None, "a state that violates has a successor that violates, or is terminal"
    return Loss(start, tuple(tree.path(end)), None)


def shortest_way(graph: Graph, start: int, among: Sequence[bool], wanted: Sequence[bool]) -> list[Edge]:
    """A shortest way through some states to one that is wanted; there is one."""
    tree = _Tree(start, graph.within(among))
    return tree.path(next(state for state in tree.order if wanted[state]))


def recurrence_loss(graph: Graph, recurrence: Recurrence) -> Loss | None:
    """The first state on a cycle that fires a command of `again` and none of `then`, and the shortest such cycle."""
    without = [[edge for edge in edges if edge[0] not in recurrence.then] for edges in graph.edges]
    first = min(_recurring(without, recurrence.again), default=None)
    if first is None:
        return None
    # A vertex 2s + 1 is state s after a command of `again` has been fired, 2s is state s before.
    tree = _Tree(2 * first, lambda v: ((c, 2 * t + (v % 2 or c in recurrence.again)) for c, t in without[v // 2]))
    return Loss(first, tuple((command, vertex // 2) for command, vertex in tree.path(2 * first + 1)), 0)


def _recurring(edges: Sequence[Sequence[Edge]], again: Iterable[int]) -> Iterator[int]:
    """The first state of each strong component that has an edge of `again` inside."""
    for members in strong_components(range(len(edges)), lambda state: (target for _, target in edges[state])):
        component = set(members)
        if any(c in again and target in component for state in component for c, target in edges[state]):
            yield min(component)


class _Tree:
    """Shortest paths from a root along the edges given, found breadth-first; edges in their order decide ties."""

    def __init__(self, root: int, edges: Callable[[int], Iterator[Edge]]) -> None:
        self.distance = {root: 0}
        self.order = [root]
        self._parents: dict[int, tuple[int, int]] = {}
        for state in self.order:
            for command, target in edges(state):
                if target not in self.distance:
                    self.distance[target] = self.distance[state] + 1
                    self._parents[target] = (command, state)
                    self.order.append(target)

    def path(self, state: int) -> list[Edge]:
        """The edges from the root to the state."""
        result: list[Edge] = []
        while state in self._parents:
            command, parent = self._parents[state]
            result.append((command, state))
            state = parent
        return result[::-1]


def _shortest_lasso(tree: _Tree, edges: Callable[[int], Iterator[Edge]], below: int | None) -> Loss | None:
    """The lasso from the tree's root with the fewest steps, if it has fewer than `below`.

    Each state is tried as the one where the cycle begins, the nearest first, until none can give a shorter lasso. That
    is quadratic at worst, so it ends when the budget is spent; then the walk along first edges has to do.
    """
    best = _first_lasso(tree.order[0], edges, below)
    most = len(best.run) + 1 if best is not None else below
    budget = LASSO_BUDGET
    for state in tree.order:
        stem = tree.distance[state]
        if budget <= 0 or (most is not None and stem + 1 >= most):
            break
        cycle, looked_at = _shortest_cycle(state, edges, None if most is None else most - stem, budget)
        budget -= looked_at
        if cycle is not None:
            best = Loss(tree.order[0], (*tree.path(state), *cycle), stem)
            most = len(best.run)
    return best


def _shortest_cycle(
    root: int, edges: Callable[[int], Iterator[Edge]], below: int | None, budget: int
) -> tuple[list[Edge] | None, int]:
    """The shortest cycle from the root back to it, if shorter than `below`; and how many edges were looked at."""
    parents: dict[int, tuple[int, int]] = {}
    level, length, looked_at = [root], 0, 0
    while level and looked_at < budget and (below is None or length + 1 < below):
        following: list[int] = []
        for state in level:
            for command, target in edges(state):
                looked_at += 1
                if target == root:
                    return _back([(command, root)], state, root, parents), looked_at
                if target not in parents:
                    parents[target] = (command, state)
                    following.append(target)
        level, length = following, length + 1
    return None, looked_at


def _back(path: list[Edge], state: int, root: int, parents: dict[int, tuple[int, int]]) -> list[Edge]:
    while state != root:
        command, parent = parents[state]
        path.append((command, state))
        state = parent
    return path[::-1]


def _first_lasso(start: int, edges: Callable[[int], Iterator[Edge]], below: int | None) -> Loss | None:
    """The walk along first edges until a state repeats, if that takes fewer steps than `below`; None if it ends."""
    position, run, state = {start: 0}, list[Edge](), start
    while below is None or len(run) + 1 < below:
        edge = next(edges(state), None)
        if edge is None:
            return None
        run.append(edge)
        state = edge[1]
        if state in position:
            return Loss(start, tuple(run), position[state])
        position[state] = len(run)
    return None
