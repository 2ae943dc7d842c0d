"""Formulas as data: equality, normal form, and in which logic they can be read."""

from __future__ import annotations

import pickle

from asset.logic.formulas import (
    Always,
    And,
    Atom,
    Eventually,
    Exists,
    ForAll,
    Implies,
    Logic,
    Next,
    Not,
    Or,
    Until,
    WeakUntil,
    atoms_of,
    has_no_next,
    logic_of,
    misplaced,
    negation_normal_form,
    subformulas,
)

P, Q = Atom("p"), Atom("q")


def test_formulas_are_equal_by_structure() -> None:
    assert Until(P, Q) == Until(Atom("p"), Atom("q"))
    assert len({Until(P, Q), Until(P, Q), WeakUntil(P, Q), Until(Q, P)}) == 3
    assert pickle.loads(pickle.dumps(Until(P, Q))) == Until(P, Q)


def test_shared_subformulas_are_met_once() -> None:
    formula = P
    for _ in range(200):
        formula = And((formula, formula))
    assert len(list(subformulas(formula))) == 201
    assert len({formula}) == 1


def test_negation_goes_down_to_the_atoms() -> None:
    assert negation_normal_form(Not(Implies(P, Eventually(Q)))) == And((P, Always(Not(Q))))
    assert str(negation_normal_form(Not(WeakUntil(P, Q)))) == "!p M !q"
    assert negation_normal_form(ForAll(Always(P)), negated=True) == Exists(Eventually(Not(P)))


def test_the_logic_of_a_formula_is_seen_from_its_operators() -> None:
    assert logic_of(Or((P, Not(Q)))) is Logic.BOOLEAN
    assert logic_of(Always(Implies(P, Eventually(Q)))) is Logic.LTL
    assert logic_of(ForAll(Always(Exists(Eventually(P))))) is Logic.CTL
    assert logic_of(And((ForAll(Next(P)), Q))) is Logic.CTL
    assert logic_of(ForAll(Always(Eventually(P)))) is Logic.MIXED
    assert logic_of(ForAll(P)) is Logic.MIXED


def test_the_part_that_is_neither_is_named() -> None:
    assert misplaced(And((ForAll(Always(P)), Eventually(Q)))) == Eventually(Q)
    assert misplaced(Always(Eventually(P))) is None


def test_atoms_are_in_the_order_in_which_they_are_met() -> None:
    assert atoms_of(Until(Q, And((P, Q)))) == ("q", "p")


def test_next_is_what_counts_steps() -> None:
    assert has_no_next(Always(Until(P, Q)))
    assert not has_no_next(Always(Next(P)))
