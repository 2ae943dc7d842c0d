"""Files that a command writes: an error before the work where it must fail, and a whole file or none after it."""

from __future__ import annotations

import os
from pathlib import Path

from asset.errors import UsageError


def require_writable(destination: str) -> None:
    """UsageError where `destination` plainly cannot be written."""
    if destination == "-":
        raise _unwritable(destination, "standard output has the report for people")
    path = Path(destination)
    folder = path.parent
    if path.is_dir():
        raise _unwritable(destination, "it is a directory")
    if not folder.is_dir():
        raise _unwritable(destination, f"there is no directory {folder}")
    if not os.access(folder, os.W_OK):
        raise _unwritable(destination, "permission denied")


def write(destination: str, text: str) -> None:
    """The file holds the text; whoever reads it meanwhile sees all of the old one or all of the new one."""
    path = Path(destination)
    scratch = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        scratch.write_text(text, encoding="utf-8")
        scratch.replace(path)
    except OSError as error:
        scratch.unlink(missing_ok=True)
        raise _unwritable(destination, error.strerror or str(error)) from None


def _unwritable(destination: str, reason: str) -> UsageError:
    return UsageError.of(f"cannot write {destination}: {reason}", remedy="give a file that can be written")
