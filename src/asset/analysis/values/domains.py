"""The cells of a program and the values they can take, as sets of bits: what the analyses of stubborn sets speak of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from asset.analysis.values.reached_ranges import reached_ranges
from asset.ir import nodes as n
from asset.ir.groups import Permutation
from asset.ir.program import Program, State
from asset.ir.types import EnumType, ScalarType

WIDE = 256
"""A cell with more values than this is not looked at value by value."""

MANY = 16
"""Of a type with more values than this, it is found out which are reached, if the analysis can rely on it."""


def bits(mask: int) -> Iterator[int]:
    """The numbers of the bits that are set, in increasing order."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


class CellDomains:
    """`domains[c]` are the values of cell c in increasing order; None if there are too many of them.

    A set of values of a cell is an integer, its *mask*: bit k is for `domains[c][k]`. Facts, that is, pairs of a cell
    and a value, are numbered through: those of cell c from `first[c]` on. `starts` are the states that runs begin in:
    the initial states, unless others are given. Of a type with very many values, the domain has those that are proved
    to be all that are reached, if these are few; so it has of variables of other types if an index is computed of
    several of them. `known` are domains by cell, if they were found before; `many` says of which types values are
    sought.
    """

    def __init__(
        self,
        program: Program,
        starts: Sequence[State] = (),
        known: Sequence[tuple[int, ...] | None] = (),
        many: int = MANY,
    ) -> None:
        self.program = program
        self.starts = tuple(starts) or program.initial_states
        self.variables = program.cell_variables
        found = [known[first] for first in program.offsets] if known else _domains(program, self.starts, many)
        places = [{value: place for place, value in enumerate(domain or ())} for domain in found]
        self.domains = [found[number] for number, v in enumerate(program.variables) for _ in range(v.cells)]
        self._places = [places[number] for number, v in enumerate(program.variables) for _ in range(v.cells)]
        self._number_facts()

    def _number_facts(self) -> None:
        self.full = [0 if d is None else (1 << len(d)) - 1 for d in self.domains]
        self.first: list[int] = []
        self.nr_facts = 0
        for domain in self.domains:
            self.first.append(self.nr_facts)
            self.nr_facts += len(domain or ())

    def index(self, cell: int, value: int) -> int | None:
        """The place of the value in the domain of the cell; None if it is not in it."""
        return self._places[cell].get(value)

    def kept_by(self, symmetry: Permutation) -> bool:
        """Whether cells become cells with the same domain, and values become values of it."""
        return all(self.domains[cell] == self.domains[to] for cell, to in enumerate(symmetry.cells)) and all(
            symmetry.value(cell, value) in self._places[cell]
            for cell in symmetry.values
            for value in self._places[cell]
        )

    def results(self, cell: int) -> tuple[int, ...]:
        """What the cell holds, for each place in its domain."""
        return self.domains[cell] or ()

    def block(self, cell: int) -> int:
        """All facts of the cell, as a set of facts."""
        return self.full[cell] << self.first[cell]

    def values(self, cell: int, facts: int) -> int:
        """The mask of the cell's values among the facts."""
        return facts >> self.first[cell] & self.full[cell]

    @property
    def exact(self) -> CellDomains:
        """The cells with all of their values, if places in domains stand for several of them."""
        return self

    def all_values(self, cell: int, mask: int) -> int:
        """The mask of the values in `exact` that a mask here stands for."""
        return mask

    @cached_property
    def initial(self) -> list[int]:
        """The mask of each cell in the states that runs begin in."""
        masks = [0] * len(self.domains)
        for state in self.starts:
            for cell, value in enumerate(state):
                masks[cell] |= 1 << (self.index(cell, value) or 0)
        return masks

    def show(self, cell: int, mask: int) -> str:
        """The values of the mask, as a user writes them."""
        domain, kind = self.domains[cell], self.variables[cell].type
        return " or ".join(kind.show(domain[k]) for k in bits(mask)) if domain else str(kind)


def _domains(program: Program, starts: Sequence[State], many: int) -> list[tuple[int, ...] | None]:
    """By variable."""
    found = [_domain(variable.type) for variable in program.variables]
    computed = _in_computed_indices(program)
    least = (many if number in computed else WIDE for number in range(len(program.variables)))
    sought = [k for k, (v, more) in enumerate(zip(program.variables, least, strict=True)) if _has_more(v.type, more)]
    ranges = reached_ranges(program, starts) if sought else ()
    for number in sought:
        lo, hi = ranges[number]
        if hi - lo < WIDE:
            found[number] = tuple(sorted({*range(lo, hi + 1), *_first_values(program, number)}))
    return found


def _first_values(program: Program, variable: int) -> Iterator[int]:
    """Conditions about the variable are asked in the initial states too, even if runs are said to begin after them."""
    first = program.offsets[variable]
    for state in program.initial_states:
        yield from state[first : first + program.variables[variable].cells]


def _in_computed_indices(program: Program) -> frozenset[int]:
    """The variables of which indices are computed, several together: which it is depends on all that these can be."""
    found: set[int] = set()
    for function in program.functions:
        for node in function.nodes:
            for index in node.indices if isinstance(node, n.Read | n.SetState | n.Table) else ():
                read = [part.variable for part in n.walk(index) if isinstance(part, n.Read)]
                found.update(read if len(read) > 1 else ())
    return frozenset(found)


def _has_more(kind: ScalarType, many: int) -> bool:
    return not isinstance(kind, EnumType) and kind.hi - kind.lo >= many


def _domain(kind: ScalarType) -> tuple[int, ...] | None:
    if isinstance(kind, EnumType):
        values = sorted({value for _, value in kind.members})
        return tuple(values) if len(values) <= WIDE else None
    return tuple(range(kind.lo, kind.hi + 1)) if kind.hi - kind.lo < WIDE else None
