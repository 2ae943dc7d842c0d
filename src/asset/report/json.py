"""The verdict as one JSON object, for scripts."""

from __future__ import annotations

import os
import sys

from asset.errors import UsageError
from asset.verdict import Verdict

STDOUT = "-"


def require_writable(destination: str) -> None:
    """An error now, rather than after an hour's search, where `destination` plainly cannot be written."""
    if destination == STDOUT:
        return
    folder = os.path.dirname(destination) or "."
    if os.path.isdir(destination):
        raise _unwritable(destination, "it is a directory")
    if not os.path.isdir(folder):
        raise _unwritable(destination, f"there is no directory {folder}")
    if not os.access(destination if os.path.exists(destination) else folder, os.W_OK):
        raise _unwritable(destination, "permission denied")


def write(verdict: Verdict, destination: str) -> None:
    """The file `destination`, or standard output for `-`, holds the verdict."""
    text = verdict.to_json() + "\n"
    if destination == STDOUT:
        sys.stdout.write(text)
        return
    try:
        with open(destination, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise _unwritable(destination, error.strerror or str(error)) from None


def _unwritable(destination: str, reason: str) -> UsageError:
    return UsageError.of(
        f"cannot write the JSON report to {destination}: {reason}",
        remedy="--json takes a file that can be written, or - for standard output",
    )
