"""What a sweep measures: one row for each value, of each way of checking."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

ENDED_EARLY = frozenset({"interrupted", "max-memory", "max-states"})
"""The caveats of a search that did not see every reachable state, by their stable codes."""


_STOPPING = frozenset({"safety", "deadlock", "model-error", "conflict", "range", "audit"})
"""Kinds of violations that end a search."""


@dataclass(frozen=True, slots=True)
class SweepRow:
    """One check. `complete` if every reachable state was explored: only such counts say how the model grows."""

    value: str
    verdict: str
    remark: str
    complete: bool
    states: int
    edges: int
    seconds: float
    memory: int
    fingerprint: str
    """Of everything that the row depends on: it is the same if the check would do the same again."""

    @classmethod
    def of_verdict(cls, value: str, fingerprint: str, verdict: Mapping[str, Any]) -> SweepRow:
        """From the object that `asset check --json` writes."""
        codes = {caveat["code"] for caveat in verdict["caveats"]}
        violation = verdict["violation"]
        early = sorted(codes & ENDED_EARLY)
        stops = violation is not None and violation["kind"] in _STOPPING
        return cls(
            value=value,
            verdict=verdict["verdict"],
            remark=(violation["property"] or violation["kind"]) if violation else "".join(early[:1]),
            complete=not early and not stops,
            states=verdict["states"],
            edges=verdict["edges"],
            seconds=verdict["seconds"]["total"],
            memory=verdict["memory"]["peak"],
            fingerprint=fingerprint,
        )

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Series:
    """One way of checking, as the options of `asset check`, and its rows in the order of the values."""

    name: str
    options: tuple[str, ...]
    rows: tuple[SweepRow, ...] = ()
    stopped: str = ""
    """Why there is no row for the next value, if there is none."""

    def with_row(self, row: SweepRow) -> Series:
        return Series(self.name, self.options, (*self.rows, row), self.stopped)

    def ended(self, reason: str) -> Series:
        return Series(self.name, self.options, self.rows, reason)

    def row(self, value: str) -> SweepRow | None:
        return next((row for row in self.rows if row.value == value), None)
