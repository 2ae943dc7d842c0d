"""Local collections, and sets of records, mean the same in CPython, in the reference interpreter and in native code."""

from __future__ import annotations

import random

from agreement import Agreement
from collection_models import Collections
from message_models import Messages

import asset


def test_everything_that_can_be_done_with_local_collections_means_the_same() -> None:
    assert Agreement(Collections()).explore(12) > 500


def test_everything_that_can_be_done_with_sets_of_records_means_the_same() -> None:
    agreement, dice, fired = Agreement(Messages()), random.Random(3), set[int]()
    state = agreement.program.initial
    for _ in range(700):
        command = dice.randrange(agreement.program.nr_commands)
        after = agreement.fire(state, command)
        if after is not None:
            fired.add(command)
            state = after
        if dice.random() < 0.02:
            agreement.evaluate(state)
            state = agreement.program.initial
    assert len(fired) > 50


def test_a_model_with_local_collections_is_explored_alike_by_both_engines() -> None:
    class Sorting(asset.Model):
        n: int = 3

        def state(self):
            self.row = asset.Array(self.n, asset.Int(0, 2))
            self.sorted = asset.Array(self.n, asset.Int(0, 2))

        @asset.transition(i="n")
        def change(self, i):
            self.row[i] = (self.row[i] + 1) % 3
            self.sorted = sorted(self.row)

        @asset.invariant
        def in_order(self):
            return all(a <= b for a, b in zip(self.sorted, list(self.sorted)[1:], strict=False))

    verdicts = [asset.check(Sorting(), engine=engine) for engine in ("native", "reference")]
    assert all(verdict.holds for verdict in verdicts)
    assert {verdict.states for verdict in verdicts} == {27}


class Small(asset.Record):
    number: asset.Int(0, 3)


class Other(asset.Record):
    flag: bool


def test_a_set_that_is_too_large_for_bits_says_how_to_bound_it() -> None:
    class Large(asset.Record):
        a: asset.Int(0, 99)
        b: asset.Int(0, 99)

    try:
        asset.Set(Large)
    except asset.ModelRejected as rejected:
        assert "at_most=8" in str(rejected)
    else:
        raise AssertionError
    assert len(asset.Set(Large, [Large(1, 2)], at_most=2)) == 1


def test_a_set_of_at_most_two_is_in_order_and_takes_no_third() -> None:
    few = asset.Set(Small | Other, at_most=2)
    few.add(Other(True))
    few.add(Small(1))
    few.add(Small(1))
    assert list(few) == [Small(1), Other(True)]
    assert few == {Other(True), Small(1)}
    try:
        few.add(Small(2))
    except asset.Full:
        return
    raise AssertionError
