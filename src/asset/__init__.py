"""ASSET: write a concurrent system as a Python class, and find out whether any of its reachable states is bad.

    from asset import Array, Model, check, invariant, transition, when

These names are the public API; everything else is internal.
"""

from __future__ import annotations

from collections.abc import Iterable

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
    terminal,
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
    "terminal",
    "transition",
    "when",
]


def check(
    model: Model,
    *,
    only: Iterable[str] | None = None,
    engine: str = "native",
    threads: int = 1,
    max_states: int | None = None,
    max_memory: int | None = None,
) -> Verdict:
    """Explores every reachable state of the model and answers for its properties.

    The options are those of `asset check`; `max_memory` is in bytes. A model that cannot be checked as it is written
    raises AssetError; whatever goes wrong while it runs is a finding in the verdict.
    """
    from asset import checks  # here, so that defining a model loads no engine

    selected = None if only is None else frozenset([only] if isinstance(only, str) else only)
    options = checks.CheckOptions(
        engine=engine, only=selected, max_states=max_states, max_memory=max_memory, threads=threads
    )
    return checks.check(model, options)
