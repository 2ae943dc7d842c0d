"""What an engine is asked and what it answers; the same for the reference and the native engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from asset.ir.program import Program, Property, PropertyKind, State

if TYPE_CHECKING:
    from asset.ir.derived import DerivedRules
    from asset.ir.groups import Group


class Executable(Protocol):
    """Whatever runs a program by its meaning: the reference interpreter, or CPython running the model itself."""

    program: Program

    def fire(self, state: State, command: int) -> State | None:
        """The state after the command, or None where it is disabled. Raises Fault on a model error."""

    def evaluate(self, prop: Property, state: State) -> str | None:
        """None where the property holds, else what is wrong. Raises Fault on a model error."""

    def obligations(self, state: State, command: int) -> tuple[int, ...]:
        """The commands that must be in a stubborn set of the state where `command` is, in the order listed.

        These are all, in increasing order, where the command has no rule. Raises Fault on a model error.
        """

    def representative(self, state: State) -> State:
        """The symmetric state that stands for this one; itself where there is no symmetry. Raises Fault."""


@dataclass(frozen=True, slots=True)
class Task:
    """What an engine is asked to do: which checks, with which reductions.

    `properties` has a bit for each property of a kind to check, `recurrences` one for each recurrence. `terminates`
    asks for always may-terminating. Terminal states count as progress unless `terminal_is_no_may_progress` (the
    ancestor's dl_not_may) or `terminal_is_no_must_progress` (dl_not_must). `stubborn` fires only a stubborn set by the
    hand-written rules in each state, `derived` instead by these rules; `symmetry` replaces each state by its
    representative; where that is by a `group`, the properties that the group has meanings of are followed through them.
    `in_order` asks the model about one state after the other: for models that remember what they were asked.
    """

    properties: Mapping[PropertyKind, int]
    recurrences: int = 0
    terminates: bool = False
    terminal_is_no_may_progress: bool = False
    terminal_is_no_must_progress: bool = False
    stubborn: bool = False
    symmetry: bool = False
    in_order: bool = False
    derived: DerivedRules | None = None
    group: Group | None = None


@runtime_checkable
class Explorer(Protocol):
    """An executable that sees to its exploration itself: a library, in a process of its own."""

    def explore(self, task: Task, limits: Limits, observer: Observer | None) -> Outcome: ...


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


class During(Enum):
    """What a model error occurred in."""

    FIRING = "firing"
    PROPERTY = "property"
    RULE = "rule"  # a hand-written stubborn set rule
    REPRESENTATIVE = "representative"


class Wrong(Enum):
    """What a finding shows."""

    INVARIANT = "invariant"
    TERMINAL = "terminal"
    MAY_PROGRESS = "may-progress"
    MUST_PROGRESS = "must-progress"
    RECURRENCE = "recurrence"
    TERMINATION = "termination"
    FAULT = "fault"


Path = tuple[tuple[int | None, State], ...]
"""A run: each state with the command that led to it, None for the initial state."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something bad, with a shortest path to it.

    `index` is the number of the violated property among those of its kind. `path` begins with the initial state, whose
    command is None. For progress, `progress_lost_at` is the position in the path of the first state that violates, and
    `cycle_starts_at` of the state that the last command leads back to: the last entry of the path is that state again.

    A model error (FAULT) occurs in the last state: `during` FIRING `command`; evaluating a PROPERTY, `index` of kind
    `kind`; evaluating the RULE of `command`; or finding the REPRESENTATIVE of what `command` leads to (of the initial
    state where it is None).
    """

    wrong: Wrong
    path: Path
    index: int = 0
    progress_lost_at: int | None = None
    cycle_starts_at: int | None = None
    during: During | None = None
    kind: PropertyKind | None = None
    command: int | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a search found. `enabled` counts the enabled commands in the states expanded, with derived rules also those
    that were not fired; else only those that were."""

    stop: Stop
    finding: Finding | None
    states: int
    edges: int
    enabled: int
    depth: int
    terminal_states: int
    explore_seconds: float
    memory_peak: int
    bytes_per_state: float


Observer = Callable[[Progress], bool]
"""Called now and then while a search runs; returning False interrupts it."""
