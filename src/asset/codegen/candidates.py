"""Which commands are tried in a state: tables say which ones some bits of it rule out.

Each *digit*, a few neighbouring bits of the packed state, has a table with a row for each of its values: a bit for each
command that no cell in these bits disables. The rows of all digits together, by `and`, are the candidates. Cells that
rule out little beyond what others do are in no digit.

A *chain* is a cell that says which other one is looked at, as an index does: it has a digit for each value.

A *selector* is a cell that has different commands for different values, as the place of a process has. Of its commands,
its row has those of the value alone, which lie in few words of bits: if there are many commands, it takes less time to
add these to the candidates, by `or`, than to take away all others.

Commands of a family that follow each other and are disabled by the same values share a bit. A family that skips
commands is tried as a whole, and always: it has one bit.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import NamedTuple

from asset.analysis.values.bit_layout import BitField, BitLayout
from asset.analysis.values.enabling import ALWAYS, Conditions, Disabling, conditions
from asset.codegen.chains import by_key, chains_of, worth_looking_at
from asset.codegen.digits import Chain, Digit, by_value, neighbours, rule_out
from asset.ir.program import Program

FEWEST, MOST = 24, 8192
"""Of fewer commands, all are tried; of more, too: tables would take long to make."""

# What it costs to try a command in its turn, to try one that tables have found, and to look up a row, about in cycles.
IN_TURN, FOUND, ROW = 4, 16, 2

IN_VAIN, LOOK, CHAINED = 24, 3, 5
"""What it costs to try a command that is disabled after all, to look at a cell, and at one that another cell says,
about in cycles."""

OFTEN = 8
"""A cell that has many values is thought to have those that matter in one of so many states: a process is not at each
of its places equally often."""

WORD = 64
"""Bits of candidates that are looked at together."""

FEW_WORDS = 4
"""As many words are one vector of the processor: then selectors would not help."""

MOST_LISTED = 3
"""Words in which the row of a selector has its commands."""


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
    selectors: tuple[Digit, ...] = ()
    """The rows of these have the commands of the selector that the value does not rule out, and no others."""
    chains: tuple[Chain, ...] = ()

    @property
    def selected(self) -> int:
        """The commands of selectors."""
        found = 0
        for selector in self.selectors:
            for row in selector.rows:
                found |= row
        return found

    def found(self, words: Sequence[int]) -> int:
        """The candidates in a packed state, as bits: the specification of what the generated code finds."""
        found = self.possible & ~self.selected
        for selector in self.selectors:
            found |= selector.row(words)
        for digit in self.digits:
            found &= digit.row(words)
        for chain in self.chains:
            found &= chain.row(words)
        return found


def find_candidates(program: Program, layout: BitLayout, always: Container[int] = ()) -> Candidates | None:
    """None if trying all commands costs less, as it does if their guards have nothing in common with single cells.

    Commands of some functions are `always` tried: what they do is of interest although they are disabled.
    """
    if not FEWEST <= sum(1 if family.skips is not None else family.size for family in program.families) <= MOST:
        return None
    sizes = [r.hi - r.lo + 1 for r, v in zip(layout.ranges, program.variables, strict=True) for _ in range(v.cells)]
    tried = list(_tried(program, conditions(program, layout.ranges), always))
    known = _worth_looking_at(layout, sizes, [each.alone for each in tried])
    runs, found = _runs(program, _with_keys(sizes, tried, known))
    disabling = [each.alone for each in found]
    everything = (1 << len(runs)) - 1
    never = sum(1 << bit for bit, values in enumerate(disabling) if values is ALWAYS)
    selectors, others = _selectors(layout, sizes, disabling)
    digits = tuple(_digits(layout, _by_cell(others), everything))
    chains = tuple(chains_of(layout, found, everything))
    vectors = -(-len(runs) // 256)
    chances = [0 if values is ALWAYS else _chance(sizes, values) for values in disabling]
    expected = sum(chance * run.tries for chance, run in zip(chances, runs, strict=True))
    rows = (len(digits) + len(selectors) + 2 * len(chains)) * (ROW + vectors)
    if expected * FOUND + rows >= sum(run.tries for run in runs) * IN_TURN:
        return None
    return Candidates(digits, everything & ~never, runs, selectors, chains)


def _tried(program: Program, found: Iterable[Conditions], always: Container[int]) -> Iterator[Conditions]:
    """What disables each command, unless it is of a function that is always tried."""
    left = iter(found)
    for family in program.families:
        for _ in range(1 if family.skips is not None and family.size else family.size):
            each = next(left)
            yield Conditions({}) if family.function in always else each


def _runs(program: Program, conditions: Iterable[Conditions]) -> tuple[tuple[Run, ...], list[Conditions]]:
    """What has a bit of its own, and what disables it."""
    runs: list[Run] = []
    found: list[Conditions] = []
    left = iter(conditions)
    for place, family in enumerate(family for family in program.families if family.size):
        size = 1 if family.skips is not None else family.size
        for command in range(family.first, family.first + size):
            each = next(left)
            if command > family.first and each == found[-1]:
                runs[-1] = runs[-1]._replace(last=command)
            else:
                runs.append(Run(place, command, command))
                found.append(each)
    return tuple(runs), found


# --- what is worth looking at -----------------------------------------------------------------------------------------


def _chance(sizes: Sequence[int], cells: Disabling) -> float:
    """How likely the command is a candidate, if all of so many values of each cell were equally likely."""
    return prod(1 - len(values) / sizes[cell] for cell, values in cells.items())


def _worth_looking_at(layout: BitLayout, sizes: Sequence[int], disabling: Sequence[Disabling]) -> list[Disabling]:
    """Without the cells that it costs more to look at than to try what they rule out."""
    passing = [{} if values is ALWAYS else _passing(sizes, values) for values in disabling]
    chances = [prod(cells.values()) for cells in passing]
    by_cell: dict[int, list[int]] = {}
    for command, each in enumerate(passing):
        for cell in each:
            by_cell.setdefault(cell, []).append(command)
    digits = [(cells, _joint(passing, by_cell, cells)) for cells in neighbours(layout, by_cell)]

    def gain(digit: tuple[Sequence[int], Mapping[int, float]]) -> float:
        """Tries that come to nothing if the digit is not looked at."""
        return sum(chances[command] / chance - chances[command] for command, chance in digit[1].items())

    kept: set[int] = set()
    for digit in sorted(digits, key=gain):
        if gain(digit) * IN_VAIN >= LOOK:
            kept.update(digit[0])
        else:
            for command, chance in digit[1].items():
                chances[command] /= chance
    return [
        values if values is ALWAYS else {cell: values[cell] for cell in values if cell in kept} for values in disabling
    ]


def _with_keys(sizes: Sequence[int], tried: Sequence[Conditions], known: Sequence[Disabling]) -> Iterator[Conditions]:
    """What is known of single cells, and what of others depends on keys and is worth looking at."""
    chances = [0.0 if values is ALWAYS else prod(_passing(sizes, values).values()) for values in known]

    def gain(command: int, value: int, cell: int) -> float:
        given = _passing(sizes, tried[command].given[value])
        return chances[command] * prod(given.values()) * (1 / given[cell] - 1)

    worth: dict[int, dict[int, Disabling]] = {}
    for commands in by_key(tried).values():
        worth |= worth_looking_at(tried, commands, gain, CHAINED / IN_VAIN)
    for command, (each, values) in enumerate(zip(tried, known, strict=True)):
        given = worth.get(command, {})
        yield Conditions(values, each.key, given) if any(given.values()) else Conditions(values)


def _joint(
    passing: Sequence[Mapping[int, float]], by_cell: Mapping[int, Sequence[int]], cells: Iterable[int]
) -> dict[int, float]:
    """By command: how likely these cells are thought not to rule it out."""
    found: dict[int, float] = {}
    for cell in cells:
        for command in by_cell[cell]:
            found[command] = found.get(command, 1) * passing[command][cell]
    return found


def _passing(sizes: Sequence[int], cells: Disabling) -> dict[int, float]:
    """How likely each cell is thought not to rule out the command."""
    return {cell: max(1 - len(values) / sizes[cell], 1 / OFTEN) for cell, values in cells.items()}


# --- selectors --------------------------------------------------------------------------------------------------------


def _selectors(
    layout: BitLayout, sizes: Sequence[int], disabling: Sequence[Disabling]
) -> tuple[tuple[Digit, ...], list[Disabling]]:
    """Cells that select commands, and what disables these besides."""
    others = list(disabling)
    if len(disabling) <= FEW_WORDS * WORD:
        return (), others
    by_cell: dict[int, list[int]] = {}
    for bit, cells in enumerate(disabling):
        if cells and cells is not ALWAYS:
            best = min(cells, key=lambda cell: (1 - len(cells[cell]) / sizes[cell], cell))
            by_cell.setdefault(best, []).append(bit)
    found: list[Digit] = []
    for cell, bits in by_cell.items():
        digit = _selecting(layout.cells[cell], sizes[cell], {bit: disabling[bit][cell] for bit in bits})
        if digit is not None:
            found.append(digit)
            for bit in bits:
                others[bit] = {each: values for each, values in disabling[bit].items() if each != cell}
    return tuple(found), others


def _selecting(place: BitField, size: int, disabling: Mapping[int, Sequence[int]]) -> Digit | None:
    """The rows of a cell for its commands, unless they have too much in common."""
    words = {bit // WORD for bit in disabling}
    if len(words) <= 2 * MOST_LISTED:
        return None
    rows = [sum(1 << bit for bit in disabling)] * size + [0] * ((1 << place.width) - size)
    rule_out(rows, place, place.shift, by_value(disabling))
    if any(last_word(row) - first_word(row) >= MOST_LISTED for row in rows if row):
        return None
    return Digit(place.word, place.shift, place.width, tuple(rows))


def first_word(row: int) -> int:
    """The first word of bits with any of the commands."""
    return ((row & -row).bit_length() - 1) // WORD


def last_word(row: int) -> int:
    return (row.bit_length() - 1) // WORD


# --- digits -----------------------------------------------------------------------------------------------------------


_RuledOut = dict[int, dict[int, int]]
"""By cell and value: the commands that are disabled by it, as bits."""


def _by_cell(disabling: Iterable[Disabling]) -> _RuledOut:
    cells: dict[int, dict[int, Sequence[int]]] = {}
    for bit, disabled in enumerate(disabling):
        for cell, values in () if disabled is ALWAYS else disabled.items():
            cells.setdefault(cell, {})[bit] = values
    return {cell: by_value(bits) for cell, bits in cells.items()}


def _digits(layout: BitLayout, ruled_out: Mapping[int, Mapping[int, int]], everything: int) -> Iterator[Digit]:
    for cells in neighbours(layout, ruled_out):
        first, last = layout.cells[cells[0]], layout.cells[cells[-1]]
        width = last.shift + last.width - first.shift
        rows = [everything] * (1 << width)
        for cell in cells:
            rule_out(rows, layout.cells[cell], first.shift, ruled_out[cell])
        yield Digit(first.word, first.shift, width, tuple(rows))
