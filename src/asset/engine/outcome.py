"""What an engine is asked and what it answers; the same for the reference and the native engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Protocol, runtime_checkable

from asset.ir.program import Program, State
from asset.ir.reductions import NO_REDUCTIONS, Reductions
from asset.ir.requirements import Predicate, Requirement, Stage, StepPredicate


class Executable(Protocol):
    """Whatever runs a program by its meaning: the reference interpreter, or CPython running the model itself."""

    program: Program

    def fire(self, state: State, command: int) -> State | None:
        """The state after the command, or None if it is disabled. Raises Fault on a model error."""

    def evaluate(self, predicate: Predicate, state: State) -> str | None:
        """None if the predicate holds, else what is wrong. Raises Fault on a model error."""

    def obligations(self, state: State, command: int) -> tuple[int, ...]:
        """The commands that must be in a stubborn set of the state if `command` is, in the order listed.

        These are all, in increasing order, if the command has no rule. Raises Fault on a model error.
        """

    def representative(self, state: State) -> State:
        """The symmetric state that stands for this one; itself if there is no symmetry. Raises Fault."""


@runtime_checkable
class StepEvaluator(Protocol):
    """An executable that can say what formulas ask of steps. Those of languages without formulas need not."""

    def evaluate_step(self, predicate: StepPredicate, before: State, after: State) -> bool:
        """Whether the predicate holds of the step. Raises Fault on a model error."""


@dataclass(frozen=True, slots=True)
class Task:
    """What an engine is asked to do: from which states, which requirements, with which reductions.

    The requirements are decided in their order: those of states as these are found, the others when everything is
    explored. `in_order` asks the model about one state after the other: for models that remember what they were asked.
    `repair` makes stubborn sets ignore nothing (`asset.engine.ignoring`); that they postpone no visible command goes
    without saying. `on_the_fly` decides the requirements on the graph, which are formulas of linear time logic, while
    exploring (`asset.engine.on_the_fly`): without stubborn sets, and in states as they are. `idle_steps` says that a
    step that changes nothing is a step, as in the ancestor: then a state is terminal only if no command is enabled.
    """

    starts: tuple[State, ...]
    requirements: tuple[Requirement, ...] = ()
    reductions: Reductions = NO_REDUCTIONS
    in_order: bool = False
    repair: bool = False
    on_the_fly: bool = False
    idle_steps: bool = False

    def of(self, stage: Stage) -> tuple[Requirement, ...]:
        """The requirements that are decided at this stage."""
        return tuple(each for each in self.requirements if each.stage is stage)


@runtime_checkable
class Explorer(Protocol):
    """An executable that explores itself: a library, in a process of its own."""

    def explore(self, task: Task, limits: Limits, on_progress: OnProgress | None) -> Outcome: ...


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
    PREDICATE = "predicate"
    STEP = "step"  # a predicate of the step to the next state
    RULE = "rule"  # a hand-written stubborn set rule
    REPRESENTATIVE = "representative"


Path = tuple[tuple[int | None, State], ...]
"""A run: each state with the command that led to it, None for the initial state."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A requirement that is violated, or a model error if `requirement` is None, with a shortest path to it.

    `path` begins with a start state, whose command is None. For progress, `progress_lost_at` is the position in the
    path of the first state that violates, and `cycle_starts_at` of the state that the last command leads back to: the
    last entry of the path is that state again.

    A model error occurs in the last state: `during` FIRING `command`; evaluating a PREDICATE; evaluating the RULE of
    `command`; finding the REPRESENTATIVE of what `command` leads to (of the start state if it is None); or evaluating
    a predicate of the STEP by `command` (None if the run stays in a terminal state).
    """

    requirement: Requirement | None
    path: Path
    progress_lost_at: int | None = None
    cycle_starts_at: int | None = None
    during: During | None = None
    predicate: Predicate | StepPredicate | None = None
    command: int | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a search found. `enabled` counts the enabled commands in the states expanded, with derived rules also those
    that were not fired; else only those that were. `levels` has the number of states at each distance from a start
    state, as far as all of these were found. `threads` may be fewer than the limits allow: no more than the machine has
    processors, and as many as the system gives."""

    stop: Stop
    finding: Finding | None
    states: int
    edges: int
    enabled: int
    depth: int
    terminal_states: int
    levels: tuple[int, ...]
    explore_seconds: float
    memory_peak: int
    bytes_per_state: float
    threads: int = 1
    repair_seconds: float = 0.0
    """Those of `explore_seconds` that making stubborn sets ignore nothing took."""
    product: tuple[int, int] | None = None
    """The vertices and edges of the products that were searched on the fly, if that was asked."""


OnProgress = Callable[[Progress], bool]
"""Called now and then while a search runs; returning False interrupts it."""
