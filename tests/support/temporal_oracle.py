"""What formulas say of a program, by brute force: the whole graph, a product in plain Python, sets of states.

Nothing is reduced here, and nothing of the engines is used but strong components.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from asset.engine.components import strong_components
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program, State
from asset.ir.requirements import Branching, Enabled, Fairness, Observation, Predicate, Taken, Temporal
from asset.logic import formulas as f
from asset.logic.semantics import holds
from asset.logic.translation import translate

Step = tuple[int | None, int]
"""A command, or None in a terminal state, and the number of the state that it leads to."""


@dataclass(frozen=True)
class WholeGraph:
    program: Program
    states: Sequence[State]
    steps: Sequence[Sequence[Step]]

    def enabled(self, state: int) -> frozenset[int]:
        return frozenset(command for command, _ in self.steps[state] if command is not None)

    def holds(self, observed: Observation, state: int, command: int | None) -> bool:
        match observed:
            case Predicate():
                return Interpreter(self.program).evaluate(observed, self.states[state]) is None
            case Enabled(commands=commands):
                return bool(commands & self.enabled(state))
            case Taken(commands=commands):
                return command in commands
        raise AssertionError(observed)


def whole_graph(program: Program) -> WholeGraph:
    executable = Interpreter(program)
    states, numbers = [program.initial], {program.initial: 0}
    steps: list[list[Step]] = []
    for state in states:  # grows
        found: list[Step] = []
        for command in range(program.nr_commands):
            after = executable.fire(state, command)
            if after is not None:
                if after not in numbers:
                    numbers[after] = len(states)
                    states.append(after)
                found.append((command, numbers[after]))
        steps.append(found or [(None, numbers[state])])
    return WholeGraph(program, states, steps)


# --- fair runs --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Marked:
    """A graph with marks on its edges, and in each vertex what is demanded there: a run that has a demand again and
    again must have the mark again and again; and it must have all that is `wanted`."""

    edges: Sequence[Sequence[tuple[int, frozenset[Hashable]]]]
    demands: Sequence[frozenset[Hashable]]
    wanted: frozenset[Hashable]

    def fair(self, among: set[int]) -> set[int]:
        """The vertices through which a fair cycle goes within these."""
        found: set[int] = set()
        for members in strong_components(sorted(among), lambda v: (t for t, _ in self.edges[v] if t in among)):
            component = set(members)
            inner = [marks for v in component for t, marks in self.edges[v] if t in component]
            marks = frozenset[Hashable]().union(*inner)
            denied = frozenset[Hashable]().union(*(self.demands[v] for v in component)) - marks
            if not inner or not self.wanted <= marks:
                continue
            found |= self.fair({v for v in component if not denied & self.demands[v]}) if denied else component
        return found


def _justice(graph: WholeGraph, fairness: Iterable[Fairness], state: int, command: int | None) -> Iterable[Fairness]:
    for each in fairness:
        if command in each.commands or (not each.strong and not each.commands & graph.enabled(state)):
            yield each


def _demands(graph: WholeGraph, fairness: Iterable[Fairness], state: int) -> frozenset[Hashable]:
    return frozenset(each for each in fairness if each.strong and each.commands & graph.enabled(state))


def is_violated(graph: WholeGraph, required: Temporal) -> bool:
    """Whether a fair run violates the formula."""
    automaton = translate(required.violation)
    numbers = {(0, automaton.initial): 0}
    vertices = list(numbers)
    edges: list[list[tuple[int, frozenset[Hashable]]]] = []
    for state, mode in vertices:  # grows
        found: list[tuple[int, frozenset[Hashable]]] = []
        for command, target in graph.steps[state]:
            letter = automaton.letter(lambda key, s=state, c=command: graph.holds(key, s, c))  # type: ignore[misc]
            justice = frozenset(_justice(graph, required.fairness, state, command))
            for edge in automaton.edges[mode]:
                if edge.allows(letter):
                    sets = frozenset(k for k in range(automaton.acceptance) if edge.marks >> k & 1)
                    vertex = (target, edge.target)
                    if vertex not in numbers:
                        numbers[vertex] = len(vertices)
                        vertices.append(vertex)
                    found.append((numbers[vertex], sets | justice))
        edges.append(found)
    weak = frozenset(each for each in required.fairness if not each.strong)
    demands = [_demands(graph, required.fairness, state) for state, _ in vertices]
    marked = Marked(edges, demands, weak | frozenset(range(automaton.acceptance)))
    return bool(marked.fair(set(range(len(vertices)))))


# --- branching time ---------------------------------------------------------------------------------------------


class BranchingOracle:
    """CTL under fairness by sets of states; A is not E not."""

    def __init__(self, graph: WholeGraph, required: Branching) -> None:
        self.graph = graph
        self.required = required
        self.everything = set(range(len(graph.states)))
        weak = frozenset[Hashable](each for each in required.fairness if not each.strong)
        edges = [[(target, self._marks(state, command)) for command, target in graph.steps[state]] for state in self]
        demands = [_demands(graph, required.fairness, state) for state in self]
        self.marked = Marked(edges, demands, weak | frozenset(required.recurring))
        self.live = self._some_always(self.everything)

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.graph.states)))

    def _marks(self, state: int, command: int | None) -> frozenset[Hashable]:
        held = {each for each in self.required.observations if self.graph.holds(each, state, command)}
        assumed = (each for each in self.required.recurring if holds(each, [], [held]))
        return frozenset(_justice(self.graph, self.required.fairness, state, command)) | frozenset(assumed)

    @property
    def holds(self) -> bool:
        return 0 in self.states_of(self.required.formula)

    def states_of(self, formula: f.Formula) -> set[int]:
        match formula:
            case f.Atom(key=key):
                assert isinstance(key, Observation)
                return {state for state in self if self.graph.holds(key, state, None)}
            case f.Not(operand):
                return self.everything - self.states_of(operand)
            case f.Implies(left, right):
                return (self.everything - self.states_of(left)) | self.states_of(right)
            case f.Exists(path):
                return self._some(path)
            case f.ForAll(path):
                return self.everything - self._some(_contrary(path))
        raise AssertionError(formula)

    def _some(self, path: f.Formula) -> set[int]:
        a, b = (self.states_of(operand) for operand in (path.operands[0], path.operands[-1]))
        match path:
            case f.Next():
                return self._before(a & self.live)
            case f.Eventually():
                return self._some_until(self.everything, a)
            case f.Always():
                return self._some_always(a)
            case f.Until():
                return self._some_until(a, b)
            case f.WeakUntil():
                return self._some_until(a, b) | self._some_always(a)
            case f.StrongRelease():
                return self._some_until(b, a & b)
            case f.Release():
                return self._some_until(b, a & b) | self._some_always(b)
        raise AssertionError(path)

    def _before(self, states: set[int]) -> set[int]:
        return {state for state in self if any(target in states for _, target in self.graph.steps[state])}

    def _some_until(self, left: set[int], right: set[int]) -> set[int]:
        return self._reaching(left, right & self.live)

    def _some_always(self, operand: set[int]) -> set[int]:
        return self._reaching(operand, self.marked.fair(operand))

    def _reaching(self, through: set[int], ends: set[int]) -> set[int]:
        found = set(ends)
        while new := (through & self._before(found)) - found:
            found |= new
        return found


def _contrary(path: f.Formula) -> f.Formula:
    a, b = f.Not(path.operands[0]), f.Not(path.operands[-1])
    match path:
        case f.Next():
            return f.Next(a)
        case f.Eventually():
            return f.Always(a)
        case f.Always():
            return f.Eventually(a)
        case f.Until():
            return f.Release(a, b)
        case f.Release():
            return f.Until(a, b)
        case f.WeakUntil():
            return f.StrongRelease(a, b)
        case f.StrongRelease():
            return f.WeakUntil(a, b)
    raise AssertionError(path)
