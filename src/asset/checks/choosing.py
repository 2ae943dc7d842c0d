"""Which reductions to use if nobody said: none for a small model, and for a larger one those that are seen to pay.

A model is explored plainly up to MOMENT states. If that was not all, formulas of linear time logic are searched on the
fly, in as many states: a violation may be near, depth-first. Then reductions are found in the model, and each choice of
them is tried on fewer. It is judged on the levels that the plain search has found completely: there it must save
enough. Stubborn sets fire fewer commands, and a symmetry keeps distances. So with them a state is never found nearer to
the start, and the first levels of the reduced space have at most as many states. What decides is a number of states,
not of seconds, so it is the same on every machine; but an analysis that runs out of time may find less.

To look for a stubborn set takes many times as long as to explore a state plainly: that is its *price*. What sets save
grows with the levels, about as a power of the number of states: of the square of it, the square. So they must save the
root of the price in a moment, and are tried on as many states as a moment has by that root.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil, sqrt

from asset import interruption
from asset.checks import soundness
from asset.checks.answering import Answering, Answers
from asset.checks.engines import Engine
from asset.checks.options import CheckOptions
from asset.checks.reductions import Analysing, Reduced, reduce
from asset.checks.requirements import kind_of
from asset.engine.outcome import Executable, Outcome, Stop
from asset.ir.requirements import Stage, Temporal

MOMENT = 1_000_000
"""States that are explored plainly before reductions are looked for."""

PAYS = 1.5
"""What reductions must save to be used: a state costs more with them than without."""

AS_ONE = 8
"""Obligations that take as long to meet as it takes to fire a command: measured on models of benchmarks/breadth/."""

SAMPLE = 100_000
"""States on which symmetries that were asked for must save something; or on ten times as many, as they may save nothing
near to an initial state that is not symmetric."""

SAVES = 1.02
"""Less is nothing: finding representatives takes longer."""

NEARLY = 0.9
"""Of two choices that save nearly the same, the simpler one is taken."""


@dataclass(frozen=True, slots=True)
class Explored:
    """What a search said, with which reductions, and why these were chosen; no reason if the user has chosen."""

    reduced: Reduced
    answers: Answers
    why: str = ""
    seconds: float = 0.0
    """How long it took to choose."""


@dataclass(frozen=True, slots=True)
class _Choice:
    """`answers` are those of a trial that was not ended by its limit."""

    reduced: Reduced
    engine: Engine
    why: str
    answers: Answers | None = None


class Choosing:
    """Explores a model plainly, and with the reductions that pay if that takes more than a moment. If nothing is asked
    of the model, it is how many states it has that is of interest, so nothing is reduced."""

    def __init__(
        self,
        executable: Executable,
        unreduced: Reduced,
        options: CheckOptions,
        analysing: Analysing | None = None,
    ) -> None:
        self.executable = executable
        self.unreduced = unreduced
        self.options = options
        self.analysing = analysing

    def explored(self, plain: Engine) -> Explored:
        """What is found with the machine code of `plain`, or with reductions."""
        limit = self.options.max_states
        if not self.unreduced.requirements or (limit is not None and limit <= MOMENT):
            return Explored(self.unreduced, self._answers(self.unreduced, plain))
        started = time.perf_counter()
        begun = self._answers(self.unreduced, plain.up_to(MOMENT))
        if not _goes_on(begun.outcome):
            return Explored(self.unreduced, begun)
        if begun.outcome.finding is not None:  # the others are asked again, without what is violated
            begun.outcome = replace(begun.outcome, stop=Stop.FINDING)
            return Explored(self.unreduced, begun)
        glanced = self._violated_on_the_fly(plain.up_to(MOMENT))
        if glanced is not None:
            spent = time.perf_counter() - started - glanced.outcome.explore_seconds
            return Explored(self.unreduced, glanced, f"{_not_all()}; a search on the fly has found a violation", spent)
        try:
            choice = self._choice(plain, begun.outcome) or _Choice(self.unreduced, plain, _NONE_PAYS)
        except KeyboardInterrupt:
            begun.outcome = replace(begun.outcome, stop=Stop.INTERRUPTED)
            return Explored(self.unreduced, begun)
        spent = time.perf_counter() - started
        on_the_fly = choice.reduced is self.unreduced and self._only_runs_need_the_graph
        on_the_fly &= plain.checkpointing is None  # a search on the fly cannot go on
        answers = choice.answers or self._answers(choice.reduced, choice.engine, on_the_fly)
        if choice.answers is not None:
            spent -= answers.outcome.explore_seconds
        why = f"{_not_all()}; {choice.why}"
        return Explored(choice.reduced, answers, why, spent)

    def with_symmetries_that_pay(self, engine: Engine) -> Explored:
        """What is found with the symmetries that the user has asked for; without them if they save nothing on the first
        states."""
        given, plain = self.unreduced, self.unreduced.without_symmetry()
        plain_engine = engine.using(plain.reductions)
        samples = [each for each in (SAMPLE, 10 * SAMPLE) if each < (self.options.max_states or each + 1)]
        for sample in samples:
            begun = self._answers(given, engine.up_to(sample))
            if not _goes_on(begun.outcome):
                return Explored(given, self._answers(given, engine) if begun.open else begun)
            without = self._answers(plain, plain_engine.up_to(sample))
            if not _goes_on(without.outcome):
                break
            if _saving(without.outcome, begun.outcome) >= SAVES:
                return Explored(given, self._answers(given, engine))
        why = f"the symmetries that were found save nothing on the first {sample:,} states, so they are not used"
        return Explored(plain, self._answers(plain, plain_engine), why)

    def _choice(self, plain: Engine, explored: Outcome) -> _Choice | None:
        """The first that ends in a moment, else the last that saves nearly as much as any; None if none pays."""
        tried: list[tuple[float, _Choice]] = []  # with what each is worth
        for reduced, engine in self._candidates(plain):
            needed = sqrt(_price(reduced, explored))
            if needed > 1 and any(worth < PAYS for worth, _ in tried):  # with both reductions, sets do not pay
                continue
            answers = self._answers(reduced, engine.up_to(ceil(MOMENT / needed)))
            if answers.open:  # more than these states must be explored without stubborn sets, which then save nothing
                continue
            if not _goes_on(answers.outcome):
                why = f"with {_names(reduced)}, {answers.outcome.states:,} are"
                return _Choice(reduced, engine, why, answers)
            saving = _saving(explored, answers.outcome)
            tried.append((saving / needed, _Choice(reduced, engine, _told_of(reduced, saving))))
        most = max((worth for worth, _ in tried), default=0.0)
        return next(choice for worth, choice in reversed(tried) if worth >= NEARLY * most) if most >= PAYS else None

    def _candidates(self, plain: Engine) -> Iterator[tuple[Reduced, Engine]]:
        """Both reductions, which leave the least to explore, then each alone; as far as there are any."""
        both = self._found(stubborn=self._stubborn, symmetry=self._symmetry)
        if not both.reductions.symmetry and not both.reductions.stubborn:
            return
        engine = self._engine(plain, both)
        yield both, engine
        if both.reductions.symmetry and both.reductions.stubborn:
            for alone in (both.without_symmetry(), both.without_stubborn_sets()):
                yield alone, engine.using(alone.reductions)
        if both.reductions.stubborn:
            yield from self._followed(plain)

    def _followed(self, plain: Engine) -> Iterator[tuple[Reduced, Engine]]:
        """Symmetries that need not keep all requirements: without stubborn sets, some of these can be followed."""
        rows = [kind_of(requirement).soundness for requirement in self.unreduced.requirements]
        if self._symmetry == "auto" and any(soundness.can_be_followed(row, stubborn=False) for row in rows):
            found = self._found(stubborn="off", symmetry="auto")
            if found.reductions.symmetry:
                yield found, self._engine(plain, found)

    @property
    def _stubborn(self) -> str:
        """What they do not preserve is asked again without them, so that they save nothing."""
        return "auto" if self.unreduced.preserved == self.unreduced.requirements else "off"

    @property
    def _symmetry(self) -> str:
        """The states of a run with symmetry are representatives, so only the first run found can be shown."""
        return "auto" if self.options.trace in (None, "first") else "off"

    def _found(self, stubborn: str, symmetry: str) -> Reduced:
        options = replace(self.options, stubborn=stubborn, symmetry=symmetry)
        with interruption.at_once():
            found = reduce(self.executable.program, self.unreduced.requirements, options, self.analysing)
        return found.without_stubborn_sets() if found.again else found

    def _engine(self, plain: Engine, reduced: Reduced) -> Engine:
        engine = plain.made_for(reduced.reductions)
        with interruption.at_once():
            engine.prepare(self.executable.program)
        return engine

    def _answers(self, reduced: Reduced, engine: Engine, on_the_fly: bool = False) -> Answers:
        keep_going = self.options.keep_going
        return Answering(self.executable, engine, reduced.requirements, reduced.repair, on_the_fly, keep_going).run()

    def _violated_on_the_fly(self, engine: Engine) -> Answers | None:
        """A violation of a formula, or a model error, that is found soon; each formula is searched by itself."""
        for formula in self._of_runs:
            answers = Answering(self.executable, engine, [formula], on_the_fly=True).run()
            if not _goes_on(answers.outcome):
                answers.requirements = self.unreduced.requirements
                answers.open.update(set(answers.requirements) - {formula})
                return answers
        return None

    @property
    def _of_runs(self) -> list[Temporal]:
        """The formulas that may be searched on the fly."""
        formulas = [each for each in self.unreduced.requirements if isinstance(each, Temporal)]
        return formulas if self.options.threads == 1 else []

    @property
    def _only_runs_need_the_graph(self) -> bool:
        needing = [each for each in self.unreduced.requirements if each.stage is Stage.GRAPH]
        return bool(needing) and needing == self._of_runs


_NONE_PAYS = "no reduction was found that pays, so all of them were explored"


def _not_all() -> str:
    return f"explored plainly, {MOMENT:,} states are not all"


def _goes_on(outcome: Outcome) -> bool:
    return outcome.stop is Stop.MAX_STATES


def _saving(plain: Outcome, reduced: Outcome) -> float:
    """How many times as much work the plain search has had in the levels that both have found completely."""
    levels = min(len(plain.levels), len(reduced.levels))
    states = sum(plain.levels[:levels]) / max(1, sum(reduced.levels[:levels]))
    return states * reduced.enabled / max(1, reduced.edges)


def _price(reduced: Reduced, plain: Outcome) -> float:
    """How many times as long a state takes with the reductions as without. Representatives cost little."""
    derived = reduced.reductions.derived
    if derived is None:
        return 1.0
    obligations = sum(len(case.obligations) for cases in derived.cases for case in cases)
    return 1 + obligations * plain.states / (AS_ONE * max(1, plain.edges))


def _told_of(reduced: Reduced, saving: float) -> str:
    return f"{_names(reduced)} save{'' if reduced.reductions.stubborn else 's'} a factor of {saving:.1f}"


def _names(reduced: Reduced) -> str:
    names = {"symmetry": reduced.reductions.symmetry, "stubborn sets": reduced.reductions.stubborn}
    return " and ".join(name for name, is_used in names.items() if is_used)
