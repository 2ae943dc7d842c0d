"""Stubborn sets on a cluster: ranks explore what the reference engine does by marks, and verdicts are those of the
full model.

ASSET_EXAMPLES=3000 makes a long run of it.
"""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from answered import Remembering, answer
from places import MODELS
from random_cycles import random_cycles
from test_ranks_agree import by_ranks, counts
from threaded_ranks import explored_by

import asset
from asset import codegen
from asset.checks.answering import Answering
from asset.checks.by_ranks import left_open_by_ranks
from asset.checks.engines import Engine
from asset.checks.options import CheckOptions
from asset.checks.plan import task
from asset.checks.reductions import reduce
from asset.cluster import checkpoints
from asset.cluster.answering import _outcome
from asset.cluster.checkpoints import Checkpoint
from asset.cluster.exploring import Job
from asset.engine import native, reference
from asset.engine.outcome import Executable, Limits, Outcome, Stop, Task
from asset.ir.interpreter import Interpreter

EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "14"))
FIRST = int(os.environ.get("ASSET_FIRST", "0"))  # of the seeds, to go on with a long run


class ByRanks(Engine):
    """So many ranks, which are threads of this process."""

    ranks = 1

    @property
    def is_cluster(self) -> bool:
        return True

    def _explore(self, executable: Executable, task: Task, limits: Limits) -> Outcome:
        return by_ranks(self.ranks, executable.program, task, limits)


def asked(seed: int) -> tuple[Interpreter, Task, ByRanks]:
    """One of the requirements of a random model, with symmetries every other time."""
    executable = Remembering(random_cycles(seed))
    requirements = executable.program.requirements
    requirement = requirements[seed // 2 % len(requirements)]
    options = CheckOptions(stubborn="auto", symmetry="auto" if seed % 2 else "off")
    reduced = reduce(executable.program, [requirement], options)
    engine = ByRanks(options, reduced.reductions)
    return executable, task(executable.program, [requirement], reduced.reductions, reduced.repair), engine


@pytest.mark.parametrize("seed", range(FIRST, FIRST + EXAMPLES))
def test_any_number_of_ranks_explores_what_the_reference_engine_does_by_marks(seed: int) -> None:
    executable, whole, engine = asked(seed)
    decided = tuple(each for each in whole.requirements if left_open_by_ranks(each, whole.reductions) is None)
    asked_for = replace(whole, requirements=decided)
    expected = reference.explore(executable, replace(asked_for, by_marks=True), Limits())
    together = [by_ranks(ranks, executable.program, asked_for, Limits()) for ranks in (1, 2, 3, 5)]
    assert len({counts(each) for each in together}) == 1
    assert all(each.finding == together[0].finding for each in together)
    if expected.stop is Stop.COMPLETE:
        assert counts(together[0]) == counts(expected)
        assert together[0].enabled == expected.enabled or not asked_for.reductions.derived
    else:
        assert together[0].finding is not None and expected.finding is not None
        assert together[0].finding.requirement == expected.finding.requirement
    requirement = whole.requirements[0]
    engine.ranks = 1 + seed % 3
    found = Answering(executable, engine, [requirement], asked_for.repair).run()
    if requirement not in found.open:
        assert found.answer(requirement) is answer(executable, requirement, engine="reference")


@pytest.mark.parametrize(
    ("model", "parameters", "options"),
    [
        ("token_ring.py", {"n": 5}, {"stubborn": "auto"}),
        ("token_ring.py", {"n": 5}, {"stubborn": "auto", "symmetry": "auto"}),
        ("token_ring.py", {"n": 5}, {"stubborn": "hand", "only": ["safety", "deadlock"]}),
        ("philosophers.py:Philosophers", {"n": 6}, {"stubborn": "auto"}),
        ("philosophers.py:OrderedPhilosophers", {"n": 6}, {"stubborn": "auto", "only": ["safety", "deadlock"]}),
    ],
)
def test_a_check_by_processes_gives_the_verdict_of_one(
    model: str, parameters: dict[str, int], options: dict[str, Any]
) -> None:
    subject = asset.load(str(MODELS / model), **parameters)
    alone = asset.check(subject, only=options.get("only"))
    together = asset.check(subject, cluster="local", ranks=2, threads=2, **options)
    assert together.answer == alone.answer
    assert [each.answer for each in together.checked] == [each.answer for each in alone.checked]
    assert together.states < alone.states


def test_it_is_noticed_that_ranks_ignore_something(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("asset.cluster.repairing.widened", lambda exploring: False)
    executable, asked_for, _ = asked(IGNORING)
    expected = reference.explore(executable, replace(asked_for, by_marks=True), Limits())
    assert by_ranks(2, executable.program, asked_for, Limits()).states < expected.states


def test_a_search_goes_on_from_each_of_its_levels(tmp_path: Path) -> None:
    executable, asked_for, _ = asked(IGNORING)
    model = codegen.compile(executable.program, asked_for.reductions)
    flat = native.flat_options(model, asked_for, Limits())

    def kept_by(ranks: int, kept: Checkpoint) -> Outcome:
        return _outcome(explored_by(ranks, Job(model.code, flat, 1, kept)), model, asked_for)

    whole = kept_by(3, checkpoints.begun(str(tmp_path / "whole"), "x"))
    first, *lines = (tmp_path / "whole" / checkpoints.LEVELS).read_text().splitlines(keepends=True)
    assert any(json.loads(line)["widened"] for line in lines)
    for levels in range(len(lines) + 1):
        folder = shutil.copytree(tmp_path / "whole", tmp_path / str(levels))
        (folder / checkpoints.LEVELS).write_text("".join([first, *lines[:levels]]))
        resumed = kept_by(1 + levels % 3, checkpoints.found(str(folder), "x"))
        assert (counts(resumed), resumed.enabled) == (counts(whole), whole.enabled)


IGNORING = 18
"""A model of which sets must be widened."""
