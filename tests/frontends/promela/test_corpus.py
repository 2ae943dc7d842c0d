"""A model for each construct: states and transitions are those of SPIN.

`counts.json` has the states, transitions and invalid end states of SPIN 6.5.2, without any reduction. A few models are
given to SPIN again, if it is installed; ASSET_EXAMPLES=100 gives it all of them.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import asset
from asset.ir.program import State
from asset.ir.requirements import Terminal
from asset.ir.verify import verify
from asset.languages import ModelSpec, load
from tests.support import spin_oracle

CORPUS = Path(__file__).parent / "corpus"
COUNTS: dict[str, list[int]] = json.loads((CORPUS / "counts.json").read_text())
EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "2"))
NATIVE = ("rendezvous_atomic_receivers", "death_order", "sorted_send", "unless_rendezvous", "atomic_choice")


def spec(name: str) -> ModelSpec:
    return ModelSpec(str(CORPUS / f"{name}.pml"))


def test_every_model_has_its_counts() -> None:
    assert {file.stem for file in CORPUS.glob("*.pml")} == set(COUNTS)
    assert len(COUNTS) >= 40


@pytest.mark.parametrize("name", COUNTS)
def test_states_transitions_and_invalid_ends_are_those_of_spin(name: str) -> None:
    executable = load(spec(name)).executable()
    verify(executable.program)
    found: dict[State, None] = {executable.program.initial: None}
    pending, edges, invalid = [executable.program.initial], 0, 0
    ends = [each.predicate for each in executable.program.requirements if isinstance(each, Terminal)]
    while pending:
        state = pending.pop()
        successors = [successor for _, successor in executable.successors(state)]
        invalid += not successors and any(executable.evaluate(end, state) is not None for end in ends)
        edges += len(successors)
        pending += [each for each in dict.fromkeys(successors) if each not in found]
        found.update(dict.fromkeys(successors))
    assert [len(found), edges, invalid] == COUNTS[name]


@pytest.mark.parametrize("name", NATIVE)
def test_machine_code_counts_the_same(name: str) -> None:
    verdict = asset.check(load(spec(name)), only=["termination"], stubborn="off", symmetry="off")
    assert [verdict.states, verdict.edges] == COUNTS[name][:2]


@pytest.mark.skipif(not spin_oracle.AVAILABLE, reason="spin is not installed")
@pytest.mark.parametrize("name", sorted(COUNTS, key=lambda name: (len(name) * 7919) % 101)[:EXAMPLES])
def test_the_counts_that_are_recorded_are_those_of_spin(name: str) -> None:
    counted = spin_oracle.count(CORPUS / f"{name}.pml")
    assert [counted.states, counted.edges, counted.errors] == COUNTS[name]
