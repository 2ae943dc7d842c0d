"""Whether a fair run of the explored space violates a formula of linear time logic.

The automaton of the formula's negation reads runs of the space: in each step it is given what is observed of the state
and of the step. A vertex of the product is a state with a state of the automaton. A run of the product that visits each
acceptance set again and again is a run that violates the formula; so there is one if and only if a strong component of
the product has an edge of each acceptance set inside (Couvreur). A run that comes to a terminal state stays there.

Fairness is a matter of the edges too, and costs no vertices. *Weak* fairness is one more acceptance set: the edges that
fire one of its commands, and those that leave states in which none is enabled. *Strong* fairness is violated by a
component in which one of its commands is enabled, and none is fired. Then a fair run that stays in the component stays
where they are not enabled: the vertices in which one is are taken away, and what is left is searched again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from asset.engine.components import strong_components
from asset.engine.outcome import During, Executable, Finding, Path, StepEvaluator
from asset.engine.product import ProductVertex, Renamings, Space
from asset.engine.search import Search
from asset.engine.store import Store
from asset.ir.faults import Fault
from asset.ir.program import State
from asset.ir.requirements import Branching, Enabled, Fairness, Predicate, StepPredicate, Taken, Temporal
from asset.logic.automata import Automaton, recurring
from asset.logic.translation import cubes, translate

Mark = int | Fairness
"""An acceptance set by its number, or a fairness that an edge does justice to."""


@lru_cache(maxsize=64)
def automaton_of(required: Temporal | Branching) -> Automaton:
    """Accepts the runs that violate the formula; or, of branching time logic, those on which the assumptions hold that
    are of a simple form. It knows nothing of fairness."""
    if isinstance(required, Temporal):
        return translate(required.violation)
    atoms = required.observations
    return recurring(atoms, [cubes(each, atoms) for each in required.recurring])


class ObservationFailed(Exception):
    """A model error in a predicate of the formula; of the step by the command, if it is about steps."""

    def __init__(self, state: int, predicate: Predicate | StepPredicate, command: int | None = None) -> None:
        self.state = state
        self.predicate = predicate
        self.command = command

    def finding(self, path: Path) -> Finding:
        during = During.PREDICATE if isinstance(self.predicate, Predicate) else During.STEP
        return Finding(None, path, during=during, predicate=self.predicate, command=self.command)


@dataclass(frozen=True, slots=True)
class MarkedEdge:
    """By a command, or None if the run stays in a terminal state; to a vertex of the product."""

    command: int | None
    target: int
    marks: frozenset[Mark]


class Observer:
    """What is observed of each state, and of its steps."""

    def __init__(self, executable: Executable, search: Search, required: Temporal | Branching) -> None:
        self._executable = executable
        self._search = search
        self._required = required
        self._fairness = required.fairness
        self._enabled: dict[int, frozenset[int]] = {}
        self._seen: Sequence[State] = search.store.vertices

    def enabled(self, state: int) -> frozenset[int]:
        """The commands that are enabled, also those that a stubborn set left out."""
        if state not in self._enabled:
            self._enabled[state] = frozenset(self._search.source.enabled(self._search.store.vertices[state]))
        return self._enabled[state]

    def fired(self, state: int, command: int | None) -> int | None:
        """The command as the requirement names it."""
        return command

    def of_state(self, state: int) -> frozenset[object]:
        held: set[object] = set()
        for each in self._required.observations:
            match each:
                case Predicate():
                    if self._holds(each, state):
                        held.add(each)
                case Enabled(commands=commands):
                    if commands & self.enabled(state):
                        held.add(each)
        return frozenset(held)

    def _holds(self, predicate: Predicate, state: int) -> bool:
        try:
            return self._executable.evaluate(predicate, self._seen[state]) is None
        except Fault:
            raise ObservationFailed(state, predicate) from None

    def of_step(self, state: int, command: int | None, target: int) -> frozenset[object]:
        held: set[object] = set()
        for each in self._required.observations:
            match each:
                case Taken(commands=commands):
                    if self.fired(state, command) in commands:
                        held.add(each)
                case StepPredicate():
                    if self._holds_of_step(each, state, command, target):
                        held.add(each)
        return frozenset(held)

    def _holds_of_step(self, predicate: StepPredicate, state: int, command: int | None, target: int) -> bool:
        assert isinstance(self._executable, StepEvaluator), "formulas are of a language that has them"
        try:
            return self._executable.evaluate_step(predicate, self._seen[state], self._seen[target])
        except Fault:
            raise ObservationFailed(state, predicate, command) from None

    def justice(self, state: int, command: int | None) -> Iterator[Fairness]:
        """The fairness that the step does justice to."""
        fired = self.fired(state, command)
        for each in self._fairness:
            if fired in each.commands or (not each.strong and not each.commands & self.enabled(state)):
                yield each

    def demands(self, state: int) -> frozenset[Fairness]:
        """The strong fairness that has a command enabled."""
        return frozenset(f for f in self._fairness if f.strong and f.commands & self.enabled(state))


class RenamedObserver(Observer):
    """What is observed of the vertices of a quotient that is annotated with what renamings make of the requirement."""

    def __init__(self, plain: Observer, renamings: Renamings, vertices: Sequence[ProductVertex]) -> None:
        super().__init__(plain._executable, plain._search, plain._required)
        self._renamings = renamings
        self._vertices = vertices
        self._seen = [renamings.seen(vertex) for vertex in vertices]
        self._plain = plain

    def enabled(self, state: int) -> frozenset[int]:
        if state not in self._enabled:
            vertex = self._vertices[state]
            enabled = self._plain.enabled(vertex[0])
            self._enabled[state] = frozenset(self._renamings.fired(vertex, command) for command in enabled)
        return self._enabled[state]

    def fired(self, state: int, command: int | None) -> int | None:
        return None if command is None else self._renamings.fired(self._vertices[state], command)


class ReadProduct:
    """The product with the automaton of the requirement, as far as it was looked at: vertices in the order of
    discovery, and the edges of some."""

    def __init__(self, space: Space, observer: Observer, required: Temporal | Branching) -> None:
        self._space = space
        self._automaton = automaton_of(required)
        self._promising = frozenset(self._automaton.promising)
        self._observer = observer
        self._observed: dict[int, frozenset[object]] = {}
        self._steps: dict[int, list[tuple[int | None, int, frozenset[object]]]] = {}
        self._store = Store[ProductVertex]()
        self.edges: dict[int, list[MarkedEdge]] = {}
        self.wanted: frozenset[Mark] = frozenset(range(self._automaton.acceptance)) | {
            each for each in required.fairness if not each.strong
        }

    @property
    def vertices(self) -> list[ProductVertex]:
        return self._store.vertices

    def begin(self, starts: Iterable[int]) -> list[int]:
        """The vertices that runs begin in."""
        return [self._number((state, self._automaton.initial), (None, 0)) for state in dict.fromkeys(starts)]

    @property
    def waits(self) -> bool:
        return self._automaton.waits

    def after_waiting(self, state: int) -> list[int]:
        """If the automaton waits: the vertices in which it may be one step after it waited in a state that was read."""
        (waiting,) = self.begin([state])
        targets = [edge.target for edge in self.look_at(waiting)]
        return [target for target in targets if self.vertices[target][1] != self._automaton.initial]

    def read(self, state: int) -> None:
        """Observes a state that was expanded, and its steps: commands, where they lead, and what is observed; staying,
        in a terminal state. Raises ObservationFailed."""
        self._observed[state] = self._observer.of_state(state)
        steps: list[tuple[int | None, int]] = [*self._space.graph.edges[state]] or [(None, state)]
        self._steps[state] = [(c, target, self._observer.of_step(state, c, target)) for c, target in steps]

    def look_at(self, vertex: int) -> list[MarkedEdge]:
        """The edges of a vertex, whose state was read."""
        if vertex not in self.edges:
            self.edges[vertex] = list(self._edges(vertex, *self.vertices[vertex]))
        return self.edges[vertex]

    def is_known(self, vertex: int) -> bool:
        """Whether its state was read."""
        return self.vertices[vertex][0] in self._steps

    def is_promising(self, vertex: int) -> bool:
        """Whether a cycle through it may be accepted."""
        return self.vertices[vertex][1] in self._promising

    def _edges(self, number: int, state: int, mode: int) -> Iterator[MarkedEdge]:
        for command, target, seen in self._steps[state]:
            letter = self._automaton.letter((self._observed[state] | seen).__contains__)
            justice = frozenset(self._observer.justice(state, command))
            sets: dict[int, int] = {}
            for edge in self._automaton.edges[mode]:
                if edge.allows(letter):
                    sets[edge.target] = sets.get(edge.target, 0) | edge.marks
            for then, marks in sets.items():
                visited = frozenset(k for k in range(self._automaton.acceptance) if marks >> k & 1)
                vertex = self._number((target, then), (-1 if command is None else command, number))
                yield MarkedEdge(command, vertex, visited | justice)

    def _number(self, vertex: ProductVertex, parent: tuple[int | None, int]) -> int:
        known = self._store.numbers.get(vertex)
        return self._store.add(vertex, parent) if known is None else known

    def demanded(self, component: Iterable[int]) -> frozenset[Mark]:
        """The strong fairness that a component must do justice to."""
        return frozenset[Mark]().union(*(self.demands(vertex) for vertex in component))

    def demands(self, vertex: int) -> frozenset[Fairness]:
        """The strong fairness that has a command enabled in a vertex."""
        return self._observer.demands(self.vertices[vertex][0])

    # --- a lasso ------------------------------------------------------------------------------------------------

    def shown(self, required: Temporal, way: Sequence[tuple[int | None, int]], component: set[int]) -> Finding:
        """The run by a way, of commands and vertices, to a vertex of an accepting component, and round in it."""
        path = [(command, self._state(vertex)) for command, vertex in way if command != -1]
        lost_at = len(path) - 1
        cycle = self.cycle_through(way[-1][1], component)
        if cycle[0].command is None:
            return Finding(required, tuple(path), progress_lost_at=lost_at)
        path += [(edge.command, self._state(edge.target)) for edge in cycle]
        return Finding(required, tuple(path), progress_lost_at=lost_at, cycle_starts_at=lost_at)

    def _state(self, vertex: int) -> State:
        return self._space.states[self.vertices[vertex][0]]

    def cycle_through(self, start: int, component: set[int]) -> list[MarkedEdge]:
        """By a shortest way to an edge with a mark that the cycle lacks, again and again, and back at last."""
        lacks = self.wanted | self.demanded(component)
        cycle: list[MarkedEdge] = []
        vertex = start
        while lacks or not cycle or vertex != start:
            cycle += self._towards(vertex, start, component, lacks)
            lacks -= cycle[-1].marks
            vertex = cycle[-1].target
        return cycle

    def _towards(self, root: int, home: int, component: set[int], lacks: frozenset[Mark]) -> list[MarkedEdge]:
        """A shortest way inside the component whose last edge has something of what lacks, or leads home."""
        parents: dict[int, tuple[int, MarkedEdge] | None] = {root: None}
        for vertex in (queue := [root]):
            for edge in self.edges[vertex]:
                if edge.target not in component:
                    continue
                if edge.marks & lacks or (not lacks and edge.target == home):
                    return [*_back(parents, vertex), edge]
                if edge.target not in parents:
                    parents[edge.target] = (vertex, edge)
                    queue.append(edge.target)
        raise AssertionError("the component has all marks")


class FairProduct(ReadProduct):
    """All of it, on an explored space, breadth-first."""

    def __init__(self, space: Space, observer: Observer, required: Temporal | Branching, starts: Iterable[int]) -> None:
        super().__init__(space, observer, required)
        # Everything is observed, in the order of discovery: a model error is one whatever the automaton does.
        for state in range(len(space.states)):
            self.read(state)
        self.begin(starts)
        for number, _ in enumerate(self.vertices):  # grows
            self.look_at(number)

    def first_accepting(self) -> set[int] | None:
        """Of the components in which a fair run violates the formula, the one that a run comes to first."""
        return min(self.accepting(set(range(len(self.vertices)))), key=min, default=None)

    def accepting(self, among: set[int]) -> Iterator[set[int]]:
        """The parts of these vertices in which there are fair runs that the automaton accepts."""

        def inside(vertex: int) -> Iterator[int]:
            return (edge.target for edge in self.edges[vertex] if edge.target in among)

        for members in strong_components(sorted(among), inside):
            component = set(members)
            inner = [edge for vertex in members for edge in self.edges[vertex] if edge.target in component]
            marks = frozenset[Mark]().union(*(edge.marks for edge in inner))
            if not inner or not self.wanted <= marks:
                continue
            denied = self.demanded(component) - marks
            if not denied:
                yield component
            else:
                yield from self.accepting({v for v in component if not denied & self.demands(v)})

    def way_to(self, vertex: int) -> list[tuple[int | None, int]]:
        """A shortest way: commands and vertices; the command -1 is to stay in a terminal state."""
        return [(command, self._store.numbers[each]) for command, each in self._store.path(vertex)]


def _back(parents: dict[int, tuple[int, MarkedEdge] | None], vertex: int) -> list[MarkedEdge]:
    path: list[MarkedEdge] = []
    while (parent := parents[vertex]) is not None:
        vertex, edge = parent
        path.append(edge)
    return path[::-1]


def violated(space: Space, observer: Observer, required: Temporal, starts: Iterable[int]) -> Finding | None:
    """A fair run that violates the formula, if there is one. Raises ObservationFailed."""
    product = FairProduct(space, observer, required, starts)
    component = product.first_accepting()
    return None if component is None else product.shown(required, product.way_to(min(component)), component)
