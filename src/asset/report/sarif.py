"""The verdict as SARIF 2.1.0: the finding on the line of the model, with the run as a code flow.

A verdict is one run of the tool with at most one result. An undecided verdict has no result: its reasons are
notifications of the invocation.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from asset.report.document import one_line
from asset.report.reasons import sentences
from asset.report.table import changed, shown
from asset.report.text import headline
from asset.span import Span
from asset.verdict import Answer, Counterexample, Step, Verdict, Violation

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
ROOT = "SRCROOT"

_RULES = {
    "safety": "An invariant is false in a reachable state",
    "deadlock": "A terminal state is reachable that must not be",
    "may-progress": "A state is reachable from which progress can no longer be reached",
    "must-progress": "Progress can be avoided for ever",
    "temporal": "A formula of temporal logic is broken on a run",
    "recurrence": "What should occur again and again can be put off for ever",
    "termination": "A state is reachable from which no terminal state can be reached",
    "model-error": "The model does something that it must not: a bad index, a value out of range, a failed assert",
    "conflict": "Two updates of one step give a location different values",
    "range": "An update gives a location a value that its function does not take",
    "audit": "A hand-written reduction breaks its definition",
}


def render(verdict: Verdict) -> str:
    return json.dumps(log(verdict), indent=2, ensure_ascii=False) + "\n"


def log(verdict: Verdict) -> dict[str, Any]:
    """The SARIF log as data."""
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(verdict)]}


def _run(verdict: Verdict) -> dict[str, Any]:
    violation = verdict.violation
    return {
        "tool": {"driver": {"name": "ASSET", "fullName": "A State Space Exploration Tool", "rules": list(_rules())}},
        "invocations": [_invocation(verdict)],
        "columnKind": "unicodeCodePoints",
        "results": [_result(verdict, violation)] if violation is not None else [],
        "properties": {"verdict": verdict.answer.value, "states": verdict.states, "edges": verdict.edges},
    }


def _rules() -> Iterator[dict[str, Any]]:
    for kind, what in _RULES.items():
        yield {"id": f"asset/{kind}", "name": kind, "shortDescription": {"text": what}}


def _invocation(verdict: Verdict) -> dict[str, Any]:
    level = "error" if verdict.answer is Answer.UNDECIDED else "note"
    return {
        "executionSuccessful": True,
        "exitCode": verdict.exit_status,
        "toolExecutionNotifications": [
            {"descriptor": {"id": caveat.code}, "level": level, "message": {"text": one_line(caveat.message)}}
            for caveat in verdict.caveats
        ],
    }


def _result(verdict: Verdict, violation: Violation) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": f"asset/{violation.kind}",
        "ruleIndex": list(_RULES).index(violation.kind),
        "level": "error",
        "kind": "fail",
        "message": {"text": "\n".join([headline(verdict), *sentences(violation.why)])},
    }
    place = violation.span or _last_place(verdict.counterexample)
    if place is not None:
        result["locations"] = [_location(place)]
    if verdict.counterexample is not None and verdict.counterexample.steps:
        result["codeFlows"] = [_code_flow(verdict.counterexample, place)]
    return result


def _last_place(run: Counterexample | None) -> Span | None:
    """Of what has no place of its own, as termination: the last transition of the run."""
    places = [step.span for step in run.steps if step.span is not None and step.transition] if run else []
    return places[-1] if places else None


def _code_flow(run: Counterexample, place: Span | None) -> dict[str, Any]:
    """One thread flow, whose order is the run's; the process of each step is in its properties. A model error is last,
    at its own place."""
    locations = [_step(run, number, step) for number, step in enumerate(run.steps)]
    if run.failing is not None:
        said = {"message": {"text": f"{run.failing}: model error"}}
        where = said if place is None else said | _location(place)
        locations.append({"location": where, "executionOrder": len(run), "importance": "essential"})
    return {"threadFlows": [{"locations": locations}]}


def _step(run: Counterexample, number: int, step: Step) -> dict[str, Any]:
    marked = number in (0, len(run) - 1, run.progress_lost_at, run.cycle_starts_at)
    said = ", ".join(map(changed, step.changes)) or ("nothing changes" if number else "")
    text = f"{step.transition or 'initial state'}{': ' if said else ''}{said}{_marks(run, number)}"
    location: dict[str, Any] = {"message": {"text": text}}
    if step.span is not None and step.transition:
        location |= _location(step.span)
    found = {
        "location": location,
        "executionOrder": number,
        "nestingLevel": int(run.cycle_starts_at is not None and number > run.cycle_starts_at),
        "importance": "essential" if marked else "important",
        "state": {name: {"text": shown(value)} for name, value in step.state.items()},
    }
    return found | ({"properties": {"process": step.process}} if step.process else {})


def _marks(run: Counterexample, number: int) -> str:
    lost = " (progress is lost here)" if number == run.progress_lost_at else ""
    begins = " (the cycle begins here)" if number == run.cycle_starts_at else ""
    return lost + begins


def _location(span: Span) -> dict[str, Any]:
    region = {"startLine": max(1, span.line), "startColumn": max(1, span.column)}
    if span.end_line >= span.line and span.end_column > 0:
        region |= {"endLine": span.end_line, "endColumn": span.end_column}
    return {"physicalLocation": {"artifactLocation": _artifact(span.file), "region": region}}


def _artifact(file: str) -> dict[str, str]:
    """From where the user is, if that is above the file, as code scanning wants it; else the whole path."""
    below = os.path.relpath(file)
    if not below.startswith(os.pardir):
        return {"uri": Path(below).as_posix(), "uriBaseId": ROOT}
    return {"uri": Path(file).absolute().as_uri()}
