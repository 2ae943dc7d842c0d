"""Calls the function table of a compiled program through ctypes, and compares it with the reference interpreter."""

from __future__ import annotations

import ctypes
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from asset.codegen import CompiledModel
from asset.codegen.abi import FaultRecord, ModelTable
from asset.ir.faults import Fault
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program, State

_Words = ctypes.POINTER(ctypes.c_uint64)
_FIRE = ctypes.CFUNCTYPE(ctypes.c_int32, _Words, ctypes.c_uint32)
_SUCCESSORS = ctypes.CFUNCTYPE(
    ctypes.c_uint64, _Words, ctypes.c_uint64, _Words, ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(FaultRecord)
)
_OBLIGATIONS = ctypes.CFUNCTYPE(
    ctypes.c_int64, _Words, ctypes.c_uint32, ctypes.POINTER(ctypes.c_uint32), ctypes.c_uint64
)
_REPRESENTATIVES = ctypes.CFUNCTYPE(None, _Words, ctypes.c_uint64, ctypes.POINTER(FaultRecord))
_STEPS = ctypes.CFUNCTYPE(ctypes.c_uint64, _Words, ctypes.POINTER(ctypes.c_uint32), ctypes.c_uint64)
_HOLDS = ctypes.CFUNCTYPE(ctypes.c_int32, _Words, ctypes.c_uint32)
_FACTS = ctypes.CFUNCTYPE(None, _Words, ctypes.c_uint64, _Words)
_PREDICATES = ctypes.CFUNCTYPE(None, _Words, ctypes.c_uint64, _Words, _Words, ctypes.POINTER(FaultRecord))


Evaluated = tuple[list[int], tuple[int, int, int] | None]
"""The predicates that hold in each state, as bits, as far as it went; and the state, predicate and code of a fault."""


@dataclass(frozen=True)
class Batch:
    """What the successors of a batch of states were; `fault` is (state, command, code) or None."""

    successors: list[State]
    counts: list[int]
    fault: tuple[int, int, int] | None


class NativeTable:
    """The functions of the table on states as tuples of cell values."""

    def __init__(self, model: CompiledModel) -> None:
        self.model = model
        self.table = ModelTable.from_address(model.address)
        self._size = self.table.state_words

    def _pack(self, states: Sequence[State]) -> ctypes.Array[ctypes.c_uint64]:
        words = [word for state in states for word in self.model.pack(state)]
        return (ctypes.c_uint64 * max(1, len(words)))(*words)

    def _unpack(self, words: Sequence[int]) -> list[State]:
        size = self._size
        return [self.model.unpack(words[at : at + size]) for at in range(0, len(words), size)]

    def facts(self, state: State) -> list[bool]:
        words = (ctypes.c_uint64 * -(-self.table.nr_facts // 64))()
        _FACTS(self.table.facts)(self._pack([state]), 1, words)
        return [bool(words[fact // 64] >> fact % 64 & 1) for fact in range(self.table.nr_facts)]

    def fire(self, state: State, command: int) -> tuple[int, State]:
        words = self._pack([state])
        status = _FIRE(self.table.fire)(words, command)
        return status, self._unpack(list(words))[0]

    def successors(self, states: Sequence[State]) -> Batch:
        room = (ctypes.c_uint64 * max(1, self._size * len(states) * self.table.nr_commands))()
        counts = (ctypes.c_uint32 * max(1, len(states)))()
        fault = FaultRecord()
        total = _SUCCESSORS(self.table.successors)(self._pack(states), len(states), room, counts, fault)
        written = len(states) if not fault.code else fault.state + 1
        found = (fault.state, fault.number, fault.code) if fault.code else None
        return Batch(self._unpack(list(room)[: total * self._size]), list(counts)[:written], found)

    def predicates(self, states: Sequence[State], wanted: Collection[int]) -> Evaluated:
        size = -(-self.table.nr_predicates // 64)
        out = (ctypes.c_uint64 * max(1, size * len(states)))()
        bits = sum(1 << number for number in wanted)
        asked = (ctypes.c_uint64 * size)(*(bits >> 64 * word & (1 << 64) - 1 for word in range(size)))
        fault = FaultRecord()
        _PREDICATES(self.table.predicates)(self._pack(states), len(states), asked, out, fault)
        found = (fault.state, fault.number, fault.code) if fault.code else None
        holding = [sum(out[at * size + word] << 64 * word for word in range(size)) for at in range(len(states))]
        return holding[: fault.state + 1 if fault.code else len(states)], found

    def obligations(self, state: State, command: int, capacity: int = 100) -> tuple[int, list[int]]:
        """How many there are, or minus the code of a fault, and what was written of them; nothing behind that was."""
        beyond = 0xFFFFFFFF
        out = (ctypes.c_uint32 * (capacity + 1))(*[beyond] * (capacity + 1))
        count = _OBLIGATIONS(self.table.obligations)(self._pack([state]), command, out, capacity)
        assert all(number == beyond for number in list(out)[min(max(count, 0), capacity) :]) or count < 0
        assert out[capacity] == beyond
        return count, list(out)[: max(0, min(count, capacity))]

    def representatives(self, states: Sequence[State]) -> tuple[list[State], tuple[int, int] | None]:
        """Those of the states before the first fault, and that fault's state and code."""
        words, fault = self._pack(states), FaultRecord()
        _REPRESENTATIVES(self.table.representatives)(words, len(states), fault)
        valid = fault.state if fault.code else len(states)
        found = (fault.state, fault.code) if fault.code else None
        return self._unpack(list(words)[: valid * self._size]), found

    def steps(self, state: State, capacity: int = 100) -> tuple[int, list[int]]:
        """How many there are, and what was written of them."""
        out = (ctypes.c_uint32 * (capacity + 1))()
        count = _STEPS(self.table.steps)(self._pack([state]), out, capacity)
        return count, list(out)[: min(count, capacity)]

    def holds(self, state: State, meaning: int) -> int:
        return int(_HOLDS(self.table.holds)(self._pack([state]), meaning))


def reference_successors(program: Program, states: Sequence[State]) -> Batch:
    """The same batch by the interpreter."""
    interpreter = Interpreter(program)
    successors: list[State] = []
    counts: list[int] = []
    for number, state in enumerate(states):
        counts.append(0)
        for command in reversed(range(program.nr_commands)):
            try:
                after = interpreter.fire(state, command)
            except Fault as fault:
                return Batch(successors, counts, (number, command, int(fault.kind)))
            if after is not None:
                successors.append(after)
                counts[-1] += 1
    return Batch(successors, counts, None)


def reference_fire(program: Program, state: State, command: int) -> tuple[int, State]:
    try:
        after = Interpreter(program).fire(state, command)
    except Fault as fault:
        return -int(fault.kind), state
    return (0, state) if after is None else (1, after)


def reference_predicates(program: Program, states: Sequence[State], wanted: Collection[int]) -> Evaluated:
    interpreter = Interpreter(program)
    holding: list[int] = []
    for number, state in enumerate(states):
        holding.append(0)
        for at, predicate in enumerate(program.predicates):
            try:
                if at in wanted:
                    holding[-1] |= (interpreter.evaluate(predicate, state) is None) << at
            except Fault as fault:
                return holding, (number, at, int(fault.kind))
    return holding, None


def reference_obligations(program: Program, state: State, command: int) -> tuple[int, list[int]]:
    try:
        listed = Interpreter(program).obligations(state, command)
    except Fault as fault:
        return -int(fault.kind), []
    return len(listed), list(listed)


def reference_representatives(program: Program, states: Sequence[State]) -> tuple[list[State], tuple[int, int] | None]:
    found: list[State] = []
    for number, state in enumerate(states):
        try:
            found.append(Interpreter(program).representative(state))
        except Fault as fault:
            return found, (number, int(fault.kind))
    return found, None


def assert_agrees(program: Program, model: CompiledModel, states: Sequence[State]) -> None:
    """Everything the table does with these states is what the interpreter does."""
    native = NativeTable(model)
    assert native.successors(states) == reference_successors(program, states)
    for state in states:
        for command in range(program.nr_commands):
            status, after = reference_fire(program, state, command)
            found = native.fire(state, command)
            assert found[0] == status, (program.command_name(command), state)
            assert status < 0 or found[1] == after, (program.command_name(command), state)
    numbers = range(len(program.predicates))
    for wanted in (numbers, *([number] for number in numbers), numbers[::2]):
        if numbers:
            assert native.predicates(states, wanted) == reference_predicates(program, states, wanted)
    _assert_reductions_agree(program, native, states)


def _assert_reductions_agree(program: Program, native: NativeTable, states: Sequence[State]) -> None:
    if any(family.rule is not None for family in program.families):
        for state in states:
            for command in range(program.nr_commands):
                count, listed = reference_obligations(program, state, command)
                where = (program.command_name(command), state)
                assert native.obligations(state, command) == (count, listed[:100]), where
                assert native.obligations(state, command, 2) == (count, listed[:2]), where
    if program.representative is not None:
        assert native.representatives(states) == reference_representatives(program, states)
