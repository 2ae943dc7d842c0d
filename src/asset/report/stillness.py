"""Why nothing moves, as text: who waits where and for what, and who waits for whom."""

from __future__ import annotations

from collections.abc import Iterator

from asset.report.counterexample import PROGRESS
from asset.report.document import Line, Piece, Role, folded, line, one_line
from asset.report.table import shown, source
from asset.verdict import Stillness, Verdict, Waiting


def stillness_lines(verdict: Verdict, width: int) -> Iterator[Line]:
    """Nothing if everybody moves, or if that is not what is wrong."""
    still = stillness_of(verdict)
    if still is None:
        return
    yield line(Piece(title(verdict), Role.STRONG))
    for text in sentences(still):
        yield from (
            line("  " if number == 0 else "      ", part) for number, part in enumerate(folded(text, width - 6))
        )


def stillness_of(verdict: Verdict) -> Stillness | None:
    """Who does not move, if that matters for what is violated."""
    run, violation = verdict.counterexample, verdict.violation
    if run is None or violation is None or violation.kind not in ("deadlock", *PROGRESS):
        return None
    return run.stillness if run.stillness.waiting else None


def title(verdict: Verdict) -> str:
    run = verdict.counterexample
    cycle = run is not None and run.cycle_starts_at is not None
    return "Who does not move in the cycle" if cycle else "Why nothing moves"


def sentences(still: Stillness) -> Iterator[str]:
    """One for each wait, one for those that have finished, one for the circle."""
    yield from map(waits, still.waiting)
    if still.finished:
        has = "has" if len(still.finished) == 1 else "have"
        yield f"{', '.join(still.finished)} {has} nothing left to do"
    if still.circle:
        yield circle(still)


def waits(each: Waiting) -> str:
    """`customer 0 waits at flags.py:14: not wants[1] (wants[1] is True since step 3)`."""
    if not each.condition:
        return f"{each.process} could fire {each.transition} ({source(each.span)}), but never does"
    return f"{each.process} waits at {wanted(each)}"


def wanted(each: Waiting) -> str:
    """`flags.py:14: not wants[1] (wants[1] is True since step 3)`."""
    cells = ", ".join(f"{cell} is {shown(value)}{_since(since)}" for cell, value, since in each.cells)
    decided = f" ({cells})" if cells else ""
    return f"{source(each.span)}: {one_line(each.condition)}{decided}"


def circle(still: Stillness) -> str:
    """`customer 0 waits for customer 1, customer 1 waits for customer 0`."""
    following = (*still.circle[1:], still.circle[0])
    return ", ".join(f"{one} waits for {other}" for one, other in zip(still.circle, following, strict=True))


def _since(step: int) -> str:
    return f" since step {step}" if step else " from the start"
