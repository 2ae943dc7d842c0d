"""Which answers survive a reduction: the table of properties and reductions, and nothing else decides it.

The theorems are those of "Stop It, and Be Stubborn!". They assume that the stubborn sets satisfy D0, D1 and D2, and
that they take the invariants into account (as the enabling conditions of imaginary transitions, Theorem 4). A symmetry
is an automorphism of the full state space, so the quotient by it is bisimilar to the full space: whatever respects the
symmetry is preserved, be it about states or about runs. Hand-written rules and representatives are trusted in this;
`--audit` looks for mistakes in them. Derived rules (stubborn=auto) need no trust: that they satisfy D0, D1 and D2 and
take the invariants and the model errors into account is proved in `asset.analysis.stubborn.derivation`, for every state
that is reachable from the initial state.

Symmetries that are found (symmetry=auto) need no trust either: each generator was verified to make commands of commands
and to keep every property for which `must_be_respected`. So IF_RESPECTED holds by construction: the quotient is
bisimilar with equal labels (Emerson and Sistla), a cycle of it without progress is one of the full space, wound up, and
conversely. The initial state need not be symmetric, so representatives are reachable from the images of the initial
state, and it is for what is reachable from all of these that stubborn set rules are derived then.

A property about progress that such a symmetry does not keep can be *followed* instead (the annotated quotient of
Emerson and Sistla). A vertex is a representative r with what renamings have made of the property. It stands for the
states g r of the model for which the inverse of g makes that of the property: what it says of r is what the property
says of g r. An edge to a state whose representative is the image of it under h takes a meaning to what h makes of it.
This relation of vertices and states is a bisimulation that keeps the property's value; and of the vertices only those
count that are reachable from that of the initial state. So its runs are those of the model. Stubborn sets are not used
then: the theorems speak of one property, not of its meanings.

Both reductions together: a symmetry maps reachable states to reachable states, so a representative is a state of the
full model, and a stubborn set there satisfies D0, D1 and D2. The proofs of the theorems go from a state to the next by
one step of the reduced space or by moving a step to the front; replacing the state that was reached by a symmetric one
changes neither what can be fired from there, up to renaming, nor how many steps are left, on which the induction goes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto

from asset.engine.outcome import Finding
from asset.ir.program import Program
from asset.ir.requirements import Requirement, Termination, command_sets, step_predicates
from asset.verdict import Caveat


class Trust(Enum):
    """When an answer found with a reduction is an answer for the full model."""

    ALWAYS = auto()
    IF_TERMINATING = auto()  # if the model turns out to be always may-terminating
    IF_RESPECTED = auto()  # if the predicate has the same value in symmetric states
    IF_CONFIRMED = auto()  # if it is found in the full model as well
    NEVER = auto()


@dataclass(frozen=True, slots=True)
class Cell:
    """Of one kind of requirement under one reduction: when a pass and when a violation can be relied on, and why."""

    passed: Trust
    violated: Trust
    why: str


@dataclass(frozen=True, slots=True)
class Row:
    """Of one kind of requirement: what survives the basic strong stubborn set method, and what survives replacing
    states by symmetric ones. `can_be_followed` says that a predicate that symmetries rename can be followed through
    its renamings."""

    stubborn: Cell
    symmetry: Cell
    can_be_followed: bool = False


_BISIMILAR = "the quotient is bisimilar to the full space, in whatever is the same in symmetric states"
_IF_RESPECTED = Cell(Trust.IF_RESPECTED, Trust.IF_RESPECTED, _BISIMILAR)

INVARIANT = Row(
    Cell(
        Trust.IF_TERMINATING,
        Trust.ALWAYS,
        "Theorem 4: whether an imaginary transition, enabled if the invariant is false, may become enabled is "
        "preserved; a state found is a state of the full model",
    ),
    _IF_RESPECTED,
)
TERMINAL = Row(
    Cell(Trust.ALWAYS, Trust.ALWAYS, "Theorem 1: the full and the reduced space have the same terminal states"),
    _IF_RESPECTED,
)
MAY_PROGRESS = Row(
    Cell(
        Trust.IF_TERMINATING,
        Trust.IF_CONFIRMED,
        "Theorem 5; if the model is not always may-terminating, a way to progress may have been ignored",
    ),
    _IF_RESPECTED,
    can_be_followed=True,
)
MUST_PROGRESS = Row(
    Cell(
        Trust.NEVER,
        Trust.ALWAYS,
        "cycles without progress need not be preserved (Section V); a cycle that is found is one of the full model",
    ),
    Cell(
        Trust.IF_RESPECTED,
        Trust.IF_RESPECTED,
        f"{_BISIMILAR}; a cycle of the quotient is wound up from a longer one, with the same values",
    ),
    can_be_followed=True,
)
RECURRENCE = Row(
    Cell(
        Trust.IF_TERMINATING,
        Trust.ALWAYS,
        "Theorem 6: that a transition occurs infinitely often and others do not is preserved",
    ),
    Cell(Trust.IF_RESPECTED, Trust.IF_RESPECTED, f"{_BISIMILAR}; a symmetry renames commands within their families"),
)
TERMINATION = Row(
    Cell(Trust.ALWAYS, Trust.ALWAYS, "Theorem 3: always may-terminating is preserved, both ways"),
    Cell(Trust.ALWAYS, Trust.ALWAYS, "symmetric states are both terminal or neither is"),
)

TEMPORAL = Row(
    Cell(
        Trust.NEVER,
        Trust.ALWAYS,
        "runs that violate a formula need not be preserved; a run that is found is one of the full model, and what is "
        "enabled in its states is looked up there",
    ),
    Cell(
        Trust.IF_RESPECTED,
        Trust.IF_RESPECTED,
        f"{_BISIMILAR}; commands and fairness must be those of whole families, within which a symmetry renames",
    ),
)
BRANCHING = Row(
    Cell(Trust.NEVER, Trust.NEVER, "what can be chosen in a state is not preserved"),
    TEMPORAL.symmetry,
)


def needs_termination(rows: Iterable[Row], errors: bool = False) -> bool:
    """Whether passes under stubborn sets are worth anything only if the model is always may-terminating.

    Model errors are looked for whatever is asked, and they are like invariants (Theorem 4). `errors` says that derived
    rules, whose verdict has to answer for them, could not rule them out. Hand-written rules are trusted in this, unless
    nothing else is asked.
    """
    asked = list(rows)
    return errors or not asked or any(row.stubborn.passed is Trust.IF_TERMINATING for row in asked)


def must_be_confirmed(row: Row) -> bool:
    """Whether a violation that is found with stubborn sets says nothing yet of the full model."""
    return row.stubborn.violated is Trust.IF_CONFIRMED


def must_be_respected(row: Row) -> bool:
    """Whether an answer under symmetry depends on the requirement being the same in symmetric states."""
    return row.symmetry.passed is Trust.IF_RESPECTED


def can_be_followed(row: Row, stubborn: bool) -> bool:
    """Whether a predicate that a symmetry does not keep can be followed through what symmetries make of it."""
    return row.can_be_followed and not stubborn


def pass_is_unreliable(row: Row) -> bool:
    """Whether finding no violation with stubborn sets leaves the question open."""
    return row.stubborn.passed is Trust.NEVER


def says_nothing(row: Row) -> bool:
    """Whether nothing can be said with stubborn sets, whatever is found."""
    return row.stubborn.passed is Trust.NEVER and row.stubborn.violated is Trust.NEVER


def pass_always_stands(row: Row) -> bool:
    """Whether finding no violation with stubborn sets is an answer, whatever else is found."""
    return row.stubborn.passed is Trust.ALWAYS


def relies_on_rules(finding: Finding | None) -> bool:
    """Whether an answer stands and falls with the rules: not if a run that was replayed shows what is wrong.

    A run cannot show that termination is unreachable, and nothing can show that nothing is wrong (None).
    """
    return finding is None or isinstance(finding.requirement, Termination)


def respects_families(program: Program, requirement: Requirement) -> bool:
    """Whether the requirement speaks of whole families of commands, within which a symmetry may rename them."""
    if step_predicates(requirement):
        return False  # not known: a representative need not lead to representatives in the same way
    sets = command_sets(requirement)
    for family in program.families if sets else ():
        commands = set(range(family.first, family.first + family.size))
        if any(commands & named not in (set(), commands) for named in sets):
            return False
    return True


# --- in words ---------------------------------------------------------------------------------------------------

TRUSTED_RULES = Caveat(
    "trusted-rules",
    "the hand-written stubborn set rules are trusted: the answer relies on them, also that no model error was missed "
    "(audit looks for mistakes in them)",
)

TRUSTED_REACHABILITY = Caveat(
    "trusted-symmetry",
    "the hand-written symmetry is trusted: the answer relies on each representative being reachable and symmetric to "
    "its state (audit looks for mistakes in it); the stubborn set rules were derived for reachable states",
)

NO_SYMMETRY = Caveat(
    "symmetry-off",
    "no symmetry was found that keeps everything that is asked: everything was explored without "
    "(asset explain --symmetry says why)",
)

TOO_MANY_STARTS = Caveat(
    "stubborn-off",
    "stubborn sets were not used: representatives are reachable from the images of the initial state, and there are "
    "too many of these to derive rules for",
)

SYMMETRY_ENDED = Caveat(
    "symmetry-off",
    "looking for symmetries was ended before any was found: everything was explored without "
    "(--analysis-time gives it more time)",
)

ANALYSIS_ENDED = Caveat(
    "stubborn-off",
    "deriving stubborn set rules was ended before there were any: everything was explored without them "
    "(--analysis-time gives it more time)",
)

COARSER_RULES = Caveat(
    "coarser-rules",
    "deriving stubborn set rules was ended before it was complete: more is fired than with all of them "
    "(--analysis-time gives it more time)",
)

TRUSTED_RULES_BEYOND = Caveat(
    "trusted-rules",
    "the hand-written stubborn set rules are trusted: the answer relies on them, also that no model error was missed, "
    "and also in states that are not reachable themselves but symmetric to reachable ones",
)

TRUSTED_SYMMETRY = Caveat(
    "trusted-symmetry",
    "the hand-written symmetry is trusted: the answer relies on each representative being symmetric to its state "
    "(audit looks for mistakes in it)",
)


def not_reduced(names: Iterable[str]) -> Caveat:
    """Why stubborn=auto has chosen off."""
    return Caveat(
        "stubborn-off",
        f"explored without stubborn sets, as they may leave out runs that violate these: {', '.join(names)}",
    )


def unreliable_pass(name: str) -> Caveat:
    return Caveat(
        "must-with-stubborn-sets",
        f"{name}: no violation was found, but stubborn sets may leave out the cycles that violate it; "
        "it is undecided: check it without stubborn sets",
    )


def beyond_stubborn_sets(name: str) -> Caveat:
    return Caveat(
        "branching-with-stubborn-sets",
        f"{name} speaks of choices, which stubborn sets do not preserve; "
        "it is undecided: check it without stubborn sets",
    )


def speaks_of_steps(names: Iterable[str]) -> Caveat:
    """Why symmetry=auto has chosen off."""
    return Caveat(
        "symmetry-off",
        "explored without symmetry, as it is not known whether one keeps what these say of a state and the next: "
        f"{', '.join(names)}",
    )


def partial_families(name: str) -> Caveat:
    return Caveat(
        "asymmetric-property",
        f"{name} speaks of single transitions of a family, by name or by fairness, or of steps; a symmetry may rename "
        "these; it is undecided: check it without symmetry",
    )


def asymmetric(name: str, where: str) -> Caveat:
    return Caveat(
        "asymmetric-property",
        f"{name} does not respect the symmetry: {where}; it is undecided: check it without symmetry, or let a state "
        "variable keep track of what it speaks of",
    )


def unconfirmed(name: str) -> Caveat:
    return Caveat(
        "ignored-progress",
        f"{name}: with stubborn sets no way to progress was found from a state, but as termination cannot be reached "
        "either, a way may have been left out (Theorem 5 does not apply); it is undecided",
    )
