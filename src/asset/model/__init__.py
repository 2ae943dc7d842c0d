"""What a modeller writes: a subclass of Model with state, transitions and properties."""

from asset.model.arrays import Array
from asset.model.bags import Bag
from asset.model.declared_requirements import recurrent, terminates
from asset.model.maps import Map
from asset.model.model import (
    SYMMETRY_REPRESENTATIVE,
    Model,
    cells_of,
    declared_of,
    fire,
    in_state,
    shown,
    variables_of,
)
from asset.model.optionals import Optional
from asset.model.processes import Process, at, process
from asset.model.queues import Empty, Full, Queue
from asset.model.records import Record
from asset.model.sets import Set
from asset.model.state import Bits, Int, OutOfRange
from asset.model.steps.choosing import choose
from asset.model.stubborn_rules import obligations, stb, stb_all
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
    "Bag",
    "Bits",
    "Disabled",
    "Empty",
    "Fired",
    "Full",
    "Int",
    "Map",
    "Model",
    "Optional",
    "OutOfRange",
    "Process",
    "Queue",
    "Record",
    "Set",
    "Transition",
    "at",
    "cells_of",
    "choose",
    "declared_of",
    "fire",
    "in_state",
    "invariant",
    "may_progress",
    "must_progress",
    "obligations",
    "process",
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
