"""Every example model answers as its head comment says, in both engines."""

from __future__ import annotations

from typing import Any

import pytest
from expectations import Expectation, compare, expectations_in
from places import MODELS

from asset.checks import CheckOptions, check
from asset.languages import ModelSpec, load
from asset.verdict import Verdict

EXPECTATIONS = list(expectations_in(MODELS))
REFERENCE_LIMIT = 20_000  # states: what plain Python explores in a second or so
AUDIT_LIMIT = 500
AUDIT_DEPTH = 3


def answer(expected: Expectation, engine: str = "native", threads: int = 1, **more: Any) -> Verdict:
    asked = {"stubborn": "off", "symmetry": "off"} | expected.options | more  # counts are those of a plain search
    options = CheckOptions(engine=engine, threads=threads, **asked)
    return check(load(ModelSpec(expected.model(), expected.params)), options)


def test_every_model_file_says_what_to_expect_of_it() -> None:
    assert {e.file for e in EXPECTATIONS} == set(MODELS.glob("*.py"))


@pytest.mark.parametrize("expected", EXPECTATIONS, ids=str)
def test_the_native_engine_gives_the_expected_answer(expected: Expectation) -> None:
    compare(answer(expected), expected)


@pytest.mark.parametrize("expected", [e for e in EXPECTATIONS if (e.states or 0) <= REFERENCE_LIMIT], ids=str)
def test_the_reference_engine_gives_the_same_verdict(expected: Expectation) -> None:
    reference, native = (answer(expected, engine) for engine in ("reference", "native"))
    compare(reference, expected)
    facts = ("answer", "violation", "states", "edges", "depth", "terminal_states", "counterexample", "checked")
    for fact in facts:
        assert getattr(reference, fact) == getattr(native, fact), fact


@pytest.mark.parametrize("expected", [e for e in EXPECTATIONS if (e.states or 0) <= 10**6], ids=str)
def test_two_threads_give_the_verdict_of_one(expected: Expectation) -> None:
    one, two = (answer(expected, threads=threads) for threads in (1, 2))
    for fact in ("answer", "violation", "states", "edges", "depth", "terminal_states", "counterexample", "checked"):
        assert getattr(one, fact) == getattr(two, fact), fact


@pytest.mark.parametrize("expected", [e for e in EXPECTATIONS if (e.states or 0) <= 10**5], ids=str)
def test_states_as_trees_give_the_same_answer(expected: Expectation) -> None:
    tables, tree = (answer(expected, store=store) for store in ("exact", "tree"))
    for fact in ("answer", "violation", "states", "edges", "depth", "terminal_states", "counterexample", "checked"):
        assert getattr(tables, fact) == getattr(tree, fact), fact


def is_to_be_audited(expected: Expectation) -> bool:
    """Whether it has a reduction, is small, and the model says nothing of its audit itself."""
    reduced = "hand" in (expected.options.get("stubborn"), expected.options.get("symmetry"))
    speaks = any(e.model() == expected.model() and "audit" in e.options for e in EXPECTATIONS)
    return reduced and (expected.states or 0) <= AUDIT_LIMIT and not speaks


@pytest.mark.parametrize("expected", list(filter(is_to_be_audited, EXPECTATIONS)), ids=str)
def test_an_audit_finds_no_mistake_in_the_hand_written_reductions(expected: Expectation) -> None:
    options = CheckOptions(**{**expected.options, "audit": AUDIT_DEPTH})
    verdict = check(load(ModelSpec(expected.model(), expected.params)), options)
    assert "audited" in {caveat.code for caveat in verdict.caveats}
    compare(verdict, expected)
