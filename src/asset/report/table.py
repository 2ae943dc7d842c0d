"""A run as a table of what each step changes, with some of its states in full and its cycle in a bracket."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from asset.report.document import Line, Piece, Role, cells, folded, harmless, line, one_line, packed, padded
from asset.span import Span
from asset.verdict import Change, Members, Named, Parts, Step, Value

LONG = 60
"""A run of more steps than this is folded in the middle."""

WIDE = 12
"""A variable that takes more lines than this is folded at its end."""

_SHOWN_FIRST, _SHOWN_LAST = 30, 20
_LEAST_CODE, _MOST_CODE = 20, 40  # of the text that a step ran, so much is shown
_NARROWEST = 24  # a column of changes narrower than this is not readable: they go below the transition instead
_MARGIN, _CYCLE_BEGINS, _CYCLE, _CYCLE_ENDS = "  ", "┌ ", "│ ", "└ "


@dataclass(frozen=True, slots=True)
class Remark:
    """Something to say about the state that a step leads to."""

    text: str
    role: Role = Role.UNSURE


@dataclass(frozen=True, slots=True)
class Tale:
    """A run to be told. What is keyed by a number belongs to the state, or to the step that leads to it.

    `in_full` gives the titles of the states that are shown in full; `failing` is the transition whose firing in the
    last state is a model error, and where. If the last state is that of step `cycle_starts_at` again, the steps from
    there on repeat for ever. Without `folds` even a long run is told step by step.
    """

    steps: tuple[Step, ...]
    in_full: Mapping[int, str] = field(default_factory=dict)
    remarks: Mapping[int, tuple[Remark, ...]] = field(default_factory=dict)
    cycle_starts_at: int | None = None
    failing: tuple[str, Span | None] | None = None
    failing_word: str = "model error"
    folds: bool = True


@dataclass(frozen=True, slots=True)
class StepRow:
    """One line of the table, its `details` broken between phrases if they do not fit."""

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
    place: int
    width: int


def source(span: Span) -> str:
    """`ring.py:14`: short, since the path is the user's own model; in a notebook `cell 6, line 9`."""
    return span.in_notebook or f"{os.path.basename(span.file)}:{span.line}"


def located(span: Span) -> str:
    """`models/ring.py:14:9`, from where the user is, if that is above the file."""
    if span.in_notebook:
        return span.in_notebook
    below = os.path.relpath(span.file)
    file = span.file if below.startswith(os.pardir) else below
    return f"{file}:{span.line}:{span.column}"


def place(span: Span, role: Role) -> Piece:
    """Where something is, which leads there."""
    return Piece(located(span), role, leading(span))


def leading(span: Span) -> str:
    """The address of the file, for links."""
    return Path(os.path.abspath(span.file)).as_uri()


def told(tale: Tale, width: int) -> Iterator[Line]:
    """The table, within `width`."""
    in_own_words = _one_line_each(tale.steps)
    count = len(tale.steps) + (tale.failing is not None)
    rows = {number: _row(tale, number, in_own_words) for number in _unfolded(tale, count)}
    columns = _columns([row for number, row in rows.items() if number or in_own_words], width)
    yield from _titles(rows.values(), columns, "state" if in_own_words else "changes")
    yield from _body(replace(tale, in_full={}) if in_own_words else tale, rows, columns)


def changed(change: Change) -> str:
    """`client[2]: IDLE → REQUESTED`."""
    return f"{change.cell}: {shown(change.before)} → {shown(change.after)}"


def state_lines(step: Step, width: int, folds: bool = True) -> Iterator[str]:
    """A state: in the words of the model if it has them, else its variables, of which wide ones are folded."""
    yield from harmless(step.shown) if step.shown is not None else _variables(step.state, width, folds)


def _one_line_each(steps: Iterable[Step]) -> bool:
    """Whether the model shows each state as one line: then these lines tell the run better than changes do."""
    return all(step.shown is not None and len(harmless(step.shown)) == 1 for step in steps)


def _row(tale: Tale, number: int, in_own_words: bool) -> StepRow:
    if number == len(tale.steps):
        assert tale.failing is not None
        return _failing_row(number, *tale.failing, tale.failing_word)
    step = tale.steps[number]
    changes = tuple(map(changed, _besides_the_move(step))) or (() if step.move else ("nothing changes",))
    details = (harmless(step.shown or "")[0],) if in_own_words else changes
    place = source(step.span) if step.span and step.transition else ""
    if step.move and step.code:  # the move has the line
        place = one_line(step.code)
    elif step.code:
        details = (*details, f"by {one_line(step.code)}")
    role = Role.NAME if step.transition else Role.FAINT
    return StepRow(str(number), step.move or step.transition or "initial state", details, place, role)


def _besides_the_move(step: Step) -> Iterator[Change]:
    """What a step changed besides where its process is, which its move says."""
    who = step.move.partition(":")[0]
    return (change for change in step.changes if change.cell != who)


def _shortened(text: str, width: int) -> str:
    return text if cells(text) <= width else text[: width - 1] + "…"


def _failing_row(number: int, transition: str, at: Span | None, word: str) -> StepRow:
    return StepRow(str(number), transition, (word,), source(at) if at else "", Role.BAD)


def shown(value: Value) -> str:
    match value:
        case Members():
            return f"{{{', '.join(map(shown, value))}}}"
        case Parts():
            return f"({', '.join(map(shown, value))}{',' if len(value) == 1 else ''})"
        case list():
            return f"[{', '.join(map(shown, value))}]"
        case Named(name=name):
            return f"{name}({', '.join(f'{part}={shown(item)}' for part, item in value.items())})"
        case dict():
            return f"{{{', '.join(f'{key}: {shown(item)}' for key, item in value.items())}}}"
        case _:
            return str(value)


def _columns(rows: list[StepRow], width: int) -> Columns:
    """Columns that fit `width`: the details get what the others leave, if that is enough to read them."""
    number = max([len("step"), *(len(row.number) for row in rows)])
    transition = max([len("transition"), *(cells(row.transition) for row in rows)])
    widest = max([len("changes"), *(cells(", ".join(row.details)) for row in rows)])
    left = width - len(_MARGIN) - number - 2 - transition - 2
    needed = min(widest, _NARROWEST)
    place = min(_MOST_CODE, max([0, *(cells(row.place) for row in rows)]))
    place = max(min(place, _LEAST_CODE), min(place, left - 2 - needed))
    left -= 2 + place if place else 0
    if left >= needed:
        return Columns(number, transition, min(widest, left), place, width)
    return Columns(number, transition, None, _MOST_CODE, width)


def _titles(rows: Collection[StepRow], columns: Columns, details: str) -> Iterator[Line]:
    if columns.details is None or len(rows) == 1:
        return
    title = f"{'step':>{columns.number}}  {padded('transition', columns.transition)}"
    place = "  source" if any(row.place for row in rows) else ""
    yield line(_MARGIN, Piece(f"{title}  {padded(details, columns.details)}{place}", Role.FAINT))


def _body(tale: Tale, rows: Mapping[int, StepRow], columns: Columns) -> Iterator[Line]:
    """Every row that is shown, within the cycle behind a bracket."""
    cycle_starts_at = max(rows) + 1 if tale.cycle_starts_at is None else tale.cycle_starts_at
    previous = -1
    for number, row in rows.items():
        lines = [*_fold(number - previous - 1, columns), *_entry(tale, row, number, columns)]
        yield from _behind(_CYCLE if number > cycle_starts_at else _MARGIN, lines)
        if number == cycle_starts_at:
            yield from _behind(_CYCLE_BEGINS, [line(Piece("the cycle: repeats for ever", Role.UNSURE))])
        previous = number
    if tale.cycle_starts_at is not None:
        yield from _behind(_CYCLE_ENDS, [line(Piece(f"back to step {tale.cycle_starts_at}", Role.UNSURE))])


def _behind(margin: str, lines: Iterable[Line]) -> Iterator[Line]:
    piece = Piece(margin) if margin == _MARGIN else Piece(margin, Role.UNSURE)
    return ((piece, *parts) for parts in lines)


def _unfolded(tale: Tale, rows: int) -> list[int]:
    """The rows to show: all, or, of a long run, both ends and the steps where there is something to say."""
    if rows - 1 <= LONG or not tale.folds:
        return list(range(rows))
    rows_told = {*range(_SHOWN_FIRST + 1), *range(rows - _SHOWN_LAST, rows), *tale.in_full, *tale.remarks}
    return sorted(rows_told if tale.cycle_starts_at is None else rows_told | {tale.cycle_starts_at})


def _fold(hidden: int, columns: Columns) -> Iterator[Line]:
    if hidden > 0:
        text = f"{hidden} steps not shown; --html FILE shows them all"
        yield line(Piece(f"{'⋮':>{columns.number}}  ", Role.FAINT), Piece(text, Role.UNSURE))


def _entry(tale: Tale, row: StepRow, number: int, columns: Columns) -> Iterator[Line]:
    """A row, then its state in full if that is wanted, then what there is to say of it."""
    title = tale.in_full.get(number)
    if number > 0 or title is None:
        yield from _table_row(row, columns)
    if title is not None:
        yield from _full(tale.steps[number], title, columns)
    for remark in tale.remarks.get(number, ()):
        yield from _said(remark, columns)


def _said(remark: Remark, columns: Columns) -> Iterator[Line]:
    *lines, last = folded(remark.text, columns.width - len(_MARGIN) - 6)
    yield from (line(Piece(f"── {text}", remark.role)) for text in lines)
    yield line(Piece(f"── {last} ──", remark.role))


def _table_row(row: StepRow, columns: Columns) -> Iterator[Line]:
    number = f"{row.number:>{columns.number}}  "
    if columns.details is None:
        yield from _stacked_row(row, number, columns)
        return
    details = packed(row.details, columns.details)
    first = padded(details[0], columns.details)
    transition = Piece(padded(row.transition, columns.transition), row.role)
    place = Piece(_shortened(row.place, columns.place), Role.FAINT)
    yield line(Piece(number, Role.FAINT), transition, f"  {first}  ", place)
    indent = " " * (len(number) + columns.transition + 2)
    yield from (line(indent, detail) for detail in details[1:])


def _stacked_row(row: StepRow, number: str, columns: Columns) -> Iterator[Line]:
    """The row of a narrow table: what changes stands below the transition."""
    place = Piece(_shortened(row.place, columns.place), Role.FAINT)
    yield line(Piece(number, Role.FAINT), Piece(f"{row.transition}  ", row.role), place)
    indent = " " * (len(number) + 2)
    if row.details:
        details = packed(row.details, columns.width - len(_MARGIN) - len(indent))
        yield from (line(indent, detail) for detail in details)


def _full(step: Step, title: str, columns: Columns) -> Iterator[Line]:
    number = "0" if step.transition is None else ""
    yield line(Piece(f"{number:>{columns.number}}  {title}", Role.FAINT))
    indent = " " * (columns.number + 4)
    lines = state_lines(step, columns.width - len(_MARGIN) - len(indent))
    yield from (line(indent, text) for text in lines)


def _variables(state: Mapping[str, Value], width: int, folds: bool) -> Iterator[str]:
    """`name  value` with the values below each other; the rows of an array of compound values as well."""
    names = min(max(map(cells, state), default=0), width // 2)
    for name, value in state.items():
        nested = isinstance(value, list) and any(isinstance(item, list | dict) for item in value)
        items = value if nested and isinstance(value, list) else [value]
        lines = [text for item in items for text in folded(shown(item), width - names - 2)]
        for label, text in zip([name, *[""] * len(lines)], _few(lines) if folds else lines, strict=False):
            yield f"{padded(label, names)}  {text}"


def _few(lines: list[str]) -> list[str]:
    """The lines of a variable; of many, the first and how many there are."""
    if len(lines) <= WIDE:
        return lines
    return [*lines[: WIDE - 1], f"⋮ {len(lines) - WIDE + 1} more lines; --json FILE writes them all"]
