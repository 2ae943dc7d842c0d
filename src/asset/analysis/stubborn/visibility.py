"""Which commands are visible: may change the value of something that formulas observe.

An observation is true if one of its paths is taken: a way through the code of a predicate that makes it true, or a path
of a command that is to be enabled. A step can change its value only if it changes whether one of them is taken. So it
must move a cell into the guard of the path or out of it, or may change one of its atoms, or a cell that it looks at
in a way that is not known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from asset.analysis.stubborn.commuting import cell_step
from asset.analysis.stubborn.paths import Path
from asset.analysis.stubborn.value_flow import Live, ValueFlow
from asset.analysis.values.domains import bits


def visible_commands(flow: ValueFlow, nr_commands: int, observed: Sequence[Path]) -> frozenset[int]:
    """The commands that may change whether one of the observed paths is taken, which are paths of `flow.cells`."""
    return frozenset(
        live.path.node
        for live in flow.live
        if live.path.node < nr_commands and any(_changes(flow, live, path) for path in observed)
    )


def _changes(flow: ValueFlow, live: Live, path: Path) -> bool:
    touched = live.path.updates.keys() & path.tested
    if not touched:
        return False
    before, after = _can_be_taken(flow, live, path)
    if not before and not after:
        return False
    if touched & path.hidden or any(flow.cells.domains[cell] is None for cell in touched):
        return True
    crossings = [crossing for cell in touched & path.guard.keys() for crossing in _crossings(flow, live, path, cell)]
    if before and (False in crossings or any(flow.may_disable(live, atom) for atom in path.atoms)):
        return True
    return after and (True in crossings or any(flow.may_enable(live, atom) for atom in path.atoms))


def _can_be_taken(flow: ValueFlow, live: Live, path: Path) -> tuple[bool, bool]:
    """Whether the guard of a path may hold in a state in which another is taken, and in the state after."""
    before = after = True
    for cell, mask in path.guard.items():
        values = flow.values(live, cell)
        results = _results(flow, live, cell, values) if cell in live.path.updates else values
        before, after = before and bool(values & mask), after and bool(results & mask)
    return before, after


def _results(flow: ValueFlow, live: Live, cell: int, values: int) -> int:
    found = 0
    for value in bits(values):
        found |= flow.results(live, cell, value)
    return found


def _crossings(flow: ValueFlow, live: Live, path: Path, cell: int) -> Iterator[bool]:
    """True for each way in which the step brings the cell into the guard of the path, False for each way out."""
    guard = path.exact.guard[cell]
    for place in bits(flow.values(live, cell)):
        step = cell_step(flow, live, cell, place)
        for value in bits(flow.cells.all_values(cell, 1 << place) & live.path.exact.guard.get(cell, -1)):
            results = step.results(value)
            if guard >> value & 1 and results & ~guard:
                yield False
            if not guard >> value & 1 and results & guard:
                yield True
