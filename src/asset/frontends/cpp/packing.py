"""Where in a state each variable of a .model file lies, and the C++ constants that say so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from asset.frontends.cpp.self_description import VariableDescription
from asset.ir.library import PackedCell

WORD = 64
MOST_UNROLLED = 64
"""Up to so many transitions have machine code of their own each, with the number of the transition as a constant."""


@dataclass(frozen=True, slots=True)
class CellRun:
    """A variable's cells, one after the other, `in_a_word` of them in each word, from `shift` of the first word on.

    If they take several words, they begin at the lowest bit of the first.
    """

    word: int
    shift: int
    bits: int
    cells: int
    in_a_word: int

    def places(self) -> Iterator[PackedCell]:
        for cell in range(self.cells):
            word, position = divmod(cell, self.in_a_word)
            yield PackedCell(self.word + word, self.shift + position * self.bits, self.bits)


@dataclass(frozen=True, slots=True)
class Packing:
    """`runs` has one for each variable, in their order."""

    runs: tuple[CellRun, ...]
    words: int
    bits: int

    def places(self) -> tuple[PackedCell, ...]:
        return tuple(place for run in self.runs for place in run.places())


def choose_packing(variables: Sequence[VariableDescription]) -> Packing:
    """Large variables first, each where there is room for all of it; what needs more than a word begins a new one."""
    used: list[int] = []  # bits, in each word
    runs: dict[int, CellRun] = {}
    sizes = {i: variable.cells * variable.bits for i, variable in enumerate(variables)}
    for i in sorted(sizes, key=lambda i: -sizes[i]):
        runs[i] = _placed(variables[i], used)
    words = max(1, len(used))
    bits = used[0] if len(used) == 1 else words * WORD  # without variables there is still one word
    return Packing(tuple(runs[i] for i in range(len(variables))), words, bits)


def _placed(variable: VariableDescription, used: list[int]) -> CellRun:
    size = variable.cells * variable.bits
    if size > WORD:
        in_a_word = WORD // variable.bits
        full, rest = divmod(variable.cells, in_a_word)
        word = len(used)
        used += [in_a_word * variable.bits] * full + [rest * variable.bits] * (rest > 0)
        return CellRun(word, 0, variable.bits, variable.cells, in_a_word)
    word = next((word for word, bits in enumerate(used) if bits + size <= WORD), len(used))
    if word == len(used):
        used.append(0)
    shift = used[word]
    used[word] += size
    return CellRun(word, shift, variable.bits, variable.cells, max(1, variable.cells))


@dataclass(frozen=True, slots=True)
class PackingConstants:
    """What the machine code is specialised for."""

    variables: tuple[VariableDescription, ...]
    packing: Packing
    commands: int
    sane: bool
    forward: bool

    def text(self) -> str:
        """The namespace `asset::layout` that packed.h is compiled with."""
        packing = self.packing
        flags = {"unrolled": self.commands <= MOST_UNROLLED, "sane": self.sane, "forward": self.forward}
        settings = ", ".join(f"{name} = {str(value).lower()}" for name, value in flags.items())
        runs = "\n".join(_specialised(v.number, run) for v, run in zip(self.variables, packing.runs, strict=True))
        cells = ", ".join(
            f'{{{place.word}, {place.shift}, "{name}"}}'
            for place, name in zip(packing.places(), self._cell_names(), strict=True)
        )
        return f"""\
namespace asset::layout {{
constexpr unsigned words = {packing.words}, bits = {packing.bits}, commands = {self.commands};
constexpr bool {settings};
template <unsigned> struct variable;
{runs}
struct named {{ unsigned word, shift; const char *name; }};
constexpr named cells[] = {{{cells or '{0, 0, ""}'}}};
}}
"""

    def _cell_names(self) -> Iterator[str]:
        for variable in self.variables:
            for indices in product(*map(range, variable.dims)):
                yield variable.name + "".join(f"[{i}]" for i in indices)


def _specialised(number: int, run: CellRun) -> str:
    one = str(run.cells <= run.in_a_word).lower()
    return (
        f"template <> struct variable<{number}> {{ static constexpr unsigned word = {run.word}, shift = {run.shift}, "
        f"bits = {run.bits}, in_a_word = {run.in_a_word}; static constexpr bool in_one_word = {one}; }};"
    )
