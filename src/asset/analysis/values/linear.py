"""Sums of functions of single cells: the numbers that both symbolic executors compute with.

A sum is exact, so comparisons of cells, counts and sums keep their meaning; so does any function of one cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from asset.analysis.values.domains import bits
from asset.ir.faults import Fault

Weights = tuple[int, ...]
"""A function of a cell: one result for each value of its domain."""


class Linear(NamedTuple):
    """`constant` plus, for each cell of `terms`, a function of it. Cells increase."""

    constant: int
    terms: tuple[tuple[int, Weights], ...] = ()

    @property
    def cells(self) -> frozenset[int]:
        return frozenset(cell for cell, _ in self.terms)

    @property
    def only(self) -> int | None:
        """The cell that it is a function of, if there is only one."""
        return self.terms[0][0] if len(self.terms) == 1 else None

    @property
    def results(self) -> list[int]:
        """Of a function of one cell: its results, by the places of the cell's values."""
        ((_, weights),) = self.terms
        return [self.constant + w for w in weights]

    def plus(self, other: Linear) -> Linear:
        """The exact sum; terms of the same cell become one."""
        terms = dict(self.terms)
        for cell, weights in other.terms:
            known = terms.get(cell)
            terms[cell] = weights if known is None else tuple(map(int.__add__, known, weights))
        return Linear(self.constant + other.constant, tuple(sorted(terms.items())))

    def times(self, factor: int) -> Linear:
        terms = tuple((cell, tuple(factor * w for w in weights)) for cell, weights in self.terms)
        return Linear(factor * self.constant, terms)

    def minus(self, other: Linear) -> Linear:
        return self.plus(other.times(-1))

    def normal(self) -> Linear:
        """The same function, written in one way only: the least weight of each cell is 0, and not all of them are."""
        constant, terms = self.constant, []
        for cell, weights in self.terms:
            least = min(weights)
            constant += least
            if max(weights) != least:
                terms.append((cell, tuple(w - least for w in weights)))
        return Linear(constant, tuple(terms))


def function_of(cell: int, weights: Weights) -> Linear:
    return Linear(0, ((cell, weights),))


@lru_cache(maxsize=65536)
def classes(weights: Weights, mask: int) -> Mapping[int, int]:
    """For each value of the function on the mask, the mask of the cell's values that lead to it."""
    found: dict[int, int] = {}
    for k in bits(mask):
        found[weights[k]] = found.get(weights[k], 0) | 1 << k
    return found


@lru_cache(maxsize=65536)
def extremes(weights: Weights, mask: int) -> tuple[int, int]:
    """The least and the greatest result of the function on the mask, which is not empty."""
    results = [weights[k] for k in bits(mask)]
    return min(results), max(results)


def tabulated(function: Callable[[int], int], places: Iterable[int], size: int) -> tuple[Weights, int]:
    """What the function makes of places in a domain of this size, and the mask of those for which it is a model error.

    For other places than those given the result is 0, as it is for model errors.
    """
    results, faulty = [0] * size, 0
    for k in places:
        try:
            results[k] = function(k)
        except Fault:
            faulty |= 1 << k
    return tuple(results), faulty
