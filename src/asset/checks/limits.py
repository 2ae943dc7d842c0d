"""Steps that go beyond a limit of the tool: nothing is known of them, so that a verdict is undecided, not violated."""

from __future__ import annotations

from dataclasses import replace

from asset.verdict import Answer, Caveat, Counterexample, Verdict, Violation

LIMIT = "limit"
"""The kind of such a violation, which no verdict has that is given to anybody."""


def beyond(verdict: Verdict) -> Verdict:
    """The verdict with a caveat in the place of such a step, which ends a search as a model error does."""
    if verdict.violation is not None and verdict.violation.kind == LIMIT:
        caveat = _caveat(verdict.violation, verdict.counterexample)
        caveats = (caveat, *verdict.caveats)
        return replace(verdict, answer=Answer.UNDECIDED, violation=None, counterexample=None, caveats=caveats)
    further = [(each.violation, each.run) for each in verdict.further if each.violation is not None]
    caveats = tuple(_caveat(violation, run) for violation, run in further if violation.kind == LIMIT)
    kept = tuple(each for each in verdict.further if each.violation is None or each.violation.kind != LIMIT)
    return replace(verdict, further=kept, caveats=(*caveats, *verdict.caveats)) if caveats else verdict


def _caveat(wrong: Violation, run: Counterexample | None) -> Caveat:
    steps = 0 if run is None else len(run.steps) - 1
    when = "in the initial state" if steps == 0 else f"after {steps} {'step' if steps == 1 else 'steps'}"
    where = when if wrong.span is None else f"{wrong.span}, {when}"
    return Caveat("step-limit", f"{where}: {wrong.message}; what comes after that was not looked at")
