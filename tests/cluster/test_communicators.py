"""What every way to have ranks must do alike. Each test is run by all ranks of a cluster, as they are started."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from asset.cluster.communicator import Alone, Communicator, How

HERE = Path(__file__).parent


def numbered(ranks: Communicator) -> None:
    assert 0 <= ranks.rank < ranks.size


def pieces_reach_their_owners_in_the_order_of_the_ranks(ranks: Communicator) -> None:
    for turn in range(5):  # memory that is used in turn is used again
        outgoing = [[b"%d to " % ranks.rank, memoryview(b"%d, turn %d" % (to, turn))] for to in range(ranks.size)]
        incoming = ranks.exchange(outgoing)
        expected = [b"%d to %d, turn %d" % (source, ranks.rank, turn) for source in range(ranks.size)]
        assert [bytes(each) for each in incoming] == expected


def nothing_can_be_exchanged(ranks: Communicator) -> None:
    assert [bytes(each) for each in ranks.exchange([[] for _ in range(ranks.size)])] == [b""] * ranks.size


def what_is_received_can_be_read_as_words(ranks: Communicator) -> None:
    odd = [[b"x" * (to + 1)] for to in range(ranks.size)]
    ranks.exchange(odd)
    words = ranks.exchange([[bytes(8 * (ranks.rank + 1))] for _ in range(ranks.size)])
    assert [len(each.cast("Q")) for each in words] == [source + 1 for source in range(ranks.size)]


def large_pieces_arrive_whole(ranks: Communicator) -> None:
    incoming = ranks.exchange([[bytes([ranks.rank]) * 3_000_000] for _ in range(ranks.size)])
    assert [bytes(each) for each in incoming] == [bytes([source]) * 3_000_000 for source in range(ranks.size)]


def numbers_become_one(ranks: Communicator) -> None:
    mine = [ranks.rank, -ranks.rank, 2**62 // ranks.size]
    last = ranks.size - 1
    assert ranks.reduce(mine, How.SUM)[:2] == [last * (last + 1) // 2, -last * (last + 1) // 2]
    assert ranks.reduce(mine, How.LEAST) == [0, -last, 2**62 // ranks.size]
    assert ranks.reduce(mine, How.MOST) == [last, 0, 2**62 // ranks.size]


def all_hear_the_first_and_each_other(ranks: Communicator) -> None:
    assert ranks.broadcast(b"from 0" if ranks.rank == 0 else b"") == b"from 0"
    assert ranks.gather(b"%d" % ranks.rank) == [b"%d" % each for each in range(ranks.size)]
    ranks.barrier()


PROMISES: list[Callable[[Communicator], None]] = [
    numbered,
    pieces_reach_their_owners_in_the_order_of_the_ranks,
    nothing_can_be_exchanged,
    what_is_received_can_be_read_as_words,
    large_pieces_arrive_whole,
    numbers_become_one,
    all_hear_the_first_and_each_other,
]


def keep(ranks: Communicator) -> None:
    """All promises, one after the other; whoever finds one broken says so."""
    for promise in PROMISES:
        promise(ranks)


def test_a_single_rank_keeps_the_promises() -> None:
    keep(Alone())


@pytest.mark.parametrize("ranks", [2, 3])
def test_processes_of_one_machine_keep_the_promises(ranks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from asset.cluster import local

    program = f"import sys; sys.path.insert(0, {str(HERE)!r}); from test_communicators import joined; joined()"
    monkeypatch.setattr(local, "_PROGRAM", program)
    cluster = local.LocalCluster(ranks)
    keep(cluster)
    cluster.close()
    assert [child.returncode for child in cluster._children] == [0] * (ranks - 1)


def test_ranks_of_mpi_keep_the_promises() -> None:
    if importlib.util.find_spec("mpi4py") is None:
        pytest.skip("mpi4py is not installed (asset-mc[mpi])")
    from mpirun import mpirun

    done = mpirun(3, [sys.executable, "-c", _MPI, str(HERE)])
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["kept"] * 3


def test_actors_of_ray_keep_the_promises() -> None:
    if "ASSET_RAY" not in os.environ:
        pytest.skip("takes long to start: ASSET_RAY=1 runs it, if Ray is installed (asset-mc[ray])")
    done = subprocess.run([sys.executable, "-c", _RAY, str(HERE)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[-1] == "kept"


_RAY = """
import sys
sys.path.insert(0, sys.argv[1])
from test_communicators import keep
from asset.cluster import ray_actors
here = sys.argv[1]
def work(rank, mailboxes):
    import sys
    sys.path.insert(0, here)
    from test_communicators import keep
    from asset.cluster.ray_actors import RayRank
    keep(RayRank(rank, mailboxes))
ray_actors._work = work
ranks = ray_actors.begun(3, None)
keep(ranks)
ranks.close()
print("kept")
"""

_MPI = """
import sys
sys.path.insert(0, sys.argv[1])
from test_communicators import keep
from asset.cluster.mpi import world
keep(world())
print("kept")
"""


def joined() -> None:
    """What a started process does."""
    from asset.cluster import local

    keep(local.joined(sys.argv[1:]))


def test_a_rank_that_ends_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from asset.cluster import local
    from asset.cluster.communicator import RankLost

    monkeypatch.setattr(local, "_PROGRAM", "import sys; sys.exit(7 if sys.argv[1] == '2' else 0)")
    cluster = local.LocalCluster(2)
    with pytest.raises(RankLost, match=r"rank 1: its process has ended \(exit status 0\)"):
        cluster.barrier()
    cluster.close()


def test_what_aborts_a_rank_is_told() -> None:
    from asset.cluster import local
    from asset.cluster.communicator import RankLost

    cluster = local.LocalCluster(3)
    cluster.gather(b"not what ranks greet each other with")
    with pytest.raises(RankLost, match=r"rank [12]: "):
        cluster.barrier()
    cluster.close()
