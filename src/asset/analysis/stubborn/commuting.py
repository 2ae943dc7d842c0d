"""Which paths commute: if both can be taken, neither keeps the other from it, and the order does not matter.

Then, while p is enabled and only paths that commute with it are taken, p stays enabled (D2), and taking p before them
leads where taking it after them leads (D1), by induction on the number of steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

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
    return all(both >> cells.first[c] & mask for path in (p.path, q.path) for c, mask in path.guard.items())


def conflict(flow: ValueFlow, p: Live, q: Live) -> Conflict | None:
    """The cell at which p and q may fail to commute, if there is one; p and q can be taken in one state."""
    ours, theirs = p.path, q.path
    shared = ours.writes & (theirs.reads | theirs.writes) | theirs.writes & ours.reads
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
    for target, update in reader.path.updates.items():
        if cell in update.reads:
            return True
        if update.source == cell and target != cell and update.table is not None:
            for value in bits(flow.values(writer, cell) & flow.values(reader, cell)):
                results = flow.results(writer, cell, value)
                if any(update.table[result] != update.table[value] for result in bits(results)):
                    return True
    return False


def _by_values(flow: ValueFlow, p: Live, q: Live, cell: int) -> ConflictKind | None:
    """Compares the orders for each value that the cell can have where both paths can be taken."""
    full = flow.cells.full[cell]
    ours, theirs = p.path.guard.get(cell, full), q.path.guard.get(cell, full)
    writes_p, writes_q = cell in p.path.updates, cell in q.path.updates
    both = p.facts & q.facts
    for value in bits(flow.cells.values(cell, both)):
        if not flow.possible(both, cell, value):
            continue
        after_p = flow.results(p, cell, value) if writes_p else 1 << value
        after_q = flow.results(q, cell, value) if writes_q else 1 << value
        if after_p & ~theirs:
            return ConflictKind.DISABLES
        if after_q & ~ours:
            return ConflictKind.DISABLED
        if writes_p and writes_q and not _same_result(p, q, cell, (after_p, after_q)):
            return ConflictKind.RESULT
    return None


def _same_result(p: Live, q: Live, cell: int, after: tuple[int, int]) -> bool:
    """Whether the cell becomes one and the same value in both orders, from a value after which it is as in `after`."""
    after_p, after_q = after
    finals = 0
    for live, results in ((q, after_p), (p, after_q)):
        for result in bits(results):
            finals |= _applied(live, cell, result)
    return finals.bit_count() == 1


def _applied(live: Live, cell: int, value: int) -> int:
    """What the path makes of the cell, whatever its source is: more than one value if that is not known."""
    update = live.path.updates[cell]
    return update.results if update.source not in (None, cell) else live.path.result(cell, value, 0)
