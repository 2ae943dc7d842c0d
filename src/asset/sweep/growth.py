"""How fast the number of states grows, and what the next values will need.

Counts of states mostly grow as a·rᵛ or as a·vᵏ. Both are lines, over v or over log v, when the logarithm of the count
is taken; the one that lies closer to the last counts (by least squares) is used. A forecast starts from the last
count measured, so that only the growth is guessed, not the size.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, log

from asset.sweep.row import SweepRow

TIMES = "\N{MULTIPLICATION SIGN}"

RECENT = 4
"""Counts that a line is fitted to: the growth of small sizes says little of that of large ones."""

TELLING = 10_000
"""Of fewer states, time and memory are mostly what any check takes."""


@dataclass(frozen=True, slots=True)
class Growth:
    """`exponential`: each further unit multiplies the states by `factor`; else they grow as the power `factor`."""

    exponential: bool
    factor: float

    def times(self, before: float, after: float) -> float:
        """How many times more states there are at `after` than at `before`."""
        base, power = (self.factor, after - before) if self.exponential else (after / before, self.factor)
        return exp(power * log(base))

    def in_words(self, name: str) -> str:
        if self.exponential:
            return f"{TIMES}{self.factor:.3g} for each step of {name}"
        return f"about {name}^{self.factor:.2g}"


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a value will need; `memory` and `seconds` None if what was measured is too small to tell."""

    value: float
    states: float
    memory: float | None
    seconds: float | None


def growth(rows: Sequence[SweepRow]) -> Growth | None:
    """From the rows that explored everything; None if they are fewer than three or their values are no numbers."""
    points = [(number, row.states) for row in rows if row.complete and (number := as_number(row.value)) is not None]
    if len(points) < 3:
        return None
    recent = sorted(points)[-RECENT:]
    logs = [log(states) for _, states in recent]
    slope, error = _line([value for value, _ in recent], logs)
    if all(value > 0 for value, _ in recent):
        power, other_error = _line([log(value) for value, _ in recent], logs)
        if other_error < error:
            return Growth(False, power)
    return Growth(True, exp(slope))


def forecast(rows: Sequence[SweepRow], growing: Growth, value: float) -> Forecast:
    """What `value` will need, by the growth from the last row that explored everything."""
    measured = {number: row for row in rows if row.complete and (number := as_number(row.value)) is not None}
    at = max(measured)
    first, last = measured[min(measured)], measured[at]
    states = last.states * growing.times(at, value)
    if last.states < TELLING:
        return Forecast(value, states, None, None)
    each = max(0, last.memory - first.memory) / max(1, last.states - first.states)
    seconds = last.seconds * states / last.states
    return Forecast(value, states, last.memory + each * (states - last.states), seconds)


def largest(foretell: Callable[[float], Forecast], beyond: int, fits: Callable[[Forecast], bool]) -> list[Forecast]:
    """The forecasts of the largest value after `beyond` that fits, if there is one, and of the first that does not."""
    previous: list[Forecast] = []
    for value in range(beyond + 1, beyond + 1001):
        told = foretell(value)
        if told.memory is None:
            return []
        if not fits(told):
            return [*previous, told]
        previous = [told]
    return previous


def as_number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _line(xs: Sequence[float], ys: Sequence[float]) -> tuple[float, float]:
    """The slope of the line closest to the points, and the sum of the squares of what is left."""
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - mean_x) ** 2 for x in xs)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / spread
    return slope, sum((y - mean_y - slope * (x - mean_x)) ** 2 for x, y in zip(xs, ys, strict=True))
