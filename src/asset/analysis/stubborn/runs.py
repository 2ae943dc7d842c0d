"""A run of a piece of code on symbolic values: one way through it, and what must be true of the state to go that way.

Code is run again and again from its beginning. If a run depends on the state, it *chooses*: the first time the first
way, while the others are noted, each to be taken by a run of its own that makes the same choices up to there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from asset.analysis.stubborn import symbolic_values as v
from asset.analysis.stubborn.symbolic_values import Relation, Truth, UnknownValue, Value
from asset.analysis.values.domains import CellDomains, bits
from asset.analysis.values.interval import TOP, Interval
from asset.analysis.values.linear import Linear, Weights, classes, function_of, tabulated
from asset.analysis.watch import OutOfTime, Watch
from asset.ir.faults import Fault, FaultKind
from asset.span import NOWHERE, Span

MOST_GUESSED = 32
"""Numbers that a value of which too little is known may be, if it is used as one."""


class Opaque(Exception):
    """The run cannot be followed any further."""

    def __init__(self, why: str, span: Span) -> None:
        super().__init__(why)
        self.why = why
        self.span = span


@dataclass(frozen=True, slots=True)
class UnfoldingEffort:
    """How far code is followed.

    So many `ways` through a piece of code are told apart, with so many `steps` in all of them together. A condition on
    several cells is split by their values into so many `cases` at most; else it is kept as it is.
    """

    ways: int = 128
    steps: int = 20_000
    cases: int = 32


class Choices:
    """The runs to be made, each given by its choices, and the steps that are left for them."""

    def __init__(self, effort: UnfoldingEffort, steps: int, watch: Watch) -> None:
        self.effort = effort
        self.steps = steps
        self.watch = watch
        self.pending: list[list[int]] = [[]]
        self.made = 0

    def fork(self, chosen: list[int], options: int) -> bool:
        """Notes all options but the first; False if there would be too many runs."""
        if self.made + len(self.pending) + options > self.effort.ways:
            return False
        self.pending += ([*chosen, k] for k in reversed(range(1, options)))
        return True


class SymbolicRun:
    """One way: `guard` and `atoms` are what was found out of the state before, `store` is what was assigned.

    `hidden` are cells that more was asked of than is noted there; `may_fault` says that a model error on the way could
    not be excluded: it depends on hidden cells.
    """

    def __init__(self, cells: CellDomains, choices: Choices, chosen: list[int]) -> None:
        self.cells = cells
        self.choices = choices
        self.cases = choices.effort.cases
        self.chosen = chosen
        self.position = 0
        self.guard: dict[int, int] = {}
        self.atoms: list[Truth] = []
        self.hidden: set[int] = set()
        self.may_fault = False
        self.store: dict[int, Value] = {}
        self.pinned: dict[object, int] = {}
        """The results of terms, and of sums of cells, which the run has chosen to be so."""
        self.here: Span = NOWHERE
        self.read_at: dict[int, Span] = {}
        self.written_at: dict[int, Span] = {}

    def step(self, span: Span) -> None:
        self.here = span
        self.choices.steps -= 1
        if self.choices.steps < 0:
            raise Opaque("it takes too many steps to follow", span)
        try:
            self.choices.watch.tick()
        except OutOfTime:
            self.choices.steps = -1
            raise Opaque("there was no time left to follow it", span) from None

    # --- choosing -----------------------------------------------------------------------------------------------

    def choose(self, options: int) -> int:
        if self.position == len(self.chosen):
            if not self.choices.fork(self.chosen, options):
                raise Opaque("there are too many ways through it", self.here)
            self.chosen.append(0)
        self.position += 1
        return self.chosen[self.position - 1]

    def mask(self, cell: int) -> int:
        return self.guard.get(cell, self.cells.full[cell])

    def split(self, cell: int, options: Sequence[int]) -> int:
        """The number of the option, a set of values, that the cell is in. They are disjoint and cover its values."""
        mask = self.mask(cell)
        feasible = [k for k, option in enumerate(options) if option & mask]
        option = feasible[0] if len(feasible) == 1 else feasible[self.choose(len(feasible))]
        if options[option] & mask != mask:
            self.guard[cell] = options[option] & mask
        self._looked_at(cell)
        return option

    def _looked_at(self, cell: int) -> None:
        self.read_at.setdefault(cell, self.here)

    def true(self, value: Value) -> bool:
        """Whether the value is not 0; the run goes both ways if it can be either."""
        value = self.simplified(value)
        match value:
            case int():
                return value != 0
            case Truth():
                return self._decide(value)
            case Linear():
                return self._decide(Truth(value, Relation.NONZERO))
            case UnknownValue():
                self.ask(value.cells)
                return self.choose(2) == 0

    def ask(self, cells: frozenset[int]) -> None:
        """What happens next depends on these cells in a way that is not known."""
        self.hidden |= cells
        for cell in cells:
            self._looked_at(cell)

    def _decide(self, atom: Truth) -> bool:
        if self._cases(atom) > self.cases:
            holds = self.choose(2) == 0
            self._decided(atom if holds else atom.negated())
            return holds
        known = v.decided(atom, self.mask)
        for cell, weights in atom.sum.terms:
            if known is None:
                self._split_by(cell, weights)
                known = v.decided(atom, self.mask)
        assert known is not None
        return known

    def _decided(self, atom: Truth) -> None:
        self.atoms.append(atom)
        for cell in atom.cells:
            self._looked_at(cell)

    def _cases(self, atom: Truth) -> int:
        return v.leaves(atom, self.mask, self.cases)

    def _split_by(self, cell: int, weights: Weights) -> None:
        self.split(cell, list(classes(weights, self.mask(cell)).values()))

    # --- values -------------------------------------------------------------------------------------------------

    def simplified(self, value: Value) -> Value:
        """The same value if guard and atoms hold, in the simplest form."""
        match value:
            case Linear():
                narrowed = v.narrowed(value, self.mask)
                known = None if isinstance(narrowed, int) else self.pinned.get(narrowed.terms)
                return narrowed if isinstance(narrowed, int) or known is None else narrowed.constant + known
            case UnknownValue(term=term) if term is not None and term in self.pinned:
                return self.pinned[term]
            case Truth(sum=total, relation=relation):
                narrowed = v.narrowed(total, self.mask)
                if isinstance(narrowed, int):
                    return int(_related(narrowed, relation))
                if narrowed.only is not None:
                    return self.pointwise(narrowed, lambda x: int(_related(x, relation)))
                return Truth(narrowed, relation)
        return value

    def settled(self, value: Value) -> Value:
        """The value as an operand: a condition becomes 0 or 1 if that takes few cases."""
        value = self.simplified(value)
        if isinstance(value, Truth) and self._cases(value) <= self.cases:
            return int(self._decide(value))
        return value

    def initial(self, cell: int) -> Value:
        """The cell before the command."""
        domain = self.cells.domains[cell]
        if domain is None:
            kind = self.cells.variables[cell].type
            return UnknownValue(frozenset([cell]), Interval(kind.lo, kind.hi), cell, (cell,))
        return function_of(cell, domain)

    def current(self, cell: int) -> Value:
        self.read_at.setdefault(cell, self.here)
        return self.simplified(self.store[cell] if cell in self.store else self.initial(cell))

    def before(self, cell: int) -> Value:
        """The value that the cell has at the beginning of the run."""
        self.read_at.setdefault(cell, self.here)
        return self.simplified(self.initial(cell))

    def pointwise(self, value: Linear, function: Callable[[int], int]) -> Value:
        """The function of a value of one cell."""
        cell, weights = value.terms[0]
        return self.function_of(cell, lambda k: function(value.constant + weights[k]))

    def function_of(self, cell: int, function: Callable[[int], int]) -> Value:
        """The function of the place of the cell's value."""
        return self.tabulated(cell, *tabulated(function, bits(self.mask(cell)), self.cells.full[cell].bit_length()))

    def tabulated(self, cell: int, results: Weights, faulty: int) -> Value:
        """A function of the cell that is known, and a model error for the mask `faulty`: the run goes two ways then."""
        full = self.cells.full[cell]
        if faulty and self.split(cell, (full & ~faulty, faulty)):
            raise Fault(FaultKind.RANGE, self.here, "")  # analyses do not tell model errors apart
        return self.simplified(function_of(cell, results))

    def unknown(self, parts: Sequence[Value], interval: Interval, *, faulty: bool, term: v.Term | None = None) -> Value:
        """Something that depends on the parts and is in the interval; a model error, too, if it may be one."""
        cells = frozenset().union(*map(v.cells_of, parts))
        if faulty or not interval.fits:
            self.may_fault = True
            self.ask(cells)
        return self.simplified(UnknownValue(cells, interval.meet(TOP) or TOP, term=term))

    def interval(self, value: Value) -> Interval:
        return v.interval_of(value, self.mask)

    def concrete(self, value: Value, size: int = 0) -> int:
        """The value as a number: the run goes a way for each. With a size, all that are not below it are one: -1."""
        value = self.simplified(value)
        while not isinstance(value, int):
            if isinstance(value, Truth):
                return int(self.true(value))
            if isinstance(value, Linear) and value.only is not None and size:
                value = self.pointwise(value, lambda x: x if 0 <= x < size else -1)
            if isinstance(value, UnknownValue) or (isinstance(value, Linear) and not self.few_cases(value)):
                return self._guessed(value, size)
            if isinstance(value, Linear):
                cell, weights = min(value.terms, key=lambda term: len(classes(term[1], self.mask(term[0]))))
                self._split_by(cell, weights)
                value = self.simplified(value)
        return value if not size or 0 <= value < size else -1

    def _guessed(self, value: Linear | UnknownValue, size: int) -> int:
        """A way for each number that the value can be, without splitting cells: what a sum is, is a condition; of what
        is not known, that it depends on its cells. The same value is the same number from then on."""
        bounds = self.interval(value)
        inside = bounds.meet(Interval(0, size - 1)) if size else bounds
        numbers = range(inside.lo, inside.hi + 1) if inside is not None else range(0)
        if len(numbers) > MOST_GUESSED:
            raise Opaque("a value is used here that depends on too much", self.here)
        chosen = self.choose(len(numbers) + (inside != bounds))
        if chosen == len(numbers):
            self.ask(v.cells_of(value))
            return -1
        if isinstance(value, Linear):
            self._decided(Truth(value.plus(Linear(-numbers[chosen])), Relation.ZERO))
            self.pinned[value.terms] = numbers[chosen] - value.constant
        else:
            self.ask(value.cells)
            if value.term is not None:
                self.pinned[value.term] = numbers[chosen]
        return numbers[chosen]

    def few_cases(self, value: Linear) -> bool:
        """Whether it is reasonable to split the value by its cells."""
        cases = 1
        for cell, weights in value.terms:
            cases *= len(classes(weights, self.mask(cell)))
        return cases <= self.cases


def _related(total: int, relation: Relation) -> bool:
    match relation:
        case Relation.POSITIVE:
            return total > 0
        case Relation.ZERO:
            return total == 0
        case Relation.NONZERO:
            return total != 0
