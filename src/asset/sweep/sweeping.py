"""The sweep itself: value by value, as long as the next one can be expected to fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from asset import interruption
from asset.report import figures
from asset.sweep.growth import Forecast, as_number, forecast, growth
from asset.sweep.row import Series, SweepRow

INTERRUPTED = "interrupted"

Measure = Callable[[str, Series], SweepRow]
"""Checks a value in the way of the series."""
Fingerprint = Callable[[str, Series], str]
"""Of the check of a value with the options of the series; empty if nobody can know that it would do the same again."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What a value may take; `seconds` None is as long as it likes. `advise` says what else there is to do about so
    many states in so much memory."""

    memory: int
    seconds: float | None = None
    advise: Callable[[float, int], str] | None = None

    @property
    def said(self) -> str:
        seconds = "" if self.seconds is None else f", {figures.seconds(self.seconds)} allowed"
        return f"{figures.size(self.memory)} free{seconds}"

    def advice(self, expected: Forecast) -> str:
        """What to do about a value that does not fit into memory; empty if it does."""
        if self.advise is None or expected.memory is None or expected.memory <= self.memory:
            return ""
        return self.advise(expected.states, self.memory)

    def refusal(self, expected: Forecast) -> str:
        """Why a value with this forecast is not begun; empty if it is."""
        if expected.memory is not None and expected.memory > self.memory:
            return f"about {figures.size(expected.memory)} expected, {figures.size(self.memory)} free"
        if self.seconds is not None and expected.seconds is not None and expected.seconds > self.seconds:
            return f"about {figures.seconds(expected.seconds)} expected, more than {figures.seconds(self.seconds)}"
        return ""


@dataclass(slots=True)
class Sweep:
    """Series grow as their values are checked. `kept` are rows of an earlier sweep, by their fingerprints."""

    values: Sequence[str]
    series: list[Series]
    budget: Budget
    measure: Measure
    fingerprint: Fingerprint
    kept: Mapping[str, SweepRow] = field(default_factory=dict)

    def run(self) -> Iterator[str]:
        """Gives each value when all that can be known of it is in the series."""
        for value in self.values:
            for number in range(len(self.series)):
                self.series[number] = self._continued(self.series[number], value)
                if self.series[number].stopped == INTERRUPTED:
                    self.interrupt()
            if any(series.row(value) for series in self.series):
                yield value

    def interrupt(self) -> None:
        """No further value is checked."""
        self.series = [each.ended(each.stopped or INTERRUPTED) for each in self.series]

    def _continued(self, series: Series, value: str) -> Series:
        if series.stopped:
            return series
        if interruption.asked():
            return series.ended(INTERRUPTED)
        refusal = self._refusal(series, value)
        if refusal:
            return series.ended(refusal)
        mark = self.fingerprint(value, series)
        longer = series.with_row(self.kept[mark] if mark in self.kept else self.measure(value, series))
        last = longer.rows[-1]
        gave_up = last.verdict == "undecided" and not last.complete
        # The limit was reached, so that larger values need not be tried: their row, the last one, says so.
        return longer.ended(last.remark) if gave_up else longer

    def _refusal(self, series: Series, value: str) -> str:
        growing, number = growth(series.rows), as_number(value)
        if growing is None or number is None:
            return ""
        return self.budget.refusal(forecast(series.rows, growing, number))
