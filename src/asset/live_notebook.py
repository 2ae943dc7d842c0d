"""What a notebook shows while a check runs: one line, rewritten in place, gone when the verdict is there."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from asset.engine.outcome import OnProgress, Progress

PATIENCE = 0.5
"""Seconds that a check may take before it is worth a line, and from one line to the next."""


@contextmanager
def progress() -> Iterator[OnProgress | None]:
    """An observer that shows how far a search has come; None if this is no notebook."""
    display = _display()
    if display is None:
        yield None
        return
    line = _Line(display)
    try:
        yield line.show
    finally:
        line.erase()


class _Line:
    def __init__(self, display: Any) -> None:
        self._display = display
        self._handle: Any = None
        self._began = time.monotonic()
        self._due = self._began + PATIENCE

    def show(self, now: Progress) -> bool:
        """The line tells of `now`, if it is time to; the search is to go on."""
        moment = time.monotonic()
        if moment >= self._due:
            self._due = moment + PATIENCE
            self._write(f"{now.states:,} states, frontier {now.frontier:,}, {moment - self._began:.0f} s")
        return True

    def erase(self) -> None:
        if self._handle is not None:
            self._write("")

    def _write(self, text: str) -> None:
        bundle = {"text/html": f"<small>{escape(text)}</small>", "text/plain": text}
        if self._handle is None:
            self._handle = self._display(bundle, raw=True, display_id=True)
        else:
            self._handle.update(bundle, raw=True)


def _display() -> Any:
    """IPython's `display` if this is the kernel of a notebook, else None, at no cost."""
    ipython = sys.modules.get("IPython")
    if ipython is None:
        return None
    shell = ipython.get_ipython()
    if shell is None or type(shell).__name__ != "ZMQInteractiveShell":
        return None
    return ipython.display.display
