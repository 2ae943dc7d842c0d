"""Which local variables of several cells a function has: their shapes, and how long collections can become.

A name that is bound to a collection, or to several values that are no numbers, has local variables of its own, the same
in all of the function: as many as whatever is bound to it, and appended to it, can need. That is known only when all of
the function was read, so it is read again until nothing more is needed (`settled`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from math import prod

from asset.frontends.python.local_shapes import NOTHING, as_row, joined_shape
from asset.frontends.python.sharing import Sharing
from asset.ir.shapes import LocalShape, Shape, TupleShape

MOST_PASSES = 12
LARGEST = 4096
"""The most items that a local collection may have room for."""

Loops = tuple[tuple[int, int], ...]
"""The loops around a point of the code, from the outside, each by its place in the text."""


class LocalCollections:
    def __init__(self) -> None:
        self._planned: dict[str, Shape] = {}
        self.several: set[str] = set()
        """Names that a conditional expression binds to values that are no numbers."""
        self._outside: dict[str, Loops] = {}
        """For each name, the loops that all that is bound to it is in."""
        self._begin()

    def _begin(self) -> None:
        self._needed: dict[str, Shape] = {}
        self._items: dict[str, Shape] = {}
        self._growth: dict[str, int] = {}
        self._loops: list[tuple[tuple[int, int], int | None]] = []
        self.slots: dict[str, tuple[Shape, tuple[int, ...]]] = {}
        """The slots of each name."""
        self.moved = False
        """Whether a name needed other slots than before."""
        self.numbers: set[str] = set()
        """The names that were bound to a number in a slot of its own."""
        self.shared: set[str] = set()
        """The names whose collection has another name too."""
        self.changed: set[str] = set()
        """The names whose collection is changed in place."""
        self.sharing = Sharing()
        self.traversed: dict[str, bool] = {}
        """The names of the collections that are iterated over at this point: whether their items may be assigned."""

    def traverse(self, names: Iterable[tuple[str, bool]]) -> None:
        """Compiling goes on in a loop over what has these names."""
        for name, assigns in names:
            self.traversed[name] = self.traversed.get(name, True) and assigns

    # --- loops ----------------------------------------------------------------------------------------------------

    def enter(self, node: ast.AST, rounds: int | None) -> None:
        """Compiling goes on in a loop of at most as many rounds, if that is known."""
        self._loops.append(((getattr(node, "lineno", 0), getattr(node, "col_offset", 0)), rounds))

    def leave(self) -> None:
        self._loops.pop()

    # --- what is needed -------------------------------------------------------------------------------------------

    def is_variable(self, name: str) -> bool:
        """Whether the name has local variables of its own."""
        return name in self._planned or name in self._needed

    def binds(self, name: str, shape: Shape) -> Shape:
        """The name is bound to a value of that shape; the shape of its local variables."""
        before = self._needed.get(name)
        needed = shape if before is None else joined_shape((before, shape))
        if name in self._items and isinstance(needed, LocalShape) and needed.capacity:
            joined_shape((needed.item, self._items[name]))  # raises if they are unlike
        self._needed[name] = needed
        here = tuple(place for place, _ in self._loops)
        self._outside[name] = _common(self._outside.get(name, here), here)
        return joined_shape((self._planned[name], shape)) if name in self._planned else shape

    def grows(self, name: str, item: Shape, by: int = 1) -> bool:
        """So many items are appended here; whether it is known how often that is done. Raises Unlike if one collection
        cannot hold them and the others."""
        around = len(self._outside.get(name, ()))
        rounds = [count for _, count in self._loops[around:]]
        if None in rounds:
            return False
        self._items[name] = joined_shape([*self._held(name), item])
        self._growth[name] = self._growth.get(name, 0) + by * prod(count for count in rounds if count is not None)
        return True

    def settled(self) -> bool:
        """Whether the function was read with local variables that suffice; if not, it is to be read again."""
        planned = {name: self._grown(name, shape) for name, shape in self._needed.items()}
        settled = not (self.moved or self.numbers & planned.keys()) and all(
            self.slots[name][0] == shape for name, shape in planned.items() if name in self.slots
        )
        self._planned = planned
        if not settled:
            self._begin()
        return settled

    def _grown(self, name: str, shape: Shape) -> Shape:
        if isinstance(shape, TupleShape) and name in self._items:
            shape = as_row(shape)
        if not isinstance(shape, LocalShape):
            return shape
        held, capacity = self._held(name), shape.capacity + self._growth.get(name, 0)
        return LocalShape(shape.kind, capacity, joined_shape(held) if held else NOTHING)

    def _held(self, name: str) -> list[Shape]:
        """The shapes of what the collection holds so far."""
        bound = self._needed.get(name)
        if isinstance(bound, TupleShape):
            bound = as_row(bound)
        items = [bound.item] if isinstance(bound, LocalShape) and bound.capacity else []
        return [*items, *([self._items[name]] if name in self._items else [])]

    def too_large(self) -> str | None:
        """The name of a collection that would need too many local variables."""
        sizes = {name: shape.capacity for name, shape in self._planned.items() if isinstance(shape, LocalShape)}
        return next((name for name, size in sizes.items() if size > LARGEST), None)


def _common(one: Loops, other: Loops) -> Loops:
    """The loops that are around both."""
    same = [a == b for a, b in zip(one, other, strict=False)]
    return one[: same.index(False)] if False in same else one[: len(same)]
