"""Numberings of the objects in heaps: how much of a heap a step touches, and what hashing it costs.

Three ways to give objects addresses that do not depend on where they were made: *chains*, by a table from the place
that refers to an object first, breadth-first, to an address that is given once (Musuvathi and Dill, SPIN 2005);
*ranks*, the positions in that order, which states are stored with here; and *depth-first* positions (Iosif). An object
is touched by a step if its address or its content, with addresses in it, was in the state before in no object: its hash
must be computed anew. The hash of a state is the sum of those of its objects, so that of all others is reused.

    python benchmarks/heaps.py
"""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

Fields = list[int]
"""What an object refers to, place by place; 0 is nothing. Object 1 is the root, which is always there."""
Heap = dict[int, Fields]
Addresses = dict[int, int]
Image = set[tuple[int, ...]]
"""The objects of a state as they are hashed: the address, and what it refers to as addresses."""


class Chains:
    """An address for each place that refers, by the address of the object that it is in; given once, kept for ever."""

    def __init__(self) -> None:
        self.table: dict[tuple[int, int], int] = {}
        self.free = 0

    def __call__(self, heap: Heap) -> Addresses:
        root = len(heap[1])
        self.free = max(self.free, root)
        found, queue = {1: 0}, deque([1])
        while queue:
            parent = queue.popleft()
            for field, child in enumerate(heap[parent]):
                if child and child not in found:
                    found[child] = self._address(found[parent] + field, len(heap[child]))
                    queue.append(child)
        return found

    def _address(self, place: int, length: int) -> int:
        if (place, length) not in self.table:
            self.table[place, length] = self.free
            self.free += length
        return self.table[place, length]


def ranks(heap: Heap) -> Addresses:
    found, queue = {1: 0}, deque([1])
    while queue:
        for child in heap[queue.popleft()]:
            if child and child not in found:
                found[child] = len(found)
                queue.append(child)
    return found


def depth_first(heap: Heap) -> Addresses:
    found: Addresses = {}
    stack = [1]
    while stack:
        here = stack.pop()
        if here not in found:
            found[here] = len(found)
            stack += [child for child in reversed(heap[here]) if child]
    return found


def image(heap: Heap, addresses: Addresses) -> Image:
    return {(at, *(addresses[child] if child else -1 for child in heap[here])) for here, at in addresses.items()}


# --- heaps that change ------------------------------------------------------------------------------------------------


def tree(size: int, dice: random.Random) -> Iterator[Heap]:
    """A binary search tree: a leaf comes or goes in each step."""
    heap: Heap = {1: [0, 0]}
    fresh = 2
    while True:
        here = 1
        while True:
            side = dice.randrange(2)
            child = heap[here][side]
            if not child:
                if len(heap) < size or dice.random() < 0.3:
                    heap[here][side], heap[fresh], fresh = fresh, [0, 0], fresh + 1
                break
            if heap[child] == [0, 0] and len(heap) >= size:
                heap[here][side] = 0
                del heap[child]
                break
            here = child
        yield heap


def records(size: int, dice: random.Random) -> Iterator[Heap]:
    """A table of records, each with a short list: a list gets an item in front or loses one."""
    rows = max(4, size // 4)
    heap: Heap = {1: list(range(2, rows + 2)), **{k: [0] for k in range(2, rows + 2)}}
    fresh = rows + 2
    while True:
        row = dice.randrange(2, rows + 2)
        first = heap[row][0]
        if first and len(heap) >= size:
            heap[row][0] = heap.pop(first)[0]
        else:
            heap[fresh], heap[row][0], fresh = [first], fresh, fresh + 1
        yield heap


def queue(size: int, dice: random.Random) -> Iterator[Heap]:
    """A list with references to both ends: items come at the tail and go at the head."""
    heap: Heap = {1: [2, 2], 2: [0]}
    fresh = 3
    while True:
        head, tail = heap[1]
        if len(heap) >= size or (dice.random() < 0.3 and head != tail):
            heap[1][0] = heap.pop(head)[0]
        else:
            heap[fresh], heap[tail][0], heap[1][1], fresh = [0], fresh, fresh, fresh + 1
        yield heap


@dataclass(frozen=True, slots=True)
class Measured:
    objects: float
    touched: float
    """The share of objects whose hash is computed anew, of all."""
    seconds: float


def measured(changes: Iterator[Heap], numbering: Callable[[Heap], Addresses], steps: int, whole: bool) -> Measured:
    """Numbers and hashes each state; `whole` hashes all of it, whatever was hashed before."""
    before: Image = set()
    seen: set[int] = set()
    known, objects, touched, seconds = 0, 0, 0, 0.0
    for step in range(-50, steps):
        heap = next(changes)
        start = time.process_time()
        now = image(heap, numbering(heap))
        if whole:
            known = sum(map(_hash, now))
        else:
            known += sum(map(_hash, now - before)) - sum(map(_hash, before - now))
        seen.add(known)
        if step >= 0:
            seconds += time.process_time() - start
            objects, touched = objects + len(now), touched + len(now - before)
        before = now
    return Measured(objects / steps, touched / objects, seconds)


def _hash(cells: tuple[int, ...]) -> int:
    """A byte after the other, as a model checker does it; Python's own would hide what it costs."""
    found = 14695981039346656037
    for cell in cells:
        for byte in cell.to_bytes(4, "little", signed=True):
            found = (found ^ byte) * 1099511628211 & 0xFFFFFFFFFFFFFFFF
    return found


def main() -> None:
    print(f"{'heap':8}{'objects':>9}{'chains':>11}{'ranks':>11}{'depth-first':>12}{'time ratio':>12}")
    for name, changing in (("tree", tree), ("records", records), ("queue", queue)):
        for size in (50, 350):
            numberings: list[tuple[Callable[[Heap], Addresses], bool]] = [
                (Chains(), False),
                (ranks, False),
                (depth_first, True),
            ]
            found = [measured(changing(size, random.Random(1)), number, 600, whole) for number, whole in numberings]
            shares = "".join(f"{each.touched:>11.2%}" for each in found)
            print(f"{name:8}{found[0].objects:9.1f}{shares}{found[2].seconds / found[0].seconds:12.2f}")


if __name__ == "__main__":
    main()
