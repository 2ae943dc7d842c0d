"""The table of requirements: for each kind its words and its row in `asset.checks.soundness`.

When a kind is decided is said where it is defined (`asset.ir.requirements`). Those that are decided on the whole graph
are decided in the order of this table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from asset.checks import soundness, words
from asset.engine.outcome import Finding
from asset.ir.program import Program
from asset.ir.requirements import Invariant, MayProgress, MustProgress, Recurrence, Requirement, Terminal, Termination


@dataclass(frozen=True, slots=True)
class Kind:
    """`word` is the kind of a violation in a verdict, `option` the word of `--only`; both are a contract. `sentence`
    says what a run shows that violates it."""

    word: str
    option: str
    soundness: soundness.Row
    sentence: Callable[[Program, Finding, words.Seen], str]


KINDS: Mapping[type[Requirement], Kind] = {
    Invariant: Kind("safety", "safety", soundness.INVARIANT, words.of_state),
    Terminal: Kind("deadlock", "deadlock", soundness.TERMINAL, words.of_state),
    MayProgress: Kind("may-progress", "may", soundness.MAY_PROGRESS, words.may_progress),
    MustProgress: Kind("must-progress", "must", soundness.MUST_PROGRESS, words.must_progress),
    Recurrence: Kind("recurrence", "recurrence", soundness.RECURRENCE, words.recurrence),
    Termination: Kind("termination", "termination", soundness.TERMINATION, words.termination),
}

OPTIONS = tuple(kind.option for kind in KINDS.values())
"""The words of `--only`."""


def kind_of(requirement: Requirement) -> Kind:
    return KINDS[type(requirement)]


def in_order(requirements: Iterable[Requirement]) -> tuple[Requirement, ...]:
    """The requirements in the order in which they are decided; those of a kind stay in their order."""
    order = list(KINDS)
    return tuple(sorted(requirements, key=lambda requirement: order.index(type(requirement))))
