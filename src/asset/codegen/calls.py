"""How the entries of the table call the functions of the model."""

from __future__ import annotations

from collections.abc import Sequence

from asset.codegen.builder import Builder
from asset.codegen.cell_access import number_at
from asset.codegen.unit import Unit
from asset.ir.program import Family


def load_words(b: Builder, unit: Unit, state: str) -> list[str]:
    """The words of a state in memory."""
    return [b.load(b.element(state, word)) for word in unit.words]


def store_words(b: Builder, words: Sequence[str], target: str) -> None:
    for number, word in enumerate(words):
        b.store(word, b.element(target, number))


def result_words(b: Builder, unit: Unit, function: int, result: str) -> list[str]:
    """The state's words in what a function gave back; none if it cannot have changed them."""
    if function not in unit.writers:
        return []
    kind = unit.result_type(function)
    return [b.let(f"extractvalue {kind} {result}, {word + 2}") for word in unit.words]


def state_arguments(b: Builder, unit: Unit, state: str) -> list[str]:
    """A state in memory as arguments of a function."""
    return [f"i64 {word}" for word in load_words(b, unit, state)] if unit.in_registers else [f"ptr {state}"]


def family_indices(b: Builder, unit: Unit, family: Family, positions: Sequence[str]) -> list[str]:
    """The values of a command's indices, given their positions in the family's ranges."""
    return [
        number_at(b, unit.constants, values, position) if position.startswith("%") else str(values[int(position)])
        for values, position in zip(family.ranges, positions, strict=True)
    ]
