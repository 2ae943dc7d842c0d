"""Progress as the reference engine finds it, against the definitions: written here anew, naively, for small graphs."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st
from programs import everything, graph, terminal_is_no_progress

from asset.engine import reference
from asset.engine.outcome import Finding, Limits, Outcome, Stop
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program
from asset.ir.requirements import MayProgress, MustProgress, Requirement, Termination

EXAMPLES = settings(max_examples=80, deadline=None)

Edges = set[tuple[int, int, int]]
"""State, command, state."""


def outcome_of(program: Program, *more: Requirement) -> Outcome:
    return reference.explore(Interpreter(program), everything(program, *more), Limits())


# --- the definitions --------------------------------------------------------------------------------------------


def reachable_edges(commands: list[list[int]], idle_steps: bool = True) -> tuple[set[int], Edges]:
    states = {0}
    while True:
        edges = {(s, c, targets[s]) for s in states for c, targets in enumerate(commands) if targets[s] >= 0}
        more = states | {target for _, _, target in edges}
        if more == states:
            return states, {edge for edge in edges if idle_steps or edge[0] != edge[2]}
        states = more


def leads_to(states: set[int], edges: Edges) -> set[tuple[int, int]]:
    """All pairs with a path of at least one edge: Warshall's closure."""
    pairs = {(a, b) for a, _, b in edges}
    for middle, a, b in product(sorted(states), sorted(states), sorted(states)):
        if (a, middle) in pairs and (middle, b) in pairs:
            pairs.add((a, b))
    return pairs


def without_good_future(states: set[int], edges: Edges, good: set[int]) -> set[int]:
    paths = leads_to(states, edges)
    return {s for s in states if s not in good and not any((s, g) in paths for g in good)}


def avoiding(states: set[int], edges: Edges, accepted: set[int], bad_ends: set[int]) -> set[int]:
    """The states of which some path of states that are not accepted goes to a cycle of such, or to a bad end."""
    inside = states - accepted
    paths = leads_to(inside, {edge for edge in edges if edge[0] in inside and edge[2] in inside})
    goals = {s for s in inside if (s, s) in paths} | (bad_ends & inside)
    return {s for s in inside if s in goals or any((s, g) in paths for g in goals)}


def recurring(states: set[int], edges: Edges, again: set[int], then: set[int]) -> set[int]:
    """The states on a cycle with a command of `again` and none of `then`."""
    kept = {edge for edge in edges if edge[1] not in then}
    paths = leads_to(states, kept) | {(s, s) for s in states}
    return {s for s in states if any(c in again and (s, a) in paths and (b, s) in paths for a, c, b in kept)}


def terminal_states(states: set[int], edges: Edges) -> set[int]:
    return states - {s for s, _, _ in edges}


def shortest_continuation(start: int, edges: Edges, inside: set[int]) -> int:
    """The number of steps until a walk within the states first repeats one of its states, or ends; by brute force."""
    walks = [(start,)]
    while True:
        if any(len(set(walk)) < len(walk) or not any(e[0] == walk[-1] for e in edges) for walk in walks):
            return len(walks[0]) - 1
        walks = [(*walk, b) for walk in walks for a, _, b in edges if a == walk[-1] and b in inside]


# --- random graphs ----------------------------------------------------------------------------------------------


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[list[int]], list[bool]]:
    size = draw(st.integers(1, 7))
    targets = st.lists(st.integers(-3, size - 1).map(lambda t: max(t, -1)), min_size=size, max_size=size)
    accepted = st.lists(st.integers(0, 3).map(lambda k: k == 0), min_size=size, max_size=size)
    return draw(st.lists(targets, min_size=1, max_size=3)), draw(accepted)


def agrees(outcome: Outcome, kind: type[Requirement], violating: set[int], edges: Edges, inside: set[int]) -> None:
    """The engine finds something exactly where something violates, and shows it by a run that does."""
    assert (outcome.stop is Stop.FINDING) == bool(violating)
    if outcome.finding is None:
        return
    finding = outcome.finding
    assert isinstance(finding.requirement, kind)
    is_a_run(finding, edges)
    assert finding.progress_lost_at is not None
    start = finding.path[finding.progress_lost_at][1][0]
    assert start in violating
    assert not any(state[0] in violating for _, state in finding.path[: finding.progress_lost_at])
    assert all(state[0] in inside for _, state in finding.path[finding.progress_lost_at :])
    assert len(finding.path) - 1 - finding.progress_lost_at == shortest_continuation(start, edges, inside)


def is_a_run(finding: Finding, edges: Edges) -> None:
    states = [state[0] for _, state in finding.path]
    assert states[0] == 0
    assert finding.path[0][0] is None
    for before, (command, (after,)) in zip(states, finding.path[1:], strict=False):
        assert (before, command, after) in edges
    if finding.cycle_starts_at is None:
        assert not any(edge[0] == states[-1] for edge in edges)
    else:
        assert finding.cycle_starts_at < len(states) - 1
        assert states[finding.cycle_starts_at] == states[-1]


def chosen(accepted: list[bool]) -> set[int]:
    return {state for state, each in enumerate(accepted) if each}


@EXAMPLES
@given(graphs(), st.booleans(), st.booleans())
def test_may_progress_is_what_its_definition_says(
    drawn: tuple[list[list[int]], list[bool]], counts: bool, idle_steps: bool
) -> None:
    commands, accepted = drawn
    states, edges = reachable_edges(commands, idle_steps)
    good = chosen(accepted) | (terminal_states(states, edges) if counts else set())
    violating = without_good_future(states, edges, good)
    program = replace(graph(commands, {MayProgress: [accepted]}), idle_steps=idle_steps)
    outcome = outcome_of(program if counts else terminal_is_no_progress(program, MayProgress))
    agrees(outcome, MayProgress, violating, edges, violating)


@EXAMPLES
@given(graphs(), st.booleans(), st.booleans())
def test_must_progress_is_what_its_definition_says(
    drawn: tuple[list[list[int]], list[bool]], counts: bool, idle_steps: bool
) -> None:
    commands, accepted = drawn
    states, edges = reachable_edges(commands, idle_steps)
    bad_ends = set() if counts else terminal_states(states, edges)
    violating = avoiding(states, edges, chosen(accepted), bad_ends)
    program = replace(graph(commands, {MustProgress: [accepted]}), idle_steps=idle_steps)
    outcome = outcome_of(program if counts else terminal_is_no_progress(program, MustProgress))
    agrees(outcome, MustProgress, violating, edges, violating)


@EXAMPLES
@given(graphs(), st.booleans(), st.booleans())
def test_always_may_terminating_is_what_its_definition_says(
    drawn: tuple[list[list[int]], list[bool]], idle_steps: bool, in_all: bool
) -> None:
    commands, _ = drawn
    states, edges = reachable_edges(commands, idle_steps)
    violating = without_good_future(states, edges, terminal_states(states, edges))
    program = replace(graph(commands), idle_steps=idle_steps and in_all)
    outcome = outcome_of(program, Termination(idle_steps=idle_steps))
    agrees(outcome, Termination, violating, edges, violating)


@EXAMPLES
@given(graphs(), st.sets(st.integers(0, 2)), st.sets(st.integers(0, 2)))
def test_a_recurrence_is_what_its_definition_says(
    drawn: tuple[list[list[int]], list[bool]], again: set[int], then: set[int]
) -> None:
    commands, _ = drawn
    again, then = again & set(range(len(commands))), then & set(range(len(commands)))
    states, edges = reachable_edges(commands)
    on_cycle = recurring(states, edges, again, then)
    outcome = outcome_of(graph(commands, recurrences=[(again, then)]))
    assert (outcome.stop is Stop.FINDING) == bool(on_cycle)
    finding = outcome.finding
    if finding is not None:
        is_a_run(finding, edges)
        assert finding.progress_lost_at == finding.cycle_starts_at
        assert finding.cycle_starts_at is not None
        fired = {command for command, _ in finding.path[finding.cycle_starts_at + 1 :]}
        assert fired & again
        assert not fired & then
        assert not any(state[0] in on_cycle for _, state in finding.path[: finding.cycle_starts_at])


# --- by example -------------------------------------------------------------------------------------------------


def lasso(outcome: Outcome) -> tuple[list[int], int | None, int | None]:
    assert outcome.finding is not None
    finding = outcome.finding
    return [state[0] for _, state in finding.path], finding.progress_lost_at, finding.cycle_starts_at


def test_the_shortest_lasso_is_taken_although_another_cycle_is_nearer() -> None:
    # From 1, a cycle of four through 1 itself, and one of two that is a step away.
    commands = [[1, 2, 3, 4, 1, 6, 5], [-1, 5, -1, -1, -1, -1, -1]]
    outcome = outcome_of(graph(commands, {MustProgress: [[True] + [False] * 6]}))
    assert lasso(outcome) == ([0, 1, 5, 6, 5], 1, 2)


def test_a_run_that_ends_is_shown_where_it_is_shorter_and_counts() -> None:
    commands = [[1, 2, 1, -1], [-1, 3, -1, -1]]
    accepted: list[list[bool]] = [[False] * 4]
    may = terminal_is_no_progress(graph(commands, {MayProgress: accepted}), MayProgress)
    assert lasso(outcome_of(may)) == ([0, 1, 3], 0, None)
    assert lasso(outcome_of(graph(commands, {MustProgress: accepted}))) == ([0, 1, 2, 1], 0, 1)


def test_counts_at_a_progress_violation_are_those_of_the_whole_space() -> None:
    commands = [[1, 3, -1, 1], [2, -1, -1, -1]]
    outcome = outcome_of(graph(commands, {MayProgress: [[True, False, True, False]]}))
    assert (outcome.states, outcome.edges, outcome.terminal_states) == (4, 4, 1)


def test_the_first_property_that_is_violated_is_reported_and_may_comes_before_must() -> None:
    never = [False, False]
    outcome = outcome_of(graph([[1, 0]], {MustProgress: [never], MayProgress: [[True, True], never, never]}))
    assert outcome.finding is not None
    assert outcome.finding.requirement is not None
    assert outcome.finding.requirement.name == "MayProgress_1"


def test_a_loop_at_one_state_is_a_cycle_only_if_idle_steps_count() -> None:
    loop = graph([[0]], {MustProgress: [[False]]})
    assert lasso(outcome_of(replace(loop, idle_steps=True))) == ([0, 0], 0, 0)
    assert outcome_of(loop).finding is None
    assert lasso(outcome_of(terminal_is_no_progress(loop, MustProgress))) == ([0], 0, None)


def test_idle_steps_are_edges_and_their_state_is_terminal() -> None:
    outcome = outcome_of(graph([[1, 1], [0, 1]]))
    assert (outcome.states, outcome.edges, outcome.terminal_states) == (2, 4, 1)


def test_the_shortest_cycle_of_a_recurrence_may_pass_a_state_twice() -> None:
    # 0 is on a cycle with command 1 only by way of 1: 0 -0-> 1 -1-> 1 -0-> 0.
    outcome = outcome_of(graph([[1, 0], [-1, 1]], recurrences=[([1], [])]))
    assert lasso(outcome) == ([0, 1, 1, 0], 0, 0)
