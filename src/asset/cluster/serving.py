"""The ranks: the first one is where a check runs, and gives the others jobs; these do what they are told."""

from __future__ import annotations

import pickle
import signal
import socket
import sys
import threading
from collections import Counter

from asset.cluster.communicator import Communicator, RankLost
from asset.cluster.exploring import Explored, Exploring, Heed, Job
from asset.errors import UsageError
from asset.processor import processor
from asset.version import VERSION

END = b""
"""Instead of a job: there will be none any more."""


def greet(ranks: Communicator, asked: object = None) -> int:
    """Makes sure that all ranks can work together: one version, one kind of processor, and asked for the same. How
    many of them are on the machine that has most. Raises UsageError on all of them if they cannot."""
    version = f"ASSET {VERSION}, Python {sys.version_info.major}.{sys.version_info.minor}"
    hello = (version, processor(), repr(asked), socket.gethostname())
    every: list[tuple[str, str, str, str]] = [pickle.loads(each) for each in ranks.gather(pickle.dumps(hello))]
    kinds = ("versions", "kinds of processors, and machine code is made for one", "words of the command")
    for rank, other in enumerate(every):
        for what, one, another in zip(kinds, every[0], other, strict=False):
            if one != another:
                raise UsageError.of(
                    f"ranks have different {what}: rank 0 has {one[:80]!r}, rank {rank} has {another[:80]!r}",
                    remedy="start all ranks alike, on machines that are alike",
                )
    return max(Counter(each[3] for each in every).values())


def explore(ranks: Communicator, job: Job, heed: Heed) -> Explored:
    """On the first rank: all of them explore. Raises RankLost if nothing is known that stays true without that rank."""
    ranks.broadcast(pickle.dumps(job))
    return left_to(Exploring(ranks, job, heed))


def left_to(exploring: Exploring) -> Explored:
    """What a rank finds, or knows if another one is lost. Raises RankLost."""
    try:
        return exploring.run()
    except RankLost as lost:
        return exploring.without_run(lost)


def serve(ranks: Communicator) -> None:
    """On the other ranks: does jobs until there are none any more, or a rank is lost."""
    asked = Requests()
    try:
        while (data := ranks.broadcast()) != END:
            Exploring(ranks, pickle.loads(data), lambda progress: not asked.to_end).run()
    except RankLost:
        pass  # the first rank says so
    except Exception as error:
        ranks.abort(f"{type(error).__name__}: {error}")


class Requests:
    """Hears SIGTERM, which asks a rank to end soon. Ctrl-C is for the first rank, which tells the others."""

    def __init__(self) -> None:
        self.to_end = False
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            signal.signal(signal.SIGTERM, lambda number, frame: self._hear())

    def _hear(self) -> None:
        self.to_end = True


def main() -> None:
    """A process that `asset.cluster.local` has started."""
    from asset.cluster.local import joined

    ranks = joined(sys.argv[1:])
    try:
        greet(ranks)
    except (RankLost, UsageError):
        return  # the first rank says so
    serve(ranks)
