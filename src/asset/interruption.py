"""Ctrl-C and SIGTERM: the first asks to end soon with what there is, each further one asks for less, at once.

A handler can do little but raise, and an exception at the wrong moment loses what was found. So code says how it wants
to hear of a request. *Deferred* work goes on, and looks now and then whether it was `asked`; a second request raises
KeyboardInterrupt there. Within it, work that can be given up is done `at_once`: there the first request raises too.

Python cannot raise everywhere: an exception within a finaliser or a callback of a weak reference (the import system has
some) is printed and forgotten. A request that came at such a moment is made once more, a moment later.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

REQUESTS = (signal.SIGINT, signal.SIGTERM)

A_MOMENT = 0.01
"""Seconds, after which a callback that cannot raise has ended."""


class Interrupted(KeyboardInterrupt):
    """A request. Of KeyboardInterrupt itself CPython remembers that it was raised within `exec` (as data classes are
    made), and ends the process as if nobody had caught it."""

    def __init__(self, signum: int | None = None, asked_before: bool = False) -> None:
        super().__init__()
        self.signum = signum
        self.asked_before = asked_before


class _Requests:
    def __init__(self) -> None:
        self.asked = False
        self.deferring = False
        self.settled = False

    def hear(self, signum: int, frame: FrameType | None) -> None:
        if self.settled:
            return
        asked_before, self.asked = self.asked, True
        if asked_before or not self.deferring:
            raise Interrupted(signum, asked_before)

    def hear_again(self, lost: Interrupted) -> None:
        """As if the request that could not be raised had not come yet."""
        assert lost.signum is not None
        self.asked = lost.asked_before
        again = threading.Timer(A_MOMENT, _send, [lost.signum])
        again.daemon = True
        again.start()


def _send(signum: int) -> None:
    """To the main thread itself, if the system can do that: it may wait in a call that only a signal ends."""
    if sys.platform == "win32":
        signal.raise_signal(signum)
    else:
        signal.pthread_kill(threading.main_thread().ident or 0, signum)


_requests = _Requests()


def asked() -> bool:
    """Whether the work at hand was asked to end soon."""
    return _requests.asked


def give_way() -> None:
    """Ends what has come to nothing because of a request: that is no fault of who asked for it."""
    if asked():
        raise Interrupted


@contextmanager
def heeded(signals: Sequence[signal.Signals] = REQUESTS) -> Iterator[None]:
    """Inside, these signals are requests; those that are ignored (nohup) stay so. Only the main thread hears them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {each: signal.getsignal(each) for each in signals}
    shown = sys.unraisablehook

    def unraisable(lost: UnraisableHookArgs) -> None:
        if isinstance(lost.exc_value, Interrupted) and lost.exc_value.signum is not None:
            _requests.hear_again(lost.exc_value)
        else:
            shown(lost)

    ours = [each for each, does in before.items() if does not in (signal.SIG_IGN, None)]
    _requests.asked = _requests.settled = False
    sys.unraisablehook = unraisable
    for each in ours:
        signal.signal(each, _requests.hear)
    try:
        yield
    finally:
        if sys.unraisablehook is unraisable:
            sys.unraisablehook = shown
        for each in ours:
            if signal.getsignal(each) == _requests.hear:
                signal.signal(each, before[each])


def settle() -> None:
    """Until signals are heeded anew, requests change nothing: the answer was told, and with it the exit status."""
    _requests.settled = True


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
