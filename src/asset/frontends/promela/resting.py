"""At which places of an atomic sequence a process can be while others go on.

Inside a sequence, a process stops only where it cannot go on, or where it has sent by rendezvous and the receiver is
the one that goes on. Elsewhere no state finds it, so that there is no command that begins there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from asset.frontends.promela import syntax as s
from asset.frontends.promela.constants import constant
from asset.frontends.promela.control import Control, Element, Shape, Step
from asset.frontends.promela.exclusion import exhaustive


def resting_places(
    control: Control, may_meet: Callable[[Step], bool], is_free: Callable[[Step], bool] = lambda step: False
) -> list[Element]:
    """In the order of the places. `may_meet` says of a step that it may send by rendezvous, `is_free` that it can
    always be taken, for what is not seen here."""
    resting = {control.start, *_interrupted(control, may_meet)}
    resting |= {place for place, steps in control.steps.items() if not _goes_on(control, steps, is_free)}
    return [place for place in control.places if place in resting]


def _interrupted(control: Control, may_meet: Callable[[Step], bool]) -> Iterator[Element]:
    """Where a step leads to that ends its command."""
    for steps in control.steps.values():
        for step in steps:
            if step.target is not None and (not step.atomic or may_meet(step)):
                yield step.target


def _goes_on(control: Control, steps: Sequence[Step], is_free: Callable[[Step], bool]) -> bool:
    """Whether one of the steps can always be taken."""
    return exhaustive(steps) or any(_is_free(control, step) or is_free(step) for step in steps)


def _is_free(control: Control, step: Step) -> bool:
    match step.element.shape:
        case Shape.END:
            return False
        case Shape.D_STEP:
            inside = control.inside[step.element]
            return any(_is_free(control, first) for first in inside.steps[inside.start])
    match step.statement:
        case s.Condition(value=s.Run()):
            return True
        case s.Condition(value=value):
            return bool(constant(value))
        case s.Send() | s.Receive():
            return False
    return True
