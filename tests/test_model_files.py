"""Every .model file answers as its head comment says: in the native engine, with threads, in the reference engine."""

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
REFERENCE_LIMIT = 160  # states: each call goes to another process and back
THREADS_LIMIT = 1_000
FACTS = ("answer", "violation", "states", "edges", "depth", "terminal_states", "counterexample", "checked")


def subject(expected: Expectation) -> LibrarySubject:
    return LibrarySubject(load(expected.file, expected.params, cache, 10), 10)


def answer(expected: Expectation, engine: str = "native", threads: int = 1) -> Verdict:
    return check(subject(expected), CheckOptions(engine=engine, threads=threads))


def test_every_model_file_says_what_to_expect_of_it() -> None:
    assert {e.file for e in EXPECTATIONS} == set(MODELS.glob("*.model"))


@pytest.mark.parametrize("expected", EXPECTATIONS, ids=str)
def test_a_model_file_gives_the_expected_answer_in_every_engine(expected: Expectation) -> None:
    native = answer(expected)
    compare(native, expected)
    if subject(expected).loaded.library.own_variables:
        return  # what it remembers of one run is not what it remembers of another
    others = []
    if native.states <= REFERENCE_LIMIT:
        others.append(answer(expected, "reference"))
    if "size_par" in expected.params and native.states <= THREADS_LIMIT:
        others.append(answer(expected, threads=2))
    for fact in FACTS:
        assert all(getattr(other, fact) == getattr(native, fact) for other in others), fact
