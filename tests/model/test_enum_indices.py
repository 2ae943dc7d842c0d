"""Indices that are members of an enumeration, arrays that they index, and constants that are sets."""

from __future__ import annotations

from enum import IntEnum

import pytest
from agreement import Agreement

from asset import Array, Model, ModelRejected, check, invariant, transition, when
from asset.frontends.python import PlainPython, compile_model


class Passenger(IntEnum):
    WOLF = 0
    GOAT = 1
    CABBAGE = 2


class Gap(IntEnum):
    LOW = 0
    HIGH = 2


HUNGRY = frozenset({Passenger.WOLF, Passenger.GOAT})


class Boat(Model):
    quiet = {0, 2}  # noqa: RUF012 (what a modeller may write)

    def state(self) -> None:
        self.over = Array(Passenger, False)

    @transition(who=Passenger, times=2)
    def cross(self, who: Passenger, times: int) -> None:
        when(who in HUNGRY or times in self.quiet)
        self.over[who] = not self.over[who]

    @invariant
    def the_goat_stays(self) -> bool:
        return not self.over[Passenger.GOAT]


def test_members_are_shown_by_name_in_all_ways_of_running_a_model() -> None:
    names = [f"cross({who.name}, {k})" for who in Passenger for k in range(2)]
    for program in (compile_model(Boat()), PlainPython(Boat()).program):
        assert [program.command_name(k) for k in range(program.nr_commands)] == names
    assert list(map(str, Boat().transitions())) == names
    run = check(Boat()).counterexample
    assert run is not None and run.steps[1].transition == "cross(GOAT, 1)"


def test_constants_that_are_sets_mean_what_python_means() -> None:
    assert Agreement(Boat()).explore(8) == 48


def test_an_array_is_indexed_by_members_that_count_from_0() -> None:
    assert len(Boat().over) == 3
    with pytest.raises(ModelRejected, match="the members of Gap, the indices of an Array, are not 0, 1, 2"):
        Array(Gap, False)
