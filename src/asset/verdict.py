"""The answer of a check: frozen data, from which every report is made."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from enum import Enum
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


class Answer(Enum):
    HOLDS = "holds"
    VIOLATED = "violated"
    UNDECIDED = "undecided"


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


@dataclass(frozen=True, slots=True)
class Seconds:
    compile: float = 0.0
    explore: float = 0.0
    check: float = 0.0
    total: float = 0.0
    choose: float = 0.0  # finding out which reductions pay, if that was left to the tool
    repair: float = 0.0  # those of `explore` that making stubborn sets ignore nothing took


@dataclass(frozen=True, slots=True)
class Memory:
    bytes_per_state: float = 0.0
    peak: int = 0
    nodes: int | None = None  # of trees, if states were kept as trees
    spilled: int | None = None  # bytes that were in files at most, if memory did not hold the states


@dataclass(frozen=True, slots=True)
class Reduction:
    """What the search was reduced by: each is off, hand or auto. `enabled` counts the enabled transitions in the states
    explored, fired or not; None if only stubborn sets were looked at. The edges are those that were fired."""

    stubborn: str = "off"
    symmetry: str = "off"
    enabled: int | None = None
    group_order: int | None = None
    """How many symmetries were found and used, with symmetry=auto; None also if that is not known."""
    representatives: str | None = None  # how they choose a representative, in words
    exact: bool | None = None  # whether symmetric states always have the same representative
    costs: tuple[str, ...] = ()  # what keeping the properties costs in symmetries, in words
    followed: tuple[str, ...] = ()
    """Which properties were not kept but followed through what symmetries make of them, in words."""
    why: str = ""
    """Why these were chosen, if that was left to the tool and took more than a plain search."""

    @property
    def reduced_counts(self) -> tuple[str, ...]:
        """Which counts of the verdict may be lower than those of the full model. Stubborn sets keep all terminal states
        (Theorem 1)."""
        if self.symmetry != "off":
            return ("states", "edges", "depth", "terminal_states")
        return ("states", "edges", "depth") if self.stubborn != "off" else ()


@dataclass(frozen=True, slots=True)
class Product:
    """What was searched on the fly: the states and edges of the products with automata of formulas. The states of a
    verdict are those of the model that were found meanwhile."""

    states: int
    edges: int


@dataclass(frozen=True, slots=True)
class RankShare:
    """What one of the ranks of a cluster has done: `exchanged` bytes, `waited` seconds for the others and for what they
    sent, and kept its processors `busy` for so many."""

    states: int
    edges: int
    enabled: int
    terminal_states: int
    memory_peak: int
    exchanged: int
    waited: float
    busy: float
    threads: int


@dataclass(frozen=True, slots=True)
class Caveat:
    """Something the reader must know before relying on the answer; `code` is stable, for scripts."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Checked:
    """A property and what is known of it: its `answer` is UNDECIDED if the search ended before it was decided."""

    kind: str
    name: str
    answer: Answer


@dataclass(frozen=True, slots=True)
class FurtherViolation:
    """What else is violated, as a search found it that left out what was known to be. `violation` and `run` are what
    those of a verdict are."""

    violation: Violation | None
    run: Counterexample | None

    def to_dict(self) -> dict[str, Any]:
        return {
            "violation": self.violation and _violation_dict(self.violation),
            "counterexample": self.run and self.run.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class NeverReached:
    """What a complete search did not reach: a transition that never fired, a test that is `always true` or `never true`
    (`text` is the test), a property whose left side was never true. `kind` is a key of the counts."""

    kind: str
    name: str
    text: str
    span: Span

    def to_dict(self) -> dict[str, Any]:
        place = {"file": self.span.file, "line": self.span.line, "column": self.span.column}
        return {"kind": self.kind, "name": self.name, "text": self.text, "place": place}


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many transitions, branches and properties there are, and which of them were never reached."""

    counts: Mapping[str, int]
    never: tuple[NeverReached, ...]

    def reached(self, kind: str) -> int:
        return self.counts[kind] - sum(each.kind == kind for each in self.never)

    def to_dict(self) -> dict[str, Any]:
        counts = {kind: {"all": count, "reached": self.reached(kind)} for kind, count in self.counts.items()}
        return {**counts, "never": [each.to_dict() for each in self.never]}


@dataclass(frozen=True, slots=True)
class ValuesSeen:
    """How many values the cells of a variable had in random runs, and how many its type has for them."""

    variable: str
    seen: int
    of: int


@dataclass(frozen=True, slots=True)
class Simulation:
    """Random runs instead of a search, and what they covered. `states` is about how many different ones they met;
    `ended` is how many runs ended in a terminal state, and `longest` the steps of the longest. If something was found,
    `found_length` is how many steps the run had before those that are not needed were left out."""

    seed: int
    steps: int
    runs: int
    longest: int
    ended: int
    states: int
    transitions: int
    never_fired: tuple[str, ...]
    values: tuple[ValuesSeen, ...]
    found_length: int = 0

    def to_dict(self) -> dict[str, Any]:
        counts = {name: getattr(self, name) for name in ("seed", "steps", "runs", "longest", "ended", "states")}
        counts["transitions"] = {"all": self.transitions, "never_fired": list(self.never_fired)}
        counts["values"] = {each.variable: {"seen": each.seen, "of": each.of} for each in self.values}
        return {**counts, "found_length": self.found_length}


@dataclass(frozen=True, slots=True)
class TransitionCost:
    """How often the commands of a transition were tried and fired, and the seconds of tries that came to nothing and of
    those that fired."""

    name: str
    span: Span
    commands: int
    tried: int
    fired: int
    in_vain: float
    effects: float

    @property
    def seconds(self) -> float:
        return self.in_vain + self.effects

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "file": self.span.file,
            "line": self.span.line,
            "commands": self.commands,
            "tried": self.tried,
            "fired": self.fired,
            "seconds": {"guards": round(self.in_vain, 6), "effects": round(self.effects, 6)},
        }


@dataclass(frozen=True, slots=True)
class Profile:
    """Where the time of the search went: seconds by what was done, and transitions, the costliest first."""

    seconds: Mapping[str, float]
    transitions: tuple[TransitionCost, ...]

    def to_dict(self) -> dict[str, Any]:
        seconds = {name: round(spent, 6) for name, spent in self.seconds.items()}
        return {"seconds": seconds, "transitions": [each.to_dict() for each in self.transitions]}


@dataclass(frozen=True, slots=True)
class Approximation:
    """A search that may have omitted states, with a table of so many `bytes`: how many are `expected` to be left out,
    and the `probability` of any, at most. A state has `addresses` in the table (bitstate), or `bits` (compact)."""

    store: str
    bytes: int
    addresses: int | None
    bits: int | None
    expected: float
    probability: float

    def to_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in Approximation.__slots__}


@dataclass(frozen=True, slots=True)
class Verdict:
    answer: Answer
    model: str
    parameters: Mapping[str, Any]
    violation: Violation | None
    counterexample: Counterexample | None
    states: int
    edges: int
    depth: int
    terminal_states: int
    seconds: Seconds
    memory: Memory
    checked: tuple[Checked, ...] = ()
    caveats: tuple[Caveat, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)
    """The text of each file of the model that the violation and the counterexample point to."""
    reduction: Reduction = Reduction()
    product: Product | None = None
    initial_states: int = 1
    """Of the model, whatever the reductions."""
    coverage: Coverage | None = None
    """If it was asked for and the search was complete."""
    profile: Profile | None = None
    """If it was asked for."""
    further: tuple[FurtherViolation, ...] = ()
    """What else is violated, besides `violation`. The counts are those of the search that found that."""
    levels: tuple[int, ...] = ()
    """How many states there are at each distance from an initial state, as far as all of these were found."""
    date: str = ""
    """When the check ended, as ISO 8601 has it."""
    version: str = ""
    """Of ASSET."""
    approximation: Approximation | None = None
    ranks: tuple[RankShare, ...] = ()
    """Of the cluster that explored, if one did."""
    command: str = ""
    """That was given on the command line, if it was one."""
    simulation: Simulation | None = None

    @property
    def holds(self) -> bool:
        return self.answer is Answer.HOLDS

    @property
    def violated(self) -> bool:
        return self.answer is Answer.VIOLATED

    @property
    def exit_status(self) -> int:
        return {Answer.HOLDS: 0, Answer.VIOLATED: 1, Answer.UNDECIDED: 3}[self.answer]

    def to_dict(self) -> dict[str, Any]:
        """The object that `--json` writes; a contract."""
        ranks = [{name: getattr(each, name) for name in RankShare.__slots__} for each in self.ranks]
        return {
            "verdict": self.answer.value,
            "model": self.model,
            "parameters": dict(self.parameters),
            "violation": self.violation and _violation_dict(self.violation),
            "states": self.states,
            "edges": self.edges,
            "depth": self.depth,
            "terminal_states": self.terminal_states,
            "initial_states": self.initial_states,
            "levels": list(self.levels),
            "date": self.date,
            "version": self.version,
            "command": self.command,
            "seconds": {name: round(getattr(self.seconds, name), 6) for name in Seconds.__slots__},
            "memory": {name: getattr(self.memory, name) for name in Memory.__slots__},
            "counterexample": self.counterexample and self.counterexample.to_dict(),
            "further": [each.to_dict() for each in self.further],
            "checked": [{"kind": c.kind, "name": c.name, "verdict": c.answer.value} for c in self.checked],
            "caveats": [{"code": c.code, "message": c.message} for c in self.caveats],
            "settings": dict(self.settings),
            "product": self.product and {name: getattr(self.product, name) for name in Product.__slots__},
            "coverage": self.coverage and self.coverage.to_dict(),
            "profile": self.profile and self.profile.to_dict(),
            "reduction": {name: getattr(self.reduction, name) for name in (*Reduction.__slots__, "reduced_counts")},
            **({"approximation": self.approximation.to_dict()} if self.approximation else {}),
            **({"ranks": ranks} if ranks else {}),
            **({"simulation": self.simulation.to_dict()} if self.simulation else {}),
        }

    def to_json(self, indent: int | None = 2) -> str:
        if indent is None:
            return json.dumps(self.to_dict())
        return "".join(_indented(self.to_dict(), " " * indent, "\n"))

    def to_html(self) -> str:
        """The page that `--html` writes."""
        from asset.report.html import render

        return render(self)

    def to_markdown(self) -> str:
        """The text that `--markdown` writes."""
        from asset.report.markdown import render

        return render(self)

    def __str__(self) -> str:
        from asset.report.text import render

        return render(self)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from asset.report.notebook import verdict

        return verdict(self)


def _violation_dict(violation: Violation) -> dict[str, Any]:
    at = violation.span
    return {
        "kind": violation.kind,
        "property": violation.property,
        "message": violation.message,
        "place": at and {"file": at.file, "line": at.line, "column": at.column},
        "why": [reason.to_dict() for reason in violation.why],
    }


def _indented(value: Any, indent: str, margin: str) -> Iterator[str]:
    """What json.dumps writes with an indent; what has no further parts by its encoder in C, which has no indent.

    `margin` is the line end and the indent of the line that the value stands in.
    """
    inner = margin + indent
    if not isinstance(value, dict | list | tuple) or not value:
        yield json.dumps(value)
    elif _is_flat(value):
        text = json.dumps(value, separators=("," + inner, ": "))
        yield f"{text[0]}{inner}{text[1:-1]}{margin}{text[-1]}"
    elif isinstance(value, dict):
        for number, (key, item) in enumerate(value.items()):
            yield f"{',' if number else '{'}{inner}{json.dumps(key)}: "
            yield from _indented(item, indent, inner)
        yield margin + "}"
    else:
        for number, item in enumerate(value):
            yield f"{',' if number else '['}{inner}"
            yield from _indented(item, indent, inner)
        yield margin + "]"


def _is_flat(value: dict[str, Any] | list[Any] | tuple[Any, ...]) -> bool:
    kinds = set(map(type, value.values() if isinstance(value, dict) else value))
    return not any(issubclass(kind, dict | list | tuple) for kind in kinds)
