"""What LTL formulas mean on runs that end in a cycle."""

from __future__ import annotations

import random

import pytest
from random_formulas import random_formula, random_run

from asset.logic.formulas import Not, negation_normal_form
from asset.logic.parsing import parse_ltl
from asset.logic.semantics import holds, truth


def on(text: str, prefix: str, cycle: str) -> bool:
    """A state is written as the letters that hold in it, `-` for none; states are apart by spaces."""
    formula = parse_ltl(text)
    states = [[{parse_ltl(c).parts[0] for c in word if c != "-"} for word in part.split()] for part in (prefix, cycle)]
    return holds(formula, states[0], states[1])


@pytest.mark.parametrize(
    ("text", "prefix", "cycle", "expected"),
    [
        ("G p", "p p", "p", True),
        ("G p", "p p", "p -", False),
        ("F q", "- -", "-", False),
        ("F q", "- q", "-", True),
        ("GF q", "q q", "-", False),
        ("GF q", "", "- - q", True),
        ("FG q", "- -", "q", True),
        ("p U q", "p p", "q", True),
        ("p U q", "p -", "q", False),
        ("p U q", "", "p", False),
        ("p W q", "", "p", True),
        ("q R p", "p p", "-", False),
        ("q R p", "p pq", "-", True),
        ("q R p", "", "p", True),
        ("q M p", "", "p", False),
        ("X p", "", "p -", False),
        ("X p", "-", "p", True),
        ("X X p", "", "p -", True),
        ("p <-> q", "pq", "-", True),
        ("p xor q", "pq", "-", False),
    ],
)
def test_a_formula_holds_on_a_run(text: str, prefix: str, cycle: str, expected: bool) -> None:
    assert on(text, prefix, cycle) is expected


def test_a_run_needs_a_cycle() -> None:
    with pytest.raises(ValueError, match="cycle"):
        holds(parse_ltl("p"), [set()], [])


def test_negation_and_normal_form_agree_with_the_formula_at_every_position() -> None:
    chance = random.Random(11)
    for _ in range(300):
        formula, (prefix, cycle) = random_formula(chance, chance.randint(1, 12)), random_run(chance)
        values = truth(formula, prefix, cycle)
        assert truth(negation_normal_form(formula), prefix, cycle) == values
        assert truth(negation_normal_form(formula, negated=True), prefix, cycle) == [not v for v in values]
        assert truth(Not(formula), prefix, cycle) == [not v for v in values]


def test_a_run_means_the_same_when_its_cycle_is_unrolled() -> None:
    chance = random.Random(12)
    for _ in range(300):
        formula, (prefix, cycle) = random_formula(chance, chance.randint(1, 12)), random_run(chance)
        assert holds(formula, prefix, cycle) == holds(formula, [*prefix, *cycle], cycle)
        assert holds(formula, prefix, cycle) == holds(formula, prefix, [*cycle, *cycle])
