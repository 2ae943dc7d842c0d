"""Queues: first in, first out, of bounded length."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Self

from asset.ir.shapes import QueueShape, Shape
from asset.model.rows import Row
from asset.model.state import rejected, template
from asset.model.value_cells import Place, blank
from asset.model.views import assign, encoded, taken


class Full(Exception):
    """There was no room for what was put."""


class Empty(Exception):
    """There was nothing to take."""


class Queue(Row, of=QueueShape):
    """At most `capacity` items like `item`, in the order in which they were put; initially `items`.

    Items that are read are values: no later assignment to the state changes them, nor can they be changed themselves.
    """

    __slots__ = ()

    def __init__(self, capacity: int, item: object, items: Iterable[object] = ()) -> None:
        if isinstance(capacity, bool) or not isinstance(capacity, int) or capacity < 1:
            raise rejected(f"the capacity of a Queue must be an integer of at least 1, not {capacity!r}")
        shape = QueueShape(int(capacity), template(item, "a Queue's item").shape)
        self._place = self._made(shape, blank(shape), "queue")._place
        for each in items:
            self.put(each)

    @classmethod
    def _filled(cls, shape: Shape, items: Iterable[object], name: str) -> tuple[int, ...]:
        assert isinstance(shape, QueueShape)
        given, filled = list(items), cls._made(shape, blank(shape), name)
        if len(given) > shape.capacity:
            raise Full(f"{name} is full: it holds {shape.capacity}")
        for item in given:
            filled.put(item)
        return filled._place.snapshot()

    @property
    def _shape(self) -> QueueShape:
        shape = self._place.shape
        assert isinstance(shape, QueueShape)
        return shape

    def __len__(self) -> int:
        return self._place.read()

    def full(self) -> bool:
        """Whether there is no room left."""
        return len(self) == self._shape.capacity

    def empty(self) -> bool:
        """Whether there is no item."""
        return len(self) == 0

    def put(self, item: object) -> None:
        """Adds the item at the end; raises if the queue is full."""
        length = len(self)
        if self.full():
            raise Full(f"{self._place.name} is full: it holds {length}")
        at = self._item(length)
        at.load(encoded(at.shape, item, f"{self._place.name}.items[{length}]"))
        self._place.write(length + 1)

    append = put

    def extend(self, items: Iterable[object]) -> None:
        """Adds the items at the end, one after the other."""
        for item in list(items):
            self.put(item)

    def __iadd__(self, items: Any) -> Self:  # type: ignore[misc, override]  # in place, as that of a list
        self.extend(items)
        return self

    def insert(self, position: int, item: object) -> None:
        """The item comes before the one at the position, as that of a list does; raises if the queue is full."""
        if self.full():
            raise Full(f"{self._place.name} is full: it holds {len(self)}")
        items = list(self)
        items.insert(position, item)
        assign(self._place, items)

    def appendleft(self, item: object) -> None:
        """Adds the item at the head; raises if the queue is full."""
        self.insert(0, item)

    def get(self, position: int = 0) -> Any:
        """Takes out the head, or the item at the position; raises if there is none."""
        item, last = self._found(position), len(self) - 1
        for k in range(self._from_start(position), last):
            self._item(k).load(self._item(k + 1).snapshot())
        self._item(last).load(blank(self._shape.item))
        self._place.write(last)
        return item

    def pop(self, position: int = -1) -> Any:
        """Takes out the last item, or the one at the position, as that of a list does."""
        if self.empty():
            raise Empty(f"{self._place.name} is empty")
        return self.get(position)

    def popleft(self) -> Any:
        """Takes out the head; raises if there is none."""
        return self.get()

    def remove(self, item: object) -> None:
        """Takes out the first item that is equal; raises if there is none."""
        self.get(self.index(item))

    def peek(self) -> Any:
        """The head, which stays where it is; raises if there is none."""
        return self._found(0)

    def _found(self, position: int) -> Any:
        if position == 0 and self.empty():
            raise Empty(f"{self._place.name} is empty")
        return self[position]

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return list(self)[index]
        if not isinstance(index, int):
            raise TypeError(f"an index of {self._place.name} must be an integer, not {index!r}")
        return taken(self._at(index))

    def __setitem__(self, index: Any, value: object) -> None:
        if index == slice(None):
            assign(self._place, value)
        else:
            assign(self._at(index), value)

    def __delitem__(self, index: int) -> None:
        self._at(index)
        self.get(index)

    def _at(self, index: int) -> Place:
        """The place of an item; a negative index counts from the end."""
        position = self._from_start(index)
        if not 0 <= position < len(self):
            raise IndexError(f"index {int(index)} of {self._place.name} is out of bounds: it has {len(self)} items")
        return self._item(position)

    def _from_start(self, index: int) -> int:
        return int(index) + (len(self) if index < 0 else 0)

    def _item(self, index: int) -> Place:
        return self._place.part(self._shape.item, 1, index, suffix=".items")

    def clear(self) -> None:
        """Nothing is left in it."""
        self._place.load(blank(self._shape))

    def __iter__(self) -> Iterator[Any]:
        """The items from the head on; raises if the length changes meanwhile."""
        length = len(self)
        for k in range(length):
            if len(self) != length:
                raise RuntimeError(f"{self._place.name} changed while it was iterated over")
            yield self[k]

    def __eq__(self, other: object) -> bool:
        return list(self) == other if isinstance(other, list) else super().__eq__(other)
