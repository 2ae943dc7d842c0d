"""The verdict itself: an answer, and all that explains it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import Enum
from typing import Any

from asset.deferred import dataclass, field
from asset.verdict.exploration import (
    Approximation,
    Coverage,
    Memory,
    Product,
    Profile,
    RankShare,
    Reduction,
    Seconds,
    Simulation,
)
from asset.verdict.findings import Counterexample, Violation
from asset.verdict.json_text import indented


class Answer(Enum):
    HOLDS = "holds"
    VIOLATED = "violated"
    UNDECIDED = "undecided"


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
            "violation": self.violation and self.violation.to_dict(),
            "counterexample": self.run and self.run.to_dict(),
        }


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
            "violation": self.violation and self.violation.to_dict(),
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
        return "".join(indented(self.to_dict(), " " * indent, "\n"))

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
