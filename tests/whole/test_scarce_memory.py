"""With little memory a search gives the answer of one with enough, or none: whatever the store, threads and reductions,
with files and without.

ASSET_EXAMPLES=3000 makes a long run of it.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
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


def asked(program: Program, symmetric: bool, stubborn: bool) -> Task:
    reductions = Reductions(
        hand_symmetry=symmetric and program.representative is not None,
        hand_rules=stubborn and any(family.rule is not None for family in program.families),
    )
    return everything(program, Termination(), reductions=reductions)


def counts(outcome: Outcome) -> tuple[object, ...]:
    return outcome.stop, outcome.states, outcome.edges, outcome.depth, outcome.terminal_states, outcome.levels


def same(enough: Finding, scarce: Finding) -> bool:
    """Whether both are about the same, and as near to the start."""
    about = [(each.requirement, each.during, each.progress_lost_at) for each in (enough, scarce)]
    return about[0] == about[1] and (enough.progress_lost_at is not None or len(enough.path) == len(scarce.path))


def is_known(enough: Outcome, scarce: Outcome) -> None:
    """What was found with little memory is what there is. A search in files looks at a level in another order, so what
    it finds first may be something else that is as near."""
    if scarce.stop is Stop.MAX_MEMORY:
        assert scarce.states <= enough.states or enough.finding is not None
    elif enough.finding is None or scarce.finding is None:
        assert counts(scarce) == counts(enough)
    else:
        assert len(scarce.finding.path) == len(enough.finding.path) or same(enough.finding, scarce.finding)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    text=models(),
    reductions=st.tuples(st.booleans(), st.booleans()),
    memory=st.lists(MEMORY, min_size=3, max_size=3),
    store=st.sampled_from([None, "exact", "tree"]),
    threads=st.sampled_from([1, 2]),
)
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
        if enough.stop is Stop.MAX_STATES:
            return
        for limit in memory:
            limits = Limits(max_memory=limit, store=store, threads=threads)
            is_known(enough, native.explore(machine, task, limits))
            if store != "tree":
                is_known(enough, native.explore(machine, task, replace(limits, spill=folder)))
