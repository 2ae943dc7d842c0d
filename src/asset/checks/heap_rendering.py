"""How references are shown: an object where a reference first leads to it, and by the name of that place elsewhere.

Numbers of objects say nothing to a reader, and change with every step. So an object has the name of a chain of
references that leads to it, `top.below`: the first one, if chains are followed one after the other, from the first
variable on. Objects that are linked to a list are shown as one: `3 ▸ 5 ▸ None`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from asset.ir.shapes import HeapShape, RefShape, leaves, refers
from asset.model.value_cells import Leaves, Place, StateCells
from asset.model.views import component
from asset.verdict import Named, Value

LINK = " ▸ "
"""Between objects of a list."""


class ShownCells(StateCells):
    """The cells of a state with the names of the objects in its heaps."""

    __slots__ = ("_plan", "names")

    def __init__(self, state: tuple[int, ...], plan: Leaves, heaps: dict[int, HeapShape]) -> None:
        super().__init__(state)
        self._plan = plan
        self.heaps.update((first, Place(plan, self, shape, first)) for first, shape in heaps.items())
        self.names: dict[tuple[int, int], str] = {}
        inside = {leaf for first, shape in heaps.items() for leaf in range(first, first + len(leaves(shape)))}
        for number in (k for k in range(len(plan.leaves)) if k not in inside):
            for to, suffix in self._references(number, ()):
                self._name(to, plan.leaves[number].name + suffix)

    def _references(self, leaf: int, at: tuple[int, ...]) -> Iterator[tuple[tuple[int, int], str]]:
        """What the cells of a leaf at these indices refer to, each with its further indices as text."""
        ref, dims = self._plan.leaves[leaf].ref, self._plan.leaves[leaf].dims
        if ref is None:
            return
        place = Place(self._plan, self, ref, leaf)
        for rest in product(*map(range, dims[len(at) :])):
            number = place.read(0, *at, *rest)
            if number:
                yield (ref.heap, number), "".join(f"[{i}]" for i in rest)

    def _name(self, found: tuple[int, int], name: str) -> None:
        if found in self.names:
            return
        self.names[found] = name
        heap, number = found
        for leaf in range(heap + 2, heap + len(leaves(self.heaps[heap].shape))):
            for to, suffix in self._references(leaf, (number - 1,)):
                self._name(to, name + self.part(heap, leaf) + suffix)

    def part(self, heap: int, leaf: int) -> str:
        """What a leaf of the objects of a heap is called in an object."""
        shape = self.heaps[heap].shape
        return leaves(shape)[leaf - heap].name.removeprefix(".items")

    def path(self, place: Place) -> str:
        """The chain of references that leads to what is stored in a place."""
        heap = next((h for h, at in self.heaps.items() if h < place.leaf < h + len(leaves(at.shape))), None)
        if heap is None:
            return place.cell_name()
        rest = "".join(f"[{i}]" for i in place.indices[1:])
        return self.names[heap, place.indices[0] + 1] + self.part(heap, place.leaf) + rest


def referred(place: Place, shown: Callable[[Place], Value]) -> Value:
    """What a reference leads to; `shown` shows any other value."""
    cells, ref, number = place.home, place.shape, place.read()
    assert isinstance(cells, ShownCells) and isinstance(ref, RefShape)
    if not number:
        return None
    name = cells.names[ref.heap, number]
    if name != cells.path(place):
        return name
    heap = cells.heaps[ref.heap]
    assert isinstance(heap.shape, HeapShape)
    if heap.read(1, number - 1):
        return "freed"
    found, link = heap.part(heap.shape.item, 2, number - 1), link_of(heap.shape, heap.leaf)
    if link is None:
        return shown(found)
    following = shown(component(found, link))
    parts = [shown(component(found, k)) for k in range(len(heap.shape.item.names)) if k != link]
    content = f"{_text(parts[0])}" if len(parts) == 1 else f"({', '.join(map(_text, parts))})"
    return f"{content}{LINK}{_text(following)}"


def link_of(heap: HeapShape, first: int) -> int | None:
    """The part by which the objects of a heap are linked to lists; None if they refer to more than the next one."""
    found = [k for k, part in enumerate(heap.item.items) if refers(part)]
    part = heap.item.items[found[0]] if len(found) == 1 else None
    return found[0] if isinstance(part, RefShape) and part.heap == first else None


def _text(value: Value) -> str:
    if isinstance(value, Named):
        return f"{value.name}({', '.join(f'{name}={_text(part)}' for name, part in value.items())})"
    return f"[{', '.join(map(_text, value))}]" if isinstance(value, list) else str(value)
