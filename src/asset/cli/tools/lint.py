"""`asset lint`: where the steps of processes are too large for a real machine, or do nothing that anybody sees."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from asset.analysis.processes.atomicity import Access, Sharing, Touched
from asset.checks.subject import Subject, require_transparent
from asset.cli import output
from asset.cli.model_words import add_model, loaded, spec_of
from asset.errors import Diagnostic
from asset.span import Span

_DESCRIPTION = """\
Says where a step of a process touches more than a real machine would at once,
and where it does nothing that another process or a property could see."""

_STATUS = """\
exit status:
  0  there is nothing to say        2  the command line or the model is at fault
  1  there is"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = _DESCRIPTION, _STATUS
    add_model(parser)


def run(words: argparse.Namespace) -> int:
    subject = loaded(spec_of(words))
    require_transparent(subject, "asset lint", "asset check says what goes wrong in it")
    found = notes(subject)
    if not found:
        return 0
    output.print_text("\n".join(map(str, found)))
    return 1


def notes(subject: Subject) -> list[Diagnostic]:
    """What is remarkable about the steps of the model's processes, by line. These are no errors: only the modeller
    knows whether a machine makes such a step at once."""
    found = [*_of_steps(Sharing(subject.executable().program).steps()), *subject.remarks()]
    found.sort(key=lambda note: (note.span.line, note.span.column) if note.span else (0, 0))
    return [replace(note, span=_from_here(note.span)) for note in found]


def _from_here(span: Span | None) -> Span | None:
    """The place with its file named from the working directory, if it is below that."""
    if span is None or not Path(span.file).is_relative_to(Path.cwd()):
        return span
    return replace(span, file=str(Path(span.file).relative_to(Path.cwd())))


NOTE = "note"


@dataclass(frozen=True)
class _Remark:
    """What is said of a step, after its name."""

    said: str
    span: Span
    remedy: str


def _of_steps(steps: Iterable[Touched]) -> Iterator[Diagnostic]:
    """What is said of several steps, as of those from different points through the same lines, is said once."""
    names: dict[_Remark, list[str]] = {}
    for touched in steps:
        for remark in _of_step(touched):
            names.setdefault(remark, []).append(touched.family.name)
    for remark, said_of in names.items():
        who = f"the step {said_of[0]}" if len(said_of) == 1 else f"each of the steps {', '.join(said_of)}"
        yield Diagnostic(f"{who} {remark.said}", remark.span, remark.remedy, NOTE)


def _of_step(touched: Touched) -> Iterator[_Remark]:
    if len(touched.places) > 1:
        *before, last = touched.places
        names = ", ".join(dict.fromkeys(_named(place) for place in before))
        said = f"touches {_named(last)} here, and before that {names}"
        remedy = "another process may come between them on a real machine: yield there, unless it is one operation"
        yield _Remark(said, last.span, remedy)
    if not touched.has_effect:
        remedy = "without the yield at its beginning there are fewer states, and no other behaviour"
        yield _Remark("does nothing that anybody else could see", touched.family.span, remedy)


def _named(access: Access) -> str:
    return f"its own {access.variable}" if access.is_own else access.variable
