"""Formulas of linear time logic decided while exploring: Couvreur's algorithm.

The product of the space with the automaton of the formula's negation (`asset.engine.temporal`) is searched depth-first,
and a state is expanded when the search first comes to it. The vertices on the way and what was found from them form a
chain of strongly connected parts, each with the marks of its edges. An edge back into the chain makes one part of all
from there on. As soon as a part has all marks, a fair run violates the formula: it is not known, and need not be, what
else the component has. A part that nothing leads out of, back into the chain, is a whole component. It is not
accepting; but if only strong fairness keeps it from that, the vertices in which a command is enabled that is never
fired are taken away, and what is left is searched again. Vertices in which the automaton is on no accepting cycle of
its own are only passed through: they are done as soon as they are entered.

Many automata wait (`Automaton.waits`): for a p that is not answered, or for the moment from which on q never holds.
Every state is reached while the automaton waits, as all that is found is reachable. So the states are gone through as
they were found, and the search begins where the automaton stops waiting: no other vertex can be on an accepting cycle.

All edges of a vertex are looked at when it is entered: those into the chain first, as one of them may end the search.
If no formula is violated, the states that no product came to are explored too: there may be model errors. Only what was
expanded is known when a violation is found, so the run that shows it is a shortest one among what is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from asset.engine.outcome import Executable, Finding, Task
from asset.engine.product import explored_space
from asset.engine.search import Search
from asset.engine.store import Store
from asset.engine.temporal import Mark, MarkedEdge, Observer, ReadProduct
from asset.ir.program import State
from asset.ir.requirements import Stage, Temporal

FEW_TOGETHER, MANY_TOGETHER = 16, 128
"""States that were found one after the other are expanded together, so many at most: natively that is quicker."""
MOST_FOR_ONE = 2
"""Of states that are expanded for one that is asked for. If there are more, fewer are expanded together."""


class SpaceOnDemand:
    """What was found so far; states are expanded on demand, and read for all formulas."""

    def __init__(self, executable: Executable, search: Search, task: Task) -> None:
        self.search = search
        search.begin(task.starts)
        self.starts = list(range(len(search.store)))
        self.formulas = [each for each in task.of(Stage.GRAPH) if isinstance(each, Temporal)]
        space = explored_space(search.store)
        self.products = [ReadProduct(space, Observer(executable, search, each), each) for each in self.formulas]
        self.counts = (0, 0)  # the vertices and edges of products that were searched
        self._expanded: set[int] = set()
        self._asked = 0

    def violation(self) -> Finding | None:
        """Of the first formula that is violated. Raises ObservationFailed, or what the search raises."""
        for required, product in zip(self.formulas, self.products, strict=True):
            component = self._accepting(product)
            if component is not None:
                way = self._way_to(component, product)
                return product.shown(required, way, component)
        for state, _ in enumerate(self.search.store.vertices):  # grows
            self.expand(state)
        return None

    def expand(self, first: int) -> None:
        """Afterwards the state has edges, and products can be looked at there."""
        self._asked += 1
        most = FEW_TOGETHER if len(self._expanded) > MOST_FOR_ONE * self._asked else MANY_TOGETHER
        fresh = list(range(first, min(first + most, len(self.search.store))))
        fresh = fresh[: next((i for i, state in enumerate(fresh) if state in self._expanded), len(fresh))]
        for state in fresh:
            self.search.expand(state)
        self._expanded.update(fresh)
        for product in self.products:
            for state in fresh:
                product.read(state)

    def _accepting(self, product: ReadProduct) -> set[int] | None:
        try:
            begins = self._ends_of_waiting(product) if product.waits else product.begin(self.starts)
            return _EmptinessCheck(self, product).accepting(begins)
        finally:
            vertices, edges = self.counts
            self.counts = (vertices + len(product.edges), edges + sum(map(len, product.edges.values())))

    def _ends_of_waiting(self, product: ReadProduct) -> Iterator[int]:
        """The vertices in which the automaton may be after it waited."""
        for state, _ in enumerate(self.search.store.vertices):  # grows
            self.expand(state)
            yield from product.after_waiting(state)

    def _way_to(self, component: set[int], product: ReadProduct) -> list[tuple[int | None, int]]:
        """A shortest way from a start through what is known of the product."""
        starts = product.begin(self.starts)
        parents: dict[int, tuple[int | None, int]] = {start: (None, start) for start in starts}
        for vertex in (queue := list(starts)):
            if vertex in component:
                return _back(parents, vertex)
            for edge in product.look_at(vertex) if product.is_known(vertex) else ():
                if edge.target not in parents:
                    parents[edge.target] = (-1 if edge.command is None else edge.command, vertex)
                    queue.append(edge.target)
        raise AssertionError("the component was reached")


def _back(parents: dict[int, tuple[int | None, int]], vertex: int) -> list[tuple[int | None, int]]:
    way: list[tuple[int | None, int]] = []
    while True:
        command, parent = parents[vertex]
        way.append((command, vertex))
        if command is None:
            return way[::-1]
        vertex = parent


def way_to(store: Store[State], starts: int, state: int) -> tuple[tuple[int | None, State], ...]:
    """A shortest way to a state from one of the first ones, by the edges that are known."""
    parents: dict[int, tuple[int | None, int]] = {start: (None, start) for start in range(starts)}
    for vertex in (queue := list(range(starts))):
        for command, target in store.edges[vertex]:
            if target not in parents:
                parents[target] = (command, vertex)
                queue.append(target)
    return tuple((command, store.vertices[vertex]) for command, vertex in _back(parents, state))


def depth(store: Store[State], starts: int) -> int:
    """How far the farthest state is from one of the first ones, by the edges that are known."""
    distance = dict.fromkeys(range(starts), 0)
    for vertex in (queue := list(range(starts))):
        for _, target in store.edges[vertex]:
            if target not in distance:
                distance[target] = distance[vertex] + 1
                queue.append(target)
    return max(distance.values(), default=0)


@dataclass(slots=True)
class _Part:
    """A strongly connected part in the chain: the number of its first vertex, the marks of the edge to it, those of its
    edges, and whether it has any."""

    first: int
    before: frozenset[Mark]
    inside: frozenset[Mark] = frozenset()
    is_cyclic: bool = False


@dataclass(slots=True)
class _EmptinessCheck:
    """Couvreur's algorithm. `live` are the vertices of the chain in the order of their numbers, and `done` those whose
    components are complete."""

    space: SpaceOnDemand
    product: ReadProduct
    numbers: dict[int, int] = field(default_factory=dict)
    done: set[int] = field(default_factory=set)
    live: list[int] = field(default_factory=list)
    chain: list[_Part] = field(default_factory=list)

    def accepting(self, starts: Iterable[int]) -> set[int] | None:
        """Vertices that form a strongly connected part with all marks, if there is one."""
        for start in starts:
            if start not in self.numbers and self._search_from(start):
                return set(self.live[self.chain[-1].first :])
        return None

    def _search_from(self, root: int) -> bool:
        way = [self._entered(root, frozenset())]
        while way:
            vertex, pending = way[-1]
            if pending is None:
                return True
            if not pending:
                way.pop()
                if self._leaves(vertex):
                    return True
                continue
            edge = pending.pop()
            if edge.target not in self.numbers:
                way.append(self._entered(edge.target, edge.marks))
            elif edge.target not in self.done and self._merges(edge):
                return True
        return False

    def _entered(self, vertex: int, before: frozenset[Mark]) -> tuple[int, list[MarkedEdge] | None]:
        """The vertex with its edges to vertices that are new, the first one at the end; None if an edge into the chain
        closes an accepting part."""
        number = self.numbers[vertex] = len(self.live)
        if self.product.is_promising(vertex):
            self.live.append(vertex)
            self.chain.append(_Part(number, before))
        else:
            self.done.add(vertex)
        self.space.expand(self.product.vertices[vertex][0])
        pending: list[MarkedEdge] = []
        for edge in reversed(self.product.look_at(vertex)):
            if edge.target not in self.numbers:
                pending.append(edge)
            elif edge.target not in self.done and self._merges(edge):
                return vertex, None
        return vertex, pending

    def _merges(self, edge: MarkedEdge) -> bool:
        """An edge leads back into the chain: all from there on is one part. Whether that has all marks."""
        marks = edge.marks
        while self.chain[-1].first > self.numbers[edge.target]:
            part = self.chain.pop()
            marks |= part.inside | part.before
        last = self.chain[-1]
        last.inside |= marks
        last.is_cyclic = True
        wanted = self.product.wanted
        return wanted <= last.inside and self.product.demanded(self.live[last.first :]) <= last.inside

    def _leaves(self, vertex: int) -> bool:
        """All edges of the vertex were looked at. Whether what is left of its component, if that is complete, has an
        accepting part."""
        if vertex in self.done:
            return False
        last = self.chain[-1]
        if last.first != self.numbers[vertex]:
            return False
        self.chain.pop()
        members = self.live[last.first :]
        del self.live[last.first :]
        self.done.update(members)
        if not last.is_cyclic or not self.product.wanted <= last.inside:
            return False
        denied = self.product.demanded(members) - last.inside
        return self._search_left([each for each in members if not denied & self.product.demands(each)])

    def _search_left(self, left: Sequence[int]) -> bool:
        for vertex in left:
            del self.numbers[vertex]
        self.done.difference_update(left)
        return any(vertex not in self.numbers and self._search_from(vertex) for vertex in left)
