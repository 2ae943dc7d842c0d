"""From LTL to an automaton: Couvreur's tableau (*On-the-fly verification of linear temporal logic*, 1999).

A state is a set of formulas that must hold together from now on. Under a letter, each formula becomes a choice
among sets of formulas for the next state: `a U b` holds if b does, or if a does and it holds again in the next
state, which promises b. An edge belongs to the acceptance set of an until if it does not promise it, so a run that
promises for ever is not accepted.
"""

from __future__ import annotations

from asset.logic import terms as t
from asset.logic.decision_diagrams import Diagram, Table, leaves
from asset.logic.symbolic_automata import Moves, Symbolic, nothing
from asset.logic.terms import Term, Terms, conjuncts

Choice = tuple[frozenset[Term], frozenset[Term]]
"""What must hold in the next state, and what is promised."""
Choices = frozenset[Choice]

NOTHING_TO_DO: Choice = (frozenset(), frozenset())


class Tableau:
    """Expands terms; a term's expansion is computed once."""

    def __init__(self, terms: Terms, table: Table) -> None:
        self._terms = terms
        self._table = table
        self._expansions: dict[Term, Diagram[Choices]] = {}
        self._possible: dict[frozenset[Term], bool] = {}
        self._joins: dict[frozenset[Term], frozenset[Term]] = {}

    def expansion(self, term: Term) -> Diagram[Choices]:
        known = self._expansions.get(term)
        if known is None:
            known = self._expansions[term] = self._expand(term)
        return known

    def _expand(self, term: Term) -> Diagram[Choices]:
        yes, no = self._table.leaf(frozenset([NOTHING_TO_DO])), self._table.leaf(Choices())
        match term.kind:
            case t.TRUE:
                return yes
            case t.FALSE:
                return no
            case t.ATOM:
                return self._table.question(self._terms.atom_numbers[term], no, yes)
            case t.NEGATED:
                return self._table.question(self._terms.atom_numbers[term], yes, no)
            case t.NEXT:
                return self._later(conjuncts(term.operands[0]))
            case t.AND:
                return self.together(frozenset(term.operands))
            case t.OR:
                made = no
                for operand in term.operands:
                    made = self._either(made, self.expansion(operand))
                return made
            case t.UNTIL:
                left, right = term.operands
                again = self._later(frozenset([term]), frozenset([term]))
                return self._either(self.expansion(right), self._both(self.expansion(left), again))
            case _:
                left, right = term.operands
                again = self._later(frozenset([term]))
                return self._both(self.expansion(right), self._either(self.expansion(left), again))

    def together(self, state: frozenset[Term]) -> Diagram[Choices]:
        made = self._table.leaf(frozenset([NOTHING_TO_DO]))
        for term in sorted(state):
            made = self._both(made, self.expansion(term))
        return made

    def _later(self, obligations: frozenset[Term], promises: frozenset[Term] = frozenset()) -> Diagram[Choices]:
        return self._table.leaf(self._useful({(obligations, promises)}))

    def _either(self, first: Diagram[Choices], second: Diagram[Choices]) -> Diagram[Choices]:
        return self._table.combined(first, second, lambda a, b: self._useful(a | b))

    def _both(self, first: Diagram[Choices], second: Diagram[Choices]) -> Diagram[Choices]:
        return self._table.combined(first, second, self._product)

    def _product(self, first: Choices, second: Choices) -> Choices:
        return self._useful({(self._joined(a, b), p | q) for a, p in first for b, q in second})

    def _joined(self, first: frozenset[Term], second: frozenset[Term]) -> frozenset[Term]:
        """Both, without terms that are a conjunct on the right of a release beside them: it expands them anyway.

        No more may be left out: `G(p & X F q)` implies `F q`, but makes no promise of it now.
        """
        if first <= second or second <= first:
            return first | second
        both = first | second
        known = self._joins.get(both)
        if known is None:
            expanded = {below for term in both if term.kind == t.RELEASE for below in conjuncts(term.operands[1])}
            known = self._joins[both] = both - expanded
        return known

    def _useful(self, choices: Choices | set[Choice]) -> Choices:
        """Without those that contradict themselves or that ask for more than another."""
        possible = [choice for choice in choices if self._is_possible(choice[0])]
        if len(possible) < 2:
            return frozenset(possible)
        return frozenset(c for c in possible if not any(d is not c and d[0] <= c[0] and d[1] <= c[1] for d in possible))

    def _is_possible(self, obligations: frozenset[Term]) -> bool:
        known = self._possible.get(obligations)
        if known is None:
            contradicted = any(self._terms.negation(term) in obligations for term in obligations)
            known = self._possible[obligations] = not contradicted and self._terms.false not in obligations
        return known


def tableau(terms: Terms, term: Term, table: Table) -> Symbolic:
    """The automaton of a term, as the tableau gives it."""
    if term.kind == t.FALSE:
        return nothing(table)
    expand = Tableau(terms, table)
    states = _States(expand)
    states.number(conjuncts(term))
    promised: dict[Term, int] = {}
    for row in states.rows:
        for choices in leaves(row):
            for after, promises in sorted(choices, key=_in_order):
                states.number(after)
                for promise in sorted(promises):
                    promised.setdefault(promise, len(promised))
    full = (1 << len(promised)) - 1

    def moves(choices: Choices) -> Moves:
        return frozenset(
            (states.number(after), full & ~sum(1 << promised[p] for p in promises)) for after, promises in choices
        )

    return Symbolic(table, 0, tuple(table.mapped(row, moves) for row in states.rows), len(promised))


class _States:
    """Numbers sets of terms; those with the same expansion are the same state."""

    def __init__(self, expand: Tableau) -> None:
        self._expand = expand
        self._numbers: dict[frozenset[Term], int] = {}
        self._number_of_row: dict[int, int] = {}
        self.rows: list[Diagram[Choices]] = []

    def number(self, state: frozenset[Term]) -> int:
        known = self._numbers.get(state)
        if known is None:
            row = self._expand.together(state)
            known = self._number_of_row.setdefault(id(row), len(self.rows))
            if known == len(self.rows):
                self.rows.append(row)
            self._numbers[state] = known
        return known


def _in_order(choice: Choice) -> tuple[list[int], list[int]]:
    return sorted(term.number for term in choice[0]), sorted(term.number for term in choice[1])
