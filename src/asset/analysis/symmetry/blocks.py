"""Interchangeable components: whether a group of symmetries is all orders of some blocks of cells.

A generator that exchanges two components exchanges pairs of *points*: cells, and values of cells that name components.
The points that exchanges can bring to each other's place are an orbit; each component has one point of each orbit.
Which points belong together shows in a component that takes part in two exchanges: in each orbit, both move its point.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise, product

from asset.analysis.symmetry.described_program import DescribedProgram, is_symmetry
from asset.ir.groups import Block, Permutation, Sorting

MOST_SHORTENED = 24
"""Generators of which pairs are looked at."""

Point = tuple[int, int | None]
"""A cell, or a cell and a value of it."""

Pair = frozenset[Point]
Exchange = frozenset[Pair]


def find_blocks(described: DescribedProgram, generators: Sequence[Permutation]) -> Sorting | None:
    """The blocks, if the generators generate all orders of the blocks of each part, and nothing else."""
    exchanges = [_exchange(g) for g in generators]
    known = [e for e in exchanges if e is not None]
    if len(known) < len(exchanges):
        return None
    parts, swaps = [], []
    for together in _connected(known):
        blocks = _blocks(together)
        if blocks is None:
            return None
        blocks = tuple(replace(block, uses=described.cells.uses) for block in blocks)
        parts.append(blocks)
        verified = [is_symmetry(described, _swap(described, a, b)) for a, b in pairwise(blocks)]
        swaps.append(tuple(swap for swap in verified if swap is not None))
        if len(swaps[-1]) < len(blocks) - 1:
            return None
    return Sorting(tuple(parts), tuple(swaps)) if _independent(block for part in parts for block in part) else None


def shortened(generators: Sequence[Permutation]) -> list[Permutation]:
    """Others of the same group that move less, as far as that is reached by putting two together."""
    found = list(generators)
    shorter = len(found) <= MOST_SHORTENED and any(_exchange(g) is None for g in found)
    while shorter:
        shorter = False
        for (at, one), other in product(enumerate(found), found):
            if one is not other and 0 < _moved(joined := one.after(other)) < _moved(one):
                found[at], shorter = joined, True
                break
    return found


def _moved(permutation: Permutation) -> int:
    """How many points it moves."""
    cells = sum(c != to for c, to in enumerate(permutation.cells))
    return cells + sum(v != to for changed in permutation.values.values() for v, to in changed.items())


def _independent(blocks: Iterable[Block]) -> bool:
    """Whether sorting one part leaves the others as they are: no cell is moved that holds names of components."""
    listed = list(blocks)
    moved = {cell for block in listed for cell in block.cells}
    return moved.isdisjoint(cell for block in listed for cell, _ in block.names)


def _exchange(permutation: Permutation) -> Exchange | None:
    """The pairs of points that the permutation exchanges; None if it does anything else."""
    pairs: set[Pair] = set()
    for cell, to in enumerate(permutation.cells):
        if permutation.cells[to] != cell or (to != cell and cell in permutation.values):
            return None
        if to != cell:
            pairs.add(frozenset({(cell, None), (to, None)}))
    for cell, changed in permutation.values.items():
        for value, other in changed.items():
            if changed.get(other, other) != value:
                return None
            if other != value:
                pairs.add(frozenset({(cell, value), (cell, other)}))
    return frozenset(pairs)


def _connected(exchanges: Iterable[Exchange]) -> list[list[Exchange]]:
    """The exchanges in groups that have no points in common."""
    groups: list[tuple[set[Point], list[Exchange]]] = []
    for exchange in exchanges:
        points = {point for pair in exchange for point in pair}
        joined, members = points, [exchange]
        apart = []
        for other, listed in groups:
            if other & points:
                joined, members = joined | other, [*members, *listed]
            else:
                apart.append((other, listed))
        groups = [*apart, (joined, members)]
    return [members for _, members in groups]


def _orbits(exchanges: Sequence[Exchange]) -> dict[Point, int]:
    """The number of each point's orbit."""
    orbit: dict[Point, int] = {}
    members: dict[int, list[Point]] = {}
    for pair in (pair for exchange in exchanges for pair in exchange):
        first, second = pair
        for point in pair:
            if point not in orbit:
                orbit[point] = len(orbit)
                members[orbit[point]] = [point]
        a, b = orbit[first], orbit[second]
        if a != b:
            for point in members[b]:
                orbit[point] = a
            members[a] += members.pop(b)
    return orbit


def _blocks(exchanges: Sequence[Exchange]) -> tuple[Block, ...] | None:
    """The components that the exchanges permute; None if they are not of that kind."""
    orbit = _orbits(exchanges)
    moved: list[dict[int, Pair]] = []  # for each exchange, the pair that it moves in each orbit
    for exchange in exchanges:
        by_orbit = {orbit[next(iter(pair))]: pair for pair in exchange}
        if len(by_orbit) < len(exchange) or by_orbit.keys() != set(orbit.values()):
            return None
        moved.append(by_orbit)
    reference = min(orbit.values())
    points = sorted(p for p, o in orbit.items() if o == reference)
    aligned = {o: _aligned(points, reference, o, moved) for o in set(orbit.values())}
    blocks = []
    for point in points:
        own = [table[point] for table in aligned.values() if table is not None]
        if len(own) < len(aligned):
            return None
        blocks.append(_block(own))
    return tuple(blocks) if _explain(aligned, moved) else None


def _aligned(
    points: Sequence[Point], reference: int, orbit: int, moved: Sequence[dict[int, Pair]]
) -> dict[Point, Point] | None:
    """For each point of the reference orbit the one of this orbit that belongs to the same component."""
    if len(moved) == 1:
        pair = moved[0]
        return dict(zip(sorted(pair[reference]), sorted(pair[orbit], key=_by_cell), strict=True))
    candidates: dict[Point, set[Point]] = {}
    for pairs in moved:
        for point in pairs[reference]:
            candidates[point] = candidates.get(point, set(pairs[orbit])) & pairs[orbit]
    changed = True
    while changed:
        changed = False
        for pairs in moved:
            one, other = pairs[reference]
            for a, b in ((one, other), (other, one)):
                if len(candidates[a]) == 1 and len(candidates[b]) > 1:
                    candidates[b] -= candidates[a]
                    changed = True
    if len(candidates) < len(points) or any(len(options) != 1 for options in candidates.values()):
        return None
    return {point: next(iter(options)) for point, options in candidates.items()}


def _by_cell(point: Point) -> tuple[int, int]:
    return point[0], -1 if point[1] is None else point[1]


def _explain(aligned: dict[int, dict[Point, Point] | None], moved: Sequence[dict[int, Pair]]) -> bool:
    """Whether each exchange exchanges two components, in everything that belongs to them."""
    reference = min(aligned)
    for pairs in moved:
        one, other = pairs[reference]
        for orbit, table in aligned.items():
            if table is None or {table[one], table[other]} != pairs[orbit]:
                return False
    return True


def _block(points: Iterable[Point]) -> Block:
    cells = sorted(cell for cell, value in points if value is None)
    names = sorted((cell, value) for cell, value in points if value is not None)
    return Block(tuple(cells), tuple(names))


def _swap(described: DescribedProgram, a: Block, b: Block) -> Permutation:
    cells = list(range(len(described.cells.domains)))
    for one, other in zip(a.cells, b.cells, strict=True):
        cells[one], cells[other] = other, one
    values: dict[int, dict[int, int]] = defaultdict(dict)
    for (cell, one), (_, other) in zip(a.names, b.names, strict=True):
        values[cell] |= {one: other, other: one}
    return Permutation(tuple(cells), (), dict(values))
