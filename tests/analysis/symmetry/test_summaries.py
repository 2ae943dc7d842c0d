"""Summaries say of each command and property what the reference interpreter does, in any state."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_models import models
from symmetric_models import symmetric_models
from term_values import canonical, holds, is_described, place, settled, value

from asset.analysis.symmetry.describing import describe
from asset.analysis.symmetry.summaries import Summarizer, TermSummary
from asset.analysis.symmetry.terms import Beyond, Terms
from asset.analysis.symmetry.used_cells import UsedCells
from asset.analysis.values.domains import CellDomains
from asset.frontends.python import compile_model, load
from asset.ir.faults import Fault
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program, State

EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "25"))


def program_of(text: str) -> Program:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "random_model.py"
        path.write_text(text)
        return compile_model(load(path))


def states(program: Program, numbers: list[int]) -> list[State]:
    """Some states, whatever the numbers are."""
    domains = CellDomains(program).domains
    found = [*program.initial_states]
    for number in numbers:
        state = []
        for domain in domains:
            assert domain is not None
            number, place = divmod(number, len(domain))
            state.append(domain[place])
        found.append(canonical(program, state))
    return found


def says(terms: Terms, summary: TermSummary, state: State) -> object:
    if holds(terms, summary.fault, state):
        return "fault"
    if not holds(terms, summary.guard, state):
        return None
    after = list(state)
    for cell, number in summary.updates.items():
        after[cell] = value(terms, number, state)
    return tuple(after)


def does(run: Interpreter, command: int, state: State) -> object:
    try:
        return run.fire(state, command)
    except Fault:
        return "fault"


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(models() | symmetric_models(), st.lists(st.integers(0, 10**6), min_size=4, max_size=8))
def test_a_summary_of_a_command_does_what_the_interpreter_does(text: str, numbers: list[int]) -> None:
    program = program_of(text)
    terms = Terms(UsedCells(program))
    summarizer, run = Summarizer(program, terms), Interpreter(program)
    for command, (family, indices) in enumerate(program.commands):
        try:
            summary = summarizer.command(family, indices)
        except Beyond:
            continue
        for state in states(program, numbers):
            assert says(terms, summary, state) == does(run, command, state)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(models() | symmetric_models(), st.lists(st.integers(0, 10**6), min_size=4, max_size=8))
def test_an_effect_does_what_the_interpreter_does_and_lists_what_cells_become(text: str, numbers: list[int]) -> None:
    program = program_of(text)
    described, run = describe(program, []), Interpreter(program)
    terms = described.terms
    for command, effect in enumerate(described.effects):
        for state in states(program, numbers) if effect is not None else ():
            state = settled(described, state)
            if not is_described(described, state):
                continue
            after = does(run, command, state)
            assert effect is not None
            assert holds(terms, effect.fault, state) == (after == "fault")
            if after == "fault":
                continue
            assert holds(terms, effect.guard, state) == isinstance(after, tuple)
            if not isinstance(after, tuple):
                continue
            for cell, listed in effect.becomes:
                places = [at for condition, at in listed if holds(terms, condition, state)]
                before, new = place(terms, cell, state), place(terms, cell, after)
                assert places == ([] if new == before else [new])
            changed = {cell for cell, (old, new) in enumerate(zip(state, after, strict=True)) if old != new}
            assert changed <= {cell for cell, _ in (*effect.becomes, *effect.values)}


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(models() | symmetric_models(), st.lists(st.integers(0, 10**6), min_size=4, max_size=8))
def test_a_summary_of_a_property_says_what_the_interpreter_says(text: str, numbers: list[int]) -> None:
    program = program_of(text)
    terms = Terms(UsedCells(program))
    summarizer, run = Summarizer(program, terms), Interpreter(program)
    for predicate in program.predicates:
        try:
            summary = summarizer.predicate(predicate)
        except Beyond:
            continue
        for state in states(program, numbers):
            try:
                expected: object = run.evaluate(predicate, state) is None
            except Fault:
                expected = "fault"
            said = "fault" if holds(terms, summary.fault, state) else holds(terms, summary.guard, state)
            assert said == expected
