"""Fewer and weaker paths for the same command: ways through the code that come to the same are made one.

The paths of a command that come from its code exclude each other: `a or b` becomes "a" and "not a, but b". The second
need not look at a, since with a the first one does the same. A path that looks at less depends on less.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from asset.analysis.cells import Cells
from asset.analysis.paths import Path


def merged(paths: list[Path], cells: Cells) -> list[Path]:
    """Paths with the same behaviour as these. What is in one path only because of the order of tests is left out."""
    groups: dict[object, list[Path]] = defaultdict(list)
    for path in paths:
        groups[_effect(path)].append(path)
    return [path for group in groups.values() for path in (_weakened(group, cells) if len(group) > 1 else group)]


def _effect(path: Path) -> object:
    """What two paths must have in common to be merged; a path that is like no other for those that are not precise."""
    if path.hidden or path.opaque is not None:
        return path
    parts: list[object] = []
    for cell, update in sorted(path.updates.items()):
        if update.table is None:
            return path
        parts.append((cell, update.source, update.table, update.source is not None and path.guard.get(update.source)))
    return tuple(parts)


def _weakened(group: list[Path], cells: Cells) -> list[Path]:
    sources = {u.source for u in group[0].updates.values()}
    guards = [dict(path.guard) for path in group]
    changed = True
    while changed:
        changed = False
        for k in range(len(group)):
            for cell in sorted(guards[k].keys() - sources):
                wider = _widened(cell, k, guards, group, cells)
                if wider != guards[k][cell]:
                    changed = True
                    guards[k][cell] = wider
                    if wider == cells.full[cell]:
                        del guards[k][cell]
    kept: list[Path] = []
    for k, path in enumerate(group):
        others = [j for j in range(len(group)) if j != k and (j < k or guards[j] != guards[k])]
        if not any(_implies(guards[k], path, guards[j], group[j], cells) for j in others):
            kept.append(replace(path, guard=guards[k]))
    return kept


def _widened(cell: int, k: int, guards: list[dict[int, int]], group: list[Path], cells: Cells) -> int:
    """The values that the cell can have for the k-th path to be taken, or another one that does the same."""
    mask = guards[k][cell]
    for j, other in enumerate(group):
        if j == k:
            continue
        beyond = guards[j].get(cell, cells.full[cell]) & ~mask
        if beyond and _implies({**guards[k], cell: beyond}, group[k], guards[j], other, cells):
            mask |= beyond
    return mask


def _implies(guard: dict[int, int], path: Path, wider: dict[int, int], other: Path, cells: Cells) -> bool:
    """Whether the guard, with the atoms of the path, implies the wider one with the atoms of the other."""
    return set(other.atoms) <= set(path.atoms) and all(
        guard.get(cell, cells.full[cell]) & ~mask == 0 for cell, mask in wider.items()
    )
