"""From what a search finds, perhaps with reductions, to what is known of the full model.

`asset.checks.soundness` says what a reduction preserves; here it is acted on. A requirement that cannot be decided with
derived stubborn sets is asked again without them, when everything else is known. What cannot be decided with the
reductions at hand is left open, with a reason, and the search goes on without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from asset.checks import soundness
from asset.checks.by_ranks import beyond_clusters, left_open_by_ranks
from asset.checks.engines import Engine
from asset.checks.plan import task
from asset.checks.reductions import Reduced
from asset.checks.rendering import values
from asset.checks.requirements import in_order, kind_of
from asset.checks.respect import asymmetries, refuted_by_unwinding
from asset.engine.outcome import Executable, Finding, Outcome, Stop
from asset.ir.program import Program, State
from asset.ir.reductions import Reductions
from asset.ir.requirements import Branching, Predicate, Requirement, Stage, Temporal, Termination
from asset.verdict import Answer, Caveat


@dataclass(slots=True)
class Answers:
    """What a search said of the requirements. `reasons` say why some of them are open."""

    outcome: Outcome
    requirements: Sequence[Requirement]
    open: set[Requirement]
    reasons: list[Caveat]
    stubborn: bool
    held: set[Requirement] = field(default_factory=set)
    """Those that another search found to hold: without stubborn sets, or on the fly."""
    product: tuple[int, int] | None = None
    """The vertices and edges of products that were searched on the fly."""
    again: set[Requirement] = field(default_factory=set)
    """Those of which a search with stubborn sets says only that they are violated, if it finds that."""

    def answer(self, requirement: Requirement) -> Answer:
        """A finding decides its own requirement; a search in which everything was explored, all others, or those that
        were decided before the finding that ended it."""
        if any(finding.requirement == requirement for finding in self.outcome.findings):
            return Answer.VIOLATED
        if requirement in self.open:
            return Answer.UNDECIDED
        if requirement in self.held:
            return Answer.HOLDS
        if requirement in self.again:
            return Answer.UNDECIDED
        decided = self.outcome.stop is Stop.COMPLETE or self._was_known_before(requirement)
        return Answer.HOLDS if decided else Answer.UNDECIDED

    def _was_known_before(self, requirement: Requirement) -> bool:
        """Whether it was known to hold when the search ended: of states, if all were explored; of the graph, if it was
        decided before the one that is violated."""
        if self.stubborn and not soundness.pass_stands(kind_of(requirement).soundness):
            return False
        if requirement.stage is not Stage.GRAPH:
            return self.outcome.explored
        violated = self.outcome.findings[-1].requirement if self.outcome.stop is Stop.FINDING else None
        if violated is None or violated.stage is not Stage.GRAPH:
            return False
        if self.outcome.product is not None and not isinstance(requirement, Temporal):
            return False  # on the fly, not everything was explored
        order = in_order(self.requirements)
        return order.index(requirement) < order.index(violated)

    @property
    def overall(self) -> Answer:
        if self.outcome.finding is not None:
            return Answer.VIOLATED
        known = all(self.answer(requirement) is Answer.HOLDS for requirement in self.requirements)
        return Answer.HOLDS if known and self.outcome.stop is Stop.COMPLETE else Answer.UNDECIDED


def answered(
    executable: Executable, engine: Engine, reduced: Reduced, on_the_fly: bool = False, keep_going: bool = False
) -> Answers:
    """The answers to all requirements: those that are asked apart have a search of their own, after the others."""

    def asked(engine: Engine, reduced: Reduced) -> Answers:
        return Answering(executable, engine, reduced.requirements, reduced.repair, on_the_fly, keep_going).run()

    if reduced.apart is None:
        return asked(engine, reduced)
    other = engine.made_for(reduced.apart.reductions)
    if not reduced.requirements:
        return asked(other, reduced.apart)
    first = asked(engine, reduced)
    if first.outcome.stop is Stop.COMPLETE and first.outcome.finding is None:
        return _together(first, asked(other, reduced.apart))
    first.requirements = reduced.asked
    first.again |= set(reduced.apart.requirements)
    return first


def _together(first: Answers, second: Answers) -> Answers:
    """The answers of two searches, of which the first found nothing wrong."""
    held = {r for r in first.requirements if first.answer(r) is Answer.HOLDS}
    reasons = [*first.reasons, *second.reasons]
    outcome = second.outcome
    if outcome.stop is Stop.COMPLETE and outcome.finding is None:
        held |= {r for r in second.requirements if second.answer(r) is Answer.HOLDS}
        reasons.append(soundness.asked_apart((r.name for r in second.requirements), outcome.states))
        outcome = first.outcome
    seconds = first.outcome.explore_seconds + second.outcome.explore_seconds
    return replace(
        second,
        outcome=replace(outcome, explore_seconds=seconds),
        requirements=(*first.requirements, *second.requirements),
        open={*second.open, *first.requirements} - held,
        reasons=reasons,
        held=second.held | held,
        product=first.product,
    )


@dataclass(slots=True)
class Answering:
    """Asks an engine until each requirement is decided or left open. At first stubborn sets do not take progress into
    account, as long as no violation of it is found. `on_the_fly` asks for formulas of linear time logic first.
    `keep_going` asks for all violations in one search, if each of them can be believed as it is found."""

    executable: Executable
    engine: Engine
    requirements: Sequence[Requirement]
    repair: bool = False
    on_the_fly: bool = False
    keep_going: bool = False
    open: set[Requirement] = field(default_factory=set)
    held: set[Requirement] = field(default_factory=set)
    reasons: list[Caveat] = field(default_factory=list)
    again: set[Requirement] = field(default_factory=set)
    """Those that a search with stubborn sets does not decide, so that they are asked of one without."""
    unconfirmed: Outcome | None = None
    """The last outcome with a violation that was not found in the full model."""
    product: tuple[int, int] | None = None
    reductions: Reductions = field(init=False)

    def __post_init__(self) -> None:
        self.reductions = self.engine.reductions.without_progress()

    @property
    def program(self) -> Program:
        return self.executable.program

    def run(self) -> Answers:
        if self.engine.is_cluster:
            self._leave_beyond_cluster_open()
        if self.reductions.hand_symmetry:
            self._leave_asymmetric_open()
        if self.reductions.hand_rules:
            self._leave_lost_open()
        if self.reductions.derived is not None:
            self.again |= {r for r in self.requirements if self._is_unreliable(r)}
        outcome = self._of_states(self._explore())
        while (doubtful := self._doubtful(outcome)) is not None:
            self.open.add(doubtful)
            outcome = self._explore()
        if outcome.finding is not None and isinstance(outcome.finding.requirement, Termination):
            outcome = self._without_termination(outcome, outcome.finding.requirement)
        again = [requirement for requirement in self.requirements if requirement in self.again - self.open]
        if again and (outcome.finding is None or isinstance(outcome.finding.requirement, Termination)):
            outcome = self._asked_again(outcome, again)
        if outcome.stop is Stop.COMPLETE and self.reductions.hand_rules:
            self._leave_unreliable_open()
        stubborn = self.reductions.stubborn
        return Answers(
            outcome, self.requirements, self.open, self.reasons, stubborn, self.held, self.product, self.again
        )

    def _leave_beyond_cluster_open(self) -> None:
        """What is not decided by many ranks together."""
        for requirement in self.requirements:
            if reason := left_open_by_ranks(requirement, self.reductions):
                self.open.add(requirement)
                self.reasons.append(beyond_clusters(requirement.name, reason))

    def _explore(self) -> Outcome:
        """Explores; a violation that must be confirmed in the full model is replaced by the one found there, if any."""
        nothing = {r for r in self.again if soundness.says_nothing(kind_of(r).soundness)}
        asked = [requirement for requirement in self.requirements if requirement not in self.open | nothing]
        if self.on_the_fly and any(isinstance(requirement, Temporal) for requirement in asked):
            return self._explore_on_the_fly(asked)
        whole = task(self.program, asked, self.reductions, self.repair)
        whole = replace(whole, keep_going=self.keep_going and self._can_be_believed(asked))
        if self.reductions.stubborn and self._needing_termination():  # last: if it is violated, all else is decided
            whole = replace(whole, requirements=(*whole.requirements, Termination(idle_steps=True)))
        outcome = self.engine.explore(self.executable, whole)
        finding = outcome.finding
        if finding is None or finding.requirement is None or not self.reductions.stubborn:
            return outcome
        if not soundness.must_be_confirmed(kind_of(finding.requirement).soundness):
            return outcome
        return self._confirmed(outcome, finding, finding.requirement)

    def _of_states(self, outcome: Outcome) -> Outcome:
        """If there was no room to explore with all edges kept: what is said of states alone, as that takes less memory.
        What has a checkpoint is gone on with instead, where there is more."""
        asked = [requirement for requirement in self.requirements if requirement not in self.open]
        of_graph = [requirement for requirement in asked if requirement.stage is Stage.GRAPH]
        ended = outcome.stop is Stop.MAX_MEMORY and outcome.finding is None and not outcome.explored
        if not ended or not of_graph or of_graph == asked or self.engine.goes_on_later:
            return outcome
        self.open.update(of_graph)
        alone = self._explore()
        if alone.stop not in (Stop.COMPLETE, Stop.FINDING):
            return max(outcome, alone, key=lambda each: each.states)
        self.reasons.append(no_room_for_graph([requirement.name for requirement in of_graph], outcome.told))
        return replace(alone, explore_seconds=outcome.explore_seconds + alone.explore_seconds)

    def _can_be_believed(self, asked: Sequence[Requirement]) -> bool:
        """Whether every violation that a search finds is one of the model, and what it does not find holds."""
        if self.engine.is_cluster or self.reductions.hand_rules or self.reductions.hand_symmetry:
            return False
        of_states = not self.again and all(each.stage is not Stage.GRAPH for each in asked)
        return of_states or not self.reductions.stubborn

    def _explore_on_the_fly(self, asked: Sequence[Requirement]) -> Outcome:
        """Formulas of linear time logic first; the others only if nothing is wrong with these."""
        formulas = [requirement for requirement in asked if isinstance(requirement, Temporal)]
        others = [requirement for requirement in asked if requirement not in formulas]
        first = replace(task(self.program, formulas, self.reductions), on_the_fly=True)
        outcome = self.engine.explore(self.executable, first)
        self.product = outcome.product
        if outcome.stop is not Stop.COMPLETE or not others:
            return outcome
        self.held.update(formulas)
        rest = self.engine.explore(self.executable, task(self.program, others, self.reductions))
        return replace(rest, explore_seconds=outcome.explore_seconds + rest.explore_seconds)

    def _confirmed(self, outcome: Outcome, finding: Finding, requirement: Requirement) -> Outcome:
        """The violation by sets that take progress into account, of all commands, so that it is seen how the run goes
        on or ends; or, if there are none, in the full model."""
        if self.reductions.derived is not None:
            confirming = self.engine.reductions.of_all_commands()
            if self.reductions == confirming:
                return outcome
            self.reductions = confirming
            return self._explore()
        confirmation = self._ask_full_model(finding, requirement)
        if confirmation.finding is not None:
            return replace(outcome, finding=_continued(finding, confirmation.finding))
        if (
            finding.cycle_starts_at is not None or not finding.whole
        ):  # else it ends in a terminal state: there progress is lost for sure
            self.unconfirmed = outcome
        return outcome

    def _needing_termination(self) -> list[Requirement]:
        """Those whose pass with stubborn sets is worth nothing if the model is not always may-terminating."""
        needing = [r for r in self.requirements if soundness.needs_termination(kind_of(r).soundness)]
        return [requirement for requirement in needing if requirement not in self.open]

    def _without_termination(self, outcome: Outcome, violated: Termination) -> Outcome:
        """The model is not always may-terminating: what needs that is to be asked again."""
        if self.reductions.stubborn:
            self.again.update(self._needing_termination())
        return outcome if violated in self.requirements else replace(outcome, stop=Stop.COMPLETE, finding=None)

    def _asked_again(self, outcome: Outcome, again: list[Requirement]) -> Outcome:
        """What a search without stubborn sets says of these, after one with them."""
        if outcome.stop not in (Stop.COMPLETE, Stop.FINDING):
            return outcome
        full = self._explored_in_full(again)
        while (doubtful := self._doubtful(full)) is not None:
            self.open.add(doubtful)
            again.remove(doubtful)
            if not again:
                return outcome
            full = self._explored_in_full(again)
        full = replace(full, explore_seconds=full.explore_seconds + outcome.explore_seconds)
        if full.finding is not None:
            self._hold_before(full.finding.requirement, again)
            return full
        decided = full.stop is Stop.COMPLETE
        (self.held if decided else self.open).update(again)
        self.reasons.append(soundness.asked_again((r.name for r in again), decided))
        if full.stop is Stop.INTERRUPTED and outcome.finding is None:
            self.held.update(r for r in self.requirements if r not in self.open)
            return replace(outcome, stop=full.stop)
        return replace(outcome, explore_seconds=full.explore_seconds)

    def _hold_before(self, violated: Requirement | None, asked: Sequence[Requirement]) -> None:
        """If a requirement on the whole graph is violated, those that were decided before it hold."""
        order = in_order(asked)
        if violated in order and violated.stage is Stage.GRAPH:
            self.held.update(order[: order.index(violated)])

    def _explored_in_full(self, asked: Sequence[Requirement]) -> Outcome:
        return self.engine.explore(self.executable, task(self.program, asked, self.reductions.without_stubborn_sets()))

    def _leave_unreliable_open(self) -> None:
        """Everything was explored and nothing found: with stubborn sets that says nothing of some requirements."""
        for requirement in self.requirements:
            if requirement not in self.open and self._is_unreliable(requirement):
                self.open.add(requirement)
                self.reasons.append(soundness.unreliable_pass(requirement.name))

    def _is_unreliable(self, requirement: Requirement) -> bool:
        return soundness.pass_is_unreliable(kind_of(requirement).soundness, requirement, self.reductions)

    def _doubtful(self, outcome: Outcome) -> Requirement | None:
        """The requirement of which the outcome has a violation that proves nothing, if so; the reason is noted."""
        finding = outcome.finding
        requirement = None if finding is None else finding.requirement
        if finding is None or requirement is None:
            return None
        if outcome is self.unconfirmed:
            self.reasons.append(soundness.unconfirmed(requirement.name))
            return requirement
        if self.reductions.hand_symmetry and not finding.whole:
            self.reasons.append(soundness.unshown(requirement.name, self._shown(finding.path[-1][1])))
            return requirement
        if self.reductions.hand_symmetry and not isinstance(requirement, Temporal | Branching):
            for predicate in requirement.predicates:
                where = refuted_by_unwinding(self.executable, finding, predicate)
                if where is not None:
                    self.reasons.append(soundness.asymmetric(requirement.name, self._difference(where)))
                    return requirement
        return None

    # --- stubborn sets ------------------------------------------------------------------------------------------

    def _ask_full_model(self, finding: Finding, requirement: Requirement) -> Outcome:
        """What the full model, begun in the state where progress was lost, says of the same requirement."""
        lost_at = finding.path[finding.progress_lost_at or 0][1]
        alone = task(self.program, [requirement], self.reductions.without_stubborn_sets())
        return self.engine.explore(self.executable, replace(alone, starts=(lost_at,)))

    def _leave_lost_open(self) -> None:
        """Requirements of which stubborn sets preserve nothing."""
        for requirement in self.requirements:
            if requirement not in self.open and soundness.says_nothing(kind_of(requirement).soundness):
                self.open.add(requirement)
                self.reasons.append(soundness.beyond_stubborn_sets(requirement.name))

    # --- symmetry -----------------------------------------------------------------------------------------------

    def _leave_asymmetric_open(self) -> None:
        """Recurrences of single commands, and predicates that are seen to differ between symmetric states."""
        sensitive = [r for r in self.requirements if soundness.must_be_respected(kind_of(r).soundness)]
        predicates = [predicate for requirement in sensitive for predicate in requirement.predicates]
        differing = asymmetries(self.executable, predicates)
        for requirement in sensitive:
            reason = self._asymmetry(requirement, differing)
            if reason is not None:
                self.open.add(requirement)
                self.reasons.append(reason)

    def _asymmetry(self, requirement: Requirement, differing: Mapping[Predicate, State]) -> Caveat | None:
        """Why the requirement is not respected by the symmetry, if that was seen."""
        if not soundness.respects_families(self.program, requirement):
            return soundness.partial_families(requirement.name)
        for predicate in requirement.predicates:
            if predicate in differing:
                return soundness.asymmetric(requirement.name, self._difference(differing[predicate]))
        return None

    def _difference(self, state: State) -> str:
        return f"it differs between {self._shown(state)} and its representative"

    def _shown(self, state: State) -> str:
        return ", ".join(f"{name}={value}" for name, value in values(self.program, state).items())


NO_ROOM = "no-room-for-graph"


def no_room_for_graph(names: Iterable[str], told: str = "") -> Caveat:
    """`told` is why files were of no help, if there were any."""
    why = f" ({told})" if told else ""
    return Caveat(
        NO_ROOM,
        f"the memory limit was reached with the edges that {', '.join(names)} needs{why}: undecided; "
        "the rest was decided without them",
    )


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
        whole=finding.whole and further.whole,
    )
