"""Loading a model in Promela: preprocessed, parsed, lowered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from asset.errors import Diagnostic, ModelRejected, UsageError
from asset.frontends.promela.bit_arrays import widen_bits
from asset.frontends.promela.expressions import Scope
from asset.frontends.promela.in_python import python_processes
from asset.frontends.promela.instances import BOUND
from asset.frontends.promela.lowering import Asked, Lowered, lower
from asset.frontends.promela.modules import parse
from asset.frontends.promela.preprocessing import preprocess
from asset.frontends.promela.sorts import warnings
from asset.frontends.promela.syntax import Module
from asset.frontends.promela.ways import ALLOWED, MOST_ALLOWED, MOST_DRAWN
from asset.ir.program import Program


@dataclass(frozen=True, slots=True)
class Loaded:
    lowered: Lowered
    module: Module
    scope: Scope
    files: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    """The formulas that are not checked, as the model is checked with its never claim."""
    warnings: tuple[Diagnostic, ...] = ()
    """What does not fit together in the model, though SPIN would take it."""
    claim: bool = False
    """Whether the model is checked with a never claim."""

    def in_python(self) -> str:
        """The model as processes in Python; raises Unsaid if they cannot say what it does."""
        return python_processes(self.lowered, self.module, self.scope)

    @property
    def program(self) -> Program:
        return self.lowered.program


def load(file: str, macros: Mapping[str, str]) -> Loaded:
    """The model in the file, with macros that are given as text. Raises ModelRejected if it is not Promela."""
    bound, claimed = _number(macros, BOUND, 255), _claimed(macros)
    ways = _number(macros, ALLOWED, MOST_ALLOWED)
    given = {name: value for name, value in macros.items() if name not in (BOUND, CLAIM, ALLOWED)}
    read = preprocess(file, given)
    for name in given:
        if name not in read.mentioned:
            raise UsageError.of(f"{file} has no macro {name}", remedy="leave it out, or use the name in the model")
    module, scope = parse(read.tokens, read.collections)
    widen_bits(module)
    if not claimed:
        module.never = None
    asked = Asked(tuple(macros.items()), bound, ways or MOST_DRAWN)
    left_out = () if module.never is None else tuple(formula.name for formula in module.formulas)
    doubts = warnings(module, scope)
    try:
        lowered = lower(Path(file).stem, module, scope, asked)
    except ModelRejected as rejected:
        raise ModelRejected(*rejected.diagnostics, *doubts) from None
    claim, assumed = module.never is not None, lowered.assumed
    doubts = doubts if assumed is None else (*doubts, assumed)
    return Loaded(lowered, module, scope, tuple(read.files), left_out, doubts, claim)


CLAIM = "_claim"
"""The macro that leaves the never claim out."""


def _claimed(macros: Mapping[str, str]) -> bool:
    text = macros.get(CLAIM, "on")
    if text not in ("on", "off"):
        raise UsageError.of(f"{CLAIM}={text}: neither on nor off", remedy=f"write -D {CLAIM}=off")
    return text == "on"


def _number(macros: Mapping[str, str], name: str, most: int) -> int | None:
    text = macros.get(name)
    if text is None:
        return None
    if not text.isdecimal() or not 1 <= int(text) <= most:
        remedy = f"write it like -D {name}=20"
        raise UsageError.of(f"{name}={text}: not a number from 1 to {most}", remedy=remedy)
    return int(text)
