"""Which facts can hold together: reachability of single facts and of pairs of them (h1 and h2 of AI planning).

A *fact* is that a cell has a value. Both are over-approximations: what is not found together never is in a reachable
state. Sets of facts are integers, one bit for each.

Of large programs not all pairs are looked at, but for each cell those with the cells nearest to it: cells are next to
each other if a path has both. Of other pairs it is assumed that they can hold together.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from asset.analysis.stubborn.paths import Path, Update
from asset.analysis.stubborn.symbolic_values import Relation, Truth, decided
from asset.analysis.values.domains import CellDomains, bits
from asset.analysis.values.linear import extremes
from asset.analysis.watch import OutOfTime, Watch

NEAR = 400
"""Of so many facts, pairs with all others are looked at."""


class OverBudget(Exception):
    """Finding pairs takes too long."""


@dataclass(frozen=True)
class Reachable:
    """`values[c]` is the mask of values that cell c can have; `together[f]` the facts that can hold with fact f.

    Of a wide cell nothing is known. `compatible(path)` are the facts that can hold where the path is taken.
    """

    cells: CellDomains
    values: list[int]
    together: list[int]

    def compatible(self, path: Path) -> int | None:
        """None if the path is never taken."""
        found = _possible(self.cells, path, self.together, self.everything)
        if found is None or any(mask == self.values[cell] for cell, mask in self.by_cell(~found)):
            return None
        return found if all(self._satisfiable(atom, found) for atom in path.atoms) else None

    @cached_property
    def everything(self) -> int:
        """All facts that can hold."""
        return _facts(self.cells, self.values)

    def by_cell(self, facts: int) -> Iterator[tuple[int, int]]:
        """The cells of the facts that can hold at all, with the masks of their values, in increasing order."""
        rest = facts & self.everything
        while rest:
            cell = bisect_right(self.cells.first, (rest & -rest).bit_length() - 1) - 1
            yield cell, self.cells.values(cell, rest)
            rest &= ~self.cells.block(cell)

    def _satisfiable(self, atom: Truth, facts: int) -> bool:
        """Whether the atom can be true where the facts can hold.

        If no two terms of a sum can be more than their least at the same time, only one of them counts.
        """
        cells = self.cells
        if decided(atom, lambda cell: cells.all_values(cell, cells.values(cell, facts))) is False:
            return False
        if atom.relation is not Relation.POSITIVE:
            return True
        least, most, above = atom.sum.constant, 0, list[int]()
        for cell, weights in atom.sum.terms:
            places = [1 << k for k in bits(cells.values(cell, facts))]
            bounds = [extremes(weights, cells.all_values(cell, place)) for place in places]
            lowest = min(low for low, _ in bounds)
            least, most = least + lowest, max(most, max(high for _, high in bounds) - lowest)
            raised = sum(place for place, (_, high) in zip(places, bounds, strict=True) if high > lowest)
            above.append(raised << cells.first[cell])
        return least + most > 0 or not self._exclusive(above)

    def _exclusive(self, groups: list[int]) -> bool:
        """Whether facts of different groups never hold together."""
        everything = 0
        for group in groups:
            everything |= group
        return all(not self.together[fact] & everything & ~group for group in groups for fact in bits(group))


def find_reachable(
    cells: CellDomains, paths: list[Path], budget: int, watch: Watch | None = None, near: int = NEAR
) -> Reachable:
    """Pairs if that takes at most `budget` steps, a step being a path looked at; else single facts only.

    Of each cell, pairs are found with about `near` facts at least, if there are as many. When the time is over, less is
    known: of pairs nothing, or of single facts either.
    """
    watch = watch or Watch()
    values = list(cells.full)
    try:
        values = _single(cells, paths, watch)
        possible = [path for path in paths if _enabled(path, values)]
        together = _Pairs(cells, possible, values, _scopes(cells, possible, near, watch)).found(budget, watch)
    except (OverBudget, OutOfTime):
        together = _single_facts(cells, values)
    return Reachable(cells, values, together)


def _single_facts(cells: CellDomains, values: list[int]) -> list[int]:
    """What can hold together if nothing is known of pairs."""
    everything = _facts(cells, values)
    together = [0] * cells.nr_facts
    for cell, mask in enumerate(values):
        others = everything & ~cells.block(cell)
        for k in bits(mask):
            together[cells.first[cell] + k] = others | 1 << cells.first[cell] + k
    return together


def _facts(cells: CellDomains, values: list[int]) -> int:
    found = 0
    for cell, mask in enumerate(values):
        found |= mask << cells.first[cell]
    return found


def _enabled(path: Path, values: list[int]) -> bool:
    return all(mask & values[cell] for cell, mask in path.guard.items())


class _Agenda:
    """The paths to be looked at, each again once something changed of a cell that it depends on."""

    def __init__(self, paths: list[Path]) -> None:
        self.paths = paths
        self._waiting = deque(range(len(paths)))
        self._is_waiting = [True] * len(paths)
        self._dependent: dict[int, list[int]] = {}
        for number, path in enumerate(paths):
            for cell in path.guard.keys() | {u.source for u in path.updates.values() if u.source is not None}:
                self._dependent.setdefault(cell, []).append(number)

    def __iter__(self) -> Iterator[Path]:
        while self._waiting:
            number = self._waiting.popleft()
            self._is_waiting[number] = False
            yield self.paths[number]

    def changed(self, cells: Iterable[int]) -> None:
        for cell in cells:
            for number in self._dependent.get(cell, ()):
                if not self._is_waiting[number]:
                    self._is_waiting[number] = True
                    self._waiting.append(number)


def _single(cells: CellDomains, paths: list[Path], watch: Watch) -> list[int]:
    values = [mask if cells.domains[cell] else 0 for cell, mask in enumerate(cells.initial)]
    agenda = _Agenda([path for path in paths if path.updates])
    for path in agenda:
        watch.tick()
        if not _enabled(path, values):
            continue
        for cell, update in path.updates.items():
            if cells.domains[cell] is not None:
                new = _outcomes(update, path, values) & ~values[cell]
                if new:
                    values[cell] |= new
                    agenda.changed([cell])
    return values


def _outcomes(update: Update, path: Path, values: list[int]) -> int:
    if not update.known or update.source is None:
        return update.results
    return _image(update, values[update.source] & path.guard.get(update.source, -1))


def _image(update: Update, mask: int) -> int:
    found = 0
    for k in bits(mask):
        found |= update.image(k)
    return found


def _possible(cells: CellDomains, path: Path, together: list[int], everything: int) -> int | None:
    """The facts that can hold where the guard does, going by pairs; None if it cannot hold."""
    found = everything
    for cell, mask in path.guard.items():
        row, first = 0, cells.first[cell]
        for k in bits(mask):
            row |= together[first + k]
        found &= row
    for cell, mask in path.guard.items():
        if not found >> cells.first[cell] & mask:
            return None
    return found


class _Pairs:
    """Pairs of facts that can hold together, as they are found by firing paths."""

    def __init__(self, cells: CellDomains, paths: list[Path], values: list[int], scopes: list[int]) -> None:
        self.cells = cells
        self.everything = _facts(cells, values)
        self.agenda = _Agenda([path for path in paths if path.updates])
        self.together = [0] * cells.nr_facts
        for cell, mask in enumerate(values):
            beyond = self.everything & ~cells.block(cell)
            for k in bits(mask):
                self.together[cells.first[cell] + k] = beyond
        for cell, scope in enumerate(scopes):
            for k in bits(values[cell]):
                self.together[cells.first[cell] + k] &= ~scope
        for state in cells.starts:
            listed = [(cells.first[cell], cells.index(cell, value)) for cell, value in enumerate(state)]
            facts = [first + place for first, place in listed if place is not None]
            start = sum(1 << fact for fact in facts)
            for fact in facts:
                self.together[fact] |= start

    def found(self, budget: int, watch: Watch) -> list[int]:
        for steps, path in enumerate(self.agenda):
            if steps == budget:
                raise OverBudget
            watch.tick()
            possible = _possible(self.cells, path, self.together, self.everything)
            if possible is not None:
                self._fire(path, possible)
        return self.together

    def _fire(self, path: Path, possible: int) -> None:
        """Notes the pairs that hold after the path, fired where `possible` facts can hold."""
        cells, kept, anyway = self.cells, possible, 0
        moved = [(cell, update) for cell, update in path.updates.items() if cells.domains[cell] is not None]
        for cell, update in moved:
            if update.certain:
                kept &= ~cells.block(cell)
            if update.source is None or not update.known:
                anyway |= update.results << cells.first[cell]
        looked_up = [(cell, update) for cell, update in moved if update.known and update.source is not None]
        for cell, update in moved:
            for made, before in self._made(cell, update, possible):
                after = before & kept | anyway
                for other, from_source in looked_up:
                    assert from_source.source is not None
                    sources = cells.values(from_source.source, before)
                    after |= _image(from_source, sources) << cells.first[other]
                for k in bits(made):
                    self._note(cells.first[cell] + k, after & ~cells.block(cell) | 1 << cells.first[cell] + k)

    def _made(self, cell: int, update: Update, possible: int) -> Iterator[tuple[int, int]]:
        """Values that the update can give to the cell, with the facts before that they can be given with."""
        if not update.known or update.source is None:
            yield update.results, possible
            return
        source = self.cells.first[update.source]
        for k in bits(self.cells.values(update.source, possible)):
            yield update.image(k), possible & self.together[source + k]

    def _note(self, fact: int, facts: int) -> None:
        new = facts & ~self.together[fact]
        if not new:
            return
        self.together[fact] |= new
        changed = [fact, *bits(new)]
        for partner in changed:
            self.together[partner] |= 1 << fact
        self.agenda.changed(dict.fromkeys(bisect_right(self.cells.first, each) - 1 for each in changed))


def _scopes(cells: CellDomains, paths: list[Path], near: int, watch: Watch) -> list[int]:
    """For each cell the facts of the cells nearest to it, its own included: symmetric, and all if there are few."""
    if cells.nr_facts <= near:
        return [(1 << cells.nr_facts) - 1] * len(cells.domains)
    at = [[cell for cell in bits(path.reads | path.writes) if cells.domains[cell] is not None] for path in paths]
    beside: dict[int, list[int]] = {}
    for number, touched in enumerate(at):
        for cell in touched:
            beside.setdefault(cell, []).append(number)
    scopes = [cells.block(cell) for cell in range(len(cells.domains))]
    for cell in beside:
        watch.tick()
        for other in _nearest(cell, at, beside, cells, near):
            scopes[cell] |= cells.block(other)
            scopes[other] |= cells.block(cell)
    return scopes


def _nearest(
    cell: int, at: list[list[int]], beside: dict[int, list[int]], cells: CellDomains, near: int
) -> Iterator[int]:
    """The cells nearest to the cell until they have so many facts; `at` has the cells of paths, `beside` the paths."""
    seen, passed, waiting = {cell}, set[int](), deque([cell])
    while waiting:
        for number in beside.get(waiting.popleft(), ()):
            if number in passed:
                continue
            passed.add(number)
            for other in at[number]:
                if other not in seen:
                    if near <= 0:
                        return
                    near -= cells.full[other].bit_length()
                    seen.add(other)
                    waiting.append(other)
                    yield other
