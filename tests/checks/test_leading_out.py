"""Conditions S and L by going back along edges: verdicts are those of the full model, and S is had by what is explored.

ASSET_EXAMPLES=20000 makes a long run (CONTRIBUTING.md). It is also weakened on purpose.
"""

from __future__ import annotations

import os
from dataclasses import replace

import pytest
from answered import Remembering, answer
from random_cycles import random_cycles
from test_ignoring_random import ignored

from asset.checks import soundness
from asset.checks.answering import Answering
from asset.checks.engines import Engine
from asset.checks.options import CheckOptions
from asset.checks.reductions import reduce
from asset.checks.requirements import kind_of
from asset.engine import leading_out
from asset.engine.outcome import Executable, Limits, Outcome, Task
from asset.engine.search import Search
from asset.engine.sources import source_of
from asset.ir.interpreter import Interpreter
from asset.ir.requirements import MustProgress, Requirement
from asset.verdict import Answer

EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "120"))
FIRST = int(os.environ.get("ASSET_FIRST", "0"))  # of the seeds, to go on with a long run


class ByMarks(Engine):
    """The reference engine, which has S and L by marks."""

    def _explore(self, executable: Executable, task: Task, limits: Limits) -> Outcome:
        return super()._explore(executable, replace(task, by_marks=True), limits)


def answer_by_marks(executable: Interpreter, requirement: Requirement, symmetry: str) -> Answer:
    asked = CheckOptions(engine="reference", stubborn="auto", symmetry=symmetry)
    reduced = reduce(executable.program, [requirement], asked)
    engine = ByMarks(asked, reduced.reductions)
    return Answering(executable, engine, [requirement], reduced.repair).run().answer(requirement)


def disagrees(seed: int, symmetry: str = "off") -> bool:
    executable = Remembering(random_cycles(seed))
    requirements = executable.program.requirements
    requirement = requirements[seed // 2 % len(requirements)]
    expected = answer(executable, requirement, engine="reference")
    return answer_by_marks(executable, requirement, symmetry) is not expected


@pytest.mark.parametrize("symmetry", ["off", "auto"])
def test_verdicts_by_marks_are_those_of_the_full_model(symmetry: str) -> None:
    for seed in range(FIRST + (symmetry == "auto"), FIRST + EXAMPLES, 2):
        assert not disagrees(seed, symmetry), seed


def searched(seed: int) -> Search:
    """With weak sets, if there are any: what they do not preserve is not asked."""
    program = random_cycles(seed)
    asked = [each for each in program.requirements if soundness.keys_suffice([kind_of(each).soundness])]
    reduced = reduce(program, asked, CheckOptions(stubborn="auto"))
    search = Search(source_of(Interpreter(program), reduced.reductions))
    search.run(program.initial_states)
    leading_out.leave_nothing_out(search, ignores_nothing=True)
    return search


def test_nothing_is_ignored_in_any_state() -> None:
    for seed in range(0, EXAMPLES, 5):
        assert not list(ignored(searched(seed))), seed


# --- the test of the test ---------------------------------------------------------------------------------------------


def everything(search: Search) -> set[int]:
    return set(range(len(search.store)))


def test_it_is_noticed_that_nothing_is_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leading_out, "_settled", everything)
    assert any(map(disagrees, range(100)))


def test_it_is_noticed_that_states_count_in_which_not_everything_is_fired(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = leading_out._fires_all
    monkeypatch.setattr(leading_out, "_fires_all", lambda search, number: number % 2 == 0 or whole(search, number))
    assert any(map(disagrees, range(100)))


def test_it_is_noticed_that_steps_count_that_are_not_by_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    def ignores(seed: int) -> bool:
        with monkeypatch.context() as patch:
            patch.setattr(Search, "key_steps", lambda self, number: list(self.store.edges[number]))
            search = searched(seed)
        return bool(list(ignored(search)))

    assert any(map(ignores, range(30)))


def test_it_is_noticed_that_visible_commands_are_postponed(monkeypatch: pytest.MonkeyPatch) -> None:
    def misses(seed: int) -> bool:
        executable = Remembering(random_cycles(seed))
        asked = [each for each in executable.program.requirements if isinstance(each, MustProgress)]
        expected = [answer(executable, each, engine="reference") for each in asked]
        return [answer_by_marks(executable, each, "off") for each in asked] != expected

    assert not any(map(misses, range(60)))
    monkeypatch.setattr(leading_out, "_cleared", everything)
    assert any(map(misses, range(60)))
