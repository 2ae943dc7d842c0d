"""From an engine's finding to a counterexample: replayed step by step in the reference interpreter, then described."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, pairwise, product

from asset.engine.outcome import Executable, Finding
from asset.ir.faults import Fault
from asset.ir.program import Program, PropertyKind, State, Variable
from asset.ir.types import BoolType, IntType
from asset.model import Model, in_state, shown
from asset.verdict import Change, Counterexample, Step, Value, Violation

KIND_WORDS = {
    PropertyKind.INVARIANT: "safety",
    PropertyKind.TERMINAL: "deadlock",
    PropertyKind.MAY_PROGRESS: "may-progress",
    PropertyKind.MUST_PROGRESS: "must-progress",
}


class ReplayFailed(Exception):
    """The engine's finding is not a run of the model: a bug of ours, never of the user's."""


def violation(executable: Executable, finding: Finding) -> Violation:
    """What the finding shows, established anew by running the model."""
    last = finding.path[-1][1]
    if finding.kind is not None:
        prop = executable.program.properties_of(finding.kind)[finding.index]
        message = executable.evaluate(prop, last)
        if message is None:
            raise ReplayFailed(f"{prop.name} holds in the state where it was found violated")
        return Violation(KIND_WORDS[finding.kind], prop.name, message, prop.span)
    try:
        if finding.failing is not None:
            executable.fire(last, finding.failing)
        elif finding.evaluating is not None:
            executable.evaluate(executable.program.properties_of(finding.evaluating)[finding.index], last)
    except Fault as fault:
        return Violation("model-error", None, fault.message, fault.span)
    raise ReplayFailed("the model error does not occur again")


def counterexample(executable: Executable, finding: Finding, model: Model) -> Counterexample:
    """The run, each step fired again by the executable."""
    program = executable.program
    _replay(executable, finding)
    steps = [_step(program, model, None, None, finding.path[0][1])]
    for (_, before), (command, after) in pairwise(finding.path):
        steps.append(_step(program, model, command, before, after))
    failing = None if finding.failing is None else program.command_name(finding.failing)
    return Counterexample(tuple(steps), failing)


def _replay(executable: Executable, finding: Finding) -> None:
    if finding.path[0] != (None, executable.program.initial):
        raise ReplayFailed("the run does not begin in the initial state")
    for number, ((_, before), (command, after)) in zip(count(1), pairwise(finding.path), strict=False):
        if command is None or executable.fire(before, command) != after:
            raise ReplayFailed(f"step {number} is not a step of the model")


def _step(program: Program, model: Model, command: int | None, before: State | None, after: State) -> Step:
    seen = in_state(model, after)
    return Step(
        transition=None if command is None else program.command_name(command),
        state={v.name: value for v, value in zip(program.variables, _values(program, after), strict=True)},
        changes=() if before is None else tuple(_changes(program, before, after)),
        span=None if command is None else program.commands[command][0].span,
        shown=shown(seen),
        model=seen,
    )


def _values(program: Program, state: State) -> Iterator[Value]:
    for variable, offset in zip(program.variables, program.offsets, strict=True):
        cells = [_show(variable, value) for value in state[offset : offset + variable.cells]]
        yield _shape(cells, variable.dims) if variable.dims else cells[0]


def _shape(cells: list[Value], dims: tuple[int, ...]) -> Value:
    if len(dims) == 1:
        return cells
    row = len(cells) // dims[0] if dims[0] else 0
    return [_shape(cells[i * row : (i + 1) * row], dims[1:]) for i in range(dims[0])]


def _show(variable: Variable, value: int) -> Value:
    match variable.type:
        case BoolType():
            return bool(value)
        case IntType():
            return value
        case enum:
            return enum.show(value)


def _changes(program: Program, before: State, after: State) -> Iterator[Change]:
    for variable, offset in zip(program.variables, program.offsets, strict=True):
        for at, indices in enumerate(product(*map(range, variable.dims)), start=offset):
            if before[at] != after[at]:
                cell = variable.name + "".join(f"[{i}]" for i in indices)
                yield Change(cell, _show(variable, before[at]), _show(variable, after[at]))
