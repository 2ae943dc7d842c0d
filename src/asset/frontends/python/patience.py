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
        return f"it may not end: it took more than {PATIENCE:g} s of the processor's time"


@dataclass(slots=True)
class _Watch:
    """Looks at the calls that are being made, from a thread of its own."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    deadlines: dict[int, float] = field(default_factory=dict)
    """When the patience with the call in a thread ends."""
    running: bool = False

    def begin(self, thread: int, deadline: float) -> float | None:
        """The deadline of the call around this one is given back."""
        with self.lock:
            before = self.deadlines.get(thread)
            self.deadlines[thread] = deadline
        if not self.running:
            self.running = True
            threading.Thread(target=self._run, daemon=True, name="asset-patience").start()
        return before

    def end(self, thread: int, before: float | None) -> None:
        with self.lock:
            self.deadlines.pop(thread, None)
            if before is not None:
                self.deadlines[thread] = before

    def _run(self) -> None:
        while True:
            time.sleep(PATIENCE / 4)
            now = time.process_time()
            with self.lock:
                for thread in [each for each, deadline in self.deadlines.items() if now > deadline]:
                    del self.deadlines[thread]
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(Endless))


_watch = _Watch()


@contextmanager
def within_patience(seconds: float = PATIENCE) -> Iterator[None]:
    """Endless is raised inside if it takes longer."""
    thread = threading.get_ident()
    before = _watch.begin(thread, time.process_time() + seconds)
    try:
        yield
    finally:
        _watch.end(thread, before)
