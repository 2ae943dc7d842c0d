"""A search that may omit states: what it says of the requirements, and what is to be known of it."""

from __future__ import annotations

from collections.abc import Iterator

from asset.checks import soundness
from asset.checks.answering import Answers
from asset.checks.choosing import Explored
from asset.checks.engines import Engine
from asset.checks.plan import task
from asset.checks.reductions import Reduced
from asset.engine import omissions
from asset.engine.outcome import Executable, Outcome
from asset.ir.requirements import Stage
from asset.verdict import Approximation, Caveat


def explored(executable: Executable, engine: Engine, reduced: Reduced) -> Explored:
    """Only what is asked of single states is asked: whatever is seen there is real."""
    asked = [each for each in reduced.requirements if each.stage is not Stage.GRAPH]
    outcome = engine.explore(executable, task(executable.program, asked, reduced.reductions))
    unasked = {each for each in reduced.requirements if each.stage is Stage.GRAPH}
    reasons = list(_reasons(outcome))
    reasons += [soundness.beyond_approximation(each.name) for each in reduced.requirements if each in unasked]
    return Explored(reduced, Answers(outcome, reduced.requirements, unasked, reasons, False))


def _reasons(outcome: Outcome) -> Iterator[Caveat]:
    if outcome.finding is None and outcome.omissions is not None:
        yield soundness.APPROXIMATE
        if outcome.omissions.lost:
            yield soundness.LOST_FINDING


def approximation(outcome: Outcome) -> Approximation | None:
    """For the verdict."""
    if outcome.omissions is None:
        return None
    table, expected = outcome.omissions.table, outcome.omissions.expected
    return Approximation(
        store=table.store,
        bytes=table.size,
        addresses=table.parameter if table.store == "bitstate" else None,
        bits=table.bits if table.store == "compact" else None,
        expected=expected,
        probability=omissions.probability(expected),
    )
