"""Progress as the native engine finds it: the same findings as the reference engine, within its limits."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from programs import everything, graph, terminal_is_no_progress

from asset import codegen
from asset.engine import native, reference
from asset.engine.outcome import Limits, Outcome, Stop, Task
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program
from asset.ir.reductions import HAND_WRITTEN, NO_REDUCTIONS, Reductions
from asset.ir.requirements import MayProgress, MustProgress, Termination

SIZE = 7

targets = st.lists(st.integers(-1, SIZE - 1), min_size=SIZE, max_size=SIZE)
labels = st.lists(st.booleans(), min_size=SIZE, max_size=SIZE)
numbers = st.lists(st.integers(0, 2), max_size=2)
flags = st.lists(st.booleans(), min_size=7, max_size=7)


def chain(length: int) -> Program:
    """A cycle through all states; the last is the only one that is accepted."""
    accepted = [[state == length - 1 for state in range(length)]]
    return graph([[(state + 1) % length for state in range(length)]], {MayProgress: accepted, MustProgress: accepted})


def outcome_of(program: Program, task: Task, limits: Limits | None = None) -> Outcome:
    return native.explore(codegen.compile(program, HAND_WRITTEN), task, limits or Limits())


@settings(max_examples=60, deadline=None)
@given(
    st.lists(targets, min_size=3, max_size=3),
    labels,
    labels,
    numbers,
    numbers,
    st.lists(numbers, min_size=3, max_size=3),
    flags,
)
def test_findings_are_those_of_the_reference_engine(
    commands: list[list[int]],
    may: list[bool],
    must: list[bool],
    again: list[int],
    then: list[int],
    rules: list[list[int]],
    asked: list[bool],
) -> None:
    program = graph(commands, {MayProgress: [may], MustProgress: [must]} if asked[0] else {}, [(again, then)], rules)
    kinds = [kind for kind, wanted in ((MayProgress, asked[2]), (MustProgress, asked[3])) if wanted]
    program = replace(terminal_is_no_progress(program, *kinds), idle_steps=asked[6])
    reductions = Reductions(hand_rules=True) if asked[4] else NO_REDUCTIONS
    task = everything(program, *([Termination()] if asked[1] else []), reductions=reductions)
    task = replace(task, repair=asked[5])
    expected = reference.explore(Interpreter(program), task, Limits())
    # Rules at random may break D2. Then what is ignored depends on the order of states, which is not that of threads.
    for threads in (1,) if asked[4] and asked[5] else (1, 2):
        found = outcome_of(program, task, Limits(threads=threads))
        assert (found.stop, found.finding) == (expected.stop, expected.finding)
        assert (found.states, found.edges) == (expected.states, expected.edges)


def test_only_the_recurrences_asked_for_are_checked() -> None:
    program = graph([[1, 0], [1, -1]], recurrences=[([0], [0]), ([0], [1]), ([0], [1])])
    first, _, last = program.requirements
    finding = outcome_of(program, Task((program.initial,), (first, last))).finding
    assert finding is not None
    assert finding.requirement == last
    assert outcome_of(program, Task((program.initial,), (first,))).stop is Stop.COMPLETE


def test_a_cycle_as_long_as_the_state_space_is_found() -> None:
    length = 20_000
    program = chain(length)
    finding = outcome_of(program, Task((program.initial,), (Termination(),))).finding
    assert finding is not None
    assert (finding.progress_lost_at, finding.cycle_starts_at, len(finding.path)) == (0, 0, length + 1)


def test_progress_that_needs_more_memory_than_allowed_is_undecided_with_all_counts() -> None:
    program = chain(60_000)
    task = everything(program)
    limit, outcome = 1 << 25, outcome_of(program, task, Limits(max_memory=1 << 25))
    while outcome.stop is Stop.COMPLETE:
        limit = outcome.memory_peak - 4096
        outcome = outcome_of(program, task, Limits(max_memory=limit))
    assert (outcome.stop, outcome.finding) == (Stop.MAX_MEMORY, None)
    assert (outcome.states, outcome.edges) == (60_000, 60_000)
    assert outcome.memory_peak <= limit
