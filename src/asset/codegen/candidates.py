"""Which commands are tried in a state: tables say which ones some bits of it rule out.

Each *digit*, a few neighbouring bits of the packed state, has a table with a row for each of its values: a bit for each
command that no cell in these bits disables. The rows of all digits together, by `and`, are the candidates. Commands of
a family that follow each other and are disabled by the same values share a bit. A family that skips commands is tried
as a whole, and always: it has one bit.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import NamedTuple

from asset.analysis.values.bit_layout import BitField, BitLayout
from asset.analysis.values.enabling import ALWAYS, Disabling, disabling_values
from asset.ir.program import Program

DIGIT_BITS = 6
"""Neighbouring cells are in one digit if it has at most so many bits. A table of all rows stays small enough for the
processor's nearest cache."""

FEWEST, MOST = 24, 8192
"""Of fewer commands, all are tried; of more, too: tables would take long to make."""

# What it costs to try a command in its turn, to try one that tables have found, and to look up a row, about in cycles.
IN_TURN, FOUND, ROW = 4, 16, 3


class Digit(NamedTuple):
    """Bits of a word of the state, and for each of their values the commands that they do not rule out, as bits."""

    word: int
    shift: int
    width: int
    rows: tuple[int, ...]


class Run(NamedTuple):
    """Commands from `first` to `last` that have one bit; the first alone stands for a family that is tried as a whole.
    `family` is its place among the families that have commands."""

    family: int
    first: int
    last: int

    @property
    def tries(self) -> int:
        return self.last - self.first + 1


class Candidates(NamedTuple):
    """How the commands to try are found. Those that are never enabled are not `possible`."""

    digits: tuple[Digit, ...]
    possible: int
    runs: tuple[Run, ...]
    """The commands of each bit."""


def find_candidates(program: Program, layout: BitLayout, always: Container[int] = ()) -> Candidates | None:
    """None if trying all commands costs less, as it does if their guards have nothing in common with single cells.

    Commands of some functions are `always` tried: what they do is of interest although they are disabled.
    """
    if not FEWEST <= sum(1 if family.skips is not None else family.size for family in program.families) <= MOST:
        return None
    runs, disabling = _runs(program, disabling_values(program, layout.ranges), always)
    everything = (1 << len(runs)) - 1
    never = sum(1 << bit for bit, values in enumerate(disabling) if values is ALWAYS)
    digits = tuple(_digits(layout, _by_cell(disabling), everything))
    vectors = -(-len(runs) // 256)
    sizes = [r.hi - r.lo + 1 for r, v in zip(layout.ranges, program.variables, strict=True) for _ in range(v.cells)]
    chances = [0 if values is ALWAYS else _chance(sizes, values) for values in disabling]
    expected = sum(chance * run.tries for chance, run in zip(chances, runs, strict=True))
    if expected * FOUND + len(digits) * (ROW + vectors) >= sum(run.tries for run in runs) * IN_TURN:
        return None
    return Candidates(digits, everything & ~never, runs)


def _runs(
    program: Program, disabling: Iterable[Disabling], always: Container[int]
) -> tuple[tuple[Run, ...], list[Disabling]]:
    """What has a bit of its own, and what disables it."""
    runs: list[Run] = []
    found: list[Disabling] = []
    left = iter(disabling)
    for place, family in enumerate(family for family in program.families if family.size):
        size = 1 if family.skips is not None else family.size
        for command in range(family.first, family.first + size):
            values = next(left)
            if family.function in always:
                values = {}
            if command > family.first and values == found[-1]:
                runs[-1] = runs[-1]._replace(last=command)
            else:
                runs.append(Run(place, command, command))
                found.append(values)
    return tuple(runs), found


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
