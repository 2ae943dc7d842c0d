"""Which run is shown: one with the fewest changes of process, one with only the steps that matter, or the first."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from places import MODELS
from programs import everything
from random_models import models

import asset
from asset import (
    Array,
    Int,
    Model,
    UsageError,
    Verdict,
    check,
    invariant,
    obligations,
    recurrent,
    stb,
    terminal,
    transition,
    when,
)
from asset.analysis.processes.ownership import find_processes
from asset.checks.options import CheckOptions
from asset.checks.replay import counterexample, violation
from asset.checks.trace import chosen, folded, switches
from asset.engine import reference
from asset.engine.outcome import Finding, Limits
from asset.frontends.python import compile_model, load
from asset.ir.interpreter import Interpreter
from asset.ir.reductions import Reductions
from asset.ir.requirements import Termination
from asset.languages import subject_of

EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "60"))


class Walkers(Model):
    """Each walks its own way; they meet at the end. Any order will do."""

    n: int = 3
    way: int = 3

    def state(self) -> None:
        self.at = Array(self.n, Int(0, self.way))

    @transition(i="n")
    def walk(self, i: int) -> None:
        when(self.at[i] < self.way)
        self.at[i] += 1

    @invariant
    def somebody_is_away(self) -> bool:
        return any(at < self.way for at in self.at)


class Room(Model):
    """Looking whether the room is empty and going in are two steps."""

    n: int = 3

    def state(self) -> None:
        self.looked = Array(self.n, False)
        self.inside = Array(self.n, False)

    @transition(i="n")
    def look(self, i: int) -> None:
        when(not any(self.inside) and not self.looked[i])
        self.looked[i] = True

    @transition(i="n")
    def enter(self, i: int) -> None:
        when(self.looked[i] and not self.inside[i])
        self.inside[i] = True

    @invariant
    def room_for_all_but_one(self) -> bool:
        return sum(self.inside) < self.n


class Bystander(Model):
    """Stubborn sets let the bystander go first, though the error is another's."""

    def state(self) -> None:
        self.seen = Int(0, 3)
        self.done = Int(0, 2)

    @transition
    def work(self) -> None:
        when(self.done < 2)
        self.done += 1

    @transition
    def look(self) -> None:
        when(self.seen < 3)
        self.seen += 1

    @obligations(look)
    def looking(self) -> None:
        stb(self.look)

    @obligations(work)
    def working(self) -> None:
        stb(self.work)

    @invariant
    def not_done(self) -> bool:
        return self.done < 2


class Stuck(Bystander):
    @terminal
    def never(self) -> bool:
        return False

    @invariant
    def not_done(self) -> bool:
        return True


def shown(verdict: Verdict) -> list[str | None]:
    assert verdict.counterexample
    return [step.transition for step in verdict.counterexample.steps[1:]]


def changes(verdict: Verdict) -> int:
    assert verdict.counterexample
    return verdict.counterexample.switches


def test_a_run_does_not_change_process_more_often_than_it_must() -> None:
    first, fewest = check(Room(), trace="first"), check(Room())
    assert changes(first) > changes(fewest) == 4  # everyone looks; then everyone goes in, who looked last first
    assert [name and name.split("(")[0] for name in shown(fewest)] == ["look"] * 3 + ["enter"] * 3


def test_each_walks_all_its_way_in_turn() -> None:
    assert changes(check(Walkers())) == 2


def test_the_run_with_the_fewest_changes_is_as_short_as_the_first() -> None:
    first, fewest = check(Room(), trace="first"), check(Room(), trace="fewest-switches")
    assert len(shown(first)) == len(shown(fewest)) == 6
    assert changes(fewest) < changes(first)


def test_a_space_too_large_to_look_through_is_reordered_by_independence() -> None:
    first, reordered = check(Room(n=7), trace="first"), check(Room(n=7))
    assert len(shown(first)) == len(shown(reordered)) == 14
    assert changes(reordered) == 12 < changes(first)


def test_counts_do_not_depend_on_the_run_that_is_shown() -> None:
    verdicts = [check(Room(), trace=trace) for trace in ("first", "fewest-switches", "causal", None)]
    assert len({(verdict.states, verdict.edges, verdict.depth) for verdict in verdicts}) == 1


def test_steps_that_do_not_matter_are_left_out_of_a_causal_run() -> None:
    first, causal = (check(Bystander(), stubborn="hand", trace=trace) for trace in ("first", "causal"))
    assert shown(first) == ["look", "look", "look", "work", "work"]
    assert shown(causal) == ["work", "work"]
    assert causal.counterexample and causal.counterexample.left_out == 3
    assert "left out: 3 steps that did not matter" in str(causal)


def test_every_step_matters_to_a_terminal_state() -> None:
    causal = check(Stuck(), stubborn="hand", trace="causal")
    assert len(shown(causal)) == 5
    assert "every step of the run matters" in str(causal)


def test_a_trace_that_cannot_be_had_with_symmetry_is_an_error() -> None:
    with pytest.raises(UsageError, match="cannot be had with symmetry"):
        CheckOptions(symmetry="hand", trace="causal")
    with pytest.raises(UsageError, match="trace=random is unknown"):
        CheckOptions(trace="random")


def test_a_causal_run_of_plain_python_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text(
        "from asset import Int, Model, invariant, transition\n\n"
        "class Plain(Model):\n"
        "    def state(self):\n        self.x = Int(0, 3)\n\n"
        "    @transition\n    def go(self):\n        self.x = (int(str(self.x)) + 1) % 4\n\n"
        "    @invariant\n    def small(self):\n        return self.x < 1\n"
    )
    model = load(str(tmp_path / "plain.py"), {})
    assert check(model, engine="reference", trace="fewest-switches").violated
    with pytest.raises(UsageError, match="run as plain Python"):
        check(model, engine="reference", trace="causal")


@pytest.mark.parametrize("name", ["peterson.py:PetersonRevealing", "bakery.py:OpenDoor", "lossy_channel.py:DeafSender"])
@pytest.mark.parametrize("trace", asset.checks.options.TRACES)
def test_every_choice_shows_the_violation(name: str, trace: str) -> None:
    verdicts = [check(load(str(MODELS / name), {}), trace=each) for each in ("first", trace)]
    first, other = (verdict.counterexample for verdict in verdicts)
    assert first and other
    assert (len(first), first.progress_lost_at) == (len(other), other.progress_lost_at)
    assert other.switches <= first.switches


class Twins(Model):
    """Whoever presses it, the light changes; but only what `other` does is to be followed by something."""

    def state(self) -> None:
        self.on = False
        self.ready = Int(0, 1)

    @transition
    def begin(self) -> None:
        when(self.ready == 0)
        self.ready = 1

    @transition(i=2)
    def press(self, i: int) -> None:
        when(self.ready == 1)
        self.on = not self.on

    @transition
    def other(self) -> None:
        when(self.ready == 1 and not self.on)
        self.on = True

    watched = recurrent(other)


@pytest.mark.parametrize("trace", [None, *asset.checks.options.TRACES])
def test_the_cycle_of_a_recurrence_keeps_what_recurs(trace: str | None) -> None:
    verdict = check(Twins(), trace=trace)
    assert verdict.violation is not None and verdict.violation.kind == "recurrence"
    run = verdict.counterexample
    assert run is not None and run.cycle_starts_at is not None
    assert any(step.transition == "other" for step in run.steps[run.cycle_starts_at + 1 :])


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(models())
def test_whatever_is_chosen_is_a_run_that_shows_the_same(text: str) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "random_model.py"
        file.write_text(text)
        model = load(str(file), {})
        program = compile_model(model)
        interpreter = Interpreter(program)
        has_rules = any(family.rule is not None for family in program.families)
        task = everything(program, Termination(), reductions=Reductions(hand_rules=has_rules))
        found = reference.explore(interpreter, task, Limits(max_states=500)).finding
        if found is None:
            return
        who = find_processes(program).of_command
        for trace in ("first", "causal", "fewest-switches", None):
            best = chosen(interpreter, found, trace, who).finding
            counterexample(interpreter, best, subject_of(model))  # replays it
            assert violation(interpreter, best).kind == violation(interpreter, found).kind
            assert len(best.path) <= len(found.path)
            assert switches(best.path, who) <= switches(found.path, who)


def test_switches_count_changes_of_process_only() -> None:
    verdict = check(Walkers(n=2, way=1), trace="first")
    run = verdict.counterexample
    assert run is not None
    assert run.switches == sum(a.process != b.process for a, b in pairwise(run.steps[1:])) == 1
    assert replace(run, steps=run.steps[:1]).switches == 0


def unrolled(path: Sequence[object], start: int, steps: int) -> list[object]:
    """So many first steps of the run that goes round from there for ever."""
    cycle = path[start + 1 :]
    return [*path[: start + 1], *(cycle[each % len(cycle)] for each in range(steps))][:steps]


@given(st.lists(st.integers(0, 1), min_size=2, max_size=9), st.integers(1, 8))
def test_a_folded_cycle_is_the_same_run_and_can_be_folded_no_more(states: list[int], back: int) -> None:
    start = max(0, len(states) - 1 - back)
    path = [(None, (states[0],)), *((each, (each,)) for each in states[1:]), (states[start], (states[start],))]
    run = Finding(Termination(), tuple(path), progress_lost_at=start, cycle_starts_at=start)
    short = folded(run)
    assert short.cycle_starts_at is not None and short.progress_lost_at is not None
    assert unrolled(short.path, short.cycle_starts_at, 40) == unrolled(path, start, 40)
    assert short.path[short.progress_lost_at][1] == path[start][1]
    assert folded(short) == short and len(short.path) <= len(path)


def test_a_cycle_that_goes_round_twice_is_shown_once() -> None:
    path = ((None, (0,)), (1, (1,)), (2, (0,)), (1, (1,)), (2, (0,)), (1, (1,)), (2, (0,)))
    short = folded(Finding(Termination(), path, cycle_starts_at=2))
    assert (short.path, short.cycle_starts_at) == (((None, (0,)), (1, (1,)), (2, (0,))), 0)
