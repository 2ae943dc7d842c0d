"""What a modeller writes: a subclass of Model with state, transitions and properties."""

from asset.model.arrays import Array
from asset.model.bags import Bag
from asset.model.declared_formulas import strong, weak
from asset.model.declared_requirements import idle_steps, recurrent, terminates
from asset.model.heaps import Dangling, Heap, Ref
from asset.model.initial_states import initial, subsets
from asset.model.maps import Map
from asset.model.model import (
    SYMMETRY_REPRESENTATIVE,
    Model,
    cells_of,
    declared_of,
    fire,
    further_initial_states,
    in_state,
    shown,
    variables_of,
)
from asset.model.optionals import Optional
from asset.model.processes import Process, at, process
from asset.model.queues import Empty, Full, Queue
from asset.model.records import Record
from asset.model.sets import Set
from asset.model.state import Bits, Int, OneOf, OutOfRange
from asset.model.steps.choosing import choose
from asset.model.stubborn_rules import obligations, stb, stb_all
from asset.model.synchronous import Synchronous
from asset.model.temporal import assume, temporal
from asset.model.temporal_words import (
    AF,
    AG,
    AU,
    AX,
    EF,
    EG,
    EU,
    EX,
    after,
    always,
    changes,
    enabled,
    eventually,
    implies,
    leads_to,
    next_state,
    release,
    taken,
    until,
    weak_until,
)
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
    "AF",
    "AG",
    "AU",
    "AX",
    "EF",
    "EG",
    "EU",
    "EX",
    "FIRE_TRANSITION",
    "SYMMETRY_REPRESENTATIVE",
    "Array",
    "Bag",
    "Bits",
    "Dangling",
    "Disabled",
    "Empty",
    "Fired",
    "Full",
    "Heap",
    "Int",
    "Map",
    "Model",
    "OneOf",
    "Optional",
    "OutOfRange",
    "Process",
    "Queue",
    "Record",
    "Ref",
    "Set",
    "Synchronous",
    "Transition",
    "after",
    "always",
    "assume",
    "at",
    "cells_of",
    "changes",
    "choose",
    "declared_of",
    "enabled",
    "eventually",
    "fire",
    "further_initial_states",
    "idle_steps",
    "implies",
    "in_state",
    "initial",
    "invariant",
    "leads_to",
    "may_progress",
    "must_progress",
    "next_state",
    "obligations",
    "process",
    "recurrent",
    "release",
    "shown",
    "stb",
    "stb_all",
    "strong",
    "subsets",
    "taken",
    "temporal",
    "terminal",
    "terminates",
    "transition",
    "until",
    "variables_of",
    "weak",
    "weak_until",
    "when",
]
