"""Insensitivity to stuttering is decided on automata."""

from __future__ import annotations

import os
import random

import pytest
from random_formulas import random_formula, random_run, stuttering

from asset.logic.parsing import parse_ltl
from asset.logic.semantics import holds
from asset.logic.stuttering import is_stutter_invariant

EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "150"))


@pytest.mark.parametrize("text", ["G (p -> F q)", "X p | !X p", "F (p & X !p)", "X GF p", "F (!p & X p) -> p"])
def test_a_formula_may_use_next_and_be_insensitive(text: str) -> None:
    assert is_stutter_invariant(parse_ltl(text))


@pytest.mark.parametrize("text", ["X p", "G (p -> X q)", "X F p", "p & X p", "G X p", "F X X p"])
def test_a_formula_that_counts_steps_is_sensitive(text: str) -> None:
    assert not is_stutter_invariant(parse_ltl(text))


def test_repeated_states_do_not_change_what_is_insensitive() -> None:
    chance = random.Random(3)
    for _ in range(EXAMPLES):
        formula = random_formula(chance, chance.randint(2, 8), "ab")
        if not is_stutter_invariant(formula):
            continue
        for _ in range(20):
            prefix, cycle = random_run(chance, "ab")
            longer = stuttering(chance, prefix), stuttering(chance, cycle)
            assert holds(formula, prefix, cycle) == holds(formula, *longer), (formula, prefix, cycle)


def test_a_formula_whose_automaton_is_too_large_counts_as_sensitive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("asset.logic.tableau.MOST_STATES", 2)
    assert not is_stutter_invariant(parse_ltl("F (p & X !p)"))
