"""What the ranks of a cluster can do together. Whoever implements it runs everything else.

Every rank calls the same functions in the same order. `tests/cluster/test_communicators.py` says what each must do.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from enum import Enum

Buffer = bytes | bytearray | memoryview

ALIGNMENT = 8
"""What is received begins at a multiple of this, so that it can be read as words."""


class RankLost(Exception):
    """A rank has ended, or cannot be reached any more. Nothing more can be done together."""

    def __init__(self, rank: int | None, reason: str) -> None:
        super().__init__(f"rank {rank}: {reason}" if rank is not None else reason)
        self.rank = rank
        self.reason = reason


class How(Enum):
    """How numbers of all ranks become one."""

    SUM = "sum"
    LEAST = "min"
    MOST = "max"


def combined(how: How, rows: Sequence[Sequence[int]]) -> list[int]:
    """Of numbers that each rank has, position by position."""
    columns = list(zip(*rows, strict=True))
    if how is How.SUM:
        return [sum(column) for column in columns]
    return [min(column) if how is How.LEAST else max(column) for column in columns]


Waiting = Callable[[int, float], bool]
"""Told which rank is waited for, and for how many seconds; False if it is not to be waited for any longer."""


class Communicator(ABC):
    """One of `size` ranks, which have the numbers from 0 on."""

    rank: int
    size: int
    batch = 1 << 16
    """Bytes from one rank to another: with less, more time goes into beginning to send than into sending."""
    waiting: Waiting | None = None
    """On the first rank, asked now and then; not by MPI, which does not say whom it waits for."""

    @abstractmethod
    def exchange(self, outgoing: Sequence[Sequence[Buffer]]) -> list[memoryview]:
        """Sends each rank the pieces that are meant for it, one after the other, and gives what each has sent to this
        one, in the order of the ranks. What was received is of use until the next call. Raises RankLost."""

    @abstractmethod
    def reduce(self, values: Sequence[int], how: How) -> list[int]:
        """What the numbers of all ranks (of 64 bits, with sign) become; the same for all. Raises RankLost."""

    @abstractmethod
    def abort(self, reason: str) -> None:
        """The other ranks, in what they do together next, are told RankLost with this reason."""

    def close(self) -> None:  # noqa: B027 (most have nothing to do)
        """Nothing more will be done together, and all is well."""

    def barrier(self) -> None:
        """Returns when every rank has called it. Raises RankLost."""
        self.reduce([0], How.SUM)

    def broadcast(self, data: bytes = b"") -> bytes:
        """What the first rank has given. Raises RankLost."""
        nothing: list[Sequence[Buffer]] = [[] for _ in range(self.size)]
        return bytes(self.exchange([[data]] * self.size if self.rank == 0 else nothing)[0])

    def gather(self, data: bytes) -> list[bytes]:
        """What each rank has given, for all of them. Raises RankLost."""
        return [bytes(each) for each in self.exchange([[data]] * self.size)]


class Alone(Communicator):
    """The only rank there is."""

    rank = 0
    size = 1

    def exchange(self, outgoing: Sequence[Sequence[Buffer]]) -> list[memoryview]:
        return [memoryview(b"".join(outgoing[0]))]

    def reduce(self, values: Sequence[int], how: How) -> list[int]:
        return list(values)

    def abort(self, reason: str) -> None:
        pass
