"""From what a search finds, perhaps with reductions, to what is known of the full model.

`asset.checks.soundness` says what a reduction preserves; here it is acted on. A question that cannot be answered with
the reductions at hand is left open, with a reason, and the search goes on without it.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from asset.checks import soundness
from asset.checks.engines import Engine
from asset.checks.options import CheckOptions
from asset.checks.plan import Question, task
from asset.checks.rendering import values
from asset.checks.respect import asymmetries, refuted_by_unwinding
from asset.engine.outcome import Executable, Finding, Outcome, Stop, Task, Wrong
from asset.ir.program import Program, Property, Recurrence, State
from asset.verdict import Answer, Caveat

STAGES = (Wrong.MAY_PROGRESS, Wrong.MUST_PROGRESS, Wrong.RECURRENCE, Wrong.TERMINATION)
"""What is looked at when everything is explored and no state is bad, in this order."""


@dataclass(slots=True)
class Answers:
    """What a search said of the questions. `reasons` say why questions are open."""

    outcome: Outcome
    questions: Sequence[Question]
    open: set[Question]
    reasons: list[Caveat]
    stubborn: bool

    def answer(self, question: Question) -> Answer:
        """A finding decides its own question and, where everything was explored, those looked at before it."""
        finding = self.outcome.finding
        if finding is not None and (finding.wrong, finding.index) == (question.wrong, question.index):
            return Answer.VIOLATED
        if question in self.open:
            return Answer.UNDECIDED
        decided = self.outcome.stop is Stop.COMPLETE if finding is None else self._was_before(question, finding)
        return Answer.HOLDS if decided else Answer.UNDECIDED

    def _was_before(self, question: Question, finding: Finding) -> bool:
        if finding.wrong not in STAGES or (self.stubborn and not soundness.pass_always_stands(question.wrong)):
            return False
        if question.wrong not in STAGES:
            return True
        return (STAGES.index(question.wrong), question.index) < (STAGES.index(finding.wrong), finding.index)

    @property
    def overall(self) -> Answer:
        if self.outcome.finding is not None:
            return Answer.VIOLATED
        known = all(self.answer(question) is Answer.HOLDS for question in self.questions)
        return Answer.HOLDS if known and self.outcome.stop is Stop.COMPLETE else Answer.UNDECIDED


@dataclass(slots=True)
class Answering:
    """Asks an engine until each question is answered or left open."""

    executable: Executable
    engine: Engine
    questions: Sequence[Question]
    open: set[Question] = field(default_factory=set)
    reasons: list[Caveat] = field(default_factory=list)
    unconfirmed: list[tuple[Outcome, bool]] = field(default_factory=list)
    """Outcomes with a violation that was not found in the full model, and whether that was explored completely."""

    @property
    def options(self) -> CheckOptions:
        return self.engine.options

    @property
    def program(self) -> Program:
        return self.executable.program

    def run(self) -> Answers:
        if self.options.symmetry == "hand":
            self._leave_asymmetric_open()
        outcome = self._explore()
        while (doubtful := self._doubtful(outcome)) is not None:
            self.open.add(doubtful)
            outcome = self._explore()
        if outcome.stop is Stop.COMPLETE:
            outcome = self._complete(outcome)
        return Answers(outcome, self.questions, self.open, self.reasons, self.options.stubborn != "off")

    def _task(self) -> Task:
        asked = [question for question in self.questions if question not in self.open]
        return task(asked, self.options, self.engine.derived, self.engine.group)

    def _explore(self) -> Outcome:
        """Explores; a violation that must be confirmed in the full model is replaced by the one found there, if any."""
        outcome = self.engine.explore(self.executable, self._task())
        finding = outcome.finding
        if finding is None or self.options.stubborn == "off" or not soundness.must_be_confirmed(finding.wrong):
            return outcome
        confirmation = self._ask_full_model(finding)
        if confirmation.finding is None:
            self.unconfirmed.append((outcome, confirmation.stop is Stop.COMPLETE))
            return outcome
        return replace(outcome, finding=_continued(finding, confirmation.finding))

    def _doubtful(self, outcome: Outcome) -> Question | None:
        """The question about which the outcome has a violation that proves nothing, if so; the reason is noted."""
        finding = outcome.finding
        if finding is None:
            return None
        question = self._question(finding)
        if question is None:
            return None
        if any(outcome is each for each, _ in self.unconfirmed):
            self.reasons.append(soundness.unconfirmed(question.name))
            return question
        if self.options.symmetry == "hand" and isinstance(question.subject, Property):
            where = refuted_by_unwinding(self.executable, finding, question.subject)
            if where is not None:
                self.reasons.append(soundness.asymmetric(question.name, self._difference(where)))
                return question
        return None

    def _complete(self, outcome: Outcome) -> Outcome:
        """Everything was explored and nothing else found: what does that say of the questions?"""
        for found, refuted in self.unconfirmed:
            if not refuted:  # the model is always may-terminating: the violation counts (Theorem 5)
                self.reasons.clear()
                return found
        if self.options.stubborn != "off":
            for question in self.questions:
                if question not in self.open and soundness.pass_is_unreliable(question.wrong):
                    self.open.add(question)
                    self.reasons.append(soundness.unreliable_pass(question.name))
        return outcome

    # --- stubborn sets ------------------------------------------------------------------------------------------

    def _ask_full_model(self, finding: Finding) -> Outcome:
        """What the full model, begun where progress was lost, says of the same question."""
        lost_at = finding.path[finding.progress_lost_at or 0][1]
        question = self._question(finding)
        alone = task([question] if question is not None else [], self.options)
        return self.engine.explore(_begun_in(self.executable, lost_at), replace(alone, stubborn=False, derived=None))

    def _question(self, finding: Finding) -> Question | None:
        """What the finding answers; None for a model error."""
        about = (finding.wrong, finding.index)
        return next((question for question in self.questions if (question.wrong, question.index) == about), None)

    # --- symmetry -----------------------------------------------------------------------------------------------

    def _leave_asymmetric_open(self) -> None:
        """Recurrences of single commands, and properties that are seen to differ between symmetric states."""
        sensitive = [question for question in self.questions if soundness.must_be_respected(question.wrong)]
        properties = [question.subject for question in sensitive if isinstance(question.subject, Property)]
        differing = asymmetries(self.executable, properties)
        for question in sensitive:
            if isinstance(question.subject, Recurrence):
                if not soundness.respects_families(self.program, question.subject):
                    self.open.add(question)
                    self.reasons.append(soundness.partial_families(question.name))
            elif question.name in differing:
                self.open.add(question)
                self.reasons.append(soundness.asymmetric(question.name, self._difference(differing[question.name])))

    def _difference(self, state: State) -> str:
        return f"it differs between {self._shown(state)} and its representative"

    def _shown(self, state: State) -> str:
        return ", ".join(f"{name}={value}" for name, value in values(self.program, state).items())


def _begun_in(executable: Executable, state: State) -> Executable:
    """The same model with this state as its initial state."""
    program = executable.program
    starts = zip(program.variables, program.offsets, strict=True)
    variables = tuple(replace(v, initial=state[offset : offset + v.cells]) for v, offset in starts)
    moved = copy.copy(executable)
    moved.program = replace(program, variables=variables)
    return moved


def _continued(finding: Finding, further: Finding) -> Finding:
    """The run to where the first finding lost progress, then that of the further one, which begins there."""
    lost_at = finding.progress_lost_at or 0
    if finding.path[lost_at][1] != further.path[0][1] or further.progress_lost_at is None:
        return finding  # a representative that is not its own: the run begins in another symmetric state
    return replace(
        further,
        path=(*finding.path[: lost_at + 1], *further.path[1:]),
        progress_lost_at=lost_at + further.progress_lost_at,
        cycle_starts_at=None if further.cycle_starts_at is None else lost_at + further.cycle_starts_at,
    )
