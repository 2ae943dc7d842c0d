"""Ranks that are actors of Ray, wherever it has processors for them; the first rank is where the check runs.

Each rank has a mailbox, an actor that keeps what was sent to its owner until that has come from every rank. So a rank,
which is busy exploring, need not take anything in meanwhile. What is sent goes through Ray's store of objects.
"""

from __future__ import annotations

import asyncio
import pickle
import time
from collections import defaultdict
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from asset.cluster.communicator import Buffer, Communicator, How, RankLost, combined
from asset.errors import UsageError

_LOOK_EVERY = 1.0  # seconds, whether all ranks are still there


class Mailbox:
    """What was sent to a rank: for each exchange, one part from each rank."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._parts: defaultdict[int, dict[int, bytes]] = defaultdict(dict)
        self._changed = asyncio.Condition()
        self._aborted: tuple[int, str] | None = None

    async def deliver(self, turn: int, source: int, part: bytes) -> None:
        async with self._changed:
            self._parts[turn][source] = part
            self._changed.notify_all()

    async def abort(self, source: int, reason: str) -> None:
        async with self._changed:
            self._aborted = (source, reason)
            self._changed.notify_all()

    async def missing(self, turn: int) -> list[int]:
        """The ranks whose part has not come."""
        parts = self._parts.get(turn)
        return [] if parts is None else [source for source in range(self._size) if source not in parts]

    async def collect(self, turn: int) -> list[bytes] | tuple[int, str]:
        """The parts from all ranks, in their order; or which one has aborted, and why."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._aborted or len(self._parts[turn]) == self._size)
            if self._aborted is not None:
                return self._aborted
            parts = self._parts.pop(turn)
        return [parts[source] for source in range(self._size)]


class RayRank(Communicator):
    batch = 8 << 20

    def __init__(self, rank: int, mailboxes: Sequence[Any]) -> None:
        self.rank = rank
        self.size = len(mailboxes)
        self._mailboxes = mailboxes
        self._turn = 0
        self.others: Sequence[Any] = ()
        """What the other ranks do, on the first one: whoever has ended says why."""

    def exchange(self, outgoing: Sequence[Sequence[Buffer]]) -> list[memoryview]:
        ray = _ray()
        self._turn += 1
        for mailbox, pieces in zip(self._mailboxes, outgoing, strict=True):
            mailbox.deliver.remote(self._turn, self.rank, b"".join(bytes(piece) for piece in pieces))
        answer = self._mailboxes[self.rank].collect.remote(self._turn)
        began = time.monotonic()
        while not ray.wait([answer], timeout=_LOOK_EVERY)[0]:
            self._look_for_the_others(time.monotonic() - began)
        try:
            parts = ray.get(answer)
        except ray.exceptions.RayError as error:
            raise RankLost(self.rank, f"its mailbox is gone: {error}") from None
        if isinstance(parts, tuple):
            raise RankLost(*parts)
        return [memoryview(each) for each in parts]

    def reduce(self, values: Sequence[int], how: How) -> list[int]:
        return combined(how, [pickle.loads(each) for each in self.gather(pickle.dumps(list(values)))])

    def abort(self, reason: str) -> None:
        self._abort(self.rank, reason)

    def _abort(self, rank: int, reason: str) -> None:
        for mailbox in self._mailboxes:
            mailbox.abort.remote(rank, reason)

    def _look_for_the_others(self, waited: float) -> None:
        """Raises RankLost if one of them has ended, or is not to be waited for any longer."""
        ray = _ray()
        for rank, work in enumerate(self.others, start=1):
            if ray.wait([work], timeout=0)[0]:
                reason = _ending(work)
                self._abort(rank, reason)
                raise RankLost(rank, reason)
        if self.waiting is None:
            return
        missing = ray.get(self._mailboxes[self.rank].missing.remote(self._turn))
        if missing and not self.waiting(missing[0], waited):
            reason = f"it has not answered for {waited:.0f} s"
            self._abort(missing[0], reason)
            raise RankLost(missing[0], reason)

    def close(self) -> None:
        ray = _ray()
        if self.others:
            ray.wait(list(self.others), num_returns=len(self.others), timeout=5)
        for mailbox in self._mailboxes:
            ray.kill(mailbox)


def _ray() -> Any:
    try:
        return import_module("ray")
    except ImportError as missing:
        raise UsageError.of(f"--cluster ray needs Ray: {missing}", remedy="pip install 'asset-mc[ray]'") from None


def begun(ranks: int, address: str | None) -> RayRank:
    """The first rank, in this process; the others are started where Ray has room for them."""
    ray = _ray()
    if not ray.is_initialized():
        try:
            ray.init(address=address, log_to_driver=False, logging_level="ERROR", include_dashboard=False)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise UsageError.of(f"Ray cannot be reached: {error}", remedy="`ray status` says whether it runs") from None
    mailboxes = [ray.remote(Mailbox).options(num_cpus=0, max_concurrency=ranks + 8).remote(ranks) for _ in range(ranks)]
    first = RayRank(0, mailboxes)
    work = ray.remote(_work).options(num_cpus=0 if address is None else 1, max_retries=0)
    first.others = [work.remote(rank, mailboxes) for rank in range(1, ranks)]
    return first


def _work(rank: int, mailboxes: Sequence[Any]) -> None:
    """A task of Ray: one of the other ranks."""
    from asset.cluster.serving import greet, serve

    ranks = RayRank(rank, mailboxes)
    try:
        greet(ranks)
    except (RankLost, UsageError):
        return  # the first rank says so
    serve(ranks)


def _ending(work: Any) -> str:
    ray = _ray()
    try:
        ray.get(work)
    except ray.exceptions.RayTaskError as error:
        return f"{type(error.cause).__name__}: {error.cause}"
    except ray.exceptions.RayError as error:
        return str(error).splitlines()[0]
    return "it has ended"
