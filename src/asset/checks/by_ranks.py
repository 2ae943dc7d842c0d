"""What the ranks of a cluster decide together (`asset.cluster`), and what is left open."""

from __future__ import annotations

from asset.ir.reductions import Reductions
from asset.ir.requirements import MayProgress, MustProgress, Requirement, Stage, Termination
from asset.verdict import Caveat


def decided_by_ranks(requirement: Requirement, reductions: Reductions) -> bool:
    """Each state is looked at where it is. Progress and termination are decided by going back along edges, if
    symmetries keep what is asked; for what else there is on graphs, a rank would have to know more than its part."""
    if requirement.stage is not Stage.GRAPH:
        return True
    followed = reductions.group is not None and requirement in reductions.group.meanings
    return isinstance(requirement, MayProgress | MustProgress | Termination) and not followed


def beyond_clusters(name: str) -> Caveat:
    return Caveat(
        "not-on-a-cluster",
        f"{name} needs the whole graph, of which a rank of a cluster has only a part; it is undecided: check it on one "
        "machine",
    )
