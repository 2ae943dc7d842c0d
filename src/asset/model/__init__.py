"""What a modeller writes: a subclass of Model with state, transitions and properties."""

from asset.model.model import SYMMETRY_REPRESENTATIVE, Model, cells_of, fire, in_state, shown, variables_of
from asset.model.obligations import obligations, stb, stb_all
from asset.model.progress import recurrent, terminates
from asset.model.state import Array, Bits, Int, OutOfRange
from asset.model.transitions import (
    FIRE_TRANSITION,
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
    "SYMMETRY_REPRESENTATIVE",
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
    "obligations",
    "recurrent",
    "shown",
    "stb",
    "stb_all",
    "terminal",
    "terminates",
    "transition",
    "variables_of",
    "when",
]
