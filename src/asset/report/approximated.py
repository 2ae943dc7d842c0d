"""What a search may have omitted, as text."""

from __future__ import annotations

from asset.report import figures
from asset.verdict import Approximation, Verdict


def substance(verdict: Verdict, approximation: Approximation) -> str:
    """What the headline says if nothing was found."""
    return (
        f"no violation found; about {figures.count(verdict.states, 'state')}, expected omissions "
        f"{_rounded(approximation.expected)}, probability that any was omitted ≤ "
        f"{_rounded(approximation.probability)} ({figures.seconds(verdict.seconds.total)})"
    )


def table(verdict: Verdict) -> str:
    """The table in which states were kept; nothing if it omits none."""
    kept = verdict.approximation
    if kept is None:
        return ""
    size = figures.size(kept.bytes)
    if kept.addresses is not None:
        return f"bitstate hashing: {size}, {figures.count(kept.addresses, 'bit')} for each state"
    return f"hash compaction: {size}, {figures.count(kept.bits or 0, 'bit')} for each state"


def _rounded(number: float) -> str:
    """Two digits, never rounded down to 0."""
    return f"{number:.2g}" if number < 100 else f"{number:,.0f}"
