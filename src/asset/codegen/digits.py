"""Tables of the commands that some bits of a state do not rule out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from asset.analysis.values.bit_layout import BitField, BitLayout

DIGIT_BITS = 6
"""Neighbouring cells are in one digit if it has at most so many bits. A table of all rows stays small enough for the
processor's nearest cache."""


class Digit(NamedTuple):
    """Bits of a word of the state, and for each of their values the commands that they do not rule out, as bits."""

    word: int
    shift: int
    width: int
    rows: tuple[int, ...]

    def row(self, words: Sequence[int]) -> int:
        """The row for a packed state."""
        return self.rows[_held(words, self)]


class Chain(NamedTuple):
    """Bits of a word of the state, and for each of their values the digit that is looked at then."""

    word: int
    shift: int
    width: int
    then: tuple[Digit, ...]

    def row(self, words: Sequence[int]) -> int:
        return self.then[_held(words, self)].row(words)


def _held(words: Sequence[int], at: Digit | Chain) -> int:
    """What the bits of a packed state are."""
    return words[at.word] >> at.shift & (1 << at.width) - 1


def by_value(disabling: Mapping[int, Sequence[int]]) -> dict[int, int]:
    """By value: the commands that are disabled by it, as bits."""
    found: dict[int, int] = {}
    for bit, values in disabling.items():
        for value in values:
            found[value] = found.get(value, 0) | 1 << bit
    return found


def neighbours(layout: BitLayout, cells: Iterable[int]) -> Iterator[list[int]]:
    """The cells, in the order of their bits, as many together as a digit has room for."""
    together: list[int] = []
    for cell in sorted(cells, key=lambda c: layout.cells[c].position):
        place = layout.cells[cell]
        if not place.width:
            continue
        first = layout.cells[together[0]] if together else place
        if place.word != first.word or place.shift + place.width - first.shift > DIGIT_BITS:
            if together:
                yield together
            together = []
        together.append(cell)
    if together:
        yield together


def rule_out(rows: list[int], place: BitField, first: int, commands: Mapping[int, int]) -> None:
    """Takes the commands out of the rows in which the cell has a value that disables them."""
    shift, mask = place.shift - first, (1 << place.width) - 1
    for row in range(len(rows)):
        rows[row] &= ~commands.get((row >> shift & mask) + place.lo, 0)
