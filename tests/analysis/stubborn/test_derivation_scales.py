"""What deriving rules costs, in calls of functions: wide variables cost no more than narrow ones, families are linear,
and the observer is asked often enough to end it at any time."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType

import pytest
from scaling_models import Bytes, Counters, Paxos, Pool, Ring, Sorting, Swaps

from asset import Model
from asset.analysis import watch
from asset.analysis.stubborn.derivation import Derivation, derive
from asset.analysis.watch import Observer
from asset.frontends.python import compile_model
from asset.ir.derived import ALWAYS


class Calls:
    """Counts calls of functions; `longest` is how many there were at most between two questions."""

    def __init__(self) -> None:
        self.total = self.asked = self.longest = 0

    def question(self, what: str, done: int, of: int) -> bool:
        self.longest, self.asked = max(self.longest, self.total - self.asked), self.total
        return True

    def _count(self, frame: FrameType, event: str, arg: object) -> None:
        self.total += event == "call"

    def of(self, made: Model, observer: Observer | None = None) -> Derivation:
        program = compile_model(made)
        sys.setprofile(self._count)
        try:
            return derive(program, program.requirements, observer=observer)
        finally:
            sys.setprofile(None)


def calls(made: Model) -> int:
    counted = Calls()
    assert counted.of(made).complete
    return counted.total


def test_wide_variables_cost_no_more_than_narrow_ones() -> None:
    narrow, byte, word = (calls(Bytes(bits=bits)) for bits in (3, 8, 16))
    assert byte < 2 * narrow
    assert word < narrow


@pytest.mark.parametrize("family", [Counters, Ring, Pool])
def test_ten_times_as_many_commands_cost_little_more_than_ten_times_as_much(family: Callable[..., Model]) -> None:
    small, large = calls(family(n=30)), calls(family(n=300))
    assert large < 16 * small


@pytest.mark.parametrize(
    "made",
    [Paxos(ballots=2), Swaps(n=9), Sorting(n=9), Pool(n=60), Bytes(bits=8), Ring(n=300)],
    ids=lambda made: type(made).__name__,
)
def test_the_observer_is_asked_all_the_time(made: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "EVERY", 0)
    counted = Calls()
    counted.of(made, counted.question)
    counted.question("end", 0, 0)
    assert counted.longest < 400_000  # a fifth of a second


def test_an_analysis_that_is_out_of_time_leaves_coarser_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "EVERY", 0)
    program = compile_model(Ring(n=5))
    hurried = derive(program, (), observer=lambda what, done, of: (what, done) != ("rules", 10))
    assert not hurried.complete
    assert hurried.hurried == (10, 11, 12, 13, 14)
    complete = derive(program, ())
    assert len(hurried.rules.cases[0]) == len(complete.rules.cases[0])
    ((everything,),) = hurried.rules.cases[10][0].obligations
    assert (everything.fact, everything.nodes) == (ALWAYS, frozenset(range(15)))
