"""Formulas of linear and branching time logic as data.

A formula without path quantifiers is read in LTL: it speaks of one run. In CTL each temporal operator stands
directly below a path quantifier (`ForAll(Always(p))` is AG p). Formulas share subformulas, so each carries its
hash. An atom's key is opaque here.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import field, fields
from enum import Enum
from typing import TypeVar, cast

from asset.deferred import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Formula:
    """What all formulas have in common: equality by structure, and a hash that is computed once."""

    _hash: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((type(self).__name__, self.parts)))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other) or not isinstance(other, Formula):
            return NotImplemented
        return self._hash == other._hash and self.parts == other.parts

    def __reduce__(self) -> tuple[type[Formula], tuple[object, ...]]:
        return type(self), self.parts  # a hash is of no use in another process

    @property
    def parts(self) -> tuple[object, ...]:
        return tuple(getattr(self, f.name) for f in fields(self) if f.init)

    @property
    def operands(self) -> tuple[Formula, ...]:
        """The formulas directly below this one."""
        return cast(tuple[Formula, ...], self.parts)

    def __str__(self) -> str:
        from asset.logic.printing import readable

        return readable(self)


@dataclass(frozen=True, slots=True, eq=False)
class Constant(Formula):
    """True or false in every state."""

    value: bool

    @property
    def operands(self) -> tuple[Formula, ...]:
        return ()


TRUE = Constant(True)
FALSE = Constant(False)


@dataclass(frozen=True, slots=True, eq=False)
class Atom(Formula):
    """A question about one state, known here by its key only."""

    key: Hashable

    @property
    def operands(self) -> tuple[Formula, ...]:
        return ()


@dataclass(frozen=True, slots=True, eq=False)
class Not(Formula):
    operand: Formula


@dataclass(frozen=True, slots=True, eq=False)
class And(Formula):
    """All of them hold; true if there are none."""

    conjuncts: tuple[Formula, ...]

    @property
    def operands(self) -> tuple[Formula, ...]:
        return self.conjuncts


@dataclass(frozen=True, slots=True, eq=False)
class Or(Formula):
    """One of them holds; false if there are none."""

    disjuncts: tuple[Formula, ...]

    @property
    def operands(self) -> tuple[Formula, ...]:
        return self.disjuncts


@dataclass(frozen=True, slots=True, eq=False)
class Implies(Formula):
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Iff(Formula):
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Next(Formula):
    """It holds in the next state."""

    operand: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Eventually(Formula):
    """It holds now or later."""

    operand: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Always(Formula):
    """It holds now and ever after."""

    operand: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Until(Formula):
    """The right one holds now or later, and the left one until just before."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True, eq=False)
class WeakUntil(Formula):
    """As until, but the right one need not come if the left one holds for ever."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Release(Formula):
    """The right one holds up to and with the first moment of the left one, for ever if there is none."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True, eq=False)
class StrongRelease(Formula):
    """As release, and the moment of the left one comes."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True, eq=False)
class ForAll(Formula):
    """On every run from here."""

    path: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Exists(Formula):
    """On some run from here."""

    path: Formula


QUANTIFIERS = (ForAll, Exists)
TEMPORAL = (Next, Eventually, Always, Until, WeakUntil, Release, StrongRelease)
BOOLEAN = (Constant, Atom, Not, And, Or, Implies, Iff)

F = TypeVar("F", bound=Formula)


class Logic(Enum):
    """In which logic a formula can be read."""

    BOOLEAN = "a state formula, which is both"
    LTL = "LTL"
    CTL = "CTL"
    MIXED = "neither LTL nor CTL"


def subformulas(formula: Formula) -> Iterator[Formula]:
    """Each subformula once, those below first."""
    seen: set[Formula] = set()
    stack = [(formula, False)]
    while stack:
        current, expanded = stack.pop()
        if expanded:
            yield current
        elif current not in seen:
            seen.add(current)
            stack.append((current, True))
            stack.extend((below, False) for below in reversed(current.operands))


def atoms_of(formula: Formula) -> tuple[Hashable, ...]:
    """The keys of its atoms, in the order in which they are first met."""
    return tuple(part.key for part in subformulas(formula) if isinstance(part, Atom))


def logic_of(formula: Formula) -> Logic:
    """LTL has no path quantifier; in CTL quantifiers and temporal operators come in pairs."""
    parts = list(subformulas(formula))
    quantified = {part.operands[0] for part in parts if isinstance(part, QUANTIFIERS)}
    if not quantified:
        return Logic.LTL if any(isinstance(part, TEMPORAL) for part in parts) else Logic.BOOLEAN
    return Logic.MIXED if misplaced(formula) else Logic.CTL


def misplaced(formula: Formula) -> Formula | None:
    """The first part that makes a formula neither LTL nor CTL: an operator or a quantifier without the other."""
    if not any(isinstance(part, QUANTIFIERS) for part in subformulas(formula)):
        return None
    stack, seen = [formula], set[Formula]()
    while stack:
        state = stack.pop()
        if state in seen:
            continue
        seen.add(state)
        if isinstance(state, TEMPORAL):
            return state
        if isinstance(state, QUANTIFIERS):
            path = state.operands[0]
            if not isinstance(path, TEMPORAL):
                return state
            stack.extend(reversed(path.operands))
        else:
            stack.extend(reversed(state.operands))
    return None


def has_no_next(formula: Formula) -> bool:
    """Syntactically insensitive to stuttering; `stuttering.is_stutter_invariant` decides it."""
    return not any(isinstance(part, Next) for part in subformulas(formula))


def recurring_parts(formula: Formula) -> tuple[Formula, ...] | None:
    """What the formula says to hold again and again, if it says nothing else: states or steps, not parts of runs."""
    match formula:
        case And(parts):
            found = [recurring_parts(part) for part in parts]
            return None if None in found else tuple(each for some in found for each in some or ())
        case Always(Eventually(operand)) if not any(isinstance(part, TEMPORAL) for part in subformulas(operand)):
            return (operand,)
        case _:
            return None


def rename_atoms(formula: Formula, rename: Callable[[Hashable], Formula]) -> Formula:
    """The formula with another formula in place of each atom."""
    made: dict[Formula, Formula] = {}
    for part in subformulas(formula):
        if isinstance(part, Atom):
            made[part] = rename(part.key)
        else:
            made[part] = rebuilt(part, tuple(made[below] for below in part.operands))
    return made[formula]


def rebuilt(formula: F, operands: tuple[Formula, ...]) -> F:
    """The same operator with other operands."""
    if isinstance(formula, And | Or):
        return cast(F, type(formula)(operands))
    if isinstance(formula, Constant | Atom):
        return formula
    return type(formula)(*operands)


DUAL: dict[type[Formula], type[Formula]] = {
    And: Or,
    Or: And,
    Next: Next,
    Eventually: Always,
    Always: Eventually,
    Until: Release,
    Release: Until,
    WeakUntil: StrongRelease,
    StrongRelease: WeakUntil,
    ForAll: Exists,
    Exists: ForAll,
}
"""¬op(a, b) = dual(op)(¬a, ¬b)."""


def negation_normal_form(formula: Formula, negated: bool = False) -> Formula:
    """An equivalent formula (or one of its negation) in which only atoms are negated and implication is spelled out."""
    made: dict[tuple[Formula, bool], Formula] = {}
    for part in subformulas(formula):
        for sign in (False, True):
            made[part, sign] = _normal(part, sign, made)
    return made[formula, negated]


def _normal(part: Formula, negated: bool, made: dict[tuple[Formula, bool], Formula]) -> Formula:
    match part:
        case Constant(value):
            return Constant(value != negated)
        case Atom():
            return Not(part) if negated else part
        case Not(operand):
            return made[operand, not negated]
        case Implies(left, right):
            spelled_out = (made[left, not negated], made[right, negated])
            return And(spelled_out) if negated else Or(spelled_out)
        case Iff(left, right):
            first = And((made[left, False], made[right, negated]))
            return Or((first, And((made[left, True], made[right, not negated]))))
        case _:
            operands = tuple(made[below, negated] for below in part.operands)
            kind = DUAL[type(part)] if negated else type(part)
            return kind(operands) if kind in (And, Or) else kind(*operands)
