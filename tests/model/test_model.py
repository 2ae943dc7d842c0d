"""A model as a plain Python object."""

from __future__ import annotations

import copy
from enum import IntEnum
from typing import ClassVar

import pytest

from asset import (
    Array,
    Bits,
    Int,
    Model,
    ModelRejected,
    OutOfRange,
    UsageError,
    invariant,
    transition,
    when,
)
from asset.model import cells_of, in_state, shown


class Light(IntEnum):
    RED = 0
    GREEN = 1


class Mode(IntEnum):
    SLOW = 3
    FAST = 5


class Crossing(Model):
    n: int = 2
    mode: Mode = Mode.SLOW
    costs: tuple[int, ...] = (1, 2)
    label: str = "main"
    broken: bool = False
    LIMIT: ClassVar[int] = 9

    def state(self) -> None:
        self.light = Array(self.n, Light.RED)
        self.grid = Array(2, Array(3, Int(0, 5)))
        self.count = Int(1, 4)
        self.level = Bits(3, 5)
        self.open = False
        self.light[1] = Light.GREEN
        self.grid[1][2] = 5

    @transition(i="n")
    def turn(self, i: int) -> None:
        self.count = 2
        when(self.light[i] == Light.RED)
        self.light[i] = Light.GREEN

    @transition(m=Mode, k=(4, 2))
    def pick(self, m: Mode, k: int) -> None:
        when(m == Mode.FAST)
        self.level = k

    @transition
    def fail(self) -> None:
        self.count = 3
        self.grid[0][3] = 1

    @invariant
    def few(self) -> bool:
        return sum(self.light) < 3


def test_reading_gives_bools_ints_and_enum_members() -> None:
    m = Crossing()
    assert m.open is False
    assert m.count == 1 and type(m.count) is int
    assert m.light[1] is Light.GREEN
    assert m.level == 5
    assert [list(row) for row in m.grid] == [[0, 0, 0], [0, 0, 5]]


def test_an_int_begins_at_zero_where_that_is_in_its_range_and_else_at_its_lower_bound() -> None:
    assert Int(-3, 3).init == 0
    assert Int(2, 3).init == 2


def test_an_assignment_out_of_range_raises_and_changes_nothing() -> None:
    m = Crossing()
    with pytest.raises(OutOfRange, match=r"count = 5 is out of range: count takes 1\.\.4"):
        m.count = 5
    with pytest.raises(OutOfRange, match=r"grid\[0\]\[1\] = 6"):
        m.grid[0][1] = 6
    with pytest.raises(TypeError):
        m.count = "3"
    assert m == Crossing()


@pytest.mark.parametrize("index", [-1, 2])
def test_an_index_out_of_bounds_raises(index: int) -> None:
    with pytest.raises(IndexError, match="light"):
        Crossing().light[index]


def test_arrays_compare_by_their_elements_and_can_be_searched() -> None:
    m = Crossing()
    assert m.grid[0] == (0, 0, 0)
    assert m.grid[0] != m.grid[1]
    assert Light.GREEN in m.light
    assert len(m.grid) == 2


def test_a_slice_is_a_list() -> None:
    assert Crossing().grid[0][0:2] == [0, 0]


def test_a_transition_fires_once_and_is_then_disabled() -> None:
    m = Crossing()
    assert m.turn(0) is True
    assert m.light == (Light.GREEN, Light.GREEN)
    assert m.turn(i=0) is False


def test_a_disabled_transition_changes_nothing() -> None:
    m = Crossing()
    before = cells_of(m)
    assert not m.turn(1)
    assert cells_of(m) == before


def test_a_transition_that_raises_changes_nothing() -> None:
    m = Crossing()
    with pytest.raises(IndexError):
        m.fail()
    assert m == Crossing()


def test_an_index_outside_of_its_range_is_an_error() -> None:
    with pytest.raises(ValueError, match="turn has no i = 2; it has 0 to 1"):
        Crossing().turn(2)


def test_transitions_are_numbered_in_order_of_definition_with_the_last_index_fastest() -> None:
    names = [str(fired) for fired in Crossing().transitions()]
    assert names == ["turn(0)", "turn(1)", "pick(SLOW, 4)", "pick(SLOW, 2)", "pick(FAST, 4)", "pick(FAST, 2)", "fail"]


def test_enabled_lists_what_would_fire_and_changes_nothing() -> None:
    class Calm(Crossing):
        fail = None  # type: ignore[assignment]

    m = Calm()
    assert [str(fired) for fired in m.enabled_transitions()] == ["turn(0)", "pick(FAST, 4)", "pick(FAST, 2)"]
    assert m == Calm()


def test_an_overriding_transition_keeps_its_place_and_can_use_the_old_one() -> None:
    class Careful(Crossing):
        @transition
        def extra(self) -> None:
            self.open = True

        @transition(i="n")
        def turn(self, i: int) -> None:
            super().turn(i)
            when(not self.open)

    m = Careful()
    assert m.transitions()[0].name == "turn"
    assert m.transitions()[-1].name == "extra"
    assert m.extra() and not m.turn(0)
    assert m.light[0] is Light.RED


def test_firing_a_transition_from_another_is_an_error() -> None:
    class Nested(Crossing):
        @transition
        def outer(self) -> None:
            self.turn(0)

    with pytest.raises(ModelRejected, match="turn is a transition"):
        Nested().outer()


def test_when_outside_of_a_transition_is_an_error() -> None:
    with pytest.raises(ModelRejected, match="outside of a transition"):
        when(True)


def test_a_transition_that_returns_something_is_an_error() -> None:
    class Returning(Crossing):
        @transition
        def leave(self) -> bool:  # type: ignore[arg-type]
            return False

    with pytest.raises(TypeError, match="returned False"):
        Returning().leave()


def test_parameters_are_bound_by_name() -> None:
    m = Crossing(n=3, mode=Mode.FAST, broken=True)
    assert len(m.light) == 3 and m.mode is Mode.FAST and m.broken
    assert m.LIMIT == 9


def test_all_that_is_wrong_with_the_parameters_is_reported() -> None:
    with pytest.raises(UsageError) as error:
        Crossing(m=3, n="3", costs=(1, "2"))
    assert "no parameter 'm'; it has n (= 2), mode (= SLOW)" in str(error.value)
    assert "n takes an integer, not '3'" in str(error.value)
    assert "costs takes a tuple of integers" in str(error.value)


def test_a_default_can_be_overridden_in_a_subclass() -> None:
    class Wide(Crossing):
        n = 5

    assert len(Wide().light) == 5
    assert len(Wide(n=3).light) == 3


def test_an_unknown_state_variable_lists_those_declared() -> None:
    m = Crossing()
    with pytest.raises(AttributeError, match="light, grid, count, level, open"):
        m.lihgt = 3
    with pytest.raises(AttributeError, match="light, grid, count, level, open"):
        _ = m.lihgt


def test_models_are_equal_where_class_parameters_and_state_are() -> None:
    assert Crossing() == Crossing() and hash(Crossing()) == hash(Crossing())
    assert Crossing() != Crossing(mode=Mode.FAST)
    changed = Crossing()
    changed.turn(0)
    assert changed != Crossing()


def test_cells_give_the_state_and_take_it_back() -> None:
    m = Crossing()
    m.turn(0)
    twin = in_state(Crossing(), cells_of(m))
    assert twin == m and twin is not m
    twin.count = 4
    assert m.count == 2


def test_copies_are_independent() -> None:
    m = Crossing()
    for twin in (copy.copy(m), copy.deepcopy(m)):
        twin.turn(0)
        assert m == Crossing() and twin != m


def test_repr_shows_parameters_and_state() -> None:
    text = repr(Crossing())
    assert "Crossing(n=2, mode=SLOW" in text
    assert "light=[RED, GREEN]" in text


def test_a_state_is_shown_as_the_modeller_wants() -> None:
    class Printed(Crossing):
        def print_state(self) -> str:
            return f"count {self.count}"

    class Stringed(Crossing):
        def __str__(self) -> str:
            return "here"

    assert shown(Printed()) == str(Printed()) == "count 1"
    assert shown(Stringed()) == "here"
    assert shown(Crossing()) is None


def test_nr_transitions_may_declare_and_initialise_the_state() -> None:
    class Numbered(Model):
        def nr_transitions(self) -> int:
            self.x = Bits(2)
            self.x = 3
            return 2

        def fire_transition(self, t: int) -> bool:
            if self.x <= t:
                return False
            self.x -= 1
            return True

    m = Numbered()
    assert m.x == 3
    assert [str(t) for t in m.enabled_transitions()] == ["fire_transition(0)", "fire_transition(1)"]
