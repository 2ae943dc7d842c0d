"""Loading a model in Promela: preprocessed, parsed, lowered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from asset.errors import UsageError
from asset.frontends.promela.instances import BOUND
from asset.frontends.promela.lowering import Asked, lower
from asset.frontends.promela.modules import parse
from asset.frontends.promela.preprocessing import preprocess
from asset.ir.program import Program


@dataclass(frozen=True, slots=True)
class Loaded:
    program: Program
    files: tuple[str, ...]
    unchecked: tuple[str, ...] = ()
    """What the model asks for and is not checked, in words."""


def load(file: str, macros: Mapping[str, str]) -> Loaded:
    """The model in the file, with macros that are given as text. Raises ModelRejected if it is not Promela."""
    bound = _bound(macros)
    given = {name: value for name, value in macros.items() if name != BOUND}
    read = preprocess(file, given)
    for name in given:
        if name not in read.mentioned:
            raise UsageError.of(f"{file} has no macro {name}", remedy="leave it out, or use the name in the model")
    module, scope = parse(read.tokens)
    asked = Asked(tuple(macros.items()), bound)
    unchecked = () if module.never is None else ("its never claim",)
    return Loaded(lower(Path(file).stem, module, scope, asked), tuple(read.files), unchecked)


def _bound(macros: Mapping[str, str]) -> int | None:
    text = macros.get(BOUND)
    if text is None:
        return None
    if not text.isdecimal() or not 1 <= int(text) <= 255:
        raise UsageError.of(f"{BOUND}={text}: not a number from 1 to 255", remedy=f"write it like -D {BOUND}=20")
    return int(text)
