"""The verdict as Markdown, to be read in an issue tracker."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from asset.report.counterexample import length, remarks
from asset.report.document import one_line
from asset.report.reasons import deciding, why_title
from asset.report.stillness import sentences, stillness_of, title
from asset.report.table import changed, shown, source
from asset.report.text import facts, headline
from asset.span import Span
from asset.verdict import Counterexample, Reason, Step, Verdict

LONG = 200
"""A table of more steps than this is cut in its middle: issue trackers limit the size of a text."""


def render(verdict: Verdict) -> str:
    sections = (_head, _checked, _caveats, _why, _run, _stillness, _figures)
    bodies = (list(section(verdict)) for section in sections)
    return "\n\n".join("\n".join(lines) for lines in bodies if lines) + "\n"


def _head(verdict: Verdict) -> Iterator[str]:
    yield f"### {_plain(headline(verdict))}"


def _checked(verdict: Verdict) -> Iterator[str]:
    rows = [(_code(each.name), each.kind, f"**{each.answer.value}**") for each in verdict.checked]
    yield from _table(("property", "kind", "verdict"), rows)


def _caveats(verdict: Verdict) -> Iterator[str]:
    return (f"> - {_plain(one_line(caveat.message))}" for caveat in verdict.caveats)


def _why(verdict: Verdict) -> Iterator[str]:
    if verdict.violation is not None and verdict.violation.why:
        yield f"**{_plain(why_title(verdict))}**"
        yield ""
        for reason in verdict.violation.why:
            yield from _reason(reason, "")


def _reason(reason: Reason, margin: str) -> Iterator[str]:
    cells = ": " + ", ".join(map(_code, deciding(reason))) if reason.cells else ""
    yield f"{margin}- {_code(reason.text)} is {_code(reason.values)} ({_place(reason.span)}){cells}"
    for part in reason.parts:
        yield from _reason(part, margin + "  ")


def _run(verdict: Verdict) -> Iterator[str]:
    run = verdict.counterexample
    if run is None or not run.steps:
        return
    yield f"**Counterexample: {length(run)}**"
    yield ""
    if verdict.violation is not None:
        yield _plain(one_line(verdict.violation.message))
        yield ""
    yield from _table(("step", "process", "transition", "changes", "line"), _rows(run, verdict))
    yield ""
    yield from _state("Initial state", run.steps[0])
    if len(run) > 1 and run.cycle_starts_at is None:
        yield ""
        yield from _state("Final state", run.steps[-1])


def _stillness(verdict: Verdict) -> Iterator[str]:
    still = stillness_of(verdict)
    if still is not None:
        yield f"**{title(verdict)}**"
        yield ""
        yield from (f"- {_plain(text)}" for text in sentences(still))


def _rows(run: Counterexample, verdict: Verdict) -> Iterator[Sequence[str]]:
    said = remarks(run, verdict.violation)
    for number, step in enumerate(run.steps):
        if number and _is_told(number, len(run)):
            place = _place(step.span) if step.span else ""
            changes = "<br>".join(map(_code, map(changed, step.changes))) or "nothing changes"
            yield str(number), _code(step.process or ""), _code(step.transition or ""), changes, place
        elif number == LONG // 2:
            yield "⋮", "", f"{len(run) - 1 - LONG} steps not shown", "", ""
        for remark in said.get(number, ()):
            yield "", "", f"**{_plain(remark.text)}**", "", ""
        if number == run.cycle_starts_at:
            yield "", "", "**the cycle: what follows repeats for ever**", "", ""
    if run.cycle_starts_at is not None:
        yield "", "", f"**back to step {run.cycle_starts_at}**", "", ""
    if run.failing:
        at = verdict.violation.span if verdict.violation else None
        yield str(len(run)), "", _code(run.failing), "**model error**", _place(at) if at else ""


def _is_told(number: int, steps: int) -> bool:
    return steps - 1 <= LONG or number < LONG // 2 or number > steps - 1 - LONG // 2


def _state(title: str, step: Step) -> Iterator[str]:
    yield f"<details><summary>{title}</summary>"
    yield ""
    yield "```text"
    yield from (f"{name} = {shown(value)}" for name, value in step.state.items())
    yield "```"
    yield ""
    yield "</details>"


def _figures(verdict: Verdict) -> Iterator[str]:
    return (f"- {name}: {_plain(fact)}" for name, fact in facts(verdict).items() if fact)


def _table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    listed = list(rows)
    if listed:
        yield f"| {' | '.join(titles)} |"
        yield f"|{'---|' * len(titles)}"
        yield from (f"| {' | '.join(row)} |" for row in listed)


def _code(text: str) -> str:
    """The text as code within a table: in as many backquotes as it needs."""
    if not text:
        return ""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence, gap = "`" * (longest + 1), " " if "`" in text else ""
    return f"{fence}{gap}{text}{gap}{fence}".replace("|", "\\|")


def _plain(text: str) -> str:
    """The text with what Markdown and HTML would take for their own made harmless."""
    return re.sub(r"([\\`*_{}\[\]<>#|~])", r"\\\1", text)


def _place(span: Span) -> str:
    """A place, whose file may have any name."""
    return _plain(source(span)).replace("\\_", "_")  # within a word it means nothing
