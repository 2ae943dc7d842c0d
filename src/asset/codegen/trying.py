"""What the commands of a family cost: their machine code is run on some states, and timed."""

from __future__ import annotations

import ctypes
from time import perf_counter
from typing import NamedTuple

from asset.codegen.abi import FaultRecord
from asset.codegen.compiled import CompiledModel
from asset.codegen.probes import family_entry

_SUCCESSORS = ctypes.CFUNCTYPE(
    ctypes.c_uint64,
    ctypes.c_char_p,
    ctypes.c_uint64,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.POINTER(FaultRecord),
)

ROOM = 1 << 22
"""Bytes for successors, unless those of one state need more."""

REPEATS = 7
"""The least of so many times is taken: whatever else the machine does can only make it longer."""


class Cost(NamedTuple):
    """Seconds for a try that comes to nothing, and for one that fires."""

    in_vain: float
    fired: float


class Trying:
    """Runs families of a model that counts its commands (`compile_counted`) on these packed states."""

    def __init__(self, model: CompiledModel, words: list[int]) -> None:
        self._model = model
        self._size = 8 * model.state_words
        packed = bytes((ctypes.c_uint64 * len(words))(*words))
        self._states = [packed[at : at + self._size] for at in range(0, len(packed), self._size)]

    def cost(self, number: int) -> Cost:
        """What the commands of this family cost, by a line through two halves of the states: those with few and those
        with many successors. If these have the same number, a try costs the same whatever it comes to."""
        size = self._model.program.families[number].size
        run = _Run(self._model.entry(family_entry(number)), (size + 1) * self._size)
        states = self._states[: run.most]
        counts = run.successors(states)
        by_count = sorted(range(len(counts)), key=counts.__getitem__)
        half = len(by_count) // 2
        if not half:
            return Cost(0.0, 0.0)
        groups = [sorted(by_count[:half]), sorted(by_count[-half:])]
        few, many = (sum(counts[at] for at in group) for group in groups)
        quick, slow = (run.seconds([states[at] for at in group]) for group in groups)
        tries = half * size
        evenly = (quick + slow) / (2 * tries)
        if many == few:
            return Cost(evenly, evenly)
        more = max(0.0, (slow - quick) / (many - few))  # what firing takes beyond trying
        in_vain = max(0.0, (quick - few * more) / tries)
        return Cost(in_vain, in_vain + more)


class _Run:
    """The function of a family, with room for what it writes."""

    def __init__(self, address: int, bytes_each: int) -> None:
        self.most = max(1, ROOM // bytes_each)
        self._call = _SUCCESSORS(address)
        self._out = ctypes.create_string_buffer(self.most * bytes_each)
        self._counts = (ctypes.c_uint32 * self.most)()

    def successors(self, states: list[bytes]) -> list[int]:
        """How many successors each state has, as far as there is no model error."""
        fault = FaultRecord()
        self._call(b"".join(states), len(states), self._out, self._counts, ctypes.byref(fault))
        return self._counts[: fault.state if fault.code else len(states)]

    def seconds(self, states: list[bytes]) -> float:
        together = b"".join(states)
        return max(0.0, self._least(together, len(states)) - self._least(together, 0))

    def _least(self, states: bytes, count: int) -> float:
        best, fault = float("inf"), FaultRecord()
        for _ in range(REPEATS):
            started = perf_counter()
            self._call(states, count, self._out, self._counts, ctypes.byref(fault))
            best = min(best, perf_counter() - started)
        return best
