"""Symbolic values: what an expression of a command is, as a function of the state before the command.

A value is an integer, a `Linear` with at least one term, a `Truth` or an `UnknownValue`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from enum import Enum

from asset.analysis.values.interval import TOP, Interval
from asset.analysis.values.linear import Linear, classes, extremes


class Relation(Enum):
    POSITIVE = "> 0"
    ZERO = "== 0"
    NONZERO = "!= 0"


@dataclass(frozen=True, slots=True)
class Truth:
    """1 if the sum is in the relation, else 0. As an *atom* of a path: a condition on the state that is true."""

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
                return Truth(Linear(1).minus(self.sum), Relation.POSITIVE)


Term = tuple[Hashable, ...]
"""What was computed of the state before: an operator and its operands, or a cell."""


@dataclass(frozen=True, slots=True)
class UnknownValue:
    """Some value of the interval that depends on these cells; if `copied` is given, the value of that cell. Values with
    the same `term` are the same in every state."""

    cells: frozenset[int]
    interval: Interval
    copied: int | None = None
    term: Term | None = None


@dataclass(frozen=True, slots=True)
class Appended(UnknownValue):
    """What a place of a queue holds after something was put behind its last item: that, if the place was the next one,
    or what it held before. What was put is in the interval `put`."""

    put: Interval = TOP


Symbolic = Linear | Truth | UnknownValue
Value = int | Symbolic


def cells_of(value: Value) -> frozenset[int]:
    return frozenset() if isinstance(value, int) else value.cells


def term_of(*operation: Value | str) -> Term | None:
    """The term of an operator, by its name, and its operands; None if one of these has none."""
    parts: list[Hashable] = []
    for part in operation:
        if isinstance(part, UnknownValue):
            if part.term is None:
                return None
            parts.append(part.term)
        else:
            parts.append(part)
    return tuple(parts)


def as_linear(value: int | Linear) -> Linear:
    return Linear(value) if isinstance(value, int) else value


def narrowed(value: Linear, mask: Callable[[int], int]) -> int | Linear:
    """The same if each cell is in its mask: terms that are constant there are none any more."""
    constant, terms = value.constant, []
    for cell, weights in value.terms:
        least, most = extremes(weights, mask(cell))
        if least == most:
            constant += least
        else:
            terms.append((cell, weights))
    return Linear(constant, tuple(terms)) if terms else constant


def interval_of(value: Value, mask: Callable[[int], int]) -> Interval:
    """Bounds of the value if each cell is in its mask."""
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
                least, most = extremes(weights, mask(cell))
                lo, hi = lo + least, hi + most
            return Interval(lo, hi)


def decided(atom: Truth, mask: Callable[[int], int]) -> bool | None:
    """Whether the atom holds, if that is the same for all states with each cell in its mask."""
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
