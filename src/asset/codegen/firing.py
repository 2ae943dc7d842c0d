"""Firing single commands by machine code, for those who explore in Python."""

from __future__ import annotations

import ctypes

from asset.codegen.abi import ModelTable
from asset.codegen.compiled import CompiledModel
from asset.ir.program import State

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
