"""What a run says of a formula: judged by the semantics on lassos, and told as a story.

The story goes down the formula, to the parts that decide: where something that should always hold does not, from where
on something that should come never does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from asset.engine.outcome import Executable, Finding, StepEvaluator
from asset.ir.requirements import Branching, Enabled, Fairness, Observation, Predicate, StepPredicate, Taken, Temporal
from asset.logic.formulas import (
    Always,
    And,
    Eventually,
    Formula,
    Implies,
    Next,
    Not,
    Or,
    Release,
    StrongRelease,
    Until,
    WeakUntil,
)
from asset.logic.semantics import truth_of_parts


@dataclass(frozen=True)
class Lasso:
    """A run for ever, with what is observed at each moment. A run that ends stays in its last state."""

    executable: Executable
    finding: Finding
    required: Temporal

    @cached_property
    def length(self) -> int:
        """Of moments; the last is followed by the first of the cycle."""
        return len(self.finding.path) - (self.finding.cycle_starts_at is not None)

    @property
    def back(self) -> int:
        at = self.finding.cycle_starts_at
        return self.length - 1 if at is None else at

    def fired_at(self, moment: int) -> int | None:
        path = self.finding.path
        return path[moment + 1][0] if moment + 1 < len(path) else None

    @cached_property
    def enabled(self) -> list[frozenset[int]]:
        commands = range(self.executable.program.nr_commands)[::-1]  # as they are skipped
        states = [state for _, state in self.finding.path[: self.length]]
        return [frozenset(c for c in commands if self.executable.fire(state, c) is not None) for state in states]

    @cached_property
    def observed(self) -> list[frozenset[Observation]]:
        return [frozenset(self._observed(moment)) for moment in range(self.length)]

    def _observed(self, moment: int) -> Iterator[Observation]:
        for each in self.required.observations:
            match each:
                case Predicate():
                    held = self.executable.evaluate(each, self.finding.path[moment][1]) is None
                case Enabled(commands=commands):
                    held = bool(commands & self.enabled[moment])
                case Taken(commands=commands):
                    held = self.fired_at(moment) in commands
                case StepPredicate():
                    path = self.finding.path
                    following = path[min(moment + 1, len(path) - 1)][1]
                    assert isinstance(self.executable, StepEvaluator), "formulas are of a language that has them"
                    held = self.executable.evaluate_step(each, path[moment][1], following)
            if held:
                yield each

    def truth(self, formula: Formula) -> dict[Formula, list[bool]]:
        return truth_of_parts(formula, self.observed[: self.back], self.observed[self.back :])

    def objections(self) -> Iterator[str]:
        """Why the run does not show that the formula is violated: nothing, if it does."""
        if self.truth(self.required.formula)[self.required.formula][0]:
            yield f"{self.required.name} holds on the run"
        for assumed in self.required.assumptions:
            if not self.truth(assumed)[assumed][0]:
                yield "an assumption does not hold on the run"
        for fairness in self.required.fairness:
            if not self.is_fair(fairness):
                yield f"the run is not fair to {fairness.name}"

    def is_fair(self, fairness: Fairness) -> bool:
        cycle = range(self.back, self.length)
        if any(self.fired_at(moment) in fairness.commands for moment in cycle):
            return True
        able = [bool(fairness.commands & self.enabled[moment]) for moment in cycle]
        return not any(able) if fairness.strong else not all(able)


def located(executable: Executable, finding: Finding) -> Finding:
    """The finding with the moment from which on the promise is broken as where progress is lost."""
    required = finding.requirement
    if isinstance(required, Branching):
        return replace(finding, progress_lost_at=None)  # it is lost in the initial state
    if not isinstance(required, Temporal):
        return finding
    return replace(finding, progress_lost_at=_Story(Lasso(executable, finding, required)).told()[1])


def story(lasso: Lasso) -> str:
    """What the run shows, in words."""
    clauses = _Story(lasso).told()[0]
    start, last = lasso.back + 1, len(lasso.finding.path) - 1
    if lasso.finding.cycle_starts_at is None:
        clauses.append("the run stays in its last state for ever")
        fair = ["nothing is enabled there"] if lasso.required.fairness else []
    else:
        clauses.append(f"the run repeats {f'step {last}' if start == last else f'steps {start} to {last}'} for ever")
        fair = list(_justice(lasso))
    return "; ".join([*clauses, *([f"fairness: {', '.join(fair)}"] if fair else [])])


def _justice(lasso: Lasso) -> Iterator[str]:
    """How the cycle is fair."""
    cycle = range(lasso.back, lasso.length)
    never = []
    for fairness in lasso.required.fairness:
        moved = next((moment + 1 for moment in cycle if lasso.fired_at(moment) in fairness.commands), None)
        idle = [moment for moment in cycle if not fairness.commands & lasso.enabled[moment]]
        if moved is not None:
            yield f"{fairness.name} moves at step {moved}"
        elif len(idle) < len(cycle):
            yield f"{fairness.name} is not enabled {_at(idle[0])}"
        else:
            never.append(fairness.name)
    if never:
        yield f"{' and '.join(never)} {'is' if len(never) == 1 else 'are'} never enabled in the cycle"


class _Story:
    """Why the formula is false at the first moment."""

    def __init__(self, lasso: Lasso) -> None:
        self._lasso = lasso
        self._truth = lasso.truth(lasso.required.formula)
        self._clauses: list[str] = []
        self._moment = 0

    def told(self) -> tuple[list[str], int]:
        """The clauses, and the moment that they come to."""
        self._tell(self._lasso.required.formula, 0, False)
        return self._clauses, self._moment

    def _tell(self, formula: Formula, at: int, value: bool) -> None:
        """Why the formula has this value at the moment."""
        match formula, value:
            case (Not(operand), _):
                self._tell(operand, at, not value)
            case (And(parts), False) | (Or(parts), True):
                self._tell(next(part for part in parts if self._truth[part][at] == value), at, value)
            case (And(parts), True) | (Or(parts), False):
                for part in parts:
                    self._tell(part, at, value)
            case (Implies(left, right), False):
                self._tell(left, at, True)
                self._tell(right, at, False)
            case (Implies(left, right), True):
                told = right if self._truth[right][at] else left
                self._tell(told, at, told is right)
            case (Next(operand), _):
                self._tell(operand, self._after(at), value)
            case (Always(operand), False) | (Eventually(operand), True):
                self._tell(operand, self._first(operand, at, value), value)
            case (Eventually(operand), False):
                self._say(at, f"{_from(at)} {operand} never holds")
            case (Always(operand), True):
                self._say(at, f"{_from(at)} {operand} always holds")
            case (Until() | StrongRelease() | Release() | WeakUntil(), _):
                self._tell_until(formula, at, value)
            case _:
                self._say(at, f"{formula} {'holds' if value else 'does not hold'} {_at(at)}")

    def _tell_until(self, formula: Formula, at: int, value: bool) -> None:
        left, right = formula.operands
        if not value and isinstance(formula, Until) and not any(self._truth[right][m] for m in self._from(at)):
            self._say(at, f"{_from(at)} {right} never holds")
            return
        if not value and isinstance(formula, Until | WeakUntil):
            broken = next(m for m in self._from(at) if not self._truth[left][m] and not self._truth[right][m])
            self._say(broken, f"{left} does not hold {_at(broken)}, and {right} did not come before")
            return
        if not value and isinstance(formula, Release):
            broken = self._first(right, at, False)
            self._say(broken, f"{right} does not hold {_at(broken)}, and {left} did not come before")
            return
        self._say(at, f"{formula} {'holds' if value else 'does not hold'} {_at(at)}")

    def _say(self, at: int, clause: str) -> None:
        self._moment = at
        self._clauses.append(clause)

    def _after(self, at: int) -> int:
        return at + 1 if at + 1 < self._lasso.length else self._lasso.back

    def _from(self, at: int) -> Iterator[int]:
        """The moments from this one on, each once."""
        yield from range(at, self._lasso.length)
        yield from range(self._lasso.back, min(at, self._lasso.length))

    def _first(self, formula: Formula, at: int, value: bool) -> int:
        return next(moment for moment in self._from(at) if self._truth[formula][moment] == value)


def _at(moment: int) -> str:
    return f"after step {moment}" if moment else "in the initial state"


def _from(moment: int) -> str:
    return f"from step {moment} on" if moment else "from the initial state on"
