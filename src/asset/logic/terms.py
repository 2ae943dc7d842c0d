"""Formulas as the translation sees them: in negation normal form, simplified, and each made once.

The operators are conjunction, disjunction, next, until and release; all others are spelled out. Every rule below is
an equivalence of LTL. A release is made as the negation of an until, so that each rule also serves its dual. The
words are those of Etessami and Holzmann (*Optimizing Büchi automata*, 2000): a formula is *eventual* if it holds
whenever it holds later, *universal* if it goes on to hold. The syntactic implication is that of Somenzi and Bloem
(*Efficient Büchi automata from LTL formulae*, 2000).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import permutations

from asset.logic import formulas
from asset.logic.formulas import Formula, subformulas

TRUE, FALSE, ATOM, NEGATED, AND, OR, NEXT, UNTIL, RELEASE = range(9)


class Term:
    """One formula of a table of terms; equality is identity, and the number orders them."""

    __slots__ = ("kind", "number", "operands")

    def __init__(self, kind: int, operands: tuple[Term, ...], number: int) -> None:
        self.kind = kind
        self.operands = operands
        self.number = number

    def __hash__(self) -> int:
        return self.number

    def __lt__(self, other: Term) -> bool:
        return self.number < other.number


class Terms:
    """All terms of one translation, and what has been found out about them."""

    def __init__(self, atoms: Sequence[Hashable]) -> None:
        self._made: dict[tuple[int, tuple[Term, ...], int], Term] = {}
        self._negations: dict[Term, Term] = {}
        self._eventual: dict[Term, bool] = {}
        self._implied: dict[tuple[Term, Term], bool] = {}
        self._gathered: dict[Term, Term] = {}
        self.atom_numbers: dict[Term, int] = {}
        self.true = self._make(TRUE)
        self.false = self._make(FALSE)
        self._literals = {key: self._literal(i) for i, key in enumerate(atoms)}
        self._pair(self.true, self.false)

    def _make(self, kind: int, operands: tuple[Term, ...] = (), atom: int = -1) -> Term:
        key = (kind, operands, atom)
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = Term(kind, operands, len(self._made))
        return found

    def _pair(self, term: Term, negation: Term) -> None:
        self._negations[term] = negation
        self._negations[negation] = term

    def _literal(self, atom: int) -> Term:
        positive, negative = self._make(ATOM, (), atom), self._make(NEGATED, (), atom)
        self.atom_numbers[positive] = self.atom_numbers[negative] = atom
        self._pair(positive, negative)
        return positive

    # --- from formulas

    def of(self, formula: Formula) -> Term:
        """The term of an LTL formula."""
        made: dict[Formula, Term] = {}
        for part in subformulas(formula):
            made[part] = self._of(part, [made[below] for below in part.operands])
        return made[formula]

    def _of(self, formula: Formula, below: list[Term]) -> Term:
        match formula:
            case formulas.Constant(value):
                return self.true if value else self.false
            case formulas.Atom(key):
                return self._literals[key]
            case formulas.Not():
                return self.negation(below[0])
            case formulas.And():
                return self.conjunction(below)
            case formulas.Or():
                return self.disjunction(below)
            case formulas.Implies():
                return self.disjunction([self.negation(below[0]), below[1]])
            case formulas.Iff():
                a, b = below
                both = self.conjunction([a, b])
                return self.disjunction([both, self.conjunction([self.negation(a), self.negation(b)])])
            case formulas.Next():
                return self.next(below[0])
            case formulas.Eventually():
                return self.until(self.true, below[0])
            case formulas.Always():
                return self.release(self.false, below[0])
            case formulas.Until():
                return self.until(*below)
            case formulas.Release():
                return self.release(*below)
            case formulas.WeakUntil():
                return self.release(below[1], self.disjunction(below))
            case formulas.StrongRelease():
                return self.until(below[1], self.conjunction(below))
            case _:
                raise ValueError(f"not a formula of LTL: {formula}")

    def negation(self, term: Term) -> Term:
        """The negation, in negation normal form, of a term that is simplified: it is simplified too."""
        known = self._negations.get(term)
        if known is None:
            operands = tuple(self.negation(operand) for operand in term.operands)
            if term.kind in (AND, OR):
                operands = tuple(sorted(operands))
            known = self._make(DUAL[term.kind], operands)
            self._pair(term, known)
        return known

    # --- what holds of terms

    def eventual(self, term: Term) -> bool:
        """If it holds at some moment, it holds at all earlier ones."""
        known = self._eventual.get(term)
        if known is None:
            known = self._eventual[term] = self._is_eventual(term)
        return known

    def _is_eventual(self, term: Term) -> bool:
        match term.kind:
            case 0 | 1:
                return True
            case 4 | 5 | 6:
                return all(map(self.eventual, term.operands))
            case 7:
                left, right = term.operands
                return left is self.true or (self.eventual(left) and self.eventual(right))
            case 8:
                return (term.operands[0] is self.false or self.eventual(term.operands[0])) and self.eventual(
                    term.operands[1]
                )
            case _:
                return False

    def universal(self, term: Term) -> bool:
        """If it holds at some moment, it holds at all later ones."""
        return self.eventual(self.negation(term))

    def suspendable(self, term: Term) -> bool:
        """It holds always or never."""
        return self.eventual(term) and self.universal(term)

    def implies(self, first: Term, second: Term) -> bool:
        """A sufficient condition for the first to imply the second."""
        if first is second or first is self.false or second is self.true:
            return True
        key = (first, second)
        known = self._implied.get(key)
        if known is None:
            known = self._implied[key] = self._implies(first, second)
        return known

    def _implies(self, f: Term, g: Term) -> bool:
        implies = self.implies
        if f.kind == OR:
            return all(implies(a, g) for a in f.operands)
        if g.kind == AND:
            return all(implies(f, b) for b in g.operands)
        if f.kind == AND and any(implies(a, g) for a in f.operands):
            return True
        if g.kind == OR and any(implies(f, b) for b in g.operands):
            return True
        monotone = f.kind == g.kind and f.kind in (NEXT, UNTIL, RELEASE)
        if monotone and all(implies(a, b) for a, b in zip(f.operands, g.operands, strict=True)):
            return True
        if g.kind == UNTIL and implies(f, g.operands[1]):
            return True
        if f.kind == RELEASE and implies(f.operands[1], g):
            return True
        if f.kind == UNTIL and all(implies(a, g) for a in f.operands):
            return True
        if g.kind == RELEASE and all(implies(f, b) for b in g.operands):
            return True
        if f.kind == NEXT and self.eventual(g) and implies(f.operands[0], g):
            return True
        return g.kind == NEXT and self.universal(f) and implies(f, g.operands[0])

    # --- smart constructors

    def conjunction(self, operands: Iterable[Term]) -> Term:
        return self.negation(self.disjunction([self.negation(operand) for operand in operands]))

    def disjunction(self, operands: Iterable[Term]) -> Term:
        parts = self._flattened(operands)
        for first, second in permutations(sorted(parts), 2):
            if first in parts and second in parts and self.implies(first, second):
                parts.discard(first)
        if any(self.implies(self.negation(a), b) for a, b in permutations(parts, 2)) or self.true in parts:
            return self.true
        self._merge(parts)
        self._weaken(parts)
        return self._plain_disjunction(parts)

    def _weaken(self, parts: set[Term]) -> None:
        """Ga | a U b = a W b, and G!a | F(a & e) = !a W (a & e) if e is eventual."""
        for always in [part for part in sorted(parts) if self._is_always(part)]:
            kept = always.operands[1]
            for until in [part for part in sorted(parts) if part.kind == UNTIL]:
                left, right = until.operands
                if left is kept or (left is self.true and self._rests_on(right, self.negation(kept))):
                    parts -= {always, until}
                    parts.add(self.release(right, self.disjunction([kept, right])))
                    break

    def _rests_on(self, goal: Term, first: Term) -> bool:
        """Whether the goal is `first & e` with eventual e: if it holds later, it holds when `first` first does."""
        rest = [part for part in conjuncts(goal) if part not in conjuncts(first)]
        return conjuncts(first) <= conjuncts(goal) and all(map(self.eventual, rest))

    def _flattened(self, operands: Iterable[Term]) -> set[Term]:
        parts: set[Term] = set()
        for operand in operands:
            if operand.kind == OR:
                parts.update(operand.operands)
            elif operand is not self.false:
                parts.add(operand)
        return parts

    def _merge(self, parts: set[Term]) -> None:
        """GFa | GFb = GF(a|b), Fa | Fb = F(a|b), Xa | Xb = X(a|b)."""
        recurring = sorted(part for part in parts if self._is_recurrence(part))
        if len(recurring) > 1:
            goals = self.disjunction([part.operands[1].operands[1] for part in recurring])
            parts.difference_update(recurring)
            parts.add(self.always(self.eventually(goals)))
        eventualities = sorted(part for part in parts if self._is_eventually(part) and not self._is_persistence(part))
        if len(eventualities) > 1:
            parts.difference_update(eventualities)
            parts.add(self.eventually(self.disjunction([part.operands[1] for part in eventualities])))
        following = sorted(part for part in parts if part.kind == NEXT)
        if len(following) > 1:
            parts.difference_update(following)
            parts.add(self.next(self.disjunction([part.operands[0] for part in following])))

    def _plain_disjunction(self, parts: set[Term]) -> Term:
        if not parts:
            return self.false
        if len(parts) == 1:
            return next(iter(parts))
        return self._make(OR, tuple(sorted(parts)))

    def _is_eventually(self, term: Term) -> bool:
        return term.kind == UNTIL and term.operands[0] is self.true

    def _is_always(self, term: Term) -> bool:
        return term.kind == RELEASE and term.operands[0] is self.false

    def _is_recurrence(self, term: Term) -> bool:
        return self._is_always(term) and self._is_eventually(term.operands[1])

    def _is_persistence(self, term: Term) -> bool:
        return self._is_eventually(term) and self.universal(term.operands[1])

    def always(self, operand: Term) -> Term:
        return self.release(self.false, operand)

    def eventually(self, operand: Term) -> Term:
        return self.until(self.true, operand)

    def next(self, operand: Term) -> Term:
        if self.suspendable(operand):
            return operand
        return self._make(NEXT, (operand,))

    def release(self, left: Term, right: Term) -> Term:
        return self.negation(self.until(self.negation(left), self.negation(right)))

    def until(self, left: Term, right: Term) -> Term:
        if left is self.false or self.eventual(right) or self.implies(left, right):
            return right
        if self.implies(self.negation(left), right):
            left = self.true
        if left.kind == NEXT and right.kind == NEXT:
            return self.next(self.until(left.operands[0], right.operands[0]))
        if right.kind == UNTIL and self.implies(left, right.operands[0]):
            return right
        if left is self.true:
            return self._eventually(right)
        always = self.always(left)
        if right.kind == OR and always in right.operands:  # a U (b | Ga) = a W b
            rest = self.disjunction([part for part in right.operands if part is not always])
            return self.release(rest, self.disjunction([left, rest]))
        return self._make(UNTIL, (left, right))

    def _eventually(self, goal: Term) -> Term:
        """FXa = XFa; F(a U b) = Fb; F(a | b) = Fa | Fb if b is eventual or universal; F(a & s) = Fa & s if both."""
        if goal.kind == NEXT:
            return self.next(self.eventually(goal.operands[0]))
        if goal.kind == UNTIL:
            return self.eventually(goal.operands[1])
        if self._is_always(goal) and goal.operands[1].kind == OR:
            universal = [part for part in goal.operands[1].operands if self.universal(part)]
            if universal:  # FG(a | u) = FGa | Fu
                rest = self.disjunction([part for part in goal.operands[1].operands if part not in universal])
                return self.disjunction([*map(self.eventually, universal), self.eventually(self.always(rest))])
        if goal.kind == OR:
            apart = [part for part in goal.operands if self.eventual(part) or self.universal(part)]
            if apart:
                rest = self.disjunction([part for part in goal.operands if part not in apart])
                return self.disjunction([*map(self.eventually, apart), self.eventually(rest)])
        if goal.kind == AND:
            suspendable = [part for part in goal.operands if self.suspendable(part)]
            if suspendable:
                rest = self.conjunction([part for part in goal.operands if part not in suspendable])
                return self.conjunction([*suspendable, self.eventually(rest)])
        return self._make(UNTIL, (self.true, goal))

    def parts(self, term: Term) -> list[Term]:
        """The operands of a conjunction or disjunction: G(a & b) = Ga & Gb and F(a | b) = Fa | Fb are such, too."""
        if term.kind in (AND, OR):
            return list(term.operands)
        if self._is_always(term):
            return [self.always(part) for part in sorted(conjuncts(term.operands[1]))]
        if self._is_eventually(term):
            return [self.eventually(part) for part in sorted(conjuncts(term.operands[1], OR))]
        return []

    # --- the form that the tableau expands

    def gathered(self, term: Term) -> Term:
        """The same with s in a disjunction `a U b | s` put into the until, `a U (b | s)`, if s is suspendable.

        While a run waits, it need not have decided yet whether it relies on s: a state less.
        """
        known = self._gathered.get(term)
        if known is None:
            operands = tuple(self.gathered(operand) for operand in term.operands)
            if term.kind in (AND, OR):
                operands = tuple(sorted(set(operands)))
            known = self._make(term.kind, operands) if operands else term
            if term.kind == OR:
                known = self._with_suspendable_inside(operands)
            self._gathered[term] = known
        return known

    def _with_suspendable_inside(self, parts: tuple[Term, ...]) -> Term:
        eventualities = [part for part in parts if self._is_eventually(part)]
        until = next((part for part in parts if part.kind == UNTIL), None)
        if eventualities:  # Fa | Fb = F(a | b)
            goals = self._plain_disjunction(
                {goal for part in eventualities for goal in conjuncts(part.operands[1], OR)}
            )
            until = self._make(UNTIL, (self.true, goals))
        inside = {part for part in parts if self.suspendable(part)} - {until, *eventualities}
        if until is None:
            return self._plain_disjunction(set(parts))
        left, right = until.operands
        goal = self._plain_disjunction({*conjuncts(right, OR), *inside})
        rest = set(parts) - {*inside, *eventualities}
        rest.discard(until)
        return self._plain_disjunction({*rest, self._make(UNTIL, (left, goal))})


def conjuncts(term: Term, kind: int = AND) -> frozenset[Term]:
    """The operands of a conjunction, or of a disjunction; of another term, itself."""
    if term.kind == (TRUE if kind == AND else FALSE):
        return frozenset()
    return frozenset(term.operands) if term.kind == kind else frozenset([term])


DUAL = {TRUE: FALSE, FALSE: TRUE, AND: OR, OR: AND, NEXT: NEXT, UNTIL: RELEASE, RELEASE: UNTIL}
