"""A counterexample as text: the run as a table of what each step changes, its first and last states in full."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from asset.report import figures
from asset.report.document import EMPTY, Line, Piece, Role, cells, folded, harmless, line, packed, padded
from asset.span import Span
from asset.verdict import Change, Counterexample, Step, Value, Verdict, Violation

LONG = 60
"""A run of more steps than this is folded in the middle."""

_SHOWN_FIRST, _SHOWN_LAST = 30, 20
_NARROWEST = 24  # a column of changes narrower than this is not readable: they go below the transition instead
_MARGIN = "  "


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table, its `details` broken between phrases where they do not fit."""

    number: str
    transition: str
    details: tuple[str, ...]
    place: str
    role: Role = Role.NAME


@dataclass(frozen=True, slots=True)
class Columns:
    """The widths of the table's columns; without `details`, these stand below the transition."""

    number: int
    transition: int
    details: int | None
    width: int


def source(span: Span) -> str:
    """`ring.py:14`: short, since the path is the user's own model."""
    return f"{os.path.basename(span.file)}:{span.line}"


def counterexample(verdict: Verdict, width: int) -> Iterator[Line]:
    """The run, or nothing where there is none."""
    run = verdict.counterexample
    if run is None or not run.steps:
        return
    steps = figures.count(len(run) - 1, "step") if len(run) > 1 else "the initial state"
    yield line(Piece(f"Counterexample: {steps}", Role.STRONG))
    yield EMPTY
    in_own_words = _one_line_each(run)
    rows = [_row(number, step, in_own_words) for number, step in enumerate(run.steps)]
    if run.failing:
        rows.append(_failing_row(len(run), run.failing, verdict.violation))
    columns = _columns(rows if in_own_words else rows[1:], width)
    yield from _titles(rows, columns, "state" if in_own_words else "changes")
    yield from _body(run, rows, columns)
    if run.cycle_starts_at is not None:
        yield from _mark(f"and round again from step {run.cycle_starts_at}", columns)


def _one_line_each(run: Counterexample) -> bool:
    """Whether the model shows each state as one line: then these lines tell the run better than changes do."""
    return all(step.shown is not None and len(harmless(step.shown)) == 1 for step in run.steps)


def _row(number: int, step: Step, in_own_words: bool) -> Row:
    changes = tuple(map(_change, step.changes)) or ("nothing changes",)
    details = (harmless(step.shown or "")[0],) if in_own_words else changes
    place = source(step.span) if step.span and step.transition else ""
    role = Role.NAME if step.transition else Role.FAINT
    return Row(str(number), step.transition or "initial state", details, place, role)


def _failing_row(number: int, transition: str, violation: Violation | None) -> Row:
    place = source(violation.span) if violation and violation.span else ""
    return Row(str(number), transition, ("model error",), place, Role.BAD)


def _change(change: Change) -> str:
    return f"{change.cell}: {_value(change.before)} → {_value(change.after)}"


def _value(value: Value) -> str:
    return f"[{', '.join(map(_value, value))}]" if isinstance(value, list) else str(value)


def _columns(rows: list[Row], width: int) -> Columns:
    """Columns that fit `width`: the details get what the others leave, if that is enough to read them."""
    number = max([len("step"), *(len(row.number) for row in rows)])
    transition = max([len("transition"), *(cells(row.transition) for row in rows)])
    place = max([0, *(cells(row.place) for row in rows)])
    widest = max([len("changes"), *(cells(", ".join(row.details)) for row in rows)])
    left = width - len(_MARGIN) - number - 2 - transition - 2 - (2 + place if place else 0)
    fitting = min(widest, left) if left >= min(widest, _NARROWEST) else None
    return Columns(number, transition, fitting, width)


def _titles(rows: list[Row], columns: Columns, details: str) -> Iterator[Line]:
    if columns.details is None or len(rows) == 1:
        return
    title = f"{'step':>{columns.number}}  {padded('transition', columns.transition)}"
    place = "  source" if any(row.place for row in rows) else ""
    yield line(_MARGIN, Piece(f"{title}  {padded(details, columns.details)}{place}", Role.FAINT))


def _body(run: Counterexample, rows: list[Row], columns: Columns) -> Iterator[Line]:
    in_full = not _one_line_each(run)
    last = len(run) - 1
    previous = -1
    for number in _unfolded(run, len(rows)):
        if number > previous + 1:
            yield from _mark(f"{number - previous - 1} steps not shown; --json FILE writes them all", columns, "⋮")
        yield from _markers(run, number, columns)
        if number > 0 or not in_full:
            yield from _table_row(rows[number], columns)
        if in_full and number == 0:
            yield from _full(run.steps[0], "initial state" if last else "initial and final state", columns)
        elif in_full and number == last:
            yield from _full(run.steps[last], "final state", columns)
        previous = number


def _unfolded(run: Counterexample, rows: int) -> list[int]:
    """The rows to show: all, or, of a long run, both ends and the steps where something begins."""
    if rows - 1 <= LONG:
        return list(range(rows))
    shown = {*range(_SHOWN_FIRST + 1), *range(rows - _SHOWN_LAST, rows), len(run) - 1}
    return sorted(shown | {at for at in (run.progress_lost_at, run.cycle_starts_at) if at is not None})


def _markers(run: Counterexample, number: int, columns: Columns) -> Iterator[Line]:
    if number == run.progress_lost_at:
        yield from _mark("progress is lost here", columns)
    if number == run.cycle_starts_at:
        yield from _mark("the cycle starts here", columns)


def _mark(text: str, columns: Columns, sign: str = "─") -> Iterator[Line]:
    lead = f"{_MARGIN}{sign * columns.number if sign == '─' else sign.rjust(columns.number)}  "
    for number, part in enumerate(folded(text, columns.width - len(lead))):
        yield line(Piece(" " * len(lead) if number else lead, Role.FAINT), Piece(part, Role.UNSURE))


def _table_row(row: Row, columns: Columns) -> Iterator[Line]:
    number = f"{row.number:>{columns.number}}  "
    if columns.details is None:
        yield from _stacked_row(row, number, columns)
        return
    details = packed(row.details, columns.details)
    first = padded(details[0], columns.details)
    transition = Piece(padded(row.transition, columns.transition), row.role)
    yield line(_MARGIN, Piece(number, Role.FAINT), transition, f"  {first}  ", Piece(row.place, Role.FAINT))
    indent = " " * (len(_MARGIN) + len(number) + columns.transition + 2)
    yield from (line(indent, detail) for detail in details[1:])


def _stacked_row(row: Row, number: str, columns: Columns) -> Iterator[Line]:
    """The row of a narrow table: what changes stands below the transition."""
    yield line(_MARGIN, Piece(number, Role.FAINT), Piece(f"{row.transition}  ", row.role), Piece(row.place, Role.FAINT))
    indent = " " * (len(_MARGIN) + len(number) + 2)
    if row.details:
        yield from (line(indent, detail) for detail in packed(row.details, columns.width - len(indent)))


def _full(step: Step, title: str, columns: Columns) -> Iterator[Line]:
    """A state in full: in the words of the model where it has them, else its variables."""
    number = "0" if step.transition is None else ""
    yield line(_MARGIN, Piece(f"{number:>{columns.number}}  {title}", Role.FAINT))
    indent = " " * (len(_MARGIN) + columns.number + 4)
    lines = harmless(step.shown) if step.shown is not None else _variables(step.state, columns.width - len(indent))
    yield from (line(indent, text) for text in lines)


def _variables(state: Mapping[str, Value], width: int) -> Iterator[str]:
    """`name  value` with the values below each other; the rows of an array of arrays as well."""
    names = min(max(map(cells, state), default=0), width // 2)
    for name, value in state.items():
        nested = isinstance(value, list) and any(isinstance(item, list) for item in value)
        label = name
        for item in value if nested and isinstance(value, list) else [value]:
            for text in folded(_value(item), width - names - 2):
                yield f"{padded(label, names)}  {text}"
                label = ""
