"""Paths of a command from those of a symmetric one: members of a family that are alike are unfolded once.

A symmetry makes of each step of a command a step of the command that it makes of it. What was said of the paths of the
one is true of all states, as far as domains go, and symmetries keep domains; so, renamed, it is true of the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from asset.analysis.stubborn.paths import Path, Update
from asset.analysis.stubborn.symbolic_values import Truth
from asset.analysis.values.domains import CellDomains, bits
from asset.analysis.values.linear import Linear
from asset.ir.groups import Permutation
from asset.ir.program import Program


class Renaming:
    """What a permutation of cells and values makes of paths."""

    def __init__(self, cells: CellDomains, permutation: Permutation) -> None:
        self._cells = permutation.cells
        self._places = {
            cell: tuple(cells.index(cell, permutation.value(cell, v)) or 0 for v in cells.domains[cell] or ())
            for cell in permutation.values
        }

    def path(self, path: Path, node: int) -> Path:
        """The path as one of this node."""
        to = self._cells
        return replace(
            path,
            node=node,
            guard={to[cell]: self._mask(cell, mask) for cell, mask in path.guard.items()},
            atoms=tuple(map(self._truth, path.atoms)),
            hidden=frozenset(to[cell] for cell in path.hidden),
            updates={to[cell]: self._update(cell, update) for cell, update in path.updates.items()},
            read_at={to[cell]: span for cell, span in path.read_at.items()},
            written_at={to[cell]: span for cell, span in path.written_at.items()},
        )

    def _place(self, cell: int, place: int) -> int:
        return self._places[cell][place] if cell in self._places else place

    def _mask(self, cell: int, mask: int) -> int:
        return sum(1 << self._place(cell, k) for k in bits(mask)) if cell in self._places else mask

    def _by_place(self, cell: int, listed: tuple[int, ...]) -> tuple[int, ...]:
        """What is listed by the places of the cell's values, by those of what they become."""
        moved = list(listed)
        for k, each in enumerate(listed):
            moved[self._place(cell, k)] = each
        return tuple(moved)

    def _truth(self, atom: Truth) -> Truth:
        terms = sorted((self._cells[cell], self._by_place(cell, weights)) for cell, weights in atom.sum.terms)
        return Truth(Linear(atom.sum.constant, tuple(terms)), atom.relation)

    def _update(self, cell: int, update: Update) -> Update:
        source, table, images = update.source, update.table, update.images
        if table is not None:
            table = tuple(self._place(cell, place) for place in table)
        if table is not None and source is not None:
            table = self._by_place(source, table)
        if images is not None and source is not None:
            images = self._by_place(source, tuple(self._mask(cell, image) for image in images))
        return replace(
            update,
            results=self._mask(cell, update.results),
            source=None if source is None else self._cells[source],
            table=table,
            images=images,
            copied=None if update.copied is None else self._cells[update.copied],
            reads=frozenset(self._cells[read] for read in update.reads),
        )


def alike(program: Program, symmetries: Iterable[Permutation]) -> dict[int, tuple[int, Permutation]]:
    """For commands: one of the same family with a smaller distance from the first that is like it, and the symmetry
    that makes this command of that one."""
    found: dict[int, tuple[int, Permutation]] = {}
    listed: Sequence[Permutation] = [each for p in symmetries for each in (p, p.inverse())]
    for family in program.families:
        members = range(family.first, family.first + family.size)
        reached = set[int]()
        for first in members:
            pending = [] if first in reached else [first]
            reached.add(first)
            for command in pending:  # grows
                for symmetry in listed:
                    image = symmetry.commands[command]
                    if image in members and image not in reached:
                        reached.add(image)
                        found[image] = command, symmetry
                        pending.append(image)
    return found
