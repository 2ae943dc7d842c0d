"""One row: `asset check` in a process of its own, so that one check does not affect the next."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from asset import interruption
from asset.errors import Diagnostic, UsageError
from asset.sweep.row import SweepRow

_CHILD = (
    "from asset.orphans import end_with_parent; end_with_parent(0); "
    "import sys; from asset.__main__ import command; sys.exit(command())"
)

AT_FAULT = 2
"""The exit status of a check that could not begin."""


def check_command(model: Sequence[str], options: Sequence[str]) -> list[str]:
    """The command that checks a model, which is given by words of the command line."""
    return [sys.executable, "-P", "-c", _CHILD, "check", *model, *options]


@contextmanager
def held_pipe() -> Iterator[int]:
    """For the standard input of such a command: it ends when the pipe is no longer held, by the death of this process
    at the latest."""
    reader, writer = os.pipe()
    try:
        yield reader
    finally:
        os.close(reader)
        os.close(writer)


def measure(words: Sequence[str], value: str, fingerprint: str) -> SweepRow:
    """The row of a check, from the verdict that its process prints as JSON.

    A request to end is passed on to that process: it ends its search and reports, and the row says `interrupted`.
    """
    with held_pipe() as pipe:
        process = started(words, pipe)
        try:
            printed, complaint = _output_of(process)
        finally:
            process.kill()
    if process.returncode == AT_FAULT:
        raise UsageError(Diagnostic(complaint.strip().removeprefix("error: ")))
    try:
        return SweepRow.of_verdict(value, fingerprint, json.loads(printed))
    except ValueError:  # it was ended before it could report
        return SweepRow(value, "undecided", _ended_by(process.returncode), False, 0, 0, 0.0, 0, fingerprint)


def started(words: Sequence[str], pipe: int) -> subprocess.Popen[str]:
    """The process of a check, which ends with those who hold the pipe. It is in a group of its own: a Ctrl-C of the
    terminal reaches it only through us."""
    return subprocess.Popen(
        words,
        stdin=pipe,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="backslashreplace",
        process_group=0,
    )


def _output_of(process: subprocess.Popen[str]) -> tuple[str, str]:
    try:
        return process.communicate()
    except KeyboardInterrupt:
        process.send_signal(signal.SIGINT)
        return process.communicate()


def _ended_by(status: int) -> str:
    if interruption.asked():
        return "interrupted"
    if status < 0:
        return f"ended by {signal.Signals(-status).name}"
    return f"no report, exit status {status}"
