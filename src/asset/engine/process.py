"""A library in a child process, from outside: asking it, watching it, and how it ended."""

from __future__ import annotations

import mmap
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

CALL_MEMORY = 1 << 30
"""Bytes that a model may add to its process in one call, which is one atomic step."""

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
    """Whether a model is in one and the same call for longer than `patience`, or takes more than `memory` there."""

    def __init__(self, patience: float, memory: int) -> None:
        self._patience = patience
        self._memory = memory
        self._seen: tuple[int, ...] = ()
        self._since = 0.0
        self._size = 0

    def complaint(self, seen: tuple[int, int, int], size: int) -> tuple[FaultKind, str] | None:
        """To be asked now and then with what the model is doing (ticks, what, number) and the size of its process."""
        now = time.monotonic()
        if seen[1] == IDLE or seen != self._seen:
            self._seen, self._since, self._size = seen, now, size
        if size - self._size > self._memory:
            return FaultKind.CRASH, f"it had taken more than {self._memory >> 20} MiB of memory, and had not returned"
        if now - self._since > self._patience:
            assumed = f"it had not returned after {self._patience:g} s, and is assumed never to return (--patience)"
            return FaultKind.LOOP, assumed
        return None


Heed = Callable[[Any], bool]
"""Called with each report of progress, and now and then with None; False asks the process to stop."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one call of a model may take: seconds, and bytes of memory."""

    patience: float
    memory: int = CALL_MEMORY


SILENT = (subprocess.DEVNULL, subprocess.DEVNULL)


class ChildProcess:
    """One child process. It ends with this object, or when a call of the model goes beyond the bounds. `streams` take
    what the model prints, and what it says on standard error."""

    def __init__(self, library: Library, bounds: Bounds, streams: tuple[int, int] = SILENT) -> None:
        self._words = library.words
        self._bounds = bounds
        # The file is needed until the child has loaded it.
        with tempfile.TemporaryDirectory(prefix="asset-") as folder:
            path = Path(folder, "model.so")
            path.write_bytes(library.code)
            self._activity = tempfile.TemporaryFile()  # noqa: SIM115 (it lives as long as this object)
            self._activity.write(bytes(_HEAD.size + 8 * self._words))
            self._activity.flush()
            replies, theirs = os.pipe()
            self._replies = replies
            self._child = self._start(path, theirs, streams)
            os.close(theirs)
            self._finalizer = weakref.finalize(self, _end, self._child, replies)
            self._answer(None)  # it is ready

    def _start(self, path: Path, replies: int, streams: tuple[int, int]) -> subprocess.Popen[bytes]:
        activity = self._activity.fileno()
        program = f"import sys; sys.path.insert(0, {str(_ROOT)!r}); from asset.engine.worker import main; main()"
        words = [str(path), str(self._words), str(activity), str(replies)]
        return subprocess.Popen(
            [sys.executable, "-c", program, *words],
            stdin=subprocess.PIPE,
            stdout=streams[0],
            stderr=streams[1],
            pass_fds=(activity, replies),
        )

    def begin(self, heed: Heed | None = None) -> None:
        self.ask("begin", heed=heed)

    def ask(self, name: str, *arguments: object, heed: Heed | None = None) -> ChildAnswer:
        """What the process answers. Raises Died if the model does not let it."""
        try:
            self._send(name, *arguments)
        except BrokenPipeError:
            self._bury()
        return self._answer(heed)

    def _answer(self, heed: Heed | None) -> ChildAnswer:
        watch = Watch(self._bounds.patience, self._bounds.memory)
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
        """Until there is an answer. A model whose call goes beyond the bounds is ended."""
        while True:
            complaint = watch.complaint(self._look(), _resident(self._child.pid))
            if complaint is not None:
                doing = self._doing()
                self._child.kill()
                self._child.wait()
                raise Died(doing, *complaint)
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


def _resident(pid: int) -> int:
    """Bytes of memory that the process has; 0 if the system does not say."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_bytes().split()[1]) * mmap.PAGESIZE
    except (OSError, IndexError):
        return 0


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
