"""The symmetries of a program: found as automorphisms of its description, each verified on the program's terms.

A permutation that makes commands of commands, and leaves the properties asked for as they are, is an automorphism of
the full state space that keeps labels. The initial state need not be symmetric. So the quotient by a group of them is
bisimilar to the full space, in everything asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from asset.analysis.symmetry.automorphisms import ColouredGraph
from asset.analysis.symmetry.blocks import Point, find_blocks, shortened
from asset.analysis.symmetry.by_names import symmetries_by_names
from asset.analysis.symmetry.described_program import DescribedProgram, is_symmetry, keeps_what_is_described
from asset.analysis.symmetry.describing import describe
from asset.analysis.symmetry.description_graph import DescriptionGraph
from asset.analysis.symmetry.taken_values import taken_values
from asset.analysis.values.bit_layout import choose_layout
from asset.analysis.values.domains import bits
from asset.analysis.watch import OutOfTime, Watch, processor_time
from asset.ir.groups import Descent, Group, Least, Permutation, Significance, elements, sorting_order
from asset.ir.program import Program
from asset.ir.requirements import Requirement

MOST_ELEMENTS = 128
"""Of a group whose elements are all tried on each state."""


@dataclass(frozen=True)
class Symmetries:
    """The group for what is asked; None if it is trivial. `refused` is how many automorphisms of the description
    could not be verified and so are not used. `complete` is false if there was no time to look for all of them."""

    described: DescribedProgram
    group: Group | None
    refused: int
    complete: bool = True

    @property
    def order(self) -> int | None:
        return 1 if self.group is None else self.group.order


def find_symmetries(program: Program, requirements: Iterable[Requirement]) -> Symmetries:
    """The symmetries that keep the predicates and recurrences of the requirements."""
    return symmetries_of(describe(program, requirements))


def symmetries_of(described: DescribedProgram, watch: Watch | None = None) -> Symmetries:
    """The symmetries of what is described. None are found if its terms are nested too deeply to walk through, or if the
    time is over before."""
    watch = watch or Watch()
    try:
        by_names = _by_names(described, watch) if described.unfollowed else []
        if not by_names:
            watch.at("symmetries", 0, 1)
            found = _automorphisms(described, watch)
            verified, tried = _verified(described, found.generators, watch)
            if not found.generators and not described.unfollowed:  # terms do not follow tables from names to names
                by_names = _changing(described, _by_names(described, watch))
        if by_names:
            return Symmetries(described, _group(described, by_names, None, watch), 0, complete=not watch.over)
        refused = tried - len(verified)
        complete = tried == len(found.generators)
        everything = found if complete and not refused else None
        group = _group(described, shortened(verified), everything, watch) if verified else None
    except RecursionError:
        return Symmetries(described, None, 0)
    except OutOfTime:
        return Symmetries(described, None, 0, complete=False)
    return Symmetries(described, group, refused, complete=complete and not watch.over)


def _by_names(described: DescribedProgram, watch: Watch) -> list[Permutation]:
    """These are found quickly or not at all, so they get a second if following terms has taken all the time."""
    find = partial(symmetries_by_names, described.program, described.predicates, described.sets)
    try:
        found = find(watch)
    except OutOfTime:
        deadline = processor_time() + 1
        found = find(Watch(lambda what, done, of: processor_time() < deadline))
    return [each for each in found if not each.is_identity and keeps_what_is_described(described, each)]


def _changing(described: DescribedProgram, found: list[Permutation]) -> list[Permutation]:
    """Without those that change no state that is ever reached: they would save nothing."""
    if not found:
        return []
    taken, domains = taken_values(described), described.cells.domains

    def values(cell: int) -> list[int] | None:
        domain = domains[cell]
        return None if domain is None else [domain[place] for place in bits(taken[cell])]

    def changes(permutation: Permutation, cell: int, to: int) -> bool:
        if to == cell and cell not in permutation.values:
            return False
        own, others = values(cell), values(to)
        if own is None or others is None:
            return True
        return (to != cell and len(own) > 1) or [permutation.value(cell, each) for each in own] != others

    return [each for each in found if any(changes(each, cell, to) for cell, to in enumerate(each.cells))]


def _verified(
    described: DescribedProgram, candidates: Sequence[Permutation], watch: Watch
) -> tuple[list[Permutation], int]:
    """Those of the candidates that are symmetries, and how many were tried before the time was over."""
    found: list[Permutation] = []
    for number, candidate in enumerate(candidates):
        try:
            watch.at("symmetries", number, len(candidates))
        except OutOfTime:
            return found, number
        symmetry = is_symmetry(described, candidate)
        if symmetry is not None:
            found.append(symmetry)
    return found, len(candidates)


@dataclass(frozen=True)
class _Automorphisms:
    """Generators of the automorphisms of a description."""

    generators: Sequence[Permutation]
    graph: ColouredGraph


def _automorphisms(described: DescribedProgram, watch: Watch) -> _Automorphisms:
    """Values that no cell ever has stay as they are, if that is no loss for the rest: exchanging them saves nothing."""
    found = _generators(DescriptionGraph(described), watch)
    generators = found.generators
    if not any(generator.values for generator in generators):
        return found
    try:
        taken = taken_values(described, watch)
        idle = {cell: described.cells.full[cell] & ~mask for cell, mask in enumerate(taken)}
        fewer = _generators(DescriptionGraph(described, idle), watch)
    except OutOfTime:
        return found
    points: list[Point] = [(cell, None) for cell in range(len(taken))]
    points += ((c, (described.cells.domains[c] or ())[k]) for c, mask in enumerate(taken) for k in bits(mask))
    as_good = _orbits(points, generators) == _orbits(points, fewer.generators)
    return fewer if as_good else found


def idle_values(described: DescribedProgram) -> list[str]:
    """The variables of which values could be exchanged that are never taken, and are told apart by something."""
    taken = taken_values(described)
    moved = {
        cell: values
        for g in _generators(DescriptionGraph(described), Watch()).generators
        for cell, values in g.values.items()
    }
    index = described.cells.index
    idle = [cell for cell, each in moved.items() if any(not taken[cell] >> (index(cell, v) or 0) & 1 for v in each)]
    return list(dict.fromkeys(described.cells.variables[cell].name for cell in sorted(idle)))


def _orbits(points: Sequence[Point], generators: Sequence[Permutation]) -> set[frozenset[Point]]:
    """Which of the points can take each other's place."""
    found, asked, placed = set[frozenset[Point]](), set(points), set[Point]()
    for point in points:
        if point in placed:
            continue
        orbit = [point]
        seen = {point}
        for cell, value in orbit:  # grows
            for g in generators:
                image = g.cells[cell], None if value is None else g.value(cell, value)
                if image not in seen:
                    seen.add(image)
                    orbit.append(image)
        placed |= seen
        found.add(frozenset(seen & asked))
    return found


def _generators(graph: DescriptionGraph, watch: Watch) -> _Automorphisms:
    coloured = ColouredGraph(graph.colours, graph.edges, watch)
    return _Automorphisms([graph.permutation(images) for images in coloured.generators()], coloured)


def _group(
    described: DescribedProgram, generators: list[Permutation], everything: _Automorphisms | None, watch: Watch
) -> Group:
    """The group that they generate; `everything` if these are all automorphisms, so that they can be counted."""
    order_of_states = significance(described.program)
    sorting = find_blocks(described, generators)
    if sorting is not None:
        return Group(tuple(generators), sorting, sorting_order(sorting.parts))
    listed = elements(generators, MOST_ELEMENTS)
    if listed is not None:
        return Group(tuple(generators), least(listed, generators, order_of_states), len(listed))
    order = None
    if everything is not None:
        with suppress(OutOfTime):
            order = everything.graph.order()
    return Group(tuple(generators), descent(generators, order_of_states), order)


def least(everything: tuple[Permutation, ...], generators: list[Permutation], order: Significance) -> Least:
    rotation = any(len(elements([g], len(everything)) or ()) == len(everything) for g in generators)
    return Least(everything, order, rotation)


def descent(generators: list[Permutation], order: Significance) -> Descent:
    steps = {p.key: p for g in generators for p in (g, g.inverse())}
    return Descent(tuple(steps.values()), order)


def significance(program: Program) -> Significance:
    """The order of states as they are packed, compared as numbers."""
    layout = choose_layout(program)
    placed = [(cell.position, number) for number, cell in enumerate(layout.cells) if cell.width]
    return Significance(tuple(number for _, number in sorted(placed, reverse=True)))
