"""Where a value is stored: the cells of a model, or of a value of its own, seen as leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import prod

from asset.ir.shapes import Leaf, Shape, leaves


@dataclass(frozen=True, slots=True)
class Leaves:
    """Leaves one after the other, each row by row; `offsets` has the number of the first cell of each."""

    leaves: tuple[Leaf, ...]
    offsets: tuple[int, ...]


@cache
def planned(parts: tuple[Leaf, ...]) -> Leaves:
    sizes = [prod(leaf.dims) for leaf in parts]
    return Leaves(parts, tuple(sum(sizes[:k]) for k in range(len(sizes))))


class StateCells(list[int]):
    """The cells of a state with heaps."""

    __slots__ = ("heaps", "references")

    def __init__(self, cells: Sequence[int]) -> None:
        super().__init__(cells)
        self.heaps: dict[int, Place] = {}
        """The heaps by their first leaf."""
        self.references: dict[tuple[int, int], object] = {}
        """The references that were handed out in this state, by heap and number, so that `is` compares objects."""


class Place:
    """The cells of one value: those of its leaves, at the indices of whatever it is part of.

    A `fixed` value does not change: it was taken out of a queue, say, and is no longer part of any state.
    """

    __slots__ = ("cells", "fixed", "home", "indices", "leaf", "name", "plan", "shape")

    def __init__(self, plan: Leaves, cells: list[int], shape: Shape, leaf: int = 0, name: str = "") -> None:
        self.plan = plan
        self.cells = cells
        self.shape = shape
        self.leaf = leaf
        self.name = name
        self.indices: tuple[int, ...] = ()
        self.fixed = False
        self.home = cells
        """The cells of the state that references in the value are about."""

    def part(self, shape: Shape, leaf: int = 0, *indices: int, suffix: str = "") -> Place:
        """The place of a part, `leaf` leaves behind the first one."""
        part = Place(self.plan, self.cells, shape, self.leaf + leaf, self.name + suffix)
        part.indices = (*self.indices, *indices)
        part.fixed, part.home = self.fixed, self.home
        return part

    def _number(self, leaf: int, indices: tuple[int, ...]) -> int:
        at = 0
        for size, index in zip(self.plan.leaves[leaf].dims, (*self.indices, *indices), strict=True):
            at = at * size + index
        return self.plan.offsets[leaf] + at

    def read(self, leaf: int = 0, *indices: int) -> int:
        return self.cells[self._number(self.leaf + leaf, indices)]

    def write(self, value: int, leaf: int = 0, *indices: int) -> None:
        if self.fixed:
            raise TypeError(f"{self.name} does not change: it is a value, and no part of a state")
        self.cells[self._number(self.leaf + leaf, indices)] = value

    def cell_name(self, *indices: int) -> str:
        return self.plan.leaves[self.leaf].name + "".join(f"[{i}]" for i in (*self.indices, *indices))

    def leaf_cells(self, leaf: int = 0) -> list[int]:
        """The cells of one leaf of the value, row by row."""
        return self.cells[self._block(self.leaf + leaf)]

    def _block(self, leaf: int) -> slice:
        dims = self.plan.leaves[leaf].dims
        size = prod(dims[len(self.indices) :])
        start = self._number(leaf, (0,) * (len(dims) - len(self.indices))) if size else 0
        return slice(start, start + size)

    def _blocks(self) -> list[slice]:
        """The cells of each leaf of the value."""
        return [self._block(leaf) for leaf in range(self.leaf, self.leaf + len(leaves(self.shape)))]

    def snapshot(self) -> tuple[int, ...]:
        """The value's cells, leaf by leaf: equal for equal values of a shape."""
        return tuple(cell for block in self._blocks() for cell in self.cells[block])

    def load(self, cells: Sequence[int]) -> None:
        """The value becomes the one that has this snapshot."""
        if self.fixed:
            raise TypeError(f"{self.name} does not change: it is a value, and no part of a state")
        at = 0
        for block in self._blocks():
            size = block.stop - block.start
            self.cells[block] = cells[at : at + size]
            at += size


def detached(shape: Shape, cells: Sequence[int], name: str = "") -> Place:
    """A place of its own for a value with this snapshot."""
    named = tuple(leaf.within(name) for leaf in leaves(shape))
    return Place(planned(named), list(cells), shape, 0, name)


def blank(shape: Shape) -> tuple[int, ...]:
    """The snapshot of a value that is not there."""
    return tuple(leaf.blank for leaf in leaves(shape) for _ in range(prod(leaf.dims)))


def stacked(item: Shape, snapshots: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The cells of the items of an array, of which these are the snapshots: leaf by leaf, not item by item."""
    sizes = [prod(leaf.dims) for leaf in leaves(item)]
    starts = [sum(sizes[:k]) for k in range(len(sizes))]
    return tuple(
        cell
        for start, size in zip(starts, sizes, strict=True)
        for items in snapshots
        for cell in items[start : start + size]
    )
