"""Stores that may omit states: how large their tables are, and how many states they are expected to omit.

*Bitstate hashing*: a state is k bits of a table of m bits, at addresses that hashes give. If i states are in it, each
bit is set with probability 1 - exp(-ik/m), and a state that is not in it is taken for known if all its k bits are set.

*Hash compaction*: a state is a hash of b bits, never 0, in a table of c cells. If i states are in it, a new state is
compared with (i/c) / (1 - i/c) of them on average before an empty cell is found (double hashing), and is taken for
known if its hash is one of theirs.

What is expected to be omitted of n states is the sum for i from 0 to n - 1. The probability that any state is omitted
is 1 - exp(-that) at most, as omissions are rare and independent; but what can be reached only by way of an omitted
state is omitted too, and is not counted. n are the states that were found: if many are omitted, it says too little.

Dillinger and Manolios, Bloom Filters in Probabilistic Verification (2004); Stern and Dill (1995).
"""

from __future__ import annotations

import math

from asset.deferred import dataclass

SUPERTRACE = 3
"""Addresses of a state if it is not known how many states there are: it omits few for a wide range of sizes."""

MOST_ADDRESSES = 64
NEGLIGIBLE = 1e-6
"""Expected omissions that are not worth a further address, which takes a look into memory."""

MOST_CELLS_IN_A_WORD = 8
WORD_BITS = 64
FULL = 0.95
"""How far a table for hash compaction is filled by the states that are expected."""

USUAL_BYTES = 1 << 30
LEAST_BYTES = 1 << 20
BYTES_FOR_EACH = 8
"""Of a table without a limit on memory: for each state that is expected."""

_INTERVALS = 512


def bitstate_omissions(states: float, bits: float, addresses: int) -> float:
    """How many of so many states are expected to be omitted."""

    def omitted(known: float) -> float:
        return math.pow(-math.expm1(-known * addresses / bits), addresses)

    width = states / _INTERVALS
    inner = sum(omitted(i * width) * (4 if i % 2 else 2) for i in range(1, _INTERVALS))
    return (omitted(0) + inner + omitted(states)) * width / 3  # Simpson's rule


def compact_omissions(states: float, cells: float, bits: float) -> float:
    """How many of so many states are expected to be omitted; infinitely many if there are no more cells than states."""
    filled = states / cells
    if filled >= 1:
        return math.inf
    return cells * (-math.log1p(-filled) - filled) / (math.exp2(bits) - 1)


def probability(omissions: float) -> float:
    """Of omitting any state, if so many are expected to be omitted."""
    return -math.expm1(-omissions)


def best_addresses(states: float, bits: float) -> int:
    """The number of addresses with which so many states are expected to lose fewest."""
    return min(range(1, MOST_ADDRESSES + 1), key=lambda addresses: bitstate_omissions(states, bits, addresses))


def addresses_for(states: float, bits: float) -> int:
    """The fewest addresses with which omissions are negligible; if there are none, the best."""
    few = (each for each in range(1, MOST_ADDRESSES) if bitstate_omissions(states, bits, each) <= NEGLIGIBLE)
    return next(few, None) or best_addresses(states, bits)


@dataclass(frozen=True, slots=True)
class Approximate:
    """A store that may omit states: `bitstate` or `compact`. `expect` is about how many states there are, if that is
    known; `seed` is that of the hash functions."""

    store: str
    expect: int | None = None
    seed: int = 0

    def table(self, limit: int | None, available: int) -> Table:
        """The table: three quarters of the limit on memory, so that there is room for what is still to be expanded."""
        wanted = USUAL_BYTES if self.expect is None else max(LEAST_BYTES, BYTES_FOR_EACH * self.expect)
        size = limit if limit is not None else min(wanted * 4 // 3, available)
        size = max(LEAST_BYTES // 16, size * 3 // 4) // 8 * 8
        if self.store == "bitstate":
            return Table(self.store, size, SUPERTRACE if self.expect is None else addresses_for(self.expect, 8 * size))
        return Table(self.store, size, self._cells_in_a_word(size))

    def _cells_in_a_word(self, size: int) -> int:
        """As few as hold what is expected: the wider the cells are, the less is omitted."""
        if self.expect is None:
            return 2
        needed = math.ceil(self.expect / FULL / (size // 8))
        return max(1, min(MOST_CELLS_IN_A_WORD, needed))


@dataclass(frozen=True, slots=True)
class Table:
    """`parameter` is the number of addresses of a state, or of cells in a word of 64 bits."""

    store: str
    size: int
    parameter: int

    @property
    def cells(self) -> int:
        """Of a table for hash compaction."""
        return self.size // 8 * self.parameter

    @property
    def bits(self) -> int:
        """Of a cell for hash compaction."""
        return WORD_BITS // self.parameter

    def omissions(self, states: int) -> float:
        """How many of so many states are expected to be omitted."""
        if self.store == "bitstate":
            return bitstate_omissions(states, 8 * self.size, self.parameter)
        return compact_omissions(states, self.cells, self.bits)


@dataclass(frozen=True, slots=True)
class Omissions:
    """What a search with such a table may have left out. `lost` says that threads have met a violation that the search
    for its run did not come to again."""

    table: Table
    expected: float
    lost: bool = False
