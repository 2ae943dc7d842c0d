"""Has LLVM compile a program's pieces: in children, on all processors, if there is much to do.

LLVM cannot be interrupted, but a child can be ended: so Ctrl-C is heard however long it takes.
"""

from __future__ import annotations

import os
import select
import signal
import struct
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial

from asset import interruption, orphans
from asset.codegen.llvm import object_code, prepare
from asset.codegen.pieces import Piece
from asset.processor import processors

ALONE_BYTES = 100_000
"""Text that is compiled right here: it takes a tenth of a second, about, and a child some hundredths to start."""

WRITING = 0.02
"""Seconds in which a child that has begun to write its object writes more of it."""

_SIZE = struct.Struct("<Q")


def may_fork() -> bool:
    """A child has no other threads, but their locks."""
    return hasattr(os, "fork") and threading.active_count() == 1


def object_codes(pieces: Sequence[Piece]) -> list[bytes]:
    """Each of the modules as an object file."""
    if not may_fork() or sum(len(piece.text) for piece in pieces) <= ALONE_BYTES:
        return list(_each_object(pieces))
    prepare()  # the children inherit it
    shares = _shares([len(piece.text) for piece in pieces], processors())
    children: list[_Child] = []
    try:
        for share in shares:
            children.append(_Child(partial(_each_object, [pieces[at] for at in share])))
        _receive(children)
        found = {share: child.found(len(share)) for share, child in zip(shares, children, strict=True)}
    finally:
        for child in children:
            child.end()
    codes = {at: code for share, part in found.items() if part for at, code in zip(share, part, strict=True)}
    if len(codes) < len(pieces):  # the system gave a child too little: perhaps there is enough for one
        return list(_each_object(pieces))
    return [codes[at] for at in range(len(pieces))]


def _shares(sizes: Sequence[int], most: int) -> list[tuple[int, ...]]:
    """The modules of each child, by their places: the largest first, each to the child that has least to do."""
    shares: list[list[int]] = [[] for _ in range(min(len(sizes), most))]
    for at in sorted(range(len(sizes)), key=lambda at: -sizes[at]):
        min(shares, key=lambda share: sum(sizes[each] for each in share)).append(at)
    return [tuple(share) for share in shares]


class Meanwhile:
    """A module that a child writes and compiles, as well as can be, while this process goes on. The child keeps the
    object itself, so that it may be let go."""

    def __init__(self, text: Callable[[], str], keep: Callable[[list[bytes]], None]) -> None:
        def kept() -> list[bytes]:
            objects = [object_code(text())]
            keep(objects)
            return objects

        self._child = _Child(kept, may_be_let_go=True)
        self._end = weakref.finalize(self, _end_own, self._child, os.getpid())

    def let_go(self) -> None:
        """The child gets to its end, also if this process does before."""
        if self._end.alive:
            self._child.let_go()

    def poll(self) -> list[bytes] | None:
        """The object, alone; none if the child did not get to the end of it. None if it is not there yet."""
        wait = 0.0
        while self._end.alive and select.select([self._child.pipe], [], [], wait)[0]:
            part = os.read(self._child.pipe, 1 << 20)
            self._child.received += part
            wait = WRITING  # a pipe has room for a part only
            if not part:
                self._end()
        return None if self._end.alive else self._child.found(1) or []


def _end_own(child: _Child, parent: int) -> None:
    if os.getpid() == parent:  # and not another child of it
        child.end()


def _each_object(pieces: Sequence[Piece]) -> Iterator[bytes]:
    return (object_code(*piece) for piece in pieces)


class _Child:
    """A child that makes some objects and writes them to a pipe, each after its length."""

    def __init__(self, objects: Callable[[], Iterable[bytes]], may_be_let_go: bool = False) -> None:
        _reap_those_let_go()
        self._let_go = False
        self.pipe, writing = os.pipe()
        lifeline, self._lifeline = os.pipe()
        # A request to end must not be heard by a child that is not ready to be ended yet.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, interruption.REQUESTS)
        try:
            self._process = os.fork()
            if self._process == 0:
                os.close(self.pipe)
                os.close(self._lifeline)
                _work(objects, writing, lifeline, may_be_let_go)
        except OSError:  # the system allows no further process
            os.close(self.pipe)
            os.close(self._lifeline)
            raise
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            os.close(writing)
            os.close(lifeline)
        self.received = bytearray()

    def found(self, count: int) -> list[bytes] | None:
        """The objects; None if the child did not get to the end of it."""
        objects, at = [], 0
        while at + _SIZE.size <= len(self.received):
            (size,) = _SIZE.unpack_from(self.received, at)
            at += _SIZE.size + size
            objects.append(bytes(self.received[at - size : at]))
        return objects if at == len(self.received) and len(objects) == count else None

    def let_go(self) -> None:
        if not self._let_go:
            with suppress(OSError):  # it has ended
                orphans.let_go(self._lifeline)
            self._let_go = True

    def end(self) -> None:
        os.close(self.pipe)
        os.close(self._lifeline)
        if self._let_go:
            _those_let_go.append(self._process)
            return
        with suppress(ProcessLookupError):
            os.kill(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)


_those_let_go: list[int] = []
"""Children that may still be working. The system keeps what has ended until somebody asks for it."""


def _reap_those_let_go() -> None:
    _those_let_go[:] = [process for process in _those_let_go if _is_working(process)]


def _is_working(process: int) -> bool:
    try:
        return os.waitpid(process, os.WNOHANG) == (0, 0)
    except ChildProcessError:  # somebody else has asked for it
        return False


def _work(objects: Callable[[], Iterable[bytes]], pipe: int, lifeline: int, may_be_let_go: bool) -> None:
    """What the child does; it does not return."""
    try:
        for each in interruption.REQUESTS:
            signal.signal(each, signal.SIG_IGN)  # its parent is asked, too, and ends it
        if may_be_let_go:
            _close_all_but(pipe, lifeline)
        orphans.end_with_parent(lifeline, unless_let_go=may_be_let_go)
        with os.fdopen(pipe, "wb") as out:
            for code in objects():
                out.write(_SIZE.pack(len(code)) + code)
    finally:
        os._exit(0)


def _close_all_but(*used: int) -> None:
    """Nobody who reads what this process's parent writes waits for this one too."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in {0, 1, 2}.difference(used):  # a parent that was started without them may have used their numbers
        os.dup2(nothing, standard)
    for each in map(int, os.listdir("/dev/fd")):
        if each > 2 and each not in used:
            with suppress(OSError):  # it was open only for listing
                os.close(each)


def _receive(children: Sequence[_Child]) -> None:
    """All that the children write, until each has closed its pipe."""
    writing = {child.pipe: child for child in children}
    while writing:
        for pipe in select.select(list(writing), [], [])[0]:
            part = os.read(pipe, 1 << 20)
            writing[pipe].received += part
            if not part:
                del writing[pipe]
