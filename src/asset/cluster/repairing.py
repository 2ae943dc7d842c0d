"""Stubborn sets of ranks leave nothing out for ever: conditions S and L of `asset.checks.soundness`, by going back
along edges when everything is explored. `asset.engine.leading_out` is the specification, and says why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asset.cluster.communicator import How
from asset.engine import native
from asset.engine.outcome import Stop

if TYPE_CHECKING:
    from asset.cluster.exploring import Exploring


def widened(exploring: Exploring) -> bool:
    """Whether everything must be fired in some states, which the next level is found from."""
    asked = exploring.job.asked.values
    kinds = [True] * bool(asked["repair"]) + [False] * bool(asked.get("visible"))
    return any(_widened(exploring, by_keys) for by_keys in kinds)


def _widened(exploring: Exploring, by_keys: bool) -> bool:
    made: list[native.Backward] = []
    exploring.guarded(lambda: made.append(exploring.rank.leading_out(by_keys)))
    if exploring.halted():
        return False
    backward = made[0]
    exploring.rounds(backward.link, backward, backward.receive_links)
    exploring.guarded(backward.end_linking)
    exploring.guarded(backward.begin_leading_out)
    exploring.rounds(backward.go_back, backward, backward.receive, answering=True)
    if exploring.explored.stop is not Stop.COMPLETE:
        return False
    level = exploring.ranks.reduce([backward.last_unmarked_level()], How.MOST)[0]
    if level >= 0:
        exploring.guarded(exploring.rank.widen, level)
    return level >= 0
