"""What is asked of a program. A requirement is data: what it is called, which predicates it is about, and when it can
be decided. How each kind is decided is in the engines, what survives a reduction in `asset.checks.soundness`, and its
words in the table of `asset.checks.requirements`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, TypeAlias

from asset.span import Span


class Stage(Enum):
    """When a requirement can be decided. Earlier stages come first: what they find ends the search."""

    STATE = "in each state, as it is found"
    TERMINAL = "in each state where no command is enabled"
    GRAPH = "when everything is explored"


@dataclass(frozen=True, slots=True)
class Predicate:
    """A Boolean question about one state. Without `messages`, the function returns whether it holds. With them (the
    ASSET style), it returns 0 if it holds, and k if `messages[k - 1]` says what is wrong."""

    name: str
    function: int
    messages: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class _OfPredicate:
    """A requirement that is about the states in which one predicate holds; it has the predicate's name."""

    predicate: Predicate

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
    """

    name: str
    again: frozenset[int]
    then: frozenset[int]
    span: Span | None
    predicates: ClassVar[tuple[Predicate, ...]] = ()
    stage: ClassVar = Stage.GRAPH


@dataclass(frozen=True, slots=True)
class Termination:
    """Always may-terminating: from every reachable state a terminal state is reachable."""

    name: str = "termination"
    span: Span | None = None
    predicates: ClassVar[tuple[Predicate, ...]] = ()
    stage: ClassVar = Stage.GRAPH


Progress: TypeAlias = MayProgress | MustProgress
OfPredicate: TypeAlias = Invariant | Terminal | MayProgress | MustProgress
"""The requirements that are about one predicate."""

Requirement: TypeAlias = Invariant | Terminal | MayProgress | MustProgress | Recurrence | Termination
