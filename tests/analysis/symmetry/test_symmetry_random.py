"""Symmetries found in random models: a state for each class, the same answers, and runs of the model itself."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st
from random_models import models
from symmetric_models import symmetric_models
from term_values import canonical, settled

from asset import Model, Options, Verdict, check
from asset.analysis.symmetry.symmetries import find_symmetries
from asset.checks import CheckOptions
from asset.checks.plan import plan
from asset.checks.rendering import values
from asset.checks.symmetries_asked import symmetries
from asset.frontends.python import compile_model, load
from asset.ir.faults import Fault
from asset.ir.groups import Group, Permutation
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program, State

EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "16"))
MOST = 400
"""States of a model that is explored by brute force."""


def loaded(folder: str, text: str) -> Model:
    path = Path(folder) / "alike.py"
    path.write_text(text)
    return load(path)


def reachable(program: Program) -> list[State] | None:
    """All states, by brute force; None where there are too many, or a model error."""
    run, found = Interpreter(program), [*program.initial_states]
    seen = set(found)
    try:
        for state in found:
            for _, after in run.successors(state):
                if after not in seen:
                    seen.add(after)
                    found.append(after)
            if len(found) > MOST:
                return None
    except Fault:
        return None
    return found


def classes(group: Group, states: list[State]) -> int:
    """How many classes the states are in, by brute force: each is what generators make of one of its states."""
    left, found = set(states), 0
    while left:
        pending = [left.pop()]
        known, found = set(pending), found + 1
        while pending:
            state = pending.pop()
            images = {generator.state(state) for generator in group.generators} - known
            known |= images
            pending += images
        left -= known
    return found


def ends(text: str, may: bool, must: bool) -> Options:
    """What terminal states count as, said only of progress that the model asks for."""
    return {"dl_not_may": may and "@may_progress" in text, "dl_not_must": must and "@must_progress" in text}


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(symmetric_models(), st.booleans(), st.booleans())
def test_the_reduced_space_has_a_state_for_each_class_and_the_same_answers(text: str, may: bool, must: bool) -> None:
    with TemporaryDirectory() as folder:
        model = loaded(folder, text)
        full, auto = (
            check(model, engine="reference", symmetry=symmetry, **ends(text, may, must)) for symmetry in ("off", "auto")
        )
        event(f"order {auto.reduction.group_order}, {auto.reduction.representatives}")
        assert auto.answer == full.answer, text
        if full.violation is not None and auto.violation is not None:
            assert auto.violation.kind == full.violation.kind
        program = compile_model(model)
        group = symmetries(program, plan(program, CheckOptions()).requirements, stubborn=False).group
        event(f"{0 if group is None else len(group.meanings)} followed")
        everything = reachable(program)
        if everything is not None and full.holds and group is not None:
            least = classes(group, everything)
            assert auto.states == least if group.chooser.exact else least <= auto.states <= len(everything)


@settings(max_examples=EXAMPLES // 3, deadline=None, suppress_health_check=list(HealthCheck))
@given(symmetric_models(), st.sampled_from(["off", "auto"]), st.booleans(), st.booleans())
def test_both_engines_agree_with_each_other(text: str, stubborn: str, may: bool, must: bool) -> None:
    with TemporaryDirectory() as folder:
        model = loaded(folder, text)
        one, other = (
            check(model, symmetry="auto", stubborn=stubborn, engine=engine, **ends(text, may, must))
            for engine in ("native", "reference")
        )
        assert (one.answer, one.states, one.edges, one.depth) == (other.answer, other.states, other.edges, other.depth)
        assert one.violation == other.violation
        assert run_of(one) == run_of(other)


def run_of(verdict: Verdict) -> object:
    run = verdict.counterexample
    return run and ([step.transition for step in run.steps], run.cycle_starts_at)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(symmetric_models())
def test_answers_with_stubborn_sets_as_well_are_those_of_the_full_model(text: str) -> None:
    with TemporaryDirectory() as folder:
        model = loaded(folder, text)
        full = check(model, engine="reference")
        both = check(model, engine="reference", symmetry="auto", stubborn="auto")
        event(f"{both.answer.value}, {both.reduction.stubborn} {both.reduction.symmetry}")
        if both.answer.value == "undecided" or (both.violation and both.violation.kind == "termination"):
            return  # nobody asked of termination: where it is unreachable, stubborn sets leave the rest open
        assert both.answer == full.answer
        if both.counterexample is not None:
            assert both.counterexample.steps[0].transition is None
            assert both.counterexample.steps[0].state == initial(model)


def initial(model: Model) -> dict[str, object]:
    program = compile_model(model)
    return values(program, program.initial)


@settings(max_examples=EXAMPLES // 2, deadline=None, suppress_health_check=list(HealthCheck))
@given(models())
def test_answers_are_the_same_for_models_that_need_not_have_symmetries(text: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "random_model.py"
        path.write_text(text)
        model = load(path)
        full, auto = (check(model, engine="reference", symmetry=s, max_states=2000) for s in ("off", "auto"))
        if full.answer.value != "undecided":
            assert auto.answer == full.answer
            assert auto.states <= full.states or not full.holds


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(symmetric_models(), st.integers(0, 10**6))
def test_a_symmetry_makes_steps_of_steps_in_every_state(text: str, number: int) -> None:
    with TemporaryDirectory() as folder:
        program = compile_model(loaded(folder, text))
    found = find_symmetries(program, program.requirements)
    run, state = Interpreter(program), list(program.initial)
    for cell, variable in enumerate(program.cell_variables):
        number, place = divmod(number, variable.type.hi - variable.type.lo + 1)
        state[cell] = variable.type.lo + place
    start = settled(found.described, canonical(program, state))
    for permutation in () if found.group is None else found.group.generators:
        commutes(run, permutation, start)
        assert permutation.after(permutation.inverse()).is_identity
        assert replace(permutation).inverse().state(permutation.state(start)) == start
        assert settled(found.described, permutation.state(start)) == permutation.state(start)


def commutes(run: Interpreter, permutation: Permutation, state: State) -> None:
    """Renaming and then firing is firing and then renaming; properties are the same."""
    for command in range(run.program.nr_commands):
        after = fired(run, state, command)
        renamed = permutation.state(after) if isinstance(after, tuple) else after
        assert fired(run, permutation.state(state), permutation.commands[command]) == renamed
    for predicate in run.program.predicates:
        held = run.evaluate(predicate, state) is None
        assert held == (run.evaluate(predicate, permutation.state(state)) is None)


def fired(run: Interpreter, state: State, command: int) -> State | str | None:
    try:
        return run.fire(state, command)
    except Fault:
        return "fault"
