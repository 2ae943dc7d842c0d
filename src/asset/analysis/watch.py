"""Whether an analysis is to go on: asked of an observer now and then, in every loop that may take long."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from time import monotonic, thread_time

Observer = Callable[[str, int, int], bool]
"""Told what is being done, how much of it is done and of how much; returning False ends the analysis."""

EVERY = 0.05
"""Seconds between two questions."""


_elsewhere = 0.0  # seconds that children have worked


def processor_time() -> float:
    """Seconds that this thread has worked, or waited for a child that works for it."""
    return thread_time() + _elsewhere


class OutOfTime(Exception):
    """The observer does not want the analysis to go on."""


class Watch:
    """Once the observer has said no, all that is asked is answered so: `over`."""

    def __init__(self, observer: Observer | None = None) -> None:
        self._observer = observer
        self._doing = ("", 0, 1)
        self._next = 0.0
        self.over = False

    def charge(self, seconds: float) -> None:
        """So long a child worked for the analysis, which counts as if this process had."""
        global _elsewhere
        _elsewhere += seconds

    def at(self, what: str, done: int, of: int) -> None:
        """Tells the observer. Raises OutOfTime if the analysis is to end."""
        self._doing = (what, done, of)
        self._ask()

    def tick(self) -> None:
        """As `at`, if the observer was not asked for a while: to be called often."""
        if self._observer is not None and monotonic() >= self._next:
            self._ask()

    def still(self) -> bool:
        """As `tick`, for what must be brought to an end: whether there is time to do it with care."""
        with suppress(OutOfTime):
            self.tick()
        return not self.over

    def _ask(self) -> None:
        if not self.over and self._observer is not None:
            self.over = not self._observer(*self._doing)
        if self.over:
            raise OutOfTime
        self._next = monotonic() + EVERY
