"""Random machines have the states and steps that the textbook gives them, and go wrong if and only if they do there."""

from __future__ import annotations

import os
from pathlib import Path

import asm_walk
import pytest
from asm_walk import Conflict, OutOfRange, Walk, machine_of
from random_machines import RandomMachine, with_fractions, with_named_colours

from asset.frontends import asm
from asset.frontends.asm import inputs
from asset.ir.faults import Fault
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program

EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "60"))
MOST_STATES = 40
MOST_COMMANDS = 60
MOST_DRAWN = 400
MOST_WAYS = 3000
"""In which a step can be made: more take too long, and those that are left may lead elsewhere."""
CUT = "cut"

Sizes = tuple[int, int] | str | None
"""The number of states and steps, `fault` if something goes wrong, `cut` if a step can be made in too many ways, None
if there are too many states."""


def lowered(program: Program) -> Sizes:
    interpreter = Interpreter(program)
    states, steps, pending = {program.initial}, set(), [program.initial]
    while pending and len(states) <= MOST_STATES:
        state = pending.pop()
        try:
            for _, after in interpreter.successors(state):
                steps.add((state, after))
                pending += [] if after in states else [after]
                states.add(after)
        except Fault:
            return "fault"
    return None if pending else (len(states), len(steps))


def walked(text: str, most_states: int = MOST_STATES) -> Sizes:
    walk = Walk(machine_of(text))
    start = walk.start()
    states, steps, pending = {start}, set(), [start]
    while pending and len(states) <= most_states:
        state = pending.pop()
        try:
            for number, after in enumerate(walk.steps(state)):
                if number == MOST_WAYS:
                    return CUT
                steps.add((state, after))
                pending += [] if after in states else [after]
                states.add(after)
        except (Conflict, OutOfRange):
            return "fault"
    return None if pending else (len(states), len(steps))


ROUNDS = 3


@pytest.mark.parametrize("kind", ["tame", "wild", "loops", "nested", "by name", "tuples", "fractions", "tries"])
@pytest.mark.parametrize("block", range(max(1, EXAMPLES // 60)))
def test_random_machines_mean_what_the_textbook_says(
    block: int, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every other one draws its inputs from the numbers of its commands, as machines with many inputs do."""
    file, compared = tmp_path / "random.asm", 0
    monkeypatch.setattr(asm_walk, "MOST_ROUNDS", ROUNDS)
    for seed in (*range(block * 60, block * 60 + 60), 639, 765, 931, 1962, 200_216):
        flags = [kind == each for each in ("wild", "loops", "nested", "by name", "tuples", "tries")]
        text = RandomMachine(seed, *flags).text()
        text = with_named_colours(text) if kind == "nested" else text
        text = with_fractions(text, seed) if kind == "fractions" else text
        file.write_text(text)
        with monkeypatch.context() as patched:
            if seed % 2:
                patched.setattr(inputs, "MOST_COMBINED", 0)
            program = asm.load(str(file), {"rounds": str(ROUNDS)}).program
        assert not seed % 2 or program.families[0].skips is not None
        if program.nr_commands > (MOST_DRAWN if seed % 2 else MOST_COMMANDS):
            continue
        found = lowered(program)
        if found is None:
            continue
        # What goes wrong may be found later by the walk, as it takes the states in another order.
        expected = walked(text, 50 * MOST_STATES) if found == "fault" else walked(text)
        if expected != CUT:
            compared += 1
            assert found == expected, seed
    assert compared > (10 if kind == "nested" else 20)
