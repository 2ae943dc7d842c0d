"""From an engine's finding to a counterexample: replayed step by step in the reference interpreter, then described."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

from asset.checks import words
from asset.checks.limits import LIMIT
from asset.checks.requirements import Evidence, kind_of
from asset.checks.showing import steps
from asset.checks.subject import Subject
from asset.checks.temporal_story import Lasso, story
from asset.checks.why import why
from asset.engine.outcome import During, Executable, Finding, Path, StepEvaluator
from asset.engine.sources import is_terminal
from asset.ir.faults import Fault, FaultKind
from asset.ir.program import Program, State
from asset.ir.requirements import Branching, Predicate, Recurrence, Requirement, Stage, StepPredicate, Temporal
from asset.logic.formulas import FALSE, Always, Eventually
from asset.verdict import Counterexample, Violation


class ReplayFailed(Exception):
    """The engine's finding is not a run of the model: a bug of ours, never of the user's."""


def violation(executable: Executable, finding: Finding) -> Violation:
    """What the finding shows, in words, established anew by running the model."""
    requirement = finding.requirement
    if requirement is None:
        return _model_error(executable, finding)
    seen = _established(executable, finding, requirement)
    kind = kind_of(requirement)
    in_last_state = requirement.predicates if requirement.stage is not Stage.GRAPH else ()
    reasons = [each for predicate in in_last_state for each in why(executable.program, predicate, finding.path[-1][1])]
    message = kind.sentence(executable.program, finding, seen)
    return Violation(kind.word, requirement.name, message, requirement.span, tuple(reasons))


def unseen(finding: Finding) -> Violation:
    """What the engine found, in words, if the model is not run again."""
    steps = len(finding.path) - 1
    if finding.requirement is not None and not finding.whole:
        required = finding.requirement
        return Violation(kind_of(required).word, required.name, f"{required.name} is violated", required.span)
    if finding.requirement is None:
        return Violation("model-error", None, f"found after {steps} steps, and not looked at again")
    name = finding.requirement.name
    message = f"{name} is violated by a run of {steps} steps, which was not looked at again"
    return Violation(kind_of(finding.requirement).word, name, message, finding.requirement.span)


def counterexample(
    executable: Executable, finding: Finding, subject: Subject, symmetry: bool = False
) -> Counterexample:
    """The run, each step fired again by the executable; with `symmetry`, its states are representatives."""
    _replay(executable, finding, symmetry)
    fires = finding.during in (During.FIRING, During.REPRESENTATIVE)
    failing = None if finding.command is None or not fires else executable.program.command_name(finding.command)
    return replace(
        run_to(executable.program, finding.path, subject),
        failing=failing,
        progress_lost_at=finding.progress_lost_at,
        cycle_starts_at=finding.cycle_starts_at,
    )


def run_to(program: Program, path: Path, subject: Subject) -> Counterexample:
    """The path as a reader sees it."""
    return Counterexample(steps(program, subject, path))


def _replay(executable: Executable, finding: Finding, symmetry: bool) -> None:
    standing: Callable[[State], State] = executable.representative if symmetry else lambda state: state
    # If the initial state has no representative, the run is that state alone.
    unrepresented = finding.during is During.REPRESENTATIVE and finding.command is None
    begun = executable.program.initial_states
    command, first = finding.path[0]
    if command is not None or not any((state if unrepresented else standing(state)) == first for state in begun):
        raise ReplayFailed("the run does not begin in an initial state")
    for number, ((_, before), (command, after)) in enumerate(pairwise(finding.path), start=1):
        fired = None if command is None else executable.fire(before, command)
        if fired is None or standing(fired) != after:
            raise ReplayFailed(f"step {number} is not a step of the model")


# --- what is wrong ----------------------------------------------------------------------------------------------


def _model_error(executable: Executable, finding: Finding) -> Violation:
    try:
        _fail_again(executable, finding)
    except Fault as fault:
        kind = _OF_UPDATES.get(fault.kind, "model-error") if executable.program.updates_together else "model-error"
        kind = LIMIT if fault.kind is FaultKind.LIMIT else kind
        return Violation(kind, None, words.model_error(executable.program, finding, fault), fault.span)
    raise ReplayFailed("the model error does not occur again")


_OF_UPDATES = {FaultKind.CONFLICT: "conflict", FaultKind.RANGE: "range"}
"""Model errors that are requirements of their own where all updates of a step happen together."""


def _fail_again(executable: Executable, finding: Finding) -> None:
    """Does what raised the Fault."""
    last, command = finding.path[-1][1], finding.command
    match finding.during:
        case During.PREDICATE if isinstance(finding.predicate, Predicate):
            executable.evaluate(finding.predicate, last)
        case During.STEP if isinstance(finding.predicate, StepPredicate) and isinstance(executable, StepEvaluator):
            after = last if command is None else executable.fire(last, command)
            if after is not None:
                executable.evaluate_step(finding.predicate, last, after)
        case During.RULE if command is not None:
            executable.obligations(last, command)
        case During.REPRESENTATIVE:
            state = last if command is None else executable.fire(last, command)
            if state is not None:
                executable.representative(state)
        case During.FIRING if command is not None:
            executable.fire(last, command)


def _established(executable: Executable, finding: Finding, requirement: Requirement) -> Evidence:
    """What the run shows of the requirement. Raises ReplayFailed if it does not violate it."""
    if isinstance(requirement, Branching):
        _require_fair(executable, finding, requirement)
        run = "; the run shows it, as far as a run can" if len(finding.path) > 1 else ""
        start = "an" if executable.program.further_initial else "the"
        return Evidence(f"{requirement.formula} does not hold in {start} initial state{run}")
    if finding.progress_lost_at is None:
        return _established_in_last_state(executable, finding, requirement)
    _require_lasso(executable, finding)
    if isinstance(requirement, Temporal):
        return Evidence(_judged(Lasso(executable, finding, requirement)))
    if isinstance(requirement, Recurrence):
        _require_recurrence(finding, requirement)
    held_before = False
    for predicate in requirement.predicates:
        held = [executable.evaluate(predicate, state) is None for _, state in finding.path]
        if any(held[finding.progress_lost_at :]):
            raise ReplayFailed(f"{predicate.name} holds after it was found to be lost")
        held_before = any(held)
    return Evidence(held_before=held_before)


def _require_fair(executable: Executable, finding: Finding, requirement: Branching) -> None:
    """A run that goes round for ever is one of those that the formula speaks of."""
    if finding.cycle_starts_at is None:
        return
    assumed = tuple(Always(Eventually(each)) for each in requirement.recurring)
    fair = Temporal(requirement.name, FALSE, None, requirement.fairness, assumed)
    for objection in Lasso(executable, finding, fair).objections():
        raise ReplayFailed(objection)


def _established_in_last_state(executable: Executable, finding: Finding, requirement: Requirement) -> Evidence:
    last = finding.path[-1][1]
    if requirement.stage is Stage.TERMINAL:
        _require_terminal(executable, last)
    for predicate in requirement.predicates:
        complaint = executable.evaluate(predicate, last)
        if complaint is not None:
            return Evidence(complaint)
    raise ReplayFailed(f"{requirement.name} holds in the state where it was found violated")


def _require_lasso(executable: Executable, finding: Finding) -> None:
    """The run goes back to where its cycle begins or, if it has none, ends in a terminal state."""
    last = finding.path[-1][1]
    if finding.cycle_starts_at is not None:
        if finding.path[finding.cycle_starts_at][1] != last or finding.cycle_starts_at == len(finding.path) - 1:
            raise ReplayFailed("the cycle does not close")
    else:
        _require_terminal(executable, last)


def _require_terminal(executable: Executable, state: State) -> None:
    if not is_terminal(executable, state):
        raise ReplayFailed("the run ends in a state that is not terminal")


def _judged(lasso: Lasso) -> str:
    """What the run says of the formula, by the semantics on lassos."""
    for objection in lasso.objections():
        raise ReplayFailed(objection)
    return story(lasso)


def recurs_in_vain(finding: Finding, recurrence: Recurrence) -> bool:
    """Whether the cycle has a command that is to be followed by others, and none of these."""
    fired = {command for command, _ in words.cycle(finding)}
    return bool(fired & recurrence.again) and not fired & recurrence.then


def _require_recurrence(finding: Finding, recurrence: Recurrence) -> None:
    if not recurs_in_vain(finding, recurrence):
        raise ReplayFailed(f"the cycle does not violate {recurrence.name}")
