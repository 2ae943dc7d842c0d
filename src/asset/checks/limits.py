"""Steps that go beyond a limit of the tool: nothing is known of them, so that a verdict is undecided, not violated.

What a search finds that leaves out these steps is found in the model as well, if it is said of a state or is a model
error: every run of what is left is a run of the model. So a second search looks for that.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TypeVar

from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.ir.program import Program
from asset.verdict import Answer, Caveat, Checked, Counterexample, Verdict, Violation

LIMIT = "limit"
"""The kind of such a violation, which no verdict has that is given to anybody."""


def beyond(verdict: Verdict) -> Verdict:
    """The verdict with a caveat in the place of such a step, which ends a search as a model error does."""
    if verdict.violation is not None and verdict.violation.kind == LIMIT:
        caveat = _caveat(verdict.violation, verdict.counterexample)
        caveats = (caveat, *verdict.caveats)
        return replace(verdict, answer=Answer.UNDECIDED, violation=None, counterexample=None, caveats=caveats)
    further = [(each.violation, each.run) for each in verdict.further if each.violation is not None]
    caveats = tuple(_caveat(violation, run) for violation, run in further if violation.kind == LIMIT)
    kept = tuple(each for each in verdict.further if each.violation is None or each.violation.kind != LIMIT)
    return replace(verdict, further=kept, caveats=(*caveats, *verdict.caveats)) if caveats else verdict


def has_step_beyond(verdict: Verdict) -> bool:
    return verdict.violation is None and any(each.code == "step-limit" for each in verdict.caveats)


def within(program: Program) -> Program:
    """The program without the steps that go beyond a limit: commands are disabled that would."""
    functions = tuple(replace(each, body=tuple(map(_disabled, each.body))) for each in program.functions)
    return replace(program, functions=functions)


Part = TypeVar("Part")


def _disabled(part: Part) -> Part:
    if isinstance(part, n.Fail) and part.kind is FaultKind.LIMIT:
        return n.When(part.span, n.Const(part.span, 0))  # type: ignore[return-value]
    if isinstance(part, tuple):
        return tuple(map(_disabled, part))  # type: ignore[return-value]
    if isinstance(part, n.If | n.Case | n.For | n.While):
        changed = {each.name: _disabled(getattr(part, each.name)) for each in fields(part) if each.name != "span"}
        return replace(part, **changed)
    return part


def joined(verdict: Verdict, left: Verdict) -> Verdict:
    """The verdict on a model with such a step, with what was found where they are left out."""
    names = {(each.kind, each.name) for each in left.checked if each.answer is Answer.VIOLATED}

    def said(each: Checked) -> Checked:
        return replace(each, answer=Answer.VIOLATED) if (each.kind, each.name) in names else each

    found = replace(
        verdict,
        states=left.states,
        edges=left.edges,
        depth=left.depth,
        terminal_states=left.terminal_states,
        levels=left.levels,
        seconds=replace(verdict.seconds, total=left.seconds.total + verdict.seconds.total),
        checked=tuple(map(said, verdict.checked)),
    )
    if left.violation is None:
        return found
    return replace(
        found,
        answer=Answer.VIOLATED,
        violation=left.violation,
        counterexample=left.counterexample,
        further=left.further,
        sources=left.sources,
    )


def _caveat(wrong: Violation, run: Counterexample | None) -> Caveat:
    steps = 0 if run is None else len(run.steps) - 1
    when = "in the initial state" if steps == 0 else f"after {steps} {'step' if steps == 1 else 'steps'}"
    where = when if wrong.span is None else f"{wrong.span}, {when}"
    return Caveat("step-limit", f"{where}: {wrong.message}; what comes after that was not looked at")
