"""Symbolic values: what an expression of a command is, as a function of the state before the command.

A value is an integer, a `Linear`, a `Truth` or an `UnknownValue`. A sum of functions of single cells is exact, so
comparisons of cells, counts and sums keep their meaning; so does any function of one cell.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from asset.analysis.values.domains import bits
from asset.analysis.values.interval import Interval

Weights = tuple[int, ...]
"""A function of a cell: one result for each value of its domain."""


@dataclass(frozen=True, slots=True)
class Linear:
    """`constant` plus, for each cell of `terms`, a function of it. There is at least one term; cells increase."""

    constant: int
    terms: tuple[tuple[int, Weights], ...]

    @property
    def cells(self) -> frozenset[int]:
        return frozenset(cell for cell, _ in self.terms)

    @property
    def only(self) -> int | None:
        """The cell that it is a function of, if there is only one."""
        return self.terms[0][0] if len(self.terms) == 1 else None


class Relation(Enum):
    POSITIVE = "> 0"
    ZERO = "== 0"
    NONZERO = "!= 0"


@dataclass(frozen=True, slots=True)
class Truth:
    """1 where the sum is in the relation, else 0. As an *atom* of a path: a condition on the state that is true."""

    sum: Linear
    relation: Relation

    @property
    def cells(self) -> frozenset[int]:
        return self.sum.cells

    def negated(self) -> Truth:
        match self.relation:
            case Relation.ZERO:
                return Truth(self.sum, Relation.NONZERO)
            case Relation.NONZERO:
                return Truth(self.sum, Relation.ZERO)
            case Relation.POSITIVE:
                return Truth(add(1, scaled(self.sum, -1)), Relation.POSITIVE)


@dataclass(frozen=True, slots=True)
class UnknownValue:
    """Some value of the interval that depends on these cells."""

    cells: frozenset[int]
    interval: Interval


Symbolic = Linear | Truth | UnknownValue
Value = int | Symbolic


def cells_of(value: Value) -> frozenset[int]:
    return frozenset() if isinstance(value, int) else value.cells


def function_of(cell: int, weights: Weights) -> Linear:
    return Linear(0, ((cell, weights),))


def scaled(value: Linear, factor: int) -> Linear:
    terms = tuple((cell, tuple(factor * w for w in weights)) for cell, weights in value.terms)
    return Linear(factor * value.constant, terms)


def add(a: int | Linear, b: Linear) -> Linear:
    """The exact sum; terms of the same cell become one."""
    if isinstance(a, int):
        return Linear(a + b.constant, b.terms)
    terms = dict(a.terms)
    for cell, weights in b.terms:
        known = terms.get(cell)
        terms[cell] = weights if known is None else tuple(map(int.__add__, known, weights))
    return Linear(a.constant + b.constant, tuple(sorted(terms.items())))


def difference(a: int | Linear, b: int | Linear) -> int | Linear:
    """a - b, exactly."""
    if isinstance(b, int):
        return a - b if isinstance(a, int) else add(-b, a)
    return add(a, scaled(b, -1))


def narrowed(value: Linear, mask: Callable[[int], int]) -> int | Linear:
    """The same where each cell is in its mask: terms that are constant there are none any more."""
    constant, terms = value.constant, []
    for cell, weights in value.terms:
        possible = {weights[k] for k in bits(mask(cell))}
        if len(possible) == 1:
            constant += possible.pop()
        else:
            terms.append((cell, weights))
    return Linear(constant, tuple(terms)) if terms else constant


def classes(weights: Weights, mask: int) -> dict[int, int]:
    """For each value of the function on the mask, the mask of the cell's values that lead to it."""
    found: dict[int, int] = {}
    for k in bits(mask):
        found[weights[k]] = found.get(weights[k], 0) | 1 << k
    return found


def interval_of(value: Value, mask: Callable[[int], int]) -> Interval:
    """Bounds of the value where each cell is in its mask."""
    match value:
        case int():
            return Interval(value, value)
        case UnknownValue(interval=interval):
            return interval
        case Truth():
            return Interval(0, 1)
        case Linear(constant=lo, terms=terms):
            hi = lo
            for cell, weights in terms:
                possible = [weights[k] for k in bits(mask(cell))]
                lo, hi = lo + min(possible), hi + max(possible)
            return Interval(lo, hi)


def decided(atom: Truth, mask: Callable[[int], int]) -> bool | None:
    """Whether the atom holds, where that is the same for all states with each cell in its mask."""
    lo, hi = interval_of(atom.sum, mask)
    match atom.relation:
        case Relation.POSITIVE:
            return True if lo > 0 else False if hi <= 0 else None
        case Relation.ZERO:
            return True if lo == hi == 0 else False if lo > 0 or hi < 0 else None
        case Relation.NONZERO:
            return False if lo == hi == 0 else True if lo > 0 or hi < 0 else None


def leaves(atom: Truth, mask: Callable[[int], int], limit: int) -> int:
    """How many cases it takes to decide the atom by one cell after the other; counted up to `limit`."""
    ranges = [list(classes(weights, mask(cell))) for cell, weights in atom.sum.terms]
    rest = [(0, 0)]
    for options in reversed(ranges):
        lo, hi = rest[-1]
        rest.append((lo + min(options), hi + max(options)))
    rest.reverse()
    found, pending = 0, [(0, atom.sum.constant)]
    while pending and found + len(pending) <= limit:
        depth, total = pending.pop()
        lo, hi = total + rest[depth][0], total + rest[depth][1]
        positive = atom.relation is Relation.POSITIVE
        if (lo > 0 or hi <= 0) if positive else (lo > 0 or hi < 0 or lo == hi == 0):
            found += 1
        else:
            pending += [(depth + 1, total + option) for option in ranges[depth]]
    return found + len(pending)
