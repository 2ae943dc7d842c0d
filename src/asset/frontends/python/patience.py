"""The user's Python code, run with patience: a call that takes too long is ended where it is, with its line."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

PATIENCE = 1.0
"""Seconds of the processor that one call may take. A call is one atomic step: most take a millionth of that."""


class Endless(BaseException):
    """Raised in code that takes too long. The user's code cannot catch it by mistake, as it is no `Exception`."""

    def __str__(self) -> str:
        return f"it does not end within {PATIENCE:g} s of computing"


@dataclass(slots=True)
class _Watch:
    """Looks at the calls that are being made, from a thread of its own."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    since: dict[int, float] = field(default_factory=dict)
    """When the call in a thread began."""
    running: bool = False

    def enter(self, thread: int) -> None:
        self.since[thread] = time.process_time()
        if not self.running:
            self.running = True
            threading.Thread(target=self._run, daemon=True, name="asset-patience").start()

    def leave(self, thread: int) -> None:
        with self.lock:
            self.since.pop(thread, None)

    def _run(self) -> None:
        while True:
            time.sleep(PATIENCE / 4)
            with self.lock:
                now = time.process_time()
                late = [each for each, begun in list(self.since.items()) if now - begun > PATIENCE]
                for thread in late:
                    del self.since[thread]
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(Endless))


_watch = _Watch()


@contextmanager
def within_patience() -> Iterator[None]:
    """Endless is raised inside if it takes too long."""
    thread = threading.get_ident()
    _watch.enter(thread)
    try:
        yield
    finally:
        _watch.leave(thread)
