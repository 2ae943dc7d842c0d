"""Sets over a finite domain."""

from __future__ import annotations

from collections.abc import Callable, Iterable, KeysView
from typing import Any, Self

from asset.ir.shapes import SetShape, Shape
from asset.model.bounded_sets import BoundedSet
from asset.model.set_methods import SetMethods
from asset.model.state import keys_of
from asset.model.value_cells import blank
from asset.model.views import Keyed, text


class Set(Keyed, SetMethods, of=SetShape):
    """A set of values of the domain; initially `items`."""

    __slots__ = ()

    def __new__(cls, domain: object = None, items: Iterable[object] = (), at_most: int | None = None) -> Any:
        """With `at_most`, the elements themselves are stored, and not a bit for each value of the domain."""
        return super().__new__(cls) if at_most is None else BoundedSet(domain, items, at_most)

    def __init__(self, domain: object, items: Iterable[object] = (), at_most: int | None = None) -> None:
        shape = SetShape(keys_of(domain, "a Set"))
        self._place = self._made(shape, blank(shape), "set")._place
        for item in items:
            self.add(item)

    @classmethod
    def _filled(cls, shape: Shape, items: Iterable[object], name: str) -> tuple[int, ...]:
        filled = cls._made(shape, blank(shape), name)
        for item in items:
            filled.add(item)
        return filled._place.snapshot()

    def add(self, item: object) -> None:
        """The item is in the set; raises if it is outside of the domain."""
        self._place.write(1, 0, *self._required(item))

    def discard(self, item: object) -> None:
        """The item is not in the set."""
        position = self._position(item)
        if position is not None:
            self._place.write(0, 0, *position)

    def remove(self, item: object) -> None:
        """Takes the item out; raises if it is not in the set."""
        self._place.write(0, 0, *self._present(item))

    def __len__(self) -> int:
        return sum(self._place.snapshot())

    # --- whole sets -----------------------------------------------------------------------------------------------

    def _cells(self, other: object) -> tuple[int, ...]:
        """The cells of another set over the same domain."""
        if isinstance(other, set | frozenset | KeysView):
            return self._filled(self._place.shape, set(other), self._place.name)
        if not isinstance(other, Set):
            raise TypeError(f"a Set has nothing in common with {other!r}")
        if other._keys != self._keys:
            raise TypeError(f"these are sets over different domains: {self._keys} and {other._keys}")
        return other._place.snapshot()

    def _combined(self, other: object, combine: Callable[[int, int], int]) -> tuple[int, ...]:
        return tuple(map(combine, self._place.snapshot(), self._cells(other)))

    def _value(self, cells: Iterable[int]) -> Self:
        return self._made(self._place.shape, cells, "the set", fixed=True)

    def __or__(self, other: object) -> Self:
        return self._value(self._combined(other, _either))

    def __and__(self, other: object) -> Self:
        return self._value(self._combined(other, _both))

    def __sub__(self, other: object) -> Self:
        return self._value(self._combined(other, _only))

    def __xor__(self, other: object) -> Self:
        return self._value(self._combined(other, _one))

    __ror__ = __or__
    __rand__ = __and__
    __rxor__ = __xor__

    def __rsub__(self, other: object) -> Self:
        return self._value(map(_only, self._cells(other), self._place.snapshot()))

    def __le__(self, other: object) -> bool:
        return not any(self._combined(other, _only))

    def __ge__(self, other: object) -> bool:
        return all(a >= b for a, b in zip(self._place.snapshot(), self._cells(other), strict=True))

    def __lt__(self, other: object) -> bool:
        return self <= other and self._place.snapshot() != self._cells(other)

    def __gt__(self, other: object) -> bool:
        return self >= other and self._place.snapshot() != self._cells(other)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Set | set | frozenset | KeysView):
            return NotImplemented
        return self._place.snapshot() == self._cells(other)

    def __repr__(self) -> str:
        return f"{{{', '.join(map(text, self))}}}"


def _either(a: int, b: int) -> int:
    return a | b


def _both(a: int, b: int) -> int:
    return a & b


def _only(a: int, b: int) -> int:
    return a & ~b


def _one(a: int, b: int) -> int:
    return a ^ b
