"""Functions of the state in a normal form that renaming cells and values keeps: what symmetries are looked for in.

Each term is a number that stands for its key, so equal terms are the same number. A *condition* is true or false of a
state, a *sum* is an integer. Operands whose order does not matter are kept as sets. So if p renames cells and values,
the key of the renamed term is the renamed key: `TermImage` applies p, and equal results are equal functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from asset.analysis.symmetry.used_cells import UsedCells
from asset.analysis.values import interval as i
from asset.analysis.values.domains import bits
from asset.analysis.values.interval import Interval
from asset.analysis.values.linear import Linear, Weights, function_of

Term = int
AtomTerms = tuple[tuple[Term, int], ...]

MOST_TERMS = 300_000
MOST_CASES = 256

MOST_WORK = 3_000_000
"""Of joining conditions, for a program as a whole, in conditions looked at: some seconds."""

WORK_FOR_ONE = 150_000
"""For one command or property."""


class Beyond(Exception):
    """What is asked for would be too large."""


class Terms:
    """Keys of conditions:

        ("true",) ("false",)
        ("in", cell, mask)          the cell has one of these values
        ("and", conditions) ("or", conditions)
        ("positive", sum) ("zero", sums) ("nonzero", sums)      a sum and its negation are 0 together

    and of numbers: ("sum", linear, atoms) adds a function of each of some cells to multiples of atoms. An atom
    is a condition, counted as 1 if it holds, or one of

        ("cases", pairs)            the number whose condition holds: exactly one does
        ("op", name, ordered, sums) what an operator makes of its operands
        ("wide", cell)              the value of a cell with too many values to look at one by one
    """

    def __init__(self, cells: UsedCells, patience: int = 1) -> None:
        """`patience` is how many times more than usual may be made of terms."""
        self._patience = patience
        self.cells = cells
        self.presence = cells.presence
        self.keys: list[tuple[object, ...]] = []
        self._numbers: dict[tuple[object, ...], Term] = {}
        self._negations: dict[Term, Term] = {}
        self._supports: list[int] = []
        self._op_intervals: dict[Term, Interval] = {}
        self._case_intervals: dict[Term, Interval] = {}  # terms share parts: each is looked at once
        self._work = 0
        self._most_work = WORK_FOR_ONE * patience
        self.true = self.term(("true",))
        self.false = self.term(("false",))
        self._negations.update({self.true: self.false, self.false: self.true})

    def term(self, key: tuple[object, ...]) -> Term:
        known = self._numbers.get(key)
        if known is None:
            if len(self.keys) >= MOST_TERMS * self._patience:
                raise Beyond
            known = self._numbers[key] = len(self.keys)
            self.keys.append(key)
            self._supports.append(self._support(key))
        return known

    def begin(self) -> None:
        """From here on another command or property is worked out."""
        self._most_work = min(MOST_WORK * self._patience, self._work + WORK_FOR_ONE * self._patience)

    def find(self, key: tuple[object, ...]) -> Term | None:
        """The term with this key, if it was made before."""
        return self._numbers.get(key)

    def support(self, term: Term) -> int:
        """The cells that the term speaks of, as a set of bits."""
        return self._supports[term]

    def _support(self, key: tuple[object, ...]) -> int:
        found = 0
        match key:
            case ("in" | "wide", int(cell), *_):
                return 1 << cell
            case ("sum", Linear(terms=terms), _):
                for cell, _ in terms:
                    found |= 1 << cell
        for part in parts_of(key):
            found |= self._supports[part]
        return found

    def kind(self, term: Term) -> str:
        return str(self.keys[term][0])

    # --- conditions ---------------------------------------------------------------------------------------------

    def within(self, cell: int, mask: int) -> Term:
        """The cell has one of the values."""
        if not mask:
            return self.false
        known = self.presence.get(cell)
        if known is not None and mask in (known.absent, self.cells.full[cell] & ~known.absent):
            there = known.mask if mask != known.absent else self.cells.full[known.by] & ~known.mask
            return self.within(known.by, there)
        return self.true if mask == self.cells.full[cell] else self.term(("in", cell, mask))

    def both(self, *conditions: Term) -> Term:
        """All of them."""
        return self._joined("and", conditions, self.true, self.false)

    def either(self, *conditions: Term) -> Term:
        """At least one of them."""
        return self._joined("or", conditions, self.false, self.true)

    def _joined(self, kind: str, parts: Iterable[Term], neutral: Term, decisive: Term) -> Term:
        masks: dict[int, int] = {}
        found: set[Term] = set()
        pending = list(parts)
        while pending:
            part = pending.pop()
            self._work += 1
            if part == decisive:
                return decisive
            match self.keys[part]:
                case ("in", int(cell), int(mask)):
                    known = masks.get(cell, mask)
                    masks[cell] = known & mask if kind == "and" else known | mask
                case (str(k), tuple(inner)) if k == kind:
                    pending += inner
                case _ if part != neutral:
                    found.add(part)
        if self._work > self._most_work:
            raise Beyond
        if self.presence:
            self._tell_presence(masks, kind)
        found.update(self.within(cell, mask) for cell, mask in masks.items())
        if decisive in found or any(self._negations.get(part) in found for part in found):
            return decisive
        if len(found) == 1:
            return found.pop()
        return self.term((kind, tuple(sorted(found)))) if found else neutral

    def _tell_presence(self, masks: dict[int, int], kind: str) -> None:
        """Of cells that all have (with "or", that do not all have) values other than in the masks: what the mask of one
        says of another, as a cell is absent exactly if what controls it says so."""
        full = self.cells.full
        told = sorted(cell for cell in masks if cell in self.presence and self.presence[cell].by in masks)
        for cell in told:
            known = self.presence[cell]
            both = (masks[cell], masks[known.by])
            own, by = both if kind == "and" else (full[cell] & ~both[0], full[known.by] & ~both[1])
            if not by & known.mask:
                own &= known.absent
            elif not by & ~known.mask:
                own &= ~known.absent
            if not own & known.absent:
                by &= known.mask
            elif own == known.absent:
                by &= ~known.mask
            masks[cell], masks[known.by] = (own, by) if kind == "and" else (full[cell] & ~own, full[known.by] & ~by)
            if own in (known.absent, full[cell] & ~known.absent):
                del masks[cell]  # what controls it says so

    def told_by(self, condition: Term) -> dict[int, int]:
        """Masks of values that cells have if the condition holds, as far as it says so by itself."""
        masks: dict[int, int] = {}
        for part in parts_of(self.keys[condition]) if self.kind(condition) == "and" else (condition,):
            match self.keys[part]:
                case ("in", int(cell), int(mask)):
                    masks[cell] = mask
        for cell, known in self.presence.items():
            by = masks.get(known.by, self.cells.full[known.by])
            if not by & ~known.mask:
                masks[cell] = masks.get(cell, self.cells.full[cell]) & ~known.absent
            elif not by & known.mask:
                masks[cell] = known.absent
        return masks

    def given(self, condition: Term, masks: Mapping[int, int], known: dict[Term, Term]) -> Term:
        """A condition that is the same wherever cells have values of the masks; `known` are those found before."""
        if condition not in known:
            known[condition] = self._given(condition, masks, known)
        return known[condition]

    def _given(self, condition: Term, masks: Mapping[int, int], known: dict[Term, Term]) -> Term:
        match self.keys[condition]:
            case ("in", int(cell), int(mask)) if cell in masks:
                return self.true if not masks[cell] & ~mask else self.within(cell, mask & masks[cell])
            case ("and", tuple(parts)):
                return self.both(*(self.given(part, masks, known) for part in parts))
            case ("or", tuple(parts)):
                return self.either(*(self.given(part, masks, known) for part in parts))
        return condition

    def negation(self, condition: Term) -> Term:
        known = self._negations.get(condition)
        if known is None:
            known = self._negated(condition)
            self._negations[condition] = known
            self._negations.setdefault(known, condition)
        return known

    def _negated(self, condition: Term) -> Term:
        match self.keys[condition]:
            case ("in", int(cell), int(mask)):
                return self.within(cell, self.cells.full[cell] & ~mask)
            case ("and", tuple(parts)):
                return self.either(*map(self.negation, parts))
            case ("or", tuple(parts)):
                return self.both(*map(self.negation, parts))
            case ("positive", int(total)):
                return self.positive(self.plus(self.constant(1), self.times(total, -1)))
            case ("zero", sums):
                return self.term(("nonzero", sums))
            case ("nonzero", sums):
                return self.term(("zero", sums))
        raise AssertionError(self.keys[condition])

    # --- numbers ------------------------------------------------------------------------------------------------

    def constant(self, value: int) -> Term:
        return self.term(("sum", Linear(value), ()))

    def value_of(self, cell: int) -> Term:
        """The cell's value."""
        domain = self.cells.domains[cell]
        if domain is None:
            return self.atom(self.term(("wide", cell)))
        return self.function_of(cell, self.cells.results(cell))

    def name_in(self, cell: int) -> Term:
        """The value of a cell that is in use here: if it were absent, it would be none of its values."""
        return self.function_of(cell, self.cells.domains[cell] or ())

    def function_of(self, cell: int, weights: Weights) -> Term:
        return self.sum(function_of(cell, weights), {})

    def atom(self, atom: Term) -> Term:
        """An atom as a number; a condition is 1 if it holds."""
        if atom in (self.true, self.false):
            return self.constant(int(atom == self.true))
        match self.keys[atom]:
            case ("in", int(cell), int(mask)):
                domain = self.cells.domains[cell]
                return self.function_of(cell, tuple(mask >> k & 1 for k in range(len(domain or ()))))
        return self.sum(Linear(0), {atom: 1})

    def parts(self, number: Term) -> tuple[Linear, AtomTerms]:
        _, linear, atoms = self.keys[number]
        return linear, atoms  # type: ignore[return-value]

    def sum(self, linear: Linear, atoms: Mapping[Term, int]) -> Term:
        """The sum in normal form: also, multiples of conditions are positive."""
        constant, kept = self._positive_multiples(linear.constant, atoms)
        return self.term(("sum", Linear(constant, linear.terms).normal(), tuple(sorted(kept.items()))))

    def _positive_multiples(self, constant: int, atoms: Mapping[Term, int]) -> tuple[int, dict[Term, int]]:
        """A condition that is taken away is its negation added: -[a] = [not a] - 1."""
        kept: dict[Term, int] = {}
        for atom, factor in atoms.items():
            if factor < 0 and self.is_condition(atom):
                constant, atom, factor = constant + factor, self.negation(atom), -factor
            if factor:
                kept[atom] = kept.get(atom, 0) + factor
        return constant, kept

    def is_condition(self, atom: Term) -> bool:
        return self.kind(atom) not in ("sum", "cases", "op", "wide")

    def plus(self, a: Term, b: Term) -> Term:
        """Multiples of an atom, and of a condition and its negation, are added up before the normal form is made."""
        (linear, atoms), (more, others) = self.parts(a), self.parts(b)
        if more == Linear(0) and not others:
            return a
        constant, total = 0, dict[Term, int]()
        for atom, factor in (*atoms, *others):
            if self.is_condition(atom) and (opposite := self.negation(atom)) in total:
                constant += factor
                total[opposite] -= factor
            else:
                total[atom] = total.get(atom, 0) + factor
        return self.sum(linear.plus(more).plus(Linear(constant)), total)

    def masked(self, number: Term, mask: int | None) -> Term | None:
        """What a mask of the last bits leaves, if that is the number itself."""
        fits = mask is not None and not mask & (mask + 1) and self.interval(number).within(0, mask)
        return number if fits else None

    def times(self, number: Term, factor: int) -> Term:
        linear, atoms = self.parts(number)
        return self.sum(linear.times(factor), {atom: factor * k for atom, k in atoms})

    def minus(self, a: Term, b: Term) -> Term:
        return self.plus(a, self.times(b, -1))

    def known(self, number: Term) -> int | None:
        """The number if it is the same in all states."""
        linear, atoms = self.parts(number)
        return None if linear.terms or atoms else linear.constant

    def only_cell(self, number: Term) -> int | None:
        """The cell that the number is a function of, if it is one of a single cell."""
        linear, atoms = self.parts(number)
        return None if atoms else linear.only

    def results(self, number: Term) -> list[int]:
        """Of a function of one cell: its results, by the places of the cell's values."""
        return self.parts(number)[0].results

    def only_atom(self, number: Term) -> tuple[Term, int, int] | None:
        """An atom, its factor and the constant, if there is nothing else in the sum."""
        linear, atoms = self.parts(number)
        return (*atoms[0], linear.constant) if len(atoms) == 1 and not linear.terms else None

    def cases_of(self, number: Term) -> list[tuple[Term, Term]]:
        """Conditions and numbers: the distinction of cases that the number is, else the number itself."""
        only = self.only_atom(number)
        if only is None or self.kind(only[0]) != "cases":
            return [(self.true, number)]
        atom, factor, constant = only
        pairs: tuple[tuple[Term, Term], ...] = self.keys[atom][1]  # type: ignore[assignment]
        if (factor, constant) == (1, 0):
            return list(pairs)
        return [(c, self.plus(self.constant(constant), self.times(x, factor))) for c, x in pairs]

    def op(self, name: str, operands: Iterable[Term], ordered: bool) -> Term:
        listed = tuple(operands) if ordered else tuple(sorted(operands))
        return self.atom(self.term(("op", name, ordered, listed)))

    # --- between numbers and conditions -------------------------------------------------------------------------

    def truth(self, number: Term) -> Term:
        """The number is not 0."""
        return self.negation(self.zero(number))

    def as_condition(self, number: Term) -> Term | None:
        """The condition that the number is 1 for, if it is 0 or 1."""
        cell = self.only_cell(number)
        known, only = self.known(number), self.only_atom(number)
        if known in (0, 1):
            return self.true if known else self.false
        if cell is not None and set(self.results(number)) <= {0, 1}:
            return self.within(cell, self._mask(number, lambda x: x == 1))
        if only is not None and only[1:] == (1, 0) and self.is_condition(only[0]):
            return only[0]
        return None

    def zero(self, number: Term) -> Term:
        """The number is 0."""
        if 0 not in self.interval(number):
            return self.false
        decided = self._decided(number, lambda x: x == 0, self.zero)
        if decided is not None:
            return decided
        linear, atoms = self.parts(number)
        if len(linear.terms) == 2 and not atoms:
            return self._equal_cells(number)
        return self.term(("zero", tuple(sorted((number, self.times(number, -1))))))

    def positive(self, number: Term) -> Term:
        """The number is greater than 0."""
        lo, hi = self.interval(number)
        if lo > 0 or hi <= 0:
            return self.true if lo > 0 else self.false
        decided = self._decided(number, lambda x: x > 0, self.positive)
        return self.term(("positive", number)) if decided is None else decided

    def _decided(self, number: Term, holds: Callable[[int], bool], relation: Callable[[Term], Term]) -> Term | None:
        """The relation of the number and 0 as a simpler condition, if it is one."""
        known, cell, only = self.known(number), self.only_cell(number), self.only_atom(number)
        if known is not None:
            return self.true if holds(known) else self.false
        if cell is not None:
            return self.within(cell, self._mask(number, holds))
        if only is not None and self.is_condition(only[0]):
            atom, factor, constant = only
            yes, no = holds(constant + factor), holds(constant)
            return (self.true if yes else self.false) if yes == no else atom if yes else self.negation(atom)
        return self._by_cases(number, relation)

    def _by_cases(self, number: Term, relation: Callable[[Term], Term]) -> Term | None:
        """For a sum with one distinction of cases, the relation in each of them."""
        linear, atoms = self.parts(number)
        distinctions = [(atom, factor) for atom, factor in atoms if self.kind(atom) == "cases"]
        if len(distinctions) != 1:
            return None
        atom, factor = distinctions[0]
        rest = self.sum(linear, {a: k for a, k in atoms if a != atom})
        pairs: tuple[tuple[Term, Term], ...] = self.keys[atom][1]  # type: ignore[assignment]
        found = (self.both(c, relation(self.plus(rest, self.times(x, factor)))) for c, x in pairs)
        return self.either(*found)

    def _mask(self, number: Term, holds: Callable[[int], bool]) -> int:
        return sum(1 << k for k, x in enumerate(self.results(number)) if holds(x))

    def _equal_cells(self, number: Term) -> Term:
        """Two functions of one cell each add up to 0, value by value: so the values can be renamed."""
        (constant, ((a, one), (b, other))), _ = self.parts(number)
        found = []
        for x in sorted(set(one)):
            left = sum(1 << k for k, w in enumerate(one) if w == x)
            right = sum(1 << k for k, w in enumerate(other) if w == -constant - x)
            found.append(self.both(self.within(a, left), self.within(b, right)))
        return self.either(*found)

    # --- cases --------------------------------------------------------------------------------------------------

    def choose(self, condition: Term, then: Term, orelse: Term) -> Term:
        """The one number if the condition holds, else the other."""
        if condition == self.true or then == orelse:
            return then
        if condition == self.false:
            return orelse
        difference = self.known(self.minus(then, orelse))
        if difference is not None:
            return self.plus(orelse, self.times(self.atom(condition), difference))
        return self.cases([(condition, then), (self.negation(condition), orelse)])

    def cases(self, pairs: Iterable[tuple[Term, Term]]) -> Term:
        """The number whose condition holds. Exactly one does, unless a model error occurs."""
        found: dict[Term, Term] = {}
        for condition, number in pairs:
            for inner, leaf in self.cases_of(number):
                known = self.either(found.get(leaf, self.false), self.both(condition, inner))
                if known != self.false:
                    found[leaf] = known
        if not 0 < len(found) <= MOST_CASES:
            raise Beyond
        if len(found) == 1:
            return next(iter(found))
        return self._tabulated(found) or self._conditional(found) or self._atom_of(found)

    def _atom_of(self, found: Mapping[Term, Term]) -> Term:
        pairs = tuple(sorted((condition, number) for number, condition in found.items()))
        return self.sum(Linear(0), {self.term(("cases", pairs)): 1})

    def _conditional(self, found: Mapping[Term, Term]) -> Term | None:
        """One condition, if all numbers are 0 or 1."""
        holding = []
        for number, condition in found.items():
            inner = self.as_condition(number)
            if inner is None:
                return None
            holding.append(self.both(condition, inner))
        return self.atom(self.either(*holding))

    def _tabulated(self, found: Mapping[Term, Term]) -> Term | None:
        """A function of one cell, if the conditions and numbers are of that cell only."""
        keys = [self.keys[condition] for condition in found.values()]
        cells = {key[1] for key in keys if key[0] == "in"}
        if len(cells) != 1 or any(key[0] != "in" for key in keys):
            return None
        (cell,) = cells
        assert isinstance(cell, int)
        weights = [0] * len(self.cells.domains[cell] or ())
        for number, condition in found.items():
            known = self.known(number)
            if known is None and self.only_cell(number) != cell:
                return None
            results = [known] * len(weights) if known is not None else self.results(number)
            for k in bits(self.keys[condition][2]):  # type: ignore[arg-type]
                weights[k] = results[k]
        return self.function_of(cell, tuple(weights))

    # --- bounds -------------------------------------------------------------------------------------------------

    def interval(self, number: Term) -> Interval:
        """Bounds of the number."""
        (lo, terms), atoms = self.parts(number)
        hi = lo
        for _, weights in terms:
            hi += max(weights)
        for atom, factor in atoms:
            bounds = self._atom_interval(atom)
            lo, hi = lo + min(factor * x for x in bounds), hi + max(factor * x for x in bounds)
        return Interval(lo, hi)

    def _atom_interval(self, atom: Term) -> Interval:
        match self.keys[atom]:
            case ("cases", tuple(pairs)):
                if atom not in self._case_intervals:
                    bounds = [self.interval(number) for _, number in pairs]
                    self._case_intervals[atom] = i.spanning(x for each in bounds for x in each)
                return self._case_intervals[atom]
            case ("wide", int(cell)):
                kind = self.cells.variables[cell].type
                return Interval(kind.lo, kind.hi)
            case ("op", *_):
                return self._op_intervals.get(atom, i.TOP)
        return i.BOOLEAN

    def bound(self, number: Term, bounds: Interval) -> Term:
        """The same number, an operator's result, of which these bounds are known."""
        only = self.only_atom(number)
        if only is not None and self.kind(only[0]) == "op":
            self._op_intervals[only[0]] = bounds.clipped()
        return number


def parts_of(key: tuple[object, ...]) -> tuple[Term, ...]:
    """The terms that a term with this key is made of."""
    match key:
        case ("sum", _, tuple(atoms)):
            return tuple(atom for atom, _ in atoms)
        case ("op", _, _, tuple(operands)):
            return operands
        case ("cases", tuple(pairs)):
            return tuple(part for pair in pairs for part in pair)
        case ("positive", int(number)):
            return (number,)
        case ("and" | "or" | "zero" | "nonzero", tuple(parts)):
            return parts
    return ()
