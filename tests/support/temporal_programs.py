"""Small graphs as programs, formulas about them, and what these mean by looking at every short lasso."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from hypothesis import strategies as st
from programs import HERE, assign, binary, const, family, function, invariant, local, program, read, variable, when

from asset import codegen
from asset.engine.outcome import Path
from asset.ir import nodes as n
from asset.ir.program import Program, State, Variable
from asset.ir.requirements import Enabled, Fairness, Observation, Predicate, Requirement, Taken, Temporal
from asset.ir.types import IntType
from asset.logic import formulas as f
from asset.logic.semantics import holds

DISABLED = -1
MOST_STATES, MOST_COMMANDS, MOST_PREDICATES = 6, 3, 2  # of graphs that are in the state


@dataclass(frozen=True)
class SmallGraph:
    """`successors[command][state]` is where the command leads; `marked[k]` are the states of predicate k."""

    successors: tuple[tuple[int, ...], ...]
    marked: tuple[tuple[bool, ...], ...]

    @property
    def states(self) -> int:
        return len(self.successors[0])

    def predicates(self) -> list[Predicate]:
        return [Predicate(f"p{k}", 1 + k, (), HERE) for k in range(len(self.marked))]

    def program(self, *requirements: Requirement) -> Program:
        size = self.states
        targets = tuple(target for row in self.successors for target in row)
        here = n.Table(HERE, "to", (len(self.successors), size), targets, (local(0), read(0)))
        step = function("step", when(binary(">=", here, const(0))), assign(0, here), slots=["c"], parameters=1)
        looks = [
            function(f"p{k}", n.Return(HERE, n.Table(HERE, f"p{k}", (size,), tuple(map(int, row)), (read(0),))))
            for k, row in enumerate(self.marked)
        ]
        state = variable("s", IntType(0, size - 1))
        return program([state], [step, *looks], [family("step", 0, range(len(self.successors)))], requirements)

    def program_in_state(self, *requirements: Requirement) -> Program:
        """The same if the graph is no larger than `MOST_…`: `code_of_graphs` serves all of these."""
        pad = (DISABLED,) * MOST_STATES
        rows = [*self.successors, *[pad] * (MOST_COMMANDS - len(self.successors))]
        targets = tuple(target for row in rows for target in (*row, *pad)[:MOST_STATES])
        marks = [tuple(map(int, (*row, *[False] * MOST_STATES)[:MOST_STATES])) for row in self.marked]
        whole = _graphs_in_state()
        here, to, *marked = whole.variables
        filled = (here, replace(to, initial=targets), *map(_with_initial, marked, marks))
        return replace(whole, variables=filled, requirements=requirements, further_initial=())

    def state(self, number: int) -> State:
        """Of `program_in_state`."""
        return (number, *self.program_in_state().initial[1:])

    def enabled(self, state: int) -> frozenset[int]:
        return frozenset(c for c, row in enumerate(self.successors) if row[state] != DISABLED)

    # --- every short lasso --------------------------------------------------------------------------------------

    def lassos(self, length: int) -> Iterator[tuple[list[int], list[int | None], int]]:
        """States, the commands taken in them, and the position that the last one leads back to."""
        stack: list[tuple[list[int], list[int | None]]] = [([0], [])]
        while stack:
            states, taken = stack.pop()
            if not self.enabled(states[-1]):
                yield states, [*taken, None], len(states) - 1
                continue
            for command in self.enabled(states[-1]):
                target = self.successors[command][states[-1]]
                for back, state in enumerate(states):
                    if state == target:
                        yield states, [*taken, command], back
                if len(states) < length:
                    stack.append(([*states, target], [*taken, command]))

    def violates(self, required: Temporal, states: Sequence[int], taken: Sequence[int | None], back: int) -> bool:
        observed = [self._observed(required, s, c) for s, c in zip(states, taken, strict=True)]
        prefix, cycle = observed[:back], observed[back:]
        if holds(required.formula, prefix, cycle) or not all(holds(a, prefix, cycle) for a in required.assumptions):
            return False
        return all(self._is_fair(each, states[back:], taken[back:]) for each in required.fairness)

    def _observed(self, required: Temporal, state: int, command: int | None) -> set[Observation]:
        held: set[Observation] = set()
        for each in required.observations:
            match each:
                case Predicate():
                    truth = self.marked[each.function - 1][state]
                case Enabled():
                    truth = bool(each.commands & self.enabled(state))
                case Taken():
                    truth = command in each.commands
            if truth:
                held.add(each)
        return held

    def _is_fair(self, fairness: Fairness, states: Sequence[int], taken: Sequence[int | None]) -> bool:
        able = [bool(fairness.commands & self.enabled(state)) for state in states]
        moves = any(command in fairness.commands for command in taken)
        return moves or (not any(able) if fairness.strong else not all(able))


def _with_initial(variable: Variable, values: tuple[int, ...]) -> Variable:
    return replace(variable, initial=values)


@cache
def _graphs_in_state() -> Program:
    """A graph is a part of the state that never changes. As each may be the first, cells have room for all values."""
    size = MOST_STATES
    here = read(1, local(0), read(0))
    step = function("step", when(binary(">=", here, const(0))), assign(0, here), slots=["c"], parameters=1)
    looks = [function(f"p{k}", n.Return(HERE, read(2 + k, read(0)))) for k in range(MOST_PREDICATES)]
    variables = [
        variable("s", IntType(0, size - 1)),
        variable("to", IntType(DISABLED, size - 1), (MOST_COMMANDS, size), [DISABLED] * MOST_COMMANDS * size),
        *(variable(f"marked{k}", IntType(0, 1), (size,), [0] * size) for k in range(MOST_PREDICATES)),
    ]
    questions = [invariant(f"p{k}", 1 + k) for k in range(MOST_PREDICATES)]
    empty = program(variables, [step, *looks], [family("step", 0, range(MOST_COMMANDS))], questions)
    full = (size - 1, *[size - 1] * MOST_COMMANDS * size, *[1] * MOST_PREDICATES * size)
    return replace(empty, further_initial=(full,))


@cache
def code_of_graphs() -> codegen.CompiledModel:
    """Of `program_in_state`, whatever is asked."""
    return codegen.compile(_graphs_in_state())


def as_lasso(path: Path, cycle: int | None) -> tuple[list[int], list[int | None], int]:
    """A finding's run as the lassos above."""
    states: list[State] = [state for _, state in path]
    taken = [command for command, _ in path[1:]]
    if cycle is None:
        return [s[0] for s in states], [*taken, None], len(states) - 1
    return [s[0] for s in states[:-1]], taken, cycle


@st.composite
def small_graphs(draw: st.DrawFn, states: int = 5, commands: int = 3, predicates: int = 2) -> SmallGraph:
    size = draw(st.integers(1, states))
    target = st.integers(-1, size - 1)
    row = st.lists(target, min_size=size, max_size=size).map(tuple)
    rows = draw(st.lists(row, min_size=1, max_size=commands).map(tuple))
    marks = st.lists(st.booleans(), min_size=size, max_size=size).map(tuple)
    return SmallGraph(rows, tuple(draw(marks) for _ in range(predicates)))


def command_sets(graph: SmallGraph) -> st.SearchStrategy[frozenset[int]]:
    return st.frozensets(st.integers(0, len(graph.successors) - 1), min_size=1)


def observations(graph: SmallGraph, steps: bool = True) -> st.SearchStrategy[Observation]:
    sets = command_sets(graph)
    states = st.sampled_from(graph.predicates()) | sets.map(lambda s: Enabled(f"enabled{sorted(s)}", s))
    return states | sets.map(lambda s: Taken(f"taken{sorted(s)}", s)) if steps else states


def ltl(graph: SmallGraph) -> st.SearchStrategy[f.Formula]:
    unary = (f.Not, f.Next, f.Eventually, f.Always)
    binary_ = (f.Until, f.Release, f.WeakUntil, f.StrongRelease, f.Implies)

    def larger(inner: st.SearchStrategy[f.Formula]) -> st.SearchStrategy[f.Formula]:
        one = st.builds(lambda kind, a: kind(a), st.sampled_from(unary), inner)
        two = st.builds(lambda kind, a, b: kind(a, b), st.sampled_from(binary_), inner, inner)
        return one | two | st.builds(lambda a, b: f.And((a, b)), inner, inner)

    return st.recursive(observations(graph).map(f.Atom), larger, max_leaves=4)


def ctl(graph: SmallGraph) -> st.SearchStrategy[f.Formula]:
    unary = (f.Next, f.Eventually, f.Always)
    binary_ = (f.Until, f.Release, f.WeakUntil, f.StrongRelease)
    quantifier = st.sampled_from((f.ForAll, f.Exists))

    def larger(inner: st.SearchStrategy[f.Formula]) -> st.SearchStrategy[f.Formula]:
        one = st.builds(lambda q, kind, a: q(kind(a)), quantifier, st.sampled_from(unary), inner)
        two = st.builds(lambda q, kind, a, b: q(kind(a, b)), quantifier, st.sampled_from(binary_), inner, inner)
        return one | two | inner.map(f.Not) | st.builds(lambda a, b: f.Implies(a, b), inner, inner)

    return st.recursive(observations(graph, steps=False).map(f.Atom), larger, max_leaves=4)


def fairness(graph: SmallGraph) -> st.SearchStrategy[tuple[Fairness, ...]]:
    one = st.builds(lambda s, strong: Fairness(f"fair{sorted(s)}", s, strong), command_sets(graph), st.booleans())
    return st.lists(one, max_size=2).map(tuple)
