"""Sets of at most so many elements, whatever they are: the elements themselves are stored, in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, KeysView
from typing import Any

from asset.ir.shapes import BoundedSetShape, Shape
from asset.model.queues import Full
from asset.model.set_methods import SetMethods
from asset.model.state import domain_template, rejected
from asset.model.value_cells import Place, blank, stacked
from asset.model.views import encoded, taken, text

Cells = tuple[int, ...]


class BoundedSet(SetMethods, of=BoundedSetShape):
    """What `Set(domain, at_most=n)` is. It is iterated over by increasing numbers, whatever was added first."""

    __slots__ = ()

    def __init__(self, domain: object, items: Iterable[object], at_most: int) -> None:
        if isinstance(at_most, bool) or not isinstance(at_most, int) or at_most < 1:
            raise rejected(f"at_most is the number of elements that there can be, at least 1, and not {at_most!r}")
        shape = BoundedSetShape(int(at_most), domain_template(domain, "a Set").shape)
        self._place = self._made(shape, blank(shape), "set")._place
        for item in items:
            self.add(item)

    @classmethod
    def _filled(cls, shape: Shape, items: Iterable[object], name: str) -> Cells:
        filled = cls._made(shape, blank(shape), name)
        filled._store({filled._encoded(item) for item in items})
        return filled._place.snapshot()

    @property
    def _shape(self) -> BoundedSetShape:
        shape = self._place.shape
        assert isinstance(shape, BoundedSetShape)
        return shape

    def _item(self, k: int) -> Place:
        return self._place.part(self._shape.item, 1, k, suffix=".items")

    def _elements(self) -> list[Cells]:
        """The cells of each element, by increasing cells."""
        return [self._item(k).snapshot() for k in range(len(self))]

    def _encoded(self, item: object) -> Cells:
        return encoded(self._shape.item, item, f"{self._place.name}.items")

    def _sought(self, item: object) -> Cells | None:
        """The cells of the item; None if it is outside of the domain."""
        try:
            return self._encoded(item)
        except (TypeError, ValueError):
            return None

    def _store(self, elements: Iterable[Cells]) -> None:
        ordered, capacity = sorted(elements), self._shape.capacity
        if len(ordered) > capacity:
            raise Full(f"{self._place.name} is full: it holds {capacity}")
        rest = [blank(self._shape.item)] * (capacity - len(ordered))
        self._place.load((len(ordered), *stacked(self._shape.item, [*ordered, *rest])))

    # --- elements -------------------------------------------------------------------------------------------------

    def add(self, item: object) -> None:
        """The item is in the set; raises if it is outside of the domain, or if there are too many."""
        self._store({*self._elements(), self._encoded(item)})

    def discard(self, item: object) -> None:
        """The item is not in the set."""
        sought = self._sought(item)
        self._store(cells for cells in self._elements() if cells != sought)

    def remove(self, item: object) -> None:
        """Takes the item out; raises if it is not in the set."""
        if item not in self:
            raise KeyError(f"{text(item)} is not in {self._place.name}")
        self.discard(item)

    def clear(self) -> None:
        """Nothing is left in it."""
        self._place.load(blank(self._shape))

    def __len__(self) -> int:
        return self._place.read()

    def __contains__(self, item: object) -> bool:
        return self._sought(item) in self._elements()

    def __iter__(self) -> Iterator[Any]:
        length = len(self)
        for k in range(length):
            if len(self) != length:
                raise RuntimeError(f"{self._place.name} changed while it was iterated over")
            yield taken(self._item(k))

    # --- whole sets -----------------------------------------------------------------------------------------------

    def _others(self, other: object) -> set[Cells]:
        """The cells of the elements of another set; of those outside of the domain, nothing that could be here."""
        if not isinstance(other, BoundedSet | set | frozenset | KeysView):
            raise TypeError(f"a Set has nothing in common with {other!r}")
        found = ((k, self._sought(item)) for k, item in enumerate(other))
        longer = len(blank(self._shape.item)) + 1
        return {(k,) * longer if cells is None else cells for k, cells in found}

    def __or__(self, other: Iterable[object]) -> frozenset[Any]:
        """As a plain set, which may have more elements than this one can."""
        return frozenset(self) | frozenset(other)

    def __and__(self, other: Iterable[object]) -> frozenset[Any]:
        return frozenset(self) & frozenset(other)

    def __sub__(self, other: Iterable[object]) -> frozenset[Any]:
        return frozenset(self) - frozenset(other)

    def __xor__(self, other: Iterable[object]) -> frozenset[Any]:
        return frozenset(self) ^ frozenset(other)

    __ror__ = __or__
    __rand__ = __and__
    __rxor__ = __xor__

    def __rsub__(self, other: Iterable[object]) -> frozenset[Any]:
        return frozenset(other) - frozenset(self)

    def __lt__(self, other: object) -> bool:
        return set(self._elements()) < self._others(other)

    def __gt__(self, other: object) -> bool:
        return set(self._elements()) > self._others(other)

    def __le__(self, other: object) -> bool:
        return set(self._elements()) <= self._others(other)

    def __ge__(self, other: object) -> bool:
        return set(self._elements()) >= self._others(other)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BoundedSet | set | frozenset | KeysView):
            return NotImplemented
        return set(self._elements()) == self._others(other)

    def __repr__(self) -> str:
        return f"{{{', '.join(map(text, self))}}}"
