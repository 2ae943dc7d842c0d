"""Ways through an atomic sequence that only the initial state begins: those that there are, each a command of its own.

If one process is there in the beginning, and it never comes back to where it begins, what it does first is done in the
initial state only. Firing it there shows which of the numbers that choices are drawn from are enabled. So analyses have
commands that they can follow, and as many as there are ways.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from asset.frontends.promela.control import Element
from asset.frontends.promela.layout import Kind
from asset.ir.faults import Fault
from asset.ir.interpreter import Interpreter
from asset.ir.program import Family, Program, State

MOST_LISTED = 10_000
"""Ways that are commands of their own."""


def begins_once(kinds: Sequence[Kind]) -> Kind | None:
    """The kind of the only process that is there in the beginning, if it never comes back to its first place."""
    active = [kind for kind in kinds if kind.process.active]
    if len(active) != 1 or not active[0].single:
        return None
    control = active[0].control
    back = any(step.target is control.start for steps in control.steps.values() for step in steps)
    return None if back else active[0]


def with_first_ways(program: Program, kind: Kind, begin: Sequence[Element | None]) -> tuple[Family, ...]:
    """The families of the program, if `kind` begins once; `begin` says at which place of it each of them begins.

    Of those that begin at its first place, the commands are the enabled ones; those are left out that begin where it
    does not come to after them.
    """
    first = [number for number, place in enumerate(begin) if place is kind.control.start]
    found = [_enabled(Interpreter(program), program.families[number]) for number in first]
    if any(each is None for each in found):
        return program.families
    ways = {number: each for number, each in zip(first, found, strict=True) if each is not None}
    cell = program.offsets[kind.place]
    after = {target[cell] for each in ways.values() for target in each.values()}
    reached = _reached(kind, after)
    families: list[Family] = []
    for number, (family, place) in enumerate(zip(program.families, begin, strict=True)):
        if number in ways and family.skips is not None:
            family = replace(family, ranges=(tuple(ways[number]),), skips=None)
        if place is None or number in ways or place in reached:
            at = families[-1].first + families[-1].size if families else 0
            families.append(replace(family, first=at))
    return tuple(families)


def _reached(kind: Kind, numbers: Collection[int]) -> set[Element]:
    """The places that the process can come to from these."""
    pending = [place for place in kind.control.places if place.number in numbers]
    found: set[Element] = set()
    while pending:
        place = pending.pop()
        if place not in found:
            found.add(place)
            pending += [step.target for step in kind.control.steps.get(place, ()) if step.target is not None]
    return found


def _enabled(interpreter: Interpreter, family: Family) -> dict[int, State] | None:
    """The numbers of its commands that are enabled in the initial state, with the states after them; None if they are
    too many, or if something is wrong."""
    state, found, number = interpreter.program.initial, dict[int, State](), 0
    while number < family.size:
        try:
            target = interpreter.fire(state, family.first + number)
        except Fault:
            return None
        if target is not None:
            found[number] = target
        if len(found) > MOST_LISTED:
            return None
        number = interpreter.next_tried(state, family.first + number) - family.first
    return found
