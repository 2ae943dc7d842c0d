"""Functions of a valuation as decision diagrams with arbitrary leaves.

The transitions of an automaton's state are such a function: for each letter the set of edges. A diagram asks only
about the atoms that make a difference, in the order of their numbers, so letters are never enumerated. Equal
diagrams of one table are the same object.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

V = TypeVar("V", bound=Hashable)
W = TypeVar("W", bound=Hashable)
R = TypeVar("R", bound=Hashable)

LAST = 1 << 30
"""The number of no atom: that of a leaf, which comes after all questions."""

Cube = tuple[int, int]
"""A conjunction of literals: the bits of the atoms that must be true, and of those that must be false."""


class TooManyQuestions(Exception):
    """More diagrams would be needed than are allowed."""


class Diagram(Generic[V]):
    """A leaf with its value, or a question about an atom. Only a table makes diagrams."""

    __slots__ = ("atom", "high", "low", "value")

    def __init__(self, atom: int, low: Diagram[V] | None, high: Diagram[V] | None, value: V | None) -> None:
        self.atom = atom
        self.low: Diagram[V] = low or self
        self.high: Diagram[V] = high or self
        self.value: V = value  # type: ignore[assignment]


class Table:
    """Makes diagrams, each once."""

    def __init__(self) -> None:
        self._leaves: dict[Hashable, Diagram[Hashable]] = {}
        self._nodes: dict[tuple[int, int, int], Diagram[Hashable]] = {}
        self._most: int | None = None

    @contextmanager
    def at_most(self, more: int) -> Iterator[None]:
        """Within it, no more than so many questions are made: one more is an error."""
        before = self._most
        self._most = min(self.size + more, LAST if before is None else before)
        try:
            yield
        finally:
            self._most = before

    @property
    def size(self) -> int:
        """How many questions there are in all: a measure of the work that was done."""
        return len(self._nodes)

    def leaf(self, value: V) -> Diagram[V]:
        found = self._leaves.get(value)
        if found is None:
            found = self._leaves[value] = Diagram(LAST, None, None, value)
        return found  # type: ignore[return-value]

    def question(self, atom: int, low: Diagram[V], high: Diagram[V]) -> Diagram[V]:
        if low is high:
            return low
        key = (atom, id(low), id(high))
        found = self._nodes.get(key)
        if found is None:
            if self._most is not None and len(self._nodes) >= self._most:
                raise TooManyQuestions
            found = self._nodes[key] = Diagram(atom, low, high, None)  # type: ignore[arg-type]
        return found  # type: ignore[return-value]

    def mapped(self, diagram: Diagram[V], change: Callable[[V], W]) -> Diagram[W]:
        """The function followed by `change`."""
        return self.mapping(change)(diagram)

    def mapped_rows(self, rows: Iterable[Diagram[V]], change: Callable[[V], W]) -> tuple[Diagram[W], ...]:
        """The same of several; what they share is changed once."""
        return tuple(map(self.mapping(change), rows))

    def mapping(self, change: Callable[[V], W]) -> Callable[[Diagram[V]], Diagram[W]]:
        """What makes of a function the function followed by `change`, and remembers what it made."""
        made: dict[int, Diagram[W]] = {}

        def walk(node: Diagram[V]) -> Diagram[W]:
            known = made.get(id(node))
            if known is None:
                if node.atom == LAST:
                    known = self.leaf(change(node.value))
                else:
                    known = self.question(node.atom, walk(node.low), walk(node.high))
                made[id(node)] = known
            return known

        return walk

    def combined(self, first: Diagram[V], second: Diagram[W], combine: Callable[[V, W], R]) -> Diagram[R]:
        """Both functions, joined by `combine` at each letter."""
        return self.combining(combine)(first, second)

    def combining(self, combine: Callable[[V, W], R]) -> Callable[[Diagram[V], Diagram[W]], Diagram[R]]:
        """What joins two functions by `combine` at each letter, and remembers what it made."""
        made: dict[tuple[int, int], Diagram[R]] = {}

        def walk(a: Diagram[V], b: Diagram[W]) -> Diagram[R]:
            key = (id(a), id(b))
            known = made.get(key)
            if known is None:
                atom = min(a.atom, b.atom)
                if atom == LAST:
                    known = self.leaf(combine(a.value, b.value))
                else:
                    a0, a1 = (a.low, a.high) if a.atom == atom else (a, a)
                    b0, b1 = (b.low, b.high) if b.atom == atom else (b, b)
                    known = self.question(atom, walk(a0, b0), walk(a1, b1))
                made[key] = known
            return known

        return walk


Pairs = dict[tuple[int, int], bool]
"""Whether two diagrams are related, by their identities, as far as that is known."""


def always(first: Diagram[V], second: Diagram[W], related: Callable[[V, W], bool], known: Pairs) -> bool:
    """Whether the values of both are related at every letter; what is found out about their parts becomes known."""

    def walk(a: Diagram[V], b: Diagram[W]) -> bool:
        key = (id(a), id(b))
        found = known.get(key)
        if found is None:
            if a.atom < b.atom:
                found = walk(a.low, b) and walk(a.high, b)
            elif b.atom < a.atom:
                found = walk(a, b.low) and walk(a, b.high)
            elif a.atom == LAST:
                found = related(a.value, b.value)
            else:
                found = walk(a.low, b.low) and walk(a.high, b.high)
            known[key] = found
        return found

    return walk(first, second)


def leaves(diagrams: Iterable[Diagram[V]]) -> Iterator[V]:
    """Each value of some diagrams once, in a fixed order; diagrams may be added meanwhile."""
    seen = set[int]()
    for diagram in diagrams:
        stack = [diagram]
        while stack:
            node = stack.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            if node.atom == LAST:
                yield node.value
            else:
                stack += [node.high, node.low]


def unions(diagrams: Iterable[Diagram[frozenset[W]]]) -> list[frozenset[W]]:
    """Of each diagram all members of its values; what the diagrams share is gathered once."""
    made: dict[int, frozenset[W]] = {}

    def walk(node: Diagram[frozenset[W]]) -> frozenset[W]:
        known = made.get(id(node))
        if known is None:
            known = made[id(node)] = node.value if node.atom == LAST else walk(node.low) | walk(node.high)
        return known

    return [walk(diagram) for diagram in diagrams]


def at(diagram: Diagram[V], letter: int) -> V:
    """The value at a letter, the bits of the atoms that hold."""
    while diagram.atom != LAST:
        diagram = diagram.high if letter >> diagram.atom & 1 else diagram.low
    return diagram.value


def paths(diagram: Diagram[V]) -> Iterator[tuple[Cube, V]]:
    """The disjoint cubes of the function with their values."""
    stack = [(diagram, 0, 0)]
    while stack:
        node, true, false = stack.pop()
        if node.atom == LAST:
            yield (true, false), node.value
        else:
            bit = 1 << node.atom
            stack += [(node.high, true | bit, false), (node.low, true, false | bit)]
