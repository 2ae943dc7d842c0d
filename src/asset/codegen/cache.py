"""Machine code kept between runs: one file for each fingerprint, in the user's cache directory.

Nothing here can make a run fail: what cannot be read is compiled again, what cannot be written is not kept.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import get_ident

_MAGIC = b"ASSET machine code 1\n"
_DIGEST_SIZE = hashlib.sha256().digest_size
_SUFFIX = ".code"

MAX_BYTES = 64 * 1024 * 1024


def directory() -> Path:
    """$ASSET_CACHE_DIR, else the folder `asset` in $XDG_CACHE_HOME or ~/.cache."""
    chosen = os.environ.get("ASSET_CACHE_DIR")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "asset"


def fetch(key: str) -> bytes | None:
    """What was kept under the key, if it is there and undamaged."""
    path = directory() / (key + _SUFFIX)
    try:
        data = path.read_bytes()
    except (OSError, RuntimeError):  # RuntimeError: there is no home directory
        return None
    start = len(_MAGIC) + _DIGEST_SIZE
    if data[:start] != _header(data[start:]):
        return None
    with suppress(OSError):
        os.utime(path)  # so that what is used is not evicted
    return data[start:]


def keep(key: str, code: bytes) -> None:
    """Keeps the code under the key. Others see the whole file or none; the oldest files make room for it."""
    with suppress(OSError, RuntimeError):
        folder = directory()
        folder.mkdir(parents=True, exist_ok=True)
        _replace(folder / (key + _SUFFIX), _header(code) + code)
        _evict(folder)


def _header(code: bytes) -> bytes:
    return _MAGIC + hashlib.sha256(code).digest()


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
