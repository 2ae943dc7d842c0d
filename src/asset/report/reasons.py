"""Why a property is false, as text: the parts that fail, their operands' values, and the variables that decide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from asset.report.document import Line, Piece, Role, folded, line, one_line, packed
from asset.report.table import leading, shown, source
from asset.verdict import Reason, Verdict


def why_lines(verdict: Verdict, width: int) -> Iterator[Line]:
    """Nothing if no reasons are known."""
    violation = verdict.violation
    if violation is None or not violation.why:
        return
    yield line(Piece(why_title(verdict), Role.STRONG))
    for reason in violation.why:
        yield from _told(reason, "  ", width)


def why_title(verdict: Verdict) -> str:
    name = verdict.violation.property if verdict.violation else None
    run = verdict.counterexample
    where = "state where it was seen" if run is None else "last state" if len(run) > 1 else "initial state"
    return f"Why {name or 'it'} is false in the {where}"


def equation(reason: Reason) -> str:
    """`sum(…) <= 1 is 2 <= 1`."""
    return f"{reason.text} is {reason.values}"


def deciding(reason: Reason) -> list[str]:
    """`at[1] = INSIDE` for each variable that decides."""
    return [f"{cell} = {shown(value)}" for cell, value in reason.cells]


def sentences(reasons: Iterable[Reason], margin: str = "") -> Iterator[str]:
    """A line for each reason and, further in, for each of its parts."""
    for reason in reasons:
        cells = f" ({', '.join(deciding(reason))})" if reason.cells else ""
        yield f"{margin}{equation(reason)}{cells}"
        yield from sentences(reason.parts, margin + "  ")


def _told(reason: Reason, margin: str, width: int) -> Iterator[Line]:
    *lines, last = folded(one_line(equation(reason)), width - len(margin) - 2 - len(source(reason.span)))
    yield from (line(margin, text) for text in lines)
    yield line(margin, last, "  ", Piece(source(reason.span), Role.FAINT, leading(reason.span)))
    for text in packed(deciding(reason), width - len(margin) - 4) if reason.cells else []:
        yield line(margin, "    ", Piece(text, Role.NAME))
    for part in reason.parts:
        yield from _told(part, margin + "  ", width)
