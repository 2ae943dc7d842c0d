"""Symmetries of a program, as data: permutations, and groups of them with a way to choose representatives.

A symmetry maps states to states so that a command leads from s to s' exactly if its image leads from the image of s
to that of s'. The symmetries here permute cells, and the values of cells that hold names of components. A *group* of
them makes classes of states; its representative function leads from each state to one of the same class.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import factorial, prod
from typing import Protocol

from asset.ir.presence import Use
from asset.ir.program import State
from asset.ir.requirements import Requirement


@dataclass(frozen=True)
class Permutation:
    """Cell c becomes cell `cells[c]`, command t becomes command `commands[t]`.

    `values[c]` says what the values of c become; those of cells that are not in it, and values that are not, stay. A
    cell and what it becomes have the same type. A cell that is not in use (`uses`, which are those of the program) is
    blank, and its image is too.
    """

    cells: tuple[int, ...]
    commands: tuple[int, ...]
    values: Mapping[int, Mapping[int, int]] = field(default_factory=dict)
    uses: Mapping[int, Use] = field(default_factory=dict)

    def value(self, cell: int, value: int) -> int:
        return self.values[cell].get(value, value) if cell in self.values else value

    def state(self, state: State) -> State:
        """The image of the state."""
        image = list(state)
        for cell, to in enumerate(self.cells):
            image[to] = self.value(cell, state[cell]) if self.renames(cell, state) else state[cell]
        return tuple(image)

    def renames(self, cell: int, state: State) -> bool:
        """Whether the value of the cell is a name that may be another one in the image."""
        return cell in self.values and (cell not in self.uses or self.uses[cell].holds(state))

    def after(self, first: Permutation) -> Permutation:
        """First `first`, then this one."""
        values = {}
        for cell in {*first.values, *(c for c, to in enumerate(first.cells) if to in self.values)}:
            known = {*first.values.get(cell, ()), *self._sources(first, cell)}
            values[cell] = {v: self.value(first.cells[cell], first.value(cell, v)) for v in known}
        return Permutation(
            tuple(self.cells[c] for c in first.cells),
            tuple(self.commands[t] for t in first.commands),
            _moved(values),
            self.uses or first.uses,
        )

    def _sources(self, first: Permutation, cell: int) -> Iterator[int]:
        """The values of the cell that this permutation changes after `first`."""
        back = {to: v for v, to in first.values.get(cell, {}).items()}
        return (back.get(v, v) for v in self.values.get(first.cells[cell], ()))

    def inverse(self) -> Permutation:
        values = {self.cells[c]: {to: v for v, to in changed.items()} for c, changed in self.values.items()}
        return Permutation(_inverse(self.cells), _inverse(self.commands), values, self.uses)

    @property
    def is_identity(self) -> bool:
        """Whether it changes no state."""
        return not _moved(self.values) and all(c == to for c, to in enumerate(self.cells))

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for permutations that do the same to states."""
        changed = _moved(self.values)
        return self.cells, tuple(sorted((c, tuple(sorted(changed[c].items()))) for c in changed))

    @property
    def outline(self) -> tuple[object, ...]:
        """What code depends on that makes images of states."""
        return self.key, _outline(self.uses, self.values)


def identity(cells: int, commands: int) -> Permutation:
    return Permutation(tuple(range(cells)), tuple(range(commands)))


def _inverse(images: Sequence[int]) -> tuple[int, ...]:
    back = [0] * len(images)
    for place, to in enumerate(images):
        back[to] = place
    return tuple(back)


def _outline(uses: Mapping[int, Use], cells: Iterable[int]) -> tuple[object, ...]:
    return tuple((c, uses[c].by, tuple(sorted(uses[c].values))) for c in sorted(cells) if c in uses)


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

    @property
    def steps(self) -> tuple[Permutation, ...]:
        """What a permutation to a representative is made of."""
        ...

    def chosen(self, state: State) -> list[int]:
        """The numbers of the steps from the state to its representative, one after the other."""
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

    @property
    def steps(self) -> tuple[Permutation, ...]:
        return self.elements

    def chosen(self, state: State) -> list[int]:
        numbers = range(len(self.elements))
        best = min(numbers, key=lambda number: self.order.key(self.elements[number].state(state)))
        return [best] if best else []


@dataclass(frozen=True)
class Block:
    """A component: its cells, and for each cell that names components, the value that names this one, if the cell is
    in use."""

    cells: tuple[int, ...]
    names: tuple[tuple[int, int], ...] = ()
    uses: Mapping[int, Use] = field(default_factory=dict)

    def key(self, state: State) -> tuple[int, ...]:
        return (*(state[c] for c in self.cells), *(int(self._named(c, name, state)) for c, name in self.names))

    def _named(self, cell: int, name: int, state: State) -> bool:
        return state[cell] == name and (cell not in self.uses or self.uses[cell].holds(state))

    @property
    def outline(self) -> tuple[object, ...]:
        return self.cells, self.names, _outline(self.uses, (cell for cell, _ in self.names))


@dataclass(frozen=True)
class Sorting:
    """The components of each part in increasing order. A part has blocks of the same shape, of which all orders are
    symmetric. `swaps[part][k]` exchanges blocks k and k + 1."""

    parts: tuple[tuple[Block, ...], ...]
    swaps: tuple[tuple[Permutation, ...], ...]
    exact: bool = True
    words: str = "sorted components"

    @property
    def steps(self) -> tuple[Permutation, ...]:
        return tuple(swap for swaps in self.swaps for swap in swaps)

    def chosen(self, state: State) -> list[int]:
        found, first = list[int](), 0
        for blocks in self.parts:
            keys = [block.key(state) for block in blocks]
            for k in neighbours(len(keys)):
                if keys[k] > keys[k + 1]:
                    keys[k], keys[k + 1] = keys[k + 1], keys[k]
                    found.append(first + k)
            first += len(blocks) - 1
        return found


@dataclass(frozen=True)
class Descent:
    """From the state to lesser images under `steps`, as long as there are any: sound, but not always the same."""

    steps: tuple[Permutation, ...]
    order: Significance
    exact: bool = False
    words: str = "a descent along generators"

    def chosen(self, state: State) -> list[int]:
        found, improved = list[int](), True
        while improved:
            improved = False
            for number, step in enumerate(self.steps):
                image = step.state(state)
                if self.order.key(image) < self.order.key(state):
                    state, improved = image, True
                    found.append(number)
        return found


@dataclass(frozen=True)
class Meanings:
    """What a requirement becomes when states are renamed; meaning 0 is the requirement as it is written.

    The annotated quotient (Emerson and Sistla) has for a state x of the model, which is the image under g of a
    representative r, the vertex of r and the meaning that the inverse of g makes of the requirement. That meaning says
    of r what the requirement says of x; so paths of the model and of the annotated quotient meet the same truths.
    """

    back: tuple[Permutation, ...]
    """What a meaning says of a state or command, the requirement says of its image under `back[meaning]`."""
    images: tuple[tuple[int, ...], ...]
    """`images[step][meaning]` is what a step of the chooser makes of the meaning."""

    def __len__(self) -> int:
        return len(self.back)

    def after(self, meaning: int, steps: Iterable[int]) -> int:
        """What the steps, one after the other, make of the meaning."""
        for step in steps:
            meaning = self.images[step][meaning]
        return meaning


@dataclass(frozen=True)
class Group:
    """A group of symmetries. `order` is how many there are, None if it is not known.

    `meanings` are those of the requirements that it does not keep.
    """

    generators: tuple[Permutation, ...]
    chooser: Chooser
    order: int | None
    meanings: Mapping[Requirement, Meanings] = field(default_factory=dict)

    def chosen(self, state: State) -> Permutation:
        """The permutation whose image of the state is its representative."""
        first = self.generators[0]
        found = identity(len(first.cells), len(first.commands))
        for number in self.chooser.chosen(state):
            found = self.chooser.steps[number].after(found)
        return found

    @property
    def outline(self) -> tuple[object, ...]:
        """What code depends on that chooses representatives and evaluates meanings."""
        followed = tuple(
            (tuple(predicate.function for predicate in each.predicates), tuple(p.outline for p in m.back))
            for each, m in self.meanings.items()
        )
        return self._choice, followed

    @property
    def _choice(self) -> tuple[object, ...]:
        match self.chooser:
            case Least(elements=permutations) | Descent(steps=permutations) as chooser:
                return type(chooser).__name__, tuple(p.outline for p in permutations)
            case Sorting(parts=parts):
                return "Sorting", tuple(tuple(block.outline for block in part) for part in parts)
        raise AssertionError(self.chooser)

    def representative(self, state: State) -> State:
        """The state of the same class that stands for this one."""
        for number in self.chooser.chosen(state):
            state = self.chooser.steps[number].state(state)
        return state


def neighbours(size: int) -> Iterator[int]:
    """The places k of k and k + 1 to be compared, and exchanged if need be, in order to sort (bubble sort)."""
    return (k for end in range(size - 1, 0, -1) for k in range(end))


def sorting_order(parts: Iterable[Sequence[Block]]) -> int:
    """The order of the group in which the blocks of each part can be permuted at will."""
    return prod(factorial(len(part)) for part in parts)


def elements(generators: Sequence[Permutation], limit: int) -> tuple[Permutation, ...] | None:
    """All elements of the group, the identity first; None if there are more than `limit`."""
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
