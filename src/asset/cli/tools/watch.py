"""`asset watch`: checks a model again whenever it is saved, small sizes first."""

from __future__ import annotations

import argparse
import subprocess
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from asset.cli import arguments, output
from asset.cli.model_words import add_model, spec_of
from asset.cli.tools.sweep import words_of
from asset.languages import ModelSpec, file_of, language_of
from asset.report.document import Line, Piece, Role, line
from asset.sweep.measuring import AT_FAULT, check_command, held_pipe, started
from asset.sweep.swept import sizes

_DESCRIPTION = """\
Checks a model again whenever it, or a file beside it that it may be made of, is
saved: one line for each size, small sizes first. A size that does not hold is
the last, with its report; a save ends the check that is running. Ctrl-C ends
the watch."""

_EXAMPLES = """\
examples:
  asset watch ring.py                    with its own parameters
  asset watch ring.py -p n=2..6          n = 2 first, then 3, …"""

_MARKS = {0: Piece("✓ ", Role.GOOD), 1: Piece("✗ ", Role.BAD)}
_OPEN = Piece("? ", Role.UNSURE)

VIOLATED = 1
"""The exit status of a check whose counterexample is shown."""

BETWEEN = 0.2
"""Seconds from one look at the files to the next."""

Snapshot = tuple[tuple[str, int, int], ...]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = _DESCRIPTION, _EXAMPLES
    add_model(parser)
    arguments.add_method(parser)
    arguments.add_progress(parser)
    arguments.add_limits(parser)


def run(words: argparse.Namespace) -> int:
    """Watches until Ctrl-C."""
    file, spec = file_of(words.model), spec_of(words)
    options = words_of(arguments.options_of(words, spec))
    given = sizes(spec.parameters, language_of(spec.file).option.flag)
    checks = [WatchedCheck(replace(spec, parameters=parameters), options) for parameters in given]
    try:
        Watcher(file, checks, output.tell).run()
    except KeyboardInterrupt:
        output.tell([line()])
    return 0


@dataclass(frozen=True, slots=True)
class WatchedCheck:
    """One line of the watch."""

    model: ModelSpec
    options: Sequence[str]

    @property
    def command(self) -> list[str]:
        return check_command(self.model.words, self.options)


@dataclass(frozen=True, slots=True)
class Watcher:
    """Checks whenever the file, or a file beside it that it may be made of, is another one than before."""

    file: Path
    checks: Sequence[WatchedCheck]
    tell: Callable[[Iterable[Line]], None]

    def run(self) -> None:
        """Does not return."""
        seen: Snapshot | None = None
        while True:
            now = self.snapshot()
            if now != seen:
                seen = now
                self.tell([line(Piece(f"{time.strftime('%H:%M:%S')}  {self.file}", Role.FAINT))])
                self.check_all(now)
            time.sleep(BETWEEN)

    def snapshot(self) -> Snapshot:
        """Equal as long as nothing is saved; a file that is being replaced is left out."""
        found = []
        parts = language_of(self.file.name).parts
        for file in sorted(file for file in self.file.parent.iterdir() if file.name.endswith(parts)):
            try:
                seen = file.stat()
            except OSError:
                continue
            found.append((file.name, seen.st_mtime_ns, seen.st_size))
        return tuple(found)

    def check_all(self, seen: Snapshot) -> None:
        """Up to the first check that does not hold, or to a save."""
        for check in self.checks:
            status = self._checked(check, seen)
            if status != 0:
                return

    def _checked(self, check: WatchedCheck, seen: Snapshot) -> int | None:
        """The exit status of the check, after a line is printed for it; None if a save ended it."""
        with held_pipe() as pipe:
            process = started(check.command, pipe)
            try:
                printed, complaint = self._output_of(process, seen)
            except _Saved:
                return None
            finally:
                if process.poll() is None:
                    process.kill()
                    process.communicate()
        if process.returncode == AT_FAULT:
            self.tell([line(complaint.rstrip())])
        else:
            first, _, report = (printed or complaint).rstrip().partition("\n")
            self.tell([line(_MARKS.get(process.returncode, _OPEN), first)])
            if process.returncode == VIOLATED:
                self.tell(line("  ", text) for text in report.splitlines())
        return process.returncode

    def _output_of(self, process: subprocess.Popen[str], seen: Snapshot) -> tuple[str, str]:
        while True:
            try:
                return process.communicate(timeout=BETWEEN)
            except subprocess.TimeoutExpired:
                if self.snapshot() != seen:
                    raise _Saved from None


class _Saved(Exception):
    """A file of the model was saved while it was being checked."""
