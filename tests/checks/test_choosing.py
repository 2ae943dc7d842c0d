"""Reductions that nobody asked for: used for a large model if they pay, and told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from places import MODELS

from asset import Array, Int, Model, check, invariant, load, must_progress, terminal, transition, when
from asset.checks import choosing
from asset.engine import native
from asset.engine.native import NativeModel
from asset.engine.outcome import Outcome, Progress, Standing, Stop, Task, cut_off
from asset.ir.reductions import NO_REDUCTIONS
from asset.verdict import Verdict


class Counters(Model):
    """Independent counters: stubborn sets leave one run, and all of them are interchangeable."""

    n: int = 4
    top: int = 2

    def state(self) -> None:
        self.count = Array(self.n, Int(0, self.top))

    @transition(i="n")
    def up(self, i: int) -> None:
        when(self.count[i] < self.top)
        self.count[i] += 1

    @terminal
    def all_done(self) -> bool:
        return all(count == self.top for count in self.count)


class Broken(Counters):
    @invariant
    def the_first_two_are_never_both_done(self) -> bool:
        return self.count[0] < self.top or self.count[1] < self.top


class Progressing(Counters):
    @must_progress
    def some_counter_is_done(self) -> bool:
        return any(count == self.top for count in self.count)


class Chained(Model):
    """One thing after the other, for two values that nothing can exchange: there is nothing to reduce."""

    def state(self) -> None:
        self.low = Int(0, 14)
        self.high = Int(0, 15)

    @transition
    def raise_low(self) -> None:
        when(self.low < 14)
        self.low += 1
        self.high = (self.high * 3 + self.low) % 16

    @transition
    def raise_high(self) -> None:
        when(self.high < 15)
        self.high += 1
        self.low = (self.low + self.high) % 15

    @terminal
    def at_the_top(self) -> bool:
        return self.low == 14 and self.high == 15


class WithoutProperties(Counters):
    all_done = None


FULL = 81  # states of Counters()


@pytest.fixture(autouse=True)
def _a_short_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "MOMENT", 50)
    monkeypatch.setattr(choosing, "PATIENCE", 1)
    monkeypatch.setattr(choosing, "TRIAL", 1)


def used(verdict: Verdict) -> tuple[str, str]:
    return verdict.reduction.stubborn, verdict.reduction.symmetry


def test_a_small_model_is_counted_in_full() -> None:
    verdict = check(Counters(n=3))
    assert (verdict.states, used(verdict), verdict.reduction.why) == (27, ("off", "off"), "")
    assert verdict.reduction.reduced_counts == ()


def test_a_large_model_is_explored_with_what_pays_and_the_report_says_why() -> None:
    verdict = check(Counters())
    assert verdict.holds
    assert verdict.states < FULL
    assert used(verdict) == ("auto", "auto")
    assert "explored plainly, 50 states are not all; with symmetry and stubborn sets" in " ".join(str(verdict).split())


def test_json_says_which_counts_are_reduced() -> None:
    assert check(Counters()).to_dict()["reduction"]["reduced_counts"] == ("states", "edges", "depth", "terminal_states")
    by_sets = check(Counters(), stubborn="auto", symmetry="off").to_dict()
    assert by_sets["reduction"]["reduced_counts"] == ("states", "edges", "depth")


@pytest.mark.parametrize("given", [{"stubborn": "off"}, {"symmetry": "off"}, {"stubborn": "off", "symmetry": "off"}])
def test_nothing_is_chosen_if_something_is_said_of_reductions(given: dict[str, str]) -> None:
    verdict = check(Counters(), **given)  # type: ignore[arg-type]
    assert (verdict.states, used(verdict), verdict.reduction.why) == (FULL, ("off", "off"), "")


def test_if_nothing_pays_everything_is_explored_and_counted() -> None:
    plain = check(Chained(), stubborn="off")
    verdict = check(Chained())
    assert plain.states > choosing.MOMENT
    assert (verdict.states, verdict.edges, used(verdict)) == (plain.states, plain.edges, ("off", "off"))
    assert "no reduction was found that pays" in verdict.reduction.why


def test_if_nothing_is_asked_the_counts_are_what_matters_and_nothing_is_reduced() -> None:
    verdict = check(WithoutProperties())
    assert (verdict.states, used(verdict), verdict.reduction.why) == (FULL, ("off", "off"), "")


def test_a_limit_below_a_moment_is_a_limit_of_the_plain_search() -> None:
    verdict = check(Counters(), max_states=40)
    assert verdict.answer.value == "undecided"
    assert (verdict.states, used(verdict)) == (40, ("off", "off"))


def test_a_limit_above_a_moment_holds_for_the_reduced_search_too() -> None:
    assert check(Counters(n=6), max_states=60, only=["deadlock"]).holds


def test_symmetries_are_not_used_if_stubborn_sets_leave_fewer_states_without_them() -> None:
    asked = {"stubborn": "auto", "symmetry": "auto"}
    verdict = check(load(MODELS / "token_ring.py", n=6), **asked)
    assert (verdict.holds, verdict.states, used(verdict)) == (True, 861, ("auto", "off"))
    assert verdict.reduction.why == "with symmetry there are 1,232 states, so it is not used"
    assert used(check(load(MODELS / "token_ring.py", n=4), **asked)) == ("auto", "auto")
    insisting = check(load(MODELS / "token_ring.py", n=6), **asked, as_asked=True)
    assert (insisting.states, used(insisting)) == (1232, ("auto", "auto"))


def test_what_stubborn_sets_would_leave_open_is_answered_without_them() -> None:
    verdict = check(Progressing(), ctl="AF count[0] > 0")
    assert verdict.holds
    assert used(verdict)[0] == "off"


def test_what_needs_a_search_of_its_own_is_reduced_too() -> None:
    class Idle(Progressing):
        @transition
        def rest(self):
            self.count[0] = self.count[0]

    asked = {"ltl": "G !(count[0] > 3)"}
    verdict = check(Idle(), **asked)
    assert verdict.holds
    assert verdict.states < check(Idle(), stubborn="off", symmetry="off", **asked).states
    assert used(verdict)[0] == "auto"
    assert "asked-apart" in {caveat.code for caveat in verdict.caveats}
    assert check(Progressing()).holds
    assert used(check(Progressing())) == ("auto", "auto")


def test_a_run_that_symmetry_cannot_show_is_found_without_it() -> None:
    assert used(check(Broken(n=5), trace="causal"))[1] == "off"


def test_a_violation_within_a_moment_has_the_shortest_run() -> None:
    verdict = check(Broken())
    assert verdict.violated
    assert verdict.counterexample is not None
    assert len(verdict.counterexample) == 5
    assert used(verdict) == ("off", "off")


@pytest.mark.parametrize("model", [Counters(), Counters(n=3), Broken(n=6), Progressing(), Chained()])
def test_both_engines_choose_the_same(model: Model) -> None:
    native, reference = check(model), check(model, engine="reference")
    assert used(native) == used(reference)
    assert (native.answer, native.states, native.edges) == (reference.answer, reference.states, reference.edges)


def test_choices_that_save_nearly_the_same_give_the_simpler_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "MOMENT", 20)  # so that no choice ends in a moment
    monkeypatch.setattr(choosing, "NEARLY", 0.0)
    verdict = check(Counters(n=12))
    assert used(verdict) == ("off", "auto")
    assert "save" in verdict.reduction.why


def test_stubborn_sets_that_cost_more_than_they_save_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    assert used(check(Counters(n=10)))[0] == "auto"
    monkeypatch.setattr(choosing, "AS_ONE", 0.0001)  # as if there were very many obligations
    dear = check(Counters(n=10))
    assert (dear.holds, used(dear)) == (True, ("off", "auto"))
    assert "symmetry saves a factor of" in dear.reduction.why


def test_a_search_that_ends_before_patience_does_is_counted_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "MOMENT", 20)
    monkeypatch.setattr(choosing, "PATIENCE", 5)
    verdict = check(Counters())
    assert (verdict.states, used(verdict), verdict.reduction.why) == (FULL, ("off", "off"), "")


def test_the_plain_search_goes_on_if_nothing_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    explore = native.explore

    def noted(model: NativeModel, task: Task, *others: Any) -> Outcome:
        made.append(task.reductions)
        return explore(model, task, *others)

    monkeypatch.setattr(native, "explore", noted)
    assert check(Chained()).holds
    assert made.count(NO_REDUCTIONS) == 1


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_if_there_is_no_room_for_the_plain_search_reductions_may_make_do(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choosing, "PATIENCE", 4)
    verdict = check(Counters(n=9), max_states=60, engine=engine)
    assert verdict.holds and verdict.states < 60
    assert verdict.reduction.why.startswith("explored plainly, 60 states were not all and there was no room for more")


def test_memory_that_ends_before_a_moment_is_reason_enough_for_reductions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "MOMENT", 10**6)
    verdict = check(Counters(n=8), engine="reference", max_memory=300_000)
    assert verdict.holds and used(verdict) == ("auto", "auto")
    assert "there was no room for more; symmetry and stubborn sets leave fewer" in verdict.reduction.why
    assert check(Chained(), engine="reference", max_memory=1).answer.value == "undecided"


def reached(*levels: int) -> Outcome:
    return replace(cut_off(Stop.MAX_STATES, Progress(sum(levels), 0, 0, 0, 0)), levels=levels)


def test_savings_are_expected_to_go_on_as_they_were() -> None:
    plain = Standing((1, 7, 24, 96), 128, 0)
    growing, shrinking, steady = reached(1, 3, 4, 8), reached(1, 1, 6, 56), reached(1, 3, 12, 48)
    savings = [choosing._saving(plain, each) for each in (growing, shrinking, steady)]
    expected = [choosing._expected_saving(plain, each) for each in (growing, shrinking, steady)]
    assert expected[0] > savings[0] and expected[1] < savings[1]
    assert expected[2] == pytest.approx(savings[2])


@pytest.mark.parametrize(
    ("levels", "left"), [((1, 2, 4), 1.0), ((1, 2, 4, 3), 1 - 10 / 14), ((4, 3, 2, 1), 0.0), ((7,), 1.0)]
)
def test_as_many_states_are_expected_after_the_largest_level_as_before_it(levels: tuple[int, ...], left: float) -> None:
    assert choosing._share_left(levels) == pytest.approx(left)


# --- symmetries that are asked for -------------------------------------------------------------------------------


class Idle(Counters):
    """Nobody but the first ever counts, so that no two states are alike."""

    def state(self) -> None:
        super().state()
        self.works = Array(self.n, False)
        self.works[0] = True

    @transition(i="n")
    def up(self, i: int) -> None:
        when(self.works[i] and self.count[i] < self.top)
        self.count[i] += 1


def test_symmetries_that_save_nothing_on_the_first_states_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "SAMPLE", 10)
    useless = check(Idle(top=300), symmetry="auto")
    assert (useless.states, useless.reduction.symmetry) == (301, "off")
    assert useless.reduction.why.startswith("the symmetries that were found save nothing on the first 100 states")
    assert useless.settings["symmetry"] == "auto"
    assert check(Idle(top=300), symmetry="auto", max_states=50).states == 50
    useful = check(Counters(top=5), symmetry="auto")
    assert useful.reduction.symmetry == "auto"
    assert (useful.states, useful.reduction.why) == (126, "")
