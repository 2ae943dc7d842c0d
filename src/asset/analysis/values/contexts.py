"""In which contexts a function is interpreted: what its result depends on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from asset.analysis.values.facts import Given
from asset.analysis.values.interval import TOP, Interval

MAX_CONTEXTS = 16
"""So many combinations of argument intervals of one function are told apart."""


class Called(NamedTuple):
    """A function, and what its result depends on besides its arguments: values at places are those before a firing, so
    what is known where one begins may not be true of the same code within it."""

    function: int
    given: Given
    begins: bool


def context(known: Mapping[tuple[Interval, ...], Interval], args: tuple[Interval, ...]) -> tuple[Interval, ...]:
    """The arguments to interpret a function with: these, or if too many are known already, wider ones."""
    if args in known or len(known) < MAX_CONTEXTS:
        return args
    wider = (k for k in known if all(w.lo <= a.lo and a.hi <= w.hi for w, a in zip(k, args, strict=True)))
    return next(wider, tuple(TOP for _ in args))
