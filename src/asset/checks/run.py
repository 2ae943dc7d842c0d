"""Runs a check: front end, audit, engine, replay, verdict."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from asset import interruption
from asset.checks import limits, soundness
from asset.checks.answering import Answers, answered
from asset.checks.choosing import SAMPLE, Choosing, Explored
from asset.checks.engines import Engine
from asset.checks.options import CheckOptions
from asset.checks.plan import Plan, not_checked, plan, require_use, task
from asset.checks.reductions import COSTS_TIME, Analysing, Reduced, observed, reduce
from asset.checks.requirements import kind_of
from asset.checks.source_texts import texts_of
from asset.checks.subject import Subject
from asset.engine.outcome import Executable, Finding, OnProgress, Outcome, Progress, Stop
from asset.errors import ModelRejected, UsageError
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program
from asset.ir.reductions import NO_REDUCTIONS
from asset.ir.requirements import Requirement, Stage
from asset.processor import processors
from asset.verdict import (
    Answer,
    Caveat,
    Checked,
    Counterexample,
    FurtherViolation,
    Memory,
    Product,
    RankShare,
    Reduction,
    Seconds,
    Verdict,
    Violation,
)
from asset.version import VERSION

if TYPE_CHECKING:
    from asset.checks.audit import Audit, Mistake
    from asset.checks.checkpointing import Checkpointing
    from asset.checks.covering import Covering
    from asset.checks.profiling import Profiling

STOPPED = {
    Stop.MAX_STATES: "the limit on states was reached: not every reachable state was explored",
    Stop.MAX_MEMORY: "the memory limit was reached: not everything was explored and checked",
    Stop.INTERRUPTED: "the search was interrupted: not everything was explored and checked",
    Stop.RANK_LOST: "a rank of the cluster was lost: not everything was explored and checked",
}

LITTLE = 100_000
"""So many states are explored without being asked to, to decide the other properties when one is violated."""

UNEXPLORED = "it was interrupted before the search began: nothing was explored"
PLAIN_RUN = "it was interrupted after something was found: the run is shown as it was found"
NO_WAY = (
    "the run could not be found again within the limits on memory, disk and time{told}, and is not shown; "
    "a state where it was seen: {state}"
)
NO_RUN = "it was interrupted twice after something was found: the run was not made again, and is not shown"


def check(
    subject: Subject,
    options: CheckOptions,
    on_progress: OnProgress | None = None,
    analysing: Analysing | None = None,
) -> Verdict:
    """Explores the model and answers for its requirements. `analysing` is told how far deriving rules has come.

    Ctrl-C ends it with what there is: a search with its counts, a finding with the run as it was found. A second one
    leaves out the run, and KeyboardInterrupt is raised only if nothing is known of the model yet.
    """
    with interruption.deferred():
        if options.formulas:
            subject = subject.asking(options.formulas)
        return Check(subject, options, on_progress, analysing).run()


@dataclass(frozen=True, slots=True)
class _Shown:
    """What a finding comes to in a verdict; nothing if there is none."""

    violation: Violation | None = None
    run: Counterexample | None = None
    sources: Mapping[str, str] = field(default_factory=dict)


class Check:
    """A check of a model with these options, to be run once."""

    def __init__(
        self, subject: Subject, asked: CheckOptions, on_progress: OnProgress | None, analysing: Analysing | None
    ) -> None:
        self.started = time.perf_counter() - subject.spent
        self.subject = subject
        self.asked = asked
        self.options = subject.options(asked)
        self.on_progress = on_progress
        self.analysing = analysing
        self.covering: Covering | None = None
        self.profiling: Profiling | None = None
        self.checkpointing: Checkpointing | None = None
        self.within_limits = False
        """Whether steps beyond a limit are left out, and only what is said of states is asked for."""
        self.reduced = Reduced(NO_REDUCTIONS, ())
        self.caveats: list[Caveat] = list(subject.caveats())

    def run(self) -> Verdict:
        with interruption.at_once():
            executable = self._executable()
            if self.options.coverage:
                from asset.checks.covering import Covering  # here, as few checks need it

                self.covering = Covering(executable, self.options.ranges)
                executable = self.covering.executable
            if self.options.profile:
                from asset.checks.profiling import Profiling  # here, as few checks need it

                self.profiling = Profiling(executable)
            planned = plan(executable.program, self.options)
            require_use(self.asked, planned)
            if self.within_limits:
                executable = Interpreter(limits.within(executable.program))
                planned = planned.of_states()
            if self.options.checkpoint is not None and self.options.cluster is None:
                self.checkpointing = self._checkpointing(executable.program)
        try:
            with interruption.at_once():
                engine, mistaken = self._prepared(executable, planned)
        except KeyboardInterrupt:
            return self._unexplored(executable.program, planned)
        if mistaken is not None:
            return mistaken
        asked = self.reduced
        with engine:
            self.explored = self._explored(executable, engine, asked)
            self.reduced = self.explored.reduced
            verdict = self._verdict(executable, self.explored.answers)
            verdict = limits.beyond(self._with_the_others(verdict, executable, engine, asked))
        if limits.has_step_beyond(verdict) and not self.within_limits:
            verdict = self._joined_with_what_is_within(verdict)
        if self.checkpointing is not None and self.checkpointing.end(self.explored.answers.outcome.stop):
            return replace(verdict, caveats=(*verdict.caveats, _resumable(self.options)))
        return verdict

    def _joined_with_what_is_within(self, verdict: Verdict) -> Verdict:
        """The verdict with what is found if steps beyond a limit are left out; a search that may be gone on with later,
        or by many, is not made twice."""
        options = self.options
        if options.cluster is not None or options.checkpoint is not None or options.approximate or interruption.asked():
            return verdict
        again = Check(self.subject, replace(self.asked, coverage=False, profile=False), self.on_progress, None)
        again.within_limits = True
        return limits.joined(verdict, again.run())

    def _checkpointing(self, program: Program) -> Checkpointing:
        from asset.checks.checkpointing import Checkpointing  # here, as few checks need it

        if not self.subject.repeats:
            raise UsageError.of(
                "a model with variables of its own may not do the same again, and so cannot be resumed",
                remedy="leave out checkpoint, or make them const or state variables",
            )
        return Checkpointing(self.options, program)

    def _with_the_others(self, verdict: Verdict, executable: Executable, engine: Engine, asked: Reduced) -> Verdict:
        """The verdict with the other violations, and what further searches say of the properties that the first one
        left undecided, as it ended at a violation. Unless all of them are asked for, these searches are given up soon.
        """
        answers, known = self.explored.answers, dict[Requirement, Answer]()
        found = list(self._further_violations(executable, answers, answers.outcome.further))
        caveats = list(verdict.caveats)
        if self.options.approximate:
            from asset.checks import approximating

            return replace(verdict, approximation=approximating.approximation(answers.outcome))
        if not self.subject.repeats and not self.options.keep_going:
            return verdict  # it may count how often it is asked
        if not self.options.keep_going:
            engine = engine.up_to(min(LITTLE, self.options.max_states or LITTLE))
        while rest := _undecided(answers, known):
            if not self.options.keep_going and answers.outcome.states > LITTLE:
                break
            explored = self._explored(executable, engine, asked.about(rest))
            self.reduced, answers = explored.reduced, explored.answers
            found += self._further_violations(executable, answers, answers.outcome.findings)
            decided = {requirement: answers.answer(requirement) for requirement in rest}
            known |= {requirement: said for requirement, said in decided.items() if said is not Answer.UNDECIDED}
            caveats += [each for each in self._further_caveats(answers) if each not in caveats]
        checked = tuple(
            replace(each, answer=known.get(requirement, each.answer))
            for each, requirement in zip(verdict.checked, self.explored.answers.requirements, strict=True)
        )
        seconds = replace(verdict.seconds, total=time.perf_counter() - self.started)
        return replace(verdict, checked=checked, further=tuple(found), seconds=seconds, caveats=tuple(caveats))

    def _further_violations(
        self, executable: Executable, answers: Answers, findings: Iterable[Finding]
    ) -> Iterator[FurtherViolation]:
        for finding in findings:
            shown = self._settled(executable, answers, finding)
            yield FurtherViolation(shown.violation, shown.run)

    def _further_caveats(self, answers: Answers) -> Iterator[Caveat]:
        """What is to be known of the answers of a further search. That it was given up soon is its purpose."""
        given_up = () if self.options.keep_going else [stop.value for stop in STOPPED]
        return (caveat for caveat in self._all_caveats(answers) if caveat.code not in given_up)

    def _prepared(self, executable: Executable, planned: Plan) -> tuple[Engine, Verdict | None]:
        """The engine, and a verdict if hand-written reductions are mistaken."""
        program = executable.program
        self.reduced = reduce(program, planned.requirements, self.options, self.analysing)
        self.caveats += self.reduced.caveats
        self.caveats += not_checked(program, planned, self.reduced.asked, self.options)
        asking = self.covering or self.profiling
        made = None if asking is None else asking.machine
        engine = Engine(self.options, self.reduced.reductions, self._observe, made)
        engine.checkpointing = self.checkpointing
        engine.prepare(program)
        self.compiled = time.perf_counter()
        if self.options.audit is None:
            return engine, None
        from asset.checks.audit import audit  # here, as few checks need it

        asked = task(program, self.reduced.requirements, self.reduced.reductions)
        audited = audit(executable, asked, self.options.audit)
        if audited.mistake is not None:
            return engine, self._mistaken(executable, audited, audited.mistake)
        self.caveats.append(audited.caveat)
        return engine, None

    def _observe(self, progress: Progress) -> bool:
        goes_on = self.on_progress is None or self.on_progress(progress)
        return goes_on and not interruption.asked()

    def _explored(self, executable: Executable, engine: Engine, reduced: Reduced) -> Explored:
        """What the engine finds, with the reductions that are asked for or, if that is left to the tool, that pay."""
        if self.options.approximate:
            from asset.checks import approximating  # here, as few checks need it

            return approximating.explored(executable, engine, reduced)
        on_the_fly, limit = self.options.on_the_fly, engine.limits.max_states
        keep_going = self.options.keep_going and self.subject.repeats
        options = replace(self.options, max_states=limit, keep_going=keep_going)
        choosing = Choosing(executable, reduced, options, self.analysing)
        if self.options.cluster is not None:
            return Explored(reduced, answered(executable, engine, reduced))
        if self.options.may_choose and not on_the_fly and self.subject.opaque is None and executable.program.functions:
            return choosing.explored(engine)
        may_give_up = not self.options.as_asked and (limit or SAMPLE + 1) > SAMPLE
        if reduced.reductions.group is not None and may_give_up:
            return choosing.with_symmetries_that_pay(engine)
        return Explored(reduced, answered(executable, engine, reduced, on_the_fly, keep_going))

    def _executable(self) -> Executable:
        """The program's meaning: of its IR, or, if the reference engine is asked for, of CPython itself."""
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
        shown = _Shown() if finding is None else self._settled(executable, answers, finding)
        reduction = self._reduction(outcome)
        coverage, uncovered = None, list[Caveat]()
        if self.covering is not None:
            coverage, uncovered = self.covering.found(outcome.stop)
        now = time.perf_counter()
        return Verdict(
            answer=self._answer(answers),
            model=executable.program.name,
            parameters=dict(executable.program.parameters),
            violation=shown.violation,
            counterexample=shown.run,
            states=outcome.states,
            edges=outcome.edges,
            depth=outcome.depth,
            terminal_states=outcome.terminal_states,
            seconds=Seconds(
                compile=self.compiled - self.started,
                choose=self.explored.seconds,
                explore=outcome.explore_seconds,
                repair=outcome.repair_seconds,
                check=now - checking,
                total=now - self.started,
            ),
            memory=Memory(outcome.bytes_per_state, outcome.memory_peak, outcome.nodes, outcome.spilled),
            checked=tuple(Checked(kind_of(r).word, r.name, answers.answer(r)) for r in answers.requirements),
            caveats=(*self._all_caveats(answers), *uncovered),
            settings=self.options.to_dict(),
            sources=shown.sources or texts_of(executable.program),
            reduction=reduction,
            product=answers.product and Product(*answers.product),
            initial_states=len(executable.program.initial_states),
            coverage=coverage,
            profile=None if self.profiling is None else self.profiling.found(outcome),
            levels=outcome.levels,
            date=_now(),
            version=VERSION,
            ranks=tuple(RankShare(*astuple(each)) for each in outcome.ranks),
        )

    def _reduction(self, outcome: Outcome) -> Reduction:
        enabled = None if self.reduced.reductions.hand_rules else outcome.enabled
        used = Reduction(self.reduced.stubborn, self.reduced.symmetry, enabled, why=self.explored.why)
        found, group = self.reduced.symmetries, self.reduced.reductions.group
        if group is not None:
            words, exact = group.chooser.words, group.chooser.exact
            used = replace(used, group_order=group.order, representatives=words, exact=exact)
        if found is None:
            return used
        from asset.checks.symmetries_asked import costs, followed  # here, as few checks need it

        used = replace(used, costs=tuple(costs(found, observed(self.options, limit=COSTS_TIME))))
        return used if group is None else replace(used, followed=tuple(followed(found)))

    def _settled(self, executable: Executable, answers: Answers, finding: Finding) -> _Shown:
        """The finding as well as there is time to show it: each request to end is answered with less."""
        if not finding.whole:
            return self._without_run(executable, finding, answers.outcome.told)
        try:
            with interruption.at_once():
                return self._replayed(executable, finding, self._best(executable, answers))
        except KeyboardInterrupt:
            self.caveats.insert(0, Caveat("plain-run", PLAIN_RUN))
        try:
            return self._replayed(executable, finding, self._plain(executable))
        except KeyboardInterrupt:
            self.caveats[0] = Caveat("no-run", NO_RUN)
        from asset.checks.replay import unseen

        return _Shown(unseen(finding))

    def _without_run(self, executable: Executable, finding: Finding, told: str) -> _Shown:
        """What is wrong with the state that was found, if there was no memory, disk or time for the way to it."""
        from asset.checks.rendering import values
        from asset.checks.replay import unseen, violation  # here, as few checks find something

        where = ", ".join(f"{name}={value}" for name, value in values(executable.program, finding.path[-1][1]).items())
        self.caveats.insert(0, Caveat("no-run", NO_WAY.format(state=where, told=told and f" ({told})")))
        if finding.requirement is not None and finding.requirement.stage is Stage.GRAPH:
            return _Shown(unseen(finding))
        return self._replayed(executable, finding, lambda finding: _Shown(violation(executable, finding)))

    def _replayed(self, executable: Executable, finding: Finding, show: Callable[[Finding], _Shown]) -> _Shown:
        """The finding, established anew. If a model need not do the same again, it is the model that is at fault."""
        from asset.checks.replay import ReplayFailed  # here, as few checks find something

        group = self.reduced.reductions.group
        try:
            if group is not None and finding.whole:
                from asset.checks.unwinding import unwound  # here, as few checks need it

                finding = unwound(executable, finding, group)
            return show(finding)
        except ReplayFailed as failed:
            if self.subject.repeats:
                raise
            raise ModelRejected.of(
                f"the model does not do the same when it is run again: {failed}",
                remedy="what it does may depend only on the state; what C++ leaves undefined may be anything",
            ) from None

    def _plain(self, executable: Executable) -> Callable[[Finding], _Shown]:
        """Shows what is wrong, and the run as it was found."""
        from asset.checks.illustrate import sources
        from asset.checks.replay import counterexample, violation
        from asset.checks.temporal_story import located

        def show(finding: Finding) -> _Shown:
            finding = located(executable, finding)
            wrong = violation(executable, finding)
            run = counterexample(executable, finding, self.subject, symmetry=self.reduced.reductions.hand_symmetry)
            return _Shown(wrong, run, sources(wrong, run))

        return show

    def _best(self, executable: Executable, answers: Answers) -> Callable[[Finding], _Shown]:
        """Shows what is wrong, and the run that shows it best."""
        if not self.subject.repeats:  # it may count how often it is asked: the run as it was found, and no more
            return self._plain(executable)
        # Imported here: most checks find nothing, and need none of it.
        from asset.analysis.processes.ownership import find_processes
        from asset.checks.illustrate import Illustrator, sources
        from asset.checks.trace import chosen

        def show(finding: Finding) -> _Shown:
            who = find_processes(executable.program)
            # With symmetry, the states of a run were representatives, which steps may not be moved across.
            trace = "first" if self.reduced.reductions.symmetry else self.options.trace
            best = chosen(executable, finding, trace, who.of_command)
            illustrator = Illustrator(executable, who, answers.requirements)
            plain = self._plain(illustrator.executable)(best.finding)
            assert plain.run is not None
            illustrated = illustrator.of(plain.run, best.finding.path)
            run = replace(illustrated, order=best.order, left_out=best.left_out)
            return _Shown(plain.violation, run, sources(plain.violation, run))

        return show

    def _answer(self, answers: Answers) -> Answer:
        """Undecided, if nothing is violated and the model asks for more than what was answered."""
        open_still = answers.overall is Answer.HOLDS and any(True for _ in self.subject.unanswered())
        return Answer.UNDECIDED if open_still else answers.overall

    def _all_caveats(self, answers: Answers) -> Iterator[Caveat]:
        """Why questions are open comes first: it is what a reader of an undecided verdict looks for."""
        yield from answers.reasons
        yield from self.subject.unanswered()
        if answers.outcome.stop in STOPPED:
            told = f" ({answers.outcome.told})" if answers.outcome.told else ""
            yield Caveat(answers.outcome.stop.value, STOPPED[answers.outcome.stop] + told)
        if answers.outcome.stop is Stop.MAX_MEMORY and not self.options.approximate:
            from asset.checks.advice import after_memory  # here, as few checks need it

            yield after_memory(self.options.max_memory or answers.outcome.memory_peak, self.options.can_spill)
        if self.options.engine == "native":
            yield from _distrusted_cache()
        if answers.outcome.checkpoint_failure:
            yield Caveat("checkpoint", f"a checkpoint could not be written: {answers.outcome.checkpoint_failure}")
        if answers.outcome.threads < self.options.threads:
            yield _fewer_threads(answers.outcome.threads, self.options.threads)
        yield from self.caveats
        if self.options.audit is not None:
            return
        finding = answers.outcome.finding
        used = self.reduced.reductions
        if used.hand_rules and soundness.relies_on_rules(finding):
            yield soundness.TRUSTED_RULES if used.group is None else soundness.TRUSTED_RULES_BEYOND
        if used.hand_symmetry:
            yield soundness.TRUSTED_SYMMETRY if used.derived is None else soundness.TRUSTED_REACHABILITY

    def _unexplored(self, program: Program, planned: Plan) -> Verdict:
        """It was interrupted while it was prepared: nothing was explored, every requirement is open."""
        now = time.perf_counter()
        return Verdict(
            answer=Answer.UNDECIDED,
            model=program.name,
            parameters=dict(program.parameters),
            violation=None,
            counterexample=None,
            states=0,
            edges=0,
            depth=0,
            terminal_states=0,
            seconds=Seconds(now - self.started, 0.0, 0.0, now - self.started),
            memory=Memory(),
            checked=tuple(Checked(kind_of(r).word, r.name, Answer.UNDECIDED) for r in planned.requirements),
            caveats=(Caveat(Stop.INTERRUPTED.value, UNEXPLORED), *self.caveats),
            settings=self.options.to_dict(),
            initial_states=len(program.initial_states),
        )

    def _mistaken(self, executable: Executable, audited: Audit, mistake: Mistake) -> Verdict:
        """The audit found a mistake in a reduction: nothing was explored, every requirement is open."""
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
            seconds=Seconds(self.compiled - self.started, check=now - self.compiled, total=now - self.started),
            memory=Memory(),
            checked=tuple(Checked(kind_of(r).word, r.name, Answer.UNDECIDED) for r in self.reduced.asked),
            caveats=tuple(self.caveats),
            settings=self.options.to_dict(),
            reduction=Reduction(self.reduced.stubborn, self.reduced.symmetry),
            initial_states=len(executable.program.initial_states),
        )


def _undecided(answers: Answers, known: Mapping[Requirement, Answer]) -> tuple[Requirement, ...]:
    """What is left to be asked, if the search ended at the violation of a requirement; not what it cannot decide."""
    outcome = answers.outcome
    if outcome.stop is not Stop.FINDING or outcome.findings[-1].requirement is None or interruption.asked():
        return ()
    left = (r for r in answers.requirements if r not in answers.open and r not in known)
    return tuple(r for r in left if answers.answer(r) is Answer.UNDECIDED)


def _resumable(options: CheckOptions) -> Caveat:
    return Caveat("resumable", f"`asset resume {options.checkpoint}` goes on from there")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _fewer_threads(used: int, asked: int) -> Caveat:
    threads = "1 thread" if used == 1 else f"{used:,} threads"
    there_are = "the machine has no more processors" if used == processors() else "the system gave no more"
    return Caveat("fewer-threads", f"explored with {threads}, not {asked:,}: {there_are}")


def _distrusted_cache() -> Iterator[Caveat]:
    from asset.codegen import cache  # here, as the reference engine does without it

    if reason := cache.distrusted():
        yield Caveat("cache-not-trusted", f"machine code was made anew, not taken from the cache: {reason}")
