"""What an engine is asked and what it answers; the same for the reference and the native engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Protocol, runtime_checkable

from asset.deferred import dataclass
from asset.engine.omissions import Approximate, Omissions
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
    without saying. `by_marks` does both as ranks of a cluster do (`asset.engine.leading_out`), which on one machine the
    reference engine can. `on_the_fly` decides the requirements on the graph, which are formulas of
    linear time logic, while exploring (`asset.engine.on_the_fly`): without stubborn sets, and in states as they are.
    `idle_steps` says that a step that changes nothing is a step, as in the ancestor: then a state is terminal only if
    no command is enabled. `keep_going` says that a violation does not end the search; the requirement is not asked any
    more. A model error does end it. `profile` asks where the time goes; the native engine can tell.
    """

    starts: tuple[State, ...]
    requirements: tuple[Requirement, ...] = ()
    reductions: Reductions = NO_REDUCTIONS
    in_order: bool = False
    repair: bool = False
    by_marks: bool = False
    on_the_fly: bool = False
    idle_steps: bool = False
    keep_going: bool = False
    profile: bool = False

    def of(self, stage: Stage) -> tuple[Requirement, ...]:
        """The requirements that are decided at this stage."""
        return tuple(each for each in self.requirements if each.stage is stage)


@runtime_checkable
class Explorer(Protocol):
    """An executable that explores itself: a library, in a process of its own."""

    def explore(self, task: Task, limits: Limits, on_progress: OnProgress | None) -> Outcome: ...

    def simulate(self, task: Task, sampling: Sampling, threads: int, on_progress: OnProgress | None) -> Outcome: ...


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A file that a search is kept in every so many seconds, with a text for whoever reads it; with `resume`, the
    search goes on from what is there. Searches on the fly are not kept."""

    file: str
    every: float
    told: bytes
    resume: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a search has come when a level was found: how many states each level has that was found so far, all
    states and edges."""

    levels: tuple[int, ...]
    states: int
    edges: int


@dataclass(frozen=True, slots=True)
class Asking:
    """Whoever is asked whether a search goes on. When it has `begins` states, at the end of a level, `prepare` is told
    how far it has come: while the search goes on, if the engine can do that; and can ask whether it is still needed.
    When it has `ends` states, the search waits until that is done and asks `goes_on`, if it is `worth_waiting`. If the
    answer is False, it gives up as if no more states were allowed."""

    begins: int
    ends: int
    prepare: Callable[[Standing, Callable[[], bool]], None]
    worth_waiting: Callable[[Standing], bool]
    goes_on: Callable[[Standing], bool]


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a search gives up. `max_memory` is in bytes; None leaves it to the engine (most of what is free)."""

    max_states: int | None = None
    max_memory: int | None = None
    threads: int = 1
    approximate: Approximate | None = None
    """A store that may omit states, if not all of them are to be kept."""
    store: str | None = None
    """How they are kept: `exact` in tables, `tree` as trees; None by their width, and as trees if memory ends."""
    spill: str | None = None
    """A folder for states that memory does not hold."""
    checkpoint: Checkpoint | None = None
    asking: Asking | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """A search at a moment, for a live display. `waits_for` is a rank that all others wait for, and for how many
    seconds, if it is known."""

    states: int
    edges: int
    frontier: int
    depth: int
    memory: int
    waits_for: tuple[int, float] | None = None


class Stop(Enum):
    """Why a search ended."""

    COMPLETE = "complete"  # every reachable state was explored
    FINDING = "finding"
    MAX_STATES = "max-states"
    MAX_MEMORY = "max-memory"
    INTERRUPTED = "interrupted"
    APPROXIMATE = "approximate"  # every state that the store did not omit was explored
    RANK_LOST = "rank-lost"  # one of the ranks of a cluster has ended
    SAMPLED = "simulated"  # only some runs were made, whatever was found in them


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

    If it is not `whole`, there was no room or time to find the path: it is only the state where it would end or, for a
    requirement on the graph, one of those that violate it.
    """

    requirement: Requirement | None
    path: Path
    progress_lost_at: int | None = None
    cycle_starts_at: int | None = None
    during: During | None = None
    predicate: Predicate | StepPredicate | None = None
    command: int | None = None
    whole: bool = True


class Work(Enum):
    """What a search spends its time with; in the order of native/profile.h."""

    SUCCESSORS = "successors"
    LOOK_UPS = "look-ups"
    PROPERTIES = "properties"
    MEMORY = "memory"
    GRAPH = "graph"
    REST = "rest"


@dataclass(frozen=True, slots=True)
class SearchProfile:
    """Where the time of a search went. `system` are those of all seconds that the operating system took, mostly to give
    memory; `sample` are the words of some states that were expanded."""

    seconds: Mapping[Work, float]
    system: float
    sample: list[int]


@dataclass(frozen=True, slots=True)
class RankFigures:
    """What one of the ranks of a cluster has done. `exchanged` is in bytes, `waited` in seconds: for the others, and
    for what they sent; `busy` are the seconds of its processors."""

    states: int = 0
    edges: int = 0
    enabled: int = 0
    terminal_states: int = 0
    memory_peak: int = 0
    exchanged: int = 0
    waited: float = 0.0
    busy: float = 0.0
    threads: int = 1


@dataclass(frozen=True, slots=True)
class Sampling:
    """Random runs instead of a search (`asset.engine.simulation`). `steps` is for all runs together, None if they go on
    until they are interrupted; `length` for each of them. `counted` are the cells whose values are counted: those of
    variables that have few."""

    seed: int
    length: int
    steps: int | None = None
    counted: tuple[int, ...] = ()

    def lanes(self, threads: int) -> int:
        """How many runs a thread makes side by side: one, unless there are steps for many long ones."""
        if self.steps is None:
            return MOST_LANES
        return max(1, min(MOST_LANES, self.steps // threads // STEPS_OF_A_LANE))


MOST_LANES = 64
STEPS_OF_A_LANE = 10_000


@dataclass(frozen=True, slots=True)
class Sampled:
    """What random runs met: the commands that were fired, and of each counted cell how many values. `distinct` is about
    how many different states. `found_length` is that of the run with the finding before steps were left out of it."""

    runs: int
    fired: frozenset[int]
    values: tuple[int, ...]
    distinct: int
    found_length: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a search found: `finding` is the first, `further` are those that came after it if it was to keep going.
    `enabled` counts the enabled commands in the states expanded, with derived rules also those that were not fired;
    else only those that were. `levels` has the number of states at each distance from a start state, as far as all of
    these were found. `threads` may be fewer than the limits allow: no more than the machine has processors, and as many
    as the system gives."""

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
    nodes: int | None = None
    """Of trees, if states were kept as trees."""
    spilled: int | None = None
    """The most bytes that were in files at once, if the search went on with files."""
    explored: bool = False
    """Whether all states were explored, although what is asked of the graph may not be decided."""
    waited_seconds: float = 0.0
    """For whoever was asked whether it goes on; not among `explore_seconds`."""
    repair_seconds: float = 0.0
    """Those of `explore_seconds` that making stubborn sets ignore nothing took."""
    product: tuple[int, int] | None = None
    """The vertices and edges of the products that were searched on the fly, if that was asked."""
    omissions: Omissions | None = None
    """Of a search with a store that may omit states."""
    ranks: tuple[RankFigures, ...] = ()
    """Of a cluster, if one explored."""
    told: str = ""
    """What is to be said about why it stopped, besides that it did."""
    sampled: Sampled | None = None
    """Of random runs. Then the states are about how many different ones were met, the edges are steps, the depth is
    that of the longest run, and the terminal states are runs that ended in one."""
    profile: SearchProfile | None = None
    checkpoint_failure: str = ""
    """Why the last checkpoint could not be written; empty if it could."""
    further: tuple[Finding, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        return () if self.finding is None else (self.finding, *self.further)


def cut_off(stop: Stop, heard: Progress, seconds: float = 0.0, told: str = "") -> Outcome:
    """Of a search that cannot be asked any more: what was heard of it last."""
    return Outcome(
        stop=stop,
        finding=None,
        states=heard.states,
        edges=heard.edges,
        enabled=heard.edges,
        depth=heard.depth,
        terminal_states=0,
        levels=(),
        explore_seconds=seconds,
        memory_peak=heard.memory,
        bytes_per_state=heard.memory / max(1, heard.states),
        told=told,
    )


OnProgress = Callable[[Progress], bool]
"""Called now and then while a search runs; returning False interrupts it."""
