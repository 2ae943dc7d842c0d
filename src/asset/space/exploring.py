"""The whole state space, kept: every state, every edge, and what is wrong where. For spaces small enough to look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from asset.checks.options import CheckOptions
from asset.checks.plan import Plan, plan, task
from asset.checks.subject import Subject, runnable
from asset.engine import reference
from asset.engine.graph import Edge
from asset.engine.outcome import Executable, Limits, Observer, Stop
from asset.errors import UsageError
from asset.ir.derived import DerivedRules
from asset.ir.faults import Fault
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program, Property, PropertyKind, State

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

    def is_terminal(self, number: int) -> bool:
        return not self.edges[number] and not self.wrong.get(number, "").startswith("model error")


def explore(
    subject: Subject, options: CheckOptions, max_states: int = MAX_STATES, observer: Observer | None = None
) -> Explored:
    """Explores everything, also behind model errors, with the reductions of the options."""
    options = subject.options(options)
    executable = _Lenient(runnable(subject).executable)
    planned = plan(executable.program, options)
    quotient, rules = _derived(executable, planned)
    asked = task((), planned.options, rules)
    search = reference.Search(quotient, asked, Limits(max_states=max_states), observer)
    outcome = search.run()
    if outcome.stop is Stop.MAX_STATES:
        raise UsageError.of(
            f"{executable.program.name} has more than {max_states:,} states",
            remedy="give smaller parameters, or more room (--max-states N)",
        )
    if outcome.stop is Stop.INTERRUPTED:
        raise KeyboardInterrupt
    if outcome.stop is not Stop.COMPLETE:  # model errors in firing are noted, and go on
        raise UsageError.of(
            f"a hand-written reduction of {executable.program.name} fails ({outcome.stop.value})",
            remedy="asset check with the same reduction shows how",
        )
    wrong = {search.numbers[state]: f"model error: {message}" for state, message in executable.faults.items()}
    properties = [question.subject for question in planned.questions if isinstance(question.subject, Property)]
    for number, state in enumerate(search.states):
        complaint = _complaint(executable, properties, state, terminal=not search.edges[number])
        if number not in wrong and complaint:
            wrong[number] = complaint
    used = {
        "stubborn sets": rules is not None or options.stubborn == "hand",
        "symmetry": quotient is not executable or options.symmetry == "hand",
    }
    reduced_by = tuple(name for name, is_used in used.items() if is_used)
    return Explored(executable.program, search.states, search.edges, wrong, reduced_by)


def _derived(executable: _Lenient, planned: Plan) -> tuple[Executable, DerivedRules | None]:
    """The executable with the symmetries that are asked for and found, and the stubborn set rules derived."""
    program, options = executable.program, planned.options
    if "auto" not in (options.stubborn, options.symmetry):
        return executable, None
    if not program.functions:
        raise UsageError.of(
            "reductions are derived from models within the compiled language only",
            remedy="asset check says what keeps the model out of it",
        )
    from asset.checks.deriving import derived
    from asset.checks.symmetric import Quotient, starts, symmetries

    group = symmetries(program, planned.questions).group if options.symmetry == "auto" else None
    begun = [program.initial] if group is None else starts(program, group)
    found = (
        derived(program, planned.questions, options, None, begun or ())
        if options.stubborn == "auto" and begun
        else None
    )
    quotient = executable if group is None else Quotient(executable, group)
    return quotient, None if found is None else found.rules


def _machine_code(program: Program) -> Firing | None:
    try:
        from asset import codegen
        from asset.codegen.firing import Firing
    except ImportError:  # the reference interpreter does without LLVM
        return None
    return Firing(codegen.compile(program, stubborn=False, symmetry=False))


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
        if self._firings == FEW_FIRINGS and isinstance(self._executable, Interpreter):
            self._machine = _machine_code(self.program)
        if self._machine is not None:
            after = self._machine.fire(state, command)
            if not isinstance(after, int):
                return after
        try:
            return self._executable.fire(state, command)
        except Fault as fault:
            self.faults.setdefault(state, f"{self.program.command_name(command)}: {fault.message}")
            return None


def _complaint(executable: _Lenient, properties: Sequence[Property], state: State, terminal: bool) -> str:
    """The first thing that is wrong with the state; empty where nothing is."""
    for prop in properties:
        if prop.kind is PropertyKind.INVARIANT or (terminal and prop.kind is PropertyKind.TERMINAL):
            try:
                message = executable.evaluate(prop, state)
            except Fault as fault:
                return f"model error: {prop.name}: {fault.message}"
            if message is not None:
                return message
    return ""
