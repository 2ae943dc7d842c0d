"""`asset explain --stubborn`: a person can see why derived rules are what they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from asset.cli.main import main

MODEL = """\
from asset import Array, Int, Model, invariant, must_progress, transition, when


class Pair(Model):
    def state(self):
        self.left = Int(0, 3)
        self.right = Int(0, 3)
        self.shared = Int(0, 3)

    @transition
    def count(self):
        when(self.left < 3)
        self.left += 1

    @transition
    def take(self):
        when(self.shared < 3)
        self.shared += 1

    @transition
    def double(self):
        when(self.shared < 2)
        self.shared = 2 * self.shared + 1

    @invariant
    def small(self):
        return self.right < 3


class Obliged(Pair):
    @must_progress
    def counted(self):
        return self.left > 0
"""


@pytest.fixture
def explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    file = tmp_path / "pair.py"
    file.write_text(MODEL)
    assert main(["explain", f"{file}:Pair", "--stubborn"]) == 0
    return capsys.readouterr().out


def section(text: str, title: str) -> str:
    return text.split(f"\n\n{title}\n", 1)[1].split("\n\n", 1)[0]


def test_the_headline_counts_independent_pairs(explained: str) -> None:
    assert explained.splitlines()[0] == "Pair: 2 of 3 pairs of transitions are independent, no transitions opaque"


def test_a_dependent_pair_comes_with_the_variable_and_two_lines(explained: str) -> None:
    pairs = section(explained, "Pairs of transitions")
    assert "independent of take, double" in pairs
    dependent = " ".join(pairs.split("  take\n")[1].split())
    assert dependent.startswith("double shared: ")
    assert "pair.py:1" in dependent
    assert "pair.py:2" in dependent


def test_rules_are_sentences(explained: str) -> None:
    rules = section(explained, "Rules")
    assert [line.strip() for line in rules.splitlines() if line.startswith("  ") and line[2] != " "]
    assert "it needs" in rules


def test_what_cannot_happen_is_told(explained: str) -> None:
    assert "cannot happen: " in section(explained, "Taken into account")


def test_the_effect_is_told(explained: str) -> None:
    effect = section(explained, "Effect")
    assert "enabled transitions fired in a state, on average of" in effect


def test_a_limit_on_states_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "pair.py"
    file.write_text(MODEL)
    assert main(["explain", f"{file}:Pair", "--stubborn", "--max-states", "2"]) == 0
    assert "the limit on states was reached" in capsys.readouterr().out


def test_where_stubborn_sets_will_not_do_that_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "pair.py"
    file.write_text(MODEL)
    assert main(["explain", f"{file}:Obliged", "--stubborn"]) == 0
    assert "explored without stubborn sets" in section(capsys.readouterr().out, "Effect")


def test_what_is_to_be_explained_must_be_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", str(tmp_path / "pair.py")]) == 2
    assert "say --stubborn" in capsys.readouterr().err
