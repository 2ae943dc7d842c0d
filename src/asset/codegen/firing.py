"""Firing commands by machine code, for those who explore in Python: one command, or all of them in many states."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from itertools import islice

from asset.codegen.abi import FaultRecord, ModelTable
from asset.codegen.compiled import CompiledModel, compile_named
from asset.ir.program import Program, State

_FIRE = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.POINTER(ctypes.c_uint64), ctypes.c_uint32)


class Firing:
    """The commands of a compiled program. States are packed and unpacked once each, and remembered."""

    def __init__(self, model: CompiledModel) -> None:
        self._model = model  # the machine code lives as long as it does
        self._fire = _FIRE(ModelTable.from_address(model.address).fire)
        self._state = (ctypes.c_uint64 * model.state_words)()
        self._size = ctypes.sizeof(self._state)
        self._packed: dict[State, bytes] = {}
        self._unpacked: dict[bytes, State] = {}

    def fire(self, state: State, command: int) -> State | int | None:
        """The state after the command; None if it is disabled; the code of the fault (FaultKind) if it fails."""
        packed = self._packed.get(state)
        if packed is None:
            self._state[:] = list(self._model.pack(state))
            packed = self._remember(state)
        ctypes.memmove(self._state, packed, self._size)
        status: int = self._fire(self._state, command)
        if status <= 0:
            return None if status == 0 else -status
        after = ctypes.string_at(self._state, self._size)
        known = self._unpacked.get(after)
        if known is None:
            known = self._model.unpack(list(self._state))
            self._remember(known)
        return known

    def _remember(self, state: State) -> bytes:
        """The state is that which was just packed."""
        packed = ctypes.string_at(self._state, self._size)
        self._packed[state] = packed
        self._unpacked[packed] = state
        return packed


_NAMED = ctypes.CFUNCTYPE(
    ctypes.c_int64,
    ctypes.c_char_p,
    ctypes.c_uint64,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.POINTER(FaultRecord),
)

ROOM = 1 << 18
"""Successors that there is room for, unless one state may have more."""


class FiringFailed(Exception):
    """A model error: what it is, only the interpreter can say."""


class NamedSuccessors:
    """All successors of packed states, with the commands that lead to them, the last command first."""

    def __init__(self, program: Program) -> None:
        self._model = compile_named(program)  # the machine code lives as long as it does
        self._fire = _NAMED(ModelTable.from_address(self._model.address).named_successors)
        self.size = 8 * self._model.state_words
        self.batch = max(1, ROOM // max(1, program.nr_commands))
        room = self.batch * program.nr_commands + 1  # a disabled command is written too, and then overwritten
        self._out = ctypes.create_string_buffer(room * self.size)
        self._commands = (ctypes.c_uint32 * room)()
        self._counts = (ctypes.c_uint32 * self.batch)()

    def pack(self, state: State) -> bytes:
        words = self._model.pack(state)
        return bytes((ctypes.c_uint64 * len(words))(*words))

    def of(self, states: Sequence[bytes]) -> Iterator[list[tuple[int, bytes]]]:
        """For each of the states, at most `batch` of them, its commands and successors. Raises FiringFailed."""
        fault = FaultRecord()
        count = self._fire(b"".join(states), len(states), self._out, self._counts, self._commands, ctypes.byref(fault))
        if fault.code:
            raise FiringFailed
        written, size = ctypes.string_at(self._out, count * self.size), self.size
        successors = (written[at : at + size] for at in range(0, len(written), size))
        edges = zip(self._commands[:count], successors, strict=True)
        return (list(islice(edges, number)) for number in self._counts[: len(states)])
