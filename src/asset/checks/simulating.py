"""Runs a simulation: a check that makes random runs instead of exploring. What it finds is real, and what it does not
find proves nothing: so it is never said that something holds."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from asset import interruption
from asset.checks.answering import Answers
from asset.checks.choosing import Explored
from asset.checks.engines import Engine
from asset.checks.options import CheckOptions
from asset.checks.plan import task
from asset.checks.reductions import Reduced
from asset.checks.run import Check
from asset.checks.subject import Subject
from asset.engine.outcome import Executable, OnProgress, Outcome, Progress, Sampled, Sampling, Stop
from asset.errors import UsageError
from asset.ir.program import Program
from asset.ir.requirements import Requirement, Stage
from asset.verdict import Answer, Caveat, Simulation, ValuesSeen, Verdict

SECONDS = 10
"""How long it takes if nobody says."""

LENGTH, MOST_LENGTH = 10_000, 1_000_000
"""Steps of a run, if nobody says; and at most."""

FEW = 4096
"""The values of a variable are counted if its type has no more."""

MOST_SEED = 2**64 - 1

SIMULATED = "some random runs were made, which show no more than what happens in them"


@dataclass(frozen=True, slots=True)
class RandomRuns:
    """Which runs to make: for so many `seconds`, or so many `steps` together, whatever comes first."""

    seed: int
    seconds: float | None = None
    steps: int | None = None
    length: int = LENGTH

    def __post_init__(self) -> None:
        if not 0 <= self.seed <= MOST_SEED:
            raise UsageError.of(f"seed must be from 0 to {MOST_SEED}, not {self.seed}")
        if not 1 <= self.length <= MOST_LENGTH:
            raise UsageError.of(f"length must be from 1 to {MOST_LENGTH:,}, not {self.length:,}")
        if self.seconds is None and self.steps is None:
            raise UsageError.of("random runs would go on for ever", remedy="say for how many seconds, or steps")


def simulate(
    subject: Subject, options: CheckOptions, runs: RandomRuns, on_progress: OnProgress | None = None
) -> Verdict:
    """Makes random runs of the model, and says what is wrong in them, if anything is."""
    with interruption.deferred():
        return _Simulating(subject, options, runs, on_progress).run()


class _Simulating(Check):
    def __init__(self, subject: Subject, asked: CheckOptions, runs: RandomRuns, on_progress: OnProgress | None) -> None:
        super().__init__(subject, asked, on_progress, None)
        self.runs = runs
        self.options = replace(self.options, stubborn="off", symmetry="off", max_states=None)
        self.due: float | None = None

    def _observe(self, progress: Progress) -> bool:
        return super()._observe(progress) and not self._is_over()

    def _is_over(self) -> bool:
        return self.due is not None and time.monotonic() >= self.due

    def _explored(self, executable: Executable, engine: Engine, reduced: Reduced) -> Explored:
        program = executable.program
        asked = [each for each in reduced.requirements if each.stage is not Stage.GRAPH]
        sampling = Sampling(self.runs.seed, self.runs.length, self.runs.steps, counted(program))
        self.due = None if self.runs.seconds is None else time.monotonic() + self.runs.seconds
        outcome = engine.simulate(executable, task(program, asked, reduced.reductions), sampling)
        if outcome.stop is Stop.INTERRUPTED and not interruption.asked():
            outcome = replace(outcome, stop=Stop.SAMPLED)
        unasked = {each for each in reduced.requirements if each.stage is Stage.GRAPH}
        return Explored(reduced, Answers(outcome, reduced.requirements, unasked, reasons(outcome, unasked), False))

    def _joined_with_what_is_within(self, verdict: Verdict) -> Verdict:
        """Other runs, which leave out steps beyond a limit."""
        again = _Simulating(self.subject, self.asked, self.runs, self.on_progress)
        again.within_limits = True
        told = tuple(each for each in verdict.caveats if each.code == "step-limit")
        found = again.run()
        return replace(found, caveats=(*told, *found.caveats))

    def _with_the_others(self, verdict: Verdict, executable: Executable, engine: Engine, asked: Reduced) -> Verdict:
        """The verdict with what the runs covered; what else is violated is not looked for."""
        outcome = self.explored.answers.outcome
        assert verdict.answer is not Answer.HOLDS
        if outcome.sampled is None:  # it could not be ended in order
            return verdict
        settings = {"engine": self.options.engine, "threads": self.options.threads, "only": verdict.settings["only"]}
        settings |= {"length": self.runs.length, "time": self.runs.seconds, "steps": self.runs.steps}
        covered = simulation(executable.program, self.runs.seed, outcome, outcome.sampled)
        return replace(verdict, simulation=covered, settings=settings)


def reasons(outcome: Outcome, unasked: set[Requirement]) -> list[Caveat]:
    """Why nothing is known to hold."""
    found = [Caveat(Stop.SAMPLED.value, SIMULATED)] if outcome.stop is not Stop.FINDING else []
    if unasked:
        names = ", ".join(sorted(requirement.name for requirement in unasked))
        found.append(
            Caveat("not-simulated", f"not asked, as only a search of the whole state space can answer it: {names}")
        )
    return found


def counted(program: Program) -> tuple[int, ...]:
    """The cells of variables that have few values."""
    sizes = [variable.cells for variable in program.variables]
    few = [variable.type.hi - variable.type.lo < FEW for variable in program.variables]
    is_counted = [each for each, size in zip(few, sizes, strict=True) for _ in range(size)]
    return tuple(cell for cell, each in enumerate(is_counted) if each)


def simulation(program: Program, seed: int, outcome: Outcome, sampled: Sampled) -> Simulation:
    never = [command for command in range(program.nr_commands) if command not in sampled.fired]
    return Simulation(
        seed=seed,
        steps=outcome.edges,
        runs=sampled.runs,
        longest=outcome.depth,
        ended=outcome.terminal_states,
        states=sampled.distinct,
        transitions=program.nr_commands,
        never_fired=tuple(map(program.command_name, never)),
        values=tuple(_values_seen(program, sampled)),
        found_length=sampled.found_length,
    )


def _values_seen(program: Program, sampled: Sampled) -> list[ValuesSeen]:
    """Of each variable whose values were counted, those of all its cells together."""
    found, seen = [], iter(sampled.values)
    for variable in program.variables:
        values = variable.type.hi - variable.type.lo + 1
        if values <= FEW:
            met = sum(next(seen, 0) for _ in range(variable.cells))
            found.append(ValuesSeen(variable.name, met, values * variable.cells))
    return found
