"""What an engine is asked and what it answers; the same for the reference and the native engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from asset.ir.program import Program, Property, PropertyKind, State


class Executable(Protocol):
    """Whatever runs a program by its meaning: the reference interpreter, or CPython running the model itself."""

    program: Program

    def fire(self, state: State, command: int) -> State | None:
        """The state after the command, or None where it is disabled. Raises Fault on a model error."""

    def evaluate(self, prop: Property, state: State) -> str | None:
        """None where the property holds, else what is wrong. Raises Fault on a model error."""


Checked = Mapping[PropertyKind, int]
"""For each kind of property, a bit for each one to check."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a search gives up. `max_memory` is in bytes; None leaves it to the engine (most of what is free)."""

    max_states: int | None = None
    max_memory: int | None = None
    threads: int = 1


@dataclass(frozen=True, slots=True)
class Progress:
    """A search at a moment, for a live display."""

    states: int
    edges: int
    frontier: int
    depth: int
    memory: int


class Stop(Enum):
    """Why a search ended."""

    COMPLETE = "complete"  # every reachable state was explored
    FINDING = "finding"
    MAX_STATES = "max-states"
    MAX_MEMORY = "max-memory"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something bad, with a shortest path to it.

    `kind` is the kind of the violated property, or None for a model error. `index` is the number of that property
    among those of its kind. `path` begins with the initial state, whose command is None. A model error occurs when
    `failing` (a command) is fired in the last state, or, where `failing` is None, when property `index` of kind
    `evaluating` is evaluated in it.
    """

    kind: PropertyKind | None
    index: int
    path: tuple[tuple[int | None, State], ...]
    failing: int | None = None
    evaluating: PropertyKind | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    stop: Stop
    finding: Finding | None
    states: int
    edges: int
    depth: int
    terminal_states: int
    explore_seconds: float
    memory_peak: int
    bytes_per_state: float


Observer = Callable[[Progress], bool]
"""Called now and then while a search runs; returning False interrupts it."""
