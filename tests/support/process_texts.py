"""Models with processes, made from the text of their members."""

from __future__ import annotations

from pathlib import Path

from asset import check
from asset.frontends.python import compile_model, load
from asset.ir.program import Program
from asset.ir.types import EnumType, bit_width
from asset.model import Model
from asset.verdict import Verdict

HEAD = """\
from enum import IntEnum
from asset import Array, Bits, Int, Model, Queue, choose, invariant, process, recurrent, terminal
from asset import transition, when
from asset.channels import Channel

class Phase(IntEnum):
    LOW = 3
    HIGH = 5

class M(Model):
    n: int = 2

    def state(self):
        self.x = Int(0, 7)
        self.flag = False
        self.a = Array(3, Int(0, 7))
        self.a[1] = 2

"""


def loaded(folder: Path, members: str, **parameters: object) -> Model:
    """The model with these members; they are indented by four blanks."""
    file = folder / "m.py"
    file.write_text(HEAD + members)
    return load(str(file), {name: str(value) for name, value in parameters.items()})


def program_of(folder: Path, members: str) -> Program:
    return compile_model(loaded(folder, members))


def verdict_of(folder: Path, members: str) -> Verdict:
    return check(loaded(folder, members), engine="reference")


def variables(program: Program) -> dict[str, int]:
    """The names of the state variables with the bits of each of their cells."""
    return {v.name: bit_width(v.type) for v in program.variables}


def points(program: Program, process: str = "p") -> list[str]:
    counter = next(v for v in program.variables if v.name == f"{process}.at")
    assert isinstance(counter.type, EnumType)
    return [name for name, _ in counter.type.members]


def line(members: str, text: str) -> int:
    """The line of the file that the text is in, counted from 1."""
    return next(k for k, t in enumerate((HEAD + members).splitlines(), 1) if text in t)
