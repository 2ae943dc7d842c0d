"""Formulas in models and on the command line: read, decided by both engines, shown as runs, and judged again."""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path

import pytest

from asset import (
    AF,
    AG,
    EF,
    EX,
    Array,
    Int,
    Model,
    ModelRejected,
    UsageError,
    Verdict,
    after,
    always,
    assume,
    changes,
    check,
    choose,
    enabled,
    eventually,
    implies,
    invariant,
    leads_to,
    load,
    next_state,
    process,
    strong,
    taken,
    temporal,
    transition,
    until,
    weak,
    weak_until,
    when,
)

MODELS = Path(__file__).parent.parent.parent / "models"


def checked(model: Model, **options: object) -> Verdict:
    """The verdict of both engines."""
    found = [check(model, engine=engine, **options) for engine in ("native", "reference")]  # type: ignore[arg-type]
    answers = [[(each.name, each.answer) for each in verdict.checked] for verdict in found]
    assert answers[0] == answers[1]
    runs = [verdict.counterexample and len(verdict.counterexample) for verdict in found]
    assert runs[0] == runs[1]
    return found[0]


def answers(verdict: Verdict) -> dict[str, str]:
    return {each.name: each.answer.value for each in verdict.checked}


class Counter(Model):
    """Goes up to the top and stays there, or goes round if it wraps."""

    wraps: bool = False

    def state(self) -> None:
        self.x = Int(0, 3)
        self.seen = False

    @transition
    def up(self) -> None:
        when(self.x < 3)
        self.x += 1
        self.seen = True

    @transition
    def reset(self) -> None:
        when(self.wraps and self.x == 3)
        self.x = 0


class TestSteps:
    class Rising(Counter):
        @temporal
        def x_never_falls(self):
            return always(after(self.x) >= self.x)

        @temporal
        def once_seen_always_seen(self):
            return always(implies(self.seen, next_state(self.seen)))

        @temporal
        def it_rests_at_the_top(self):
            return eventually(always(not changes(self.x)))

    def test_what_is_said_of_the_next_state_holds_if_it_is_so_in_each_step(self) -> None:
        assert set(answers(checked(self.Rising())).values()) == {"holds"}

    def test_a_step_that_breaks_it_is_shown(self) -> None:
        verdict = checked(self.Rising(wraps=True))
        assert verdict.violation is not None
        assert verdict.violation.property == "x_never_falls"
        assert verdict.violation.message.startswith("after(x) >= x does not hold after step 3")

    def test_a_run_that_ends_is_fair_as_nothing_is_enabled(self) -> None:
        class Fair(Counter):
            climbs = weak(Counter.up)

        verdict = checked(Fair(), only=["temporal"], ltl="G F x == 1")
        assert verdict.violation is not None
        assert verdict.violation.message.endswith("for ever; fairness: nothing is enabled there")

    def test_a_model_error_in_it_is_one_of_the_model(self) -> None:
        class Dividing(Counter):
            @temporal
            def divides(self):
                return always(6 // (3 - after(self.x)) >= 0)

        verdict = checked(Dividing())
        assert verdict.violation is not None
        assert (verdict.violation.kind, len(verdict.counterexample or ())) == ("model-error", 3)

    def test_one_formula_for_each_element(self) -> None:
        class Two(Model):
            def state(self) -> None:
                self.x = Array(2, Int(0, 2))

            @transition(i="2")
            def up(self, i: int) -> None:
                when(self.x[i] < 2)
                self.x[i] += 1

            @temporal
            def none_falls(self):
                return always(all(after(self.x[j]) >= self.x[j] for j in range(2)))

            @temporal
            def only_one_moves(self):
                return always(not (changes(self.x[0]) and changes(self.x[1])))

        assert set(answers(checked(Two())).values()) == {"holds"}


class Seat(IntEnum):
    AWAY = 0
    WAITING = 1
    SITTING = 2


class Seats(Model):
    n: int = 2

    def state(self) -> None:
        self.seat = Array(self.n, Seat.AWAY)

    @transition(i="n")
    def come(self, i: int) -> None:
        when(self.seat[i] == Seat.AWAY)
        self.seat[i] = Seat.WAITING

    @transition(i="n")
    def sit(self, i: int) -> None:
        when(self.seat[i] == Seat.WAITING and Seat.SITTING not in self.seat)
        self.seat[i] = Seat.SITTING

    @transition(i="n")
    def leave(self, i: int) -> None:
        when(self.seat[i] == Seat.SITTING)
        self.seat[i] = Seat.AWAY

    @temporal(i="n")
    def served(self, i):
        return leads_to(self.seat[i] == Seat.WAITING, self.seat[i] == Seat.SITTING)


class TestFairness:
    def test_each_index_has_a_formula(self) -> None:
        assert list(answers(checked(Seats()))) == ["served(0)", "served(1)"]

    @pytest.mark.parametrize(("fair", "expected"), [(None, "violated"), ("weak", "violated"), ("strong", "holds")])
    def test_fairness_to_all_processes(self, fair: str | None, expected: str) -> None:
        assert checked(Seats(), fair=fair).answer.value == expected

    def test_fairness_that_a_model_declares(self) -> None:
        class Fair(Seats):
            ends = weak(Seats.leave)
            turns = strong(Seats.sit)

        class NotEnough(Seats):
            turns = weak(Seats.sit)  # nobody can sit all the time

        assert checked(Fair()).holds
        assert not checked(NotEnough()).holds

    def test_an_assumption_about_runs(self) -> None:
        class Assumed(Seats):
            @assume(i="n")
            def nobody_stays(self, i):
                return always(eventually(self.seat[i] != Seat.SITTING))

            @assume(i="n")
            def turns_are_taken(self, i):
                return implies(always(eventually(enabled(self.sit, i))), always(eventually(taken(self.sit, i))))

        assert checked(Assumed()).holds

    def test_an_assumption_of_states_alone_in_branching_time(self) -> None:
        class Lamp(Model):
            def state(self) -> None:
                self.x = Int(0, 2)

            @transition
            def stay(self):
                pass

            @transition
            def step(self):
                self.x = (self.x + 1) % 3

            @assume
            def often_one(self):
                return always(eventually(self.x == 1))

        for formula, expected in (
            ("EF x == 2", "holds"),
            ("AG AF x == 0", "violated"),
            ("AG AF x == 1", "holds"),
            ("EG x == 0", "violated"),
        ):
            assert checked(Lamp(), only=["temporal"], ctl=formula).answer.value == expected, formula

    def test_processes_are_fair_or_not(self) -> None:
        def model(fair: str | None) -> Model:
            class Pair(Model):
                def state(self) -> None:
                    self.x = Int(0, 1)
                    self.done = Array(2, False)

                @process(i="2", fair=fair)
                def worker(self, i):
                    while True:
                        self.done[i] = not self.done[i]
                        yield

                @temporal(i="2")
                def moves(self, i):
                    return always(eventually(taken(self.worker, i)))

            return Pair()

        assert checked(model("weak")).holds
        assert not checked(model(None)).holds

    def test_fairness_that_is_unknown_is_an_error(self) -> None:
        with pytest.raises(ModelRejected, match="there are: weak, strong"):
            transition(fair="very")(lambda self: None)

    def test_fairness_without_a_formula_is_an_error(self) -> None:
        with pytest.raises(UsageError, match="none is checked"):
            check(Counter(), fair="weak")


class TestBranching:
    class Choices(Counter):
        @temporal
        def the_top_can_be_reached(self):
            return AG(EF(self.x == 3))

        @temporal
        def something_is_next(self):
            return EX(self.x == 1)

    def test_it_is_decided_in_the_initial_state(self) -> None:
        assert set(answers(checked(self.Choices(wraps=True))).values()) == {"holds"}

    def test_a_run_shows_what_a_run_can(self) -> None:
        class Again(Counter):
            @temporal
            def back_again(self):
                return AG(implies(self.x == 2, AF(self.x == 0)))

        verdict = checked(Again())
        assert verdict.counterexample is not None
        assert [model.x for model in verdict.counterexample] == [0, 1, 2, 3]

    def test_a_mixture_is_an_error_at_its_place(self) -> None:
        class Mixed(Counter):
            @temporal
            def mixed(self):
                return AG(eventually(self.x == 3))

        with pytest.raises(ModelRejected, match=r"models.py:\d+.*neither LTL nor CTL, because of F x == 3"):
            check(Mixed())

    def test_a_step_is_no_state(self) -> None:
        class Stepping(Counter):
            @temporal
            def stepping(self):
                return AG(EF(taken(self.up)))

        with pytest.raises(ModelRejected, match="CTL speaks of states"):
            check(Stepping())


class TestReading:
    def test_a_formula_as_a_number_is_an_error_with_a_caret(self) -> None:
        class Wrong(Counter):
            @temporal
            def counted(self):
                return always(self.x == 1) == True  # noqa: E712

        with pytest.raises(ModelRejected, match=r"is used here as a value[\s\S]*\^\^"):
            check(Wrong())

    def test_too_many_formulas_are_an_error(self) -> None:
        class Wrong(Counter):
            @temporal
            def two(self):
                return until(self.x == 1)

        with pytest.raises(ModelRejected, match="until takes 2 formulas, not 1"):
            check(Wrong())

    def test_words_are_not_called_elsewhere(self) -> None:
        with pytest.raises(ModelRejected, match="is read in a method with @temporal"):
            always(True)

    def test_words_in_an_invariant_are_an_error_with_a_remedy(self) -> None:
        class Wrong(Counter):
            @invariant
            def for_ever(self) -> bool:
                return always(self.x < 4)

        with pytest.raises(ModelRejected, match=r"part of a formula[\s\S]*write it in a method with @temporal"):
            check(Wrong())

    def test_names_are_given_to_parts_and_bound_again_in_loops(self) -> None:
        class Named(Seats):
            @temporal(i="n")
            def stays(self, i):
                waits, sits = self.seat[i] == Seat.WAITING, any(self.seat[i] == Seat.SITTING for i in range(self.n))
                return always(implies(waits and not sits, weak_until(waits, self.seat[i] == Seat.SITTING)))

        assert answers(checked(Named(), fair="strong"))["stays(1)"] == "holds"

    def test_a_run_is_judged_by_the_plain_object(self) -> None:
        verdict = check(Seats())
        formula = Seats().served(0)
        assert not formula.holds_on(verdict.counterexample)
        stays = [Seats()]
        assert formula.holds_on(stays)


class TestCommandLine:
    SERVED = "G(seat[0] == Seat.WAITING -> F seat[0] == Seat.SITTING)"

    def test_formulas_are_asked_of_any_model(self) -> None:
        verdict = checked(Seats(), only=["temporal"], ltl=self.SERVED, fair="strong")
        assert answers(verdict)[self.SERVED] == "holds"
        assert checked(Counter(), ctl="AG EF x == 3", ltl=("F x == 3", "G enabled(up)")).violated

    def test_unknown_names_have_a_caret(self) -> None:
        with pytest.raises(ModelRejected, match=r"--ltl:1:3.*'y' is not defined"):
            check(Counter(), ltl="F y == 3")

    @pytest.mark.parametrize(
        ("formula", "remedy"),
        [
            ("F seat[0] == SITTING", r"write Seat\.SITTING"),
            ("F seats[0] == Seat.SITTING", "did you mean 'seat'"),
            ("F enabled(sit, 7)", "sit has no index 7"),
        ],
    )
    def test_a_message_says_what_may_be_meant(self, formula: str, remedy: str) -> None:
        with pytest.raises(ModelRejected, match=remedy):
            check(Seats(), ltl=formula)

    def test_a_model_file_has_no_names_to_resolve(self) -> None:
        with pytest.raises(UsageError, match="needs a model in Python"):
            check(load(MODELS / "asset" / "bins.model"), ltl="F x")

    def test_the_json_names_the_kind(self) -> None:
        told = check(Seats()).to_dict()
        assert told["violation"]["kind"] == "temporal"
        assert told["counterexample"]["steps"][1]["holds"] == {
            "seat[0] == Seat.WAITING": True,
            "seat[0] == Seat.SITTING": False,
            "seat[1] == Seat.WAITING": False,
            "seat[1] == Seat.SITTING": False,
        }


class Wheels(Model):
    """Nothing turns them; values of x are as good as each other, but for formulas."""

    def state(self) -> None:
        self.x = Int(0, 2, choose(range(3)))
        self.pc = Array(2, Int(0, 2))

    @transition(i="2")
    def turn(self, i: int) -> None:
        when(self.pc[i] == 1)
        self.pc[i] = 2
        self.x = (self.x + 1) % 3


class Beside(Model):
    """Two processes that move once, and a counter beside them."""

    def state(self) -> None:
        self.pc = Array(2, Int(0, 1))
        self.x = Int(0, 2)

    @transition(i="2")
    def move(self, i: int) -> None:
        when(self.pc[i] == 0)
        self.pc[i] = 1

    @transition(i="2")
    def rest(self, i: int) -> None:
        when(self.pc[i] == 1)
        self.x = 0

    @transition
    def count(self) -> None:
        self.x = (self.x + 1) % 3


class TestReductions:
    def test_a_run_begins_in_the_symmetric_state_from_which_the_formula_is_violated(self) -> None:
        verdict = check(Wheels(), ltl="G x != 1", symmetry="auto", stubborn="off")
        assert verdict.counterexample is not None
        assert verdict.counterexample[0].x == 1

    def test_a_formula_that_is_not_preserved_does_not_hold_as_a_later_one_is_violated(self) -> None:
        asked = ("F pc[0] == 1 & changes(pc)", "G F x == 2")
        found = [check(Beside(), only=["temporal"], ltl=asked, stubborn=s, symmetry="off") for s in ("auto", "off")]
        assert answers(found[0]) == answers(found[1])

    @pytest.mark.parametrize("fair", [None, "strong"])
    def test_formulas_keep_stubborn_sets_unless_steps_matter(self, fair: str | None) -> None:
        verdict = check(Seats(n=3), stubborn="auto", fair=fair)
        assert verdict.answer is check(Seats(n=3), fair=fair).answer
        assert any(caveat.code == "stubborn-off" for caveat in verdict.caveats) == (fair is not None)

    @pytest.mark.parametrize(
        "formula",
        [
            "G F seat[0] == Seat.SITTING",
            "G(Seat.WAITING in seat -> F Seat.SITTING in seat)",
            "G F taken(sit) -> G F taken(leave)",
            "F taken(sit, 1)",
        ],
    )
    @pytest.mark.parametrize("fair", [None, "weak", "strong"])
    def test_symmetry_changes_no_answer(self, formula: str, fair: str | None) -> None:
        asked = {"only": ["temporal"], "ltl": formula, "fair": fair}
        plain, reduced = check(Seats(n=3), **asked), check(Seats(n=3), symmetry="auto", **asked)  # type: ignore[arg-type]
        assert plain.answer is reduced.answer
        if fair is None and "in seat" in formula:
            assert reduced.states <= plain.states
