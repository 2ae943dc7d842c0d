"""Symmetries of a program, as data: permutations, and groups of them with a way to choose representatives.

A symmetry maps states to states so that a command leads from s to s' exactly where its image leads from the image of s
to that of s'. The symmetries here permute cells, and the values of cells that hold names of components. A *group* of
them makes classes of states; its representative function leads from each state to one of the same class.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import factorial, prod
from typing import Protocol

from asset.ir.program import State


@dataclass(frozen=True)
class Permutation:
    """Cell c becomes cell `cells[c]`, command t becomes command `commands[t]`.

    `values[c]` says what the values of c become; those of cells that are not in it, and values that are not, stay. A
    cell and what it becomes have the same type.
    """

    cells: tuple[int, ...]
    commands: tuple[int, ...]
    values: Mapping[int, Mapping[int, int]] = field(default_factory=dict)

    def value(self, cell: int, value: int) -> int:
        return self.values[cell].get(value, value) if cell in self.values else value

    def state(self, state: State) -> State:
        """The image of the state."""
        image = list(state)
        for cell, to in enumerate(self.cells):
            image[to] = self.value(cell, state[cell])
        return tuple(image)

    def after(self, first: Permutation) -> Permutation:
        """First `first`, then this one."""
        values = {}
        for cell in {*first.values, *(c for c, to in enumerate(first.cells) if to in self.values)}:
            known = {*first.values.get(cell, ()), *self._sources(first, cell)}
            values[cell] = {v: self.value(first.cells[cell], first.value(cell, v)) for v in known}
        return Permutation(
            tuple(self.cells[c] for c in first.cells), tuple(self.commands[t] for t in first.commands), _moved(values)
        )

    def _sources(self, first: Permutation, cell: int) -> Iterator[int]:
        """The values of the cell that this permutation changes after `first`."""
        back = {to: v for v, to in first.values.get(cell, {}).items()}
        return (back.get(v, v) for v in self.values.get(first.cells[cell], ()))

    def inverse(self) -> Permutation:
        values = {self.cells[c]: {to: v for v, to in changed.items()} for c, changed in self.values.items()}
        return Permutation(_inverse(self.cells), _inverse(self.commands), values)

    @property
    def is_identity(self) -> bool:
        """Whether it changes no state."""
        return not _moved(self.values) and all(c == to for c, to in enumerate(self.cells))

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for permutations that do the same to states."""
        changed = _moved(self.values)
        return self.cells, tuple(sorted((c, tuple(sorted(changed[c].items()))) for c in changed))


def identity(cells: int, commands: int) -> Permutation:
    return Permutation(tuple(range(cells)), tuple(range(commands)))


def _inverse(images: Sequence[int]) -> tuple[int, ...]:
    back = [0] * len(images)
    for place, to in enumerate(images):
        back[to] = place
    return tuple(back)


def _moved(values: Mapping[int, Mapping[int, int]]) -> dict[int, dict[int, int]]:
    """The same without what stays."""
    moved = {cell: {v: to for v, to in changed.items() if v != to} for cell, changed in values.items()}
    return {cell: changed for cell, changed in moved.items() if changed}


# --- ways to choose a representative -------------------------------------------------------------------------------


class Chooser(Protocol):
    """`exact`: all states of a class have the same representative."""

    @property
    def exact(self) -> bool: ...

    @property
    def words(self) -> str: ...

    def chosen(self, state: State) -> Permutation:
        """The permutation whose image of the state is its representative."""
        ...


@dataclass(frozen=True)
class Significance:
    """The order of states: cells by how much they count, the most significant one first."""

    cells: tuple[int, ...]

    def key(self, state: State) -> tuple[int, ...]:
        return tuple(state[cell] for cell in self.cells)


@dataclass(frozen=True)
class Least:
    """The least image under all elements of the group, the identity first."""

    elements: tuple[Permutation, ...]
    order: Significance
    rotation: bool
    exact: bool = True

    @property
    def words(self) -> str:
        return "the least rotation" if self.rotation else "the least of all images"

    def chosen(self, state: State) -> Permutation:
        return min(self.elements, key=lambda element: self.order.key(element.state(state)))


@dataclass(frozen=True)
class Block:
    """A component: its cells, and for each cell that names components, the value that names this one."""

    cells: tuple[int, ...]
    names: tuple[tuple[int, int], ...] = ()

    def key(self, state: State) -> tuple[int, ...]:
        return (*(state[c] for c in self.cells), *(int(state[c] == name) for c, name in self.names))


@dataclass(frozen=True)
class Sorting:
    """The components of each part in increasing order. A part has blocks of the same shape, of which all orders are
    symmetric. `swaps[part][k]` exchanges blocks k and k + 1."""

    parts: tuple[tuple[Block, ...], ...]
    swaps: tuple[tuple[Permutation, ...], ...]
    exact: bool = True
    words: str = "sorted components"

    def chosen(self, state: State) -> Permutation:
        found = identity(len(state), len(self.swaps[0][0].commands))
        for blocks, swaps in zip(self.parts, self.swaps, strict=True):
            keys = [block.key(state) for block in blocks]
            for end in range(len(keys) - 1, 0, -1):
                for k in range(end):
                    if keys[k] > keys[k + 1]:
                        keys[k], keys[k + 1] = keys[k + 1], keys[k]
                        found = swaps[k].after(found)
        return found


@dataclass(frozen=True)
class Descent:
    """From the state to lesser images under `steps`, as long as there are any: sound, but not always the same."""

    steps: tuple[Permutation, ...]
    order: Significance
    exact: bool = False
    words: str = "a descent along generators"

    def chosen(self, state: State) -> Permutation:
        found = identity(len(state), len(self.steps[0].commands))
        improved = True
        while improved:
            improved = False
            for step in self.steps:
                image = step.state(state)
                if self.order.key(image) < self.order.key(state):
                    state, found, improved = image, step.after(found), True
        return found


@dataclass(frozen=True)
class Group:
    """A group of symmetries. `order` is how many there are, None where it is not known."""

    generators: tuple[Permutation, ...]
    chooser: Chooser
    order: int | None

    def chosen(self, state: State) -> Permutation:
        return self.chooser.chosen(state)

    @property
    def outline(self) -> tuple[object, ...]:
        """What code that chooses representatives depends on."""
        match self.chooser:
            case Least(elements=permutations) | Descent(steps=permutations) as chooser:
                return type(chooser).__name__, tuple(p.key for p in permutations)
            case Sorting(parts=parts):
                return "Sorting", tuple(tuple((block.cells, block.names) for block in part) for part in parts)
        raise AssertionError(self.chooser)

    def representative(self, state: State) -> State:
        """The state of the same class that stands for this one."""
        return self.chosen(state).state(state)


def sorting_order(parts: Iterable[Sequence[Block]]) -> int:
    """The order of the group in which the blocks of each part can be permuted at will."""
    return prod(factorial(len(part)) for part in parts)


def elements(generators: Sequence[Permutation], limit: int) -> tuple[Permutation, ...] | None:
    """All elements of the group, the identity first; None where there are more than `limit`."""
    first = generators[0]
    found = [identity(len(first.cells), len(first.commands))]
    seen = {found[0].key}
    for element in found:  # grows
        for generator in generators:
            further = generator.after(element)
            if further.key not in seen:
                if len(found) == limit:
                    return None
                seen.add(further.key)
                found.append(further)
    return tuple(found)
