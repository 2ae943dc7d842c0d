"""What a modeller writes: a subclass of Model with state, transitions and properties."""

from asset.model.model import FIRE_TRANSITION, Model, cells_of, fire, in_state, shown, variables_of
from asset.model.state import Array, Bits, Int, OutOfRange
from asset.model.transitions import (
    Disabled,
    Fired,
    Transition,
    invariant,
    may_progress,
    must_progress,
    terminal,
    transition,
    when,
)

__all__ = [
    "FIRE_TRANSITION",
    "Array",
    "Bits",
    "Disabled",
    "Fired",
    "Int",
    "Model",
    "OutOfRange",
    "Transition",
    "cells_of",
    "fire",
    "in_state",
    "invariant",
    "may_progress",
    "must_progress",
    "shown",
    "terminal",
    "transition",
    "variables_of",
    "when",
]
