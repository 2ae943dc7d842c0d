"""The canonical numbering of the objects in heaps: states that differ only in addresses become one state.

An object is named by the shortest chain of references that leads to it, the first one among those of that length.
Chains begin at the references outside of heaps, in the order of the cells, and go on by the references in objects, in
the order of their parts. Objects are numbered in the order of their names, breadth-first (Musuvathi and Dill, SPIN
2005). What no chain leads to is no longer there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from asset.ir.shapes import HeapShape, leaves
from asset.model.value_cells import Leaves

Referring = tuple[int, int]
"""A cell that refers, and the number of the heap that it refers into."""


@dataclass(frozen=True, slots=True)
class HeapCells:
    """Where a heap is: the cell that says how many objects there are, and those of each object."""

    size: int
    objects: tuple[tuple[int, ...], ...]
    blank: tuple[int, ...]
    """The cells of an object that is not there."""
    referring: tuple[Referring, ...]
    """Of an object: which of its cells refer, and into which heap."""


@dataclass(frozen=True, slots=True)
class HeapNumbering:
    heaps: tuple[HeapCells, ...]
    roots: tuple[Referring, ...]

    def renumbered(self, cells: Sequence[int]) -> list[int]:
        """The state with its objects in canonical order, without those that cannot be reached."""
        orders = self.orders(cells)
        numbers = [{old: new for new, old in enumerate(order, 1)} | {0: 0} for order in orders]
        result = list(cells)
        for cell, into in self.roots:
            result[cell] = numbers[into][cells[cell]]
        for heap, order in zip(self.heaps, orders, strict=True):
            result[heap.size] = len(order)
            for k, places in enumerate(heap.objects):
                found = [cells[cell] for cell in heap.objects[order[k] - 1]] if k < len(order) else list(heap.blank)
                for at, into in heap.referring:
                    found[at] = numbers[into][found[at]]
                for cell, value in zip(places, found, strict=True):
                    result[cell] = value
        return result

    def orders(self, cells: Sequence[int]) -> list[list[int]]:
        """For each heap, its objects that can be reached, in the order of their names."""
        orders: list[list[int]] = [[] for _ in self.heaps]
        level = self._level(orders, ((into, cells[cell]) for cell, into in self.roots))
        while any(level):
            following = (
                (into, cells[self.heaps[number].objects[found - 1][at]])
                for number, objects in enumerate(level)
                for found in objects
                for at, into in self.heaps[number].referring
            )
            level = self._level(orders, following)
        return orders

    def _level(self, orders: list[list[int]], referred: Iterator[tuple[int, int]]) -> list[list[int]]:
        """The objects that are referred to and were not found before; they are found now."""
        level: list[list[int]] = [[] for _ in self.heaps]
        for into, found in referred:
            if found and found not in orders[into]:
                orders[into].append(found)
                level[into].append(found)
        return level


def numbering_of(plan: Leaves, heaps: Sequence[tuple[int, HeapShape]]) -> HeapNumbering | None:
    """How the heaps that begin at these leaves are numbered; None if there are none."""
    if not heaps:
        return None
    numbers = {first: number for number, (first, _) in enumerate(heaps)}
    inside = {leaf for first, shape in heaps for leaf in range(first, first + len(leaves(shape)))}
    roots = tuple(
        (plan.offsets[number] + at, numbers[leaf.ref.heap])
        for number, leaf in enumerate(plan.leaves)
        if leaf.ref is not None and number not in inside
        for at in range(prod(leaf.dims))
    )
    return HeapNumbering(tuple(_cells(plan, first, shape, numbers) for first, shape in heaps), roots)


def _cells(plan: Leaves, first: int, shape: HeapShape, numbers: dict[int, int]) -> HeapCells:
    parts = range(first + 1, first + len(leaves(shape)))
    objects = []
    for k in range(shape.capacity):
        cells: list[int] = []
        for number in parts:
            size = prod(plan.leaves[number].dims[1:])
            start = plan.offsets[number] + k * size
            cells += range(start, start + size)
        objects.append(tuple(cells))
    inner = [(plan.leaves[number], at) for number in parts for at in product(*map(range, plan.leaves[number].dims[1:]))]
    blank = tuple(leaf.blank for leaf, _ in inner)
    refer = tuple((at, numbers[leaf.ref.heap]) for at, (leaf, _) in enumerate(inner) if leaf.ref is not None)
    return HeapCells(plan.offsets[first], tuple(objects), blank, refer)
