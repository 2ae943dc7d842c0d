"""From an LTL formula to a small automaton that accepts the runs on which it holds."""

from __future__ import annotations

from asset.logic.automata import Automaton
from asset.logic.decision_diagrams import Table
from asset.logic.formulas import Formula, atoms_of
from asset.logic.simulation import reduced
from asset.logic.symbolic_automata import Symbolic, explicit
from asset.logic.tableau import tableau
from asset.logic.terms import Terms
from asset.logic.weak_automata import minimal_weak


def translate(formula: Formula) -> Automaton:
    """A transition-based generalised Büchi automaton of the formula, over its atoms in the order of `atoms_of`."""
    atoms = atoms_of(formula)
    return explicit(symbolic(formula), atoms)


def symbolic(formula: Formula) -> Symbolic:
    terms, table = Terms(atoms_of(formula)), Table()
    term = terms.of(formula)
    automaton = reduced(tableau(terms, term, table))
    if len(automaton.rows) == 1:
        return automaton
    negation = reduced(tableau(terms, terms.negation(term), table))
    weak = minimal_weak(automaton, negation)
    if weak is not None and len(weak.rows) <= len(automaton.rows):
        return weak
    return automaton
