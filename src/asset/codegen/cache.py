"""Machine code kept between runs: one file for each description of what it was made from, in the user's cache
directory.

The description is in the file, so that code is never taken for that of something else. (A digest would do; but the
module that makes one takes as long to import as all else here takes to run.) Nothing here can make a run fail: what
cannot be read is compiled again, what cannot be written is not kept.

Machine code is run, so it is taken only from files that nobody but this user can have written: the file is this user's
and no other may write to it, and the same is true of the directory; its parents are this user's or the system's.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import get_ident
from zlib import adler32, crc32

_MAGIC = b"ASSET machine code 3\n"
_SUFFIX = ".code"

MAX_BYTES = 64 * 1024 * 1024

LEFT_OVER = 600
"""Seconds after which a file that is being written was left over by somebody who was ended."""

_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def directory() -> Path:
    """$ASSET_CACHE_DIR, else the folder `asset` in $XDG_CACHE_HOME or ~/.cache."""
    chosen = os.environ.get("ASSET_CACHE_DIR")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "asset"


def entry(description: bytes) -> Path:
    """The file for what has this description."""
    return directory() / f"{crc32(description):08x}{adler32(description):08x}{_SUFFIX}"


def distrusted() -> str:
    """Why nothing is taken from the cache or kept in it; empty if there is no reason."""
    try:
        folder = directory().absolute()
        status = os.stat(folder)
    except (OSError, RuntimeError):  # there is none yet, or no home directory
        return ""
    if not _is_ours(status) or status.st_mode & _OTHERS_WRITE:
        return f"others can write to {folder}"
    for parent in folder.resolve().parents:
        status = os.stat(parent)
        if not (_is_ours(status) or status.st_uid == 0) or (
            status.st_mode & _OTHERS_WRITE and not status.st_mode & stat.S_ISVTX
        ):
            return f"others can write to {parent}"
    return ""


def fetch(description: bytes) -> bytes | None:
    """The code that was made from what is described, if it is there, this user's and undamaged."""
    try:
        path = entry(description)
        data = None if distrusted() else _read(path)
    except (OSError, RuntimeError):  # RuntimeError: there is no home directory
        return None
    start = len(_header(description, b""))
    if data is None or data[:start] != _header(description, data[start:]):
        return None
    with suppress(OSError):
        os.utime(path)  # so that what is used is not evicted
    return data[start:]


def keep(description: bytes, code: bytes) -> None:
    """Keeps the code. Others see the whole file or none; the oldest files make room for it."""
    with suppress(OSError, RuntimeError):
        path = entry(description)
        path.parent.parent.mkdir(parents=True, exist_ok=True)
        path.parent.mkdir(mode=0o700, exist_ok=True)
        if not distrusted():
            _clear(path.parent)
            _replace(path, _header(description, code) + code)
            _evict(path.parent)


def _is_ours(status: os.stat_result) -> bool:
    return not hasattr(os, "geteuid") or status.st_uid == os.geteuid()


def _read(path: Path) -> bytes | None:
    """What is in the file, if nobody else can have written it: asked of the open file, which cannot be exchanged."""
    # Not blocking: a pipe that has the name of an entry would wait for ever.
    file = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with open(file, "rb") as opened:
        status = os.fstat(file)
        trusted = stat.S_ISREG(status.st_mode) and _is_ours(status) and not status.st_mode & _OTHERS_WRITE
        return opened.read() if trusted else None


def _clear(folder: Path) -> None:
    """Removes what is no entry: what is no file, what is not this user's, what somebody left who was ended."""
    for found in os.scandir(folder):
        if _SUFFIX not in found.name:
            continue
        with suppress(OSError):
            status = found.stat(follow_symlinks=False)
            left_over = not found.name.endswith(_SUFFIX) and time.time() - status.st_mtime > LEFT_OVER
            if stat.S_ISDIR(status.st_mode):
                os.rmdir(found.path)
            elif left_over or not stat.S_ISREG(status.st_mode) or not _is_ours(status):
                os.unlink(found.path)


def _header(description: bytes, code: bytes) -> bytes:
    """What stands before the code: its checksum, of a fixed length, and the description with its length."""
    return b"%b%08x %08x %b" % (_MAGIC, crc32(code), len(description), description)


def _replace(path: Path, data: bytes) -> None:
    # Not the module tempfile: importing it would take longer than all else here.
    temporary = path.with_name(f"{path.name}.{os.getpid()}.{get_ident()}")
    try:
        with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def _evict(folder: Path) -> None:
    """Removes the files used longest ago until the others fit MAX_BYTES."""
    total = 0
    for _, size, path in sorted(_entries(folder), reverse=True):
        total += size
        if total > MAX_BYTES:
            with suppress(OSError):
                os.unlink(path)


def _entries(folder: Path) -> Iterator[tuple[int, int, str]]:
    """When each file was last used, its size and its path."""
    for entry in os.scandir(folder):
        if entry.name.endswith(_SUFFIX):
            with suppress(OSError):
                status = entry.stat()
                yield status.st_mtime_ns, status.st_size, entry.path
