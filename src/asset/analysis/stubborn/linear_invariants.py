"""Linear invariants: sums of functions of cells that no path changes, as place invariants of Petri nets are.

A semaphore's free places and those inside it always make the same sum, wherever they are: counting shows what pairs of
facts cannot.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import lcm

from asset.analysis.values.domains import CellDomains, bits
from asset.analysis.values.linear import Linear
from asset.analysis.watch import Watch
from asset.ir.program import State

Row = dict[int, Fraction]
"""A linear equation: the coefficients of unknowns, whose sum is 0. There is an unknown for each fact, its weight."""

Change = list[tuple[int, int]]
"""What can become of a cell on a path: facts before and after."""


def linear_invariants(
    cells: CellDomains, values: list[int], paths: Iterable[list[Change]], watch: Watch | None = None
) -> list[Linear]:
    """Sums that are 0 in every reachable state, from which all others with that property can be combined.

    Facts that hold in the initial state have the weight 0; if runs begin in other states too, the sum of each of
    these is 0 as well. Each path, given by the changes of its cells, keeps the sum as it is; to be simple, whatever the
    cells are at: so each change of a cell must weigh the same.
    """
    start, *others = (_facts_of(cells, values, state) for state in cells.starts)
    solved: dict[int, Row] = {}
    for other in others:
        _eliminate({fact: Fraction(1) for fact in other - start}, solved)
    watch = watch or Watch()
    for path in paths:
        for equation in _equations(path):
            watch.tick()
            _eliminate({fact: factor for fact, factor in equation.items() if fact not in start and factor}, solved)
    unknowns = {cells.first[cell] + k for cell, mask in enumerate(values) for k in bits(mask)} - start
    return [_weighted(cells, free, solved) for free in sorted(unknowns - solved.keys())]


def _facts_of(cells: CellDomains, values: list[int], state: State) -> set[int]:
    known = ((cell, cells.index(cell, value)) for cell, value in enumerate(state) if values[cell])
    return {cells.first[cell] + place for cell, place in known if place is not None}


def _equations(path: list[Change]) -> Iterator[Row]:
    total: Row = {}
    for change in path:
        first = _difference(*change[0])
        for before, after in change[1:]:
            yield _added(_difference(before, after), first, -1)
        total = _added(total, first, 1)
    yield total


def _difference(before: int, after: int) -> Row:
    return {} if before == after else {before: Fraction(-1), after: Fraction(1)}


def _added(row: Row, other: Row, factor: int | Fraction) -> Row:
    found = dict(row)
    for fact, coefficient in other.items():
        value = found.get(fact, Fraction(0)) + factor * coefficient
        if value:
            found[fact] = value
        else:
            found.pop(fact, None)
    return found


def _eliminate(row: Row, solved: dict[int, Row]) -> None:
    """Adds the equation to those solved for one unknown each (reduced row echelon form)."""
    for fact in [fact for fact in row if fact in solved]:
        row = _added(row, solved[fact], -row[fact])
    if not row:
        return
    pivot = min(row)
    row = {fact: coefficient / row[pivot] for fact, coefficient in row.items()}
    for other, equation in solved.items():
        if pivot in equation:
            solved[other] = _added(equation, row, -equation[pivot])
    solved[pivot] = row


def _weighted(cells: CellDomains, free: int, solved: dict[int, Row]) -> Linear:
    """The invariant in which the free unknown is 1 and the other free ones are 0, in whole numbers."""
    weights: Row = {free: Fraction(1)}
    for fact, equation in solved.items():
        if free in equation:
            weights[fact] = -equation[free]
    scale = lcm(*(weight.denominator for weight in weights.values()))
    terms = []
    for cell, domain in enumerate(cells.domains):
        first = cells.first[cell]
        row = tuple(int(weights.get(first + k, Fraction(0)) * scale) for k in range(len(domain or ())))
        if any(row):
            terms.append((cell, row))
    return Linear(0, tuple(terms))
