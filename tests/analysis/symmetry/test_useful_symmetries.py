"""Symmetries that pay: values that are never taken are left alone, what a group saves is told, time is limited."""

from __future__ import annotations

from dataclasses import replace

import pytest

from asset import Array, Int, Model, check, invariant, transition, when
from asset.analysis import watch
from asset.analysis.symmetry.describing import describe
from asset.analysis.symmetry.symmetries import Symmetries, find_symmetries
from asset.analysis.symmetry.taken_values import taken_values
from asset.checks.symmetries_asked import costs, symmetries
from asset.frontends.python import compile_model
from asset.ir.groups import Group


class Codes(Model):
    """Ten codes, of which only the first is ever used: two states."""

    def state(self):
        self.code = Int(0, 9)
        self.done = False

    @transition(i=10)
    def end(self, i):
        when(self.code == i and not self.done)
        self.done = True


class Led(Model):
    """The leader is process 0 or 1. The others take each other's place, with names that no leader ever has."""

    n: int = 4

    def state(self):
        self.leader = Int(0, self.n - 1)
        self.busy = Array(self.n, False)

    @transition(i="n")
    def begin(self, i):
        when(self.leader != i and not self.busy[i])
        self.busy[i] = True

    @transition
    def hand_over(self):
        self.leader = 1 if self.leader == 0 else 0


def found(made: Model) -> Symmetries:
    program = compile_model(made)
    return find_symmetries(program, program.requirements)


def group_of(made: Model) -> Group:
    group = found(made).group
    assert group is not None
    return group


def test_values_that_are_never_taken_are_not_exchanged() -> None:
    assert found(Codes()).group is None
    assert check(Codes(), symmetry="auto").states == 2


def test_values_that_are_never_taken_move_if_components_move_with_them() -> None:
    group = group_of(Led())
    assert group.order == 2
    verdict = check(Led(), symmetry="auto")
    assert (verdict.states, check(Led()).states) == (24, 32)


def test_names_that_never_change_are_told_apart_by_what_is_done_with_them() -> None:
    class AlwaysLed(Led):
        @transition
        def hand_over(self):
            when(False)

    assert group_of(AlwaysLed()).order == 6  # the others
    assert (check(AlwaysLed(), symmetry="auto").states, check(AlwaysLed()).states) == (4, 8)


def test_the_values_that_may_be_taken_follow_from_the_initial_state_and_the_commands() -> None:
    class Climbing(Model):
        def state(self):
            self.x = Int(0, 7)
            self.y = Int(0, 7, 5)

        @transition
        def climb(self):
            when(self.x < 3)
            self.x += 1

        @transition
        def copy(self):
            when(self.x == 7)
            self.y = self.x

    described = describe(compile_model(Climbing()), ())
    assert taken_values(described) == [0b1111, 0b100000]


@pytest.mark.parametrize("questions", [0, 1, 3, 9])
def test_looking_for_symmetries_ends_when_it_is_told_to(questions: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "EVERY", 0)
    program = compile_model(Led())
    left = iter(range(questions))
    result = symmetries(program, program.requirements, False, lambda *_: next(left, None) is not None)
    assert not result.complete
    assert result.group is None or result.group.order == 2  # the names of the others are found all the same


class Watched(Led):
    """One of the alike is asked about by name."""

    @invariant
    def never_the_last(self):
        return not (self.busy[self.n - 1] and self.leader == self.n - 1)


def test_what_a_property_costs_is_told_if_there_is_time_to_find_out() -> None:
    of_all = found(Watched())
    assert costs(of_all) == ["without never_the_last, the group would have 2 elements instead of 1"]
    assert costs(of_all, lambda *_: False) == []
    assert costs(replace(of_all, complete=False)) == []
