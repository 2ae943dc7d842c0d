"""Why a property is false: the operands of its failing parts, with their values."""

from __future__ import annotations

from enum import IntEnum

import pytest

from asset import Array, Heap, Int, Map, Model, Record, Ref, Set, check, invariant, transition, when
from asset.verdict import Reason


class Light(IntEnum):
    RED = 0
    GREEN = 1


class Crossing(Model):
    """Two steps, then its lights are GREEN, RED, GREEN and its cars 2, 0, 5."""

    which: int = 0

    def state(self) -> None:
        self.light = Array(3, Light.RED)
        self.cars = Array(3, Int(0, 9))
        self.open = True

    @transition
    def change(self) -> None:
        self.light[0] = Light.GREEN
        self.light[2] = Light.GREEN
        self.cars[0] = 2
        self.cars[2] = 5
        self.open = False

    def green(self) -> int:
        return sum(light == Light.GREEN for light in self.light)

    def is_safe(self, i: int) -> bool:
        return self.light[i] == Light.RED or self.cars[i] < 4


class OfSum(Crossing):
    @invariant
    def one_green(self) -> bool:
        return sum(light == Light.GREEN for light in self.light) <= 1


class OfConjuncts(Crossing):
    @invariant
    def fine(self) -> bool:
        return self.cars[0] < 3 and self.light[2] != Light.GREEN and self.open


class OfElements(Crossing):
    @invariant
    def no_jam(self) -> bool:
        return all(cars < 4 for cars in self.cars)


class OfHelper(Crossing):
    @invariant
    def safe(self) -> bool:
        return all(self.is_safe(i) for i in range(3))


class OfCall(Crossing):
    @invariant
    def one_green(self) -> bool:
        return self.green() < 2


class OfNegation(Crossing):
    @invariant
    def not_so(self) -> bool:
        return not (self.cars[0] == 2 and any(cars > 4 for cars in self.cars))


class OfReturn(Crossing):
    @invariant
    def checked_in_turn(self) -> bool:
        for i in range(3):
            if self.cars[i] > 4:
                return False
        return not self.light[1]


class OfGrid(Model):
    """An array of no elements before it, so that two arrays begin at the same cell."""

    def state(self) -> None:
        self.nothing = Array(0, False)
        self.grid = Array(2, Array(3, Int(0, 9)))

    @transition
    def fill(self) -> None:
        self.grid[1][2] = 7

    @invariant
    def small(self) -> bool:
        return all(self.grid[i][j] < 5 for i in range(2) for j in range(3))


class OfUnevaluated(Crossing):
    @invariant
    def guarded(self) -> bool:
        return self.cars[0] < 1 and 10 // (self.cars[0] - 2) < 0


def reasons(model: Model) -> tuple[Reason, ...]:
    verdict = check(model)
    assert verdict.violation
    return verdict.violation.why


def told(reason: Reason) -> tuple[str, str, dict[str, object]]:
    return reason.text, reason.values, dict(reason.cells)


def test_a_comparison_with_a_sum_tells_what_counts() -> None:
    (reason,) = reasons(OfSum())
    assert told(reason) == (
        "sum(light == Light.GREEN for light in self.light) <= 1",
        "2 <= 1",
        {"light[0]": "GREEN", "light[2]": "GREEN"},
    )


def test_only_the_failing_conjuncts_are_told() -> None:
    assert [told(reason) for reason in reasons(OfConjuncts())] == [
        ("self.light[2] != Light.GREEN", "GREEN != GREEN", {"light[2]": "GREEN"}),
        ("self.open", "False", {"open": False}),
    ]


def test_of_all_elements_the_false_ones_are_told() -> None:
    (reason,) = reasons(OfElements())
    assert told(reason) == ("all(cars < 4 for cars in self.cars)", "False", {"cars[2]": 5})


def test_cells_of_nested_arrays_have_all_their_indices() -> None:
    (reason,) = reasons(OfGrid())
    assert dict(reason.cells) == {"grid[1][2]": 7}


def test_a_helper_method_is_looked_into() -> None:
    (reason,) = reasons(OfHelper())
    assert [told(part) for part in reason.parts] == [
        ("self.light[i] == Light.RED", "GREEN == RED", {"light[2]": "GREEN"}),
        ("self.cars[i] < 4", "5 < 4", {"cars[2]": 5}),
    ]


def test_a_sum_that_a_helper_method_returns_tells_what_counts() -> None:
    (reason,) = reasons(OfCall())
    assert told(reason) == ("self.green() < 2", "2 < 2", {"light[0]": "GREEN", "light[2]": "GREEN"})


def test_a_negation_is_false_because_of_what_is_true() -> None:
    first, second = reasons(OfNegation())
    assert told(first) == ("self.cars[0] == 2", "2 == 2", {"cars[0]": 2})
    assert dict(second.cells) == {"cars[2]": 5}


def test_a_return_of_false_is_due_to_the_test_above_it() -> None:
    (reason,) = reasons(OfReturn())
    assert told(reason) == ("self.cars[i] > 4", "5 > 4", {"cars[2]": 5})


def test_what_would_be_a_model_error_is_no_reason() -> None:
    assert [reason.text for reason in reasons(OfUnevaluated())] == ["self.cars[0] < 1"]


@pytest.mark.parametrize("model", [OfSum, OfHelper, OfReturn])
def test_reasons_are_in_the_text_and_in_the_json(model: type[Model]) -> None:
    verdict = check(model())
    assert verdict.violation and verdict.violation.property
    assert f"Why {verdict.violation.property} is false in the last state" in str(verdict)
    (reason, *_) = verdict.to_dict()["violation"]["why"]
    assert reason["text"] == verdict.violation.why[0].text


class AllMembers(Model):
    def state(self) -> None:
        self.members = Set(3, {0, 1, 2})

    @transition
    def stay(self) -> None:
        when(False)

    @invariant
    def not_everyone(self) -> bool:
        return self.members != {0, 1, 2}


def test_a_comparison_of_sets_is_said_to_be_what_it_is() -> None:
    violation = check(AllMembers()).violation
    assert violation is not None
    assert [(reason.text, reason.values) for reason in violation.why] == [("self.members != {0, 1, 2}", "False")]


class Node(Record):
    value: Int(0, 3)  # type: ignore[valid-type]
    next: Ref("Node")  # type: ignore[valid-type]


class Chain(Model):
    both: bool = False

    def state(self) -> None:
        self.heap = Heap(Node, at_most=2)
        self.head = Ref(Node)
        self.members = Set(3)
        self.price = Map(["tea", "milk"], Int(0, 3))

    @transition(v=2)
    def push(self, v: int) -> None:
        when(not self.heap.full())
        self.head = self.heap.new(value=v, next=self.head)
        self.members.add(v)
        self.price["tea"] = v

    @invariant
    def fine(self) -> bool:
        if self.both:
            return self.members != {0, 1} or sum(self.price.values()) > 1
        return self.head is None or self.head.next is None or self.head.value <= self.head.next.value


def cells(model: Model) -> dict[str, object]:
    violation = check(model).violation
    assert violation is not None
    return {name: value for reason in violation.why for name, value in reason.cells}


def test_containers_and_objects_are_shown_and_not_their_cells() -> None:
    assert cells(Chain()) == {"head": "1 ▸ 0 ▸ None", "head.value": 1, "head.next.value": 0}
    assert cells(Chain(both=True)) == {"members": [0, 1], "price": {"tea": 0}}
