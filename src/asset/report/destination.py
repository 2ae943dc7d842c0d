"""Where a report goes: a file, or standard output."""

from __future__ import annotations

import os
import sys

from asset.errors import UsageError

STDOUT = "-"


def require_writable(destination: str, option: str) -> None:
    """An error now, rather than after an hour's search, if `destination` plainly cannot be written."""
    if destination == STDOUT:
        return
    folder = os.path.dirname(destination) or "."
    if os.path.isdir(destination):
        raise _unwritable(destination, option, "it is a directory")
    if not os.path.isdir(folder):
        raise _unwritable(destination, option, f"there is no directory {folder}")
    if not os.access(destination if os.path.exists(destination) else folder, os.W_OK):
        raise _unwritable(destination, option, "permission denied")


def write(text: str, destination: str, option: str) -> None:
    """The file `destination`, or standard output for `-`, holds the text."""
    if destination == STDOUT:
        sys.stdout.write(text)
        return
    try:
        with open(destination, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise _unwritable(destination, option, error.strerror or str(error)) from None


def _unwritable(destination: str, option: str, reason: str) -> UsageError:
    return UsageError.of(
        f"cannot write the report of --{option} to {destination}: {reason}",
        remedy=f"--{option} takes a file that can be written, or - for standard output",
    )
