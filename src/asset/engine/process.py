"""A library in a child process, from outside: asking it, watching it, and how it ended."""

from __future__ import annotations

import os
import select
import signal
import struct
import subprocess
import sys
import tempfile
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from asset.engine import frames
from asset.errors import ModelRejected
from asset.ir.faults import FaultKind
from asset.ir.library import Library

LOOK_EVERY = 0.1
"""Seconds between two looks at what the model is doing."""

IDLE, FIRING, EVALUATING, OBLIGING, REPRESENTING, PRINTING = range(6)
"""What a model is doing (packed.h)."""

_HEAD = struct.Struct("<QII")  # ticks, what, number; then the words of the state
_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Doing:
    """What the model is asked: `number` is that of a command or a predicate, `words` the state."""

    what: int
    number: int
    words: tuple[int, ...]


class Died(Exception):
    """The process ended while the model was `doing` something; `kind` and `message` say how."""

    def __init__(self, doing: Doing, kind: FaultKind, message: str) -> None:
        super().__init__(message)
        self.doing = doing
        self.kind = kind
        self.message = message


@dataclass(frozen=True, slots=True)
class ChildAnswer:
    """`result`, or the `fault` that kept the model from one; `said` is what the model said of what is wrong."""

    result: Any
    said: str
    fault: FaultKind | None = None


class Watch:
    """Whether a model is in one and the same call for longer than `patience`."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._seen: tuple[int, ...] = ()
        self._since = 0.0

    def is_stuck(self, seen: tuple[int, int, int]) -> bool:
        """To be asked now and then with what the model is doing: ticks, what, number."""
        now = time.monotonic()
        if seen[1] == IDLE or seen != self._seen:
            self._seen, self._since = seen, now
        return now - self._since > self._patience


Heed = Callable[[Any], bool]
"""Called with each report of progress, and now and then with None; False asks the process to stop."""


class ChildProcess:
    """One child process. It ends with this object, or when the model has not moved for `patience` seconds."""

    def __init__(self, library: Library, patience: float, stdout: int = subprocess.DEVNULL) -> None:
        self._words = library.words
        self._patience = patience
        # The file is needed until the child has loaded it.
        with tempfile.TemporaryDirectory(prefix="asset-") as folder:
            path = Path(folder, "model.so")
            path.write_bytes(library.code)
            self._activity = tempfile.TemporaryFile()  # noqa: SIM115 (it lives as long as this object)
            self._activity.write(bytes(_HEAD.size + 8 * self._words))
            self._activity.flush()
            replies, theirs = os.pipe()
            self._replies = replies
            self._child = self._start(path, theirs, stdout)
            os.close(theirs)
            self._finalizer = weakref.finalize(self, _end, self._child, replies)
            self._answer(None)  # it is ready

    def _start(self, path: Path, replies: int, stdout: int) -> subprocess.Popen[bytes]:
        activity = self._activity.fileno()
        program = f"import sys; sys.path.insert(0, {str(_ROOT)!r}); from asset.engine.worker import main; main()"
        words = [str(path), str(self._words), str(activity), str(replies)]
        return subprocess.Popen(
            [sys.executable, "-c", program, *words],
            stdin=subprocess.PIPE,
            stdout=stdout,
            pass_fds=(activity, replies),
        )

    def begin(self) -> None:
        self.ask("begin")

    def ask(self, name: str, *arguments: object, heed: Heed | None = None) -> ChildAnswer:
        """What the process answers. Raises Died if the model does not let it."""
        try:
            self._send(name, *arguments)
        except BrokenPipeError:
            self._bury()
        return self._answer(heed)

    def _answer(self, heed: Heed | None) -> ChildAnswer:
        watch = Watch(self._patience)
        while True:
            try:
                self._wait(watch, heed)
                kind, *content = frames.receive(self._replies)
            except EOFError:
                self._bury()
            except KeyboardInterrupt:
                if heed is None:
                    raise
                kind, content, heed = "interrupt", [], None
                self._send("stop")
            match kind:
                case "result":
                    return ChildAnswer(content[0], content[1])
                case "fault":
                    return ChildAnswer(None, content[1], FaultKind(content[0]))
                case "error":
                    raise ModelRejected.of(f"the model cannot be run: {content[0]}")
                case "progress" if heed is not None and not heed(content[0]):
                    heed = None
                    self._send("stop")

    def close(self) -> None:
        self._finalizer()

    def _send(self, *message: object) -> None:
        assert self._child.stdin is not None
        frames.send(self._child.stdin.fileno(), *message)

    def _wait(self, watch: Watch, heed: Heed | None) -> None:
        """Until there is an answer. A model that is in one call for longer than our patience is ended."""
        while True:
            if watch.is_stuck(self._look()):
                doing = self._doing()
                self._child.kill()
                self._child.wait()
                assumed = f"it had not returned after {self._patience:g} s, and is assumed never to return (--patience)"
                raise Died(doing, FaultKind.LOOP, assumed)
            if select.select([self._replies], [], [], LOOK_EVERY)[0]:
                return
            if heed is not None:
                heed(None)

    def _look(self) -> tuple[int, int, int]:
        ticks, what, number = _HEAD.unpack(os.pread(self._activity.fileno(), _HEAD.size, 0))
        return ticks, what, number

    def _doing(self) -> Doing:
        _, what, number = self._look()
        words = struct.unpack(f"<{self._words}Q", os.pread(self._activity.fileno(), 8 * self._words, _HEAD.size))
        return Doing(what, number, words)

    def _bury(self) -> NoReturn:
        """The process has ended, and it is said how."""
        status = self._child.wait()
        doing = self._doing()
        how = _how(status)
        if doing.what == IDLE:
            raise ModelRejected.of(
                f"the process of the model ended ({how}) while the model was not running",
                remedy="it may have written where it must not, or the system may have run out of memory (--max-memory)",
            )
        raise Died(doing, FaultKind.CRASH, f"the model ended its process ({how})")


def _how(status: int) -> str:
    if status >= 0:
        return f"exit status {status}"
    name = signal.Signals(-status).name
    said = signal.strsignal(-status)
    return f"{name}: {said}" if said else name


def _end(child: subprocess.Popen[bytes], replies: int) -> None:
    child.kill()
    child.wait()
    if child.stdin is not None:
        child.stdin.close()
    os.close(replies)
