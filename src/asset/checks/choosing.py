"""Which reductions to use if nobody said: none for a small model, and for a larger one those that are seen to pay.

A model is explored plainly. From a moment on, which is a number of states, reductions are looked for while that goes
on, and each choice of them is tried on a few states. If all is explored before the search has PATIENCE times as many
states, that is the answer. Else it waits there for what was found out, unless little seems to be left. If a choice
pays, the search begins again with it, and if none does, it goes on. Formulas of linear time logic are searched on the
fly first, in as many states as a moment has: a violation may be near, depth-first.

A choice is judged on the levels that both searches have found completely: there it must save enough. Stubborn sets fire
fewer commands, and a symmetry keeps distances. So with them a state is never found nearer to the start, and the first
levels of the reduced space have at most as many states. It must also save more than is left to be explored plainly: if
levels get smaller again, as many states are expected after the largest as before it. What decides are numbers of
states, not of seconds, so it is the same on every machine; but an analysis that runs out of time may find less.

To look for a stubborn set takes many times as long as to explore a state plainly: that is its *price*. So choices are
tried on as many states as take a quarter of a moment. What sets save grows with the levels, or it gets less, about as a
power of the number of states. So what counts is what they would save in FAR times a moment.

If memory ends, or the number of states that is allowed, what saves states is used even if it takes longer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate
from math import ceil, inf, log

from asset import interruption
from asset.checks import soundness
from asset.checks.answering import NO_ROOM, Answering, Answers, answered
from asset.checks.engines import Engine
from asset.checks.options import CheckOptions
from asset.checks.reductions import Analysing, Reduced, reduce
from asset.checks.requirements import kind_of
from asset.deferred import dataclass
from asset.engine.outcome import Asking, Executable, Outcome, Standing, Stop
from asset.ir.requirements import Stage, Temporal
from asset.verdict import Answer

MOMENT = 1_000_000
"""States that are explored plainly before reductions are looked for."""

PATIENCE = 4
"""So many times as many are explored plainly before the search waits for them."""

PAYS = 1.5
"""What reductions must save to be used: a state costs more with them than without."""

AS_ONE = 8
"""Obligations that take as long to meet as it takes to fire a command: measured on models of benchmarks/breadth/."""

FAR = 32
"""Times as many states as a moment has, for which savings are judged."""

GROWTH = 0.5
"""The power of the number of states that savings are believed to grow with, at most; or to get less."""

TRIAL = 4
"""A choice is tried for a moment divided by this."""

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
    """What can be used instead of the plain search. It saves so many times as much work, and states; what it is worth
    takes the price into account. `answers` are those of a trial that was not ended by its limit."""

    reduced: Reduced
    engine: Engine
    why: str
    answers: Answers | None = None
    worth: float = 0.0
    states: float = 1.0
    on_the_fly: bool = False


class Choosing:
    """Explores a model plainly, and with the reductions that pay if that takes long. If nothing is asked of the model,
    it is how many states it has that is of interest, so nothing is reduced. For one search."""

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
        self._tried: list[_Choice] | None = None  # if all were
        self._chosen: _Choice | None = None
        self._waited = False  # for the choice

    def explored(self, plain: Engine) -> Explored:
        """What is found with the machine code of `plain`, or with reductions."""
        limit = self.options.max_states
        if not self.unreduced.requirements or (limit is not None and limit <= MOMENT):
            return Explored(self.unreduced, self._answers(self.unreduced, plain))
        started = time.perf_counter()
        begun = self._begun(plain)
        if self._chosen is None:
            return self._with_more_room(plain, begun)
        if begun.outcome.finding is not None:  # the others are asked again, without what is violated
            begun.outcome = replace(begun.outcome, stop=Stop.FINDING)
            return Explored(self.unreduced, begun)
        spent = time.perf_counter() - started
        choice = self._chosen
        answers = choice.answers or self._answers(choice.reduced, choice.engine, choice.on_the_fly)
        if choice.answers is not None:
            spent -= answers.outcome.explore_seconds
        return Explored(choice.reduced, answers, f"{_not_all()}; {choice.why}", spent)

    def _begun(self, plain: Engine) -> Answers:
        """The plain search: to its end, unless something is chosen instead. One that is kept in a file cannot wait for
        others, so it is made again if nothing is chosen."""
        if plain.checkpointing is None:
            found_out = partial(self._try, plain)
            asking = Asking(MOMENT, PATIENCE * MOMENT, found_out, _is_far_from_its_end, self._none_pays)
            return self._answers(self.unreduced, plain.asking(asking))
        most = min(PATIENCE * MOMENT, self.options.max_states or PATIENCE * MOMENT)
        begun = self._answers(self.unreduced, plain.up_to(most))
        if begun.outcome.stop is not Stop.MAX_STATES or begun.outcome.finding is not None:
            return begun
        standing = _standing(begun.outcome)
        try:
            self._try(plain, standing)
        except KeyboardInterrupt:
            begun.outcome = replace(begun.outcome, stop=Stop.INTERRUPTED)
            return begun
        if (not _is_far_from_its_end(standing) or self._none_pays(standing)) and most != self.options.max_states:
            return self._answers(self.unreduced, plain)
        return begun

    def _none_pays(self, standing: Standing) -> bool:
        """Whether the plain search, which waits, is to go on."""
        self._waited = True
        tried = self._tried or []
        known = next((choice for choice in tried if choice.answers is not None or choice.on_the_fly), None)
        most = max((choice.worth for choice in tried), default=0.0)
        if known is not None:
            self._chosen = known
        elif most >= PAYS and most * _share_left(standing.levels) > 1:
            self._chosen = next(choice for choice in reversed(tried) if choice.worth >= NEARLY * most)
        return self._chosen is None

    def _with_more_room(self, plain: Engine, begun: Answers) -> Explored:
        """The answers of the plain search. If it had not enough room, those with whatever saves the most states."""
        waited = begun.outcome.waited_seconds
        found = Explored(self.unreduced, begun, f"{_not_all()}; {_NONE_PAYS}" if self._waited else "", waited)
        if not _lacked_room(begun) or plain.goes_on_later:
            return found
        started = time.perf_counter()
        try:
            if self._tried is None:
                self._try(plain, _standing(begun.outcome))
        except KeyboardInterrupt:
            return found
        choice = max(self._tried or (), key=lambda choice: choice.states, default=None)
        if choice is None or choice.states < PAYS:
            return found
        spent = waited + time.perf_counter() - started
        answers = choice.answers or self._answers(choice.reduced, choice.engine)
        why = f"explored plainly, {begun.outcome.states:,} states were not all and there was no room for more; "
        if answers.overall is Answer.UNDECIDED:
            return replace(found, why=f"{why}nor was there with {_names(choice.reduced)}")
        return Explored(choice.reduced, answers, f"{why}{_names(choice.reduced)} leave fewer", spent)

    def with_symmetries_that_pay(self, engine: Engine) -> Explored:
        """What is found with the symmetries that the user has asked for; without them if they save nothing on the first
        states."""
        given, plain = self.unreduced, self.unreduced.without_symmetry()
        plain_engine = engine.using(plain.reductions)
        samples = [each for each in (SAMPLE, 10 * SAMPLE) if each < (self.options.max_states or each + 1)]
        for sample in samples:
            begun = self._answers(given, engine.up_to(sample))
            if not _goes_on(begun.outcome):
                begun = self._answers(given, engine) if begun.open else begun
                fewer = self._in_fewer_states(begun, plain, engine)
                why = f"with symmetry there are {begun.outcome.states:,} states, so it is not used"
                return Explored(given, begun) if fewer is None else Explored(plain, fewer, why)
            without = self._answers(plain, plain_engine.up_to(sample))
            if not _goes_on(without.outcome):
                break
            if _saving(_standing(without.outcome), begun.outcome) >= SAVES:
                return Explored(given, self._answers(given, engine))
        why = f"the symmetries that were found save nothing on the first {sample:,} states, so they are not used"
        return Explored(plain, self._answers(plain, plain_engine), why)

    def _in_fewer_states(self, found: Answers, alone: Reduced, engine: Engine) -> Answers | None:
        """What stubborn sets alone find in fewer states than with symmetries. A set is chosen by the numbers of
        commands, which renaming changes from state to state, so that steps are put in more than one order."""
        most = found.outcome.states
        if not alone.reductions.stubborn or found.overall is not Answer.HOLDS:
            return None
        answers = self._answers(alone, engine.using(alone.reductions).up_to(most))
        return answers if answers.overall is Answer.HOLDS and answers.outcome.states < most else None

    def _try(self, plain: Engine, begun: Standing, is_needed: Callable[[], bool] = lambda: True) -> None:
        """Finds out what each choice saves, as long as the plain search has not ended; that of formulas on the fly, if
        it violates one, or if there is no other."""
        glanced = self._violated_on_the_fly(plain.up_to(MOMENT))
        if glanced is not None:
            self._tried = [_Choice(self.unreduced, plain, "a search on the fly has found a violation", glanced)]
            return
        tried: list[_Choice] = []
        for reduced, engine in self._candidates(plain, is_needed):
            if not is_needed():
                return
            choice = self._judged(reduced, engine, begun, tried)
            tried += [] if choice is None else [choice]
            if choice is not None and choice.answers is not None:
                break
        if self._only_runs_need_the_graph and plain.checkpointing is None and all(each.worth < PAYS for each in tried):
            tried.append(_Choice(self.unreduced, plain, _NONE_PAYS, on_the_fly=True))
        self._tried = tried

    def _judged(self, reduced: Reduced, engine: Engine, plain: Standing, before: Sequence[_Choice]) -> _Choice | None:
        """What is found out on some states; None if it cannot be of use."""
        price = _price(reduced, plain)
        if price > 1 and any(other.worth < PAYS for other in before):  # with both reductions, sets do not pay
            return None
        answers = self._answers(reduced, engine.up_to(ceil(MOMENT / TRIAL / price)))
        if answers.open:  # more than these states must be explored without stubborn sets, which then save nothing
            return None
        if not _goes_on(answers.outcome):
            alone = reduced.without_symmetry()
            if reduced.reductions.symmetry and (fewer := self._in_fewer_states(answers, alone, engine)) is not None:
                reduced, engine, answers = alone, engine.using(alone.reductions), fewer
            why = f"with {_names(reduced)}, {answers.outcome.states:,} are"
            return _Choice(reduced, engine, why, answers, worth=inf, states=inf)
        outcome = answers.outcome
        fired, states = max(1, outcome.edges) / max(1, outcome.enabled), _saving(plain, outcome)
        worth = _expected_saving(plain, outcome) / (fired + price - 1)
        return _Choice(reduced, engine, _told_of(reduced, states / fired), worth=worth, states=states)

    def _candidates(self, plain: Engine, is_needed: Callable[[], bool]) -> Iterator[tuple[Reduced, Engine]]:
        """Both reductions, which leave the least to explore, then each alone; as far as there are any."""
        both = self._found(self._stubborn, self._symmetry, is_needed)
        if not is_needed() or not (both.reductions.symmetry or both.reductions.stubborn):
            return
        engine = self._engine(plain, both)
        yield both, engine
        if both.reductions.symmetry and both.reductions.stubborn:
            for alone in (both.without_symmetry(), both.without_stubborn_sets()):
                yield alone, engine.using(alone.reductions)
        if both.reductions.stubborn:
            yield from self._followed(plain, is_needed)

    def _followed(self, plain: Engine, is_needed: Callable[[], bool]) -> Iterator[tuple[Reduced, Engine]]:
        """Symmetries that need not keep all requirements: without stubborn sets, some of these can be followed."""
        rows = [kind_of(requirement).soundness for requirement in self.unreduced.requirements]
        if self._symmetry == "auto" and any(soundness.can_be_followed(row, stubborn=False) for row in rows):
            found = self._found("off", "auto", is_needed)
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

    def _found(self, stubborn: str, symmetry: str, is_needed: Callable[[], bool]) -> Reduced:
        def observe(what: str, done: int, of: int) -> bool:
            return is_needed() and (self.analysing is None or self.analysing(what, done, of))

        options = replace(self.options, stubborn=stubborn, symmetry=symmetry)
        with interruption.at_once():
            found = reduce(self.executable.program, self.unreduced.requirements, options, observe)
        return found.without_stubborn_sets() if found.again else found

    def _engine(self, plain: Engine, reduced: Reduced) -> Engine:
        engine = plain.made_for(reduced.reductions)
        with interruption.at_once():
            engine.prepare(self.executable.program)
        return engine

    def _answers(self, reduced: Reduced, engine: Engine, on_the_fly: bool = False) -> Answers:
        return answered(self.executable, engine, reduced, on_the_fly, self.options.keep_going)

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


_NONE_PAYS = "no reduction was found that pays, so the plain search went on"


def _not_all() -> str:
    return f"explored plainly, {PATIENCE * MOMENT:,} states are not all"


def _goes_on(outcome: Outcome) -> bool:
    return outcome.stop is Stop.MAX_STATES


def _lacked_room(answers: Answers) -> bool:
    """Whether the search ended for want of memory or states, and something is not known."""
    stopped = answers.outcome.stop in (Stop.MAX_MEMORY, Stop.MAX_STATES)
    return answers.overall is Answer.UNDECIDED and (stopped or any(r.code == NO_ROOM for r in answers.reasons))


def _standing(outcome: Outcome) -> Standing:
    return Standing(outcome.levels, outcome.states, outcome.edges)


def _saving(plain: Standing, reduced: Outcome) -> float:
    """How many times as many states the plain search has in the levels that both have found completely."""
    levels = min(len(plain.levels), len(reduced.levels))
    return sum(plain.levels[:levels]) / max(1, sum(reduced.levels[:levels]))


def _expected_saving(plain: Standing, reduced: Outcome) -> float:
    """The same for a search that goes far, if it goes on growing as from an eighth of these states to all."""
    pairs = list(zip(accumulate(plain.levels), accumulate(reduced.levels), strict=False))
    if not pairs:
        return 1.0
    all_plain, all_reduced = pairs[-1]
    early_plain, early_reduced = next((p, r) for p, r in pairs if 8 * r >= all_reduced)
    saving, growth = all_plain / all_reduced, 0.0
    if all_plain > early_plain:
        growth = log(saving * early_reduced / early_plain) / log(all_plain / early_plain)
    return saving * float(max(1.0, FAR * MOMENT / all_plain) ** max(-GROWTH, min(GROWTH, growth)))


def _share_left(levels: Sequence[int]) -> float:
    """Of all states, how many are expected to be left: all, as long as levels do not get smaller."""
    most = max(range(len(levels)), key=levels.__getitem__)
    if most == len(levels) - 1:
        return 1.0
    found, total = sum(levels), 2 * sum(levels[: most + 1])
    return max(0.0, 1 - found / total)


def _is_far_from_its_end(plain: Standing) -> bool:
    """Else it takes at most half as long again, which is not worth waiting for anything."""
    return _share_left(plain.levels) > 1 / 3


def _price(reduced: Reduced, plain: Standing) -> float:
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
