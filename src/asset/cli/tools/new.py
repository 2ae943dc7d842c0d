"""`asset new`: a first model, which is checked, broken and mended by its user."""

from __future__ import annotations

import argparse
import keyword
from pathlib import Path

from asset.cli import output
from asset.errors import UsageError
from asset.report.destination import create

_DESCRIPTION = """\
Writes a first model: two processes that share a lock, with one mistake to be
found. `asset check` finds it; the comments say how to mend it."""

_MODEL = """\
# {file}: n processes take turns in a room, behind a lock. `asset check {file}` checks it.

from enum import IntEnum

from asset import Array, Model, invariant, terminal, transition, when


class At(IntEnum):
    OUTSIDE = 0
    DOOR = 1  # has seen that the lock is free
    INSIDE = 2
    GONE = 3


class {name}(Model):
    n: int = 2  # a parameter: asset check {file} -p n=3

    def state(self):
        self.at = Array(self.n, At.OUTSIDE)
        self.locked = False

    @transition(i="n")  # one transition for each i in range(n)
    def look(self, i):
        when(self.at[i] == At.OUTSIDE and not self.locked)  # the guard: disabled if it is false
        self.at[i] = At.DOOR
        # The mistake: between this step and the next one, another process may look as well. Lock here instead.

    @transition(i="n")
    def enter(self, i):
        when(self.at[i] == At.DOOR)
        self.locked = True
        self.at[i] = At.INSIDE

    @transition(i="n")
    def leave(self, i):
        when(self.at[i] == At.INSIDE)
        self.locked = False
        self.at[i] = At.GONE

    @invariant  # in every reachable state
    def at_most_one_inside(self):
        return sum(at == At.INSIDE for at in self.at) <= 1

    @terminal  # in every state in which nothing more can happen
    def everyone_was_inside(self):
        return all(at == At.GONE for at in self.at)
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.add_argument("file", metavar="FILE", help="the file to write, like room.py; the class is named after it")


def run(words: argparse.Namespace) -> int:
    """There is a new file with a model that can be checked."""
    path = Path(words.file)
    _require_name(path)
    try:
        create(path, _MODEL.format(file=path, name=_class_name(path.stem)).encode("utf-8", "backslashreplace"))
    except FileExistsError:
        raise UsageError.of(f"{path} exists already", remedy="choose another name: nothing is overwritten") from None
    except OSError as error:
        raise UsageError.of(f"cannot write {path}: {error.strerror or error}") from None
    output.print_text(f"{path}: a model with one mistake. Next: asset check {path}")
    return 0


def _require_name(path: Path) -> None:
    if path.suffix != ".py" or not path.stem.isidentifier() or keyword.iskeyword(path.stem):
        raise UsageError.of(f"{path} is not a name for a Python file", remedy="write it like room.py or my_protocol.py")


def _class_name(stem: str) -> str:
    """`my_protocol` as the class `MyProtocol`."""
    name = "".join(part[:1].upper() + part[1:] for part in stem.split("_"))
    return name if name.isidentifier() else f"Model{name}"
