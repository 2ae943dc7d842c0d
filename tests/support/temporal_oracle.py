"""What formulas say of a program, by brute force: the whole graph, a product in plain Python, sets of states.

Nothing is reduced here, and nothing of the engines is used but strong components.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from random import Random

from asset.engine.components import strong_components
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program, State
from asset.ir.requirements import Enabled, Fairness, Observation, Predicate, Taken, Temporal
from asset.logic import formulas as f
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


# --- formulas ---------------------------------------------------------------------------------------------------

UNARY = (f.Not, f.Eventually, f.Always, f.Eventually, f.Always)
BINARY = (f.Until, f.Release, f.WeakUntil, f.Implies)


def random_ltl(random: Random, atoms: Sequence[Observation], size: int) -> f.Formula:
    """Without next, of so many parts."""
    if size <= 1:
        return f.Atom(random.choice(atoms))
    if size == 2 or random.random() < 0.5:
        return random.choice(UNARY)(random_ltl(random, atoms, size - 1))
    left = random.randrange(1, size - 1)
    parts = random_ltl(random, atoms, left), random_ltl(random, atoms, size - 1 - left)
    return f.And(parts) if random.random() < 0.3 else random.choice(BINARY)(*parts)
