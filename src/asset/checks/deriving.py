"""Stubborn set rules for what is asked, derived from the program within the time there is for it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from asset.analysis.stubborn.derivation import Derivation, derive
from asset.checks.options import CheckOptions
from asset.checks.plan import Question, task
from asset.ir.program import Program, State

Analysing = Callable[[str, int, int], bool]
"""Told now and then what an analysis is at, how much of it is done and of how much; returning False ends it."""


def derived(
    program: Program,
    questions: Sequence[Question],
    options: CheckOptions,
    analysing: Analysing | None = None,
    starts: Sequence[State] = (),
) -> Derivation | None:
    """Rules that take the questions into account; None where there was not enough time, or it was interrupted.

    They are for what is reachable from `starts`: from the initial state unless others are given.
    """
    deadline = None if options.analysis_time is None else time.monotonic() + options.analysis_time

    def observe(what: str, done: int, of: int) -> bool:
        if deadline is not None and time.monotonic() > deadline:
            return False
        return analysing is None or analysing(what, done, of)

    result = derive(program, task(questions, options).properties, observer=observe, starts=starts)
    return result if result.complete else None
