"""Each rule by which formulas are simplified, by itself: it is true on random runs, and it is applied.

In the text of a rule a, b and c are any formulas, e is one that holds whenever it holds later (eventual), u one that
goes on to hold (universal), and s is both.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from itertools import pairwise

import pytest
from random_formulas import random_formula, random_run

from asset.logic import terms as t
from asset.logic.formulas import (
    FALSE,
    TRUE,
    Always,
    And,
    Atom,
    Eventually,
    Formula,
    Next,
    Not,
    Or,
    Release,
    Until,
    atoms_of,
    rename_atoms,
)
from asset.logic.parsing import parse_ltl
from asset.logic.semantics import truth
from asset.logic.terms import Term, Terms

INSTANCES = max(8, int(os.environ.get("ASSET_EXAMPLES", "400")) // 50)
RUNS = 6

EQUIVALENCES = """
a | (a & b) = a
a & (a | b) = a
a | !a = true
a & !a = false
GF a | GF b = GF (a | b)
FG a & FG b = FG (a & b)
F a | F b = F (a | b)
G a & G b = G (a & b)
X a | X b = X (a | b)
X a & X b = X (a & b)
G a | (a U b) = a W b
F a & (a R b) = a M b
G !a | F (a & e) = !a W (a & e)
F a & G (!a | u) = a M (!a | u)
false U a = a
true R a = a
a U e = e
a R u = u
(a & b) U a = a
(a | b) R a = a
a U (!a | b) = F (!a | b)
a R (!a & b) = G (!a & b)
X a U X b = X (a U b)
X a R X b = X (a R b)
(a & c) U (a U b) = a U b
(a | c) R (a R b) = a R b
a U (b | G a) = a W b
a R (b & F a) = a M b
X s = s
F X a = X F a
G X a = X G a
F (a U b) = F b
G (a R b) = G b
FG (a | u) = FG a | F u
GF (a & e) = GF a & G e
F (a | e) = F a | e
F (a | u) = F a | F u
G (a & u) = G a & u
G (a & e) = G a & G e
F (a & s) = F a & s
G (a | s) = G a | s
""".strip().splitlines()

IMPLICATIONS = """
a & b => a
a => a | b
(a & X b) | (a & c) => a
a => (a | b) & (a | c)
X a => X (a | b)
a U b => (a | c) U b
a U b => a U (b | c)
a R b => a R (b | c)
a R b => (a | c) R b
b => a U b
a R b => b
(a U F b) U b => F b
G a & b => b R a
X e => e
X a => F a
u => X u
G a => X a
""".strip().splitlines()

EVENTUAL = ["true", "false", "F a", "e & e", "e | e", "X e", "F (a U b)", "e U F a", "G e", "e R e", "GF a", "FG a"]

NEAR_MISSES = """
G !a | F (a & b)
F a & G (!a | b)
G a | (b U c)
F (a | b)
F (a & b)
F (a & e)
F (a & u)
G (a | e)
FG (a | e)
GF (a & u)
a U u
a R e
X e
X u
X a U b
a U X b
a U (c U b)
a U (b | G c)
""".strip().splitlines()
"""What a rule would simplify if it forgot its condition."""

GATHERED = ["(a U b) | s", "F a | FG b", "F a | (b U c) | s", "F a | FG b | s", "G ((a U b) | s)", "(a U b) | c | s"]


def any_formula(chance: random.Random) -> Formula:
    """Without temporal operators, so that no other rule has a part in it."""
    literals = [chance.choice([Atom(atom), Not(Atom(atom))]) for atom in chance.choices("abc", k=chance.randint(1, 2))]
    return chance.choice([And, Or])(tuple(literals)) if len(literals) > 1 else literals[0]


KINDS: dict[str, Callable[[random.Random], Formula]] = {
    "e": lambda chance: chance.choice(
        [Eventually(any_formula(chance)), And((Eventually(any_formula(chance)), Next(Eventually(any_formula(chance)))))]
    ),
    "u": lambda chance: chance.choice(
        [Always(any_formula(chance)), Or((Always(any_formula(chance)), Next(Always(any_formula(chance)))))]
    ),
    "s": lambda chance: chance.choice(
        [Always(Eventually(any_formula(chance))), Eventually(Always(any_formula(chance)))]
    ),
}


def instances(*texts: str) -> list[list[Formula]]:
    """The texts with formulas in place of their letters: first the simplest ones, then random ones."""
    chance = random.Random(" ".join(texts))
    letters = sorted({str(key) for text in texts for key in atoms_of(parse_ltl(text))})
    simplest = {letter: Atom(letter) for letter in letters} | {
        "e": Eventually(Atom("b")),
        "u": Always(Atom("b")),
        "s": Always(Eventually(Atom("b"))),
    }
    chosen: list[dict[str, Formula]] = [simplest]
    chosen += [{letter: KINDS.get(letter, any_formula)(chance) for letter in letters} for _ in range(INSTANCES)]
    return [[instance(text, by) for text in texts] for by in chosen]


def instance(text: str, chosen: dict[str, Formula]) -> Formula:
    return rename_atoms(parse_ltl(text), lambda key: chosen[str(key)])


def terms_of(*formulas: Formula) -> tuple[Terms, list[Term]]:
    terms = Terms(atoms_of(And(formulas)))
    return terms, [terms.of(formula) for formula in formulas]


def formula_of(terms: Terms, term: Term, atoms: tuple[object, ...]) -> Formula:
    """The term written as a formula again."""
    if term.kind in (t.ATOM, t.NEGATED):
        atom = Atom(atoms[terms.atom_numbers[term]])
        return atom if term.kind == t.ATOM else Not(atom)
    below = tuple(formula_of(terms, operand, atoms) for operand in term.operands)
    if term.kind in (t.AND, t.OR):
        return And(below) if term.kind == t.AND else Or(below)
    return MADE[term.kind](*below)


MADE: dict[int, Callable[..., Formula]] = {
    t.TRUE: lambda: TRUE,
    t.FALSE: lambda: FALSE,
    t.NEXT: Next,
    t.UNTIL: Until,
    t.RELEASE: Release,
}


def runs(formula: Formula) -> list[tuple[list[frozenset[str]], list[frozenset[str]]]]:
    chance = random.Random(str(formula))
    return [random_run(chance) for _ in range(RUNS)]


def assert_equal(first: Formula, second: Formula) -> None:
    for prefix, cycle in runs(first):
        assert truth(first, prefix, cycle) == truth(second, prefix, cycle), (first, second, prefix, cycle)


def simplified(formula: Formula) -> Formula:
    made, (term,) = terms_of(formula)
    return formula_of(made, term, atoms_of(And((formula,))))


@pytest.mark.parametrize("rule", EQUIVALENCES)
def test_both_sides_of_an_equivalence_are_the_same_term_and_mean_the_same(rule: str) -> None:
    for number, (left, right) in enumerate(instances(*rule.split(" = "))):
        assert_equal(left, right)
        assert_equal(left, simplified(left))
        if number == 0:
            _, (first, second) = terms_of(left, right)
            assert first is second, (simplified(left), simplified(right))


@pytest.mark.parametrize("text", NEAR_MISSES)
def test_a_rule_is_not_applied_without_its_condition(text: str) -> None:
    for (formula,) in instances(text):
        assert_equal(formula, simplified(formula))


def test_rules_together_keep_the_meaning() -> None:
    chance = random.Random(8)
    for _ in range(20 * INSTANCES):
        formula = random_formula(chance, chance.randint(2, 14))
        assert_equal(formula, simplified(formula))


@pytest.mark.parametrize("rule", IMPLICATIONS)
def test_an_implication_is_seen_and_is_true(rule: str) -> None:
    for number, (left, right) in enumerate(instances(*rule.split(" => "))):
        made, (first, second) = terms_of(left, right)
        assert number > 0 or made.implies(first, second)
        for prefix, cycle in runs(left):
            values = zip(truth(left, prefix, cycle), truth(right, prefix, cycle), strict=True)
            assert all(b or not a for a, b in values), (left, right, prefix, cycle)


def test_no_implication_that_is_seen_is_false() -> None:
    chance = random.Random(3)
    for _ in range(20 * INSTANCES):
        left, right = random_formula(chance, chance.randint(2, 7)), random_formula(chance, chance.randint(2, 7))
        made, (first, second) = terms_of(left, right)
        if made.implies(first, second):
            for prefix, cycle in runs(left):
                values = zip(truth(left, prefix, cycle), truth(right, prefix, cycle), strict=True)
                assert all(b or not a for a, b in values), (left, right, prefix, cycle)


@pytest.mark.parametrize("text", EVENTUAL)
def test_what_is_called_eventual_holds_whenever_it_holds_later(text: str) -> None:
    for (formula,) in instances(text):
        made, (term,) = terms_of(formula)
        assert made.eventual(term)
        assert made.universal(made.negation(term))
        for prefix, cycle in runs(formula):
            values = truth(formula, prefix, cycle)
            assert all(now or not later for now, later in pairwise(values))


@pytest.mark.parametrize("text", GATHERED)
def test_gathering_keeps_the_meaning(text: str) -> None:
    for (formula,) in instances(text):
        made, (term,) = terms_of(formula)
        assert_equal(formula, formula_of(made, made.gathered(term), atoms_of(formula)))
