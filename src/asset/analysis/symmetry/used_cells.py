"""Cells with a value of its own for what is not in use: so a blank is not taken for the name of component 0.

The domain of a cell that is not always in use has one more place, *absent*. States as they are and states in which
such a cell is absent instead of blank are in one-to-one correspondence, as a cell is blank whenever it is not in use.
Symmetries are looked for among the latter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from asset.analysis.values.domains import WIDE, CellDomains
from asset.ir.presence import Use, uses_of
from asset.ir.program import Program
from asset.ir.types import may_name


@dataclass(frozen=True, slots=True)
class Presence:
    """A cell is not absent if the cell `by` has a value of the mask; `absent` is the mask of that place."""

    by: int
    mask: int
    absent: int


class UsedCells(CellDomains):
    """`uses` are those of the cells that may hold names, as far as absence is told apart from values."""

    def __init__(self, program: Program, uses: Mapping[int, Use] | None = None) -> None:
        super().__init__(program, many=WIDE)  # what is reached may be less than its images are
        known = uses_of(program) if uses is None else uses
        self.uses: Mapping[int, Use] = {c: use for c, use in known.items() if self._is_told_apart(c, use)}
        self.controlling = {use.by for use in self.uses.values()}
        for cell in self.uses:
            self.domains[cell] = (*(self.domains[cell] or ()), self.absent(cell))
        self._number_facts()
        self.presence = {cell: self._presence(cell) for cell in self.uses}

    def _is_told_apart(self, cell: int, use: Use) -> bool:
        """Whether it matters: a name may be in it."""
        domain, kind = self.domains[cell], self.variables[cell].type
        return bool(domain and len(domain) > 1 and may_name(kind) and self.domains[use.by])

    def absent(self, cell: int) -> int:
        """The value that stands for absence."""
        return self.variables[cell].type.hi + 1

    def _presence(self, cell: int) -> Presence:
        use, absent = self.uses[cell], 1 << len(self.domains[cell] or ()) - 1
        mask = sum(1 << k for k, value in enumerate(self.domains[use.by] or ()) if value in use.values)
        return Presence(use.by, mask, absent)

    def index(self, cell: int, value: int) -> int | None:
        if cell in self.uses and value == self.absent(cell):
            return len(self.domains[cell] or ()) - 1
        return super().index(cell, value)

    def results(self, cell: int) -> tuple[int, ...]:
        domain = super().results(cell)
        return (*domain[:-1], self.uses[cell].blank) if cell in self.uses else domain

    @cached_property
    def initial(self) -> list[int]:
        masks = [0] * len(self.domains)
        for state in self.starts:
            for cell, value in enumerate(state):
                used = cell not in self.uses or self.uses[cell].holds(state)
                masks[cell] |= 1 << (self.index(cell, value if used else self.absent(cell)) or 0)
        return masks
