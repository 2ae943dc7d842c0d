"""A sweep as people read it: rows below each other as they come, then the growth and how far this machine goes."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from math import ceil
from typing import Any

from asset.report import figures
from asset.report.document import Line, Piece, Role, line
from asset.sweep.growth import TIMES, Forecast, as_number, forecast, growth, largest
from asset.sweep.row import Series, SweepRow
from asset.sweep.sweeping import Budget

_ROLES = {"holds": Role.GOOD, "violated": Role.BAD, "undecided": Role.UNSURE}
_FIELDS = ("value", "states", "edges", "seconds", "memory", "verdict", "remark", "complete")


def titles(name: str, series: Sequence[Series]) -> Line:
    saved = f"{'saves':>8}" if len(series) > 1 else ""
    text = f"{name:>8}{'states':>14}{'edges':>15}{'time':>11}{'memory':>11}{saved}  verdict"
    return line(Piece(text, Role.FAINT))


def told(value: str, series: Sequence[Series]) -> Line:
    """The row of a value: that of the last series and, if there is another before it, what is saved against it."""
    row = series[-1].row(value)
    if row is None:
        return line(f"{value:>8}", Piece(f"  not checked: {series[-1].stopped}", Role.UNSURE))
    saved = f"{saving(series[0].row(value), row):>8}" if len(series) > 1 else ""
    counts = f"{value:>8}{row.states:>14,}{row.edges:>15,}"
    costs = f"{figures.seconds(row.seconds):>11}{figures.size(row.memory):>11}"
    remark = f" ({row.remark})" if row.remark else ""
    return line(f"{counts}{costs}{saved}  ", Piece(row.verdict, _ROLES[row.verdict]), remark)


def saving(plain: SweepRow | None, reduced: SweepRow) -> str:
    """How many times fewer states the reduction leaves; a dash if the plain count is not known."""
    if plain is None or not plain.complete or not reduced.complete:
        return "—"
    times = plain.states / reduced.states
    return f"{TIMES}{times:{'.3g' if times < 1_000 else ',.0f' if times < 100_000 else '.0e'}}"  # seven at most


def conclusion(name: str, series: Sequence[Series], budget: Budget, wanted: Sequence[str]) -> Iterator[Line]:
    """The growth of each series, what was left out and why, and how far the last series can go on this machine."""
    for each in series:
        growing = growth(each.rows)
        if growing is not None:
            yield line(Piece(f"{each.name}: ", Role.STRONG), f"states grow {growing.in_words(name)}")
        missing = [value for value in wanted if each.row(value) is None]
        if missing:
            yield line(f"{each.name}: stopped before {name} = {missing[0]}: ", Piece(each.stopped, Role.UNSURE))
    yield from (line(text) for text in outlook(name, series[-1], budget))


def outlook(name: str, series: Series, budget: Budget) -> Iterator[str]:
    """What the largest value that fits will need, and the first that does not; nothing if too little is known."""
    growing = growth(series.rows)
    numbers = [as_number(row.value) for row in series.rows if row.complete]
    known = [number for number in numbers if number is not None and number == int(number)]
    if growing is None or not known or growing.times(known[-1], known[-1] + 1) <= 1:
        return
    rows = series.rows
    for told in largest(lambda value: forecast(rows, growing, value), int(max(known)), lambda f: not budget.refusal(f)):
        yield _needs(name, told, budget)
        if advice := budget.advice(told):
            yield f"{name} = {told.value:g}: {advice}"


def _needs(name: str, told: Forecast, budget: Budget) -> str:
    memory, seconds = figures.size(told.memory or 0), figures.seconds(told.seconds or 0)
    fits = f"does not fit ({budget.said}){_cluster(told, budget)}" if budget.refusal(told) else "fits"
    return f"{name} = {told.value:g} needs about {memory} and {seconds} on this machine: {fits}"


UNEVEN = 1.2
"""The share of a rank of a cluster, against an even one, with what it needs besides."""


def _cluster(told: Forecast, budget: Budget) -> str:
    """How many machines like this one would have the memory; nothing if it is not that which is short."""
    if told.memory is None or told.memory <= budget.memory:
        return ""
    machines = ceil(UNEVEN * told.memory / budget.memory)
    return f"; a cluster of {machines:,} such machines has the memory (--cluster, docs/cluster.md)"


def to_csv(series: Sequence[Series]) -> str:
    """A line for each row of each series."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("series", *_FIELDS))
    for each in series:
        writer.writerows((each.name, *(getattr(row, field) for field in _FIELDS)) for row in each.rows)
    return text.getvalue()


def to_json(name: str, series: Sequence[Series]) -> str:
    """One object; `rows_in` reads its rows back."""
    return json.dumps({"parameter": name, "series": [_series(name, each) for each in series]}, indent=2) + "\n"


def _series(name: str, series: Series) -> dict[str, Any]:
    growing = growth(series.rows)
    return {
        "name": series.name,
        "options": list(series.options),
        "rows": [row.to_dict() for row in series.rows],
        "stopped": series.stopped or None,
        "growth": growing and {"exponential": growing.exponential, "factor": growing.factor},
    }


def rows_in(text: str) -> dict[str, SweepRow]:
    """The rows of an earlier sweep that can stand for a new check, by their fingerprints; raises ValueError.

    What ended early is checked again: there may be more room now.
    """
    try:
        rows = [SweepRow(**row) for series in json.loads(text)["series"] for row in series["rows"]]
    except (TypeError, KeyError) as error:
        raise ValueError(str(error)) from None
    return {row.fingerprint: row for row in rows if row.fingerprint and (row.complete or row.verdict != "undecided")}
