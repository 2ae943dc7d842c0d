"""Where each cell of the state is kept: the bit layout that needs the fewest 64-bit words.

A cell has as many bits as the values need that it is known to have (`reached_ranges`), else those of its type.

Cells never straddle words. Among layouts of as few words, one is chosen that keeps arrays whole, because generated
code finds a cell of a whole array by arithmetic and a cell of a scattered one in a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import compress
from operator import ne
from typing import NamedTuple

from asset.analysis.values.interval import Interval, declared_ranges
from asset.ir.program import Program, State

WORD_BITS = 64

# Joining scattered arrays again tries a packing for each; beyond this many variables only the large ones are tried.
MAX_JOINED = 64

# In longer states a word more or less is not worth the time to find it.
MAX_FILLED = 256

# Of more cells, arrays stay whole: what a packing of single cells might save is not worth the time to find it.
MAX_SCATTERED = 16_384


class BitField(NamedTuple):
    """`width` bits of a word from bit `shift` on hold the value's distance from `lo`."""

    word: int
    shift: int
    width: int
    lo: int

    @property
    def position(self) -> int:
        """The number of its lowest bit, counted through all words."""
        return self.word * WORD_BITS + self.shift


class BitLayout:
    """The place of every cell, in the order of declaration, arrays row by row; words and bits are how many it takes.
    `ranges` are the values that the cells of each variable can have."""

    def __init__(self, cells: tuple[BitField, ...], words: int, ranges: tuple[Interval, ...]) -> None:
        self.cells = cells
        self.words = words
        self.ranges = ranges
        self.bits = sum(cell.width for cell in cells)

    def pack(self, state: State) -> tuple[int, ...]:
        """The words that hold the state; bits that belong to no cell are 0."""
        words = [0] * self.words
        for cell, value in zip(self.cells, state, strict=True):
            if (value - cell.lo) >> cell.width:
                raise ValueError(f"{value} was proved not to be reached, and has no room in {cell}")
            words[cell.word] |= (value - cell.lo) << cell.shift
        return tuple(words)

    def unpack(self, words: Sequence[int]) -> State:
        """The state that the words hold."""
        return tuple((words[word] >> shift & mask) + lo for word, shift, mask, lo in self._fields)

    def unpack_run(self, words: Sequence[int]) -> Iterator[State]:
        """The states that the words hold, one after the other. Only words that differ from the last are looked into."""
        before = words[: self.words]
        cells = list(self.unpack(before))
        for at in range(0, len(words), self.words):
            now = words[at : at + self.words]
            if now != before:
                for number in compress(range(self.words), map(ne, before, now)):
                    for cell, shift, mask, lo in self._fields_by_word[number]:
                        cells[cell] = (now[number] >> shift & mask) + lo
                before = now
            yield tuple(cells)

    @cached_property
    def _fields_by_word(self) -> list[list[tuple[int, int, int, int]]]:
        found: list[list[tuple[int, int, int, int]]] = [[] for _ in range(self.words)]
        for number, (word, shift, mask, lo) in enumerate(self._fields):
            found[word].append((number, shift, mask, lo))
        return found

    @cached_property
    def _fields(self) -> tuple[tuple[int, int, int, int], ...]:
        return tuple((c.word, c.shift, (1 << c.width) - 1, c.lo) for c in self.cells)


class _Item(NamedTuple):
    """Cells `first`, `first + 1`, … of equal width that are kept together. So many of them are a `row`: they differ in
    the last index alone."""

    first: int
    cells: int
    width: int
    row: int = 1

    @property
    def size(self) -> int:
        return self.cells * self.width


_Packing = list[list[_Item]]
"""For each word what it holds, lowest bits first."""


def choose_layout(program: Program, ranges: Sequence[Interval] | None = None) -> BitLayout:
    """The layout of the program's states. `ranges` are the values that the cells of each variable can have: those of
    its type unless they are given."""
    known = declared_ranges(program) if ranges is None else tuple(ranges)
    extents = [
        _Item(offset, v.cells, (values.hi - values.lo).bit_length(), v.dims[-1] if v.dims else 1)
        for v, offset, values in zip(program.variables, program.offsets, known, strict=True)
    ]
    sized = [extent for extent in extents if extent.size]
    return _lay_out(program, _fewest_words(sized), known)


def _fewest_words(extents: Sequence[_Item]) -> _Packing:
    """A packing with as few words as was found with every array scattered, and as many arrays whole as that allows. If
    it costs no word, no row lies in more words than it must, and all rows are divided alike: what a step changes is
    often one row, a queue or a process."""
    joined = set(extents)
    best = _pack(_items(extents, joined))
    if rows := {extent for extent in extents if extent.cells > extent.row > 1}:
        best = min(_in_rows(extents, rows), best, key=len)
    if len(best) <= _least_words(extents) or sum(extent.cells for extent in extents) > MAX_SCATTERED:
        return best
    scattered = _pack(_items(extents, set()))
    if len(best) <= len(scattered):
        return best
    best, joined = scattered, set()
    for extent in sorted(extents, key=lambda e: e.size, reverse=True)[:MAX_JOINED]:
        packing = _pack(_items(extents, joined | {extent}))
        if len(packing) <= len(best):
            best, joined = packing, joined | {extent}
    return best


def _in_rows(extents: Sequence[_Item], rows: set[_Item]) -> _Packing:
    """A packing in which no row lies in more words than it must; with the other arrays whole if that costs no word."""
    whole = _pack(_items(extents, set(extents), whole_rows=True))
    if len(whole) <= _least_words(extents) or sum(extent.cells for extent in extents) > MAX_SCATTERED:
        return whole
    return min(whole, _pack(_items(extents, rows, whole_rows=True)), key=len)


def _least_words(items: Iterable[_Item]) -> int:
    """With fewer, the items do not fit however they are packed."""
    return -(-sum(item.size for item in items) // WORD_BITS)


def _items(extents: Iterable[_Item], joined: set[_Item], whole_rows: bool = False) -> list[_Item]:
    """The extents in `joined` as few items of at most a word each, of whole rows if these fit, and parts of rows if
    they do not; the others cell by cell."""
    return [
        _Item(extent.first + at, count, extent.width)
        for extent in extents
        for at, count in _parts(extent, _run(extent, whole_rows) if extent in joined else 1, whole_rows)
    ]


def _parts(extent: _Item, run: int, whole_rows: bool) -> Iterator[tuple[int, int]]:
    """Where the parts of the extent begin, and how many cells they have: `run`, or what is left."""
    divided = extent.row if whole_rows and extent.row > run else extent.cells
    for begin in range(0, extent.cells, divided):
        for at in range(begin, begin + divided, run):
            yield at, min(run, begin + divided - at)


def _run(extent: _Item, whole_rows: bool) -> int:
    """How many cells of the extent go into a word."""
    most = WORD_BITS // extent.width
    return most // extent.row * extent.row if whole_rows and extent.row <= most else most


def _pack(items: list[_Item]) -> _Packing:
    """The better of two heuristics; the second, slower one is not tried if the first wastes no word."""
    ordered = sorted(items, key=lambda item: item.size, reverse=True)
    packing = _first_fit(ordered)
    if len(packing) <= _least_words(items) or len(packing) > MAX_FILLED:
        return packing
    return min(packing, _fill_each(ordered), key=len)


def _first_fit(ordered: Iterable[_Item]) -> _Packing:
    """First fit decreasing: each item goes into the first word with room for it."""
    words: _Packing = []
    room: list[int] = []
    first_with_room: dict[int, int] = {}  # for each size: no word before this one has room for it
    for item in ordered:
        at = first_with_room.get(item.size, 0)
        while at < len(words) and room[at] < item.size:
            at += 1
        first_with_room[item.size] = at
        if at == len(words):
            words.append([])
            room.append(WORD_BITS)
        words[at].append(item)
        room[at] -= item.size
    return words


def _fill_each(ordered: Iterable[_Item]) -> _Packing:
    """Fills one word after the other as full as the items left allow, larger items first."""
    by_size: dict[int, list[_Item]] = {}
    for item in ordered:
        by_size.setdefault(item.size, []).append(item)
    for same in by_size.values():
        same.reverse()  # so that pop() gives the first
    words: _Packing = []
    while any(by_size.values()):
        chosen = _fullest({size: len(same) for size, same in by_size.items() if same})
        words.append([by_size[size].pop() for size in chosen])
    return words


def _fullest(available: dict[int, int]) -> list[int]:
    """The sizes, each at most as often as available, whose sum is largest within a word: a bounded subset sum."""
    reached = {0: (0, 0)}  # each sum found, with the last size in it and how often that is in it
    for size in sorted(available, reverse=True):
        for total in sorted(reached):
            for times in range(1, min(available[size], (WORD_BITS - total) // size) + 1):
                reached.setdefault(total + times * size, (size, times))
        if WORD_BITS in reached:
            break
    total, chosen = max(reached), []
    while total:
        size, times = reached[total]
        chosen += [size] * times
        total -= size * times
    return chosen


def _lay_out(program: Program, packing: _Packing, ranges: tuple[Interval, ...]) -> BitLayout:
    lows = [
        values.lo for variable, values in zip(program.variables, ranges, strict=True) for _ in range(variable.cells)
    ]
    cells = [BitField(0, 0, 0, lo) for lo in lows]
    for word, items in enumerate(packing):
        shift = 0
        for item in sorted(items, key=lambda i: (-i.size, i.first)):
            for number in range(item.first, item.first + item.cells):
                cells[number] = BitField(word, shift, item.width, lows[number])
                shift += item.width
    return BitLayout(tuple(cells), max(1, len(packing)), ranges)
