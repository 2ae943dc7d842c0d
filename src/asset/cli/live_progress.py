"""A live line on a terminal that says how far a search has come."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TextIO

from asset.cli.output import columns
from asset.engine.outcome import Progress
from asset.report import figures

UNSEEN = 0.3
"""Seconds that a search may take before it is worth a line."""

LONG = 2.0
"""Seconds that all ranks of a cluster wait for one before it is named."""

_BETWEEN = 0.1  # seconds from one update to the next
_ERASE = "\r\x1b[2K"


class LiveProgress:
    """One line, rewritten in place while a search runs; nothing is left of it after `erase`."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._clock = clock
        self._began = clock()
        self._due = self._began + UNSEEN
        self._visible = False
        self._frontier = 0  # when it was last shown

    def show(self, progress: Progress) -> None:
        """The line shows `progress`, if it is time for an update."""
        if self._tell(lambda elapsed: parts(progress, elapsed, self._frontier)):
            self._frontier = progress.frontier

    def show_analysis(self, what: str, done: int, of: int) -> None:
        """The line shows how far deriving rules has come, if it is time for an update."""
        self._tell(lambda elapsed: [f"deriving rules: {what} {done:,} of {of:,}", f"{elapsed:.1f} s"])

    def show_simulation(self, progress: Progress) -> None:
        """The line shows how many random steps were made, if it is time for an update."""
        self._tell(
            lambda elapsed: [
                f"simulating {elapsed:.1f} s",
                figures.count(progress.edges, "step"),
                f"{figures.rate(progress.edges, elapsed)}/s",
                figures.count(progress.frontier, "run"),
                f"the longest {progress.depth:,}",
            ]
        )

    def _tell(self, phrases: Callable[[float], list[str]]) -> bool:
        """Whether it was time to."""
        now = self._clock()
        if now < self._due:
            return False
        self._due = now + _BETWEEN
        self._visible = True
        line = fitting(phrases(now - self._began), columns(self._stream) - 1)
        self._stream.write(_ERASE + line)
        self._stream.flush()
        return True

    def erase(self) -> None:
        if self._visible:
            self._visible = False
            self._stream.write(_ERASE)
            self._stream.flush()


def parts(progress: Progress, elapsed: float, frontier_before: int = 0) -> list[str]:
    """What there is to show, the most important first. An arrow says whether the frontier grows or shrinks."""
    trend = "↗" if progress.frontier > frontier_before else "↘" if progress.frontier < frontier_before else "→"
    rank, seconds = progress.waits_for or (0, 0.0)
    waiting = [f"waiting for rank {rank} for {seconds:.0f} s"] if seconds >= LONG else []
    return [
        f"exploring {elapsed:.1f} s",
        *waiting,
        figures.count(progress.states, "state"),
        f"{figures.rate(progress.states, elapsed)}/s",
        f"frontier {progress.frontier:,} {trend}",
        f"depth {progress.depth:,}",
        figures.size(progress.memory),
        figures.count(progress.edges, "edge"),
    ]


def fitting(phrases: list[str], width: int) -> str:
    """As many of the phrases as `width` has room for."""
    line = ""
    for phrase in phrases:
        longer = f"{line}, {phrase}" if line else phrase
        if len(longer) > width:
            break
        line = longer
    return line
