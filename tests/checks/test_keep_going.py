"""One violated property does not keep the others from being answered."""

from __future__ import annotations

import pytest

import asset
from asset import Int, Model, invariant, may_progress, obligations, stb_all, terminal, transition, when
from asset.checks import choosing, run, soundness
from asset.checks.engines import Engine
from asset.engine.outcome import Executable, Outcome, Task


class Two(Model):
    """A counter with properties of each kind, some of them violated."""

    def state(self):
        self.x = Int(0, 9)

    @transition
    def up(self):
        when(self.x < 9)
        self.x += 1

    @invariant
    def below_five(self):
        return self.x < 5

    @invariant
    def below_ten(self):
        return self.x < 10

    @invariant
    def below_three(self):
        return self.x < 3

    @terminal
    def nowhere(self):
        return False

    @may_progress
    def at_nine(self):
        return self.x == 9


ANSWERS = {
    "below_five": "violated",
    "below_ten": "holds",
    "below_three": "violated",
    "nowhere": "violated",
    "at_nine": "holds",
}


def answers(verdict: asset.Verdict) -> dict[str, str]:
    return {each.name: each.answer.value for each in verdict.checked}


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_every_property_of_a_small_model_is_answered_anyway(engine: str) -> None:
    verdict = asset.check(Two(), engine=engine)
    assert answers(verdict) == ANSWERS
    assert verdict.violation is not None and verdict.violation.property == "below_three"
    assert (verdict.states, verdict.edges) == (4, 3)  # those of the search that found it


def test_each_violation_has_the_shortest_run_of_its_own() -> None:
    verdict = asset.check(Two(), keep_going=True)
    lengths = {each.violation.property: len(each.run) - 1 for each in verdict.further if each.violation and each.run}
    assert lengths == {"below_five": 5, "nowhere": 9}


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_one_search_answers_them_all(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    searches: list[Outcome] = []
    explore = Engine.explore

    def counted(self: Engine, executable: Executable, task: Task) -> Outcome:
        searches.append(explore(self, executable, task))
        return searches[-1]

    monkeypatch.setattr(Engine, "explore", counted)
    verdict = asset.check(Two(), engine=engine, keep_going=True)
    assert answers(verdict) == ANSWERS
    assert len(searches) == 1 and (verdict.states, verdict.edges) == (10, 9)


class Fragile(Two):
    """Its last step is a model error."""

    @transition
    def fall(self):
        when(self.x == 9)
        self.x += 1


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_model_error_ends_the_search_and_leaves_the_others_undecided(engine: str) -> None:
    verdict = asset.check(Fragile(), engine=engine, keep_going=True)
    assert [each.violation.kind for each in verdict.further if each.violation] == ["safety", "model-error"]
    assert answers(verdict) == ANSWERS | dict.fromkeys(("below_ten", "nowhere", "at_nine"), "undecided")


def test_a_limit_keeps_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    verdict = asset.check(Two(), keep_going=True, max_states=5)
    assert verdict.violated and verdict.caveats[0].code == "max-states"
    assert answers(verdict) == ANSWERS | dict.fromkeys(("below_five", "below_ten", "nowhere", "at_nine"), "undecided")


def test_reductions_are_chosen_for_what_is_left_if_the_model_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "MOMENT", 7)
    monkeypatch.setattr(choosing, "PATIENCE", 1)
    verdict = asset.check(Two(), keep_going=True)
    assert answers(verdict) == ANSWERS
    lengths = {each.violation.property: len(each.run) - 1 for each in verdict.further if each.violation and each.run}
    assert lengths == {"below_five": 5, "nowhere": 9}


@pytest.mark.parametrize("reductions", [{"stubborn": "auto"}, {"symmetry": "auto"}, {"threads": 2}])
def test_reductions_and_threads_change_no_answer(reductions: dict[str, str]) -> None:
    assert answers(asset.check(Two(), keep_going=True, **reductions)) == ANSWERS  # type: ignore[arg-type]


def test_what_would_take_long_is_left_undecided_unless_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "LITTLE", 7)
    assert answers(asset.check(Two())) == ANSWERS | dict.fromkeys(("below_ten", "nowhere", "at_nine"), "undecided")
    assert answers(asset.check(Two(), keep_going=True)) == ANSWERS


def test_what_further_searches_rely_on_is_said() -> None:
    class Trusting(Two):
        @obligations(Two.up)
        def alone(self):
            stb_all()

    verdict = asset.check(Trusting(), stubborn="hand", keep_going=True, only=["safety"])
    assert answers(verdict)["below_ten"] == "holds"
    assert soundness.TRUSTED_RULES in verdict.caveats


def test_the_report_shows_the_other_runs_if_they_are_asked_for() -> None:
    brief, whole = str(asset.check(Two())), str(asset.check(Two(), keep_going=True))
    assert "Also violated: below_five is false after 5 steps\n  --keep-going shows the run" in brief
    assert whole.count("Counterexample: ") == 3
