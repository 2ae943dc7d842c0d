"""Where a command writes: a file, or standard output. If it must fail, that is known before the work, and a file is
written as a whole or not at all."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from asset.errors import UsageError

STDOUT = "-"


def require_writable(destination: str, flag: str, stdout: bool = True) -> None:
    """UsageError now, rather than after an hour's search, if what the option names plainly cannot be written."""
    if destination == STDOUT:
        if not stdout:
            raise _unwritable(destination, flag, "standard output has the report for people")
        return
    path = Path(destination)
    if path.is_dir():
        raise _unwritable(destination, flag, "it is a directory")
    if not path.parent.is_dir():
        raise _unwritable(destination, flag, f"there is no directory {path.parent}")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise _unwritable(destination, flag, "permission denied")


def write(text: str, destination: str, flag: str) -> None:
    """The file `destination`, or standard output for `-`, holds the text."""
    if destination == STDOUT:
        sys.stdout.write(text)
        return
    path = Path(destination)
    try:
        if _is_replaceable(path):
            _replace(path, text)
        else:
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise _unwritable(destination, flag, error.strerror or str(error)) from None


def _is_replaceable(path: Path) -> bool:
    """Links, devices and pipes stay what they are."""
    plain = not path.is_symlink() and (path.is_file() or not path.exists())
    return plain and os.access(path.parent, os.W_OK)


def _replace(path: Path, text: str) -> None:
    """Whoever reads the file meanwhile sees all of the old one or all of the new one."""
    scratch = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        scratch.write_text(text, encoding="utf-8")
        if path.exists():
            shutil.copymode(path, scratch)
        scratch.replace(path)
    except OSError:
        scratch.unlink(missing_ok=True)
        raise


def _unwritable(destination: str, flag: str, reason: str) -> UsageError:
    return UsageError.of(
        f"cannot write {destination}: {reason}", remedy=f"{flag} takes the name of a file that can be written"
    )
