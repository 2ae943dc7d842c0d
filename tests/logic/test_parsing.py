"""Formulas are read in SPIN's and SMV's notation; what cannot be read is shown with its place and a remedy."""

from __future__ import annotations

import random

import pytest
from random_formulas import random_formula

from asset.errors import UsageError
from asset.logic import formulas as f
from asset.logic.formulas import Atom, Logic, atoms_of, logic_of, rename_atoms
from asset.logic.parsing import Expression, parse_ctl, parse_ltl
from asset.logic.printing import readable, spin
from asset.span import NOWHERE, Span


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("[](p -> <>q)", "G (p -> F q)"),
        ("always (p implies eventually q)", "G (p -> F q)"),
        ("GF p && FG !q", "G F p & F G !q"),
        ("p U q || r V s", "p U q | r R s"),
        ("p /\\ q \\/ !r", "p & q | !r"),
        ("p xor q", "!(p <-> q)"),
        ("p W q & p M q", "p W q & p M q"),
        ("true U (p & false)", "true U (p & false)"),
        ("((p))", "p"),
        ("p <-> q <-> r", "(p <-> q) <-> r"),
    ],
)
def test_both_notations_are_read(text: str, read: str) -> None:
    assert readable(parse_ltl(text)) == read


@pytest.mark.parametrize(
    ("text", "atoms"),
    [
        ("x + 1 < 3 U pc[0] == 2", ["x + 1 < 3", "pc[0] == 2"]),
        ("!(x == 3)", ["x == 3"]),
        ("not x == 3", ["x == 3"]),
        ("G x = 3", ["x == 3"]),
        ("G x in {1, 2} & y in 1..3", ["x in {1, 2}", "y in range(1, 4)"]),
        ("(x+1)*2 < 3 & (p | q)", ["(x+1)*2 < 3", "p", "q"]),
        ('G("X > 0" -> F state[i] == "idle")', ["X > 0", 'state[i] == "idle"']),
        ("all(x & 1 for x in self.a) -> F b.c[1].d(2)", ["all(x & 1 for x in self.a)", "b.c[1].d(2)"]),
        ("-x < -3", ["-x < -3"]),
        ("x<y & z>y -> x->y", []),
        ("p U p", ["p"]),
    ],
)
def test_atoms_are_expressions_over_the_model(text: str, atoms: list[str]) -> None:
    if not atoms:
        with pytest.raises(UsageError, match="two ways"):
            parse_ltl(text)
    else:
        assert [str(key) for key in atoms_of(parse_ltl(text))] == atoms


def test_an_atom_knows_its_place() -> None:
    (key,) = atoms_of(parse_ltl("G  waiting[0]"))
    assert isinstance(key, Expression)
    assert (key.span.line, key.span.column, key.span.end_column) == (1, 4, 14)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("AG (p -> AF q)", "AG (p -> AF q)"),
        ("A[p & x = 1 U q] | E[p W q]", "A[p & x == 1 U q] | E[p W q]"),
        ("AG EF p", "AG EF p"),
        ("!EX !p", "!EX !p"),
        ("E(p U q)", "E[p U q]"),
    ],
)
def test_branching_time_is_read(text: str, read: str) -> None:
    formula = parse_ctl(text)
    assert logic_of(formula) is Logic.CTL
    assert readable(formula) == read.replace("p & x == 1 U", "(p & x == 1) U")
    assert parse_ctl(readable(formula)) == formula


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("[](p", 3, "( is never closed"),
        ("p) & q", 2, ") closes nothing"),
        ("p[0)", 4, ") closes what [ opened"),
        ("p q", 3, "an operator is missing before q"),
        ("AG p", 4, "an operator is missing before p"),
        ("G", 2, "ends too early"),
        ("G (p & )", 8, "nothing to the left of )"),
        ("x +", 3, "nothing to the right of +"),
        ("p U q U r", 7, "read in two ways"),
        ("p -> q -> r", 8, "read in two ways"),
        ("G !x == 3", 4, "! before x == 3 can be read in two ways"),
        ("~(x) < 3 & q", 2, "read in two ways"),
        ('"p', 1, "a quote is never closed"),
        ("@", 1, "@ begins no expression"),
        ("", 1, "the formula is empty"),
        ("x => 3", 3, "an operator is missing before =>"),
        ("!" * 1000 + "p", 151, "nested too deeply"),
    ],
)
def test_what_is_wrong_is_shown_with_its_place(text: str, column: int, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_ltl(text)
    (said,) = caught.value.diagnostics
    assert message in said.message
    assert said.span is not None and said.span.column == column
    assert said.remedy
    assert "^" in str(said) or not text


@pytest.mark.parametrize(("text", "column"), [("G p", 1), ("p U q", 3), ("A p", 1), ("E[p]", 4), ("AG (p & F q)", 9)])
def test_an_operator_without_its_quantifier_is_no_ctl(text: str, column: int) -> None:
    with pytest.raises(UsageError) as caught:
        parse_ctl(text)
    span = caught.value.diagnostics[0].span
    assert span is not None and span.column == column


def test_two_formulas_of_one_option_are_shown_each_with_its_own_line() -> None:
    spans = [caught_span(text) for text in ("G (p & )", "F (q | )")]
    assert [span.source_line for span in spans] == ["G (p & )", "F (q | )"]
    assert all(span.file.endswith("--ltl") for span in spans)
    assert caught_span("G (p & )") == spans[0]


def caught_span(text: str) -> Span:
    with pytest.raises(UsageError) as caught:
        parse_ltl(text)
    span = caught.value.diagnostics[0].span
    assert span is not None
    return span


def test_what_is_printed_can_be_read() -> None:
    chance = random.Random(5)
    for _ in range(500):
        formula = random_formula(chance, chance.randint(1, 12), "pqr")
        expected = rename_atoms(formula, lambda key: Atom(Expression(str(key), NOWHERE)))
        assert readable(parse_ltl(readable(formula))) == readable(formula)
        assert parse_ltl(readable(expected)) == parse_ltl(spin(expected))


def test_questions_that_an_operator_would_tear_apart_have_brackets() -> None:
    question = f.Atom("p or not q")
    assert readable(f.Eventually(question)) == "F (p or not q)"
    assert readable(f.Until(f.Atom("not p"), f.Atom("q == 1"))) == "(not p) U q == 1"
    assert readable(f.ForAll(f.Always(question))) == "AG (p or not q)"
    assert readable(question) == "p or not q"
    assert readable(f.Always(f.Not(f.Atom("x == 3")))) == "G !(x == 3)"
