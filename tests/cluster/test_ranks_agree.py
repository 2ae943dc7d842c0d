"""Any number of ranks finds what one machine finds: the same counts and, of what is wrong, the same run each time.

ASSET_EXAMPLES=3000 makes a long run of it.
"""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from places import MODELS
from programs import everything, independent
from random_models import models
from threaded_ranks import explored_by

import asset
from asset import codegen
from asset.checks.by_ranks import left_open_by_ranks
from asset.cluster import checkpoints, sharing
from asset.cluster.answering import _outcome
from asset.cluster.exploring import Exploring, Job
from asset.engine import native
from asset.engine.outcome import Finding, Limits, Outcome, Stop, Task
from asset.frontends.python import compile_model, load
from asset.ir.faults import Fault
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program
from asset.ir.reductions import NO_REDUCTIONS, Reductions
from asset.ir.requirements import Recurrence, Stage, Termination

EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "25"))
RANKS = (1, 2, 3, 5)
MASKS: list[list[int]] = [[], [0x5555555555555555], [0b111], [0], [0b11, 0b110]]
"""Bits that say whose a state is: all, some, few, and none, so that one rank has all states."""


def by_ranks(ranks: int, program: Program, task: Task, limits: Limits) -> Outcome:
    model = codegen.compile(program, task.reductions)
    return _outcome(explored_by(ranks, Job(model.code, native.flat_options(model, task, limits))), model, task)


def by_one_machine(program: Program, task: Task) -> Outcome:
    return native.explore(codegen.compile(program, task.reductions), task, Limits())


def asked_of_states(program: Program, reductions: Reductions = NO_REDUCTIONS) -> Task:
    task = everything(program, reductions=reductions)
    return replace(task, requirements=tuple(each for each in task.requirements if each.stage is not Stage.GRAPH))


def asked_of_ranks(program: Program, task: Task) -> Task:
    """All that ranks can decide, and termination."""
    kept = [each for each in task.requirements if left_open_by_ranks(each, task.reductions) is None]
    return replace(task, requirements=(*kept, Termination()))


def counts(outcome: Outcome) -> tuple[object, ...]:
    return outcome.stop, outcome.states, outcome.edges, outcome.depth, outcome.terminal_states, outcome.levels


def steps(finding: Finding) -> int:
    """How many commands are fired, with the one that goes wrong, if it does."""
    return len(finding.path) - 1 + (finding.command is not None)


def is_a_run(program: Program, task: Task, finding: Finding) -> None:
    model = Interpreter(program)
    assert finding.path[0][0] is None
    for (_, before), (command, after) in pairwise(finding.path):
        assert command is not None
        fired = model.fire(before, command)
        assert fired is not None
        assert after == (model.representative(fired) if task.reductions.symmetry else fired)


def is_wrong(program: Program, finding: Finding) -> bool:
    """Whether what the finding says of its last state is so."""
    model, last = Interpreter(program), finding.path[-1][1]
    try:
        if finding.requirement is not None:
            return any(model.evaluate(each, last) is not None for each in finding.requirement.predicates)
        if finding.predicate is not None:
            model.evaluate(finding.predicate, last)  # type: ignore[arg-type]
        elif finding.command is not None:
            after = model.fire(last, finding.command)
            assert after is not None
            model.representative(after)
        else:
            model.representative(last)
    except Fault:
        return True
    return False


def is_lost(program: Program, finding: Finding) -> None:
    """What is shown after progress was lost: an end, or a cycle, and none of it is accepted."""
    model, lost, last = Interpreter(program), finding.path[finding.progress_lost_at :], finding.path[-1][1]
    assert finding.requirement is not None
    for predicate in finding.requirement.predicates:
        assert all(model.evaluate(predicate, state) is not None for _, state in lost)
    if finding.cycle_starts_at is None:
        assert all(model.fire(last, command) in (None, last) for command in range(program.nr_commands))
    else:
        assert finding.path[finding.cycle_starts_at][1] == last


def agree(program: Program, task: Task) -> None:
    alone = by_one_machine(program, task)
    together = [by_ranks(ranks, program, task, Limits()) for ranks in RANKS]
    assert len({counts(each) for each in together}) == 1
    assert all(each.finding == together[0].finding for each in together)
    finding = together[0].finding
    if alone.finding is None or finding is None:
        assert alone.finding == finding
        assert counts(alone) == counts(together[0])
    elif finding.progress_lost_at is None:
        assert steps(finding) == steps(alone.finding)
        is_a_run(program, task, finding)
        assert is_wrong(program, finding)
    else:
        assert finding.requirement == alone.finding.requirement
        least = alone.finding.progress_lost_at
        assert least is not None and finding.progress_lost_at >= least
        # The automaton of a recurrence accepts after its first step: a run may go round its cycle twice.
        assert finding.progress_lost_at == least or isinstance(finding.requirement, Recurrence)
        is_a_run(program, task, finding)
        is_lost(program, finding)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=models(), symmetric=st.booleans(), masks=st.sampled_from(MASKS))
def test_any_number_of_ranks_finds_what_one_machine_finds(text: str, symmetric: bool, masks: list[int]) -> None:
    """Whatever says whose a state is."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "random_model.py"
        file.write_text(text)
        program = compile_model(load(str(file)))
    reductions = Reductions(hand_symmetry=symmetric and program.representative is not None)
    task = asked_of_ranks(program, everything(program, reductions=reductions))
    if by_ranks(1, program, task, Limits(max_states=3000)).stop is not Stop.MAX_STATES:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("asset.cluster.sharing.parities", lambda *_: masks)
            agree(program, task)


def test_ranks_with_threads_find_the_same() -> None:
    program = asset.load(MODELS / "token_ring.py", n=4).executable().program
    task = asked_of_states(program)
    two = by_ranks(2, program, task, Limits(threads=2))
    assert counts(two) == counts(by_one_machine(program, task))
    assert two.threads == min(2, len(os.sched_getaffinity(0)))


def test_a_limit_on_states_ends_all_ranks() -> None:
    program = asset.load(MODELS / "token_ring.py", n=4).executable().program
    outcome = by_ranks(3, program, asked_of_states(program), Limits(max_states=500))
    assert outcome.stop is Stop.MAX_STATES
    assert outcome.states >= 500


def test_a_rank_without_memory_ends_all_and_is_named() -> None:
    program = asset.load(MODELS / "token_ring.py", n=8).executable().program
    outcome = by_ranks(2, program, asked_of_states(program), Limits(max_memory=24 << 20))
    assert outcome.stop is Stop.MAX_MEMORY
    assert "rank" in outcome.told
    assert 0 < outcome.states < 2_927_232


def test_what_was_found_is_told_even_if_the_way_to_it_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    first = Exploring._explore

    def explore(self: Exploring, keep: bool) -> None:
        if keep:
            self.explored.stop = Stop.MAX_MEMORY
        else:
            first(self, keep)

    monkeypatch.setattr(Exploring, "_explore", explore)
    monkeypatch.setattr(Exploring, "_all", lambda self, condition: False)
    program = asset.load(f"{MODELS / 'philosophers.py'}:Philosophers", n=3).executable().program
    outcome = by_ranks(2, program, asked_of_states(program), Limits())
    assert outcome.stop is Stop.FINDING and outcome.states > 1
    assert outcome.finding is not None and not outcome.finding.whole and len(outcome.finding.path) == 1
    assert outcome.finding.requirement is not None and outcome.finding.requirement.name == "everyone_has_left"


def test_a_rank_that_cannot_even_begin_is_named() -> None:
    outcome = by_ranks(2, independent(), asked_of_states(independent()), Limits(max_memory=1 << 20))
    assert (outcome.stop, outcome.states) == (Stop.MAX_MEMORY, 0)
    assert outcome.told == "rank 1 was the first to stop"


def test_what_each_rank_did_adds_up_and_is_shared_evenly() -> None:
    program = asset.load(MODELS / "token_ring.py", n=5).executable().program
    outcome = by_ranks(4, program, asked_of_states(program), Limits())
    assert sum(each.states for each in outcome.ranks) == outcome.states
    assert max(each.states for each in outcome.ranks) < 1.1 * outcome.states / 4


def test_few_states_are_sent() -> None:
    program = asset.load(MODELS / "token_ring.py", n=6).executable().program
    outcome = by_ranks(2, program, asked_of_states(program), Limits())
    assert sum(each.exchanged for each in outcome.ranks) < 8 * outcome.edges / 5


@pytest.mark.parametrize("kept", [False, True])
def test_states_that_are_shared_unevenly_are_shared_anew(
    kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = asset.load(MODELS / "token_ring.py", n=5).executable().program
    task = asked_of_states(program)
    monkeypatch.setattr(sharing, "parities", lambda *_: [0])
    monkeypatch.setattr(sharing, "_MANY", 1000)
    model = codegen.compile(program, task.reductions)
    levels = checkpoints.begun(str(tmp_path), "x") if kept else None
    job = Job(model.code, native.flat_options(model, task, Limits()), kept=levels)
    outcome = _outcome(explored_by(3, job), model, task)
    assert counts(outcome) == counts(by_one_machine(program, task))
    assert not sharing.is_lopsided([each.states for each in outcome.ranks])


def test_a_small_space_is_explored_by_many_ranks() -> None:
    assert counts(by_ranks(5, independent(), asked_of_states(independent()), Limits()))[1:5] == (9, 12, 4, 1)


def test_a_rank_that_does_not_come_up_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("asset.cluster.local._PROGRAM", "import sys; sys.exit(7)")
    verdict = asset.check(asset.load(MODELS / "token_ring.py", n=3), cluster="local", ranks=2)
    assert not verdict.holds and not verdict.violated
    assert [each.code for each in verdict.caveats] == ["rank-lost"]
    assert "rank 1: its process has ended (exit status 7)" in verdict.caveats[0].message


def test_branching_time_logic_is_undecided_and_the_report_says_so() -> None:
    verdict = asset.check(asset.load(MODELS / "token_ring.py", n=3), cluster="local", ranks=1, ctl="AG true")
    assert not verdict.holds and not verdict.violated
    assert [each.code for each in verdict.caveats] == ["not-on-a-cluster"]


def test_a_check_by_processes_gives_the_verdict_of_one(tmp_path: Path) -> None:
    model = asset.load(MODELS / "token_ring.py", n=4)
    alone, together = asset.check(model), asset.check(model, cluster="local", ranks=2)
    for name in ("answer", "states", "edges", "depth", "terminal_states", "levels", "checked"):
        assert getattr(together, name) == getattr(alone, name)
    assert [each["states"] for each in together.to_dict()["ranks"]] == [each.states for each in together.ranks]
    assert sum(each.states for each in together.ranks) == alone.states


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ranks": 2}, "ranks and address are of a cluster"),
        ({"cluster": "mpi", "ranks": 2}, "MPI itself says how many ranks there are"),
        ({"cluster": "local", "address": "here"}, "address is that of a cluster of Ray"),
        ({"cluster": "local", "engine": "reference"}, "a cluster does without engine=reference"),
        ({"cluster": "cloud"}, "cluster=cloud is unknown"),
    ],
)
def test_what_a_cluster_cannot_do_is_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(asset.UsageError, match=message):
        asset.check(asset.load(MODELS / "token_ring.py", n=3), **options)  # type: ignore[arg-type]
