"""The whole state space, kept: every state, every edge, and what is wrong. For spaces small enough to look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from asset.checks.options import CheckOptions
from asset.checks.plan import plan
from asset.checks.reductions import Reduced, reduce
from asset.checks.subject import Subject, runnable
from asset.engine.outcome import Executable, Limits, OnProgress, Stop
from asset.engine.repair import repair
from asset.engine.search import Observer, Search, Stopped
from asset.engine.sources import Failed, source_of
from asset.engine.store import Edge
from asset.errors import UsageError
from asset.ir.faults import Fault
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program, State
from asset.ir.reductions import NO_REDUCTIONS
from asset.ir.requirements import Requirement, Stage

if TYPE_CHECKING:
    from asset.codegen.firing import Firing

MAX_STATES = 200_000
"""Unless told otherwise: what takes about twenty seconds."""

FEW_FIRINGS = 20_000
"""Of more, it pays to make machine code, which fires ten times as fast as the interpreter."""


@dataclass(frozen=True, slots=True)
class Explored:
    """States in the order of discovery, with their edges in the order of firing.

    `wrong` has the states that break an invariant or, being terminal, a terminal property, or in which the model fails.
    """

    program: Program
    states: Sequence[State]
    edges: Sequence[Sequence[Edge]]
    wrong: dict[int, str]
    reduced_by: tuple[str, ...] = ()
    terminal: frozenset[int] = frozenset()
    """States that no command can change, unless one fails there."""
    starts: int = 1
    """So many of the first states are those that the search began in."""
    failing: frozenset[int] = frozenset()
    """States in which a command fails."""

    def is_terminal(self, number: int) -> bool:
        return number in self.terminal and number not in self.failing


def explore(
    subject: Subject, options: CheckOptions, max_states: int = MAX_STATES, on_progress: OnProgress | None = None
) -> Explored:
    """Explores everything, also behind model errors, with the reductions that a check would use."""
    options = subject.options(options)
    executable = _Lenient(runnable(subject).executable)
    program = executable.program
    requirements = plan(program, options).requirements
    reduced = _reduced(program, requirements, options)
    reductions = reduced.reductions.without_progress()
    observer = _Observer(program)
    search = Search(source_of(executable, reductions, program.idle_steps), Limits(max_states), [observer], on_progress)
    _run(search, reduced, program, max_states)
    store = search.store
    wrong = {store.numbers[state]: message for state, message in executable.faults.items()}
    failing = frozenset(wrong)
    for number, state in enumerate(store.vertices):
        complaint = _complaint(executable, requirements, state, terminal=number in observer.terminal_states)
        if number not in wrong and complaint:
            wrong[number] = complaint
    used = {"stubborn sets": reductions.stubborn, "symmetry": reductions.symmetry}
    reduced_by = tuple(name for name, is_used in used.items() if is_used)
    terminal = frozenset(observer.terminal_states)
    return Explored(program, store.vertices, store.edges, wrong, reduced_by, terminal, search.levels[0], failing)


class _Observer(Observer):
    """Model errors in firing are noted, and the search goes on; those in hand-written reductions end it."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.terminal_states: set[int] = set()

    def terminal(self, number: int, state: State) -> None:
        self.terminal_states.add(number)

    def failed(self, number: int | None, failure: Failed) -> None:
        raise UsageError.of(
            f"a hand-written reduction of {self.program.name} fails",
            remedy="asset check with the same reduction shows how",
        )


def _run(search: Search, reduced: Reduced, program: Program, max_states: int) -> None:
    """Everything is explored, or there is a UsageError that says why it cannot be."""
    try:
        search.run(program.initial_states)
        if reduced.reductions.stubborn:
            repair(search, reduced.repair, reduced.reductions.symmetry)
    except Stopped as stopped:
        if stopped.stop is Stop.INTERRUPTED:
            raise KeyboardInterrupt from None
        raise too_many_states(program, max_states) from None


def too_many_states(program: Program, max_states: int) -> UsageError:
    error = UsageError.of(
        f"{program.name} has more than {max_states:,} states",
        remedy="give smaller parameters, or more room (--max-states N)",
    )
    assert isinstance(error, UsageError)
    return error


def _reduced(program: Program, requirements: Sequence[Requirement], options: CheckOptions) -> Reduced:
    if "auto" in (options.stubborn, options.symmetry) and not program.functions:
        raise UsageError.of(
            "reductions are derived from models within the compiled language only",
            remedy="asset check says what keeps the model out of it",
        )
    return reduce(program, requirements, options)


def _machine_code(program: Program) -> Firing | None:
    try:
        from asset import codegen
        from asset.codegen.firing import Firing
    except ImportError:  # the reference interpreter does without LLVM
        return None
    return Firing(codegen.compile(program, NO_REDUCTIONS, anywhere=True))


class _Lenient:
    """The executable, but a firing that fails is noted and counts as disabled, so that the search goes on.

    Large spaces are fired by machine code; what fails there is left to the interpreter, which can say why.
    """

    def __init__(self, executable: Executable) -> None:
        self.program = executable.program
        self.faults: dict[State, str] = {}
        self._executable = executable
        self._firings = 0
        self._machine: Firing | None = None
        self.evaluate = executable.evaluate
        self.obligations = executable.obligations
        self.representative = executable.representative

    def fire(self, state: State, command: int) -> State | None:
        self._firings += 1
        # Of commands that inputs are drawn from, the interpreter passes over those that are disabled together.
        if self._firings == FEW_FIRINGS and isinstance(self._executable, Interpreter) and not self.program.draws:
            self._machine = _machine_code(self.program)
        if self._machine is not None:
            after = self._machine.fire(state, command)
            if not isinstance(after, int):
                return after
        try:
            return self._executable.fire(state, command)
        except Fault as fault:
            self.faults.setdefault(state, f"{fault.word}: {self.program.command_name(command)}: {fault.message}")
            return None


def _complaint(executable: _Lenient, requirements: Sequence[Requirement], state: State, terminal: bool) -> str:
    """The first thing that is wrong with the state; empty if nothing is."""
    stages = (Stage.STATE, Stage.TERMINAL) if terminal else (Stage.STATE,)
    for predicate in (p for each in requirements if each.stage in stages for p in each.predicates):
        try:
            message = executable.evaluate(predicate, state)
        except Fault as fault:
            return f"model error: {predicate.name}: {fault.message}"
        if message is not None:
            return message
    return ""
