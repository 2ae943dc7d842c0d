"""Coverage of a check: the marks of its program, in either engine, and what they say when the search is complete."""

from __future__ import annotations

import ctypes
import linecache
from collections.abc import Iterator, Set
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from asset.engine.outcome import Executable, Stop
from asset.errors import UsageError
from asset.ir import nodes as n
from asset.ir.coverage import CoveragePoint, Covered, MarkedProgram, marked
from asset.ir.faults import Fault
from asset.ir.interpreter import Interpreter
from asset.ir.program import Function, Program, State
from asset.ir.requirements import Predicate, Stage
from asset.verdict import Caveat, Coverage, NeverReached

if TYPE_CHECKING:
    from asset.codegen import CompiledModel

SAMPLE = 400
"""States that are looked at beforehand; fewer if there are many commands. Some tenths of a second."""

MOST_INITIAL = 10_000
"""With more initial states, what is tested of states is left out."""

MOST_NAMED = 12
"""In one caveat; the JSON has all."""

INCOMPLETE = Caveat(
    "coverage-open", "what is never reached is not known: the search ended before everything was explored"
)


class Covering:
    """The executable to explore in place of another one, and the marks that it sets."""

    def __init__(self, executable: Executable, ranges: bool = False) -> None:
        if not isinstance(executable, Interpreter):
            raise UsageError.of(
                "coverage needs a model within the compiled language", remedy="asset check says what keeps it out"
            )
        program = marked(executable.program, ranges)
        self.points = program.points
        self.reached = _true_at_first(program)
        self.reached |= _sampled(program.program, len(program.points), self.reached)
        self.executable = Interpreter(marked(executable.program, ranges, self.reached).program)
        self.marks = (ctypes.c_uint8 * max(1, len(self.points)))()

    def machine(self, program: Program) -> CompiledModel:
        """Machine code of the executable that sets the marks; if none is left to be set, it is that of any check."""
        from asset import codegen  # here, as the reference engine does without it

        if len(self.reached) == len(self.points):
            return codegen.compile(program)
        return codegen.compile_marked(program, self.marks)

    def found(self, stop: Stop) -> tuple[Coverage | None, list[Caveat]]:
        """What was never reached, if the search shows it."""
        if stop is not Stop.COMPLETE:
            return None, [INCOMPLETE]
        reached = self.reached | self.executable.marked
        missed = [p for k, p in enumerate(self.points) if not self.marks[k] and k not in reached]
        never = tuple(NeverReached(p.kind.value, p.name, _text(p), p.span) for p in missed)
        counts = {kind.value: sum(p.kind is kind for p in self.points) for kind in Covered}
        if not counts[Covered.RANGE.value]:
            del counts[Covered.RANGE.value]  # they were not asked for, or there are none
        return Coverage(counts, never), list(_caveats(missed))


def _sampled(program: Program, marks: int, reached: Set[int]) -> set[int]:
    """The marks that a look at some states reaches: most of those that are ever reached. Only the others are left in
    the code that explores, so that it is as fast as without marks. It ends when all are reached."""
    run, dice = Interpreter(program), Random(0)
    states, seen = list(program.initial_states[:SAMPLE]), set(program.initial_states[:SAMPLE])
    state, at, left = states[0], 0, SAMPLE
    while left > 0 and len(run.marked | reached) < marks:
        # First breadth-first, then at random, from an initial state on whenever it goes no further.
        broad = left > SAMPLE // 2 and at < len(states)
        after = _looked_at(run, states[at] if broad else state)
        left -= 1 + program.nr_commands // 8
        at += broad
        new = [other for other in after if other not in seen]
        seen.update(new)
        states += new
        state = dice.choice(after) if after else dice.choice(program.initial_states)
    return run.marked


def _true_at_first(program: MarkedProgram) -> set[int]:
    """The marks of tests that are true in initial states; all of them, if there are too many states to be sure."""
    reached: set[int] = set()
    initial = program.program.initial_states
    if len(initial) > MOST_INITIAL:
        return set(program.tests)
    for number, asked in program.tests.items():
        span = asked.span
        function = Function("asked", 0, (), (n.Return(span, asked.test),), span)
        extended = replace(program.program, functions=(*program.program.functions, function))
        predicate = Predicate("asked", len(program.program.functions), (), span)
        run = Interpreter(extended)
        with suppress(Fault):
            if any(run.evaluate(predicate, state) is None for state in initial):
                reached.add(number)
    return reached


def _looked_at(run: Interpreter, state: State) -> list[State]:
    """The successors of a state in which what is asked of it is asked."""
    found = []
    for command in range(run.program.nr_commands):
        with suppress(Fault):
            after = run.fire(state, command)
            if after is not None:
                found.append(after)
    moves = any(run.program.idle_steps or after != state for after in found)
    stages = (Stage.STATE, Stage.GRAPH) if moves else (Stage.STATE, Stage.GRAPH, Stage.TERMINAL)
    for predicate in (p for each in run.program.requirements if each.stage in stages for p in each.predicates):
        with suppress(Fault):
            run.evaluate(predicate, state)
    return found


def _text(point: CoveragePoint) -> str:
    """The test of a branch, on one line."""
    if point.kind is not Covered.BRANCH:
        return ""
    span = point.span
    lines = [linecache.getline(span.file, k).rstrip("\n") for k in range(span.line, max(span.end_line, span.line) + 1)]
    lines[-1] = lines[-1][: span.end_column - 1] if span.end_column else lines[-1]
    lines[0] = lines[0][span.column - 1 :]
    return " ".join(" ".join(lines).split())


def _caveats(missed: list[CoveragePoint]) -> Iterator[Caveat]:
    by_kind = {kind: [p for p in missed if p.kind is kind] for kind in Covered}
    if by_kind[Covered.TRANSITION]:
        names = list(dict.fromkeys(p.name for p in by_kind[Covered.TRANSITION]))
        yield Caveat("never-fired", f"never enabled, in no state: {_listed(names)}")
    if by_kind[Covered.BRANCH]:
        tests = [f"{Path(p.span.file).name}:{p.span.line} ({_text(p)} is {p.name})" for p in by_kind[Covered.BRANCH]]
        yield Caveat("never-reached", f"tests that come out one way only: {_listed(list(dict.fromkeys(tests)))}")
    if by_kind[Covered.PROPERTY]:
        names = list(dict.fromkeys(p.name for p in by_kind[Covered.PROPERTY]))
        yield Caveat("never-challenged", f"hold only because what they assume is never true: {_listed(names)}")
    if by_kind[Covered.RANGE]:
        ends = list(dict.fromkeys(p.name for p in by_kind[Covered.RANGE]))
        yield Caveat("range-ends", f"ends of ranges that are never reached: {_listed(ends)}")


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more
