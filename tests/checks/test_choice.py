"""Which stubborn set is chosen among several: loops of length 4, independent of each other, beside a counter."""

from __future__ import annotations

from itertools import pairwise
from typing import ClassVar

import pytest

from asset import Array, Int, Model, invariant, may_progress, terminal, transition, when
from asset.checks import CheckOptions, check
from asset.languages import subject_of
from asset.verdict import Verdict

COUNTED = 2
ENGINES = pytest.mark.parametrize("engine", ["reference", "native"])


class Loops(Model):
    """`count` and `twice` are each bounded alone; that they belong together is for the search to find out."""

    n: int = 5
    most: ClassVar[int] = COUNTED

    def state(self):
        self.at = Array(self.n, Int(0, 3))
        self.count = Int(0, 100)
        self.twice = Int(0, 200)

    @transition(i="n")
    def go(self, i):
        self.at[i] = (self.at[i] + 1) % 4

    @transition
    def up(self):
        when(self.count < self.most)
        self.count += 1
        self.twice += 2

    @invariant
    def related(self):
        return self.twice == 2 * self.count


class LoopsThatMayProgress(Loops):
    @may_progress
    def counted(self):
        return self.count == self.most


class LoopsThatMayEnd(Loops):
    @terminal
    def counted(self):
        return self.count == self.most


def explored(model: Model, engine: str = "native") -> Verdict:
    verdict = check(subject_of(model), CheckOptions(stubborn="auto", engine=engine))
    assert verdict.holds
    return verdict


@ENGINES
@pytest.mark.parametrize("n", [1, 5, 20])
def test_loops_beside_a_counter_leave_the_states_of_the_counter(n: int, engine: str) -> None:
    assert explored(Loops(n=n), engine).states == COUNTED + 1


@ENGINES
@pytest.mark.parametrize("model", [LoopsThatMayProgress, LoopsThatMayEnd])
def test_states_are_linear_in_the_loops_if_they_matter(model: type[Loops], engine: str) -> None:
    states = [explored(model(n=n), engine).states for n in (4, 5, 6, 7)]
    assert states[-1] < 4 * 7 + COUNTED + 2
    assert len({after - before for before, after in pairwise(states)}) == 1


def test_both_engines_choose_the_same() -> None:
    found = [explored(LoopsThatMayProgress(n=6), engine) for engine in ("reference", "native")]
    assert found[0].edges == found[1].edges
