"""ASSET: write a concurrent system as a Python class, and find out whether any of its reachable states is bad.

    from asset import Array, Model, check, invariant, transition, when

These names are the public API; everything else is internal.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypedDict, Unpack

from asset.errors import AssetError, ModelRejected, UsageError
from asset.model import (
    Array,
    Bits,
    Int,
    Model,
    OutOfRange,
    invariant,
    may_progress,
    must_progress,
    obligations,
    recurrent,
    stb,
    stb_all,
    terminal,
    terminates,
    transition,
    when,
)
from asset.verdict import Answer, Counterexample, Verdict

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "Array",
    "AssetError",
    "Bits",
    "Counterexample",
    "Int",
    "Model",
    "ModelRejected",
    "OutOfRange",
    "UsageError",
    "Verdict",
    "check",
    "invariant",
    "may_progress",
    "must_progress",
    "obligations",
    "recurrent",
    "stb",
    "stb_all",
    "terminal",
    "terminates",
    "transition",
    "when",
]


class Options(TypedDict, total=False):
    """The options of `check`, as those of `asset check`; `max_memory` is in bytes, `audit` is a depth."""

    stubborn: str
    symmetry: str
    engine: str
    threads: int
    max_states: int | None
    max_memory: int | None
    termination: bool
    dl_not_may: bool
    dl_not_must: bool
    audit: int | None
    analysis_time: int | None


def check(model: Model, *, only: Iterable[str] | None = None, **options: Unpack[Options]) -> Verdict:
    """Explores every reachable state of the model and answers for its properties.

    The options are those of `asset check` (see `asset.Options`); `only` names the checks to run. A model that cannot be
    checked as it is written raises AssetError; whatever goes wrong while it runs is a finding in the verdict.
    """
    from asset import checks  # here, so that defining a model loads no engine

    unknown = sorted(options.keys() - Options.__annotations__.keys())
    if unknown:
        raise TypeError(f"check() has no option {unknown[0]}; there are: only, {', '.join(Options.__annotations__)}")
    selected = None if only is None else frozenset([only] if isinstance(only, str) else only)
    return checks.check(model, checks.CheckOptions(only=selected, **options))
