"""`asset lint`: where the steps of processes are too large for a real machine, or do nothing that anybody sees."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
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
    found = [note for touched in Sharing(subject.executable().program).steps() for note in _of_step(touched)]
    found += subject.remarks()
    found.sort(key=lambda note: (note.span.line, note.span.column) if note.span else (0, 0))
    return [replace(note, span=_from_here(note.span)) for note in found]


def _from_here(span: Span | None) -> Span | None:
    """The place with its file named from the working directory, if it is below that."""
    if span is None or not Path(span.file).is_relative_to(Path.cwd()):
        return span
    return replace(span, file=str(Path(span.file).relative_to(Path.cwd())))


NOTE = "note"


def _of_step(touched: Touched) -> Iterator[Diagnostic]:
    name = touched.family.name
    if len(touched.places) > 1:
        *before, last = touched.places
        names = ", ".join(dict.fromkeys(_named(place) for place in before))
        message = f"the step {name} touches {_named(last)} here, and before that {names}"
        remedy = "another process may come between them on a real machine: yield there, unless it is one operation"
        yield Diagnostic(message, last.span, remedy, NOTE)
    if not touched.has_effect:
        message = f"the step {name} does nothing that anybody else could see"
        remedy = "without the yield at its beginning there are fewer states, and no other behaviour"
        yield Diagnostic(message, touched.family.span, remedy, NOTE)


def _named(access: Access) -> str:
    return f"its own {access.variable}" if access.is_own else access.variable
