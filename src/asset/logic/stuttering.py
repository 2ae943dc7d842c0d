"""Whether a formula can tell a run from the same run with states repeated.

Two runs are the same but for stuttering if and only if both become one run by leaving repetitions out. So a formula
is sensitive to stuttering if and only if a run that satisfies it and one that violates it have a run in common
among those that they become. The closure of an automaton accepts the runs that its runs become (Michaud and
Duret-Lutz, *Practical stutter-invariance checks for ω-regular languages*, 2015): if it can read a letter twice in a
row, it may read it once.
"""

from __future__ import annotations

from asset.logic.cleaning import without_weaker
from asset.logic.decision_diagrams import Diagram, leaves
from asset.logic.formulas import Formula, has_no_next
from asset.logic.symbolic_automata import FormulaTooLarge, Moves, Symbolic, product
from asset.logic.translation import with_negation


def is_stutter_invariant(formula: Formula) -> bool:
    """Decided on automata; without next it is known by the syntax. If they are too large, it counts as sensitive."""
    if has_no_next(formula):
        return True
    try:
        automaton, negation = with_negation(formula)
    except FormulaTooLarge:
        return False
    return product(closed(automaton), closed(negation)).is_empty


def closed(automaton: Symbolic) -> Symbolic:
    """The automaton with an edge for each path under one letter repeated, with all marks of the path."""
    rows = tuple(_closed_row(automaton, row) for row in automaton.rows)
    return Symbolic(automaton.table, automaton.initial, rows, automaton.acceptance)


def _closed_row(automaton: Symbolic, row: Diagram[Moves]) -> Diagram[Moves]:
    while True:
        longer = row
        for middle in sorted({target for moves in leaves([row]) for target, _ in moves}):

            def joined(moves: Moves, after: Moves, middle: int = middle) -> Moves:
                through = {(e, m | k) for d, m in moves if d == middle for e, k in after}
                return without_weaker(through | moves)

            longer = automaton.table.combined(longer, automaton.rows[middle], joined)
        if longer is row:
            return row
        row = longer
