"""From an LTL formula to a small automaton that accepts the runs on which it holds."""

from __future__ import annotations

from asset.logic.automata import Automaton
from asset.logic.cleaning import cleaned
from asset.logic.decision_diagrams import Table
from asset.logic.formulas import Formula, atoms_of
from asset.logic.symbolic_automata import Symbolic, explicit
from asset.logic.tableau import tableau
from asset.logic.terms import Terms


def translate(formula: Formula) -> Automaton:
    """A transition-based generalised Büchi automaton of the formula, over its atoms in the order of `atoms_of`."""
    atoms = atoms_of(formula)
    return explicit(symbolic(formula), atoms)


def symbolic(formula: Formula) -> Symbolic:
    terms, table = Terms(atoms_of(formula)), Table()
    return cleaned(tableau(terms, terms.of(formula), table))
