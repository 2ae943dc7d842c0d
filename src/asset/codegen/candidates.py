"""Which commands are tried in a state: tables say which ones some bits of it rule out.

Each *digit*, a few neighbouring bits of the packed state, has a table with a row for each of its values: a bit for each
command that no cell in these bits disables. The rows of all digits together, by `and`, are the candidates. A family
of many commands that are disabled alike is tried as a whole, and has one bit; so has one that skips commands.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import NamedTuple

from asset.analysis.values.bit_layout import BitField, BitLayout
from asset.analysis.values.enabling import ALWAYS, Disabling, disabling_values
from asset.ir.program import Family, Program

DIGIT_BITS = 6
"""Neighbouring cells are in one digit if it has at most so many bits. A table of all rows stays small enough for the
processor's nearest cache."""

FEWEST, MOST = 24, 8192
"""Of fewer commands, all are tried; of more, too: tables would take long to make."""

ALIKE = 16
"""Commands of a family that have one bit together if they are disabled alike."""

# What it costs to try a command in its turn, to try one that tables have found, and to look up a row, about in cycles.
IN_TURN, FOUND, ROW = 4, 16, 3


class Digit(NamedTuple):
    """Bits of a word of the state, and for each of their values the commands that they do not rule out, as bits."""

    word: int
    shift: int
    width: int
    rows: tuple[int, ...]


class Candidates(NamedTuple):
    """How the commands to try are found. Those that are never enabled are not `possible`."""

    digits: tuple[Digit, ...]
    possible: int
    firsts: tuple[int, ...]
    """The first bit of each family that has commands."""
    size: int
    """How many bits there are."""


def find_candidates(program: Program, layout: BitLayout, always: Container[int] = ()) -> Candidates | None:
    """None if trying all commands costs less, as it does if their guards have nothing in common with single cells.

    Commands of some functions are `always` tried: what they do is of interest although they are disabled.
    """
    if sum(family.size for family in program.families if family.skips is None) > MOST:
        return None
    found = disabling_values(program, layout.ranges)
    bits: list[Disabling] = []
    firsts: list[int] = []
    for family, each in zip(program.families, found, strict=True):
        if family.size:
            firsts.append(len(bits))
            bits += _bits(family, [{}] * len(each) if family.function in always else each)
    if len(bits) < FEWEST:
        return None
    everything = (1 << len(bits)) - 1
    never = sum(1 << bit for bit, values in enumerate(bits) if values is ALWAYS)
    digits = tuple(_digits(layout, _by_cell(bits), everything))
    vectors = -(-len(bits) // 256)
    sizes = [r.hi - r.lo + 1 for r, v in zip(layout.ranges, program.variables, strict=True) for _ in range(v.cells)]
    expected = sum(_chance(sizes, values) for values in bits if values is not ALWAYS)
    if expected * FOUND + len(digits) * (ROW + vectors) >= len(bits) * IN_TURN:
        return None
    return Candidates(digits, everything & ~never, tuple(firsts), len(bits))


def _bits(family: Family, disabling: Sequence[Disabling]) -> Sequence[Disabling]:
    """What disables the commands of each bit."""
    alike = family.size >= ALIKE and all(each == disabling[0] for each in disabling)
    return disabling[:1] if alike or family.skips is not None else disabling


_RuledOut = dict[int, dict[int, int]]
"""By cell and value: the commands that are disabled by it, as bits."""


def _by_cell(disabling: Iterable[Disabling]) -> _RuledOut:
    found: _RuledOut = {}
    for command, cells in enumerate(disabling):
        for cell, values in cells.items():
            for value in values:
                by_value = found.setdefault(cell, {})
                by_value[value] = by_value.get(value, 0) | 1 << command
    return found


def _chance(sizes: Sequence[int], cells: Disabling) -> float:
    """How likely the command is a candidate, if all of so many values of each cell were equally likely."""
    return prod(1 - len(values) / sizes[cell] for cell, values in cells.items())


def _digits(layout: BitLayout, ruled_out: Mapping[int, Mapping[int, int]], everything: int) -> Iterator[Digit]:
    for cells in _neighbours(layout, ruled_out):
        first, last = layout.cells[cells[0]], layout.cells[cells[-1]]
        width = last.shift + last.width - first.shift
        rows = [everything] * (1 << width)
        for cell in cells:
            _rule_out(rows, layout.cells[cell], first.shift, ruled_out[cell])
        yield Digit(first.word, first.shift, width, tuple(rows))


def _neighbours(layout: BitLayout, cells: Iterable[int]) -> Iterator[list[int]]:
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


def _rule_out(rows: list[int], place: BitField, first: int, commands: Mapping[int, int]) -> None:
    """Takes the commands out of the rows in which the cell has a value that disables them."""
    shift, mask = place.shift - first, (1 << place.width) - 1
    for row in range(len(rows)):
        rows[row] &= ~commands.get((row >> shift & mask) + place.lo, 0)
