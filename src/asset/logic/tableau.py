"""From LTL to an automaton: Couvreur's tableau (*On-the-fly verification of linear temporal logic*, 1999).

A state is a set of formulas that must hold together from now on. Under a letter, each formula becomes a choice
among sets of formulas for the next state: `a U b` holds if b does, or if a does and it holds again in the next
state, which promises b. An edge belongs to the acceptance set of an until if it does not promise it, so a run that
promises for ever is not accepted.

Sets of formulas are bits of integers, so that the many comparisons of choices are cheap.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import or_

from asset.logic import terms as t
from asset.logic.decision_diagrams import Diagram, Table, leaves
from asset.logic.symbolic_automata import FormulaTooLarge, Moves, Symbolic, nothing
from asset.logic.terms import Term, Terms, conjuncts

Choice = int
"""What must hold in the next state, as even bits, and what is promised, as the odd bits beside them."""
Choices = frozenset[Choice]

NOTHING_TO_DO: Choice = 0

MOST_STATES, MOST_CHOICES = 20_000, 50_000
"""The largest tableau that is built, and how many choices under one letter are compared."""


class Tableau:
    """Expands terms; a term's expansion is computed once, and so is that of a set of them."""

    def __init__(self, terms: Terms, table: Table) -> None:
        self._terms = terms
        self._table = table
        self._bits: dict[Term, int] = {}
        self._numbered: list[Term] = []
        self._even = 0
        self._expansions: dict[Term, Diagram[Choices]] = {}
        self._together: dict[int, Diagram[Choices]] = {0: table.leaf(frozenset([NOTHING_TO_DO]))}
        self._possible: dict[int, bool] = {}
        self._shorter: dict[Choice, Choice] = {}
        self._either = table.combining(self._sum)
        self._both = table.combining(self._product)

    # --- sets of terms

    def obligations(self, terms: frozenset[Term]) -> int:
        """The bits of terms that must hold together."""
        return sum(self._bit(term) for term in sorted(terms))

    def _bit(self, term: Term) -> int:
        known = self._bits.get(term)
        if known is None:
            known = self._bits[term] = 1 << 2 * len(self._numbered)
            self._numbered.append(term)
            self._even |= known
        return known

    def parts(self, choice: Choice) -> tuple[int, int]:
        """What must hold in the next state, and what is promised."""
        return choice & self._even, choice >> 1 & self._even

    def _terms_of(self, obligations: int) -> Iterator[Term]:
        return (self._numbered[bit.bit_length() // 2] for bit in single_bits(obligations))

    # --- expansion

    def expansion(self, term: Term) -> Diagram[Choices]:
        known = self._expansions.get(term)
        if known is None:
            known = self._expansions[term] = self._expand(term)
        return known

    def _expand(self, term: Term) -> Diagram[Choices]:
        yes, no = self._together[0], self._table.leaf(Choices())
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
                return self._later(self.obligations(conjuncts(term.operands[0])))
            case t.AND:
                return self.together(self.obligations(frozenset(term.operands)))
            case t.OR:
                made = no
                for operand in term.operands:
                    made = self._either(made, self.expansion(operand))
                return made
            case t.UNTIL:
                left, right = term.operands
                again = self._later(self._bit(term) | self._bit(term) << 1)
                return self._either(self.expansion(right), self._both(self.expansion(left), again))
            case _:
                left, right = term.operands
                again = self._later(self._bit(term))
                return self._both(self.expansion(right), self._either(self.expansion(left), again))

    def together(self, state: int) -> Diagram[Choices]:
        """The expansion of a set of terms, from that of the set without the last one."""
        done, made = 0, self._together[0]
        for term in self._terms_of(state):
            done |= self._bit(term)
            known = self._together.get(done)
            if known is None:
                known = self._together[done] = self._both(made, self.expansion(term))
            made = known
        return made

    def _later(self, choice: Choice) -> Diagram[Choices]:
        return self._table.leaf(self._useful({choice}))

    def _sum(self, first: Choices, second: Choices) -> Choices:
        return self._useful(first | second)

    def _product(self, first: Choices, second: Choices) -> Choices:
        """Each choice of one with each of the other; if these share nothing, none asks for more than another."""
        if len(first) * len(second) > MOST_CHOICES:
            raise FormulaTooLarge
        both = {a | b for a in first for b in second}
        joined = set(map(self._shortened, both))
        if reduce(or_, first, 0) & reduce(or_, second, 0) or joined != both:
            return self._useful(joined)
        return frozenset([choice for choice in joined if self._is_possible(choice & self._even)])

    def _shortened(self, choice: Choice) -> Choice:
        """Without terms that are a conjunct on the right of a release beside them: it expands them anyway.

        No more may be left out: `G(p & X F q)` implies `F q`, but makes no promise of it now.
        """
        known = self._shorter.get(choice)
        if known is None:
            releases = [term for term in self._terms_of(choice & self._even) if term.kind == t.RELEASE]
            expanded = {below for term in releases for below in conjuncts(term.operands[1])}
            known = self._shorter[choice] = choice & ~sum(self._bits.get(below, 0) for below in expanded)
        return known

    def _useful(self, choices: Choices | set[Choice]) -> Choices:
        """Without those that contradict themselves or that ask for more than another."""
        useful: list[Choice] = []
        for choice in sorted(choices):  # a subset is a smaller number
            for less in useful:
                if less & choice == less:
                    break
            else:
                if self._is_possible(choice & self._even):
                    useful.append(choice)
        return frozenset(useful)

    def _is_possible(self, obligations: int) -> bool:
        known = self._possible.get(obligations)
        if known is None:
            terms = set(self._terms_of(obligations))
            contradicted = any(self._terms.negation(term) in terms for term in terms)
            known = self._possible[obligations] = not contradicted and self._terms.false not in terms
        return known


def tableau(terms: Terms, term: Term, table: Table, most_states: int | None = None) -> Symbolic:
    """The automaton of a term, as the tableau gives it; one with more states than this is too large."""
    if term.kind == t.FALSE:
        return nothing(table)
    expand = Tableau(terms, table)
    states = _States(expand, MOST_STATES if most_states is None else most_states)
    states.number(expand.obligations(conjuncts(term)))
    met: dict[Choice, tuple[int, int]] = {}
    promised: dict[int, int] = {}
    for choices in leaves(states.rows):
        for choice in sorted(choice for choice in choices if choice not in met):
            after, promises = expand.parts(choice)
            missed = sum(1 << promised.setdefault(promise, len(promised)) for promise in single_bits(promises))
            met[choice] = states.number(after), missed
    full = (1 << len(promised)) - 1
    move = {choice: (target, full & ~missed) for choice, (target, missed) in met.items()}

    def moves(choices: Choices) -> Moves:
        return frozenset([move[choice] for choice in choices])

    return Symbolic(table, 0, table.mapped_rows(states.rows, moves), len(promised))


class _States:
    """Numbers sets of terms; those with the same expansion are the same state."""

    def __init__(self, expand: Tableau, most: int) -> None:
        self._expand = expand
        self._most = most
        self._numbers: dict[int, int] = {}
        self._number_of_row: dict[int, int] = {}
        self.rows: list[Diagram[Choices]] = []

    def number(self, state: int) -> int:
        known = self._numbers.get(state)
        if known is None:
            row = self._expand.together(state)
            known = self._number_of_row.setdefault(id(row), len(self.rows))
            if known == len(self.rows):
                if known == self._most:
                    raise FormulaTooLarge
                self.rows.append(row)
            self._numbers[state] = known
        return known


def single_bits(bits: int) -> Iterator[int]:
    """Each bit by itself, the lowest first."""
    while bits:
        bit = bits & -bits
        yield bit
        bits ^= bit
