"""Cells with many values are looked at by classes of them, so that an analysis costs no more than with few values.

A class is a set of values that no guard of a path tells apart; what is assigned, and what runs begin with, makes
classes as well. Which classes a cell can be in, and how it can come from one to another, is less than what is true of
its values: whatever is found impossible of classes is impossible. Each path keeps what it is exactly (`Path.exact`),
for whether paths commute and for conditions in rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from asset.analysis.stubborn.paths import Path, Update
from asset.analysis.values.domains import CellDomains, bits

Classes = tuple[int, ...]
"""Of a cell: disjoint masks of its values, which cover them."""


class ClassedCells(CellDomains):
    """The cells with classes as their values; `exact` has the values.

    Cells with at most `values` values have a class for each, as do those whose classes would be more than `most`: these
    become coarser. `domains[c]` has the least value of each class.
    """

    def __init__(self, exact: CellDomains, paths: Sequence[Path], values: int, most: int) -> None:
        super().__init__(exact.program, exact.starts, exact.domains)
        self._exact = exact
        told = _told_apart(exact, paths, values)
        self._classes = {cell: _partition(exact.full[cell], masks, most) for cell, masks in told.items()}
        self._class_of = {cell: _numbers(classes) for cell, classes in self._classes.items()}
        for cell, classes in self._classes.items():
            domain = exact.domains[cell] or ()
            self.domains[cell] = tuple(domain[(mask & -mask).bit_length() - 1] for mask in classes)
        self._number_facts()

    @property
    def exact(self) -> CellDomains:
        return self._exact

    def index(self, cell: int, value: int) -> int | None:
        place = self._exact.index(cell, value)
        return place if place is None or cell not in self._classes else self._class_of[cell][place]

    def all_values(self, cell: int, mask: int) -> int:
        if cell not in self._classes:
            return mask
        found = 0
        for number in bits(mask):
            found |= self._classes[cell][number]
        return found

    def show(self, cell: int, mask: int) -> str:
        return self._exact.show(cell, self.all_values(cell, mask))

    def classed(self, path: Path) -> Path:
        """The path in terms of classes. Its guard lets a class pass if it lets one of its values pass."""
        cells = path.guard.keys() | path.updates.keys() | {u.source for u in path.updates.values()}
        if self._classes.keys().isdisjoint(cells):
            return path
        guard = {cell: self._meeting(cell, mask) for cell, mask in path.guard.items()}
        updates = {cell: self._update(path, cell, update) for cell, update in path.updates.items()}
        return replace(path, guard=guard, updates=updates, exactly=path)

    def _meeting(self, cell: int, mask: int) -> int:
        """The classes that have a value in the mask."""
        if cell not in self._classes:
            return mask
        return sum(1 << number for number, each in enumerate(self._classes[cell]) if each & mask)

    def _update(self, path: Path, cell: int, update: Update) -> Update:
        results, source = self._meeting(cell, update.results), update.source
        if not update.known:
            return replace(update, results=results)
        if source is None:
            return replace(update, results=results, table=None, images=(results,))
        possible = path.guard.get(source, self._exact.full[source])
        images = []
        for mask in self._classes.get(source) or (1 << k for k in range(len(self.domains[source] or ()))):
            image = 0
            for place in bits(mask & possible):
                image |= update.image(place)
            images.append(self._meeting(cell, image))
        return replace(update, results=results, table=None, images=tuple(images))


def _told_apart(cells: CellDomains, paths: Sequence[Path], values: int) -> dict[int, dict[int, None]]:
    """For each cell with more values than that, masks of values that the paths tell from the others."""
    found: dict[int, dict[int, None]] = {}
    for cell, domain in enumerate(cells.domains):
        if domain is not None and len(domain) > values:
            found[cell] = {1 << place: None for place in bits(cells.initial[cell])}
    for path in paths:
        for cell, mask in path.guard.items():
            if cell in found:
                found[cell][mask] = None
    for path in paths:
        for cell, update in path.updates.items():
            if cell in found:
                found[cell][update.results] = None
    return found


def _partition(full: int, masks: Iterable[int], most: int) -> Classes:
    """The classes of values that are in the same ones of the masks; later masks count only while there is room."""
    classes = [full]
    for mask in masks:
        finer = [part for each in classes for part in (each & mask, each & ~mask) if part]
        if len(finer) <= most:
            classes = finer
    return tuple(sorted(classes, key=lambda each: each & -each))


def _numbers(classes: Classes) -> dict[int, int]:
    """The number of the class of each place."""
    return {place: number for number, mask in enumerate(classes) for place in bits(mask)}
