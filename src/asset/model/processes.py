"""Processes: generator methods whose steps are transitions, with a program counter and local variables as state."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Any, overload

from asset.ir.program import Owner
from asset.model.arrays import Array
from asset.model.declaring import Declaring
from asset.model.heaps import Ref
from asset.model.indices import Indexed
from asset.model.spans import definition_span, line_span
from asset.model.state import Int, OneOf, rejected
from asset.model.transitions import Transition, TransitionSource, members_in_order, when
from asset.span import Span

if TYPE_CHECKING:
    from asset.model import Model
    from asset.model.steps.building import BuiltStep
    from asset.model.steps.joining import Side
    from asset.model.steps.points import Split


class ProcessStep(Transition):
    """One atomic step of a process: what it does from one of its points on."""

    def __init__(self, built: BuiltStep, process: Process, indices: Mapping[str, Any]) -> None:
        chosen = {c.name: c.values or (0,) for c in built.choices}
        super().__init__(built.function, {**indices, **chosen}, len(chosen))
        self.process = process
        self.point = built.point
        self.choices = built.choices
        self.made = built.made

    @property
    def of_process(self) -> tuple[str | None, int]:
        return self.process.name, self.chosen

    @property
    def processes(self) -> tuple[str, ...]:
        return (self.process.name,)


class Process(Indexed, TransitionSource):
    """A method with @process. Called on a model it makes its next step: True if it did, False if it cannot."""

    decorator = "@process"

    def __init__(self, given: Callable[..., Iterator[Any]], indices: Mapping[str, Any]) -> None:
        super().__init__(given, {name: value for name, value in indices.items() if name != "fair"})
        self.fair = self.checked_fairness(indices.get("fair"))
        if not inspect.isgeneratorfunction(self.function):
            raise self.rejected(f"{self.name} never yields: it is one atomic step", "write @transition")

    def __set_name__(self, owner: type, name: str) -> None:
        super().__set_name__(owner, name)
        if not hasattr(owner, "at"):
            owner.at = at  # type: ignore[attr-defined]

    @overload
    def __get__(self, model: None, owner: type) -> Process: ...
    @overload
    def __get__(self, model: Model, owner: type) -> BoundProcess: ...
    def __get__(self, model: Model | None, owner: type) -> Process | BoundProcess:
        return self if model is None else BoundProcess(self, model)

    @property
    def counter(self) -> str:
        """The name of the state variable that says where the process is."""
        return f"{self.name}.at"

    def transitions(self, model: Model) -> tuple[Transition, ...]:
        return model._processes[self.name].steps

    def all_steps(self, model: Model) -> tuple[Transition, ...]:
        """Its steps, and those of others that it takes part in."""
        steps = (step for made in model._processes.values() for step in made.steps)
        return tuple(step for step in steps if self.name in step.processes)

    def points(self, model: Model, label: str) -> tuple[int, ...]:
        """The points with that label that can be reached; raises KeyError if the text has no such label.

        "start" is where the process begins, unless a yield has that label.
        """
        made = model._processes[self.name].split
        if label not in made.labels:
            if label == "start":
                return (made.start,)
            raise KeyError(f"{self.name} has no label '{label}'; it has {', '.join(sorted(made.labels))}")
        return tuple(point.number for point in made.points if label in point.labels)

    def declare(self, model: Model, declaring: Declaring) -> SplitProcess:
        """Declares the program counter and the local variables that are state."""
        # Imported here: splitting takes a while to load, and most models have no processes.
        from asset.model.steps.building import ProcessState, steps
        from asset.model.steps.joining import Side
        from asset.model.steps.meeting import Meetings
        from asset.model.steps.points import split
        from asset.model.steps.ranges import Surroundings, declarations

        made, ranges = split(model, self.function, declaring.shapes), self.ranges(model)
        if not all(isinstance(value, int) for values in ranges for value in values):
            raise self.rejected(f"the indices of the process {self.name} are no numbers", "use a range or an IntEnum")
        counters = IntEnum(self.name, {point.title: point.number for point in made.points})  # type: ignore[misc]
        offsets = tuple(min(values, default=0) for values in ranges)
        lengths = [max(values, default=-1) - first + 1 for values, first in zip(ranges, offsets, strict=True)]
        indices = dict(zip(made.indices, ranges, strict=True))
        locals_ = declarations(made, Surroundings(model, declaring.shapes, indices))
        canonical = {name: _canonical(declared) for name, declared in locals_.items()}
        state = ProcessState(self.name, offsets, canonical, lambda text: self.values("choose", text, model))
        counter = _nested(lengths, counters(made.start))
        self._declare_cells(declaring, state.at, counter, Owner(self.name, None, offsets))
        for name, declared in locals_.items():
            live = tuple(point.number for point in made.points if name in point.live)
            owner = Owner(self.name, name, offsets, live)
            self._declare_cells(declaring, state.variable(name), _nested(lengths, declared), owner)
        side = Side(made, state, Meetings(self.function, made.itself, declaring.synchronous))
        alone = (ProcessStep(built, self, indices) for built in steps(made, state, side.meetings, when))
        return SplitProcess(made, tuple(alone), indices, side)

    def _declare_cells(self, declaring: Declaring, name: str, item: object, owner: Owner) -> None:
        declaring.declare(name, item)
        declaring.owners[name] = owner
        declaring.spans[name] = definition_span(self.function)


@dataclass(frozen=True, slots=True)
class SplitProcess:
    """A process of a model: its points, and the steps between them."""

    split: Split
    steps: tuple[Transition, ...]
    """Those that it takes alone, and those with others that it sends to."""
    indices: Mapping[str, tuple[int, ...]]
    side: Side


class BoundProcess:
    """A process of a model. Calling it makes a step; `self.at` names it."""

    def __init__(self, process: Process, model: Model) -> None:
        self.process = process
        self.model = model
        self.__name__ = process.name
        self.__doc__ = process.__doc__

    def __call__(
        self, *indices: int, choices: tuple[int, ...] | None = None, meets: BoundProcess | tuple[Any, ...] | None = None
    ) -> bool:
        """Makes the next step of the process with these indices; `choices` are the alternatives that it chooses.

        `meets` is the process that it sends to or receives from in the step, with its indices: `self.server`, or
        `(self.server, 1)`. False if the step is disabled, or the process has finished; nothing is changed then.
        """
        if meets is not None:
            from asset.model.meetings import meet

            other, *others = meets if isinstance(meets, tuple) else (meets,)
            return meet(self.model, (self.process.name, indices), (other.process.name, tuple(others)), choices)
        step = self._next(indices)
        if step is None:
            return False
        count = len(step.index_names) - len(indices)
        if choices is None and count:
            raise TypeError(f"{step.name} chooses: give its {count} alternatives, choices=(...,)")
        return step.fire(self.model, *indices, *(choices or ()))

    def _next(self, indices: tuple[int, ...]) -> ProcessStep | None:
        where = _cell(self.model, self.process, indices)
        for step in self.process.transitions(self.model):
            if isinstance(step, ProcessStep) and step.point.number == where:
                return step
        return None


def process(function: Any = None, /, **indices: Any) -> Any:
    """Declares a process: `@process`, or `@process(i="n")` for one process for each i in range(n).

    The method is a generator; `yield` ends an atomic step, and nothing else does. Its local variables are state if
    they are needed after a yield. Indices and `fair` are as those of `@transition`.
    """
    return Process.decorating(function, indices)


def at(model: Model, named: BoundProcess | str, *where: Any) -> bool:
    """`self.at(self.customer, i, "critical")`: whether process i waits at the yield with that label."""
    found = model if isinstance(named, str) else named
    process_ = inspect.getattr_static(type(model), named, None) if isinstance(named, str) else None
    if isinstance(found, BoundProcess):
        process_ = found.process
    if not isinstance(process_, Process) or not where or not isinstance(where[-1], str):
        raise rejected("at takes a process, its indices and a label", 'write self.at(self.customer, i, "critical")')
    *indices, label = where
    return _cell(model, process_, tuple(indices)) in process_.points(model, label)


def processes_of(cls: type) -> tuple[Process, ...]:
    return tuple(member for member in members_in_order(cls).values() if isinstance(member, Process))


def unreached(model: Model, process: Process) -> Iterator[Span]:
    """The yields of the process that no step comes to."""
    file = process.function.__code__.co_filename
    return (line_span(file, line) for line in model._processes[process.name].split.unreached)


def declare_processes(model: Model, declaring: Declaring) -> dict[str, SplitProcess]:
    """Declares the state of the model's processes, behind all other state."""
    made = {process.name: process.declare(model, declaring) for process in processes_of(type(model))}
    if declaring.synchronous:
        from asset.model.meetings import joint_steps_of  # few models have joint steps

        joint = joint_steps_of(made, declaring.synchronous)
        made = {name: replace(each, steps=(*each.steps, *joint[name])) for name, each in made.items()}
    return made


def _cell(model: Model, process_: Process, indices: tuple[int, ...]) -> int:
    """Where the process with these indices is."""
    value = getattr(model, process_.counter)
    ranges = process_.ranges(model)
    if len(indices) != len(ranges):
        raise TypeError(f"{process_.name} takes {len(ranges)} indices, not {len(indices)}")
    for index, values in zip(indices, ranges, strict=True):
        if index not in values:
            raise IndexError(f"{process_.name} has no index {index!r}")
        value = value[index - min(values)]
    return int(value)


def _canonical(declared: bool | Enum | Int | OneOf | Ref) -> int | str | Enum | None:
    """What a variable is where it is not needed."""
    if isinstance(declared, Ref):
        return None
    return declared.init if isinstance(declared, Int | OneOf) else declared


def _nested(lengths: list[int], item: object) -> object:
    for length in reversed(lengths):
        item = Array(length, item)
    return item
