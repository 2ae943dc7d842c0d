"""A counterexample as text: the run, with the places where progress is lost and where the cycle begins."""

from __future__ import annotations

from collections.abc import Iterator

from asset.report import figures
from asset.report.document import EMPTY, Line, Piece, Role, folded, line, one_line
from asset.report.table import Remark, Tale, told
from asset.verdict import Counterexample, Verdict, Violation

PROGRESS = ("may-progress", "must-progress", "recurrence", "termination", "temporal")
"""The kinds of violations that show in how a run goes on, not in one of its states."""


def counterexample(verdict: Verdict, width: int) -> Iterator[Line]:
    """The run, or nothing if there is none."""
    run = verdict.counterexample
    if run is None or not run.steps:
        return
    yield line(Piece(f"Counterexample: {length(run)}", Role.STRONG))
    for text in explanations(verdict):
        yield from (line("  ", part) for part in folded(text, width - 2))
    yield EMPTY
    yield from told(_tale(run, verdict.violation), width)


def alone(run: Counterexample, width: int) -> Iterator[Line]:
    """The run without the verdict that it belongs to."""
    yield line(Piece(f"Counterexample: {length(run)}", Role.STRONG))
    yield EMPTY
    yield from told(_tale(run, None), width)


def length(run: Counterexample) -> str:
    if len(run) == 1:
        return "the initial state"
    if run.cycle_starts_at is None:
        return figures.count(len(run) - 1, "step")
    cycle = f"a cycle of {figures.count(len(run) - 1 - run.cycle_starts_at, 'step')}"
    return f"{figures.count(run.cycle_starts_at, 'step')}, then {cycle}" if run.cycle_starts_at else cycle


def explanations(verdict: Verdict) -> Iterator[str]:
    """What the run shows, and what its states are."""
    if verdict.violation and verdict.violation.kind in PROGRESS:
        yield one_line(verdict.violation.message)
    if verdict.reduction.symmetry == "hand":
        yield "states are shown as representatives: a step may also rename components"
    if verdict.settings.get("trace") and verdict.counterexample:
        yield from _choice(verdict.counterexample)


def _choice(run: Counterexample) -> Iterator[str]:
    """What came of asking for a certain run."""
    yield f"{figures.count(run.switches, 'change')} of process"
    if run.order == "causal":
        dropped = figures.count(run.left_out, "step")
        yield f"left out: {dropped} that did not matter" if run.left_out else "every step of the run matters"


def _tale(run: Counterexample, violation: Violation | None) -> Tale:
    failing = None
    if run.failing:
        failing = (run.failing, violation.span if violation else None)
    return Tale(run.steps, _in_full(run), remarks(run, violation), run.cycle_starts_at, failing)


def _in_full(run: Counterexample) -> dict[int, str]:
    """Both ends, and where progress is lost or the cycle begins."""
    last = len(run) - 1
    titles = {at: "in this state" for at in (run.progress_lost_at, run.cycle_starts_at) if at}
    if run.cycle_starts_at is None:
        titles[last] = "final state"
    titles[0] = "initial state" if last else "initial and final state"
    return titles


def remarks(run: Counterexample, violation: Violation | None) -> dict[int, tuple[Remark, ...]]:
    """Where progress is lost, and that the run cannot go on, if that is what is wrong."""
    said: dict[int, tuple[Remark, ...]] = {}
    if violation is None:
        return said
    if run.progress_lost_at is not None and violation.kind != "recurrence":
        said[run.progress_lost_at] = (Remark(_loss(violation)),)
    ends = violation.kind in ("deadlock", *PROGRESS)
    if violation.kind == "temporal":  # a run that shows a formula of branching time logic need not go on
        ends = run.progress_lost_at is not None
    if run.cycle_starts_at is None and ends:
        last = len(run) - 1
        said[last] = (*said.get(last, ()), Remark("the run ends here: no transition changes anything"))
    return said


def _loss(violation: Violation) -> str:
    """What is true from the state on in which progress is lost."""
    name = violation.property or "progress"
    match violation.kind:
        case "may-progress":
            return f"from here on {name} can never hold"
        case "must-progress":
            return f"from here on {name} can be avoided for ever"
        case "temporal":
            return f"here {name} is broken"
        case _:
            return "from here on no terminal state can be reached"
