"""States as trees (tree compression: Blom, Lisser, van de Pol and Weber 2009; Laarman, van de Pol and Weber 2011).

A state is a row of numbers. Neighbours are paired, the pairs are numbered, neighbouring numbers are paired again, until
one pair is left, the root. Every pair, and every number at the bottom, is kept once, whatever its place: parts
that states have in common cost nothing, and a state is no more than its root.

*States are equal if and only if their roots are.* All trees have the same shape. Numbers are given once for each node,
so equal rows give equal nodes, from the bottom up; and from a root the nodes, and so the row, can be read again, from
the top down.

*What a step leaves as it was need not be looked up.* A number of a node depends on the row's numbers below it only. So
of a successor, only nodes above a changed number can have other numbers than in its source.

`native/tree.h` and `tree_store.h` do the same with pieces of 32 bits of packed states. There, not neighbours are paired
but what varies together (`tree_shape.h`); whatever is paired, both of the above holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import overload

from asset.engine.store import Store
from asset.ir.program import State

Node = int | tuple[int, int]
Levels = list[list[int]]
"""The numbers at the places of a tree, from the bottom up; the uppermost two are the root."""


class Tree:
    """The nodes of all states, which have `width` numbers each."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.nodes: list[Node] = []
        self._numbers: dict[Node, int] = {}

    def fold(self, state: Sequence[int]) -> Levels:
        level = [self._number(each) for each in state]
        levels = [level]
        while len(level) > 2:
            level = [self._above(level, place) for place in range((len(level) + 1) // 2)]
            levels.append(level)
        return levels

    def fold_after(self, state: Sequence[int], source: Sequence[int], known: Levels) -> Levels:
        """The same, if the source's levels are known: only what has changed is looked up."""
        levels = [list(level) for level in known]
        changed = [place for place in range(self.width) if state[place] != source[place]]
        for place in changed:
            levels[0][place] = self._number(state[place])
        for below, level in pairwise(levels):
            changed = sorted({place // 2 for place in changed})
            for place in changed:
                level[place] = self._above(below, place)
        return levels

    def unfold(self, root: tuple[int, ...]) -> State:
        level = list(root)
        for size in reversed(_sizes(self.width)[:-1]):
            level = [number for each, node in enumerate(level) for number in self._below(node, 2 * each + 1 < size)]
        return tuple(self._leaf(number) for number in level)

    def _above(self, level: list[int], place: int) -> int:
        """What has no neighbour passes on its number."""
        pair = level[2 * place : 2 * place + 2]
        return self._number((pair[0], pair[1])) if len(pair) == 2 else pair[0]

    def _below(self, number: int, has_two: bool) -> tuple[int, ...]:
        node = self.nodes[number]
        return node if has_two and isinstance(node, tuple) else (number,)

    def _leaf(self, number: int) -> int:
        node = self.nodes[number]
        assert isinstance(node, int)
        return node

    def _number(self, node: Node) -> int:
        number = self._numbers.setdefault(node, len(self.nodes))
        if number == len(self.nodes):
            self.nodes.append(node)
        return number


def _sizes(width: int) -> list[int]:
    sizes = [width]
    while sizes[-1] > 2:
        sizes.append((sizes[-1] + 1) // 2)
    return sizes


class TreeStore(Store[State]):
    """A store that keeps no state but its root."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.tree = Tree(width)
        self.vertices = _Unfolded(self.tree)  # type: ignore[assignment]  # a list that is only appended to and read
        self.numbers = _Numbers(self.tree)  # type: ignore[assignment]  # a dict that is only added to and read


class _Unfolded(Sequence[State]):
    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._roots: list[tuple[int, ...]] = []

    def append(self, state: State) -> None:
        self._roots.append(tuple(self._tree.fold(state)[-1]))

    def __len__(self) -> int:
        return len(self._roots)

    @overload
    def __getitem__(self, index: int) -> State: ...
    @overload
    def __getitem__(self, index: slice) -> list[State]: ...
    def __getitem__(self, index: int | slice) -> State | list[State]:
        if isinstance(index, slice):
            return [self._tree.unfold(root) for root in self._roots[index]]
        return self._tree.unfold(self._roots[index])


class _Numbers(Mapping[State, int]):
    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._ids: dict[tuple[int, ...], int] = {}

    def __setitem__(self, state: State, number: int) -> None:
        self._ids[self._root(state)] = number

    def __getitem__(self, state: State) -> int:
        return self._ids[self._root(state)]

    def __iter__(self) -> Iterator[State]:
        return (self._tree.unfold(root) for root in self._ids)

    def __len__(self) -> int:
        return len(self._ids)

    def _root(self, state: State) -> tuple[int, ...]:
        return tuple(self._tree.fold(state)[-1])
