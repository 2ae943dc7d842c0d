"""Which paths commute: if both can be taken, neither keeps the other from it, and the order does not matter.

Then, while p is enabled and only paths that commute with it are taken, p stays enabled (D2), and taking p before them
leads where taking it after them leads (D1), by induction on the number of steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from asset.analysis.stubborn.value_flow import Live, ValueFlow
from asset.analysis.values.domains import bits


class ConflictKind(Enum):
    DISABLES = "the first keeps the second from being taken"
    DISABLED = "the second keeps the first from being taken"
    RESULT = "the order makes a difference to what it becomes"
    READS = "one reads what the other writes"


@dataclass(frozen=True, slots=True)
class Conflict:
    """Why two paths do not commute: the cell at which it shows."""

    cell: int
    kind: ConflictKind


def compatible(flow: ValueFlow, p: Live, q: Live) -> bool:
    """Whether both paths can be taken in one reachable state."""
    both = p.facts & q.facts
    cells = flow.cells
    if not all(both >> cells.first[c] & mask for path in (p.path, q.path) for c, mask in path.guard.items()):
        return False
    return not any(atom.negated() in q.path.atoms for atom in p.path.atoms)


def conflict(flow: ValueFlow, p: Live, q: Live) -> Conflict | None:
    """The cell at which p and q may fail to commute, if there is one; p and q can be taken in one state."""
    ours, theirs = p.path, q.path
    shared = ours.writes & (theirs.reads | theirs.writes) | theirs.writes & ours.reads
    if ours.puts & theirs.takes or ours.takes & theirs.puts:
        shared &= ~flow.queues.between(ours, theirs)
    for cell in bits(shared):
        kind = _at(flow, p, q, cell)
        if kind is not None:
            return Conflict(cell, kind)
    return None


def _at(flow: ValueFlow, p: Live, q: Live, cell: int) -> ConflictKind | None:
    if cell in p.path.updates and _reads_result(flow, p, q, cell):
        return ConflictKind.READS
    if cell in q.path.updates and _reads_result(flow, q, p, cell):
        return ConflictKind.READS
    if cell in p.path.updates and any(cell in atom.cells and flow.may_disable(p, atom) for atom in q.path.atoms):
        return ConflictKind.DISABLES
    if cell in q.path.updates and any(cell in atom.cells and flow.may_disable(q, atom) for atom in p.path.atoms):
        return ConflictKind.DISABLED
    if flow.cells.domains[cell] is None:
        return ConflictKind.RESULT if cell in p.path.updates and cell in q.path.updates else None
    return _by_values(flow, p, q, cell)


def _reads_result(flow: ValueFlow, writer: Live, reader: Live, cell: int) -> bool:
    """Whether the reader does something else, in a way that is not a matter of guards, after the writer."""
    if cell in reader.path.hidden:
        return True
    for target, update in reader.path.exact.updates.items():
        if cell in update.reads:
            return True
        if update.source == cell and target != cell and update.table is not None:
            for place in bits(flow.values(writer, cell) & flow.values(reader, cell)):
                values = flow.cells.all_values(cell, 1 << place) & reader.path.exact.guard.get(cell, -1)
                if _tells_apart(update.table, cell_step(flow, writer, cell, place), values):
                    return True
    return False


class CellStep(NamedTuple):
    """What a path makes of a cell that it finds in one class of values: a function of the value, the `table`; or else
    one of `after`, and it can be any of `ever` if another path came first. If it need not be changed, `stays`."""

    table: tuple[int, ...] | None
    after: int = 0
    ever: int = 0
    stays: bool = False

    def results(self, value: int) -> int:
        return self.after if self.table is None else 1 << self.table[value]

    def later_results(self, value: int) -> int:
        if self.table is not None:
            return 1 << self.table[value]
        return self.ever | 1 << value if self.stays else self.ever


def cell_step(flow: ValueFlow, live: Live, cell: int, place: int) -> CellStep:
    """What the path makes of the cell if that is in the class at the place."""
    update = live.path.exact.updates[cell]
    if update.source == cell and update.table is not None:
        return CellStep(update.table)
    after = flow.cells.all_values(cell, flow.results(live, cell, place))
    return CellStep(None, after, update.results, not update.certain)


@lru_cache(maxsize=65536)
def _tells_apart(table: tuple[int, ...], step: CellStep, values: int) -> bool:
    """Whether the function of a cell that the table is can change by the step, from one of the values."""
    return any(table[result] != table[value] for value in bits(values) for result in bits(step.results(value)))


def _by_values(flow: ValueFlow, p: Live, q: Live, cell: int) -> ConflictKind | None:
    """Compares the orders for each value that the cell can have where both paths can be taken."""
    full = flow.cells.exact.full[cell]
    ours, theirs = p.path.exact.guard.get(cell, full), q.path.exact.guard.get(cell, full)
    both = p.facts & q.facts
    for place in bits(flow.cells.values(cell, both)):
        if not flow.possible(both, cell, place):
            continue
        values = flow.cells.all_values(cell, 1 << place) & ours & theirs
        first, second = (cell_step(flow, x, cell, place) if cell in x.path.updates else None for x in (p, q))
        kind = _in_both_orders(first, second, ours, theirs, values)
        if kind is not None:
            return kind
    return None


@lru_cache(maxsize=65536)
def _in_both_orders(
    first: CellStep | None, second: CellStep | None, ours: int, theirs: int, values: int
) -> ConflictKind | None:
    """Whether two steps commute from each of the values, of which the guards are `ours` and `theirs`."""
    for value in bits(values):
        if first is not None and first.results(value) & ~theirs:
            return ConflictKind.DISABLES
        if second is not None and second.results(value) & ~ours:
            return ConflictKind.DISABLED
        if first is not None and second is not None and not _same_result(first, second, value):
            return ConflictKind.RESULT
    return None


def _same_result(first: CellStep, second: CellStep, value: int) -> bool:
    """Whether the cell becomes one and the same value in both orders."""
    finals = 0
    for one, other in ((first, second), (second, first)):
        for result in bits(one.results(value)):
            finals |= other.later_results(result)
    return finals.bit_count() == 1
