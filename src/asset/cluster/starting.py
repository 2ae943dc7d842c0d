"""The ranks that the user asks for, by a word for each way to have them."""

from __future__ import annotations

from asset.cluster.communicator import Alone, Communicator, RankLost
from asset.cluster.serving import END, greet, serve
from asset.cluster.wanted import Wanted
from asset.errors import UsageError


class Cluster:
    """The first rank, and what it knows of the others: how many of them share a machine. `lost` says why nothing more
    can be asked of them."""

    def __init__(self, ranks: Communicator, asked: object = None) -> None:
        self.ranks = ranks
        self.sharing = ranks.size
        self.lost: RankLost | None = None
        self.at_work = False
        try:
            self.sharing = greet(ranks, asked)
        except RankLost as lost:
            self.lost = lost

    def abandon(self, why: str) -> None:
        """The check has failed. If the other ranks are at work, nothing more can be asked of them: they are told."""
        if self.at_work and self.lost is None:
            self.lost = RankLost(0, why)
            self.ranks.abort(why)

    def close(self) -> None:
        """The other ranks are told that there is nothing more to do."""
        try:
            if self.lost is None:
                self.ranks.broadcast(END)
        except RankLost:
            pass
        self.ranks.close()


def started(wanted: Wanted) -> Cluster:
    """On the first rank. Raises UsageError if it cannot be had."""
    if wanted.kind == "mpi":
        from asset.cluster import mpi

        return Cluster(mpi.world(), mpi.words())
    if wanted.kind == "ray":
        from asset.cluster.ray_actors import begun

        return Cluster(begun(wanted.ranks or 2, wanted.address))
    from asset.cluster.local import LocalCluster

    ranks = wanted.ranks or 2
    return Cluster(LocalCluster(ranks) if ranks > 1 else Alone())


def is_other_rank(wanted: Wanted) -> bool:
    """Whether this process is not where the check runs: then it does what it is told, until there is nothing more."""
    if wanted.kind != "mpi":
        return False
    from asset.cluster import mpi

    ranks = mpi.world()
    if ranks.rank == 0:
        return False
    try:
        greet(ranks, mpi.words())
    except UsageError:
        return True  # the first rank says so
    serve(ranks)
    return True
