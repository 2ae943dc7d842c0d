"""Symmetries for what is asked: finding them, and saying what they cost.

The group that is used keeps every predicate that is asked for, or what it makes of the predicate can be followed. So
the quotient has all the answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from asset.analysis.symmetry.describing import describe
from asset.analysis.symmetry.meanings import meanings_of
from asset.analysis.symmetry.symmetries import Symmetries, symmetries_of
from asset.analysis.watch import Observer, Watch
from asset.checks import soundness
from asset.checks.requirements import kind_of
from asset.ir.groups import Group
from asset.ir.program import Program, State
from asset.ir.requirements import Predicate, Requirement

MOST_STARTS = 256
"""States that runs, or runs of representatives, begin in: stubborn set rules are derived for all of them."""


def symmetries(
    program: Program, requirements: Sequence[Requirement], stubborn: bool, observer: Observer | None = None
) -> Symmetries:
    """The symmetries that keep whatever must be kept for the requirements.

    Those that can be followed through their renamings need not be kept, unless they have too many.
    """
    kept = [r for r in requirements if soundness.must_be_respected(kind_of(r).soundness)]
    watch = Watch(observer)
    described = describe(program, kept, watch)
    free = [r for r in kept if soundness.can_be_followed(kind_of(r).soundness, stubborn)]
    while True:
        found = symmetries_of(described.asked_by([r for r in kept if r not in free]), watch)
        if found.group is None:
            return found
        known = {requirement: meanings_of(described, found.group, requirement) for requirement in free}
        if all(meanings is not None for meanings in known.values()):
            renamed = {r: meanings for r, meanings in known.items() if meanings is not None and len(meanings) > 1}
            return replace(found, group=replace(found.group, meanings=renamed))
        free = [requirement for requirement, meanings in known.items() if meanings is not None]


def costs(found: Symmetries, observer: Observer | None = None) -> list[str]:
    """What keeping the predicates costs, a sentence for each that costs something by itself; else one for all. Nothing
    is said if there was no time to find out, or to find all symmetries before."""
    asked, watch = list(found.described.predicates), Watch(observer)
    if not asked or not found.complete:
        return []

    def order(kept: Sequence[Predicate]) -> int | None:
        return symmetries_of(found.described.asking(kept), watch).order

    if (free := order([])) == found.order:
        return []
    alone = {predicate: order([other for other in asked if other != predicate]) for predicate in asked}
    said = [_cost([predicate], more, found.order) for predicate, more in alone.items() if more != found.order]
    if not said:
        those = [predicate for predicate in asked if order([predicate]) != free]
        said = [_cost(those or asked, free, found.order)]
    return [] if watch.over else said


def followed(found: Symmetries) -> list[str]:
    """Which requirements are followed, a sentence for each."""
    meanings = {} if found.group is None else found.group.meanings
    return [f"{followed.name} is followed through its {len(each)} renamings" for followed, each in meanings.items()]


def _cost(predicates: Sequence[Predicate], more: int | None, fewer: int | None) -> str:
    names = " and ".join(predicate.name for predicate in predicates)
    return f"without {names}, the group would have {_many(more)} elements instead of {_many(fewer)}"


def _many(order: int | None) -> str:
    return "unknown many" if order is None else f"{order:,}"


def starts(program: Program, group: Group | None) -> tuple[State, ...] | None:
    """The images of the initial states; None if there are too many.

    Representatives are reachable from these, not always from the initial states themselves.
    """
    found = list(program.initial_states)
    seen = set(found)
    for state in found:  # grows
        for generator in group.generators if group is not None else ():
            image = generator.state(state)
            if image not in seen:
                if len(found) >= MOST_STARTS:
                    return None
                seen.add(image)
                found.append(image)
    return tuple(found) if len(found) <= MOST_STARTS else None
