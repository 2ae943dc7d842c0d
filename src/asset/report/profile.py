"""Where the time of a search went, as text."""

from __future__ import annotations

from collections.abc import Iterator

from asset.report.document import Line, Piece, Role, cells, line, padded
from asset.verdict import TransitionCost, Verdict

MOST = 12
"""Transitions that are listed; the JSON has all."""

WIDEST = 32
"""Columns for the name of a transition."""

_HEADS = ("share", "tried", "fired")


def shares(verdict: Verdict) -> str:
    """How much of the time went into what, in per cent; empty if nobody asked."""
    if verdict.profile is None or not verdict.profile.seconds:
        return ""
    seconds = verdict.profile.seconds
    total = sum(seconds.values())
    told = {name: spent for name, spent in seconds.items() if name != "dispatch" or spent >= 0.005 * total}
    return ", ".join(f"{name} {_percent(spent, total)}" for name, spent in told.items())


def profile_lines(verdict: Verdict, width: int) -> Iterator[Line]:
    """The transitions that cost most: their share of all time, how often they were tried, and fired."""
    if verdict.profile is None or not verdict.profile.transitions:
        return
    total = sum(verdict.profile.seconds.values())
    listed = verdict.profile.transitions[:MOST]
    rows = [_HEADS, *(_row(each, total) for each in listed)]
    names = ["transitions by cost", *(_name(each) for each in listed)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    broad = min(max(map(cells, names)), WIDEST, max(8, width - 10 - sum(widths)))
    for number, (name, row) in enumerate(zip(names, rows, strict=True)):
        figures = "".join("  " + text.rjust(columns) for text, columns in zip(row, widths, strict=True))
        text = padded(_cut(name, broad), broad) + figures
        yield line("  ", Piece(text, Role.FAINT)) if number == 0 else line("  ", text)
    left = len(verdict.profile.transitions) - len(listed)
    if left:
        yield line("  ", Piece(f"and {left:,} more, which cost less", Role.FAINT))


def _row(cost: TransitionCost, total: float) -> tuple[str, str, str]:
    return _percent(cost.seconds, total), f"{cost.tried:,}", f"{cost.fired:,}"


def _name(cost: TransitionCost) -> str:
    return cost.name if cost.commands == 1 else f"{cost.name} ({cost.commands:,} of them)"


def _cut(text: str, width: int) -> str:
    return text if cells(text) <= width else text[: width - 1] + "…"


def _percent(part: float, total: float) -> str:
    return f"{100 * part / total:.0f}%" if total else "0%"
