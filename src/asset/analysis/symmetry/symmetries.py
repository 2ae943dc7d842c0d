"""The symmetries of a program: found as automorphisms of its description, each verified on the program's terms.

A permutation that makes commands of commands, and leaves the properties asked for as they are, is an automorphism of
the full state space that keeps labels. The initial state need not be symmetric. So the quotient by a group of them is
bisimilar to the full space, in everything asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from asset.analysis.symmetry.blocks import Point, find_blocks
from asset.analysis.symmetry.described_program import DescribedProgram, describe, is_symmetry
from asset.analysis.symmetry.description_graph import DescriptionGraph
from asset.analysis.symmetry.taken_values import taken_values
from asset.analysis.values.bit_layout import choose_layout
from asset.analysis.values.domains import bits
from asset.analysis.watch import OutOfTime, Watch
from asset.ir.groups import Descent, Group, Least, Permutation, Significance, elements, sorting_order
from asset.ir.program import Program, State
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
        watch.at("symmetries", 0, 1)
        candidates, order = _automorphisms(described)
        verified = list(_verified(described, candidates, watch))
        refused = len(candidates) - len(verified)
        group = _group(described, verified, None if refused else order) if verified else None
    except RecursionError:
        return Symmetries(described, None, 0)
    except OutOfTime:
        return Symmetries(described, None, 0, complete=False)
    return Symmetries(described, group, refused, complete=not watch.over)


def _verified(described: DescribedProgram, candidates: list[Permutation], watch: Watch) -> Iterator[Permutation]:
    """Those of the candidates that are symmetries."""
    for number, candidate in enumerate(candidates):
        watch.at("symmetries", number, len(candidates))
        found = is_symmetry(described, candidate)
        if found is not None:
            yield found


def _automorphisms(described: DescribedProgram) -> tuple[list[Permutation], int]:
    """Generators of the automorphisms of the description, and how many automorphisms there are.

    Values that no cell ever has stay as they are, if that is no loss for the rest: exchanging them saves nothing.
    """
    generators, order = _generators(DescriptionGraph(described))
    if not any(generator.values for generator in generators):
        return generators, order
    taken = taken_values(described)
    idle = {cell: described.cells.full[cell] & ~mask for cell, mask in enumerate(taken)}
    fewer, fewer_order = _generators(DescriptionGraph(described, idle))
    points: list[Point] = [(cell, None) for cell in range(len(taken))]
    points += ((c, (described.cells.domains[c] or ())[k]) for c, mask in enumerate(taken) for k in bits(mask))
    as_good = _orbits(points, generators) == _orbits(points, fewer)
    return (fewer, fewer_order) if as_good else (generators, order)


def idle_values(described: DescribedProgram) -> list[str]:
    """The variables of which values could be exchanged that are never taken, and are told apart by something."""
    taken = taken_values(described)
    moved = {cell: values for g in _generators(DescriptionGraph(described))[0] for cell, values in g.values.items()}
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


def _generators(graph: DescriptionGraph) -> tuple[list[Permutation], int]:
    import igraph  # type: ignore[import-untyped]  # here, as it takes a while to load and few checks need it

    colours = graph.colours
    drawn = igraph.Graph(n=len(colours), edges=sorted(set(graph.edges)), directed=True)
    generators = drawn.automorphism_group(color=colours)
    order = int(drawn.count_automorphisms(color=colours)) if generators else 1
    return [graph.permutation(images) for images in generators], order


def _group(described: DescribedProgram, generators: list[Permutation], order: int | None) -> Group:
    significance = _significance(described.program)
    sorting = find_blocks(described, generators)
    if sorting is not None:
        return Group(tuple(generators), sorting, sorting_order(sorting.parts))
    everything = elements(generators, MOST_ELEMENTS)
    if everything is not None:
        return Group(tuple(generators), _least(everything, generators, significance), len(everything))
    return Group(tuple(generators), _descent(generators, significance), order)


def _least(everything: tuple[Permutation, ...], generators: list[Permutation], order: Significance) -> Least:
    rotation = any(len(elements([g], len(everything)) or ()) == len(everything) for g in generators)
    return Least(everything, order, rotation)


def _descent(generators: list[Permutation], order: Significance) -> Descent:
    steps = {p.key: p for g in generators for p in (g, g.inverse())}
    return Descent(tuple(steps.values()), order)


def share_of_classes(group: Group, states: Iterable[State]) -> float:
    """How many classes the states are in, for each state: what the group leaves of a sample. 1 saves nothing."""
    seen = set(states)
    return len({group.representative(state) for state in seen}) / max(1, len(seen))


def _significance(program: Program) -> Significance:
    """The order of states as they are packed, compared as numbers."""
    layout = choose_layout(program)
    placed = [(cell.position, number) for number, cell in enumerate(layout.cells) if cell.width]
    return Significance(tuple(number for _, number in sorted(placed, reverse=True)))
