"""The dataclasses that are quick to load are as those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from asset import deferred


def classes(dataclass: Callable[..., Any]) -> dict[str, type]:
    """The same classes, made by either decorator."""

    @dataclass(frozen=True, slots=True)
    class Place:
        line: int
        column: int = 1
        notes: list[str] = dataclasses.field(default_factory=list)
        hidden: object = dataclasses.field(default=None, compare=False, repr=False)
        kind: ClassVar = "place"

    @dataclass(frozen=True, slots=True)
    class Wide(Place):
        end: int = 0

    @dataclass(frozen=True, slots=True, eq=False)
    class Formula:
        text: str
        size: int = dataclasses.field(init=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "size", len(self.text))

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Formula) and self.size == other.size

        def __hash__(self) -> int:
            return self.size

    @dataclass(frozen=True, slots=True)
    class Nothing: ...

    @dataclass(frozen=True)
    class Open:
        only: tuple[int, ...]

        def __repr__(self) -> str:
            return "open"

    return {each.__name__: each for each in (Place, Wide, Formula, Nothing, Open)}


LIBRARY, OURS = classes(dataclasses.dataclass), classes(deferred.dataclass)
globals().update({name: made for name, made in OURS.items()})  # so that pickle finds them
for made in OURS.values():
    made.__qualname__ = made.__name__
    made.__module__ = __name__

MADE: list[Callable[[dict[str, Any]], Any]] = [
    lambda of: of["Place"](3),
    lambda of: of["Place"](line=3, column=4, notes=["a"], hidden=5),
    lambda of: of["Wide"](1, 2, end=3),
    lambda of: of["Formula"]("abc"),
    lambda of: of["Nothing"](),
    lambda of: of["Open"]((1, 2)),
]


def shown(value: object) -> str:
    return repr(value).replace("classes.<locals>.", "")


@pytest.mark.parametrize("make", MADE)
def test_objects_are_those_of_the_library(make: Callable[[dict[str, Any]], Any]) -> None:
    theirs, ours = make(LIBRARY), make(OURS)
    names = [each.name for each in dataclasses.fields(ours)]
    assert shown(ours) == shown(theirs)
    assert names == [each.name for each in dataclasses.fields(theirs)]
    assert [getattr(ours, name) for name in names] == [getattr(theirs, name) for name in names]
    assert type(ours).__match_args__ == type(theirs).__match_args__
    assert hasattr(ours, "__dict__") == hasattr(theirs, "__dict__")


@pytest.mark.parametrize("one", MADE)
@pytest.mark.parametrize("other", MADE)
def test_they_are_equal_if_those_of_the_library_are(one: Callable[..., Any], other: Callable[..., Any]) -> None:
    assert (one(OURS) == other(OURS)) == (one(LIBRARY) == other(LIBRARY))


def test_equal_objects_have_one_hash_and_lists_have_none() -> None:
    assert hash(OURS["Open"]((1, 2))) == hash(OURS["Open"]((1, 2))) == hash(LIBRARY["Open"]((1, 2)))
    assert hash(OURS["Nothing"]()) == hash(LIBRARY["Nothing"]())
    with pytest.raises(TypeError, match="unhashable"):
        hash(OURS["Place"](1))


@pytest.mark.parametrize("make", MADE)
def test_they_can_be_copied_replaced_and_sent(make: Callable[[dict[str, Any]], Any]) -> None:
    made = make(OURS)
    for other in (copy.copy(made), copy.deepcopy(made), dataclasses.replace(made), pickle.loads(pickle.dumps(made))):
        assert other == made
        assert shown(other) == shown(made)


def test_nothing_is_assigned_to_or_deleted() -> None:
    place = OURS["Place"](1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        place.line = 2
    with pytest.raises(dataclasses.FrozenInstanceError):
        del place.line


def test_wrong_arguments_are_refused() -> None:
    for given in ((), (1, 2, [], None, 5)):
        with pytest.raises(TypeError):
            OURS["Place"](*given)
    with pytest.raises(TypeError):
        OURS["Place"](1, nonsense=2)
