"""Conditions as all their prime implicants: the same for equal functions, in whatever order they were worked out.

A loop that looks at one message after the other, and keeps the best so far, makes conditions that are nested in the
order of the messages, though what comes out does not depend on it. The set of prime implicants (Blake's canonical form)
has no order, and renaming cells and values renames it. It is found by iterated consensus; if that takes too much work
the condition stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable

from asset.analysis.symmetry.terms import Term, Terms

MOST_CUBES = 128
WORK_FOR_ONE = 40_000
"""Cubes that are compared with others, for one condition."""

MOST_WORK = 3_000_000
"""For a program as a whole: some seconds."""

Cube = frozenset[tuple[int, int]]
"""Cells, and the masks that their values are in. A condition that is none of the cells' has a number below 0 instead of
a cell: mask 1 if it holds, 2 if not."""


class PrimeImplicants:
    """Conditions in canonical form, each found once."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self._known: dict[Term, Term] = {}
        self._work = MOST_WORK

    def number(self, number: Term) -> Term:
        """The same number; if it has few values, each with its condition in canonical form."""
        values = self._by_value(number)
        if values is None or len(values) < 2:
            return number
        return self.terms.cases((self.condition(c), self.terms.constant(v)) for v, c in values.items())

    def _by_value(self, number: Term) -> dict[int, Term] | None:
        """The values of the number, each with its condition; None if it is not a distinction of cases."""
        t, found = self.terms, dict[int, Term]()
        for condition, leaf in t.cases_of(number):
            known, only, cell = t.known(leaf), t.only_atom(leaf), t.only_cell(leaf)
            if known is not None:
                outcomes = [(t.true, known)]
            elif cell is not None:
                results = t.results(leaf)
                masks = {v: sum(1 << k for k, x in enumerate(results) if x == v) for v in dict.fromkeys(results)}
                outcomes = [(t.within(cell, mask), v) for v, mask in masks.items()]
            elif only is not None and t.is_condition(only[0]):
                atom, factor, constant = only
                outcomes = [(atom, constant + factor), (t.negation(atom), constant)]
            else:
                return None
            for inner, value in outcomes:
                found[value] = t.either(found.get(value, t.false), t.both(condition, inner))
        return found

    def condition(self, condition: Term) -> Term:
        if condition not in self._known:
            self._known[condition] = self._canonical(condition)
        return self._known[condition]

    def _canonical(self, condition: Term) -> Term:
        cubes = _Cubes(self.terms, min(WORK_FOR_ONE, self._work))
        try:
            prime = cubes.prime(cubes.of(condition))
        except _TooMuch:
            return condition
        finally:
            self._work -= cubes.spent
        return self.terms.either(*(self._term(cube) for cube in prime))

    def _term(self, cube: Cube) -> Term:
        t = self.terms
        return t.both(
            *(
                t.within(cell, mask) if cell >= 0 else -1 - cell if mask == 1 else t.negation(-1 - cell)
                for cell, mask in cube
            )
        )


class _TooMuch(Exception):
    pass


def _both(one: Cube, other: Cube) -> Cube | None:
    """The cube of what is in both; None if nothing is."""
    masks = dict(one)
    for cell, mask in other:
        masks[cell] = masks.get(cell, mask) & mask
        if not masks[cell]:
            return None
    return frozenset(masks.items())


class _Cubes:
    """Cubes of one condition, as long as they are few and take little work."""

    def __init__(self, terms: Terms, most: int) -> None:
        self.terms = terms
        self._full = terms.cells.full
        self._most = most
        self.spent = 0

    def _spend(self, work: int, cubes: int) -> None:
        self.spent += work
        if self.spent > self._most or cubes > MOST_CUBES:
            raise _TooMuch

    def of(self, condition: Term) -> list[Cube]:
        """Cubes, one of which holds exactly if the condition does."""
        match self.terms.keys[condition]:
            case ("true",):
                return [frozenset()]
            case ("false",):
                return []
            case ("in", int(cell), int(mask)):
                return [frozenset({(cell, mask)})]
            case ("or", tuple(parts)):
                return self._few(cube for part in parts for cube in self.of(part))
            case ("and", tuple(parts)):
                found: list[Cube] = [frozenset()]
                for part in parts:
                    others = self.of(part)
                    joined = (_both(one, other) for one in found for other in others)
                    found = self._few(cube for cube in joined if cube is not None)
                return found
        opposite = self.terms.negation(condition)
        return [frozenset({(-1 - min(condition, opposite), 1 if condition < opposite else 2)})]

    def _few(self, cubes: Iterable[Cube]) -> list[Cube]:
        """Those that imply none of the others."""
        found: list[Cube] = []
        for cube in cubes:
            self._spend(len(found) + 1, len(found))
            if not any(_within(cube, other) for other in found):
                found = [other for other in found if not _within(other, cube)]
                found.append(cube)
        return found

    def prime(self, cubes: list[Cube]) -> list[Cube]:
        """All prime implicants of what one of the cubes holds of."""
        prime: list[Cube] = []
        pending = list(cubes)
        while pending:
            cube = pending.pop()
            self._spend(len(prime) + 1, len(prime))
            if any(_within(cube, other) for other in prime):
                continue
            prime = [other for other in prime if not _within(other, cube)]
            for other in prime:
                pending += self._between(cube, other)
            prime.append(cube)
        return prime

    def _between(self, one: Cube, other: Cube) -> list[Cube]:
        """What follows from both by joining them at one cell: at most one of them is empty elsewhere."""
        a, b = dict(one), dict(other)
        shared = a.keys() & b.keys()
        apart = [cell for cell in shared if not a[cell] & b[cell]]
        if len(apart) > 1:
            return []
        found = []
        for at in apart or shared:
            masks = {cell: a.get(cell, -1) & b.get(cell, -1) for cell in a.keys() | b.keys()}
            masks[at] = a[at] | b[at]
            full = 3 if at < 0 else self._full[at]
            if masks[at] == full:
                del masks[at]
            if masks.get(at) not in (a[at], b[at]) or at not in masks:
                found.append(frozenset(masks.items()))
        return found


def _within(one: Cube, other: Cube) -> bool:
    """Whether the one implies the other."""
    masks = dict(one)
    return all(cell in masks and not masks[cell] & ~mask for cell, mask in other)
