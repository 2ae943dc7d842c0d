"""What is kept of a search at the end of each level, so that it can go on from there: with any number of ranks.

A folder that all ranks see. Each rank appends the states of each level to a file of its own. When all have, a line is
appended to `levels` that says which pieces of which files the level is, and what was counted until then; so a level is
there if its line is whole, whatever was written besides. The first line says what is searched.
"""

from __future__ import annotations

import json
import mmap
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from asset.errors import UsageError

LEVELS = "levels"
COMMAND = "command"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Where levels are kept, and what is searched. `resumed` is how many levels are there to go on from."""

    folder: str
    identity: str
    resumed: int = 0


@dataclass(frozen=True, slots=True)
class Piece:
    """States of a level: words from one byte of a file to another."""

    file: str
    begin: int
    end: int

    def __len__(self) -> int:
        return self.end - self.begin


@dataclass(frozen=True, slots=True)
class Level:
    """A level, and what was counted until it was found; but for its states, nothing is counted of it."""

    pieces: tuple[Piece, ...]
    edges: int
    enabled: int
    terminal_states: int
    widened: tuple[Piece, ...] = ()
    """States of levels before it in which all is fired, since the level before was found: their stubborn sets were
    widened."""


class LevelFile:
    """Of a rank: what it appends to. A search that goes on from others has files of its own."""

    def __init__(self, folder: str, rank: int, first_level: int) -> None:
        self._name = f"states-{first_level}-{rank}"
        self._path = Path(folder) / self._name
        self._path.write_bytes(b"")  # what a search that was ended has left here is in no level

    def append(self, pieces: Sequence[memoryview]) -> Piece:
        """Raises OSError."""
        with self._path.open("ab") as file:
            begin = file.tell()
            for piece in pieces:
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
            return Piece(self._name, begin, file.tell())


def begun(folder: str, identity: str) -> Checkpoint:
    """A new one. Raises UsageError if the folder has one, or cannot be written."""
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
        with (path / LEVELS).open("x", encoding="utf-8") as file:
            file.write(json.dumps({"identity": identity}) + "\n")
    except FileExistsError:
        raise UsageError.of(
            f"{folder} has a checkpoint already",
            remedy=f"asset resume {folder} goes on from it; or give another folder",
        ) from None
    except OSError as error:
        raise UsageError.of(f"{folder}: no checkpoint can be kept there: {error.strerror}") from None
    return Checkpoint(folder, identity)


def found(folder: str, identity: str) -> Checkpoint:
    """The one that is there. A search that was ended before it kept anything begins anew. Raises UsageError if there is
    none, or one of another search."""
    lines = _lines(folder)
    if not lines:
        (Path(folder) / LEVELS).unlink(missing_ok=True)
        return begun(folder, identity)
    if lines[0].get("identity") != identity:
        raise UsageError.of(
            f"{folder} has a checkpoint of something else",
            remedy="the model, its parameters, what is asked, or ASSET has changed: check it anew, with another folder",
        )
    return Checkpoint(folder, identity, len(lines) - 1)


def levels(kept: Checkpoint) -> list[Level]:
    """Those to go on from."""
    lines = _lines(kept.folder)[1 : kept.resumed + 1]
    return [Level(**(line | {name: _pieces(line[name]) for name in ("pieces", "widened")})) for line in lines]


def _pieces(kept: Sequence[dict[str, Any]]) -> tuple[Piece, ...]:
    return tuple(Piece(**each) for each in kept)


def add(kept: Checkpoint, level: Level) -> None:
    """Raises OSError."""
    with (Path(kept.folder) / LEVELS).open("r+b") as file:
        whole = file.read().rfind(b"\n") + 1  # behind it is what somebody has begun to write
        file.seek(whole)
        file.truncate()
        file.write(json.dumps(asdict(level)).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


def states(folder: str, piece: Piece) -> memoryview:
    """As words. Raises OSError, or UsageError if they are not all there."""
    path = Path(folder) / piece.file
    if path.stat().st_size < piece.end:
        raise UsageError.of(f"{path} is too short: {piece.end:,} bytes of it belong to the checkpoint")
    if piece.begin == piece.end:
        return memoryview(b"").cast("Q")
    with path.open("rb") as file:
        whole = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    return whole[piece.begin : piece.end].cast("Q")


def remember(folder: str, words: Sequence[str]) -> None:
    """How the search is asked for on the command line. Raises UsageError."""
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        if not (Path(folder) / COMMAND).exists():
            (Path(folder) / COMMAND).write_text(json.dumps(list(words)), encoding="utf-8")
    except OSError as error:
        raise UsageError.of(f"{folder}: no checkpoint can be kept there: {error.strerror}") from None


def remembered(folder: str) -> list[str]:
    """Raises UsageError."""
    _lines(folder)
    try:
        words: list[str] = json.loads((Path(folder) / COMMAND).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise UsageError.of(
            f"{folder} does not say which command it is of", remedy="say `asset check … --checkpoint FOLDER --resume`"
        ) from None
    return words


def _lines(folder: str) -> list[dict[str, Any]]:
    """None if the search was ended before it wrote one."""
    try:
        return list(_whole((Path(folder) / LEVELS).read_text(encoding="utf-8")))
    except OSError as error:
        if (Path(folder) / COMMAND).exists():
            return []
        raise UsageError.of(f"{folder} has no checkpoint of a cluster: {error.strerror}") from None


def _whole(text: str) -> Iterator[dict[str, Any]]:
    for line in text.split("\n")[:-1]:
        try:
            yield json.loads(line)
        except ValueError:
            return
