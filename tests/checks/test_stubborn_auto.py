"""`--stubborn auto`: rules that nobody wrote, in checks, on the command line and in reports."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
import stubborn_oracle as oracle
from places import MODELS

from asset import (
    Answer,
    Array,
    Int,
    Model,
    ModelRejected,
    UsageError,
    Verdict,
    check,
    invariant,
    may_progress,
    must_progress,
    recurrent,
    terminal,
    transition,
    when,
)
from asset.checks import soundness
from asset.cli.main import main
from asset.frontends.python import compile_model, load

RING = {2: (44, 60), 3: (219, 327), 4: (920, 1_432), 5: (3_505, 5_625), 6: (12_540, 20_772), 8: (143_408, 256_880)}
PETERSON = {
    ("PetersonUnrevealing", 2): (88, 124),
    ("PetersonUnrevealing", 3): (18_817, 34_083),
    ("PetersonRevealing", 2): (116, 162),
    ("PetersonRevealing", 3): (23_134, 41_562),
    ("Peterson", 2): (378, 522),
    ("Peterson", 3): (44_868, 78_750),
    ("PetersonSwapped", 2): (219, 258),
    ("PetersonSwapped", 3): (15_164, 22_100),
}
"""States and edges that hand-written rules leave, in the papers."""


def auto(model: Model, **options: Any) -> Verdict:
    return check(model, stubborn="auto", **options)


def model_of(file: str, **parameters: object) -> Model:
    return load(str(MODELS / file), {name: str(value) for name, value in parameters.items()})


class Counters(Model):
    """Counters that have nothing to do with each other."""

    n: int = 3

    def state(self):
        self.count = Array(self.n, Int(0, 3))

    @transition(i="n")
    def step(self, i):
        when(self.count[i] < 3)
        self.count[i] += 1

    @terminal
    def all_are_done(self):
        return sum(self.count) == 3 * self.n


class Bounded(Counters):
    @invariant
    def not_all_at_once(self):
        return sum(count == 1 for count in self.count) < 3


class Blinking(Counters):
    """A light blinks for ever, while counters count."""

    def state(self):
        super().state()
        self.light = False

    @transition
    def blink(self):
        self.light = not self.light


class Obliged(Counters):
    @must_progress
    def first_counts(self):
        return self.count[0] > 0


class Idle(Obliged):
    @transition
    def rest(self):
        self.count[0] = self.count[0]


class Symmetric(Counters):
    def symmetry_representative(self):
        for _ in range(self.n - 1):
            for j in range(self.n - 1):
                if self.count[j] > self.count[j + 1]:
                    saved = self.count[j]
                    self.count[j] = self.count[j + 1]
                    self.count[j + 1] = saved


@pytest.mark.parametrize("n", RING)
def test_the_ring_is_reduced_at_least_as_well_as_by_its_authors_rules(n: int) -> None:
    verdict = auto(model_of("token_ring.py", n=n))
    assert verdict.holds
    assert verdict.terminal_states == n
    assert verdict.states <= RING[n][0]
    assert verdict.edges <= RING[n][1]


@pytest.mark.parametrize(("name", "n"), PETERSON)
def test_petersons_algorithms_are_reduced_at_least_as_well_as_by_their_authors_rules(name: str, n: int) -> None:
    model = model_of(f"peterson.py:{name}", n=n)
    verdict, by_hand = auto(model), check(model, stubborn="hand")
    assert verdict.answer is by_hand.answer
    assert verdict.states <= PETERSON[name, n][0]
    assert verdict.edges <= PETERSON[name, n][1]


def test_what_is_not_reduced_of_the_bounded_buffer_cannot_be() -> None:
    made = model_of("bounded_buffer.py:BoundedBuffer", producers=3, consumers=3, capacity=2)
    assert auto(made).states == 104
    behaviour = oracle.Behaviour(compile_model(made), [])
    assert not any(oracle.reducible(behaviour, state) for state in oracle.full(behaviour, 104).edges)
    counters = oracle.Behaviour(compile_model(Counters()), [])
    assert oracle.reducible(counters, counters.program.initial)  # so that it can be seen to fail


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_what_is_independent_is_fired_in_one_order(engine: str) -> None:
    verdict = auto(Counters(), engine=engine)
    assert verdict.holds
    assert (verdict.states, verdict.edges, verdict.terminal_states) == (10, 9, 1)


def test_a_violation_that_only_some_orders_show_is_found() -> None:
    verdict = auto(Bounded())
    assert verdict.violation is not None
    assert verdict.violation.property == "not_all_at_once"


def test_derived_rules_are_not_trusted_but_proved() -> None:
    assert not [caveat for caveat in auto(Counters()).caveats if caveat.code == "trusted-rules"]


def test_termination_is_answered_only_if_it_is_asked_for() -> None:
    assert [each.kind for each in auto(Bounded(n=2)).checked] == ["deadlock", "safety"]
    assert [each.kind for each in auto(Bounded(n=2), termination=True).checked] == ["deadlock", "safety", "termination"]


class Spinning(Model):
    """Two wheels that turn for ever; the second breaks where the first one has turned."""

    breaks: bool = True

    def state(self) -> None:
        self.first = False
        self.second = Int(0, 1)
        self.idle = False

    @transition
    def idle_on(self) -> None:
        self.idle = not self.idle

    @transition
    def turn(self) -> None:
        self.first = not self.first

    @transition
    def fall(self) -> None:
        when(self.first and self.breaks)
        self.second += 1

    @terminal
    def never(self) -> bool:
        return False


def test_model_errors_are_not_missed_where_only_terminal_states_are_asked_for() -> None:
    assert not check(Spinning()).holds
    found = auto(Spinning())
    assert found.violation is not None
    assert found.violation.kind == "model-error"
    assert auto(Spinning(breaks=False)).holds


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("most", [2, 3])
def test_a_model_that_runs_for_ever_is_answered_as_the_full_model(engine: str, most: int) -> None:
    class Watched(Blinking):
        @invariant
        def few(self):
            return self.count[0] <= most

        @may_progress
        def counted(self):
            return self.count[1] == 3

    verdict = auto(Watched(), engine=engine)
    assert verdict.answer is check(Watched()).answer
    assert "termination" not in [each.kind for each in verdict.checked]
    if most == 3:
        assert verdict.states < check(Watched()).states


def test_must_progress_keeps_its_stubborn_sets_if_every_step_changes_something() -> None:
    verdict, plain = auto(Obliged(), only=["must"]), check(Obliged())
    assert verdict.answer is plain.answer
    assert verdict.states < plain.states


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_steps_that_change_nothing_cost_must_progress_no_stubborn_sets(engine: str) -> None:
    verdict, same = auto(Idle(), only=["must"], engine=engine), auto(Obliged(), only=["must"])
    assert verdict.answer is same.answer
    assert (verdict.states, verdict.edges) == (same.states, same.edges)


class Flipping(Model):
    """To stop leaves nothing to flip; what is done first makes no difference to the state."""

    def state(self):
        self.side = Int(-1, 1, 1)
        self.stopped = False
        self.done = False

    @transition
    def flip(self):
        self.side = -self.side

    @transition
    def stop(self):
        when(not self.stopped)
        self.side = 0
        self.stopped = True

    @transition
    def finish(self):
        when(self.stopped and not self.done)
        self.done = True

    @must_progress
    def gets_done(self):
        return self.done


def test_a_step_that_would_end_a_run_for_ever_by_leaving_it_nothing_to_change_is_not_fired_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert check(Flipping()).violated
    assert auto(Flipping()).violated
    assert auto(Flipping(), engine="reference").violated
    monkeypatch.setattr("asset.analysis.stubborn.derivation.changing", lambda path, full: [path])
    assert auto(Flipping()).holds  # so the rules must be those of the model without idle steps


class Resting(Idle):
    resting = recurrent(Idle.rest, then=Counters.step)


def answers(verdict: Verdict) -> dict[str, Answer]:
    return {each.name: each.answer for each in verdict.checked}


MIXED = {"only": ["must", "recurrence", "temporal"], "keep_going": True}


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("formula", ["G !(count[0] > 3)", "F count[0] > 0"])
def test_must_progress_is_decided_beside_what_idle_steps_are_steps_for(engine: str, formula: str) -> None:
    verdict, plain = auto(Resting(), engine=engine, ltl=formula, **MIXED), check(Resting(), ltl=formula, **MIXED)
    assert answers(verdict) == answers(plain)
    assert len(verdict.further) == len(plain.further)


def test_idle_steps_cost_must_progress_no_reduction_whatever_else_is_asked() -> None:
    verdict = auto(Idle(), only=["must", "temporal"], ltl="G !(count[0] > 3)")
    assert verdict.holds
    assert verdict.states < check(Idle()).states
    assert [caveat.message for caveat in verdict.caveats if caveat.code != "not-selected"] == [
        "a step that changes nothing is none for these, but one for others that are asked; so they had a search of "
        "their own, with other stubborn sets, of 10 states: first_counts"
    ]


def test_idle_steps_cost_formulas_no_reduction_beside_what_is_asked_of_states() -> None:
    asked = {"only": ["deadlock", "temporal"], "ltl": "G !(count[0] > 3)"}
    verdict = auto(Idle(), **asked)
    assert verdict.holds
    assert verdict.states < check(Idle()).states
    assert {caveat.code for caveat in verdict.caveats} == {"not-selected"}


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_formula_is_decided_beside_a_recurrence_that_is_asked_of_the_full_model(engine: str) -> None:
    class Recurring(Blinking):
        again = recurrent(Blinking.blink, then=Blinking.blink)

    asked = {"only": ["recurrence", "temporal"], "ltl": "F count[0] > 0", "engine": engine}
    assert check(Recurring(), **asked).violated
    assert auto(Recurring(), **asked).violated


def test_what_sets_do_not_preserve_is_answered_without_them_and_that_is_said() -> None:
    asked = {"only": ["temporal"], "ctl": "AF count[0] > 0"}
    verdict, plain = auto(Obliged(), **asked), check(Obliged(), **asked)
    assert verdict.answer is plain.answer
    assert (verdict.states, verdict.edges) == (plain.states, plain.edges)
    assert verdict.reduction.stubborn == "off"
    assert verdict.settings["stubborn"] == "auto"
    assert [caveat.message for caveat in verdict.caveats if caveat.code == "stubborn-off"] == [
        "explored without stubborn sets, as they may leave out runs that violate these: AF count[0] > 0"
    ]


def test_what_else_is_asked_of_a_model_with_must_progress_is_reduced_where_it_is_asked_alone() -> None:
    verdict = auto(Obliged(), only=["deadlock"])
    assert verdict.holds
    assert verdict.reduction.stubborn == "auto"
    assert verdict.states == 10


def test_loops_beside_a_counter_leave_its_states_if_terminal_states_are_no_progress() -> None:
    class Reaching(Blinking):
        @may_progress
        def first_is_done(self):
            return self.count[0] == 3

    assert auto(Reaching(), only=["may"], dl_not_may=True).states == 4
    assert auto(Reaching(), only=["may"]).states > 4  # terminal states are, and all commands matter to these


def test_progress_that_is_lost_is_shown_with_how_the_run_goes_on_though_few_commands_matter() -> None:
    class Losing(Blinking):
        @may_progress
        def first_is_new(self):
            return self.count[0] == 0

    verdict = auto(Losing(), only=["may"], dl_not_may=True)
    assert verdict.violated
    assert verdict.counterexample is not None
    assert verdict.counterexample.cycle_starts_at is not None  # the light blinks for ever


def test_may_progress_and_recurrence_are_answered_as_in_the_full_model() -> None:
    class Asked(Counters):
        @may_progress
        def first_is_done(self):
            return self.count[0] == 3

        counting_ends = recurrent(Counters.step)

    verdict = auto(Asked(), dl_not_may=True)
    assert verdict.holds
    assert verdict.states < check(Asked()).states


def test_a_symmetry_and_derived_rules_work_together() -> None:
    verdict = auto(Symmetric(), symmetry="hand")
    assert verdict.holds
    assert verdict.states <= auto(Symmetric()).states
    assert [caveat for caveat in verdict.caveats] == [soundness.TRUSTED_REACHABILITY]
    ring = auto(model_of("token_ring.py", n=4), symmetry="hand")
    assert (ring.answer, ring.terminal_states) == (Answer.HOLDS, 1)
    assert ring.states <= 230


def test_threads_make_no_difference() -> None:
    model = model_of("token_ring.py", n=5)
    one, two = auto(model), auto(model, threads=2)
    assert (one.states, one.edges, one.reduction) == (two.states, two.edges, two.reduction)


def test_a_model_outside_the_compiled_language_is_an_error_also_with_the_reference_engine() -> None:
    class Odd(Counters):
        @invariant
        def strange(self):
            return int("1") == 1

    assert check(Odd(), engine="reference").holds
    with pytest.raises(ModelRejected):
        auto(Odd(), engine="reference")


def test_an_analysis_that_takes_too_long_is_ended_and_nothing_is_reduced(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter(range(10_000))
    monkeypatch.setattr("asset.checks.reductions.processor_time", lambda: next(times) * 10.0)
    verdict = auto(Counters(), analysis_time=5)
    assert verdict.holds
    assert verdict.states == 4**3
    assert verdict.reduction.stubborn == "off"
    assert soundness.ANALYSIS_ENDED in verdict.caveats


def test_options_that_make_no_sense_together_are_errors() -> None:
    with pytest.raises(UsageError, match="analysis_time"):
        check(Counters(), stubborn="off", analysis_time=5)
    with pytest.raises(UsageError, match="audit"):
        auto(Counters(), audit=3)


def test_the_report_says_how_much_was_fired(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(MODELS / "token_ring.py"), "-p", "n=4", "--stubborn", "auto"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert re.search(r"reduced by stubborn sets \(\d\.\d of \d\.\d enabled transitions fired in a state\)", text)
    assert "trusted" not in text


def test_the_json_report_says_which_reduction_was_used(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["check", str(MODELS / "token_ring.py"), "-p", "n=4", "--json", "-"]
    found = {}
    for stubborn in ("off", "hand", "auto"):
        main([*words, "--stubborn", stubborn])
        found[stubborn] = json.loads(capsys.readouterr().out)
    off = {"stubborn": "off", "symmetry": "off", "enabled": found["off"]["edges"], "group_order": None}
    assert off.items() <= found["off"]["reduction"].items()
    assert {"stubborn": "hand", "symmetry": "off", "enabled": None}.items() <= found["hand"]["reduction"].items()
    assert found["auto"]["reduction"]["stubborn"] == "auto"
    assert found["auto"]["reduction"]["enabled"] > found["auto"]["edges"]
