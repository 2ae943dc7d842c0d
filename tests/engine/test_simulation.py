"""Random runs: the same in both engines, and what they find is real."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from asset import Array, Int, Model, invariant, terminal, transition, when
from asset.checks.options import CheckOptions
from asset.checks.simulating import RandomRuns, simulate
from asset.codegen.compiled import compile_named
from asset.engine import native, simulation
from asset.engine.outcome import Outcome, Sampling, Stop, Task
from asset.errors import UsageError
from asset.ir.requirements import Stage
from asset.languages import ModelSpec, load, subject_of
from asset.verdict import Answer

MODELS = Path(__file__).parents[2] / "models"


class Lock(Model):
    """A number of digits in the right order opens it: a random run seldom does, one that goes on from where it got
    further does soon."""

    digits: int = 8

    def state(self):
        self.right = Int(0, self.digits)
        self.noise = Array(3, Int(0, 3))

    @transition(digit=10)
    def turn(self, digit):
        when(self.right < self.digits)
        self.right = self.right + 1 if digit == (3 * self.right + 1) % 10 else 0

    @transition(i=3)
    def hum(self, i):
        self.noise[i] = (self.noise[i] + 1) % 4

    @invariant
    def closed(self):
        return self.right < self.digits


class Clumsy(Model):
    def state(self):
        self.value = Int(0, 100)

    @transition(by=3)
    def grow(self, by):
        when(self.value < 60)
        self.value += by

    @transition
    def trip(self):
        when(self.value > 50)
        self.value = 7 // (self.value - 53)

    @invariant
    def small(self):
        return self.value <= 61

    @terminal
    def never_ends(self):
        return False


class Switches(Model):
    """More than 64 commands, in a state of more than one word: nearly all of them touch few bits."""

    def state(self):
        self.on = Array(70, False)
        self.last = Int(0, 7)

    @transition(i=70)
    def toggle(self, i):
        when(i == 0 or self.on[i - 1])
        self.on[i] = not self.on[i]
        self.last = i % 8

    @transition
    def stay(self):
        when(self.last == 3)

    @transition
    def clear(self):
        when(sum(self.on) > 4)
        for i in range(70):
            self.on[i] = False

    @invariant
    def few(self):
        return not self.on[7]


class Wide(Model):
    """All commands touch many bits."""

    def state(self):
        self.x = Int(0, 200)
        self.y = Int(0, 200)

    @transition(by=range(1, 5))
    def grow(self, by):
        when(self.x + self.y < 40)
        self.x, self.y = self.y + by, self.x

    @transition
    def shrink(self):
        when(self.x > self.y)
        self.x, self.y = self.y, self.x // (self.y - 30)

    @transition
    def stay(self):
        when(self.x % 2 == self.y % 2)


def runs_of(model: Model, seed: int, steps: int = 3_000, length: int = 200) -> tuple[Outcome, Outcome]:
    """The same random runs by the reference engine and by the native one."""
    executable = subject_of(model).executable()
    program = executable.program
    asked = tuple(each for each in program.requirements if each.stage is not Stage.GRAPH)
    task = Task(program.initial_states, asked, idle_steps=program.idle_steps)
    sampling = Sampling(seed, length, steps, tuple(range(len(program.initial_states[0]))))
    return (
        simulation.simulate(executable, task, sampling),
        native.simulate(compile_named(program), task, sampling, 1),
    )


def shown(outcome: Outcome) -> tuple[object, ...]:
    sampled = outcome.sampled
    assert sampled is not None
    counts = (outcome.stop, outcome.edges, outcome.depth, outcome.terminal_states)
    return (*counts, outcome.finding, sampled.runs, sampled.fired, sampled.values, sampled.found_length)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("make", [Lock, lambda: Lock(digits=4), Clumsy, Wide])
def test_a_seed_gives_the_same_runs_in_both_engines(make: Callable[[], Model], seed: int) -> None:
    slow, fast = runs_of(make(), seed)
    assert shown(slow) == shown(fast)


@pytest.mark.parametrize("seed", range(2))
def test_many_commands_make_the_same_runs_in_both_engines(seed: int) -> None:
    slow, fast = runs_of(Switches(), seed, steps=400, length=50)
    assert shown(slow) == shown(fast)


def test_side_by_side_runs_are_the_same_in_both_engines() -> None:
    slow, fast = runs_of(Lock(digits=9), 1, steps=45_000, length=50)
    assert shown(slow) == shown(fast)
    assert fast.sampled is not None
    assert fast.sampled.distinct == pytest.approx(slow.states, rel=0.1)


def test_runs_go_on_from_where_something_was_met_for_the_first_time() -> None:
    # 13 commands, 8 in a row: a run that only begins in the initial state succeeds once in 10**8 tries.
    verdict = simulate(subject_of(Lock()), CheckOptions(), RandomRuns(seed=1, steps=3_000_000, length=100))
    assert verdict.answer is Answer.VIOLATED
    assert verdict.counterexample is not None
    assert [step.transition for step in verdict.counterexample.steps[1:]] == [
        f"turn({(3 * right + 1) % 10})" for right in range(8)
    ]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_seed_repeats_a_finding_whatever_the_threads_do(threads: int) -> None:
    options, runs = CheckOptions(threads=threads), RandomRuns(seed=5, seconds=20, length=100)
    found = [simulate(subject_of(Lock(digits=5)), options, runs) for _ in range(3)]
    assert {each.answer for each in found} == {Answer.VIOLATED}
    assert len({tuple(step.transition for step in each.counterexample.steps) for each in found}) == 1  # type: ignore[union-attr]
    assert len({each.simulation.found_length for each in found}) == 1  # type: ignore[union-attr]


def test_nothing_found_is_undecided_and_says_what_was_covered() -> None:
    verdict = simulate(subject_of(Lock(digits=50)), CheckOptions(), RandomRuns(seed=1, steps=20_000))
    assert (verdict.answer, verdict.exit_status) == (Answer.UNDECIDED, 3)
    covered = verdict.simulation
    assert covered is not None
    assert (covered.steps, covered.never_fired) == (20_000, ())
    assert {each.variable: each.of for each in covered.values} == {"right": 51, "noise": 12}
    assert "no violation found in 20,000 random steps" in str(verdict)


def test_a_model_in_which_nothing_happens_ends() -> None:
    class Still(Model):
        def state(self):
            self.value = Int(0, 1)

        @transition
        def move(self):
            when(self.value == 1)
            self.value = 0

        @invariant
        def fine(self):
            return True

    slow, fast = runs_of(Still(), 1, steps=100)
    assert shown(slow) == shown(fast)
    assert fast.stop is Stop.SAMPLED
    assert fast.edges == 0


def test_a_violation_in_the_initial_state_is_found() -> None:
    class Wrong(Model):
        def state(self):
            self.value = Int(0, 1)

        @transition
        def toggle(self):
            self.value = 1 - self.value

        @invariant
        def set_once(self):
            return self.value == 1

    slow, fast = runs_of(Wrong(), 1)
    assert shown(slow) == shown(fast)
    assert fast.finding is not None
    assert len(fast.finding.path) == 1


@pytest.mark.parametrize("file", ["asset/bins.model", "asset/deadlocks.model"])
def test_model_files_are_simulated_in_their_own_process(file: str) -> None:
    verdict = simulate(load(ModelSpec(str(MODELS / file))), CheckOptions(), RandomRuns(seed=2, steps=100_000))
    assert verdict.answer is not Answer.HOLDS
    assert verdict.simulation is not None
    assert verdict.simulation.steps > 0


def test_random_runs_that_would_not_end_are_refused() -> None:
    with pytest.raises(UsageError, match="for ever"):
        RandomRuns(seed=1)
    with pytest.raises(UsageError, match="length must be"):
        RandomRuns(seed=1, steps=1, length=0)
