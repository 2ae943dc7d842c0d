"""The group of the symmetries that a front end knows of, where commands have no fixed images."""

from __future__ import annotations

from asset.analysis.symmetry.symmetries import MOST_ELEMENTS, descent, least, significance
from asset.ir.groups import Group, Permutation, elements
from asset.ir.program import Exchange, Program


def group_of_exchanges(program: Program) -> Group | None:
    """None if nothing is known to be alike."""
    found = [_permutation(each) for each in program.exchanges]
    generators = [each for each in found if not each.is_identity]
    if not generators:
        return None
    order, listed = significance(program), elements(generators, MOST_ELEMENTS)
    if listed is not None:
        return Group(tuple(generators), least(listed, generators, order), len(listed))
    return Group(tuple(generators), descent(generators, order), None)


def _permutation(exchange: Exchange) -> Permutation:
    """Without images of commands."""
    return Permutation(exchange.cells, (), {cell: dict(moved) for cell, moved in exchange.values})
