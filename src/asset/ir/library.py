"""A program whose code is a shared library instead of functions of the IR: data only, as it comes from a front end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from asset.ir.program import Program, State


@dataclass(frozen=True, slots=True)
class PackedCell:
    """Some bits of a word of a packed state."""

    word: int
    shift: int
    bits: int


@dataclass(frozen=True, slots=True)
class Library:
    """`program` has variables, commands and properties but no code; `code` is a library that exports native/abi.h's
    table. `places` says where each cell is in a state of `words` words.

    `own_variables` are the writable variables of the code besides the state: if there are any, what a function
    answers may depend on what was called before. `prints` tells whether the code can show a state.
    """

    program: Program
    code: bytes
    places: tuple[PackedCell, ...]
    words: int
    own_variables: tuple[str, ...]
    prints: bool

    def pack(self, state: State) -> tuple[int, ...]:
        words = [0] * self.words
        for place, value in zip(self.places, state, strict=True):
            words[place.word] |= value << place.shift
        return tuple(words)

    def unpack(self, words: Sequence[int]) -> State:
        return tuple(words[place.word] >> place.shift & (1 << place.bits) - 1 for place in self.places)
