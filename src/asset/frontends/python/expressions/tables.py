"""Constant tuples as tables: shorter rows are filled up, and the length of each row is kept."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from asset.model.symbols import is_symbol, number_of


class Ragged(Exception):
    """A tuple whose elements are not alike: numbers beside tuples, or something else."""


@dataclass(frozen=True, slots=True)
class PaddedTable:
    """`values` row by row in a box of `dims`; `lengths[d]` says how long each tuple at depth d is, row by row."""

    dims: tuple[int, ...]
    values: tuple[int, ...]
    lengths: tuple[tuple[int, ...], ...]

    def is_ragged(self, depth: int) -> bool:
        return len(set(self.lengths[depth])) > 1


def padded(data: tuple[object, ...]) -> PaddedTable:
    """The table of a nested tuple of integers; raises Ragged if it is none."""
    levels: list[list[tuple[object, ...]]] = [[data]]
    while _rows(levels[-1]):
        levels.append([row for parent in levels[-1] for row in parent if isinstance(row, tuple)])
    dims = tuple(max((len(row) for row in level), default=0) for level in levels)
    values = tuple(_cell(data, index) for index in product(*map(range, dims)))
    lengths = tuple(_lengths(data, dims[:depth]) for depth in range(len(dims)))
    return PaddedTable(dims, values, lengths)


def is_table(data: tuple[object, ...]) -> bool:
    """Whether it is a nested tuple of numbers."""
    try:
        padded(data)
    except Ragged:
        return False
    return True


def _rows(level: list[tuple[object, ...]]) -> bool:
    """Whether the elements are tuples again; raises Ragged if they are of different kinds."""
    elements = [element for row in level for element in row]
    tuples = [isinstance(element, tuple) for element in elements]
    if elements and all(tuples):
        return True
    if any(tuples):
        raise Ragged("it has numbers beside tuples")
    if not all(map(_is_cell, elements)):
        wrong = next(element for element in elements if not _is_cell(element))
        raise Ragged(f"it contains {wrong!r}")
    return False


def _is_cell(element: object) -> bool:
    return isinstance(element, int) or is_symbol(element)


def _cell(data: object, index: tuple[int, ...]) -> int:
    for i in index:
        assert isinstance(data, tuple)
        if i >= len(data):
            return 0
        data = data[i]
    return number_of(data)


def _lengths(data: object, dims: tuple[int, ...]) -> tuple[int, ...]:
    """How long each row is; one that is not there is as long as the others, if they are alike."""
    found = [_length(data, index) for index in product(*map(range, dims))]
    known = {length for length in found if length is not None}
    missing = known.pop() if len(known) == 1 else 0
    return tuple(missing if length is None else length for length in found)


def _length(data: object, index: tuple[int, ...]) -> int | None:
    for i in index:
        assert isinstance(data, tuple)
        if i >= len(data):
            return None
        data = data[i]
    assert isinstance(data, tuple)
    return len(data)
