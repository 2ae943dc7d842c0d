"""The verdict as the original ASSET prints it, for scripts that read its output.

States as `print_state` shows them; `==========` before the first state from which progress is lost, `----------` before
the state where the cycle begins; then `!!! ` and what is wrong, and the size of the state space.
"""

from __future__ import annotations

from collections.abc import Iterator

from asset.verdict import MODEL_ERRORS, Answer, Counterexample, Step, Verdict, Violation

LOST, CYCLE = "=" * 10, "-" * 10

_MESSAGES = {
    "may-progress": "May-type non-progress error",
    "must-progress": "Must-type non-progress error",
    "termination": "State was reached from which termination is unreachable",
}
_PREFIXES = {"safety": "Safety error: ", "deadlock": "Illegal deadlock: "}
_PREFIXES |= dict.fromkeys(MODEL_ERRORS, "Transition firing error: ")


def render(verdict: Verdict) -> str:
    """The report, with no line end at its end."""
    lines = list(_states(verdict.counterexample)) if verdict.counterexample else []
    if verdict.violation is not None:
        lines.append(f"!!! {_message(verdict.violation)}")
    elif verdict.answer is Answer.UNDECIDED and verdict.caveats:
        lines.append(f"Warning: {verdict.caveats[0].message}")
    return "\n".join([*lines, f"{verdict.states} states, {verdict.edges} edges"])


def _states(run: Counterexample) -> Iterator[str]:
    """The states of the run; the one that closes a cycle was shown where the cycle began."""
    steps = run.steps if run.cycle_starts_at is None else run.steps[:-1]
    for number, step in enumerate(steps):
        if number == run.progress_lost_at:
            yield LOST
        if number == run.cycle_starts_at:
            yield CYCLE
        yield _state(step)


def _state(step: Step) -> str:
    if step.shown is not None:
        return step.shown
    return " ".join(f"{name}={value}" for name, value in step.state.items())


def _message(violation: Violation) -> str:
    if violation.kind in _MESSAGES:
        return _MESSAGES[violation.kind]
    return _PREFIXES.get(violation.kind, "") + violation.message
