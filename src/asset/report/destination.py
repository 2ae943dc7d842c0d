"""Where a command writes: files, or standard output. If it must fail, that is known before the work; what is there
already is never lost.

A file is written beside its place and renamed: a full disk, a kill or a crash leaves the old one whole. A file that the
model was made from, or that another option writes, is refused, whatever name leads to it.
"""

from __future__ import annotations

import os
import secrets
import shutil
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from asset.errors import UsageError

STDOUT = "-"


@dataclass(frozen=True, slots=True)
class Outputs:
    """The files that a command writes, by the options that name them."""

    files: Mapping[str, str] = field(default_factory=dict)

    def require_writable(self, stdout: bool = True) -> None:
        """UsageError now, rather than after an hour's search, if what an option names plainly cannot be written, or if
        two of them would overwrite each other."""
        for flag, file in self.files.items():
            _require_writable(file, flag, stdout)
        self._require_different()

    def require_apart(self, sources: Iterable[str | Path]) -> None:
        """UsageError if one of the files is one of the sources of the model."""
        if not self.files:
            return
        known = {identity: str(source) for source in sources for identity in _identities(str(source))}
        for flag, file in self.files.items():
            for identity in _identities(file):
                if identity in known:
                    raise _unwritable(file, flag, f"the model is made from {known[identity]}, which is the same file")

    def write(self, flag: str, text: str) -> None:
        """The file of the option, or standard output for `-`, holds the text; nothing is written if it has none."""
        if flag in self.files:
            _write(text, self.files[flag], flag)

    def _require_different(self) -> None:
        seen = dict(_redirected())
        for flag, file in self.files.items():
            for identity in _identities(file):
                if identity in seen:
                    raise _unwritable(file, flag, f"{seen[identity]} goes to the same file")
            seen.update(dict.fromkeys(_identities(file), flag))


NO_OUTPUTS = Outputs()


def create(path: Path, data: bytes) -> None:
    """There is a new file with the data, all of it; FileExistsError if there is a file already."""
    scratch = _written_beside(path, data, None)
    try:
        os.link(scratch, path)  # unlike a rename, it fails if there is something
    except FileExistsError:
        raise
    except OSError:  # not every file system has links
        if os.path.lexists(path):
            raise FileExistsError(path) from None
        scratch.rename(path)
    finally:
        scratch.unlink(missing_ok=True)


# --- which file it is -------------------------------------------------------------------------------------------

Identity = tuple[object, ...]


def _identities(file: str) -> Iterator[Identity]:
    """What two names of one file have in common: the file itself, if there is one, and the place that the links lead
    to. Whatever is written to a device or appended to a stream of ours, nothing there is lost."""
    if file == STDOUT:
        return
    try:
        status = os.stat(file)
    except OSError:
        yield (os.path.realpath(file),)
        return
    if not stat.S_ISCHR(status.st_mode) and not (stat.S_ISREG(status.st_mode) and _is_special(file)):
        yield (status.st_dev, status.st_ino)


def _redirected() -> Iterator[tuple[Identity, str]]:
    """The files that the shell has given us as standard output and standard error."""
    for number, name in ((1, "standard output"), (2, "standard error")):
        with suppress(OSError):
            status = os.fstat(number)
            if stat.S_ISREG(status.st_mode):
                yield (status.st_dev, status.st_ino), name


# --- whether it can be written ----------------------------------------------------------------------------------


def _require_writable(file: str, flag: str, stdout: bool) -> None:
    if file == STDOUT:
        if not stdout:
            raise _unwritable(file, flag, "standard output has the report for people")
        return
    folder = os.path.dirname(file) or "."
    if os.path.isdir(file):
        raise _unwritable(file, flag, "it is a directory")
    if not os.path.isdir(folder):
        raise _unwritable(file, flag, f"there is no directory {folder}")
    try:
        with suppress(FileNotFoundError):
            os.stat(file)
        special = _is_special(file)
    except OSError as error:
        raise _unwritable(file, flag, error.strerror or str(error)) from None
    if os.path.exists(file) and not os.access(file, os.W_OK):
        raise _unwritable(file, flag, "permission denied")
    if not special and not os.access(os.path.dirname(os.path.realpath(file)), os.W_OK | os.X_OK):
        raise _unwritable(file, flag, "its folder takes no new file, which would replace it")


def _is_special(file: str) -> bool:
    """Whether it is a device or a pipe, or is named as a stream of ours (/dev/stdout): these stay what they are."""
    try:
        regular = stat.S_ISREG(os.stat(file).st_mode)
    except FileNotFoundError:
        return False
    return not regular or any(_names_streams(name) for name in _links(file))


def _links(file: str) -> Iterator[str]:
    yield file
    while os.path.islink(file):
        file = os.path.join(os.path.dirname(file), os.readlink(file))
        yield file


def _names_streams(file: str) -> bool:
    folder = os.path.realpath(os.path.dirname(file) or ".")
    return folder in ("/dev", "/dev/fd") or folder.startswith("/proc/")


# --- writing ----------------------------------------------------------------------------------------------------


def _write(text: str, file: str, flag: str) -> None:
    data = text.encode("utf-8", "backslashreplace")  # a file may have a name that is no text
    if file == STDOUT:
        _to_stdout(data)
        return
    try:
        if _is_special(file):
            sys.stdout.flush()  # it may be the same stream
            with open(file, "ab") as stream:  # what is there already is not cut off
                stream.write(data)
        else:
            _replace(Path(os.path.realpath(file)), data)
    except OSError as error:
        raise _unwritable(file, flag, error.strerror or str(error)) from None


def _to_stdout(data: bytes) -> None:
    """The same bytes as in a file, whatever the encoding of the terminal."""
    sys.stdout.flush()
    binary = getattr(sys.stdout, "buffer", None)
    if binary is None:
        sys.stdout.write(data.decode())
    else:
        binary.write(data)


def _replace(path: Path, data: bytes) -> None:
    """Whoever reads the file meanwhile sees all of the old one or all of the new one."""
    scratch = _written_beside(path, data, path if path.exists() else None)
    try:
        scratch.replace(path)
    except BaseException:
        scratch.unlink(missing_ok=True)
        raise


def _written_beside(path: Path, data: bytes, like: Path | None) -> Path:
    """A new file in the same folder, which is on the disk; with the owner and the permissions of `like`."""
    scratch = path.with_name(f".asset-{secrets.token_hex(6)}.part")
    try:
        with scratch.open("xb") as stream:
            stream.write(data)
            stream.flush()
            if like is not None:
                with suppress(PermissionError):  # only root can give files away
                    os.chown(scratch, like.stat().st_uid, like.stat().st_gid)
                shutil.copymode(like, scratch)
            os.fsync(stream.fileno())
    except BaseException:
        scratch.unlink(missing_ok=True)
        raise
    return scratch


def _unwritable(file: str, flag: str, reason: str) -> UsageError:
    return UsageError.of(
        f"cannot write {file}: {reason}", remedy=f"{flag} takes the name of a file that can be written"
    )
