"""CPython, the reference interpreter and the native engine agree on random models.

ASSET_EXAMPLES=100000 makes a long run of it.
"""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from random_models import models

from asset import codegen
from asset.engine import native, reference
from asset.engine.outcome import Executable, Finding, Limits, Outcome
from asset.frontends.python import PlainPython, compile_model, load
from asset.ir.faults import Fault, FaultKind
from asset.ir.interpreter import Interpreter
from asset.ir.program import PropertyKind
from asset.ir.verify import verify

EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "150"))
LIMITS = Limits(max_states=3000)
CHECKED = {PropertyKind.INVARIANT: 1, PropertyKind.TERMINAL: 1}


def facts(outcome: Outcome) -> tuple[object, ...]:
    return (outcome.stop, outcome.finding, outcome.states, outcome.edges, outcome.depth, outcome.terminal_states)


def fault(executable: Executable, finding: Finding | None) -> Fault | None:
    """The model error that the finding is about, if it is about one."""
    if finding is None or finding.kind is not None:
        return None
    state = finding.path[-1][1]
    try:
        if finding.failing is not None:
            executable.fire(state, finding.failing)
        elif finding.evaluating is not None:
            executable.evaluate(executable.program.properties_of(finding.evaluating)[finding.index], state)
    except Fault as raised:
        return raised
    raise AssertionError("the fault does not occur again")


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(models())
def test_cpython_reference_and_native_agree(text: str) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "random_model.py"
        file.write_text(text)
        model = load(str(file), {})
        program = compile_model(model)
        verify(program)
        interpreter, plain = Interpreter(program), PlainPython(model)
        checked = {kind: mask for kind, mask in CHECKED.items() if program.properties_of(kind)}
        specified = reference.explore(interpreter, checked, LIMITS)
        assert facts(native.explore(codegen.compile(program), checked, LIMITS, None)) == facts(specified)
        found = fault(interpreter, specified.finding)
        if found is not None and found.kind is FaultKind.OVERFLOW:
            return  # the integers of CPython have no limit
        assert facts(reference.explore(plain, checked, LIMITS)) == facts(specified)
        same = fault(plain, specified.finding)
        assert (same and same.kind) == (found and found.kind)
        assert (same and same.span.line) == (found and found.span.line)
