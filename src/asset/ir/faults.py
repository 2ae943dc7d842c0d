"""Model errors: what can go wrong while a model runs. Each is a finding, with the shortest path to it."""

from __future__ import annotations

from enum import IntEnum

from asset.span import Span

INT_MIN, INT_MAX = -(2**63), 2**63 - 1

LOOP_LIMIT = 1_000_000
"""Operations that the loops of one firing may do; what goes on after that is taken to run for ever. See `ir.rounds`."""


class FaultKind(IntEnum):
    """The numbers are part of the native boundary (`native/abi.h`)."""

    RANGE = 1  # a value out of its variable's range
    INDEX = 2  # an index out of bounds
    DIVISION = 3  # a division by zero
    OVERFLOW = 4  # a result that does not fit 64 bits
    SHIFT = 5  # a shift or a power by a negative number
    ASSERTION = 6  # a failed assert
    RAISE = 7  # a raised exception
    EMPTY = 8  # min() or max() of nothing
    LOOP = 9  # a loop that does not end
    CHANGED = 10  # a fire_transition that changed the state and returned False
    CRASH = 11  # code that ended the process it ran in
    CONFLICT = 12  # two updates of one step that give a cell different values
    LIMIT = 13  # a step that goes beyond what it was said that the tool may do: no error of the model


class Fault(Exception):
    """A model error, or a limit of the tool, raised by the reference interpreter."""

    def __init__(self, kind: FaultKind, span: Span, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.span = span
        self.message = message

    @property
    def word(self) -> str:
        """What it is called; the model is at fault unless it is a limit."""
        return "a limit was reached" if self.kind is FaultKind.LIMIT else "model error"
