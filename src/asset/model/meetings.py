"""Steps of two processes that meet at a synchronous channel, as transitions of the sender."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from itertools import product
from typing import TYPE_CHECKING

from asset.model.processes import SplitProcess
from asset.model.steps.joining import JointStep, joint_steps
from asset.model.synchronous import Synchronous
from asset.model.transitions import Transition, when

if TYPE_CHECKING:
    from asset.model import Model

Who = tuple[str, tuple[int, ...]]
"""A process by its name and its indices."""


class MeetingStep(Transition):
    """A step of two processes: its first indices are those of the sender, then come the sender's choices, the
    receiver's indices and its choices."""

    def __init__(self, made: JointStep, processes: Mapping[str, SplitProcess]) -> None:
        sender, receiver = (processes[name] for name in made.sides)
        received = {made.received[name]: values for name, values in receiver.indices.items()}
        super().__init__(made.function, {**sender.indices, **received, **made.values})
        self.chosen = len(self.index_names) - len(sender.indices)
        self.made = made
        at = [self.index_names.index(name) for name in received]
        self._sides = (made.sides[0], tuple(range(len(sender.indices)))), (made.sides[1], tuple(at))

    @property
    def of_process(self) -> tuple[str | None, int]:
        return self.made.sides[0], self.chosen

    @property
    def processes(self) -> tuple[str, ...]:
        return self.made.sides

    def is_of(self, name: str, given: tuple[int, ...], indices: tuple[int, ...]) -> bool:
        return any(process == name and own[: len(given)] == given for process, own in self.who(indices))

    def who(self, indices: tuple[int, ...]) -> tuple[Who, Who]:
        """The processes that meet in the command with these indices: the sender and the receiver."""
        sender, receiver = ((name, tuple(indices[k] for k in own)) for name, own in self._sides)
        return sender, receiver


def joint_steps_of(
    processes: Mapping[str, SplitProcess], channels: Mapping[str, Synchronous]
) -> dict[str, list[Transition]]:
    """The steps of each process that sends with those that receive."""
    found: dict[str, list[Transition]] = {name: [] for name in processes}
    for made in joint_steps([each.side for each in processes.values()], channels, when):
        found[made.sides[0]].append(MeetingStep(made, processes))
    return found


def meet(model: Model, one: Who, other: Who, choices: tuple[int, ...] | None) -> bool:
    """Makes the step in which these two meet, whichever of them sends; `choices` are the alternatives, if any."""
    able = []
    for name in {one[0]: None, other[0]: None}:
        for step in model._processes[name].steps:
            if isinstance(step, MeetingStep):
                able += [(step, indices) for indices in _between(model, step, one, other, choices)]
    able = [(step, indices) for step, indices in able if step.fire(copy(model), *indices)]
    if len(able) > 1:
        ways = ", ".join(f"{step.name}{indices}" for step, indices in able[:4])
        raise TypeError(f"{one[0]} and {other[0]} can meet in several ways: {ways}; give choices=(...,)")
    return bool(able) and able[0][0].fire(model, *able[0][1])


def _between(
    model: Model, step: MeetingStep, one: Who, other: Who, choices: tuple[int, ...] | None
) -> Iterator[tuple[int, ...]]:
    """The indices with which it is a step of these two."""
    if sorted(step.made.sides) == sorted((one[0], other[0])):
        for indices in product(*step.ranges(model)):
            pairs = zip(step.index_names, indices, strict=True)
            chosen = tuple(value for name, value in pairs if name in step.made.values)
            if choices in (None, chosen) and step.who(indices) in ((one, other), (other, one)):
                yield indices
