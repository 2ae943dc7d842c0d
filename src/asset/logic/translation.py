"""From an LTL formula to a small automaton that accepts the runs on which it holds."""

from __future__ import annotations

import gc
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from functools import reduce

from asset.errors import UsageError
from asset.logic.automata import Automaton, Cube
from asset.logic.cleaning import cleaned
from asset.logic.decision_diagrams import Table, TooManyQuestions
from asset.logic.formulas import Formula, atoms_of
from asset.logic.simulation import LARGEST, reduced
from asset.logic.symbolic_automata import FormulaTooLarge, Symbolic, explicit, product, union
from asset.logic.tableau import MOST_STATES, tableau
from asset.logic.terms import AND, OR, RELEASE, Term, Terms
from asset.logic.weak_automata import minimal_weak

REMEDY = "ask for its parts one by one; of many steps with next_state, a variable of the model can keep count"
LONGEST_TEXT = 200

FEW_QUESTIONS = 3000
"""The tableau of a whole conjunction or disjunction may ask so many; one that asks more is made of parts."""

LARGEST_WEAK = 300
"""The weak automaton of one with more states is not looked for: its powerset would take longer than all the rest."""


def translate(formula: Formula) -> Automaton:
    """A transition-based generalised Büchi automaton of the formula, over its atoms in the order of `atoms_of`."""
    atoms = atoms_of(formula)
    with _without_collection():
        return explicit(symbolic(formula), atoms)


@contextmanager
def _without_collection() -> Iterator[None]:
    """A translation makes many small objects and hardly any garbage: looking for it would take a third of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def cubes(formula: Formula, atoms: Sequence[Hashable]) -> tuple[Cube, ...]:
    """A formula without temporal operators as a disjunction of cubes over these atoms."""
    automaton = translate(formula)
    places = [1 << atoms.index(atom) for atom in automaton.atoms]

    def placed(bits: int) -> int:
        return sum(place for number, place in enumerate(places) if bits >> number & 1)

    guards = (cube for edge in automaton.edges[automaton.initial] for cube in edge.guard)
    return tuple((placed(true), placed(false)) for true, false in guards)


def symbolic(formula: Formula) -> Symbolic:
    """The automaton as the translation works on it."""
    terms, table = Terms(atoms_of(formula)), Table()
    try:
        term = _without_trivial_parts(terms, terms.of(formula), table)
        automaton = _small(terms, term, table)
    except FormulaTooLarge:
        raise UsageError.of(
            f"the automaton of this formula is too large: {_beginning(formula)}", None, REMEDY
        ) from None
    if not 1 < len(automaton.rows) <= LARGEST_WEAK:
        return automaton
    try:
        weak = minimal_weak(automaton, lambda: _small(terms, terms.negation(term), table))
    except FormulaTooLarge:
        return automaton
    return weak or automaton


def _beginning(formula: Formula) -> str:
    text = str(formula)
    return text if len(text) <= LONGEST_TEXT else text[:LONGEST_TEXT] + "…"


def with_negation(formula: Formula) -> tuple[Symbolic, Symbolic]:
    """Automata of the formula and of its negation, of one table."""
    terms, table = Terms(atoms_of(formula)), Table()
    term = terms.of(formula)
    return _small(terms, term, table), _small(terms, terms.negation(term), table)


def _small(terms: Terms, term: Term, table: Table) -> Symbolic:
    """The automaton of a term by one tableau; if that grows large, from the small automata of its parts, if it has any.

    The tableau of `(GF a -> GF b) & (GF c -> GF d) & …` has three states for each of them under each choice for the
    others, and asks about all atoms in each; the automaton of a part has two.
    """
    parts = terms.parts(term)
    if len(parts) < 2:
        return reduced(tableau(terms, terms.gathered(term), table))
    whole = _modest(terms, terms.gathered(term), table)
    if whole is not None:
        return reduced(whole)
    automata = [_small(terms, part, table) for part in parts]
    return reduce(lambda a, b: reduced(_joined(a, b, term)), automata)


def _modest(terms: Terms, term: Term, table: Table) -> Symbolic | None:
    """The tableau of a term, unless it grows large."""
    try:
        with table.at_most(FEW_QUESTIONS):
            return tableau(terms, term, table, LARGEST)
    except (FormulaTooLarge, TooManyQuestions):
        return None


def _joined(first: Symbolic, second: Symbolic, term: Term) -> Symbolic:
    """The automaton of the term, a conjunction or disjunction of what these accept."""
    return product(first, second, MOST_STATES) if term.kind in (AND, RELEASE) else union(first, second)


def _without_trivial_parts(terms: Terms, term: Term, table: Table) -> Term:
    """Without conjuncts that always hold, which no rule has found out, and without disjuncts that never hold."""
    if term.kind == OR:
        parts = [part for part in term.operands if not _trivial(terms, part, table)]
        return terms.disjunction(parts)
    if term.kind == AND:
        parts = [part for part in term.operands if not _trivial(terms, terms.negation(part), table)]
        return terms.conjunction(parts)
    return term


def _trivial(terms: Terms, term: Term, table: Table) -> bool:
    """Whether a part is known to hold on no run; only a part that is a combination itself is suspected."""
    suspected = _modest(terms, term, table) if term.kind in (AND, OR) else None
    return suspected is not None and cleaned(suspected).is_empty
