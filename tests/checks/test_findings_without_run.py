"""What was found is a violation, even if there was no room to find the run to it."""

from __future__ import annotations

from dataclasses import replace

import pytest

import asset
from asset import Int, Model, invariant, may_progress, transition, when
from asset.checks import engines
from asset.engine.outcome import Executable, Outcome, Task
from asset.verdict import Answer, Verdict


class Counter(Model):
    def state(self) -> None:
        self.value = Int(0, 9)

    @transition
    def increment(self) -> None:
        when(self.value < 9)
        self.value += 1

    @invariant
    def small(self) -> bool:
        return self.value < 7


class Stuck(Counter):
    @invariant
    def small(self) -> bool:
        return True

    @may_progress
    def begins(self) -> bool:
        return self.value == 0


def checked_without_run(model: Model, monkeypatch: pytest.MonkeyPatch, **options: bool) -> Verdict:
    explore = engines.Engine.explore

    def explore_without_run(self: engines.Engine, executable: Executable, task: Task) -> Outcome:
        outcome = explore(self, executable, task)
        if outcome.finding is None:
            return outcome
        alone = ((None, outcome.finding.path[outcome.finding.progress_lost_at or -1][1]),)
        lost = replace(outcome.finding, path=alone, progress_lost_at=None, cycle_starts_at=None, whole=False)
        return replace(outcome, finding=lost)

    monkeypatch.setattr(engines.Engine, "explore", explore_without_run)
    return asset.check(model, **options)


def test_a_state_that_violates_an_invariant_is_named_and_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    verdict = checked_without_run(Counter(), monkeypatch)
    assert verdict.answer is Answer.VIOLATED and verdict.counterexample is None
    assert verdict.caveats[0].code == "no-run" and "value=7" in verdict.caveats[0].message
    assert verdict.violation is not None and verdict.violation.property == "small"
    assert "Why small is false in the state where it was seen" in str(verdict)


def test_a_state_without_progress_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    verdict = checked_without_run(Stuck(), monkeypatch, dl_not_may=True)
    assert verdict.answer is Answer.VIOLATED and verdict.counterexample is None
    assert verdict.caveats[0].code == "no-run" and "value=" in verdict.caveats[0].message
    assert verdict.violation is not None and verdict.violation.property == "begins"
