"""Ranks that MPI has started: `mpirun -n 4 asset check … --cluster mpi`, or a batch system."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from itertools import accumulate
from typing import Any

from asset.cluster.communicator import ALIGNMENT, Buffer, Communicator, How, RankLost, combined
from asset.errors import UsageError

MOST = (1 << 31) - 1
"""What MPI counts in, of bytes that go to one rank."""


class MpiRank(Communicator):
    """A rank of MPI's world. If one of them ends, MPI ends all of them; so no rank is lost for the others."""

    def __init__(self) -> None:
        try:
            found: Any = import_module("mpi4py.MPI")
        except ImportError as missing:
            raise UsageError.of(
                f"--cluster mpi needs mpi4py and an MPI: {missing}", remedy="pip install 'asset-mc[mpi]'"
            ) from None
        self._mpi = found
        self._world = found.COMM_WORLD
        self.rank = self._world.Get_rank()
        self.size = self._world.Get_size()

    def exchange(self, outgoing: Sequence[Sequence[Buffer]]) -> list[memoryview]:
        sizes = [sum(memoryview(piece).nbytes for piece in pieces) for pieces in outgoing]
        if max(sizes) > MOST:
            raise RankLost(self.rank, f"it sends {max(sizes):,} bytes at once, and MPI takes {MOST:,}")
        incoming: list[int] = self._world.alltoall(sizes)
        sent, starts = _joined(outgoing, sizes)
        received = bytearray(sum(map(_aligned, incoming)))
        begins = _starts(incoming)
        kind = self._mpi.BYTE
        self._world.Alltoallv([sent, sizes, starts, kind], [received, incoming, begins, kind])
        whole = memoryview(received).toreadonly()
        return [whole[begin : begin + size] for begin, size in zip(begins, incoming, strict=True)]

    def reduce(self, values: Sequence[int], how: How) -> list[int]:
        rows: list[list[int]] = self._world.allgather(list(values))
        return combined(how, rows)

    def abort(self, reason: str) -> None:
        """MPI has no other way to tell the others."""
        print(f"asset: rank {self.rank}: {reason}", file=sys.stderr, flush=True)
        self._world.Abort(3)


@cache
def world() -> MpiRank:
    return MpiRank()


def words() -> list[str]:
    """What this rank was asked to do; all must be asked the same."""
    return sys.argv[1:]


def _joined(outgoing: Sequence[Sequence[Buffer]], sizes: Sequence[int]) -> tuple[bytearray, list[int]]:
    """All pieces one after the other, and where those for each rank begin."""
    starts = _starts(sizes)
    joined: Any = bytearray(sum(map(_aligned, sizes)))
    for at, pieces in zip(starts, outgoing, strict=True):
        for piece in pieces:
            view = memoryview(piece).cast("B")
            joined[at : at + view.nbytes] = view
            at += view.nbytes
    return joined, starts


def _starts(sizes: Sequence[int]) -> list[int]:
    return [0, *accumulate(map(_aligned, sizes))][:-1]


def _aligned(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT
