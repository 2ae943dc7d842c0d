"""CPython, the reference interpreter and the native engine agree on random models, with and without reductions.

ASSET_EXAMPLES=100000 makes a long run of it.
"""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from programs import everything, terminal_is_no_progress
from random_models import models

from asset import codegen
from asset.analysis.stubborn.derivation import derive
from asset.engine import native, reference
from asset.engine.outcome import During, Executable, Finding, Limits, Outcome, Stop, Task
from asset.frontends.python import PlainPython, compile_model, load
from asset.ir.faults import Fault, FaultKind
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program
from asset.ir.reductions import HAND_WRITTEN, Reductions
from asset.ir.requirements import MayProgress, MustProgress, Requirement, Termination
from asset.ir.verify import verify

EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "50"))
LIMITS = Limits(max_states=3000)


def facts(outcome: Outcome) -> tuple[object, ...]:
    """What engines must agree on exactly: everything, but of a lasso only where it begins and how long it is."""
    shown = tuple(map(facts_of, outcome.findings))
    return (outcome.stop, shown, outcome.states, outcome.edges, outcome.depth, outcome.terminal_states)


def facts_of(finding: Finding) -> object:
    lost = finding.progress_lost_at
    return finding if lost is None else (finding.requirement, finding.path[: lost + 1], len(finding.path))


def is_a_run(executable: Executable, task: Task, finding: Finding) -> None:
    """Each step of the finding is one of the model, and its lasso closes."""
    if finding.progress_lost_at is None:
        return
    for (_, before), (command, after) in pairwise(finding.path):
        assert command is not None
        fired = executable.fire(before, command)
        assert fired is not None
        assert after == (executable.representative(fired) if task.reductions.symmetry else fired)
    if finding.cycle_starts_at is not None:
        assert finding.path[finding.cycle_starts_at][1] == finding.path[-1][1]


def fault(executable: Executable, finding: Finding | None) -> Fault | None:
    """The model error that the finding is about, if it is about one."""
    if finding is None or finding.requirement is not None:
        return None
    try:
        fail_again(executable, finding)
    except Fault as raised:
        return raised
    raise AssertionError("the fault does not occur again")


def fail_again(executable: Executable, finding: Finding) -> None:
    state, command = finding.path[-1][1], finding.command
    if finding.predicate is not None:
        executable.evaluate(finding.predicate, state)
    elif finding.during is During.RULE and command is not None:
        executable.obligations(state, command)
    elif finding.during is During.REPRESENTATIVE:
        fired = state if command is None else executable.fire(state, command)
        assert fired is not None
        executable.representative(fired)
    elif command is not None:
        executable.fire(state, command)


def asking(program: Program, bits: list[bool]) -> Task:
    """A task with whatever the program has, and with those of its reductions that the bits choose."""
    terminates, no_may, no_must, stubborn, symmetry = bits
    kinds = [kind for kind, wanted in ((MayProgress, no_may), (MustProgress, no_must)) if wanted]
    reductions = Reductions(
        hand_rules=stubborn and any(family.rule is not None for family in program.families),
        hand_symmetry=symmetry and program.representative is not None,
    )
    changed = terminal_is_no_progress(program, *kinds)
    return everything(changed, *([Termination()] if terminates else []), reductions=reductions)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(models(), st.lists(st.booleans(), min_size=5, max_size=5))
def test_cpython_reference_and_native_agree(text: str, bits: list[bool]) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "random_model.py"
        file.write_text(text)
        model = load(str(file), {})
        program = compile_model(model)
        verify(program)
        interpreter, plain = Interpreter(program), PlainPython(model)
        task = asking(program, bits)
        specified = reference.explore(interpreter, task, LIMITS)
        compiled = native.explore(codegen.compile(program, HAND_WRITTEN), task, LIMITS, None)
        assert facts(compiled) == facts(specified)
        as_trees = replace(LIMITS, store="tree")
        assert facts(native.explore(codegen.compile(program, HAND_WRITTEN), task, as_trees)) == facts(specified)
        assert facts(reference.explore(interpreter, task, as_trees)) == facts(specified)
        for finding in (*compiled.findings, *specified.findings):
            is_a_run(interpreter, task, finding)
        found = fault(interpreter, specified.finding)
        if found is not None and found.kind is FaultKind.OVERFLOW:
            return  # the integers of CPython have no limit
        assert facts(reference.explore(plain, task, LIMITS)) == facts(specified)
        same = fault(plain, specified.finding)
        assert (same and same.kind) == (found and found.kind)
        assert (same and same.span.line) == (found and found.span.line)


def alone(program: Program, task: Task, requirement: Requirement) -> Outcome:
    """What a search for one requirement finds."""
    asked = replace(task, requirements=(requirement,), keep_going=False)
    return native.explore(codegen.compile(program, HAND_WRITTEN), asked, LIMITS)


@settings(max_examples=max(10, EXAMPLES // 10), deadline=None, suppress_health_check=list(HealthCheck))
@given(models(), st.booleans())
def test_a_search_that_keeps_going_finds_what_a_search_for_each_requirement_finds(text: str, threads: bool) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "random_model.py"
        file.write_text(text)
        program = compile_model(load(str(file), {}))
        task = replace(everything(program, Termination()), keep_going=True)
        specified = reference.explore(Interpreter(program), task, LIMITS)
        limits = replace(LIMITS, threads=2 if threads else 1)
        compiled = native.explore(codegen.compile(program, HAND_WRITTEN), task, limits)
        if not threads or specified.stop in (Stop.COMPLETE, Stop.FINDING):  # else what threads explored is chance
            assert facts(compiled) == facts(specified)
        found = {each.requirement: len(each.path) for each in specified.findings}
        if specified.stop is Stop.COMPLETE:
            singly = [alone(program, task, each).finding for each in task.requirements]
            assert found == {each.requirement: len(each.path) for each in singly if each is not None}


@settings(max_examples=max(10, EXAMPLES // 10), deadline=None, suppress_health_check=list(HealthCheck))
@given(models(), st.lists(st.booleans(), min_size=5, max_size=5))
def test_reference_and_native_agree_on_stubborn_sets_by_derived_rules(text: str, bits: list[bool]) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "random_model.py"
        file.write_text(text)
        program = compile_model(load(str(file), {}))
        plain = asking(program, bits)
        reductions = Reductions(derived=derive(program, plain.requirements).rules)
        task = replace(plain, reductions=reductions)
        specified = reference.explore(Interpreter(program), task, LIMITS)
        machine = codegen.compile(program, reductions)
        compiled = native.explore(machine, task, LIMITS)
        assert facts(compiled) == facts(specified)
        assert compiled.enabled == specified.enabled
        assert facts(native.explore(machine, task, replace(LIMITS, store="tree"))) == facts(specified)
