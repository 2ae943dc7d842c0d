"""What a verdict says where reductions are at work: never more than the theorems allow."""

from __future__ import annotations

from typing import get_args

import pytest

from asset import (
    Answer,
    Array,
    Int,
    Model,
    UsageError,
    Verdict,
    check,
    invariant,
    may_progress,
    must_progress,
    obligations,
    recurrent,
    stb,
    stb_all,
    terminal,
    transition,
    when,
)
from asset.checks import run, soundness
from asset.checks.requirements import KINDS
from asset.ir.requirements import Recurrence, Requirement


class Ignoring(Model):
    """Something goes round for ever; the rules, correct as they are, let it keep the rest from ever happening."""

    def state(self):
        self.phase = False
        self.done = False

    @transition
    def finish(self):
        when(not self.done)
        self.done = True

    @transition
    def tick(self):
        self.phase = not self.phase

    @obligations(tick)
    def tick_obliges(self):
        pass

    @obligations(finish)
    def finish_obliges(self):
        pass


class IgnoringSafety(Ignoring):
    @invariant
    def never_done(self):
        return not self.done


class IgnoringProgress(Ignoring):
    @may_progress
    def is_done(self):
        return self.done


class IgnoringDeadlock(Ignoring):
    @terminal
    def is_done(self):
        return self.done


class Stuck(Ignoring):
    """Progress is impossible also in the full model."""

    @may_progress
    def impossible(self):
        return False


class Stopping(Model):
    """Counts down and stops; every command obliges all."""

    def state(self):
        self.left = Int(0, 3, 3)

    @transition
    def count(self):
        when(self.left > 0)
        self.left -= 1

    @obligations(count)
    def count_obliges(self):
        stb_all()

    @must_progress
    def stopped(self):
        return self.left == 0

    @may_progress
    def may_stop(self):
        return self.left == 0

    counting_ends = recurrent(count)


class Spinning(Stopping):
    def state(self):
        super().state()
        self.side = False

    @transition
    def spin(self):
        when(self.left == 3)
        self.side = not self.side

    spinning_ends = recurrent(spin)


class Resending(Stopping):
    """What was sent already is sent again and again, which changes nothing."""

    def state(self):
        super().state()
        self.sent = False

    @transition
    def send(self):
        self.sent = True

    @obligations(send)
    def send_obliges(self):
        pass


class Sinking(Model):
    """Turns until it is sunk. Whether it turns before it sinks makes no difference, so its rules are correct."""

    def state(self):
        self.at = Int(0, 2)

    @transition
    def sink(self):
        self.at = 2

    @transition
    def turn(self):
        if self.at < 2:
            self.at = 1 - self.at

    @obligations(turn)
    def turn_obliges(self):
        pass

    @obligations(sink)
    def sink_obliges(self):
        pass


class Sunk(Sinking):
    @terminal
    def never_ends(self):
        return False


class Wide(Model):
    """Counters that have nothing to do with each other."""

    def state(self):
        self.count = Array(4, Int(0, 3))

    @transition(i=4)
    def count_up(self, i):
        when(self.count[i] < 3)
        self.count[i] += 1


class Pair(Model):
    """Two counters that may be exchanged; `first_is_ahead` looks at one of them."""

    def state(self):
        self.count = Array(2, Int(0, 2))

    @transition(i=2)
    def step(self, i):
        when(self.count[i] < 2)
        self.count[i] += 1

    def symmetry_representative(self):
        if self.count[0] > self.count[1]:
            self.count[0], self.count[1] = self.count[1], self.count[0]

    @invariant
    def within(self):
        return self.count[0] + self.count[1] <= 4


class AsymmetricPair(Pair):
    @invariant
    def first_is_not_ahead(self):
        return self.count[0] <= self.count[1]


class Restarting(Pair):
    @transition
    def restart(self):
        when(self.count[0] == 2 and self.count[1] == 2)
        self.count[0] = 0
        self.count[1] = 0

    restarts = recurrent(Pair.step, then=restart)


def reduced(model: Model, **options: object) -> Verdict:
    return check(model, **{"engine": "reference", **options})  # type: ignore[arg-type]


def codes(verdict: Verdict) -> set[str]:
    return {caveat.code for caveat in verdict.caveats}


def answers(verdict: Verdict) -> dict[str, Answer]:
    return {checked.name: checked.answer for checked in verdict.checked}


def test_the_table_has_a_row_for_each_kind_of_requirement() -> None:
    assert set(KINDS) == set(get_args(Requirement))
    for kind in KINDS.values():
        assert kind.soundness.stubborn.why
        assert kind.soundness.symmetry.why


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_violation_of_safety_that_hand_written_rules_ignore_is_found(engine: str) -> None:
    assert reduced(IgnoringSafety()).violated
    verdict = reduced(IgnoringSafety(), stubborn="hand", engine=engine)
    assert verdict.violation is not None
    assert (verdict.violation.kind, verdict.violation.property) == ("safety", "never_done")
    assert "termination" not in answers(verdict)


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_progress_that_hand_written_rules_ignore_is_found(engine: str) -> None:
    assert reduced(IgnoringProgress()).holds
    verdict = reduced(IgnoringProgress(), stubborn="hand", engine=engine)
    assert verdict.holds
    assert "termination" not in answers(verdict)
    assert "trusted-rules" in codes(verdict)


def test_may_progress_that_is_lost_in_the_full_model_is_violated_under_stubborn_sets_too() -> None:
    verdict = reduced(Stuck(), stubborn="hand")
    assert verdict.violation is not None
    assert (verdict.violation.kind, verdict.violation.property) == ("may-progress", "impossible")
    assert "trusted-rules" not in codes(verdict)


def test_deadlocks_need_no_termination() -> None:
    verdict = reduced(IgnoringDeadlock(), stubborn="hand", only=["deadlock"])
    assert verdict.holds
    assert "termination" not in answers(verdict)


def test_a_pass_of_must_progress_under_hand_written_stubborn_sets_is_undecided_and_says_why() -> None:
    verdict = reduced(Stopping(), stubborn="hand")
    assert verdict.answer is Answer.UNDECIDED
    assert answers(verdict)["stopped"] is Answer.UNDECIDED
    assert answers(verdict)["may_stop"] is Answer.HOLDS
    assert verdict.caveats[0].code == "must-with-stubborn-sets"
    assert reduced(Stopping()).holds


def test_what_stubborn_sets_decide_stands_if_not_all_states_can_be_explored_without_them() -> None:
    class Both(Wide):
        @transition
        def rest(self):
            self.count[0] = self.count[0]

        @may_progress
        def may_end(self):
            return all(each == 3 for each in self.count)

        counting_ends = recurrent(Wide.count_up)

    verdict = check(Both(), stubborn="auto", max_states=100)
    assert verdict.answer is Answer.UNDECIDED
    assert answers(verdict) == {"may_end": Answer.HOLDS, "counting_ends": Answer.UNDECIDED}
    assert "not all states could be explored" in verdict.caveats[0].message
    assert check(Both(), stubborn="auto").holds


@pytest.mark.parametrize("stubborn", ["off", "hand", "auto"])
def test_a_step_that_changes_nothing_is_none_for_progress_and_termination(stubborn: str) -> None:
    asked = ["may", "termination"] + ["must"] * (stubborn != "hand")
    verdict = check(Resending(), stubborn=stubborn, termination=True, only=asked)
    assert verdict.holds
    assert verdict.terminal_states == 1


@pytest.mark.parametrize("stubborn", ["off", "hand", "auto"])
def test_a_step_that_changes_nothing_occurs_for_a_recurrence(stubborn: str) -> None:
    class Occurring(Resending):
        sent_seldom = recurrent(Resending.send)

    verdict = check(Occurring(), stubborn=stubborn)
    assert verdict.violation is not None
    assert (verdict.violation.kind, verdict.violation.property) == ("recurrence", "sent_seldom")


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("stubborn", ["off", "hand", "auto"])
def test_a_terminal_state_in_which_steps_change_nothing_is_not_ignored(engine: str, stubborn: str) -> None:
    verdict = check(Sunk(), stubborn=stubborn, engine=engine)
    assert verdict.violation is not None
    assert (verdict.violation.kind, verdict.violation.property) == ("deadlock", "never_ends")
    assert check(Sinking(), stubborn=stubborn, engine=engine, termination=True).holds


def test_a_violation_of_must_progress_under_stubborn_sets_is_a_violation() -> None:
    verdict = reduced(Spinning(), stubborn="hand")
    assert verdict.violation is not None
    assert verdict.violation.kind == "must-progress"
    assert verdict.violation.message == "the run repeats steps 1 to 2 for ever, and stopped never holds"


def test_what_was_looked_at_before_a_violation_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "LITTLE", 0)  # no further searches
    assert answers(reduced(Spinning())) == {
        "stopped": Answer.VIOLATED,
        "may_stop": Answer.HOLDS,
        "counting_ends": Answer.UNDECIDED,
        "spinning_ends": Answer.UNDECIDED,
    }


def test_recurrences_are_asked_of_the_full_model_if_it_need_not_terminate() -> None:
    class Wheels(Ignoring):
        """With S, the slow wheel turns only together with the fast one, but it can turn alone."""

        def state(self):
            self.phase = False
            self.slow = Int(0, 2)

        @transition
        def finish(self):
            self.slow = (self.slow + 1) % 3

        together = recurrent(finish, then=Ignoring.tick)

    verdict = reduced(Wheels(), stubborn="hand")
    assert verdict.violation is not None
    assert (verdict.violation.kind, verdict.violation.property) == ("recurrence", "together")
    assert [each.name for each in verdict.checked] == ["together"]

    class Fast(Wheels):
        together = recurrent((Wheels.finish, Wheels.tick), then=(Wheels.finish, Wheels.tick))

    held = reduced(Fast(), stubborn="hand")
    assert held.holds
    assert "asked-without-stubborn-sets" in codes(held)


def test_recurrences_are_answered_under_stubborn_sets_on_models_that_may_terminate() -> None:
    assert reduced(Stopping(), stubborn="hand", only=["recurrence"]).holds
    verdict = reduced(Spinning(), stubborn="hand", only=["recurrence"])
    assert verdict.violation is not None
    assert (verdict.violation.kind, verdict.violation.property) == ("recurrence", "spinning_ends")
    assert "spin occurs again and again" in verdict.violation.message


def test_a_symmetry_that_is_respected_is_trusted_and_said_to_be() -> None:
    verdict = reduced(Pair(), symmetry="hand", only=["safety"])
    assert verdict.holds
    assert codes(verdict) == {"trusted-symmetry"}
    assert verdict.states < reduced(Pair()).states


def test_a_property_that_does_not_respect_the_symmetry_is_undecided_and_the_others_are_answered() -> None:
    verdict = reduced(AsymmetricPair(), symmetry="hand", only=["safety"])
    assert verdict.answer is Answer.UNDECIDED
    assert answers(verdict) == {"within": Answer.HOLDS, "first_is_not_ahead": Answer.UNDECIDED}
    assert verdict.caveats[0].code == "asymmetric-property"
    assert "count=[1, 0]" in verdict.caveats[0].message
    assert reduced(AsymmetricPair()).violated


def test_what_is_asked_again_without_stubborn_sets_is_doubted_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    class Ahead(Restarting):
        @must_progress
        def first_is_ahead(self):
            return self.count[0] > self.count[1]

    monkeypatch.setattr("asset.checks.respect.WALK", 0)
    asked = {"symmetry": "hand", "stubborn": "auto", "only": ["must", "safety"]}
    assert reduced(Ahead(), **asked).violated
    monkeypatch.setattr("asset.checks.answering.refuted_by_unwinding", lambda *finding: finding[1].path[0][1])
    verdict = reduced(Ahead(), **asked)
    assert answers(verdict) == {"within": Answer.HOLDS, "first_is_ahead": Answer.UNDECIDED}
    assert "asymmetric-property" in codes(verdict)


def test_unwinding_refutes_what_the_walk_did_not_see(monkeypatch: pytest.MonkeyPatch) -> None:
    class Flipped(Pair):
        @may_progress
        def first_is_ahead(self):
            return self.count[0] > self.count[1] or self.count[0] == 0

    monkeypatch.setattr("asset.checks.respect.WALK", 0)
    verdict = reduced(Flipped(), symmetry="hand", only=["may"], dl_not_may=True)
    assert verdict.violated  # in a terminal state both count 2, which no exchange changes
    monkeypatch.undo()
    assert reduced(Flipped(), symmetry="hand", only=["may"], dl_not_may=True).answer is Answer.UNDECIDED


def test_a_recurrence_of_whole_families_respects_a_symmetry_and_one_of_single_transitions_does_not() -> None:
    assert reduced(Restarting(), symmetry="hand", only=["recurrence"]).holds
    from asset.frontends.python import compile_model
    from asset.span import NOWHERE

    program = compile_model(Restarting())
    declared = next(each for each in program.requirements if isinstance(each, Recurrence))
    assert soundness.respects_families(program, declared)
    assert not soundness.respects_families(program, Recurrence("one", frozenset({0}), frozenset(), NOWHERE))


def test_reductions_that_the_model_lacks_are_an_error_with_a_remedy() -> None:
    with pytest.raises(UsageError, match="symmetry_representative"):
        reduced(Ignoring(), symmetry="hand")
    with pytest.raises(UsageError, match="next_stubborn"):
        reduced(Pair(), stubborn="hand")


def test_only_that_selects_nothing_is_an_error_that_lists_what_there_is() -> None:
    with pytest.raises(UsageError, match="the model has safety"):
        reduced(Pair(), only=["must"])


def test_termination_can_be_asked_of_any_model() -> None:
    assert reduced(Pair(), termination=True).holds
    verdict = reduced(Ignoring(), only=["termination"])
    assert verdict.violation is not None
    assert verdict.violation.message == "from the initial state on, termination is unreachable: no run from there ends"


def test_terminal_states_count_as_progress_unless_told_otherwise() -> None:
    class Giving(Stopping):
        @may_progress
        def never(self):
            return False

    assert reduced(Giving(), only=["may"]).holds
    verdict = reduced(Giving(), only=["may"], dl_not_may=True)
    assert verdict.violation is not None
    assert verdict.violation.message == "from the initial state on, never can never hold; the run ends after step 3"
    assert verdict.counterexample is not None
    assert (verdict.counterexample.progress_lost_at, verdict.counterexample.cycle_starts_at) == (0, None)


def test_an_unknown_option_is_an_error_that_lists_what_there_is() -> None:
    with pytest.raises(TypeError, match="there are: only, stubborn"):
        reduced(Pair(), stuborn="hand")


class Two(Model):
    def state(self):
        self.count = Array(2, Int(0, 2))

    @transition(i=2)
    def step(self, i):
        when(self.count[i] < 2)
        self.count[i] += 1

    @obligations(step)
    def step_obliges(self, i):
        stb(self.step, i)


class TwoNever(Two):
    @may_progress
    def never(self):
        return False


def test_an_obligation_by_name_reduces() -> None:
    verdict = reduced(Two(), stubborn="hand")
    assert (verdict.answer, verdict.states) == (Answer.HOLDS, 5)


@pytest.mark.parametrize("max_states", [None, 6], ids=["full model explored", "full model too large"])
def test_lost_may_progress_counts_where_the_model_may_always_terminate(max_states: int | None) -> None:
    verdict = reduced(TwoNever(), stubborn="hand", dl_not_may=True, max_states=max_states)
    assert verdict.violation is not None
    assert (verdict.violation.kind, verdict.states) == ("may-progress", 5)
