"""Formulas searched on the fly: by an option, and by themselves in large models."""

from __future__ import annotations

import pytest

from asset import Int, Model, UsageError, always, check, eventually, invariant, temporal, transition, when
from asset.checks import choosing
from asset.verdict import Answer, Verdict


class Clocks(Model):
    """Two clocks; the second one may stop."""

    top: int = 9

    def state(self) -> None:
        self.first = Int(0, self.top)
        self.second = Int(0, self.top)
        self.stopped = False

    @transition
    def tick(self) -> None:
        self.first = (self.first + 1) % (self.top + 1)

    @transition
    def tock(self) -> None:
        when(not self.stopped)
        self.second = (self.second + 1) % (self.top + 1)

    @transition
    def stop(self) -> None:
        when(self.second == self.top)
        self.stopped = True

    @invariant
    def in_range(self) -> bool:
        return self.first + self.second <= 2 * self.top

    @temporal
    def stays_stopped(self) -> object:
        return always(not self.stopped or always(self.stopped))


class Hopeful(Clocks):
    @temporal
    def starts_again(self) -> object:
        return always(eventually(self.second == 0))


WHOLE = 110  # states of Clocks()


def answers(verdict: Verdict) -> dict[str, Answer]:
    return {checked.name: checked.answer for checked in verdict.checked}


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_formula_that_holds_is_searched_and_everything_else_is_asked_too(engine: str) -> None:
    verdict = check(Clocks(), on_the_fly=True, engine=engine)
    assert verdict.holds and verdict.states == WHOLE
    assert verdict.product is not None and verdict.product.states >= WHOLE
    assert set(answers(verdict).values()) == {Answer.HOLDS}
    assert "searched on the fly" in str(verdict)
    assert verdict.to_dict()["product"] == {"states": verdict.product.states, "edges": verdict.product.edges}


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_violation_ends_the_search_and_the_rest_is_asked_besides(engine: str) -> None:
    verdict = check(Hopeful(), on_the_fly=True, engine=engine)
    assert verdict.violated and verdict.counterexample is not None
    assert verdict.counterexample.cycle_starts_at is not None
    assert answers(verdict) == {
        "in_range": Answer.HOLDS,
        "stays_stopped": Answer.HOLDS,
        "starts_again": Answer.VIOLATED,
    }


def test_a_limit_leaves_formulas_open() -> None:
    verdict = check(Clocks(), on_the_fly=True, max_states=20)
    assert verdict.answer is Answer.UNDECIDED and verdict.states == 20
    assert set(answers(verdict).values()) == {Answer.UNDECIDED}


@pytest.mark.parametrize("options", [{"threads": 2}, {"stubborn": "auto"}, {"symmetry": "auto"}, {"only": ["safety"]}])
def test_what_cannot_be_had_on_the_fly_is_an_error(options: dict[str, object]) -> None:
    with pytest.raises(UsageError, match=r"on the fly|on_the_fly"):
        check(Clocks(), on_the_fly=True, **options)


def test_a_large_model_is_searched_on_the_fly_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "MOMENT", 100)
    monkeypatch.setattr(choosing, "PATIENCE", 1)
    monkeypatch.setattr(choosing, "_is_far_from_its_end", lambda standing: True)
    near = check(Hopeful())
    assert near.violated and near.product is not None and near.states <= 100
    assert "on the fly" in near.reduction.why
    far = check(Clocks())  # nothing is found, so reductions are tried
    assert far.holds
