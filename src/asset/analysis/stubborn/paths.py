"""Paths: the ways in which a command can be fired, each a guard and what is assigned.

A *node* is a command or an imaginary transition that stands for something checked; an imaginary transition changes
nothing. In each reachable state where a node is enabled, what it does is what one of its paths says, and the path's
guard and atoms hold there. If `hidden` is empty, the converse holds too: if guard and atoms hold, the node is
enabled and does what the path says. Otherwise that depends on the hidden cells besides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from asset.analysis.stubborn.symbolic_values import Truth
from asset.analysis.values.domains import bits
from asset.span import Span


@dataclass(frozen=True, slots=True)
class Update:
    """What a cell becomes. `results` are the values it can become, as a mask; 0 if the cell is wide.

    With a `table`, it becomes `table[k]` if `source` has its k-th value, or `table[0]` if there is no source;
    these are places in domains. With `images`, which classes of values have instead, it becomes one of a mask. Without
    either, it becomes something that depends on `reads`; if it is not `certain`, it may also stay as it is. Of a place
    of a queue, `appended` says that something was put behind the last item (`queues`); of a wide cell, `copied` is the
    cell whose value it becomes.
    """

    results: int
    source: int | None = None
    table: tuple[int, ...] | None = None
    reads: frozenset[int] = frozenset()
    certain: bool = True
    images: tuple[int, ...] | None = None
    appended: bool = False
    copied: int | None = None

    @property
    def looks_at(self) -> frozenset[int]:
        """The cells that decide what it becomes."""
        return self.reads.union(cell for cell in (self.source, self.copied) if cell is not None)

    @property
    def known(self) -> bool:
        """Whether what it becomes is a matter of its source."""
        return self.table is not None or self.images is not None

    def image(self, place: int) -> int:
        """The mask of what it can become if its source has that place; the place is 0 without a source."""
        if self.images is not None:
            return self.images[place]
        assert self.table is not None
        return 1 << self.table[place]


@dataclass(frozen=True)
class Cause:
    """Why a path is opaque, and where."""

    why: str
    span: Span


@dataclass(frozen=True, eq=False)
class Path:
    """Guards are masks by cell: the cell has one of these values. Cells without a guard can have any value."""

    node: int
    guard: Mapping[int, int]
    atoms: tuple[Truth, ...] = ()
    hidden: frozenset[int] = frozenset()
    updates: Mapping[int, Update] = field(default_factory=dict)
    opaque: Cause | None = None
    read_at: Mapping[int, Span] = field(default_factory=dict)
    written_at: Mapping[int, Span] = field(default_factory=dict)
    exactly: Path | None = None
    puts: frozenset[int] = frozenset()
    """Queues, by the cells of their lengths, that the path only puts something into (`queues`)."""
    takes: frozenset[int] = frozenset()
    """Queues of which the path only looks at the first items, or takes the first one out."""

    @property
    def exact(self) -> Path:
        """The path in terms of values, if this one is in terms of classes of them."""
        return self.exactly or self

    @cached_property
    def tested(self) -> frozenset[int]:
        """The cells that decide whether the path is taken."""
        return frozenset(self.guard).union(self.hidden, *(atom.cells for atom in self.atoms))

    @cached_property
    def sources(self) -> frozenset[int]:
        """The cells whose values others become, or that are looked at in a way that is not known."""
        plain = {u.source for cell, u in self.updates.items() if u.source not in (None, cell)}
        return self.hidden.union((s for s in plain if s is not None), *(u.reads for u in self.updates.values()))

    @cached_property
    def reads(self) -> int:
        """All cells that the path looks at, as a set of bits."""
        return _set(self.tested | self.sources)

    @cached_property
    def writes(self) -> int:
        return _set(self.updates)

    def may_be_idle(self, full: Sequence[int]) -> bool:
        """Whether it may leave all cells as they are. `full` has all values of each, as masks."""
        return not any(self._changes(cell, self.guard.get(cell, full[cell])) for cell in self.updates)

    def _changes(self, cell: int, mask: int) -> bool:
        """Whether it changes the cell for sure, which has one of these values."""
        return self.becomes_by_itself(cell) and all(self.result(cell, value, 0) != 1 << value for value in bits(mask))

    def becomes_by_itself(self, cell: int) -> bool:
        """Whether what the cell becomes is known, and a matter of its own value at most."""
        update = self.updates[cell]
        return update.table is not None and update.source in (None, cell)

    def result(self, cell: int, value: int, sources: int) -> int:
        """The mask of what the cell can become from its value, if the update's source is in the mask `sources`."""
        update = self.updates.get(cell)
        if update is None:
            return 1 << value
        if not update.known:
            return update.results if update.certain else update.results | 1 << value
        if update.source is None:
            return update.image(0)
        if update.source == cell:
            return update.image(value)
        found = 0
        for k in bits(sources):
            found |= update.image(k)
        return found


def _set(cells: Iterable[int]) -> int:
    found = 0
    for cell in cells:
        found |= 1 << cell
    return found
