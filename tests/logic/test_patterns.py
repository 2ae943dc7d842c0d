"""Each pattern in docs/temporal.md means the same in Python and as text."""

from __future__ import annotations

import ast
import re

import pytest
from places import ROOT

from asset.logic.formulas import (
    Always,
    And,
    Atom,
    Eventually,
    Formula,
    Iff,
    Implies,
    Next,
    Not,
    Release,
    Until,
    WeakUntil,
    rename_atoms,
)
from asset.logic.parsing import parse_ltl
from asset.logic.translation import translate

ROW = re.compile(r"^\| ([^|`]+) \| `([^`]+)` \| `([^`]+)` \|$", re.MULTILINE)
PATTERNS = ROW.findall((ROOT / "docs" / "temporal.md").read_text(encoding="utf-8"))
WORDS = {
    "always": Always,
    "eventually": Eventually,
    "next_state": Next,
    "until": Until,
    "weak_until": WeakUntil,
    "release": Release,
    "implies": Implies,
    "leads_to": lambda a, b: Always(Implies(a, Eventually(b))),
}


def read(node: ast.expr) -> Formula:
    match node:
        case ast.Name(name):
            return Atom(name)
        case ast.UnaryOp(ast.Not(), operand):
            return Not(read(operand))
        case ast.BoolOp(ast.And(), values):
            return And(tuple(map(read, values)))
        case ast.Call(ast.Name(word), args):
            return WORDS[word](*map(read, args))
        case _:
            raise AssertionError(ast.unparse(node))


def test_there_are_twenty_patterns() -> None:
    assert len(PATTERNS) == 20


@pytest.mark.parametrize(("wish", "python", "text"), PATTERNS)
def test_a_pattern_means_the_same_in_both_notations(wish: str, python: str, text: str) -> None:
    as_text = rename_atoms(parse_ltl(text), lambda key: Atom(str(key)))
    different = Not(Iff(read(ast.parse(python, mode="eval").body), as_text))
    assert translate(different).edges == ((),), wish
