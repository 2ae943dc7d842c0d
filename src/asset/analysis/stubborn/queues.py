"""Queues as two ends: what a path puts into one and what another takes out of it commute.

Take a queue whose places behind its last item are blank, and two paths that are enabled in a state:

- p *puts*: of the queue it looks at nothing but that there is room, a condition of the length that shorter ones meet
  as well; what it does to it is to add items behind the last one, which do not depend on the queue.
- q *takes*: it looks at the first m items only, and asks for at least m > 0 of them, with a condition of the length
  that longer ones meet as well; what it does to the queue, if anything, is to take the first item out.

After q there is still room for p; after p the first m items are still the same, so q is still enabled and does the same
elsewhere; and in both orders the queue comes to be the same. So as far as the queue goes, p and q commute.

A place that is not blank is in use, so putting leaves it as it is: see `Unfolder`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import prod

from asset.analysis.stubborn.paths import Path, Update
from asset.analysis.values.domains import CellDomains
from asset.ir.program import Program


@dataclass(frozen=True)
class Queue:
    """The cells of a queue: its length, and for each field of the items those of the places from the first one on."""

    length: int
    fields: tuple[range, ...]

    @cached_property
    def cells(self) -> int:
        """All of them, as a set of bits."""
        return 1 << self.length | sum(1 << cell for places in self.fields for cell in places)

    @property
    def capacity(self) -> int:
        return len(self.fields[0])


class Queues:
    """The queues of a program."""

    def __init__(self, program: Program) -> None:
        self._by_contents: dict[tuple[int, int], Queue] = {}
        self._blanks: dict[int, int] = {}
        self.by_length: dict[int, Queue] = {}
        for each in program.queues:
            length = program.variables[each.length]
            for element in range(length.cells):
                fields = tuple(_places(program, variable, element) for variable in each.contents)
                queue = Queue(program.offsets[each.length] + element, fields)
                self.by_length[queue.length] = queue
                for variable, places, blank in zip(each.contents, fields, each.blanks, strict=True):
                    self._by_contents[variable, element] = queue
                    self._blanks.update(dict.fromkeys(places, blank))

    def at(self, variable: int, element: int) -> Queue | None:
        """The queue whose items the element of the variable has, counted without its last dimension."""
        return self._by_contents.get((variable, element))

    def holds_items(self, variable: int) -> bool:
        return (variable, 0) in self._by_contents

    def blank(self, cell: int) -> int:
        """The value of the place if it is not in use."""
        return self._blanks[cell]

    def with_ends(self, path: Path, cells: CellDomains) -> Path:
        """The path, knowing which queues it only puts something into, or takes something out of."""
        touched = path.reads | path.writes
        queues = [queue for queue in self.by_length.values() if queue.cells & touched] if path.opaque is None else []
        puts = frozenset(queue.length for queue in queues if _only_puts(path, queue, cells))
        takes = frozenset(queue.length for queue in queues if _only_takes(path, queue, cells))
        return replace(path, puts=puts, takes=takes) if puts or takes else path

    def with_ends_of(self, ways: Sequence[Path], path: Path) -> Path:
        """The path that stands for all of the ways: each of them does it, or has nothing to do with the queue."""

        def among(ends: Callable[[Path], frozenset[int]]) -> frozenset[int]:
            known = frozenset[int]().union(*map(ends, ways))
            return frozenset(each for each in known if all(each in ends(way) for way in self._touching(each, ways)))

        return replace(path, puts=among(lambda way: way.puts), takes=among(lambda way: way.takes))

    def _touching(self, length: int, ways: Sequence[Path]) -> Iterator[Path]:
        cells = self.by_length[length].cells
        return (way for way in ways if (way.reads | way.writes) & cells)

    def between(self, p: Path, q: Path) -> int:
        """The cells of queues that one of the paths only puts something into, and the other only takes out of."""
        found = 0
        for length in p.puts & q.takes | p.takes & q.puts:
            found |= self.by_length[length].cells
        return found


def _places(program: Program, variable: int, element: int) -> range:
    dims = program.variables[variable].dims
    first = program.offsets[variable] + element * dims[-1]
    assert prod(dims) >= (element + 1) * dims[-1]
    return range(first, first + dims[-1])


def _only_puts(path: Path, queue: Queue, cells: CellDomains) -> bool:
    room = path.guard.get(queue.length, cells.full[queue.length])
    if room & (room + 1) or _tested(path, queue) & ~(1 << queue.length):
        return False
    for cell, update in path.updates.items():
        inside = queue.cells >> cell & 1
        if inside and cell != queue.length:
            own = frozenset((cell, queue.length))  # where it is put is a matter of the length
            if not update.appended or _has_any(queue, update.reads - own):
                return False
        elif not inside and _has_any(queue, _read(update)):
            return False
    return _grows(path.updates.get(queue.length), queue.length, room)


def _only_takes(path: Path, queue: Queue, cells: CellDomains) -> bool:
    full = cells.full[queue.length]
    asked = path.guard.get(queue.length, full)
    least = (asked & -asked).bit_length() - 1
    if least < 1 or asked != full & ~((1 << least) - 1):
        return False
    first = sum(1 << places[k] for places in queue.fields for k in range(least))
    if _tested(path, queue) & ~first & ~(1 << queue.length):
        return False
    outside = {cell: update for cell, update in path.updates.items() if not queue.cells >> cell & 1}
    if any(queue.cells & ~first & 1 << cell for update in outside.values() for cell in _read(update)):
        return False
    inside = {cell: update for cell, update in path.updates.items() if queue.cells >> cell & 1}
    return not inside or _shifts(inside, queue, asked, cells)


def _tested(path: Path, queue: Queue) -> int:
    """The cells of the queue that decide whether the path is taken, as a set of bits; all if it is not known how it
    depends on the length. However it depends on items: those that both ends leave alone have the same values."""
    if queue.length in path.hidden.union(*(atom.cells for atom in path.atoms)):
        return queue.cells
    return sum(1 << cell for cell in path.tested if queue.cells >> cell & 1)


def _has_any(queue: Queue, cells: frozenset[int]) -> bool:
    return any(queue.cells >> cell & 1 for cell in cells)


def _read(update: Update) -> frozenset[int]:
    return update.reads if update.source is None else update.reads | {update.source}


def _grows(update: Update | None, length: int, room: int) -> bool:
    """Whether the length becomes greater by the same number, whatever it is."""
    if update is None or update.source not in (None, length) or update.table is None:
        return False
    places = [k for k in range(room.bit_length()) if room >> k & 1]
    table = update.table if update.source == length else update.table * (places[-1] + 1)
    more = {table[k] - k for k in places}
    return len(more) == 1 and more.pop() > 0


def _shifts(inside: Mapping[int, Update], queue: Queue, asked: int, cells: CellDomains) -> bool:
    """Whether the first item is taken out: each place comes to hold what is in the next one."""
    length = inside.get(queue.length)
    places = [k for k in range(asked.bit_length()) if asked >> k & 1]
    if length is None or length.table is None or length.source not in (None, queue.length):
        return False
    if any(length.table[k if length.source == queue.length else 0] != k - 1 for k in places):
        return False
    return all(
        _copies(inside.get(here), behind, cells) for field in queue.fields for here, behind in pairwise(field)
    ) and all(_blanks(inside.get(field[-1])) for field in queue.fields)


def _copies(update: Update | None, behind: int, cells: CellDomains) -> bool:
    if update is None:
        return False
    if update.table is None:
        return update.copied == behind
    return update.source == behind and update.table == tuple(range(cells.full[behind].bit_length()))


def _blanks(update: Update | None) -> bool:
    """Whether the last place becomes one and the same value: the blank, as it is not in use any more."""
    return update is not None and update.source is None and (update.table is not None or not update.reads)
