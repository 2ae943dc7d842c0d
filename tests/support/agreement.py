"""One model in three ways: run by CPython, by the reference interpreter and as machine code, firing by firing."""

from __future__ import annotations

from codegen_table import NativeTable

from asset import codegen
from asset.engine.outcome import Executable
from asset.frontends.python import PlainPython, compile_model
from asset.ir.faults import Fault, FaultKind
from asset.ir.interpreter import Interpreter
from asset.ir.program import State
from asset.ir.requirements import Predicate
from asset.ir.verify import verify
from asset.model import Model

Happening = tuple[str, object, object]
"""What firing leads to: a state, nothing, or a model error with its kind and its line."""


class Agreement:
    """With `anywhere`, states may be looked at that cannot be reached."""

    def __init__(self, model: Model, compiled: bool = True, anywhere: bool = False) -> None:
        self.program = compile_model(model)
        verify(self.program)
        self.plain = PlainPython(model)
        self.reference = Interpreter(self.program)
        self.native = NativeTable(codegen.compile(self.program, anywhere=anywhere)) if compiled else None

    def fire(self, state: State, command: int) -> State | None:
        """Where the command leads; all ways of running the model agree on it."""
        specified = happening(self.reference, state, command)
        where = (self.program.command_name(command), state)
        if not is_overflow(specified):
            assert happening(self.plain, state, command) == specified, where
        if self.native is not None:
            expected = as_native(specified, state)
            found = self.native.fire(state, command)
            assert found[0] == expected[0] and (found[0] < 0 or found == expected), where
        after = specified[1]
        return after if isinstance(after, tuple) else None

    def evaluate(self, state: State) -> None:
        """All ways of running the model agree on what holds in the state."""
        for number, predicate in enumerate(self.program.predicates):
            specified = holding(self.reference, predicate, state)
            where = (predicate.name, state)
            if not is_overflow(specified):
                assert holding(self.plain, predicate, state) == specified, where
            if self.native is not None:
                _, kind, _ = specified
                holds, fault = self.native.predicates([state], [number])
                if isinstance(kind, FaultKind):
                    assert fault is not None and fault[2] == int(kind), where
                else:
                    assert fault is None and bool(holds[0] >> number & 1) == (kind is True), where

    def explore(self, most: int = 20) -> int:
        """Compares everything in the first states of the model; the number of firings."""
        states, at, fired = [*self.program.initial_states], 0, 0
        known = set(states)
        while at < len(states):
            self.evaluate(states[at])
            for command in range(self.program.nr_commands):
                after = self.fire(states[at], command)
                fired += 1
                if after is not None and after not in known and len(states) < most:
                    known.add(after)
                    states.append(after)
            at += 1
        return fired


def happening(executable: Executable, state: State, command: int) -> Happening:
    try:
        after = executable.fire(state, command)
    except Fault as fault:
        return "fault", fault.kind, fault.span.line
    return ("disabled", None, None) if after is None else ("state", after, None)


def holding(executable: Executable, predicate: Predicate, state: State) -> Happening:
    try:
        wrong = executable.evaluate(predicate, state)
    except Fault as fault:
        return "fault", fault.kind, fault.span.line
    return "holds", wrong is None, None


def is_overflow(happened: Happening) -> bool:
    """The integers of CPython have no limit, nor have its loops."""
    return happened[1] in (FaultKind.OVERFLOW, FaultKind.LOOP)


def as_native(happened: Happening, state: State) -> tuple[int, State]:
    """What native code gives for it: 1, 0 or minus the fault's number, and the state."""
    kind, what, _ = happened
    if kind == "fault":
        assert isinstance(what, FaultKind)
        return -int(what), state
    return (1, what) if isinstance(what, tuple) else (0, state)
