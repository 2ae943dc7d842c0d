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
from asset.engine.outcome import During, Executable, Finding, Limits, Outcome, Task
from asset.frontends.python import PlainPython, compile_model, load
from asset.ir.faults import Fault, FaultKind
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program
from asset.ir.reductions import HAND_WRITTEN, Reductions
from asset.ir.requirements import MayProgress, MustProgress, Termination
from asset.ir.verify import verify

EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "50"))
LIMITS = Limits(max_states=3000)


def facts(outcome: Outcome) -> tuple[object, ...]:
    """What engines must agree on exactly: everything, but of a lasso only where it begins and how long it is."""
    finding = outcome.finding
    shown: object = finding
    if finding is not None and finding.progress_lost_at is not None:
        lost = finding.progress_lost_at
        shown = (finding.requirement, finding.path[: lost + 1], len(finding.path))
    return (outcome.stop, shown, outcome.states, outcome.edges, outcome.depth, outcome.terminal_states)


def is_a_run(executable: Executable, task: Task, finding: Finding | None) -> None:
    """Each step of the finding is one of the model, and its lasso closes."""
    if finding is None or finding.progress_lost_at is None:
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
        is_a_run(interpreter, task, compiled.finding)
        is_a_run(interpreter, task, specified.finding)
        found = fault(interpreter, specified.finding)
        if found is not None and found.kind is FaultKind.OVERFLOW:
            return  # the integers of CPython have no limit
        assert facts(reference.explore(plain, task, LIMITS)) == facts(specified)
        same = fault(plain, specified.finding)
        assert (same and same.kind) == (found and found.kind)
        assert (same and same.span.line) == (found and found.span.line)


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
        compiled = native.explore(codegen.compile(program, reductions), task, LIMITS)
        assert facts(compiled) == facts(specified)
        assert compiled.enabled == specified.enabled
