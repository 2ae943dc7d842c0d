"""Which values cells can have at all: a symmetry that moves only others changes no state that is ever reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from asset.analysis.symmetry.described_program import DescribedProgram
from asset.analysis.symmetry.terms import Term, Terms
from asset.analysis.values.domains import bits
from asset.analysis.watch import Watch


def taken_values(described: DescribedProgram, watch: Watch | None = None) -> list[int]:
    """For each cell a mask of values among which are all that it has in reachable states; 0 for wide ones."""
    return _grown(described, lambda cell, place: 1 << place, watch or Watch())


def constant_cells(described: DescribedProgram) -> dict[int, int]:
    """Cells that keep their initial value in every step from a state in which all of them have it, whatever the others
    are; with the place of the value. So what is true of these states is true of all images of reachable states too."""
    full = described.cells.full
    masks = _grown(described, lambda cell, place: full[cell], Watch())
    return {c: mask.bit_length() - 1 for c, mask in enumerate(masks) if mask.bit_count() == 1 and mask != full[c]}


def _grown(described: DescribedProgram, adding: Callable[[int, int], int], watch: Watch) -> list[int]:
    """Masks that have the initial values and, with each value that a cell can become if all cells have values of the
    masks, what is to be added for it."""
    cells = described.cells
    values = [mask & cells.full[cell] for cell, mask in enumerate(cells.initial)]
    effects = dict.fromkeys(effect for effect in described.effects if effect is not None)
    for cell in described.fixed.union(cell for effect in effects for cell, _ in effect.values):
        values[cell] = cells.full[cell]
    for cell, mask in enumerate(values):
        for place in bits(mask) if mask.bit_count() > 1 else ():
            values[cell] |= adding(cell, place)
    guarded = [(effect, dict(_masks(described.terms, effect.guard))) for effect in effects]
    grown = True
    while grown:
        grown = False
        for effect, where in guarded:
            watch.tick()
            if not _possible(described.terms, effect.guard, values, where):
                continue
            for cell, listed in effect.becomes:
                for condition, place in listed:
                    new = not values[cell] >> place & 1
                    if new and _possible(described.terms, condition, values, where):
                        values[cell] |= adding(cell, place)
                        grown = True
    return values


def _masks(terms: Terms, condition: Term) -> Iterator[tuple[int, int]]:
    """Cells with the values that they have if the condition holds, as far as it says so by itself."""
    match terms.keys[condition]:
        case ("in", int(cell), int(mask)):
            yield cell, mask
        case ("and", tuple(parts)):
            for part in parts:
                yield from _masks(terms, part)


def _possible(terms: Terms, condition: Term, values: list[int], where: Mapping[int, int]) -> bool:
    """Whether the condition may hold if each cell has one of its values, and is in its mask of `where`."""
    if condition == terms.false:
        return False
    match terms.keys[condition]:
        case ("in", int(cell), int(mask)):
            return bool(mask & values[cell] & where.get(cell, -1))
        case ("and", tuple(parts)):
            return all(_possible(terms, part, values, where) for part in parts)
        case ("or", tuple(parts)):
            return any(_possible(terms, part, values, where) for part in parts)
    return True
