"""Machine code kept between runs: one file for each description of what it was made from, in the user's cache
directory.

The description is in the file, so that code is never taken for that of something else. (A digest would do; but the
module that makes one takes as long to import as all else here takes to run.) Nothing here can make a run fail: what
cannot be read is compiled again, what cannot be written is not kept.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import get_ident
from zlib import adler32, crc32

_MAGIC = b"ASSET machine code 2\n"
_SUFFIX = ".code"

MAX_BYTES = 64 * 1024 * 1024


def directory() -> Path:
    """$ASSET_CACHE_DIR, else the folder `asset` in $XDG_CACHE_HOME or ~/.cache."""
    chosen = os.environ.get("ASSET_CACHE_DIR")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "asset"


def entry(description: bytes) -> Path:
    """The file for what has this description."""
    return directory() / f"{crc32(description):08x}{adler32(description):08x}{_SUFFIX}"


def fetch(description: bytes) -> bytes | None:
    """The code that was made from what is described, if it is there and undamaged."""
    try:
        path = entry(description)
        data = path.read_bytes()
    except (OSError, RuntimeError):  # RuntimeError: there is no home directory
        return None
    start = len(_header(description, b""))
    if data[:start] != _header(description, data[start:]):
        return None
    with suppress(OSError):
        os.utime(path)  # so that what is used is not evicted
    return data[start:]


def keep(description: bytes, code: bytes) -> None:
    """Keeps the code. Others see the whole file or none; the oldest files make room for it."""
    with suppress(OSError, RuntimeError):
        path = entry(description)
        path.parent.mkdir(parents=True, exist_ok=True)
        _replace(path, _header(description, code) + code)
        _evict(path.parent)


def _header(description: bytes, code: bytes) -> bytes:
    """What stands before the code: its checksum, of a fixed length, and the description with its length."""
    return b"%b%08x %08x %b" % (_MAGIC, crc32(code), len(description), description)


def _replace(path: Path, data: bytes) -> None:
    # Not the module tempfile: importing it would take longer than all else here.
    temporary = path.with_name(f"{path.name}.{os.getpid()}.{get_ident()}")
    try:
        temporary.write_bytes(data)
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
