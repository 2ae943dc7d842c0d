"""Bags: how often each value of a finite domain is in them, in no order."""

from __future__ import annotations

from collections.abc import Iterable

from asset.ir.shapes import BagShape
from asset.model.queues import Full
from asset.model.state import keys_of, rejected
from asset.model.value_cells import blank
from asset.model.views import Keyed, key_value, text


class Bag(Keyed, of=BagShape):
    """Values of the domain, each at most `most` times; initially `items`. Iterating gives each value in it once."""

    __slots__ = ()

    def __init__(self, domain: object, most: int, items: Iterable[object] = ()) -> None:
        if isinstance(most, bool) or not isinstance(most, int) or most < 1:
            raise rejected(f"a Bag takes each value at least once, not {most!r} times")
        shape = BagShape(keys_of(domain, "a Bag"), int(most))
        self._place = self._made(shape, blank(shape), "bag")._place
        for item in items:
            self.add(item)

    @property
    def most(self) -> int:
        """How often it takes each value."""
        shape = self._place.shape
        assert isinstance(shape, BagShape)
        return shape.most

    def add(self, item: object) -> None:
        """The item is in the bag once more; raises if that is too often, or if it is outside of the domain."""
        position = self._required(item)
        count = self._place.read(0, *position)
        if count == self.most:
            raise Full(f"{self._place.name} is full: it holds {text(item)} {count} times")
        self._place.write(count + 1, 0, *position)

    def remove(self, item: object) -> None:
        """Takes the item out once; raises if it is not in the bag."""
        position = self._present(item)
        self._place.write(self._place.read(0, *position) - 1, 0, *position)

    def discard(self, item: object) -> None:
        """Takes the item out once, if it is in the bag."""
        if item in self:
            self.remove(item)

    def count(self, item: object) -> int:
        """How often the item is in the bag."""
        position = self._position(item)
        return 0 if position is None else self._place.read(0, *position)

    def __len__(self) -> int:
        return sum(self._place.snapshot())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Bag):
            return NotImplemented
        if other._keys != self._keys:
            raise TypeError(f"these are bags over different domains: {self._keys} and {other._keys}")
        return self._place.snapshot() == other._place.snapshot()

    def __repr__(self) -> str:
        keys = self._keys
        counted = ((key_value(keys, key), self._place.read(0, *keys.positions(key))) for key in keys.all())
        return f"{{{', '.join(f'{text(item)}: {count}' for item, count in counted if count)}}}"
