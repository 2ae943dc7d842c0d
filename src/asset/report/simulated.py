"""What random runs covered, as text."""

from __future__ import annotations

from asset.report import figures
from asset.verdict import Simulation, Verdict

MOST_NAMES = 12
"""Of transitions that never fired."""


def substance(verdict: Verdict, simulation: Simulation) -> str:
    """What the headline says if nothing was found."""
    made = f"{figures.count(simulation.steps, 'random step')} in {figures.count(simulation.runs, 'run')}"
    total = figures.seconds(verdict.seconds.total)
    limited = any(each.code == "step-limit" for each in verdict.caveats)
    without = "; steps beyond a limit were left out" if limited else ""
    return f"no violation found in {made}, about {figures.count(simulation.states, 'state')} ({total}){without}"


def facts(verdict: Verdict, simulation: Simulation) -> dict[str, str]:
    """What was covered and what it cost, by a word for each."""
    spent = verdict.seconds.explore
    speed = f", {figures.rate(simulation.steps, spent)} steps/s" if spent else ""
    return {
        "runs": _runs(simulation),
        "covered": _covered(simulation),
        "never": _never(simulation),
        "found": _found(verdict, simulation),
        "time": f"{figures.seconds(verdict.seconds.total)}{speed}",
        "seed": f"{simulation.seed} (with the same steps, length and threads it gives the same runs)",
    }


def _runs(simulation: Simulation) -> str:
    made = f"{figures.count(simulation.runs, 'run')}, {figures.count(simulation.steps, 'step')}"
    return f"{made}, the longest {simulation.longest:,}; {simulation.ended:,} ended in a terminal state"


def _covered(simulation: Simulation) -> str:
    fired = simulation.transitions - len(simulation.never_fired)
    seen, of = sum(each.seen for each in simulation.values), sum(each.of for each in simulation.values)
    values = f", {seen:,} of {of:,} values of variables met" if of else ""
    return f"about {simulation.states:,} states, {fired:,} of {simulation.transitions:,} transitions fired{values}"


def _never(simulation: Simulation) -> str:
    names = simulation.never_fired
    if not names:
        return ""
    more = f" and {len(names) - MOST_NAMES:,} more" if len(names) > MOST_NAMES else ""
    return f"fired: {', '.join(names[:MOST_NAMES])}{more}"


def _found(verdict: Verdict, simulation: Simulation) -> str:
    if verdict.counterexample is None:
        return ""
    return f"by a run of {figures.count(simulation.found_length, 'step')}, of which those that are needed are shown"
