"""A search by a cluster, as an engine answers: what was found, what it took, and which rank was lost if one was."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256

from asset.cluster import checkpoints, serving
from asset.cluster.checkpoints import Checkpoint
from asset.cluster.communicator import RankLost
from asset.cluster.exploring import Explored, Job
from asset.cluster.starting import Cluster
from asset.codegen import CompiledModel
from asset.engine import native
from asset.engine.outcome import Finding, Limits, OnProgress, Outcome, Progress, Stop, Task, cut_off
from asset.version import VERSION

PATIENCE = 10.0
"""Seconds that a rank may take to answer, after all were asked to end."""


@dataclass(frozen=True, slots=True)
class KeptIn:
    """A folder in which levels are kept; a search goes on from those that it has, if it is `resumed`."""

    folder: str
    resumed: bool

    def begun(self, identity: str) -> Checkpoint:
        return (checkpoints.found if self.resumed else checkpoints.begun)(self.folder, identity)


@dataclass(slots=True)
class Together:
    """A cluster as an engine."""

    cluster: Cluster
    on_progress: OnProgress | None = None
    kept: KeptIn | None = None
    """For the next search only: those after it ask something else."""

    def explore(self, model: CompiledModel, task: Task, limits: Limits) -> Outcome:
        kept, self.kept = self.kept, None
        return explore(self, model, task, limits, kept)


def explore(together: Together, model: CompiledModel, task: Task, limits: Limits, wanted: KeptIn | None) -> Outcome:
    """All ranks explore. If one is lost, the counts are those that were heard last."""
    cluster, on_progress = together.cluster, together.on_progress
    heard = [Progress(0, 0, 0, 0, 0)]

    def heed(progress: Progress) -> bool:
        heard[0] = progress
        return on_progress is None or on_progress(progress)

    def waits(rank: int, seconds: float) -> bool:
        return heed(replace(heard[0], waits_for=(rank, seconds))) or seconds < PATIENCE

    cluster.ranks.waiting = waits
    asked = native.flat_options(model, task, limits)
    kept = None if wanted is None else wanted.begun(_identity(model, asked))
    job = Job(model.code, asked, cluster.sharing, kept)
    try:
        if cluster.lost is not None:
            raise cluster.lost
        cluster.at_work = True
        explored = serving.explore(cluster.ranks, job, heed)
        cluster.at_work = False
        if explored.lost is None:
            return _outcome(explored, model, task)
        cluster.lost = explored.lost
        left = cut_off(Stop.FINDING, heard[0], told=str(explored.lost))
        return replace(left, finding=_finding(explored, model, task), explored=explored.of_states)
    except RankLost as lost:
        cluster.lost = lost
        return cut_off(Stop.RANK_LOST, heard[0], told=str(lost))


def _identity(model: CompiledModel, asked: native.FlatOptions) -> str:
    """Equal for searches that can go on from each other's levels."""
    limits = ("threads", "max_states", "max_memory")
    values = {name: value for name, value in asked.values.items() if name not in limits}
    asked_for = (VERSION, values, asked.calls, asked.rules, asked.rule_values)
    return sha256(model.description + repr(asked_for).encode()).hexdigest()


def _outcome(explored: Explored, model: CompiledModel, task: Task) -> Outcome:
    ranks = explored.ranks
    states = sum(each.states for each in ranks)
    memory = sum(each.memory_peak for each in ranks)
    return Outcome(
        stop=explored.stop,
        finding=_finding(explored, model, task),
        states=states,
        edges=sum(each.edges for each in ranks),
        enabled=sum(each.enabled for each in ranks),
        depth=len(explored.levels) - 1,
        terminal_states=sum(each.terminal_states for each in ranks),
        levels=tuple(explored.levels),
        explore_seconds=explored.seconds,
        memory_peak=memory,
        bytes_per_state=memory / max(1, states),
        threads=min(each.threads for each in ranks),
        ranks=tuple(ranks),
        told=explored.told,
        explored=explored.of_states,
    )


def _finding(explored: Explored, model: CompiledModel, task: Task) -> Finding | None:
    if explored.wrong is None:
        return None
    lost = native.NONE if explored.further is None else explored.level + explored.lost_at
    cycle = native.NONE if explored.cycle is None else explored.level + explored.cycle
    told = (*explored.wrong[:4], lost, cycle, explored.commands, explored.words, explored.whole)
    return native.found(model, task, told)
