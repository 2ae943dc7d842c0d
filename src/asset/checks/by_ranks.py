"""What the ranks of a cluster decide together (`asset.cluster`), and what is left open."""

from __future__ import annotations

from asset.ir.reductions import Reductions
from asset.ir.requirements import Branching, Requirement, Stage, Temporal
from asset.verdict import Caveat

MOST_MODES = 64
"""Of the automaton of a formula: sets of its states are words there (native/trimming.h)."""


def left_open_by_ranks(requirement: Requirement, reductions: Reductions) -> str | None:
    """Why ranks do not decide the requirement; None if they do. Each state is looked at where it is, and what is asked
    of the graph is decided by going back along edges."""
    if requirement.stage is not Stage.GRAPH:
        return None
    if reductions.group is not None and requirement in reductions.group.meanings:
        return "symmetries rename it, and ranks do not follow that"
    if isinstance(requirement, Branching):
        return "it is of branching time logic, which ranks do not decide"
    return _too_large(requirement) if isinstance(requirement, Temporal) else None


def _too_large(requirement: Temporal) -> str | None:
    from asset.engine.temporal import automaton_of  # here, as few checks need it

    if (states := automaton_of(requirement).states) <= MOST_MODES:
        return None
    return f"its automaton has {states} states, and ranks deal with {MOST_MODES} at most"


def beyond_clusters(name: str, reason: str) -> Caveat:
    return Caveat("not-on-a-cluster", f"{name} is undecided on a cluster: {reason}; check it on one machine")
