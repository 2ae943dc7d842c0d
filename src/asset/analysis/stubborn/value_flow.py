"""Value flow: which paths move a cell from one value to another, and so which can bring about a condition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from asset.analysis.stubborn.linear_invariants import Change, linear_invariants
from asset.analysis.stubborn.mutexes import Reachable
from asset.analysis.stubborn.paths import Path
from asset.analysis.stubborn.queues import Queues
from asset.analysis.stubborn.symbolic_values import Relation, Truth
from asset.analysis.values.domains import CellDomains, bits
from asset.analysis.values.linear import Linear, Weights, extremes
from asset.analysis.watch import OutOfTime, Watch


@dataclass(frozen=True, slots=True)
class Live:
    """A path that may be taken, with the facts that can hold where it is."""

    number: int
    path: Path
    facts: int


@dataclass(frozen=True, slots=True)
class _Bounds:
    """Of a sum: the weights of each cell, their bounds over all values that the cell can have, and those of the sum."""

    weights: Mapping[int, Weights]
    bounds: Mapping[int, tuple[int, int]]
    least: int
    most: int
    facts: int
    """All facts of its cells."""

    @classmethod
    def of(cls, invariant: Linear, reachable: Reachable) -> _Bounds:
        weights = dict(invariant.terms)
        bounds = {cell: extremes(each, reachable.values[cell]) for cell, each in weights.items()}
        least, most = (sum(bound[end] for bound in bounds.values()) for end in (0, 1))
        return cls(weights, bounds, least, most, sum(reachable.cells.block(cell) for cell in weights))


class ValueFlow:
    """The moves of every cell by the paths that may be taken. Sets of paths are integers, one bit for each.

    When the time is over, paths are thought to be taken wherever.
    """

    def __init__(
        self,
        reachable: Reachable,
        paths: list[Path],
        invariants: Sequence[Linear] = (),
        watch: Watch | None = None,
    ) -> None:
        self.cells: CellDomains = reachable.cells
        self.reachable = reachable
        self.queues = Queues(reachable.cells.program)
        watch = watch or Watch()
        everything = reachable.everything
        possible = ((path, reachable.compatible(path) if watch.still() else everything) for path in paths)
        found = [(path, facts) for path, facts in possible if facts is not None]
        self.live = [Live(number, path, facts) for number, (path, facts) in enumerate(found)]
        self.writers: dict[int, list[Live]] = {}
        for live in self.live:
            for cell in live.path.updates:
                self.writers.setdefault(cell, []).append(live)
        self.invariants = invariants
        self._invariants_of: dict[int, list[Linear]] = {}
        self._bounds = {invariant: _Bounds.of(invariant, reachable) for invariant in invariants}
        for invariant in invariants:
            for cell in invariant.cells:
                self._invariants_of.setdefault(cell, []).append(invariant)
        self._moves: dict[int, list[dict[int, int]]] = {}
        self._later: dict[int, list[int]] = {}
        self._changers: dict[tuple[int, int, int], int] = {}
        self._enablers: dict[Truth, int] = {}

    def values(self, live: Live, cell: int) -> int:
        """The values that the cell can have where the path is taken."""
        return self.cells.values(cell, live.facts)

    def results(self, live: Live, cell: int, value: int) -> int:
        """What the cell can be after the path, having the value before."""
        update = live.path.updates[cell]
        source = update.source
        sources = 0
        if source is not None and source != cell:
            fact = self.cells.first[cell] + value
            sources = self.values(live, source) & self.cells.values(source, self.reachable.together[fact])
        return live.path.result(cell, value, sources)

    def changes(self) -> Iterator[list[Change]]:
        """For each path, what can become of each cell that it may change."""
        for live in self.live:
            if live.path.updates:
                yield [self._changes(live, cell) for cell in live.path.updates if self.cells.domains[cell]]

    def _changes(self, live: Live, cell: int) -> Change:
        first = self.cells.first[cell]
        return [
            (first + value, first + result)
            for value in bits(self.values(live, cell))
            for result in bits(self.results(live, cell, value))
        ]

    def possible(self, facts: int, cell: int, value: int) -> bool:
        """Whether the cell can have the value in a state where only these facts can hold: pairs and sums allow it."""
        facts &= self.reachable.together[self.cells.first[cell] + value]
        return all(self._allows(invariant, facts) for invariant in self._invariants_of.get(cell, ()))

    def can_be_taken(self, path: Path) -> bool:
        """Whether pairs and sums allow the path to be taken."""
        facts = self.reachable.compatible(path)
        touched = (invariant for cell in path.guard for invariant in self._invariants_of.get(cell, ()))
        return facts is not None and all(self._allows(invariant, facts) for invariant in touched)

    def _allows(self, invariant: Linear, facts: int) -> bool:
        """Whether the sum can be 0. Cells that can have whatever they ever have are summed up once."""
        known = self._bounds[invariant]
        least, most = known.least, known.most
        for cell, _ in self.reachable.by_cell(~facts & known.facts):
            weights, possible = known.weights[cell], self.cells.values(cell, facts)
            if not possible:
                return False
            (low, high), (lowest, highest) = extremes(weights, possible), known.bounds[cell]
            least, most = least + low - lowest, most + high - highest
        return least <= 0 <= most

    def moves(self, cell: int) -> list[dict[int, int]]:
        """For each value of the cell: masks of other values that it can become in one step, with the paths of each."""
        if cell not in self._moves:
            found: list[dict[int, int]] = [{} for _ in self.cells.domains[cell] or ()]
            for live in self.writers.get(cell, ()):
                for value in bits(self.values(live, cell)):
                    results = self.results(live, cell, value) & ~(1 << value)
                    if results:
                        found[value][results] = found[value].get(results, 0) | 1 << live.number
            self._moves[cell] = found
        return self._moves[cell]

    def later(self, cell: int) -> list[int]:
        """For each value of the cell, all values that it can come to have, itself included."""
        if cell not in self._later:
            moves = self.moves(cell)
            found = [1 << value for value in range(len(moves))]
            grown = True
            while grown:
                grown = False
                for value, after in enumerate(moves):
                    new = found[value]
                    for results in after:
                        for result in bits(results):
                            new |= found[result]
                    grown, found[value] = grown or new != found[value], new
            self._later[cell] = found
        return self._later[cell]

    def changers(self, cell: int, value: int, targets: int) -> int:
        """The paths of which one must be taken before the cell, now at the value, can come to be in the targets."""
        key = (cell, value, targets)
        if key not in self._changers:
            later, found = self.later(cell), 0
            for results, paths in self.moves(cell)[value].items():
                if any(later[result] & targets for result in bits(results)):
                    found |= paths
            self._changers[key] = found
        return self._changers[key]

    def enablers(self, atom: Truth) -> int:
        """The paths that may make the atom true where it is false."""
        if atom not in self._enablers:
            found = 0
            for cell in atom.cells:
                for live in self.writers.get(cell, ()):
                    if not found >> live.number & 1 and self.may_enable(live, atom):
                        found |= 1 << live.number
            self._enablers[atom] = found
        return self._enablers[atom]

    def may_enable(self, live: Live, atom: Truth) -> bool:
        least, most = self.change(live, atom)
        return most > 0 if atom.relation is Relation.POSITIVE else least < 0 or most > 0

    def may_disable(self, live: Live, atom: Truth) -> bool:
        least, most = self.change(live, atom)
        return least < 0 if atom.relation is Relation.POSITIVE else least < 0 or most > 0

    def change(self, live: Live, atom: Truth) -> tuple[int, int]:
        """Bounds of what the path adds to the sum of the atom."""
        least = most = 0
        for cell, weights in atom.sum.terms:
            if cell in live.path.updates:
                low, high = self._term_change(live, cell, weights)
                least, most = least + low, most + high
        return least, most

    def _term_change(self, live: Live, cell: int, weights: Weights) -> tuple[int, int]:
        values, exact = self.values(live, cell), live.path.exact
        update = exact.updates[cell]
        if update.source == cell and update.table is not None:
            possible = self.cells.all_values(cell, values) & exact.guard.get(cell, -1)
            return _bounds_of_change(weights, update.table, possible)
        bounds = []
        for value in bits(values):
            results = self.results(live, cell, value)
            if not results:  # the cell never has the value there
                continue
            before = extremes(weights, self.cells.all_values(cell, 1 << value))
            after = extremes(weights, self.cells.all_values(cell, results))
            bounds.append((after[0] - before[1], after[1] - before[0]))
        return min((low for low, _ in bounds), default=0), max((high for _, high in bounds), default=0)


@lru_cache(maxsize=65536)
def _bounds_of_change(weights: Weights, table: tuple[int, ...], places: int) -> tuple[int, int]:
    """Bounds of how the weight changes if a cell goes from one of the places to what the table says."""
    changes = [weights[table[place]] - weights[place] for place in bits(places)]
    return min(changes, default=0), max(changes, default=0)


def find_flow(reachable: Reachable, paths: list[Path], facts: int, watch: Watch) -> ValueFlow:
    """The flow of the paths that may be taken, by sums too if there are at most so many facts, and time for it."""
    flow = ValueFlow(reachable, paths, watch=watch)
    if reachable.cells.nr_facts > facts:
        return flow
    try:
        invariants = linear_invariants(reachable.cells, reachable.values, flow.changes(), watch)
    except OutOfTime:
        return flow
    counting = ValueFlow(reachable, paths, invariants, watch)
    possible = [live.path for live in counting.live if counting.can_be_taken(live.path)]
    return ValueFlow(reachable, possible, invariants, watch)
