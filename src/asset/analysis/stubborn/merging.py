"""Fewer and weaker paths for the same command: ways through the code that come to the same are made one.

The paths of a command that come from its code exclude each other: `a or b` becomes "a" and "not a, but b". The second
need not look at a, since with a the first one does the same. A path that looks at less depends on less.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from asset.analysis.stubborn.paths import Cause, Path, Update
from asset.analysis.values.domains import CellDomains
from asset.span import NOWHERE

MOST_COMPARED = 40
"""Of more paths with the same effect, it is not tried to make each look at less."""


def merged(paths: list[Path], cells: CellDomains) -> list[Path]:
    """Paths with the same behaviour as these. What is in one path only because of the order of tests is left out."""
    groups: dict[object, list[Path]] = defaultdict(list)
    for path in paths:
        groups[_effect(path)].append(path)
    found: list[Path] = []
    for group in groups.values():
        joined = _joined(group, cells) if len(group) > 1 else group
        found += _weakened(joined, cells) if 1 < len(joined) <= MOST_COMPARED else joined
    return found


def summarised(paths: list[Path], most: int) -> list[Path]:
    """The paths or, if there are more than `most`, one that stands for all of them, and is opaque."""
    if len(paths) <= most:
        return paths
    guard = dict(paths[0].guard)
    updates: dict[int, Update] = {}
    hidden: frozenset[int] = frozenset()
    for path in paths:
        guard = {cell: mask | path.guard[cell] for cell, mask in guard.items() if cell in path.guard}
        hidden |= path.tested | path.sources | path.updates.keys()
        for cell, update in path.updates.items():
            known = updates[cell].results if cell in updates else 0
            updates[cell] = Update(known | update.results, certain=False)
    first, last = paths[0], paths[-1]
    span = next((path.opaque.span for path in paths if path.opaque), next(iter(last.read_at.values()), NOWHERE))
    return [
        Path(
            first.node,
            guard,
            hidden=hidden,
            updates=updates,
            opaque=Cause(f"there are {len(paths)} ways through it", span),
            read_at={cell: span for path in paths for cell, span in path.read_at.items()},
            written_at={cell: span for path in paths for cell, span in path.written_at.items()},
        )
    ]


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


def _joined(group: list[Path], cells: CellDomains) -> list[Path]:
    """The same in fewer paths: if guards differ in one cell only, they become one."""
    sources = {u.source for u in group[0].updates.values()}
    merging = True
    while merging:
        before = len(group)
        for cell in sorted({cell for path in group for cell in path.guard} - sources):
            alike: dict[object, list[Path]] = defaultdict(list)
            for path in group:
                rest = frozenset((c, mask) for c, mask in path.guard.items() if c != cell)
                alike[rest, frozenset(path.atoms)].append(path)
            group = [_united(paths, cell, cells) for paths in alike.values()]
        merging = len(group) < before
    return group


def _united(paths: list[Path], cell: int, cells: CellDomains) -> Path:
    """One path for paths that differ in the guard of the cell only."""
    if len(paths) == 1:
        return paths[0]
    mask, guard = 0, dict(paths[0].guard)
    for path in paths:
        mask |= path.guard.get(cell, cells.full[cell])
    guard.pop(cell, None)
    if mask != cells.full[cell]:
        guard[cell] = mask
    return replace(paths[0], guard=guard)


def _weakened(group: list[Path], cells: CellDomains) -> list[Path]:
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


def _widened(cell: int, k: int, guards: list[dict[int, int]], group: list[Path], cells: CellDomains) -> int:
    """The values that the cell can have for the k-th path to be taken, or another one that does the same."""
    mask = guards[k][cell]
    for j, other in enumerate(group):
        if j == k:
            continue
        beyond = guards[j].get(cell, cells.full[cell]) & ~mask
        if beyond and _implies({**guards[k], cell: beyond}, group[k], guards[j], other, cells):
            mask |= beyond
    return mask


def _implies(guard: dict[int, int], path: Path, wider: dict[int, int], other: Path, cells: CellDomains) -> bool:
    """Whether the guard, with the atoms of the path, implies the wider one with the atoms of the other."""
    return set(other.atoms) <= set(path.atoms) and all(
        guard.get(cell, cells.full[cell]) & ~mask == 0 for cell, mask in wider.items()
    )
