"""Random models in Promela have as many states and transitions as SPIN finds in them.

ASSET_EXAMPLES=10000 makes a long run of it; ASSET_FIRST=… begins with another seed. With ASSET_PAN_CC=tcc and -n 2, it
takes about an hour. In every second model, the choices in atomic sequences are drawn. With a never claim, the moves
that it makes alone in a state where nothing else can go on are counted another way than in SPIN.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from asset.frontends.promela import stepping
from asset.ir.faults import Fault
from asset.ir.interpreter import Interpreter
from asset.ir.program import State
from asset.languages import ModelSpec, load
from tests.support import spin_oracle
from tests.support.placed_commands import PlacedCommands
from tests.support.random_promela import random_model

EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "4"))
FIRST = int(os.environ.get("ASSET_FIRST", "0"))
LARGEST = 4000
MOST_COMMANDS = 3000
PIECE = 100
"""Models that one test compares, so that tests can run beside each other."""


@pytest.mark.skipif(not spin_oracle.AVAILABLE, reason="spin is not installed")
@pytest.mark.parametrize("first", range(FIRST, FIRST + EXAMPLES, PIECE))
def test_random_models_have_the_counts_of_spin(first: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compared, seeds = 0, range(first, min(first + PIECE, FIRST + EXAMPLES))
    for seed in seeds:
        monkeypatch.setattr(stepping, "MOST_COMMANDS", 1 if seed % 2 else 256)
        file = tmp_path / "random.pml"
        file.write_text(random_model(seed))
        ours = counted(file)
        if ours is None:
            continue
        try:
            theirs = spin_oracle.count(file)
        except spin_oracle.SpinRejects as rejects:
            assert "unconditional self-loop" in str(rejects), f"seed {seed}: {rejects}"
            continue
        except spin_oracle.SpinStops:
            continue
        same = ours[:1] == (theirs.states,) if "never" in file.read_text() else ours == (theirs.states, theirs.edges)
        assert same, f"seed {seed}: {ours} and {theirs}\n{file.read_text()}"
        compared += 1
    assert compared >= 0.5 * len(seeds)


def counted(file: Path) -> tuple[int, int] | None:
    """States and transitions; None if there are too many to count here, or an error."""
    executable = load(ModelSpec(str(file))).executable()
    assert isinstance(executable, Interpreter)
    if executable.program.nr_commands > MOST_COMMANDS and not executable.program.draws:
        return None
    placed = None if executable.program.draws else PlacedCommands(executable)
    found: dict[State, None] = {executable.program.initial: None}
    pending, edges = [executable.program.initial], 0
    while pending:
        try:
            state = pending.pop()
            onward = (after for _, after in executable.successors(state))
            successors = list(placed.successors(state) if placed else onward)
        except Fault:  # SPIN goes on after an error
            return None
        for successor in successors:
            edges += 1
            if successor not in found:
                found[successor] = None
                pending.append(successor)
        if len(found) > LARGEST:
            return None
    return len(found), edges
