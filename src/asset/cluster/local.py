"""Ranks that are processes of one machine: what they exchange is in memory that they share.

The first rank starts the others and is joined to each by a pair of sockets. In whatever all do together, each tells it
its part, and it tells all of them the whole. A rank that ends closes its socket, so that is seen at once.

Each rank has two pieces of shared memory, which it uses in turn. What it writes into one of them was read by all when
the next exchange has ended, as everyone has begun that one; so it can be overwritten in the one after that.
"""

from __future__ import annotations

import mmap
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from asset.cluster.communicator import ALIGNMENT, Buffer, Communicator, How, RankLost, combined
from asset.engine import frames
from asset.errors import UsageError
from asset.processor import processors

_ROOT = Path(__file__).parents[2]
_PROGRAM = f"import sys; sys.path.insert(0, {str(_ROOT)!r}); from asset.cluster.serving import main; main()"
_LEAST = 1 << 16  # bytes of a shared piece
_LOOK_EVERY = 0.5  # seconds, whether a rank is still to be waited for
_SOON = 2e-4  # seconds: for as long a rank looks for an answer, then it sleeps; to be woken takes nearly as long


class _Shared:
    """Memory that all ranks see: one writes, it grows if need be, and the others read."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._memory: mmap.mmap | None = None

    def write(self, pieces: Sequence[Sequence[Buffer]]) -> list[tuple[int, int]]:
        """Where the pieces for each rank begin and end."""
        bounds, end = [], 0
        for each in pieces:
            begin = -(-end // ALIGNMENT) * ALIGNMENT
            end = begin + sum(map(_size, each))
            bounds.append((begin, end))
        memory = self._of(end)
        for (at, _), each in zip(bounds, pieces, strict=True):
            for piece in each:
                memory[at : at + _size(piece)] = piece if isinstance(piece, bytes) else memoryview(piece).cast("B")
                at += _size(piece)
        return bounds

    def read(self, begin: int, end: int) -> memoryview:
        return memoryview(self._of(end))[begin:end].toreadonly()

    def _of(self, size: int) -> mmap.mmap:
        """The memory, which has at least this size. If it is mapped anew, views of it as it was stay valid."""
        if self._memory is None or len(self._memory) < size:
            room = max(_LEAST, 1 << (size - 1).bit_length())
            if os.fstat(self._file).st_size < room:
                _extend(self._file, room)
            self._memory = mmap.mmap(self._file, room)
        return self._memory


class LocalRank(Communicator):
    """Any of the ranks. `peers` are the sockets to the others if it is the first, else the one to the first."""

    def __init__(self, rank: int, size: int, peers: Sequence[socket.socket], files: Sequence[int]) -> None:
        self.rank = rank
        self.size = size
        self._peers = peers
        self._shared = [(_Shared(files[2 * each]), _Shared(files[2 * each + 1])) for each in range(size)]
        self._turn = 0
        self._waits_awake = size <= processors()  # else it would take the time of those that it waits for

    def exchange(self, outgoing: Sequence[Sequence[Buffer]]) -> list[memoryview]:
        self._turn ^= 1
        bounds = self._shared[self.rank][self._turn].write(outgoing)
        every = self._together("exchange", bounds)
        return [self._shared[each][self._turn].read(*every[each][self.rank]) for each in range(self.size)]

    def reduce(self, values: Sequence[int], how: How) -> list[int]:
        return combined(how, self._together("reduce", list(values)))

    def abort(self, reason: str) -> None:
        self._pass_on(self.rank, reason)

    def _together(self, what: str, part: Any) -> list[Any]:
        """The parts of all ranks."""
        if self.rank:
            self._tell(0, what, part)
            every: list[Any] = self._heard(0, what)
            return every
        parts = [part] + [self._heard(each, what) for each in range(1, self.size)]
        for each in range(1, self.size):
            self._tell(each, what, parts)
        return parts

    def _peer(self, rank: int) -> socket.socket:
        return self._peers[rank - 1 if self.rank == 0 else 0]

    def _tell(self, rank: int, what: str, content: Any) -> None:
        try:
            frames.send(self._peer(rank).fileno(), what, self.rank, content)
        except OSError:
            self._lost(rank)

    def _heard(self, rank: int, expected: str) -> Any:
        try:
            self._await(rank)
            what, speaker, content = frames.receive(self._peer(rank).fileno())
        except (OSError, EOFError):
            self._lost(rank)
        if what == "abort":
            if self.rank == 0:
                self._pass_on(speaker, content)
            raise RankLost(speaker, content)
        assert what == expected, f"rank {rank} does {what}, not {expected}"
        return content

    def _await(self, rank: int) -> None:
        """Until the rank has said something, or has ended, or whoever is asked says that it took too long."""
        began = time.monotonic()
        if self._waits_awake and self._answers_soon(rank):
            return
        while self.waiting is not None and not select.select([self._peer(rank)], [], [], _LOOK_EVERY)[0]:
            if not self.waiting(rank, time.monotonic() - began):
                reason = f"it has not answered for {time.monotonic() - began:.0f} s"
                self._pass_on(rank, reason)
                raise RankLost(rank, reason)

    def _answers_soon(self, rank: int) -> bool:
        answer = select.poll()
        answer.register(self._peer(rank), select.POLLIN)
        end = time.monotonic() + _SOON
        while not answer.poll(0):
            if time.monotonic() > end:
                return False
        return True

    def _pass_on(self, lost: int, reason: str) -> None:
        """All ranks are told which one is lost."""
        for peer in self._peers:
            with suppress(OSError):
                frames.send(peer.fileno(), "abort", lost, reason)

    def _lost(self, rank: int) -> NoReturn:
        raise RankLost(rank, "it has ended")


class LocalCluster(LocalRank):
    """The first rank, which has started the others."""

    def __init__(self, ranks: int) -> None:
        if os.name != "posix":
            raise UsageError.of("--cluster local needs Linux or macOS", remedy="leave it out, and use --threads")
        files = [_file() for _ in range(2 * ranks)]
        self._children: list[subprocess.Popen[bytes]] = []
        peers = []
        for rank in range(1, ranks):
            ours, theirs = socket.socketpair()
            peers.append(ours)
            self._children.append(_started(rank, ranks, theirs, files))
            theirs.close()
        super().__init__(0, ranks, peers, files)

    @property
    def pids(self) -> list[int]:
        """Of the processes of the other ranks."""
        return [child.pid for child in self._children]

    def _lost(self, rank: int) -> NoReturn:
        reason = _how(self._children[rank - 1])
        self._pass_on(rank, reason)
        raise RankLost(rank, reason)

    def close(self) -> None:
        for peer in self._peers:
            peer.close()
        for child in self._children:
            try:
                child.wait(timeout=5)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()


def joined(words: Sequence[str]) -> LocalRank:
    """The rank that a process is, which was started with these words."""
    rank, size, peer, *files = map(int, words)
    return LocalRank(rank, size, [socket.socket(fileno=peer)], files)


def _started(rank: int, ranks: int, peer: socket.socket, files: Sequence[int]) -> subprocess.Popen[bytes]:
    words = [str(each) for each in (rank, ranks, peer.fileno(), *files)]
    return subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, *words], stdin=subprocess.DEVNULL, pass_fds=(peer.fileno(), *files)
    )


def _extend(file: int, size: int) -> None:
    """If the system can say so, that there is no room is an error here, and not a signal later."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file, 0, size)
    else:
        os.ftruncate(file, size)


def _file() -> int:
    """Without a name, so that nothing is left of it, however we end."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("asset-exchange")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def _how(child: subprocess.Popen[bytes]) -> str:
    """How a process has ended that has closed its socket."""
    try:
        status = child.wait(timeout=5)
    except subprocess.TimeoutExpired:
        return "it does not answer"
    if status >= 0:
        return f"its process has ended (exit status {status})"
    return f"its process was ended ({signal.Signals(-status).name})"


def _size(piece: Buffer) -> int:
    return piece.nbytes if isinstance(piece, memoryview) else len(piece)
