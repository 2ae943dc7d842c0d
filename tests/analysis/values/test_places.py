"""Values at places: what is proved holds in every state that is reached, and is what the text of a process says.

ASSET_EXAMPLES=2000 makes a long run of it; ASSET_FIRST=… begins with another seed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from asset import Int, Model, check, transition, when
from asset.analysis.values.interval import Interval
from asset.analysis.values.reached_ranges import _Search, reached_ranges
from asset.errors import ModelRejected
from asset.frontends.python import compile_model
from asset.frontends.python import load as load_python
from asset.ir.faults import Fault
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program, State
from asset.languages import ModelSpec, load
from asset.verdict import Answer
from tests.support import random_places
from tests.support.placed_commands import PlacedCommands
from tests.support.random_promela import random_model

EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "6"))
FIRST = int(os.environ.get("ASSET_FIRST", "0"))
MOST_STATES, MOST_COMMANDS = 1500, 1500


def program_of(text: str, folder: Path) -> Program:
    file = folder / "placed.pml"
    file.write_text(text)
    executable = load(ModelSpec(str(file))).executable()
    assert isinstance(executable, Interpreter)
    return executable.program


def range_of(text: str, name: str, folder: Path) -> Interval:
    program = program_of(text, folder)
    return reached_ranges(program)[[v.name for v in program.variables].index(name)]


BOUNDED = [
    ("active proctype P() { byte j; do :: j < 5 -> skip; j++ :: else -> j = 0 od }", "P.j", (0, 5)),
    ("active [2] proctype P() { byte j; do :: j < 5 -> skip; j++ :: else -> j = 0 od }", "P.j", (0, 5)),
    ("byte j; active proctype P() { do :: j < 5 -> skip; j++ :: else -> j = 0 od }", "j", (0, 5)),
    ("byte j; active [2] proctype P() { do :: j < 5 -> skip; j++ :: else -> j = 0 od }", "j", (0, 255)),
    ("proctype P() { byte j; do :: j < 5 -> skip; j++ :: else -> break od } init { run P() }", "P.j", (0, 5)),
    ("init { byte j; atomic { do :: j < 5 -> skip; j++ :: else -> break od }; j = 0 }", "init.j", (0, 5)),
    ("active proctype P() { short n = -1; do :: n = (n + 1) % 4 :: n == 2 -> n = -1 od }", "P.n", (-1, 3)),
    (
        "chan c = [2] of { byte }; active proctype P() { byte j; do :: j < 3 -> skip; c!j; j++ :: else -> j = 0 od }"
        " active proctype Q() { byte k; do :: c?k od }",
        "Q.k",
        (0, 2),
    ),
]


@pytest.mark.parametrize(("text", "name", "values"), BOUNDED)
def test_a_bound_that_was_compared_with_holds_at_the_next_place(
    text: str, name: str, values: tuple[int, int], tmp_path: Path
) -> None:
    found = range_of(text, name, tmp_path)
    assert found.lo == values[0] and found.hi.bit_length() == values[1].bit_length()


@pytest.mark.parametrize("seed", range(FIRST, FIRST + EXAMPLES))
def test_what_is_known_of_places_holds_in_every_state(seed: int, tmp_path: Path) -> None:
    try:
        program = program_of(random_model(seed), tmp_path)
    except ModelRejected:
        return
    if program.nr_commands > MOST_COMMANDS:
        return
    search = _Search(program, ())
    grown = search.grow()
    narrowed = reached_ranges(program)
    for state in reached(program):
        assert is_within(state, narrowed, program)
        for counter, followed in search._followed.variables.items():
            for k in range(program.variables[counter].cells):
                known = grown.at_places.at((counter, state[program.offsets[counter] + k]))
                assert known is not None
                told = dict(known)
                for variable in followed:
                    assert told[variable].lo <= state[program.offsets[variable] + k] <= told[variable].hi


@pytest.mark.parametrize("seed", [111, 157, 297, *range(FIRST, FIRST + 4 * EXAMPLES)])  # the first three once failed
def test_every_state_of_processes_and_those_who_watch_them_is_within_the_ranges(seed: int, tmp_path: Path) -> None:
    file = tmp_path / "going.py"
    file.write_text(random_places.random_model(seed))
    program = compile_model(load_python(str(file)))
    ranges = reached_ranges(program)
    assert all(is_within(state, ranges, program) for state in reached(program))


def is_within(state: State, ranges: Sequence[Interval], program: Program) -> bool:
    return all(
        ranges[variable].lo <= value <= ranges[variable].hi
        for variable, (first, own) in enumerate(zip(program.offsets, program.variables, strict=True))
        for value in state[first : first + own.cells]
    )


def reached(program: Program) -> Iterator[State]:
    commands = PlacedCommands(Interpreter(program))
    found = {program.initial: None}
    pending = [program.initial]
    while pending and len(found) < MOST_STATES:
        state = pending.pop()
        yield state
        try:
            for successor in commands.successors(state):
                if successor not in found:
                    found[successor] = None
                    pending.append(successor)
        except Fault:
            continue


class Watched(Model):
    """`watch` looks at a place before that is reached, which does not change the range of the counter."""

    def state(self) -> None:
        self.at: Any = Int(0, 3)
        self.own: Any = Int(0, 9)
        self.seen: Any = Int(0, 255)

    @transition
    def watch(self) -> None:
        when(self.seen == 0)
        if self.at == 2:
            self.seen = 200

    @transition
    def first(self) -> None:
        when(self.at == 0)
        self.own = 1
        self.at = 3

    @transition
    def second(self) -> None:
        when(self.at == 3)
        self.own = 2
        self.at = 1

    @transition
    def third(self) -> None:
        when(self.at == 1)
        self.own = 3
        self.at = 2


def test_code_that_looks_at_a_place_is_interpreted_again_when_the_place_is_reached() -> None:
    program = compile_model(Watched())
    assert reached_ranges(program)[2].hi >= 200
    assert check(Watched(), ltl="G seen == 0").answer is Answer.VIOLATED
