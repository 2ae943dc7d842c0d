"""The run as a Mermaid sequence diagram: a participant for each process, an arrow to each that a step writes to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from asset.report.counterexample import remarks
from asset.report.document import one_line
from asset.report.table import changed, shown
from asset.report.text import headline
from asset.verdict import Counterexample, Step, Verdict

NOBODY = "model"
"""The participant of a run whose processes are not known."""


def render(verdict: Verdict) -> str:
    return "\n".join(_lines(verdict)) + "\n"


def _lines(verdict: Verdict) -> Iterator[str]:
    run = verdict.counterexample
    names = list(run.processes if run and run.processes else (NOBODY,))
    yield "sequenceDiagram"
    yield from (f"    participant p{at} as {_text(name)}" for at, name in enumerate(names))
    if run is None or not run.steps:
        yield _note(names, headline(verdict))
        return
    yield from _told(run, verdict, names)
    yield _note(names, headline(verdict))


def _told(run: Counterexample, verdict: Verdict, names: Sequence[str]) -> Iterator[str]:
    said = remarks(run, verdict.violation)
    yield _note(names, ", ".join(f"{name} = {shown(value)}" for name, value in run.steps[0].state.items()))
    for number, step in enumerate(run.steps):
        if number:
            yield from _messages(number, step, names)
        for remark in said.get(number, ()):
            yield _note(names, remark.text)
        if number == run.cycle_starts_at:
            yield "    loop repeats for ever"
    if run.cycle_starts_at is not None:
        yield "    end"
    if run.failing is not None:
        yield _note(names, f"{len(run)}. {run.failing}: model error")


def _messages(number: int, step: Step, names: Sequence[str]) -> Iterator[str]:
    """A step to oneself, or an arrow to each process whose variables it assigns."""
    own = names.index(step.process) if step.process in names else 0
    label = f"{number}. {step.transition}"
    changes = ", ".join(map(changed, step.changes)) or "nothing changes"
    first, *others = [names.index(name) for name in step.writes] or [own]
    yield f"    p{own}->>p{first}: {_text(label)}<br/>{_text(changes)}"
    yield from (f"    p{own}->>p{other}: {_text(label)}" for other in others)


def _note(names: Sequence[str], text: str) -> str:
    over = f"p0,p{len(names) - 1}" if len(names) > 1 else "p0"
    return f"    Note over {over}: {_text(text)}"


def _text(text: str) -> str:
    """The text with the characters that Mermaid takes for its own as its entity codes."""
    return re.sub(r"[#;<>&\"%]", lambda found: f"#{ord(found[0])};", one_line(text))
