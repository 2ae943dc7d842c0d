"""Which facts can hold together: reachability of single facts and of pairs of them (h1 and h2 of AI planning).

A *fact* is that a cell has a value. Both are over-approximations: what is not found together never is in a reachable
state. Sets of facts are integers, one bit for each.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from asset.analysis.stubborn.paths import Path, Update
from asset.analysis.stubborn.symbolic_values import Relation, Truth, decided
from asset.analysis.values.domains import CellDomains, bits
from asset.analysis.values.linear import classes

TICK = 256
"""Steps between two looks at whether to go on."""


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
        found = _possible(self.cells, path, self.together, _facts(self.cells, self.values))
        if found is None or any(mask and not self.cells.values(cell, found) for cell, mask in enumerate(self.values)):
            return None
        return found if all(self._satisfiable(atom, found) for atom in path.atoms) else None

    def by_cell(self, facts: int) -> Iterator[tuple[int, int]]:
        """The cells of the facts that can hold at all, with the masks of their values, in increasing order."""
        rest = facts & _facts(self.cells, self.values)
        while rest:
            cell = bisect_right(self.cells.first, (rest & -rest).bit_length() - 1) - 1
            yield cell, self.cells.values(cell, rest)
            rest &= ~self.cells.block(cell)

    def _satisfiable(self, atom: Truth, facts: int) -> bool:
        """Whether the atom can be true where the facts can hold.

        If no two terms of a sum can be more than their least at the same time, only one of them counts.
        """
        if decided(atom, lambda cell: self.cells.values(cell, facts)) is False:
            return False
        if atom.relation is not Relation.POSITIVE:
            return True
        least, most, above = atom.sum.constant, 0, list[int]()
        for cell, weights in atom.sum.terms:
            masks = classes(weights, self.cells.values(cell, facts))
            lowest = min(masks)
            least, most = least + lowest, max(most, max(masks) - lowest)
            above.append(sum(mask for weight, mask in masks.items() if weight > lowest) << self.cells.first[cell])
        return least + most > 0 or not self._exclusive(above)

    def _exclusive(self, groups: list[int]) -> bool:
        """Whether facts of different groups never hold together."""
        everything = 0
        for group in groups:
            everything |= group
        return all(not self.together[fact] & everything & ~group for group in groups for fact in bits(group))


Tick = Callable[[int, int], None]
"""Told now and then how many steps were made of how many there may be; it may raise what ends the analysis."""


def find_reachable(cells: CellDomains, paths: list[Path], budget: int, tick: Tick = lambda done, of: None) -> Reachable:
    """Pairs if that takes at most `budget` steps, a step being a path looked at; else single facts only."""
    values = _single(cells, paths)
    possible = [path for path in paths if _enabled(path, values)]
    try:
        together = _pairs(cells, possible, values, budget, tick)
    except OverBudget:
        everything = _facts(cells, values)
        together = [0] * cells.nr_facts
        for cell, mask in enumerate(values):
            for k in bits(mask):
                fact = cells.first[cell] + k
                together[fact] = everything & ~cells.block(cell) | 1 << fact
    return Reachable(cells, values, together)


def _facts(cells: CellDomains, values: list[int]) -> int:
    found = 0
    for cell, mask in enumerate(values):
        found |= mask << cells.first[cell]
    return found


def _enabled(path: Path, values: list[int]) -> bool:
    return all(mask & values[cell] for cell, mask in path.guard.items())


def _single(cells: CellDomains, paths: list[Path]) -> list[int]:
    values = [mask if cells.domains[cell] else 0 for cell, mask in enumerate(cells.initial)]
    grown = True
    while grown:
        grown = False
        for path in paths:
            if not path.updates or not _enabled(path, values):
                continue
            for cell, update in path.updates.items():
                if cells.domains[cell] is None:
                    continue
                new = _outcomes(cell, update, path, values) & ~values[cell]
                grown, values[cell] = grown or bool(new), values[cell] | new
    return values


def _outcomes(cell: int, update: Update, path: Path, values: list[int]) -> int:
    if update.table is None or update.source is None:
        return update.results
    found = 0
    for k in bits(values[update.source] & path.guard.get(update.source, -1)):
        found |= 1 << update.table[k]
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


def _pairs(cells: CellDomains, paths: list[Path], values: list[int], budget: int, tick: Tick) -> list[int]:
    everything = _facts(cells, values)
    together = [0] * cells.nr_facts
    for state in cells.starts:
        listed = [(cells.first[cell], cells.index(cell, value)) for cell, value in enumerate(state)]
        facts = [first + place for first, place in listed if place is not None]
        start = sum(1 << fact for fact in facts)
        for fact in facts:
            together[fact] |= start
    moving = [path for path in paths if path.updates]
    steps, grown = 0, True
    while grown:
        grown = False
        for path in moving:
            steps += 1
            if steps > budget:
                raise OverBudget
            if steps % TICK == 0:
                tick(steps, budget)
            possible = _possible(cells, path, together, everything)
            if possible is not None:
                grown = _fire(cells, path, together, possible) or grown
    return together


def _fire(cells: CellDomains, path: Path, together: list[int], possible: int) -> bool:
    """Notes the pairs that hold after the path, fired where `possible` facts can hold; whether any was new."""
    kept, made = possible, list[tuple[int, int, int]]()  # cell, fact made, facts with which it is made
    for cell, update in path.updates.items():
        if cells.domains[cell] is None:
            continue
        if update.certain:
            kept &= ~cells.block(cell)
        made += ((cell, fact, facts) for fact, facts in _made(cells, cell, update, together, possible))
    grown = False
    for cell, fact, facts in made:
        new = facts & kept & ~cells.block(cell) | 1 << fact
        for other, second, seconds in made:
            if other != cell and _agree(cells, path, cell, other, facts, seconds):
                new |= 1 << second
        new &= ~together[fact]
        if new:
            grown = True
            together[fact] |= new
            for partner in bits(new):
                together[partner] |= 1 << fact
    return grown


def _agree(cells: CellDomains, path: Path, cell: int, other: int, facts: int, seconds: int) -> bool:
    """Whether both outcomes can be of the same firing: each one's source has a value among the facts of the other."""
    sources = (path.updates[cell].source, path.updates[other].source)
    return all(source is None or cells.values(source, facts & seconds) for source in sources)


def _made(
    cells: CellDomains, cell: int, update: Update, together: list[int], possible: int
) -> Iterator[tuple[int, int]]:
    """Each fact that the update can make true, with the facts before that it can be made true with."""
    first = cells.first[cell]
    if update.table is None or update.source is None:
        for k in bits(update.results):
            yield first + k, possible
        return
    source = cells.first[update.source]
    for k in bits(cells.values(update.source, possible)):
        yield first + update.table[k], possible & together[source + k]
