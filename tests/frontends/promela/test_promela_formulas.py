"""Formulas of `ltl` blocks, with macros in them: the answers are those of SPIN's `pan -a -N name`."""

from __future__ import annotations

from pathlib import Path

import pytest

import asset
from asset.languages import ModelSpec, load
from asset.verdict import Answer

MODEL = """\
byte x, y;
#define both (x == 1 && y == 1)
#define is(i) (x == i)
#define either x == 2 || y == 2
#define at_once (A[0]@one && A[1]@one)
bool busy;
active [2] proctype A() { do :: atomic { !busy -> busy = 1 }; one: busy = 0 od }
active proctype X() { do :: x = 1; x = 0 od }
"""

FORMULAS = [
    ("[] !both", Answer.HOLDS),
    ("<> both", Answer.VIOLATED),
    ("[] !at_once", Answer.HOLDS),
    ("[] (is(1) || is(0))", Answer.HOLDS),
    ("[] <> (is(1) && is(0))", Answer.VIOLATED),
    ("[] !(either)", Answer.HOLDS),
    ("[] (is(0) -> y == 0)", Answer.HOLDS),
]


@pytest.mark.parametrize(("formula", "answer"), FORMULAS)
def test_each_part_of_what_a_macro_stands_for_is_asked(formula: str, answer: Answer, tmp_path: Path) -> None:
    file = tmp_path / "m.pml"
    file.write_text(f"{MODEL}ltl f {{ {formula} }}\n")
    verdict = asset.check(load(ModelSpec(str(file))))
    assert {each.name: each.answer for each in verdict.checked}["f"] is answer


def test_parts_of_a_macro_are_told_by_what_they_are(tmp_path: Path) -> None:
    file = tmp_path / "m.pml"
    file.write_text(f"{MODEL}ltl f {{ <> both }}\n")
    assert "x == 1 & y == 1 never holds" in str(asset.check(load(ModelSpec(str(file)))))
