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
from asset.ir.requirements import (
    Branching,
    Invariant,
    MayProgress,
    MustProgress,
    Recurrence,
    Requirement,
    Temporal,
    Terminal,
    Termination,
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was seen when a finding was replayed: what the model says is wrong with the last state, and whether the
    predicate held before progress was lost."""

    complaint: str = ""
    held_before: bool = False


@dataclass(frozen=True, slots=True)
class Kind:
    """`word` is the kind of a violation in a verdict, `option` the word of `--only`; both are a contract. `sentence`
    says what a run shows that violates it."""

    word: str
    option: str
    soundness: soundness.Row
    sentence: Callable[[Program, Finding, Evidence], str]


# --- what a run shows, in words ------------------------------------------------------------------------------------


def _of_state(program: Program, finding: Finding, seen: Evidence) -> str:
    return seen.complaint


def _may_progress(program: Program, finding: Finding, seen: Evidence) -> str:
    again = " again" if seen.held_before else ""
    return f"{_from_there_on(finding)}, {_name(finding)} can never hold{again}{_end(finding)}"


def _must_progress(program: Program, finding: Finding, seen: Evidence) -> str:
    if finding.cycle_starts_at is None:
        return f"{_from_there_on(finding)}, {_name(finding)} never holds{_end(finding)}"
    return f"{_for_ever(finding)}, and {_name(finding)} never holds"


def _recurrence(program: Program, finding: Finding, seen: Evidence) -> str:
    violated = finding.requirement
    assert isinstance(violated, Recurrence)
    fired = [command for command, _ in words.cycle(finding) if command in violated.again]
    again = words.command_names(program, fired)
    then = words.command_names(program, violated.then) if violated.then else "nothing that it requires"
    return f"{_for_ever(finding)}: {again} occurs again and again, but {then} never does"


def _termination(program: Program, finding: Finding, seen: Evidence) -> str:
    return f"{_from_there_on(finding)}, termination is unreachable: no run from there ends"


def _name(finding: Finding) -> str:
    assert finding.requirement is not None
    return finding.requirement.name


def _from_there_on(finding: Finding) -> str:
    at = finding.progress_lost_at
    return f"from step {at} on" if at else "from the initial state on"


def _for_ever(finding: Finding) -> str:
    first, last = (finding.cycle_starts_at or 0) + 1, len(finding.path) - 1
    steps = f"step {first}" if first == last else f"steps {first} to {last}"
    return f"the run repeats {steps} for ever"


def _end(finding: Finding) -> str:
    if finding.cycle_starts_at is not None:
        return ""
    last = len(finding.path) - 1
    return f"; the run ends after step {last}" if last else "; it is a terminal state"


# --- the table --------------------------------------------------------------------------------------------------

KINDS: Mapping[type[Requirement], Kind] = {
    Invariant: Kind("safety", "safety", soundness.INVARIANT, _of_state),
    Terminal: Kind("deadlock", "deadlock", soundness.TERMINAL, _of_state),
    MayProgress: Kind("may-progress", "may", soundness.MAY_PROGRESS, _may_progress),
    MustProgress: Kind("must-progress", "must", soundness.MUST_PROGRESS, _must_progress),
    Recurrence: Kind("recurrence", "recurrence", soundness.RECURRENCE, _recurrence),
    Termination: Kind("termination", "termination", soundness.TERMINATION, _termination),
    Temporal: Kind("temporal", "temporal", soundness.TEMPORAL, _of_state),
    Branching: Kind("temporal", "temporal", soundness.BRANCHING, _of_state),
}

OPTIONS = tuple(dict.fromkeys(kind.option for kind in KINDS.values()))
"""The words of `--only`."""


def kind_of(requirement: Requirement) -> Kind:
    return KINDS[type(requirement)]


def in_order(requirements: Iterable[Requirement]) -> tuple[Requirement, ...]:
    """The requirements in the order in which they are decided; those of a kind stay in their order."""
    order = list(KINDS)
    return tuple(sorted(requirements, key=lambda requirement: order.index(type(requirement))))
