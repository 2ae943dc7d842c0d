"""Condition S on random models that run for ever: the verdicts of full exploration, and S itself on what was explored.

Every other model is checked with symmetries. ASSET_EXAMPLES=100000 makes a long run (CONTRIBUTING.md). The repair is
also weakened on purpose, one thing at a time: each must be noticed, or these tests would not notice.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from random import Random

import pytest
from answered import Remembering, answer, answers
from random_cycles import random_cycles

from asset.checks import soundness
from asset.checks.answering import Answering
from asset.checks.options import CheckOptions
from asset.checks.reductions import reduce
from asset.checks.requirements import kind_of
from asset.engine import ignoring
from asset.engine.ignoring import Widening
from asset.engine.search import Search
from asset.engine.sources import source_of
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program
from asset.ir.requirements import MustProgress

EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "2000"))
FIRST = int(os.environ.get("ASSET_FIRST", "0"))  # of the seeds, to go on with a long run
COMPILED = 38  # one in so many models is compiled too, which takes longer
AUDITED = 20
SYMMETRIES = ["off", "auto"]


def disagrees(seed: int, **options: object) -> bool:
    """Whether stubborn sets change the answer to one of the model's requirements."""
    executable = Remembering(random_cycles(seed))
    requirements = executable.program.requirements
    requirement = requirements[seed // 2 % len(requirements)]
    expected = answer(executable, requirement, engine="reference")
    return answer(executable, requirement, stubborn="auto", **options) is not expected


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_verdicts_with_stubborn_sets_are_those_of_the_full_model(symmetry: str) -> None:
    for seed in range(FIRST + SYMMETRIES.index(symmetry), FIRST + EXAMPLES, len(SYMMETRIES)):
        assert not disagrees(seed, engine="reference", symmetry=symmetry), seed


def test_the_native_engine_and_its_threads_give_the_same_verdicts() -> None:
    for number, seed in enumerate(range(FIRST, FIRST + EXAMPLES, COMPILED)):
        symmetry = SYMMETRIES[seed % len(SYMMETRIES)]
        assert not disagrees(seed, engine="native", symmetry=symmetry, threads=1 + number // 2 % 2), seed


@pytest.mark.parametrize("seed", [3, 12, 50, 68])
def test_the_native_engine_looks_for_key_steps_as_the_reference_does(seed: int) -> None:
    """Otherwise it would explore something else of each of these models."""

    def explored(engine: str) -> tuple[int, int]:
        executable = Remembering(random_cycles(seed))
        termination = executable.program.requirements[0]
        outcome = answers(executable, termination, engine=engine, stubborn="auto").outcome
        return outcome.states, outcome.edges

    assert explored("native") == explored("reference")


def test_must_progress_is_that_of_the_full_model_though_steps_may_change_nothing() -> None:
    for seed in range(FIRST, FIRST + EXAMPLES // 40):
        executable = Remembering(random_cycles(seed, mirrors=True))
        must = next(each for each in executable.program.requirements if isinstance(each, MustProgress))
        expected = answer(executable, must, engine="reference")
        symmetry = SYMMETRIES[seed % len(SYMMETRIES)]
        assert answer(executable, must, engine="reference", stubborn="auto", symmetry=symmetry) is expected, seed


# --- condition S itself -----------------------------------------------------------------------------------------


def searched(program: Program) -> Search:
    """With weak sets, if there are any: what they do not preserve is not asked."""
    asked = [each for each in program.requirements if soundness.keys_suffice([kind_of(each).soundness])]
    reduced = reduce(program, asked, CheckOptions(stubborn="auto"))
    search = Search(source_of(Interpreter(program), reduced.reductions))
    search.run(program.initial_states)
    ignoring.ignore_nothing(search, renames=False)
    return search


def ignored(search: Search) -> Iterator[tuple[int, int]]:
    """States and commands for which key steps lead to no state where the command is fired, or changes nothing."""
    for number, state in enumerate(search.store.vertices):
        for command, after in search.source.enabled(state).items():
            if after != state and not _met(search, number, command):
                yield number, command


def _met(search: Search, number: int, command: int) -> bool:
    seen, pending = {number}, [number]
    while pending:
        at = pending.pop()
        state, edges = search.store.vertices[at], search.store.edges[at]
        if command in dict(edges) or search.source.enabled(state).get(command) == state:
            return True
        new = {target for _, target in search.key_steps(at)} - seen
        seen |= new
        pending += new
    return False


def test_nothing_is_ignored_in_any_state() -> None:
    for seed in range(0, EXAMPLES, AUDITED):
        assert not list(ignored(searched(random_cycles(seed)))), seed


def test_nothing_is_ignored_in_states_that_key_steps_do_not_lead_to() -> None:
    """Found by widening a weak set."""
    for seed in (8212, 11222):
        assert not disagrees(seed, engine="reference")
        assert not list(ignored(searched(random_cycles(seed)))), seed


# --- the test of the test ---------------------------------------------------------------------------------------


def noticed(most: int = 100) -> bool:
    return any(disagrees(seed, engine="reference") for seed in range(most))


def test_nothing_is_noticed_if_nothing_is_weakened() -> None:
    assert not noticed()


def test_it_is_noticed_that_nothing_is_repaired(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("asset.engine.repair.ignore_nothing", lambda search, renames: None)
    assert noticed()


def test_it_is_noticed_that_one_component_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = ignoring._Looking.ignoring
    monkeypatch.setattr(ignoring._Looking, "ignoring", lambda self, roots: whole(self, roots)[:-1])
    assert noticed()


def test_it_is_noticed_that_nothing_more_is_fired(monkeypatch: pytest.MonkeyPatch) -> None:
    def once(self: Search, widenings: list[tuple[int, int | None]]) -> None:
        monkeypatch.setattr(ignoring._Looking, "ignoring", lambda self, roots: list[Widening]())

    monkeypatch.setattr(Search, "widen", once)
    assert noticed()


def test_it_is_noticed_that_steps_count_that_are_not_by_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = Search.key_steps

    def ignores(seed: int) -> bool:
        with monkeypatch.context() as patch:
            patch.setattr(Search, "key_steps", lambda self, number: list(self.store.edges[number]))
            search = searched(random_cycles(seed))
        assert Search.key_steps is keys
        return bool(list(ignored(search)))

    assert any(map(ignores, range(30)))


def test_it_is_noticed_that_progress_is_not_taken_into_account(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Answering, "_confirmed", lambda self, outcome, finding, requirement: outcome)
    assert noticed(400)


def test_it_is_noticed_that_commands_are_left_out_that_matter_to_terminal_states(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(soundness, "cone_suffices", lambda row, requirement: row.has_cone)
    assert noticed()


def test_seeds_are_models_of_their_own() -> None:
    assert len({random_cycles(seed) for seed in Random(0).sample(range(10_000), 20)}) == 20
