"""`@idle_steps` above a class: a step that changes nothing is a step for every question."""

from __future__ import annotations

import pytest

import asset
from asset import Int, Model, ModelRejected, idle_steps, must_progress, terminal, transition


class Still(Model):
    """It can always repeat a step that changes nothing."""

    def state(self) -> None:
        self.x = Int(0, 1)

    @transition
    def stay(self) -> None:
        self.x = 0

    @terminal
    def never(self) -> bool:
        return False

    @must_progress
    def moved(self) -> bool:
        return self.x == 1


@idle_steps
class Busy(Still):
    pass


def answers(model: Model) -> dict[str, str]:
    return {each.name: each.answer.value for each in asset.check(model, keep_going=True).checked}


def test_an_idle_step_is_no_end_and_no_progress_if_the_class_says_so() -> None:
    assert answers(Still())["never"] == "violated"
    assert answers(Busy()) == {"never": "holds", "moved": "violated"}


def test_it_stands_above_a_class() -> None:
    with pytest.raises(ModelRejected, match="@idle_steps stands above a class"):
        idle_steps(Still())  # type: ignore[type-var]
