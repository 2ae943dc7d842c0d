"""What is asked of a program. A requirement is data: what it is called, which predicates it is about, and when it can
be decided; those on the whole graph say whether a step that changes nothing is a step (`idle_steps`). How each kind
is decided is in the engines, what survives a reduction in `asset.checks.soundness`, and its words in the table of
`asset.checks.requirements`.
"""

from __future__ import annotations

from enum import Enum
from functools import cached_property
from typing import ClassVar, TypeAlias

from asset.deferred import dataclass
from asset.logic.formulas import And, Formula, Not, atoms_of, recurring_parts
from asset.span import Span


class Stage(Enum):
    """When a requirement can be decided. Earlier stages come first: what they find ends the search."""

    STATE = "in each state, as it is found"
    TERMINAL = "in each state that no command can change"
    GRAPH = "when everything is explored"


@dataclass(frozen=True, slots=True)
class Predicate:
    """A Boolean question about one state. Without `messages`, the function returns whether it holds. With them (the
    ASSET style), it returns 0 if it holds, and k if `messages[k - 1]` says what is wrong."""

    name: str
    function: int
    messages: tuple[str, ...]
    span: Span

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class _OfPredicate:
    """A requirement that is about the states in which one predicate holds; it has the predicate's name."""

    predicate: Predicate
    idle_steps: ClassVar = False

    @property
    def name(self) -> str:
        return self.predicate.name

    @property
    def span(self) -> Span | None:
        return self.predicate.span

    @property
    def predicates(self) -> tuple[Predicate, ...]:
        return (self.predicate,)


@dataclass(frozen=True, slots=True)
class Invariant(_OfPredicate):
    """The predicate holds in every reachable state."""

    stage: ClassVar = Stage.STATE


@dataclass(frozen=True, slots=True)
class Terminal(_OfPredicate):
    """The predicate holds in every reachable terminal state."""

    stage: ClassVar = Stage.TERMINAL


@dataclass(frozen=True, slots=True)
class MayProgress(_OfPredicate):
    """From every reachable state a state is reachable in which the predicate holds.

    A terminal state is as good, if `terminal_is_progress`; the ancestor's dl_not_may says that it is not.
    """

    terminal_is_progress: bool = True
    stage: ClassVar = Stage.GRAPH


@dataclass(frozen=True, slots=True)
class MustProgress(_OfPredicate):
    """Every run goes through states in which the predicate holds again and again.

    A run may also end in a terminal state, if `terminal_is_progress`; the ancestor's dl_not_must says that it may not.
    """

    terminal_is_progress: bool = True
    stage: ClassVar = Stage.GRAPH


@dataclass(frozen=True, slots=True)
class Recurrence:
    """Whenever commands of `again` occur infinitely often, so do commands of `then`.

    Violated by a run in which a command of `again` occurs infinitely often but none of `then` does (Theorem 6).
    It is about commands, so one that changes nothing occurs as well.
    """

    name: str
    again: frozenset[int]
    then: frozenset[int]
    span: Span | None
    idle_steps: ClassVar = True
    predicates: ClassVar[tuple[Predicate, ...]] = ()
    stage: ClassVar = Stage.GRAPH


@dataclass(frozen=True, slots=True)
class Termination:
    """Always may-terminating: from every reachable state a terminal state is reachable; with `idle_steps`, one in which
    no command is enabled, not even one that changes nothing."""

    name: str = "termination"
    span: Span | None = None
    idle_steps: bool = False
    predicates: ClassVar[tuple[Predicate, ...]] = ()
    stage: ClassVar = Stage.GRAPH


@dataclass(frozen=True, slots=True)
class Enabled:
    """An observation of a state: one of the commands is enabled."""

    name: str
    commands: frozenset[int]

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Taken:
    """An observation of a step: it is by one of the commands. In a terminal state nothing is taken for ever."""

    name: str
    commands: frozenset[int]

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class StepPredicate:
    """An observation of a step: a Boolean question about a state and the next one.

    The function is evaluated in the state before; it is given what the functions of `values` are in the state after. In
    a terminal state, the next state is the same.
    """

    name: str
    function: int
    values: tuple[int, ...]
    span: Span

    def __str__(self) -> str:
        return self.name


Observation: TypeAlias = Predicate | Enabled | Taken | StepPredicate
"""What the atoms of a formula ask of a run at each moment: of its state, or of its step to the next one."""


@dataclass(frozen=True, slots=True)
class Fairness:
    """What is assumed of runs: if a command of the set is enabled for ever from some moment on (`strong`: again and
    again), commands of the set are fired again and again."""

    name: str
    commands: frozenset[int]
    strong: bool


@dataclass(frozen=True)
class Temporal:
    """The formula of linear time logic holds on every fair run on which the assumptions hold.

    The keys of its atoms are observations. A run that comes to a terminal state stays there for ever.
    """

    name: str
    formula: Formula
    span: Span | None
    fairness: tuple[Fairness, ...] = ()
    assumptions: tuple[Formula, ...] = ()
    stage: ClassVar = Stage.GRAPH
    idle_steps: ClassVar = True

    @cached_property
    def violation(self) -> Formula:
        """What a run that violates it satisfies."""
        return And((*self.assumptions, Not(self.formula)))

    @cached_property
    def observations(self) -> tuple[Observation, ...]:
        """The keys of all atoms."""
        return tuple(key for key in atoms_of(self.violation) if isinstance(key, Observation))

    @cached_property
    def predicates(self) -> tuple[Predicate, ...]:
        return tuple(each for each in self.observations if isinstance(each, Predicate))


@dataclass(frozen=True)
class Branching:
    """The formula of branching time logic (CTL) holds in the initial state.

    It speaks of the fair runs on which the assumptions hold that are `recurring`; it knows nothing of others.
    The keys of its atoms are predicates, or `Enabled`. In a terminal state there is one run: to stay there for ever.
    """

    name: str
    formula: Formula
    span: Span | None
    fairness: tuple[Fairness, ...] = ()
    assumptions: tuple[Formula, ...] = ()
    stage: ClassVar = Stage.GRAPH
    idle_steps: ClassVar = True

    @cached_property
    def recurring(self) -> tuple[Formula, ...]:
        """What is assumed to hold again and again."""
        return tuple(each for assumed in self.assumptions for each in recurring_parts(assumed) or ())

    @property
    def disregarded(self) -> tuple[Formula, ...]:
        """The assumptions that say something else."""
        return tuple(assumed for assumed in self.assumptions if recurring_parts(assumed) is None)

    @property
    def of_all_runs(self) -> bool:
        """Whether nothing is assumed of runs."""
        return not self.fairness and not self.recurring

    @cached_property
    def observations(self) -> tuple[Observation, ...]:
        atoms = dict.fromkeys(key for part in (self.formula, *self.recurring) for key in atoms_of(part))
        return tuple(key for key in atoms if isinstance(key, Observation))

    @cached_property
    def predicates(self) -> tuple[Predicate, ...]:
        return tuple(each for each in self.observations if isinstance(each, Predicate))


Progress: TypeAlias = MayProgress | MustProgress
OfRuns: TypeAlias = MustProgress | Temporal
"""The requirements that stubborn sets preserve if what they observe is visible (`asset.checks.soundness`)."""

OfPredicate: TypeAlias = Invariant | Terminal | MayProgress | MustProgress
"""The requirements that are about one predicate."""

Requirement: TypeAlias = (
    Invariant | Terminal | MayProgress | MustProgress | Recurrence | Termination | Temporal | Branching
)


def formula_of(requirement: Requirement) -> Formula | None:
    """The formula of temporal logic that it is; None if it is something else."""
    return requirement.formula if isinstance(requirement, Temporal | Branching) else None


def command_sets(requirement: Requirement) -> tuple[frozenset[int], ...]:
    """The sets of commands that the requirement speaks of."""
    match requirement:
        case Recurrence(again=again, then=then):
            return (again, then)
        case Temporal() | Branching():
            named = (each for each in requirement.observations if isinstance(each, Enabled | Taken))
            return tuple(each.commands for each in (*named, *requirement.fairness))
        case _:
            return ()


def step_predicates(requirement: Requirement) -> tuple[StepPredicate, ...]:
    """What the requirement asks of steps."""
    observed = requirement.observations if isinstance(requirement, Temporal | Branching) else ()
    return tuple(each for each in observed if isinstance(each, StepPredicate))
