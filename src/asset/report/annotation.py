"""The finding as a workflow command of GitHub, which shows it on the line of the model."""

from __future__ import annotations

import os

from asset.report.reasons import sentences
from asset.report.text import headline
from asset.verdict import Answer, Verdict


def render(verdict: Verdict) -> str:
    """One line: an error if something is violated, a warning if nothing was decided, else a notice."""
    level = {Answer.VIOLATED: "error", Answer.UNDECIDED: "warning", Answer.HOLDS: "notice"}[verdict.answer]
    reasons = verdict.violation.why if verdict.violation else ()
    text = "\n".join([headline(verdict), *sentences(reasons)])
    return f"::{level} {','.join(f'{name}={_value(value)}' for name, value in _place(verdict))}::{_escaped(text)}"


def _place(verdict: Verdict) -> list[tuple[str, str]]:
    title = [("title", f"ASSET: {verdict.model} {verdict.answer.value}")]
    span = verdict.violation.span if verdict.violation else None
    if span is None:
        return title
    below = os.path.relpath(span.file)
    file = span.file if below.startswith(os.pardir) else below
    return [("file", file), ("line", str(span.line)), ("col", str(span.column)), *title]


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _value(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
