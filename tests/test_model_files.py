"""Every .model file answers as its head comment says: in the native engine, with threads, and in the reference engine."""

from __future__ import annotations

from pathlib import Path

import pytest
from expectations import Expectation, expectations_in
from test_models import compare

from asset.checks import CheckOptions, check
from asset.checks.library import LibrarySubject
from asset.codegen import cache
from asset.frontends.cpp import load
from asset.verdict import Verdict

MODELS = Path(__file__).parent.parent / "models" / "asset"
EXPECTATIONS = list(expectations_in(MODELS))
REFERENCE_LIMIT = 500  # states: each call goes to another process and back
THREADS_LIMIT = 100_000
FACTS = ("answer", "violation", "states", "edges", "depth", "terminal_states", "counterexample", "checked")


def subject(expected: Expectation) -> LibrarySubject:
    return LibrarySubject(load(expected.file, expected.params, cache, 10), 10)


def answer(expected: Expectation, engine: str = "native", threads: int = 1) -> Verdict:
    return check(subject(expected), CheckOptions(engine=engine, threads=threads))


def test_every_model_file_says_what_to_expect_of_it() -> None:
    assert {e.file for e in EXPECTATIONS} == set(MODELS.glob("*.model"))


@pytest.mark.parametrize("expected", EXPECTATIONS, ids=str)
def test_a_model_file_gives_the_expected_answer(expected: Expectation) -> None:
    compare(answer(expected), expected)


@pytest.mark.parametrize("expected", [e for e in EXPECTATIONS if (e.states or 0) <= REFERENCE_LIMIT], ids=str)
def test_the_reference_engine_gives_the_same_verdict_by_single_calls(expected: Expectation) -> None:
    if subject(expected).loaded.library.own_variables:
        pytest.skip("what it remembers of one run is not what it remembers of another")
    reference, native = answer(expected, "reference"), answer(expected)
    for fact in FACTS:
        assert getattr(reference, fact) == getattr(native, fact), fact


@pytest.mark.parametrize("expected", [e for e in EXPECTATIONS if "size_par" in e.params], ids=str)
def test_two_threads_give_the_verdict_of_one(expected: Expectation) -> None:
    if (expected.states or 0) <= THREADS_LIMIT:
        one, two = (answer(expected, threads=threads) for threads in (1, 2))
        for fact in FACTS:
            assert getattr(one, fact) == getattr(two, fact), fact
