"""The audit finds deliberate mistakes in hand-written rules and representatives, and none where there are none."""

from __future__ import annotations

import pytest

from asset import (
    Array,
    Int,
    Model,
    UsageError,
    Verdict,
    check,
    invariant,
    obligations,
    stb,
    terminal,
    transition,
    when,
)
from asset.checks import audit as auditing


class Handshake(Model):
    """Both may put something into a buffer of one place, which one of them empties."""

    def state(self):
        self.full = False
        self.sent = Int(0, 2)

    @transition
    def put(self):
        when(not self.full and self.sent < 2)
        self.full = True
        self.sent += 1

    @transition
    def take(self):
        when(self.full)
        self.full = False

    @transition
    def spoil(self):
        when(self.full and self.sent == 2)
        self.full = False

    @obligations(put)
    def put_obliges(self):
        if self.full:
            stb(self.take)
            stb(self.spoil)

    @obligations(take)
    def take_obliges(self):
        if self.full:
            stb(self.spoil)
        else:
            stb(self.put)

    @obligations(spoil)
    def spoil_obliges(self):
        if self.full and self.sent == 2:
            stb(self.take)
        else:
            stb(self.put)

    @terminal
    def all_taken(self):
        return not self.full


class ForgetsWhatDisables(Handshake):
    """Taking and spoiling disable each other, but the rule of spoil does not say so."""

    @obligations(Handshake.spoil)
    def spoil_obliges(self):
        pass


class ForgetsWhatEnables(Model):
    """`late` is enabled by `open`; alone with `loop`, it would seem never to be."""

    def state(self):
        self.gate = False
        self.passed = False
        self.turns = False

    @transition
    def open(self):
        when(not self.gate)
        self.gate = True

    @transition
    def late(self):
        when(self.gate and not self.passed)
        self.passed = True

    @transition
    def loop(self):
        self.turns = not self.turns

    @obligations(loop)
    def loop_obliges(self):
        stb(self.late)

    @obligations(late)
    def late_obliges(self):
        pass

    @obligations(open)
    def open_obliges(self):
        pass


class DoesNotCommute(Model):
    """Both are always enabled once, but the order shows in the result."""

    def state(self):
        self.value = Int(0, 40, 1)
        self.doubled = False
        self.added = False

    @transition
    def double(self):
        when(not self.doubled)
        self.value *= 2
        self.doubled = True

    @transition
    def add(self):
        when(not self.added)
        self.value += 3
        self.added = True

    @obligations(add)
    def add_obliges(self):
        pass

    @obligations(double)
    def double_obliges(self):
        pass


class HidesViolation(Model):
    """Each command keeps to itself, so D1 and D2 hold; but whether both flags are up depends on the order."""

    def state(self):
        self.flag = Array(2, Int(0, 2))

    @transition(i=2)
    def step(self, i):
        when(self.flag[i] < 2)
        self.flag[i] += 1

    @obligations(step)
    def step_obliges(self, i):
        pass

    @invariant
    def not_both_up(self):
        return not (self.flag[0] == 1 and self.flag[1] == 1)


class Pair(Model):
    """Two stations with a token; exchanging the stations is a symmetry."""

    def state(self):
        self.busy = Array(2, Int(0, 2))
        self.token = Array(2, False)
        self.token[0] = True

    @transition(i=2)
    def work(self, i):
        when(self.token[i] and self.busy[i] < 2)
        self.busy[i] += 1

    @transition(i=2)
    def give(self, i):
        when(self.token[i] and self.busy[i] > 0)
        self.token[i] = False
        self.token[1 - i] = True

    def symmetry_representative(self):
        if self.token[1]:
            self.token[0], self.token[1] = self.token[1], self.token[0]
            self.busy[0], self.busy[1] = self.busy[1], self.busy[0]

    @invariant
    def one_token(self):
        return self.token[0] != self.token[1]


class ForgetsAnArray(Pair):
    def symmetry_representative(self):
        if self.token[1]:
            self.token[0], self.token[1] = self.token[1], self.token[0]


class LooksAtOneStation(Pair):
    @invariant
    def first_idle_or_second(self):
        return self.busy[0] >= self.busy[1] or self.token[0]


class FailsOnTheWay(Pair):
    @transition
    def fail(self):
        when(self.busy[0] == 2)
        assert not self.token[0]


def audited(model: Model, depth: int = 3, **options: str) -> Verdict:
    return check(model, engine="reference", audit=depth, **options)  # type: ignore[arg-type]


def mistake(model: Model, **options: str) -> tuple[str | None, str]:
    verdict = audited(model, **options)
    assert verdict.violation is not None
    assert verdict.violation.kind == "audit"
    assert verdict.exit_status == 1
    return verdict.violation.property, verdict.violation.message


def test_correct_rules_pass_and_the_caveat_says_what_was_audited() -> None:
    verdict = audited(Handshake(), stubborn="hand")
    assert verdict.holds
    assert [caveat.code for caveat in verdict.caveats] == ["audited"]
    assert "no mistake was found, which is no proof" in verdict.caveats[0].message


def test_a_rule_that_forgets_what_disables_its_transition_breaks_d2() -> None:
    rule, message = mistake(ForgetsWhatDisables(), stubborn="hand")
    assert rule == "spoil"
    assert "breaks D2: spoil is enabled, but take, outside of it, disables it" in message


def test_a_rule_that_forgets_what_enables_its_transition_breaks_d1() -> None:
    rule, message = mistake(ForgetsWhatEnables(), stubborn="hand")
    assert rule == "late"
    assert "breaks D1: late is disabled, but open, outside of it, enables it" in message


def test_transitions_that_do_not_commute_break_d1() -> None:
    _, message = mistake(DoesNotCommute(), stubborn="hand")
    assert "breaks D1: add before and after double, outside of it, does not lead to the same state" in message


def test_rules_that_do_not_cover_an_invariant_are_found() -> None:
    assert check(HidesViolation(), engine="reference").violated
    assert check(HidesViolation(), engine="reference", stubborn="hand").holds  # wrongly: the rules are trusted
    _, message = mistake(HidesViolation(), stubborn="hand")
    assert "makes not_both_up false, but with step(1) first it stays true (Theorem 4)" in message


def test_the_state_of_a_mistake_is_shown_with_the_path_to_it() -> None:
    verdict = audited(ForgetsWhatDisables(), stubborn="hand")
    assert verdict.counterexample is not None
    assert [step.transition for step in verdict.counterexample.steps] == [None, "put", "take", "put"]
    assert verdict.violation is not None
    assert verdict.violation.span is not None
    assert verdict.violation.span.source_line.strip().startswith(("@obligations", "def spoil_obliges"))


def test_a_correct_symmetry_passes() -> None:
    verdict = audited(Pair(), symmetry="hand")
    assert verdict.holds
    assert "audited" in {caveat.code for caveat in verdict.caveats}


def test_a_representative_that_forgets_an_array_is_not_symmetric() -> None:
    rule, message = mistake(ForgetsAnArray(), symmetry="hand")
    assert rule == "symmetry_representative"
    assert "what give(0) leads to is not symmetric to its representative" in message


def test_a_property_that_differs_between_a_state_and_its_representative_is_named() -> None:
    _, message = mistake(LooksAtOneStation(), symmetry="hand")
    assert "first_idle_or_second holds in the representative, but not in the state" in message


def test_a_model_error_is_left_to_the_search() -> None:
    verdict = audited(FailsOnTheWay(), symmetry="hand")
    assert verdict.violation is not None
    assert verdict.violation.kind == "model-error"


def test_an_audit_that_runs_out_of_its_budget_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auditing, "BUDGET", 10)
    verdict = audited(Handshake(), stubborn="hand")
    assert "states only" in verdict.caveats[0].message


def test_auditing_no_reduction_is_an_error() -> None:
    with pytest.raises(UsageError, match="none is switched on"):
        audited(Handshake())
