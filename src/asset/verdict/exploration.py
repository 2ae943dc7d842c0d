"""What was explored, how, and what it took."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from asset.deferred import dataclass
from asset.span import Span


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
