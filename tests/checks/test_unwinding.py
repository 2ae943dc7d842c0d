"""A run with symmetry begins in the initial state that shows what is wrong."""

from __future__ import annotations

import pytest

import asset
from asset import Array, Int, Model, always, choose, eventually, may_progress, must_progress, temporal, transition, when


class Lamps(Model):
    """One of two lamps is broken, nobody knows which: the two initial states are symmetric."""

    which: int = 0

    def state(self):
        self.broken = Int(0, 1, choose(0, 1))
        self.lit = Array(2, False)

    @transition(i="2")
    def press(self, i):
        when(self.broken != i)
        self.lit[i] = not self.lit[i]


class MustShine(Lamps):
    @must_progress
    def shines(self):
        return self.lit[self.which]


class MayShine(Lamps):
    @may_progress
    def shines(self):
        return self.lit[self.which]


class ShinesAgain(Lamps):
    @temporal
    def shines(self):
        return always(eventually(self.lit[self.which]))


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("model", [MustShine, MayShine, ShinesAgain])
@pytest.mark.parametrize("engine", ["native", "reference"])
def test_of_symmetric_initial_states_the_one_that_violates_is_shown(
    model: type[Lamps], which: int, engine: str
) -> None:
    verdict = asset.check(model(which=which), symmetry="auto", engine=engine)
    assert verdict.violated and verdict.reduction.group_order == 2
    assert verdict.counterexample is not None and verdict.counterexample[0].broken == which
