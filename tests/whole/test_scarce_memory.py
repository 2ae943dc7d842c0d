"""With little memory a search gives the answer of one with enough, or none: whatever the store, threads and reductions,
with files and without.

ASSET_EXAMPLES=3000 makes a long run of it.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from places import MODELS
from programs import everything
from random_models import models

from asset import codegen
from asset.engine import native
from asset.engine.outcome import Finding, Limits, Outcome, Stop, Task
from asset.frontends.python import compile_model, load
from asset.ir.program import Program
from asset.ir.reductions import Reductions
from asset.ir.requirements import Termination

EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "25"))
MOST_STATES = 20_000
MEMORY = st.integers(300_000, 6_000_000)
"""Bytes: from too few to begin, by those that end in the middle of a search, to enough."""

REDUCTIONS = st.tuples(st.booleans(), st.booleans())
STORES = st.sampled_from([None, "exact", "tree"])
THREADS = st.sampled_from([1, 2])


def asked(program: Program, symmetric: bool, stubborn: bool) -> Task:
    reductions = Reductions(
        hand_symmetry=symmetric and program.representative is not None,
        hand_rules=stubborn and any(family.rule is not None for family in program.families),
    )
    return everything(program, Termination(), reductions=reductions)


def counts(outcome: Outcome) -> tuple[object, ...]:
    return outcome.stop, outcome.states, outcome.edges, outcome.depth, outcome.terminal_states, outcome.levels


def steps(finding: Finding) -> int:
    """How many commands are fired until something is wrong, with the one that goes wrong, if it does."""
    shown = finding.progress_lost_at if finding.progress_lost_at is not None else len(finding.path) - 1
    return shown + (finding.command is not None)


def is_known(enough: Outcome, scarce: Outcome) -> None:
    """What was found with little memory is what there is. A search in files looks at a level in another order, so what
    it finds first may be something else that is as near."""
    if scarce.stop is Stop.MAX_MEMORY:
        assert scarce.states <= enough.states or enough.finding is not None
    elif enough.finding is None or scarce.finding is None:
        assert counts(scarce) == counts(enough)
    else:
        assert steps(scarce.finding) == steps(enough.finding)


def agree(machine: native.NativeModel, task: Task, enough: Outcome, limits: Limits) -> None:
    """With this limit on memory, with files and without."""
    is_known(enough, native.explore(machine, task, limits))
    if limits.store != "tree":
        with TemporaryDirectory() as folder:
            is_known(enough, native.explore(machine, task, replace(limits, spill=folder)))


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(models(), REDUCTIONS, st.lists(MEMORY, min_size=3, max_size=3), STORES, THREADS)
def test_little_memory_changes_no_answer(
    text: str, reductions: tuple[bool, bool], memory: list[int], store: str | None, threads: int
) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "random_model.py"
        file.write_text(text)
        program = compile_model(load(str(file)))
    task = asked(program, *reductions)
    machine = codegen.compile(program, task.reductions)
    enough = native.explore(machine, task, Limits(max_states=MOST_STATES))
    if enough.stop is not Stop.MAX_STATES:
        for limit in memory:
            agree(machine, task, enough, Limits(max_memory=limit, store=store, threads=threads))


LARGER = [
    ("token_ring.py", {"n": "5"}),
    ("bakery.py:Bakery", {"n": "3"}),
    ("peterson.py:Peterson", {"n": "3"}),
    ("peterson.py:PetersonSwapped", {"n": "3"}),
    ("packet_pipeline.py:PacketPipeline", {"stages": "4", "packets": "4"}),
]


@pytest.mark.parametrize(("model", "parameters"), LARGER)
def test_tables_that_grow_until_memory_ends_change_no_answer(model: str, parameters: dict[str, str]) -> None:
    program = compile_model(load(MODELS / model, parameters))
    plain = asked(program, symmetric=False, stubborn=False)
    machine = codegen.compile(program, plain.reductions)
    enough = native.explore(machine, plain, Limits())

    @settings(max_examples=max(3, EXAMPLES // 8), deadline=None, suppress_health_check=list(HealthCheck))
    @given(MEMORY, STORES, THREADS)
    def agrees(memory: int, store: str | None, threads: int) -> None:
        agree(machine, plain, enough, Limits(max_memory=memory, store=store, threads=threads))

    agrees()
