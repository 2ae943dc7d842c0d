"""Terms where some cells have known values: the same functions there, and they do not speak of these cells."""

from __future__ import annotations

from collections.abc import Mapping

from asset.analysis.symmetry.terms import Term, Terms
from asset.analysis.values.linear import Linear


class TermsWhere:
    """`places` are the places of the cells' values in their domains."""

    def __init__(self, terms: Terms, places: Mapping[int, int]) -> None:
        self.terms = terms
        self.places = places
        self._cells = sum(1 << cell for cell in places)
        self._known: dict[Term, Term] = {}

    def of(self, term: Term) -> Term:
        if not self.terms.support(term) & self._cells:
            return term
        if term not in self._known:
            self._known[term] = self._made(term)
        return self._known[term]

    def _made(self, term: Term) -> Term:
        t = self.terms
        match t.keys[term]:
            case ("in", int(cell), int(mask)):
                return t.true if mask >> self.places[cell] & 1 else t.false
            case ("and", tuple(parts)):
                return t.both(*map(self.of, parts))
            case ("or", tuple(parts)):
                return t.either(*map(self.of, parts))
            case ("positive", int(number)):
                return t.positive(self.of(number))
            case ("zero", (int(number), *_)):
                return t.zero(self.of(number))
            case ("nonzero", (int(number), *_)):
                return t.truth(self.of(number))
            case ("sum", Linear() as linear, tuple(atoms)):
                return self._sum(linear, atoms)
            case ("op", str(name), bool(ordered), tuple(operands)):
                return t.bound(t.op(name, map(self.of, operands), ordered), t.interval(t.atom(term)))
            case ("cases", tuple(pairs)):
                return t.cases((self.of(condition), self.of(number)) for condition, number in pairs)
        raise AssertionError(t.keys[term])

    def _sum(self, linear: Linear, atoms: tuple[tuple[Term, int], ...]) -> Term:
        """Atoms that are conditions stay atoms; the others are numbers by now."""
        t, constant = self.terms, linear.constant
        for cell, weights in linear.terms:
            constant += weights[self.places[cell]] if cell in self.places else 0
        total = t.sum(Linear(constant, tuple((c, w) for c, w in linear.terms if c not in self.places)), {})
        for atom, factor in atoms:
            total = t.plus(total, t.times(self._number(atom), factor))
        return total

    def _number(self, atom: Term) -> Term:
        made = self.of(atom)
        return made if self.terms.kind(made) == "sum" else self.terms.atom(made)
