"""Ctrl-C and SIGTERM: the first asks to end soon with what there is, each further one asks for less, at once.

A handler can do little but raise, and an exception at the wrong moment loses what was found. So code says how it wants
to hear of a request. *Deferred* work goes on, and looks now and then whether it was `asked`; a second request raises
KeyboardInterrupt there. Within it, work that can be given up is done `at_once`: there the first request raises too.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

REQUESTS = (signal.SIGINT, signal.SIGTERM)


class Interrupted(KeyboardInterrupt):
    """A request. Of KeyboardInterrupt itself CPython remembers that it was raised within `exec` (as data classes are
    made), and ends the process as if nobody had caught it."""


class _Requests:
    def __init__(self) -> None:
        self.asked = False
        self.deferring = False

    def hear(self, signum: int, frame: FrameType | None) -> None:
        goes_on = self.deferring and not self.asked
        self.asked = True
        if not goes_on:
            raise Interrupted


_requests = _Requests()


def asked() -> bool:
    """Whether the work at hand was asked to end soon."""
    return _requests.asked


@contextmanager
def heeded(signals: Sequence[signal.Signals] = REQUESTS) -> Iterator[None]:
    """Inside, these signals are requests; those that are ignored (nohup) stay so. Only the main thread hears them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {each: signal.getsignal(each) for each in signals}
    ours = [each for each, does in before.items() if does not in (signal.SIG_IGN, None)]
    _requests.asked = False
    for each in ours:
        signal.signal(each, _requests.hear)
    try:
        yield
    finally:
        for each in ours:
            if signal.getsignal(each) == _requests.hear:
                signal.signal(each, before[each])


def ignored() -> None:
    """From here on nobody hears requests: the exit status is known, and must not become another one."""
    for each in REQUESTS:
        signal.signal(each, signal.SIG_IGN)


@contextmanager
def deferred() -> Iterator[None]:
    """Inside, the first request does not raise. If nobody heeds signals, Ctrl-C is heeded here, and SIGTERM ends us."""
    if _requests.deferring or threading.current_thread() is not threading.main_thread():
        yield
        return
    own = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with heeded((signal.SIGINT,) if own else ()):
        _requests.asked, _requests.deferring = False, True
        try:
            yield
        finally:
            _requests.deferring = False


@contextmanager
def at_once() -> Iterator[None]:
    """Inside, a request raises KeyboardInterrupt; right now, if there was one before."""
    deferring = _requests.deferring
    if deferring and threading.current_thread() is threading.main_thread():
        if _requests.asked:
            raise Interrupted
        _requests.deferring = False
        try:
            yield
        finally:
            _requests.deferring = True
    else:
        yield
