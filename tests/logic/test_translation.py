"""Automata accept exactly the runs on which their formula holds, and they are small."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from random_formulas import random_formula, random_run

from asset.errors import UsageError
from asset.logic.automata import accepts
from asset.logic.cleaning import cleaned
from asset.logic.decision_diagrams import Table
from asset.logic.formulas import And, Formula, Not, atoms_of
from asset.logic.parsing import parse_ltl
from asset.logic.semantics import holds
from asset.logic.simulation import merged, merged_in_reverse
from asset.logic.symbolic_automata import Symbolic, explicit
from asset.logic.tableau import tableau
from asset.logic.terms import Terms
from asset.logic.translation import _small as small
from asset.logic.translation import translate
from asset.logic.weak_automata import minimal_weak

EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "400"))
RUNS = 5
"""How many runs are tried on each formula."""


def published() -> Iterator[tuple[str, int, str]]:
    """The name, the number of states and the text of each formula in the table."""
    for line in (Path(__file__).parent / "automaton_sizes.txt").read_text().splitlines():
        if not line.startswith("#"):
            name, states, _edges, text = line.split(" ; ")
            yield name, int(states), text


def test_an_automaton_accepts_the_runs_on_which_its_formula_holds() -> None:
    chance = random.Random(20161)
    for _ in range(max(1, EXAMPLES // RUNS)):
        formula = random_formula(chance, chance.randint(1, 10))
        automaton = translate(formula)
        for _ in range(RUNS):
            prefix, cycle = random_run(chance)
            assert accepts(automaton, prefix, cycle) == holds(formula, prefix, cycle), (formula, prefix, cycle)


@contextmanager
def large_tableaux() -> Iterator[None]:
    """Within it, no tableau of a whole conjunction or disjunction is small enough."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("asset.logic.translation.FEW_QUESTIONS", 0)
        yield


def stages(formula: Formula) -> Iterator[tuple[str, Symbolic]]:
    """The automaton after each step of the translation alone."""
    terms, table = Terms(atoms_of(formula)), Table()
    term = terms.of(formula)
    start = tableau(terms, term, table)
    yield "tableau", start
    yield "gathered", tableau(terms, terms.gathered(term), table)
    with large_tableaux():
        of_parts = small(terms, term, table)
    yield "made of parts", of_parts
    clean = cleaned(start)
    yield "cleaned", clean
    yield "merged", merged(clean)
    yield "merged in reverse", merged_in_reverse(clean)
    weak = minimal_weak(start, lambda: tableau(terms, terms.negation(term), table))
    if weak is not None:
        yield "weak", weak


def test_each_step_of_the_translation_keeps_the_language() -> None:
    chance = random.Random(7)
    for _ in range(max(1, EXAMPLES // 8)):
        formula = random_formula(chance, chance.randint(2, 9))
        runs = [random_run(chance) for _ in range(RUNS)]
        for stage, made in stages(formula):
            automaton = explicit(made, atoms_of(formula))
            for prefix, cycle in runs:
                assert accepts(automaton, prefix, cycle) == holds(formula, prefix, cycle), (
                    stage,
                    formula,
                    prefix,
                    cycle,
                )


@pytest.mark.parametrize("text", ["G (p & X F q)", "F G p", "G F p & F G !q", "(F p) U G q", "G (p -> X F q)"])
def test_promises_are_kept_by_simplification(text: str) -> None:
    """The two optimisations that look right and are not: absorbed promises, and marks between components."""
    formula, chance = parse_ltl(text), random.Random(1)
    automaton = translate(formula)
    keys = {str(key): key for key in automaton.atoms}
    for _ in range(200):
        prefix, cycle = (
            [{keys[a] for a in state if a in keys} for state in states] for states in random_run(chance, "pq")
        )
        assert accepts(automaton, prefix, cycle) == holds(formula, prefix, cycle)


def test_formulas_of_the_literature_have_as_few_states_as_published() -> None:
    larger = {}
    for name, states, text in published():
        more = translate(parse_ltl(text)).states - states
        if more > 0:
            larger[name] = more
    assert len(larger) <= 5, larger
    assert max(larger.values()) <= 2, larger


def test_a_formula_and_its_negation_share_no_run() -> None:
    for name, _states, text in published():
        formula = parse_ltl(text)
        if len(atoms_of(formula)) <= 3:
            assert translate(And((formula, Not(formula)))).edges == ((),), name


def test_letters_are_not_enumerated() -> None:
    """Twenty propositions: a guard has a cube for each literal, not for each of a million letters."""
    automaton = translate(parse_ltl("G (" + " & ".join(f"p{i}" for i in range(20)) + ")"))
    assert [len(edge.guard) for out in automaton.edges for edge in out] == [1]


def test_strong_fairness_of_many_is_made_of_parts() -> None:
    """One tableau would have 3 ** 6 states; they wait together, and then each has chosen."""
    text = " & ".join(f"(GF p{i} -> GF q{i})" for i in range(6))
    automaton = translate(parse_ltl(text))
    assert automaton.states < 100
    assert translate(parse_ltl(f"!({text})")).states == 7
    keys = {str(key): key for key in automaton.atoms}
    fair, unfair = {keys["p0"], keys["q0"]}, {keys["p0"], keys["q1"]}
    assert accepts(automaton, [unfair], [fair]) and not accepts(automaton, [fair], [unfair])


def test_ten_recurrences_are_one_state() -> None:
    assert translate(parse_ltl(" & ".join(f"GF p{i}" for i in range(10)))).states == 1


def test_a_formula_whose_automaton_is_too_large_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("asset.logic.tableau.MOST_STATES", 100)
    with pytest.raises(UsageError, match="too large: G"):
        translate(parse_ltl("G (p -> " + "X " * 7 + "q)"))
    assert translate(parse_ltl("F (p & " + "X " * 7 + "q)")).states == 9  # its negation is too large, and not needed


def test_the_same_formula_gives_the_same_automaton() -> None:
    text = "G (p -> (q U (r | G p))) & GF q"
    assert translate(parse_ltl(text)) == translate(parse_ltl(text))
