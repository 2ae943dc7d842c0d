"""Chains of digits: where one cell, the key, says which other cells a command depends on, as an index does.

A receiver, say, waits for messages in the queue that a local variable names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from asset.analysis.values.bit_layout import BitLayout
from asset.analysis.values.enabling import Conditions, Disabling
from asset.codegen.digits import Chain, Digit, by_value, rule_out


def chains_of(layout: BitLayout, conditions: Sequence[Conditions], everything: int) -> Iterator[Chain]:
    """For each key as many chains as cells are to be looked at for one of its values."""
    for key, commands in by_key(conditions).items():
        place, cells = layout.cells[key], cells_given(conditions, commands)
        for number in range(max(map(len, cells.values()), default=0)):
            then = [Digit(0, 0, 0, (everything,))] * (1 << place.width)
            for value, looked_at in cells.items():
                if number < len(looked_at):
                    then[value - place.lo] = _given(
                        layout, conditions, commands, (value, looked_at[number]), everything
                    )
            yield Chain(place.word, place.shift, place.width, tuple(then))


def by_key(conditions: Sequence[Conditions]) -> dict[int, list[int]]:
    """The commands that have each key."""
    found: dict[int, list[int]] = {}
    for command, each in enumerate(conditions):
        if each.key >= 0:
            found.setdefault(each.key, []).append(command)
    return found


def cells_given(conditions: Sequence[Conditions], commands: Sequence[int]) -> dict[int, list[int]]:
    """For each value of the key of these commands: cells to look at, first those that most of them depend on."""
    counts: dict[int, dict[int, int]] = {}
    for command in commands:
        for value, cells in conditions[command].given.items():
            of_value = counts.setdefault(value, {})
            for cell in cells:
                of_value[cell] = of_value.get(cell, 0) + 1
    return {value: sorted(cells, key=lambda cell: (-cells[cell], cell)) for value, cells in counts.items()}


def worth_looking_at(
    conditions: Sequence[Conditions], commands: Sequence[int], gain: Callable[[int, int, int], float], least: float
) -> dict[int, dict[int, Disabling]]:
    """By command: what is left of its conditions if only those cells are looked at that gain enough: those with the
    same number for each value of the key, as they are looked at together. `gain` is that of a command, a value and a
    cell."""
    cells = cells_given(conditions, commands)
    gains = [0.0] * max(map(len, cells.values()))
    for command in commands:
        given = conditions[command].given
        for value, disabling in given.items():
            for cell in disabling:
                gains[cells[value].index(cell)] += gain(command, value, cell) / len(given)
    kept = {
        value: {cell for cell, each in zip(of, gains, strict=False) if each >= least} for value, of in cells.items()
    }
    return {
        command: {
            value: {cell: values for cell, values in disabling.items() if cell in kept[value]}
            for value, disabling in conditions[command].given.items()
        }
        for command in commands
    }


def _given(
    layout: BitLayout, conditions: Sequence[Conditions], commands: Sequence[int], at: tuple[int, int], everything: int
) -> Digit:
    """The digit of a cell, if the key has a value: these are `at`."""
    value, cell = at
    place = layout.cells[cell]
    rows = [everything] * (1 << place.width)
    disabling: Mapping[int, Sequence[int]] = {
        command: conditions[command].given[value][cell]
        for command in commands
        if cell in conditions[command].given.get(value, {})
    }
    rule_out(rows, place, place.shift, by_value(disabling))
    return Digit(place.word, place.shift, place.width, tuple(rows))
