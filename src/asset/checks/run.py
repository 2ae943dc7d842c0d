"""Runs a check: front end, audit, engine, replay, verdict."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from asset.checks import soundness
from asset.checks.answering import Answering, Answers
from asset.checks.engines import Engine
from asset.checks.options import CheckOptions
from asset.checks.plan import KIND_WORDS, Plan, plan, task, vouching
from asset.checks.subject import Subject
from asset.engine.outcome import Executable, Finding, Observer, Outcome, Stop
from asset.errors import ModelRejected
from asset.ir.program import Program, Property, State
from asset.verdict import Answer, Caveat, Checked, Counterexample, Memory, Reduction, Seconds, Verdict, Violation

if TYPE_CHECKING:
    from asset.checks.audit import Audit, Mistake
    from asset.checks.deriving import Analysing
    from asset.ir.derived import DerivedRules
    from asset.ir.symmetric import Group

STOPPED = {
    Stop.MAX_STATES: "the limit on states was reached: not every reachable state was explored",
    Stop.MAX_MEMORY: "the memory limit was reached: not everything was explored and checked",
    Stop.INTERRUPTED: "the search was interrupted: not everything was explored and checked",
}


def check(
    subject: Subject,
    options: CheckOptions,
    observer: Observer | None = None,
    analysing: Analysing | None = None,
) -> Verdict:
    """Explores the model and answers for its properties. `analysing` is told how far deriving rules has come."""
    return _Check(subject, subject.options(options), observer, analysing).run()


@dataclass(frozen=True, slots=True)
class _Shown:
    """What a finding comes to in a verdict; nothing where there is none."""

    violation: Violation | None = None
    run: Counterexample | None = None
    sources: Mapping[str, str] = field(default_factory=dict)


class _Check:
    def __init__(
        self, subject: Subject, options: CheckOptions, observer: Observer | None, analysing: Analysing | None
    ) -> None:
        self.started = time.perf_counter() - subject.spent
        self.subject = subject
        self.asked = options
        self.options = options  # what will be done
        self.observer = observer
        self.analysing = analysing
        self.caveats: list[Caveat] = list(subject.caveats())
        self.rules: DerivedRules | None = None
        self.group: Group | None = None
        self.costs: tuple[str, ...] = ()
        self.followed: tuple[str, ...] = ()

    def run(self) -> Verdict:
        executable = self._executable()
        planned = plan(executable.program, self.options)
        if planned.options.symmetry == "auto":
            planned = self._with_symmetry(executable.program, planned)
        if planned.options.stubborn == "auto":
            planned = self._with_rules(executable.program, planned)
        self.options = planned.options
        self.caveats += planned.caveats
        self.engine = Engine(self.options, self.observer, self.rules, self.group)
        self.engine.prepare(executable.program)
        self.compiled = time.perf_counter()
        if self.options.audit is not None:
            from asset.checks.audit import audit  # here, as few checks need it

            audited = audit(executable, task(planned.questions, self.options), self.options.audit)
            if audited.mistake is not None:
                return self._mistaken(executable, planned, audited, audited.mistake)
            self.caveats.append(audited.caveat)
        return self._verdict(executable, self._answers(executable, planned))

    def _answers(self, executable: Executable, planned: Plan) -> Answers:
        """What is known of the questions; a run that shows it is one of the model, not of its quotient."""
        if self.group is None:
            return Answering(executable, self.engine, planned.questions).run()
        from asset.checks.symmetric import Quotient, unwound

        answers = Answering(Quotient(executable, self.group), self.engine, planned.questions).run()
        finding = answers.outcome.finding
        if finding is not None:
            answers.outcome = replace(answers.outcome, finding=unwound(executable, finding, self.group))
        return answers

    def _with_symmetry(self, program: Program, planned: Plan) -> Plan:
        """The plan with the symmetries found; without any where there are none."""
        from asset.checks.symmetric import costs, followable, followed, symmetries  # here, as few checks need it

        found = symmetries(program, planned.questions, followable(planned))
        self.group = found.group
        self.costs = tuple(costs(program, found))
        self.followed = tuple(followed(program, found))
        if found.group is not None:
            return planned
        self.caveats.append(soundness.NO_SYMMETRY)
        return replace(planned, options=replace(planned.options, symmetry="off"))

    def _with_rules(self, program: Program, planned: Plan) -> Plan:
        """The plan with stubborn set rules derived; without stubborn sets where that did not work."""
        from asset.checks.deriving import derived  # here, as few checks need it

        begun: list[State] | None = [program.initial]
        if self.group is not None:
            from asset.checks.symmetric import starts

            begun = starts(program, self.group)
        derivation = begun and derived(program, planned.questions, planned.options, self.analysing, begun)
        if derivation:
            self.rules = derivation.rules
            return vouching(planned, errors=bool(derivation.imaginary))
        self.caveats.append(soundness.ANALYSIS_ENDED if begun else soundness.TOO_MANY_STARTS)
        return plan(program, replace(planned.options, stubborn="off", analysis_time=None))

    def _executable(self) -> Executable:
        """The program's meaning: of its IR, or, where the reference engine is asked for, of CPython itself."""
        try:
            return self.subject.executable()
        except ModelRejected as rejected:
            derives = "auto" in (self.options.stubborn, self.options.symmetry)
            slow = self.subject.slow_executable() if self.options.engine == "reference" and not derives else None
            if slow is None:
                raise
            first = rejected.diagnostics[0]
            self.caveats.append(
                Caveat("plain-python", f"run as plain Python, not at native speed: {first.span}: {first.message}")
            )
            return slow

    def _verdict(self, executable: Executable, answers: Answers) -> Verdict:
        checking = time.perf_counter()
        outcome, finding = answers.outcome, answers.outcome.finding
        shown = _Shown() if finding is None else self._replayed(executable, answers, finding)
        now = time.perf_counter()
        return Verdict(
            answer=answers.overall,
            model=executable.program.name,
            parameters=dict(executable.program.parameters),
            violation=shown.violation,
            counterexample=shown.run,
            states=outcome.states,
            edges=outcome.edges,
            depth=outcome.depth,
            terminal_states=outcome.terminal_states,
            seconds=Seconds(self.compiled - self.started, outcome.explore_seconds, now - checking, now - self.started),
            memory=Memory(outcome.bytes_per_state, outcome.memory_peak),
            checked=tuple(Checked(KIND_WORDS[q.wrong], q.name, answers.answer(q)) for q in answers.questions),
            caveats=tuple(self._all_caveats(answers)),
            settings=self.asked.to_dict(),
            sources=shown.sources,
            reduction=self._reduction(outcome),
        )

    def _reduction(self, outcome: Outcome) -> Reduction:
        known = self.options.stubborn != "hand"
        used = Reduction(self.options.stubborn, self.options.symmetry, outcome.enabled if known else None)
        if self.group is None:
            return replace(used, costs=self.costs)
        chooser = self.group.chooser
        return replace(
            used,
            group_order=self.group.order,
            representatives=chooser.words,
            exact=chooser.exact,
            costs=self.costs,
            followed=self.followed,
        )

    def _replayed(self, executable: Executable, answers: Answers, finding: Finding) -> _Shown:
        """The finding, established anew. A model that need not do the same again is at fault, not we."""
        from asset.checks.replay import ReplayFailed  # here, as in _shown

        try:
            return self._shown(executable, answers, finding)
        except ReplayFailed as failed:
            if self.subject.repeats:
                raise
            raise ModelRejected.of(
                f"the model does not do the same when it is run again: {failed}",
                remedy="what it does may depend only on the state; what C++ leaves undefined may be anything",
            ) from None

    def _shown(self, executable: Executable, answers: Answers, finding: Finding) -> _Shown:
        """What is wrong, and the run that shows it best."""
        # Imported here: most checks find nothing, and need none of it.
        from asset.analysis.processes import processes
        from asset.checks.illustrate import Illustrator, sources
        from asset.checks.replay import counterexample, violation
        from asset.checks.trace import chosen

        if not self.subject.repeats:  # it may count how often it is asked: the run as it was found, and no more
            wrong = violation(executable, finding)
            run = counterexample(executable, finding, self.subject, symmetry=self.options.symmetry == "hand")
            return _Shown(wrong, run, sources(wrong, run))
        who = processes(executable.program)
        best = chosen(executable, finding, self.options, who.of_command)
        wrong = violation(executable, best.finding)
        run = counterexample(executable, best.finding, self.subject, symmetry=self.options.symmetry == "hand")
        properties = [q.subject for q in answers.questions if isinstance(q.subject, Property)]
        illustrated = Illustrator(executable, who, properties).of(run, best.finding.path)
        run = replace(illustrated, order=best.order, left_out=best.left_out)
        return _Shown(wrong, run, sources(wrong, run))

    def _all_caveats(self, answers: Answers) -> Iterator[Caveat]:
        """Why questions are open comes first: it is what a reader of an undecided verdict looks for."""
        yield from answers.reasons
        if answers.outcome.stop in STOPPED:
            yield Caveat(answers.outcome.stop.value, STOPPED[answers.outcome.stop])
        yield from self.caveats
        if self.options.audit is not None:
            return
        finding = answers.outcome.finding
        if self.options.stubborn == "hand" and soundness.relies_on_rules(None if finding is None else finding.wrong):
            yield soundness.TRUSTED_RULES if self.group is None else soundness.TRUSTED_RULES_BEYOND
        if self.options.symmetry == "hand":
            derived = self.options.stubborn == "auto"
            yield soundness.TRUSTED_REACHABILITY if derived else soundness.TRUSTED_SYMMETRY

    def _mistaken(self, executable: Executable, planned: Plan, audited: Audit, mistake: Mistake) -> Verdict:
        """The audit found a mistake in a reduction: nothing was explored, every question is open."""
        from asset.checks.replay import run_to

        now = time.perf_counter()
        return Verdict(
            answer=Answer.VIOLATED,
            model=executable.program.name,
            parameters=dict(executable.program.parameters),
            violation=Violation("audit", mistake.rule, mistake.message, mistake.span),
            counterexample=run_to(executable.program, mistake.path, self.subject),
            states=audited.states,
            edges=audited.edges,
            depth=audited.depth,
            terminal_states=audited.terminal_states,
            seconds=Seconds(self.compiled - self.started, 0.0, now - self.compiled, now - self.started),
            memory=Memory(),
            checked=tuple(Checked(KIND_WORDS[q.wrong], q.name, Answer.UNDECIDED) for q in planned.questions),
            caveats=tuple(self.caveats),
            settings=self.asked.to_dict(),
            reduction=Reduction(self.options.stubborn, self.options.symmetry),
        )
