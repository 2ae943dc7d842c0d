"""Checks with stores that may omit states: never `holds`, and what they find is real."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from asset.checks import CheckOptions, check
from asset.cli.main import main
from asset.errors import UsageError
from asset.languages import ModelSpec, load
from asset.verdict import Answer

MODELS = Path(__file__).parents[2] / "models"
STORES = ["bitstate", "compact"]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("store", STORES)
def test_nothing_holds_if_states_may_be_omitted(store: str, threads: int) -> None:
    options = CheckOptions(store=store, expect=10_000, threads=threads)
    verdict = check(load(ModelSpec(str(MODELS / "token_ring.py"), {"n": "4"})), options)
    assert (verdict.answer, verdict.exit_status) == (Answer.UNDECIDED, 3)
    assert {each.answer for each in verdict.checked} == {Answer.UNDECIDED}
    assert verdict.approximation is not None
    assert "no violation found; about 2,9" in str(verdict)
    assert "probability that any was omitted ≤" in str(verdict)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("store", STORES)
def test_a_violation_is_replayed(store: str, threads: int) -> None:
    options = CheckOptions(store=store, threads=threads)
    verdict = check(load(ModelSpec(str(MODELS / "philosophers.py:Philosophers"))), options)
    assert verdict.answer is Answer.VIOLATED
    assert verdict.counterexample is not None
    assert len(verdict.counterexample) == 6


def test_progress_is_not_asked_and_it_is_said_why() -> None:
    verdict = check(load(ModelSpec(str(MODELS / "peterson.py:Peterson"))), CheckOptions(store="bitstate"))
    assert verdict.answer is Answer.UNDECIDED
    assert "beyond-approximation" in {each.code for each in verdict.caveats}


def test_a_memory_limit_sizes_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["check", str(MODELS / "token_ring.py"), "--store", "compact", "--max-memory", "16M", "--json", "-"]
    assert main(words) == 3
    verdict = json.loads(capsys.readouterr().out)
    assert verdict["approximation"]["bytes"] == 12 << 20
    assert verdict["memory"]["peak"] <= 16 << 20


@pytest.mark.parametrize(
    "options",
    [
        {"expect": 5},
        {"store": "bitstate", "engine": "reference"},
        {"store": "bitstate", "stubborn": "auto"},
        {"store": "compact", "symmetry": "auto"},
        {"store": "compact", "on_the_fly": True},
        {"store": "none"},
    ],
)
def test_what_needs_all_states_is_refused(options: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        CheckOptions(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize("store", STORES)
def test_model_files_are_explored_approximately(store: str) -> None:
    verdict = check(load(ModelSpec(str(MODELS / "asset" / "ring.model"))), CheckOptions(store=store))
    assert verdict.answer is Answer.UNDECIDED
    assert verdict.approximation is not None
