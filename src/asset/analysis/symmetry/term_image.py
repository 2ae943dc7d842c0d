"""What a permutation of cells and values makes of a term."""

from __future__ import annotations

from collections.abc import Iterable

from asset.analysis.symmetry.terms import Term, Terms
from asset.analysis.values.domains import bits
from asset.analysis.values.linear import Linear, Weights
from asset.ir.groups import Permutation


class TermImage:
    """Terms renamed by a permutation; None if the renamed term has not been made, unless `making` it is asked
    for."""

    def __init__(self, terms: Terms, permutation: Permutation, making: bool = False) -> None:
        self.terms = terms
        self._term = terms.term if making else terms.find
        self.permutation = permutation
        self._known: dict[Term, Term | None] = {}
        self.moved = sum(1 << c for c, to in enumerate(permutation.cells) if c != to or c in permutation.values)
        domains = terms.cells.domains
        self._places = {
            cell: tuple(terms.cells.index(cell, permutation.value(cell, v)) or 0 for v in domains[cell] or ())
            for cell in permutation.values
        }

    def of(self, term: Term) -> Term | None:
        if not self.terms.support(term) & self.moved:
            return term
        if term not in self._known:
            key = self._renamed(self.terms.keys[term])
            self._known[term] = None if key is None else self._term(key)
        return self._known[term]

    def mask(self, cell: int, mask: int) -> int:
        places = self._places.get(cell)
        return mask if places is None else sum(1 << places[k] for k in bits(mask))

    def _weights(self, cell: int, weights: Weights) -> Weights:
        places = self._places.get(cell)
        if places is None:
            return weights
        moved = [0] * len(weights)
        for k, w in enumerate(weights):
            moved[places[k]] = w
        return tuple(moved)

    def _renamed(self, key: tuple[object, ...]) -> tuple[object, ...] | None:
        match key:
            case ("in", int(cell), int(mask)):
                return "in", self.permutation.cells[cell], self.mask(cell, mask)
            case ("sum", Linear(constant, terms), tuple(atoms)):
                functions = sorted((self.permutation.cells[c], self._weights(c, w)) for c, w in terms)
                kept = [(self.of(atom), factor) for atom, factor in atoms]
                if any(atom is None for atom, _ in kept):
                    return None
                return "sum", Linear(constant, tuple(functions)), tuple(sorted(kept))
            case ("op", name, ordered, tuple(operands)):
                images = self._all(operands)
                return images and ("op", name, ordered, images if ordered else tuple(sorted(images)))
            case ("cases", tuple(pairs)):
                conditions, numbers = self._all(c for c, _ in pairs), self._all(x for _, x in pairs)
                return conditions and numbers and ("cases", tuple(sorted(zip(conditions, numbers, strict=True))))
            case ("wide", int(cell)):
                return "wide", self.permutation.cells[cell]
            case ("positive", int(number)):
                image = self.of(number)
                return None if image is None else ("positive", image)
            case ("and" | "or" | "zero" | "nonzero" as kind, tuple(parts)):
                found = self._all(parts)
                return found and (kind, tuple(sorted(found)))
        return key

    def _all(self, terms: Iterable[Term]) -> tuple[Term, ...] | None:
        images = [self.of(term) for term in terms]
        return tuple(images) if None not in images else None  # type: ignore[arg-type]
