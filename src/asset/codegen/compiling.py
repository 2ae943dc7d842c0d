"""Has LLVM compile a program's pieces: in children, on all processors, if there is much to do.

LLVM cannot be interrupted, but a child can be ended: so Ctrl-C is heard however long it takes.
"""

from __future__ import annotations

import os
import select
import signal
import struct
import threading
from collections.abc import Sequence
from contextlib import suppress

from asset import interruption, orphans
from asset.codegen.llvm import object_code, prepare
from asset.processor import processors

ALONE_BYTES = 100_000
"""Text that is compiled right here: it takes a tenth of a second, about, and a child some hundredths to start."""

_SIZE = struct.Struct("<Q")


def object_codes(texts: Sequence[str], quickly: bool) -> list[bytes]:
    """Each of the modules as an object file."""
    may_fork = hasattr(os, "fork") and threading.active_count() == 1  # a child has no other threads, but their locks
    if not may_fork or sum(map(len, texts)) <= ALONE_BYTES:
        return [object_code(text, quickly) for text in texts]
    prepare()  # the children inherit it
    count = min(len(texts), processors())
    children: list[_Child] = []
    try:
        for first in range(count):
            children.append(_Child(texts[first::count], quickly))
        _receive(children)
        found = [child.found(len(texts[first::count])) for first, child in enumerate(children)]
    finally:
        for child in children:
            child.end()
    if any(part is None for part in found):  # the system gave a child too little: perhaps there is enough for one
        return [object_code(text, quickly) for text in texts]
    return [(found[at % count] or [])[at // count] for at in range(len(texts))]


class _Child:
    """A child that compiles some modules and writes what comes of them to a pipe, each after its length."""

    def __init__(self, texts: Sequence[str], quickly: bool) -> None:
        self.pipe, writing = os.pipe()
        lifeline, self._lifeline = os.pipe()
        # A request to end must not be heard by a child that is not ready to be ended yet.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, interruption.REQUESTS)
        self._process = os.fork()
        if self._process == 0:
            os.close(self.pipe)
            os.close(self._lifeline)
            _work(texts, quickly, writing, lifeline)
        self.received = bytearray()
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        os.close(writing)
        os.close(lifeline)

    def found(self, count: int) -> list[bytes] | None:
        """The objects; None if the child did not get to the end of it."""
        objects, at = [], 0
        while at + _SIZE.size <= len(self.received):
            (size,) = _SIZE.unpack_from(self.received, at)
            at += _SIZE.size + size
            objects.append(bytes(self.received[at - size : at]))
        return objects if at == len(self.received) and len(objects) == count else None

    def end(self) -> None:
        os.close(self.pipe)
        os.close(self._lifeline)
        with suppress(ProcessLookupError):
            os.kill(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)


def _work(texts: Sequence[str], quickly: bool, pipe: int, lifeline: int) -> None:
    """What the child does; it does not return."""
    try:
        for each in interruption.REQUESTS:
            signal.signal(each, signal.SIG_IGN)  # its parent is asked, too, and ends it
        orphans.end_with_parent(lifeline)
        with os.fdopen(pipe, "wb") as out:
            for text in texts:
                code = object_code(text, quickly)
                out.write(_SIZE.pack(len(code)) + code)
    finally:
        os._exit(0)


def _receive(children: Sequence[_Child]) -> None:
    """All that the children write, until each has closed its pipe."""
    writing = {child.pipe: child for child in children}
    while writing:
        for pipe in select.select(list(writing), [], [])[0]:
            part = os.read(pipe, 1 << 20)
            writing[pipe].received += part
            if not part:
                del writing[pipe]
