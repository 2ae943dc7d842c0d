"""Which answers survive a reduction: the table of properties and reductions, and nothing else decides it.

The theorems are those of "Stop It, and Be Stubborn!", and those with condition S below. They assume that the stubborn
sets satisfy D0, D1 and D2, and that they take the invariants into account (as the enabling conditions of imaginary
transitions, Theorem 4). Derived sets may be *weak*: all members have D1, but D2 is had by *keys* only, and D0 says that
an enabled one is there if anything is enabled that changes the state. What is proved for them is said below. A symmetry
is an automorphism of the full state space, so the quotient by it is bisimilar to the full space: whatever respects the
symmetry is preserved, be it about states or about runs. Hand-written rules and representatives are trusted in this;
`--audit` looks for mistakes in them. Derived rules (stubborn=auto) need no trust: that they satisfy D0, D1 and D2 and
take the invariants and the model errors into account is proved in `asset.analysis.stubborn.derivation`, for every state
that is reachable from an initial state.

Symmetries that are found (symmetry=auto) need no trust either: each generator was verified to make commands of commands
and to keep every property for which `must_be_respected`. So IF_RESPECTED holds by construction: the quotient is
bisimilar with equal labels (Emerson and Sistla), a cycle of it without progress is one of the full space, wound up, and
conversely. Initial states need not be symmetric, so representatives are reachable from the images of the initial
state, and it is for what is reachable from all of these that stubborn set rules are derived then.

Heaps need no row of their own. That their objects are numbered anew is part of what a command does, so commands are
functions of states as any others, and the theorems hold for them; states are equal if their graphs are isomorphic, so
this is a model of which the one with addresses is a bisimilar copy. Derived rules and symmetries take numbering for
something that may read and write all references and all objects (`ir.program.Function.opaque`).

A property about progress that such a symmetry does not keep can be *followed* instead (the annotated quotient of
Emerson and Sistla). A vertex is a representative r with what renamings have made of the property. It stands for the
states g r of the model for which the inverse of g makes that of the property: what it says of r is what the property
says of g r. An edge to a state whose representative is the image of it under h takes a meaning to what h makes of it.
This relation of vertices and states is a bisimulation that keeps the property's value; and of the vertices only those
count that are reachable from that of the initial state. So its runs are those of the model. Commands
that a formula or fairness names are renamed with it. With stubborn sets may progress is not followed: the lemma below
speaks of one property, not of its meanings. What is asked of runs is: what can change any meaning is visible then.

Weak sets. *Theorem 1 for weak sets*: if s -t1...tn-> s_n, s is a state of the reduced space and s_n is terminal, then
s_n is reachable from s in the reduced space, provided that every step changes the state. If n > 0, some ti is in T(s):
else a key of T(s), which is enabled in s, is so in s_n (D2). The first such ti moves to the front (D1), which leaves n
- 1 steps. [] Theorem 3 and those that build on it do not hold as they stand: a step of the reduced space that is not by
a key may end what could be fired besides. What follows asks for *key steps*, those by keys, where that matters. For
must progress, formulas and recurrence nothing is proved with weak sets: they are asked with *strong* ones, all of whose
enabled members are keys (`keys_suffice`). Hand-written rules make strong sets.

Condition S. Theorems 4 to 6 speak of models that are always may-terminating. In others a cycle of the reduced space may
leave out for ever a command that is enabled all the way. S rules that out: for every state s of the reduced space and
every command that is enabled in s and changes it, a state s' of the reduced space is reachable from s by key steps of
it such that the command is in T(s'), or changes nothing there. `asset.engine.ignoring` widens sets until S holds, for
which it suffices to look at terminal strong components of the key steps: a command t that is enabled in s and not in
T(s) is enabled after any key step of the reduced space from s (D2 and D1), and if it changes nothing in s, then nothing
there. So whatever is enabled in s is, in a terminal component that is reachable from s by key steps, still enabled or
was in a set on the way; and what is enabled in one state of the component and fired in none of it is enabled in all of
them, and left out for ever. A set that is widened is the union of two that have D1, so it has D1, and its keys stay so.

*Lemma (marks).* S is had as well if key steps lead from every state to one in which everything is fired that matters:
let t be enabled in s, and change it. It stays enabled along these steps, as above, as long as it is not in the set of
the state at hand and changes something there; at the latest, it is in the set of the last. [] With symmetries t is
renamed on the way, and in the last state everything is fired. If no run stays for ever in states whose sets leave
visible commands out, the space has L (below), as a cycle of such states would be such a run. Both are decided by going
back along edges, without components: so the ranks of a cluster have S and L (`asset.engine.leading_out`), and what is
preserved with these is preserved there.

*Lemma (S).* Let s be a state of the reduced space, and s -t1...tn-> s_n in the full one. (1) A state of the reduced
space is reachable from s in it, and from s_n in the full one. (2) If an imaginary transition e that the sets take into
account is enabled in s_n, then it is enabled in a state of the reduced space that is reachable from s in it.

By induction on n. If n = 0, it is s = s_n. If t1 changes nothing in s, leave it out. Else S gives a path of key steps
of the reduced space from s to a state whose set has t1, or where t1 changes nothing. Follow it as long as no ti is in
the set T of the state at hand, u, and t1 changes something. Let a be the next step, a key of T. From u the sequence
t1...tn is enabled and leads to a state v (to begin with, s_n). By D2, a is enabled in v; by D1, t1...tn is enabled
after a and leads to the same state as a does from v: a state that is reachable from s_n. If e is enabled in v and not
in T, the same for t1...tn e says that e is enabled there as well. If e is in T, then by D1 it is enabled in u, which is
what (2) claims. When the walk ends in u, the first ti in T moves to the front (D1): it leads to a state of the reduced
space, from where the n - 1 others lead to v; or t1 is left out. []

*Invariants and model errors with S*: if one is violated in a reachable s_n, its e is enabled there; by the lemma it is
so in a state of the reduced space. *May progress with S*: let no accepted state (and no terminal one, if those count)
be reachable from s_n. By (1) the reduced space has a state that is reachable from s_n, so none is reachable from it
either; all the less in the reduced space. So a violation is not missed. Conversely, let none be reachable in
the reduced space from its state s. If an accepted state were reachable from s in the full one, (2) for the e that is
enabled in accepted states would give an accepted state of the reduced space that is reachable from s in it; and
terminal states that are reachable from s are so in the reduced space, see below. So the violation is one of the full
model, provided that the sets take this e into account. The rules do not at first, as always may-terminating models do
not need it (Theorem 5) and sets are smaller without; if a violation is found, the question is put again with it.
*Recurrence* is not preserved by S: it sees to it that every command occurs, not that others do not. In a model that is
not always may-terminating it is decided without stubborn sets.

With symmetries, the rest of the sequence t1...tn is renamed at each step, and a command that leads to a symmetric state
is like one that changes nothing. A terminal component of the quotient has S if in one of its states everything is fired
that does not lead to a symmetric state: there t1, whatever it was renamed to, is in the set or can be left out.

*Commands that do not matter.* Whether an invariant is violated, or a model error occurs, depends on the values of some
cells. The *cone* are the commands that write one of them, or a cell that a command of the cone looks at. If all other
commands are left out of a sequence that leads to a violation, the rest is enabled and leads to the same values of these
cells. So it suffices to fire commands of the cone: they are a model of their own, in which D1, D2 and S are had by the
part of the sets that is in the cone, and whose states are states of the full model. It has other terminal states. For
the same reason a state that may progress accepts is reachable from a state exactly if one is by commands of the cone;
so these suffice for may progress too, if terminal states are no progress: what is reachable from a state of the full
model is, in these cells, what is reachable from one of the cone's.

*Steps that change nothing* are idle, and left out of sequences in the same way. So a set is chosen by the commands that
change the state, and S does not ask for others. A state is terminal if no command changes it, so a set of any other
state has a command that does (D0). For requirements of states and for progress an idle step is none: a run ends where
nothing else can happen, and a cycle has more than one state. Terminal states in this sense are preserved: if s_n is
one, the state of (1), which is reachable from it, is s_n itself. So it is reachable in the reduced space from every
state of it from which it is reachable in the full one. Hence a violation of may progress or of termination that the
reduced space has is one of the full model; and if from every state of the reduced space a terminal one is reachable in
it, so it is in the full one, by (1). With strong sets the latter needs no repair: then the terminal components are
terminal states. If every step changes the state, strong sets have no need for S: this is Theorems 1 and 3. With it,
there is: a step of the set may be idle after the steps t1...tn, all of which it leaves out, so that Theorem 1's
argument, that it cannot be enabled in s_n, does not hold. *Recurrence* is about commands, and an idle one occurs as
well: Theorem 6 moves every step of a sequence, whatever it changes, to a place in the reduced space, if the model can
always come to a state where nothing is enabled at all. That is what is asked for its sake. Formulas of temporal logic
can speak of steps, so idle ones are steps for them. In the ancestor's .model files they are so for all requirements,
and the theorems hold as they are.

Conditions V, I and L. Formulas of linear time logic, and must progress, speak of what is *observed* in the states of a
run. Call a command *visible* if it can change that in some reachable state. T satisfies V if it has all visible
commands or no enabled one, and I if it has an enabled command that is not visible, provided that there is one (the
choice sees to both, `asset.engine.choice`). L says of the reduced space that every cycle has a state whose set has all
visible commands (`asset.engine.postponing` widens sets until that is so). Here no step is left out because it changes
nothing: it is how a run stays for ever.

*Theorem (LTL without next).* For every run of the full model from a state of the reduced space, infinite or to its end
in a terminal state, there is a run of the reduced space from there, infinite or to the same end, on which the same is
observed, but for repetitions. (Valmari's theorem; the proof is for sets with D2 for all members.)

The run of the reduced space is made step by step. At a state u of it there is a sequence t1 t2 ... yet to be fired from
u; at first it is that of the full run. (a) If some ti is in T(u), take the first. By D1 it is enabled in u, and leads
to a state from where t1...t(i-1) leads to where t1...ti leads from u; so fire it, and it is gone from the sequence. If
ti is not visible, then as it stays enabled (D2) and by D1, each state on the new way is one of the old way after ti:
the same is observed. If ti is visible, so are none of t1...t(i-1), as by V they would be in T(u): before ti they change
nothing that is observed, and nor do they after it. (b) If no ti is in T(u) and u is not the end of the run, T(u) has an
enabled command (D0), which stays enabled along the whole sequence (D2); so it has no end. One of them, a, is not
visible: else by I no enabled command is, so t1 is visible and V has it in T(u). Fire a. By D1 the sequence can be fired
from there, and the states on it are those of the old way after a: the same is observed.

In a finite run only (a) occurs, so it ends in the same state, and everything was fired. In an infinite one, let tk be
the first visible command of the sequence, if there is one. It stays that until it is fired: (b) takes nothing away, and
if (a) takes ti with i > k, ti is not visible, by V. By L the run meets states again and again whose sets have tk; there
(a) takes one of t1...tk. So tk is fired after finitely many steps, and what is observed before and after is what the
full run has. If there is no visible command left, nothing that is observed changes any more in either. []

So a formula that cannot tell runs apart that differ in repetitions (`asset.logic.stuttering`) has the same answer in
both spaces, and so has must progress, whether ends count as progress or not: infinite runs are kept as infinite ones,
and ends as ends. That is so if idle steps are steps, or if there are none. Otherwise V, I and L are not enough: a
command that is fired in (b) may merge states that the run tells apart, so that the rest of the run is idle. So if must
progress is asked, rules are derived for the model without idle steps, in which a command is enabled only where it
changes the state, and sets are chosen by these (`DerivedRules.idle_steps`). It has the same states, terminal states and
model errors, and the runs that must progress speaks of; so for everything that knows no idle steps its theorems are
those of the model. If something is asked as well for which idle steps are steps, recurrence or a formula, then must
progress is asked of a search of its own. Nothing else needs one: Lemma (S) does not say which commands sets are chosen
by, so with S it holds for sets that are chosen by idle commands too, as formulas need them. What is assumed of runs by
formulas is a part of the formula. Formulas that observe steps (`taken`, `after`), fairness, which is a matter of steps
too, formulas with next that matters, and branching time logic are not preserved, and asked without stubborn sets. With
symmetries, the sequence is renamed at each step. They keep what is observed; visible commands are made visible together
with all that symmetries make of them. So renaming changes neither what is visible nor what is observed, nor k.

Both reductions together: a symmetry maps reachable states to reachable states, so a representative is a state of the
full model, and a stubborn set there satisfies D0, D1 and D2. The proofs of the theorems go from a state to the next by
one step of the reduced space or by moving a step to the front; replacing the state that was reached by a symmetric one
changes neither what can be fired from there, up to renaming, nor how many steps are left, on which the induction goes.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto
from functools import lru_cache

from asset.deferred import dataclass
from asset.engine.outcome import Finding
from asset.ir.program import Program
from asset.ir.reductions import Reductions
from asset.ir.requirements import (
    Enabled,
    OfRuns,
    Predicate,
    Requirement,
    Temporal,
    Termination,
    command_sets,
    step_predicates,
)
from asset.logic.formulas import Formula
from asset.verdict import Caveat


class Trust(Enum):
    """When an answer found with a reduction is an answer for the full model."""

    ALWAYS = auto()
    IF_ALL_KEYS = auto()  # if the sets are strong, or have condition S
    IF_NOT_IGNORING = auto()  # if the sets have condition S
    IF_NOT_POSTPONING = auto()  # if the sets have V, I and L for what is observed, and only states are
    IF_NOT_IDLING = auto()  # if they have it, or no command is ever enabled without changing the state
    IF_TERMINATING = auto()  # if the model turns out to be always may-terminating
    IF_RESPECTED = auto()  # if the predicate has the same value in symmetric states
    IF_CONFIRMED = auto()  # if the sets take the accepted states into account, or it is found in the full model as well
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
    states by symmetric ones. `can_be_followed` says that a requirement that symmetries rename can be followed through
    its renamings, `has_cone` that commands do not matter that cannot influence the predicate, unless terminal states
    count as progress."""

    stubborn: Cell
    symmetry: Cell
    can_be_followed: bool = False
    has_cone: bool = False


_BISIMILAR = "the quotient is bisimilar to the full space, in whatever is the same in symmetric states"
_IF_RESPECTED = Cell(Trust.IF_RESPECTED, Trust.IF_RESPECTED, _BISIMILAR)

INVARIANT = Row(
    Cell(
        Trust.IF_NOT_IGNORING,
        Trust.ALWAYS,
        "Theorem 4, and Lemma (S) for models that do not always terminate: whether an imaginary transition, enabled if "
        "the invariant is false, may become enabled is preserved; a state found is a state of the full model",
    ),
    _IF_RESPECTED,
    has_cone=True,
)
TERMINAL = Row(
    Cell(
        Trust.IF_NOT_IDLING,
        Trust.ALWAYS,
        "Theorem 1, and Lemma (S) if steps may change nothing: the full and the reduced space have the same terminal "
        "states",
    ),
    _IF_RESPECTED,
)
MAY_PROGRESS = Row(
    Cell(
        Trust.IF_NOT_IGNORING,
        Trust.IF_CONFIRMED,
        "Theorem 5, and Lemma (S) for models that do not always terminate; there a way to progress may have been "
        "missed unless the sets take the accepted states into account",
    ),
    _IF_RESPECTED,
    can_be_followed=True,
    has_cone=True,
)
MUST_PROGRESS = Row(
    Cell(
        Trust.IF_NOT_POSTPONING,
        Trust.ALWAYS,
        "the theorem of LTL without next, for the model without idle steps: a run without progress is preserved, and "
        "so is how it ends; a run that is found is one of the full model",
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
        "Theorem 6: that a transition occurs infinitely often and others do not is preserved; S does not suffice",
    ),
    Cell(Trust.IF_RESPECTED, Trust.IF_RESPECTED, f"{_BISIMILAR}; a symmetry renames commands within their families"),
)
TERMINATION = Row(
    Cell(
        Trust.IF_ALL_KEYS,
        Trust.IF_NOT_IDLING,
        "Theorem 3, and Lemma (S) if sets are weak or steps may change nothing: always may-terminating is preserved, "
        "both ways",
    ),
    Cell(Trust.ALWAYS, Trust.ALWAYS, "symmetric states are both terminal or neither is"),
)

TEMPORAL = Row(
    Cell(
        Trust.IF_NOT_POSTPONING,
        Trust.ALWAYS,
        "the theorem of LTL without next, for formulas that are insensitive to stuttering; a run that is found is one "
        "of the full model, and what is enabled in its states is looked up there",
    ),
    Cell(
        Trust.IF_RESPECTED,
        Trust.IF_RESPECTED,
        f"{_BISIMILAR}; commands and fairness that it does not keep are followed through their renamings; symmetries "
        "that are written by hand rename within families, so they must be those of whole ones",
    ),
    can_be_followed=True,
)
BRANCHING = Row(
    Cell(Trust.NEVER, Trust.NEVER, "what can be chosen in a state is not preserved"),
    TEMPORAL.symmetry,
    can_be_followed=True,
)


def must_ignore_nothing(rows: Iterable[Row], errors: bool = False, idle: bool = False, weak: bool = False) -> bool:
    """Whether answers under stubborn sets are worth something only with condition S. `idle` says that a step that
    changes nothing is none, and that there may be such; `weak`, that sets may be weak.

    Model errors are looked for whatever is asked, and they are like invariants. `errors` says that derived rules, whose
    verdict has to answer for them, could not rule them out. Hand-written rules are trusted in this, unless nothing else
    is asked.
    """
    asked = list(rows)
    trusts = {trust for row in asked for trust in (row.stubborn.passed, row.stubborn.violated)}
    needing = {Trust.IF_NOT_IGNORING}
    needing |= {Trust.IF_NOT_IDLING} if idle else set()
    needing |= {Trust.IF_ALL_KEYS} if weak else set()
    return errors or not asked or bool(needing & trusts)


def keys_suffice(rows: Iterable[Row]) -> bool:
    """Whether weak sets preserve what is asked, with condition S if `must_ignore_nothing` says so."""
    return not any(row.stubborn.passed in (Trust.IF_TERMINATING, Trust.IF_NOT_POSTPONING) for row in rows)


def cone_suffices(row: Row, requirement: Requirement) -> bool:
    """Whether only commands matter that can influence the predicate, or model errors."""
    return row.has_cone and not getattr(requirement, "terminal_is_progress", False)


def needs_termination(row: Row) -> bool:
    """Whether a pass under stubborn sets is worth something only if the model is always may-terminating."""
    return row.stubborn.passed is Trust.IF_TERMINATING


def must_be_confirmed(row: Row) -> bool:
    """Whether a violation that is found with stubborn sets that do not know progress says nothing of the full model."""
    return row.stubborn.violated is Trust.IF_CONFIRMED


def must_be_respected(row: Row) -> bool:
    """Whether an answer under symmetry depends on the requirement being the same in symmetric states."""
    return row.symmetry.passed is Trust.IF_RESPECTED


def can_be_followed(row: Row, stubborn: bool) -> bool:
    """Whether a requirement that a symmetry does not keep can be followed through what symmetries make of it."""
    return row.can_be_followed and (not stubborn or row.stubborn.passed is Trust.IF_NOT_POSTPONING)


def is_preserved(row: Row, requirement: Requirement, hand_symmetry: bool) -> bool:
    """Whether derived stubborn sets can be such that finding no violation is an answer. A symmetry that is written by
    hand does not say what it makes of commands, nor so of visible ones."""
    if row.stubborn.passed is Trust.IF_NOT_POSTPONING:
        return not hand_symmetry and cannot_count_steps(requirement)
    return row.stubborn.passed is not Trust.NEVER


def is_asked_apart(requirement: Requirement) -> bool:
    """Whether it needs sets for the model without idle steps, so that it has a search of its own if these are steps for
    something else that is asked."""
    return isinstance(requirement, OfRuns) and not requirement.idle_steps


def cannot_count_steps(requirement: Requirement) -> bool:
    """Whether the requirement observes states only, and cannot tell a run from the same run with states repeated."""
    if not isinstance(requirement, Temporal):
        return True
    of_states = all(isinstance(each, Predicate | Enabled) for each in requirement.observations)
    return of_states and not requirement.fairness and _insensitive(requirement.violation)


@lru_cache(maxsize=64)
def _insensitive(formula: Formula) -> bool:
    from asset.logic.stuttering import is_stutter_invariant  # here, as few checks need it

    return is_stutter_invariant(formula)


def pass_is_unreliable(row: Row, requirement: Requirement, reductions: Reductions) -> bool:
    """Whether finding no violation with these stubborn sets leaves the question open."""
    if row.stubborn.passed is not Trust.IF_NOT_POSTPONING:
        return row.stubborn.passed is Trust.NEVER
    seen = reductions.derived is not None and reductions.derived.visible is not None
    return not seen or not is_preserved(row, requirement, reductions.hand_symmetry)


def says_nothing(row: Row) -> bool:
    """Whether nothing can be said with stubborn sets, whatever is found."""
    return row.stubborn.passed is Trust.NEVER and row.stubborn.violated is Trust.NEVER


def pass_stands(row: Row) -> bool:
    """Whether finding no violation with stubborn sets in a space that was explored completely, with the conditions that
    are needed, is an answer, whatever else is found."""
    return row.stubborn.passed in (
        Trust.ALWAYS,
        Trust.IF_ALL_KEYS,
        Trust.IF_NOT_IGNORING,
        Trust.IF_NOT_IDLING,
        Trust.IF_NOT_POSTPONING,
    )


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

APPROXIMATE = Caveat(
    "approximate",
    "states were kept by hashes, so some may have been taken for others and left out: nothing is known to hold",
)
"""A state that is omitted is not expanded, so neither it nor what can be reached only by way of it was looked at. What
was looked at is real: each state was reached by commands from an initial one."""

LOST_FINDING = Caveat(
    "lost-finding",
    "threads met a violation, but the search for its run, which omits other states, did not come to it again; "
    "with one thread, or a larger table, it may be found",
)


def beyond_approximation(name: str) -> Caveat:
    """A requirement on the graph speaks of all edges and cycles: a search that omits states cannot refute it either, as
    progress that seems to be lost may be made in what was omitted."""
    return Caveat("beyond-approximation", f"{name} was not asked: it needs all states, and some may be omitted")


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

NO_SYMMETRY_OF_NUMBERS = Caveat(
    "symmetry-off",
    "symmetries were not looked for: steps have so many inputs, or ways to go, that transitions have numbers",
)

NO_RULES_OF_NUMBERS = Caveat(
    "stubborn-off",
    "stubborn sets were not used: steps have so many inputs, or ways to go, that transitions have numbers",
)

TOO_MANY_STARTS = Caveat(
    "stubborn-off",
    "stubborn sets were not used: there are too many states that runs (or, with symmetries, runs of representatives) "
    "begin in to derive rules for",
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
        f"{name}: with the hand-written stubborn sets no way to progress was found from a state, but they may not take "
        "progress into account, and in the full model that was not seen from there; it is undecided: check it without "
        "stubborn sets, or with those that are derived (stubborn=auto)",
    )


def unshown(name: str, state: str) -> Caveat:
    return Caveat(
        "unshown",
        f"{name}: it is violated in a representative, {state}, but the run there could not be found again within the "
        "limits on memory, disk and time, so that it is not known whether the state that it stands for violates it; it "
        "is undecided: check it with more memory, or without the hand-written symmetry",
    )


def asked_apart(names: Iterable[str], states: int) -> Caveat:
    """That some requirements were asked of a search of their own, whose counts are not those of the verdict."""
    return Caveat(
        "asked-apart",
        "a step that changes nothing is none for these, but one for others that are asked; so they had a search of "
        f"their own, with other stubborn sets, of {states:,} state{'' if states == 1 else 's'}: {', '.join(names)}",
    )


def asked_again(names: Iterable[str], decided: bool) -> Caveat:
    """That some requirements were asked of the full model, as of these a pass with stubborn sets is worth nothing."""
    asked = f"stubborn sets may leave out runs that violate these, so that they were asked again: {', '.join(names)}"
    how = "all states were explored for them" if decided else "not all states could be explored: they are undecided"
    return Caveat("asked-without-stubborn-sets", f"{asked}; {how}")
