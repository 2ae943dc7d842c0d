"""Paths of the model without idle steps: where a command would change nothing, it is disabled.

Must progress needs rules of that model. If an idle step is enabled like any other, two commands may commute although
one leaves the other nothing to change, and so ends a run that goes on for ever (`asset.checks.soundness`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from asset.analysis.stubborn.paths import Path
from asset.analysis.values.domains import bits


def changing(path: Path, full: Sequence[int]) -> Iterator[Path]:
    """Paths that are taken where this one is taken and changes the state. `full` has all values of cells, as masks.

    There is one for each cell that it may change: this cell is changed, and those before it are not. If it is not known
    of which values a cell keeps which, that depends on hidden cells.
    """
    if not path.may_be_idle(full):
        yield path
        return
    guard, updates = dict(path.guard), dict(path.updates)
    for cell in filter(path.becomes_by_itself, path.updates):
        mask = guard.get(cell, full[cell])
        kept = _kept(path, cell, mask)
        if mask & ~kept:
            yield replace(path, guard={**guard, cell: mask & ~kept}, updates=updates)
        if not kept:
            return
        updates = {other: update for other, update in updates.items() if other != cell}
        guard |= {cell: kept} if kept != full[cell] else {}
    if updates:
        decisive = path.hidden.union(updates, *(update.looks_at for update in updates.values()))
        yield replace(path, guard=guard, updates=updates, hidden=decisive)


def _kept(path: Path, cell: int, mask: int) -> int:
    """Those of the values that the cell keeps."""
    return sum(1 << value for value in bits(mask) if path.result(cell, value, 0) == 1 << value)
