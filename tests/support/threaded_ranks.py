"""Ranks that are threads of one process: cheap, so that tests can have many of them."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from asset.cluster.communicator import Buffer, Communicator, How, RankLost, combined
from asset.cluster.exploring import Explored, Exploring, Heed, Job
from asset.cluster.serving import left_to


class _Meeting:
    def __init__(self, size: int) -> None:
        self.parts: list[Any] = [None] * size
        self.barrier = threading.Barrier(size)


class ThreadedRank(Communicator):
    def __init__(self, rank: int, size: int, meeting: _Meeting) -> None:
        self.rank = rank
        self.size = size
        self._meeting = meeting

    def exchange(self, outgoing: Sequence[Sequence[Buffer]]) -> list[memoryview]:
        joined = [b"".join(bytes(piece) for piece in pieces) for pieces in outgoing]
        return [memoryview(each[self.rank]) for each in self._together(joined)]

    def reduce(self, values: Sequence[int], how: How) -> list[int]:
        return combined(how, self._together(list(values)))

    def abort(self, reason: str) -> None:
        self._meeting.barrier.abort()

    def _together(self, part: Any) -> list[Any]:
        try:
            self._meeting.parts[self.rank] = part
            self._meeting.barrier.wait(60)
            parts = list(self._meeting.parts)
            self._meeting.barrier.wait(60)
        except threading.BrokenBarrierError:
            raise RankLost(None, "a thread has ended") from None
        return parts


class FailingRank(ThreadedRank):
    """A rank that does so many things together with the others, and is gone then."""

    def __init__(self, rank: int, size: int, meeting: _Meeting, left: int) -> None:
        super().__init__(rank, size, meeting)
        self._left = left

    def _together(self, part: Any) -> list[Any]:
        self._left -= 1
        if self._left < 0:
            self.abort("gone")
            raise RankLost(self.rank, "gone")
        return super()._together(part)


def left_after(meetings: int, ranks: int, job: Job) -> Explored:
    """What the first rank knows if the last one is gone after so many things that they do together; what they find if
    these are all. Raises RankLost if nothing stays true."""
    meeting = _Meeting(ranks)
    made = [ThreadedRank(number, ranks, meeting) for number in range(ranks - 1)]
    found = _worked([*made, FailingRank(ranks - 1, ranks, meeting, meetings)], job)[0]
    if isinstance(found, BaseException):
        raise found
    return found


def explored_by(ranks: int, job: Job, heed: Heed = lambda progress: True) -> Explored:
    """What the ranks find together; all of them find the same. The first one is told how far they are."""
    meeting = _Meeting(ranks)
    found = _worked([ThreadedRank(number, ranks, meeting) for number in range(ranks)], job, heed)
    for each in found:
        if isinstance(each, BaseException):
            raise each
    first, *others = [each for each in found if isinstance(each, Explored)]
    for each in others:
        assert (each.stop, each.wrong, each.words, each.levels) == (first.stop, first.wrong, first.words, first.levels)
    return first


def _worked(ranks: Sequence[ThreadedRank], job: Job, heed: Heed = lambda progress: True) -> list[Any]:
    """What each rank finds, or why it does not."""
    found: list[Explored | BaseException] = [RankLost(None, "never begun")] * len(ranks)

    def work(rank: ThreadedRank) -> None:
        exploring = Exploring(rank, job, heed if rank.rank == 0 else lambda progress: True)
        try:
            found[rank.rank] = left_to(exploring)
        except BaseException as failure:
            found[rank.rank] = failure
            rank.abort(str(failure))

    threads = [threading.Thread(target=work, args=(rank,)) for rank in ranks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found
