"""What a check found: a violation, why, and the run that shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from asset.deferred import dataclass, field
from asset.span import Span

Value = bool | int | str | None | list["Value"] | dict[str, "Value"]
"""A state variable's value as shown: enum members by name, arrays and queues as lists, maps and bags as dicts."""


class Members(list[Value]):
    """The elements of a set."""


class Parts(list[Value]):
    """A tuple."""


class Named(dict[str, Value]):
    """A record: its parts by name."""

    def __init__(self, name: str, parts: Mapping[str, Value]) -> None:
        super().__init__(parts)
        self.name = name


@dataclass(frozen=True, slots=True)
class Reason:
    """A part of a property that has the wrong value, and what makes it so.

    `text` is the part as the model has it, `values` the same with the values of its operands (`2 <= 1`), `cells` the
    state variables that decide, with their values, and `parts` the smaller parts that it is due to.
    """

    text: str
    values: str
    span: Span
    cells: tuple[tuple[str, Value], ...] = ()
    parts: tuple[Reason, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "text": self.text,
            "values": self.values,
            "cells": dict(self.cells),
            "parts": [part.to_dict() for part in self.parts],
        }


MODEL_ERRORS = ("model-error", "conflict", "range")
"""Kinds of what a model must not do, whatever is asked of it; the last two are those of abstract state machines."""


@dataclass(frozen=True, slots=True)
class Violation:
    """`kind`: safety, deadlock, may-progress, must-progress, recurrence, termination, temporal, one of MODEL_ERRORS; or
    audit, for a mistake in a hand-written reduction: then `property` names what the rule is for. `why` says which parts
    of a property of states are false in the last state of the run, and why; it is empty if that cannot be seen."""

    kind: str
    property: str | None
    message: str
    span: Span | None = None
    why: tuple[Reason, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        at = self.span
        return {
            "kind": self.kind,
            "property": self.property,
            "message": self.message,
            "place": at and {"file": at.file, "line": at.line, "column": at.column},
            "why": [reason.to_dict() for reason in self.why],
        }


@dataclass(frozen=True, slots=True)
class Change:
    """One cell that a step changed: `client[2]` from IDLE to REQUESTED."""

    cell: str
    before: Value
    after: Value


@dataclass(frozen=True, slots=True)
class Step:
    """A state of a run, and the transition that led to it (None for the initial state).

    `model` is the state as an object of the user's class. If the class says how to show a state (`__str__`),
    `shown` is that text. `process` took the step; `writes` and `reads` are the other processes whose own variables it
    assigned, or only looked at. `body` is the transition's text in the model, `lines` those of that file that were run.
    `holds` tells of each property of states whether it holds in this one. Of a process that is written as one, `move`
    says who went from where to where, and what it chose, and `code` is the text that it ran.
    """

    transition: str | None
    state: Mapping[str, Value]
    changes: tuple[Change, ...]
    span: Span | None
    shown: str | None = None
    model: Any = field(default=None, compare=False, repr=False)
    process: str | None = None
    writes: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    body: Span | None = None
    lines: tuple[int, ...] = ()
    holds: Mapping[str, bool] = field(default_factory=dict)
    move: str = ""
    code: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {
            "transition": self.transition,
            "move": self.move,
            "code": self.code,
            "state": dict(self.state),
            "process": self.process,
            "line": self.span.line if self.span and self.transition else None,
            "lines": list(self.lines),
            "changes": [{"cell": c.cell, "before": c.before, "after": c.after} for c in self.changes],
            "holds": dict(self.holds),
        }


@dataclass(frozen=True, slots=True)
class Waiting:
    """A process that does not move where a run stops or repeats itself: what it waits for, and since when.

    `condition` is the part of a guard that is false, with the indices of the process put in (`not wants[1]`); it is
    empty if `transition` is enabled but never fired. `cells` are the variables that decide, each with its value and
    the step since which it has it. `on` are the processes that could change that.
    """

    process: str
    transition: str
    span: Span
    condition: str = ""
    cells: tuple[tuple[str, Value, int], ...] = ()
    on: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "process": self.process,
            "transition": self.transition,
            "place": {"file": self.span.file, "line": self.span.line, "column": self.span.column},
            "condition": self.condition,
            "cells": [{"cell": cell, "value": value, "since": since} for cell, value, since in self.cells],
            "on": list(self.on),
        }


@dataclass(frozen=True, slots=True)
class Stillness:
    """Who does not move at the end of a run, or in its cycle: who waits, in a circle if there is one, and who has
    nothing left to do."""

    waiting: tuple[Waiting, ...] = ()
    circle: tuple[str, ...] = ()
    """Processes each of which waits for the next, and the last for the first."""
    finished: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "waiting": [each.to_dict() for each in self.waiting],
            "circle": list(self.circle),
            "finished": list(self.finished),
        }


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A run of the model, replayed in the reference interpreter. Iterating gives the states as model objects."""

    steps: tuple[Step, ...]
    failing: str | None = None
    """The transition whose firing in the last state is the model error, if that is what the run shows."""
    progress_lost_at: int | None = None
    cycle_starts_at: int | None = None
    processes: tuple[str, ...] = ()
    """Those that take part in the run, in a fixed order."""
    order: str = "first"
    """How the run was chosen among those that show the same: fewest-switches, causal or first."""
    left_out: int = 0
    """How many steps of the run as it was found do not matter, and are left out."""
    stillness: Stillness = Stillness()
    """Who does not move at its end, if that is a terminal state, or in its cycle."""

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[Any]:
        return (step.model for step in self.steps)

    def __getitem__(self, index: int) -> Any:
        return self.steps[index].model

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from asset.report.notebook import counterexample

        return counterexample(self)

    def to_dict(self) -> dict[str, Any]:
        return {
            "steps": [step.to_dict() for step in self.steps],
            "failing": self.failing,
            "progress_lost_at": self.progress_lost_at,
            "cycle_starts_at": self.cycle_starts_at,
            "processes": list(self.processes),
            "switches": self.switches,
            "order": self.order,
            "left_out": self.left_out,
            "stillness": self.stillness.to_dict(),
        }

    @property
    def switches(self) -> int:
        """How often the run changes from one process to another."""
        steps = [step.process for step in self.steps[1:]]
        return sum(one != other for one, other in pairwise(steps))
