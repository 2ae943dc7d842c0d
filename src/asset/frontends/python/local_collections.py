"""Which local collections a function has: their shapes, and how long they can become.

A name that is bound to a collection has local variables of its own for it, the same in all of the function: as many as
whatever is bound to it, and appended to it, can need. That is known only when all of the function was read, so it is read
again until nothing more is needed (`settled`).
"""

from __future__ import annotations

import ast
from math import prod

from asset.frontends.python.local_shapes import NOTHING, joined_shape
from asset.ir.shapes import LocalShape, Shape

MOST_PASSES = 12
LARGEST = 4096
"""The most items that a local collection may have room for."""

Loops = tuple[tuple[int, int], ...]
"""The loops around a point of the code, from the outside, each by its place in the text."""


class LocalCollections:
    def __init__(self) -> None:
        self._planned: dict[str, LocalShape] = {}
        self._outside: dict[str, Loops] = {}
        """For each name, the loops that all that is bound to it is in."""
        self._begin()

    def _begin(self) -> None:
        self._needed: dict[str, LocalShape] = {}
        self._items: dict[str, list[Shape]] = {}
        self._growth: dict[str, int] = {}
        self._loops: list[tuple[tuple[int, int], int | None]] = []
        self.slots: dict[str, tuple[LocalShape, tuple[int, ...]]] = {}
        """The slots of each name."""
        self.shared: set[str] = set()
        """The names whose collection has another name too."""
        self.changed: set[str] = set()
        """The names whose collection is changed in place."""
        self.traversed: list[str] = []
        """The names of the collections that are iterated over at this point."""

    # --- loops ----------------------------------------------------------------------------------------------------

    def enter(self, node: ast.AST, rounds: int | None) -> None:
        """Compiling goes on in a loop of at most as many rounds, if that is known."""
        self._loops.append(((getattr(node, "lineno", 0), getattr(node, "col_offset", 0)), rounds))

    def leave(self) -> None:
        self._loops.pop()

    # --- what is needed -------------------------------------------------------------------------------------------

    def binds(self, name: str, shape: LocalShape) -> LocalShape:
        """The name is bound to a collection of that shape; the shape of its local variables."""
        before = self._needed.get(name)
        self._needed[name] = _whole(shape if before is None else joined_shape((before, shape)))
        here = tuple(place for place, _ in self._loops)
        self._outside[name] = _common(self._outside.get(name, here), here)
        return _whole(joined_shape((self._planned[name], shape))) if name in self._planned else shape

    def grows(self, name: str, item: Shape, by: int = 1) -> bool:
        """So many items are appended here; whether it is known how often that is done."""
        around = len(self._outside.get(name, ()))
        rounds = [count for _, count in self._loops[around:]]
        if None in rounds:
            return False
        self._items.setdefault(name, []).append(item)
        self._growth[name] = self._growth.get(name, 0) + by * prod(count for count in rounds if count is not None)
        return True

    def settled(self) -> bool:
        """Whether the function was read with local variables that suffice; if not, it is to be read again."""
        planned = {name: self._grown(name, shape) for name, shape in self._needed.items()}
        settled = all(self.slots[name][0] == shape for name, shape in planned.items() if name in self.slots)
        self._planned = planned
        if not settled:
            self._begin()
        return settled

    def _grown(self, name: str, shape: LocalShape) -> LocalShape:
        items = [*([shape.item] if shape.capacity else []), *self._items.get(name, [])]
        capacity = shape.capacity + self._growth.get(name, 0)
        return LocalShape(shape.kind, capacity, joined_shape(items) if items else NOTHING)

    def too_large(self) -> str | None:
        """The name of a collection that would need too many local variables."""
        return next((name for name, shape in self._planned.items() if shape.capacity > LARGEST), None)


def _whole(shape: Shape) -> LocalShape:
    assert isinstance(shape, LocalShape)
    return shape


def _common(one: Loops, other: Loops) -> Loops:
    """The loops that are around both."""
    same = [a == b for a, b in zip(one, other, strict=False)]
    return one[: same.index(False)] if False in same else one[: len(same)]
