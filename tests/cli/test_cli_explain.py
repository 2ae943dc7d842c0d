"""`asset explain --stubborn`: a person can see why derived rules are what they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from places import MODELS

from asset.cli.main import main

MODEL = """\
from asset import AF, Array, Int, Model, invariant, must_progress, temporal, terminal, transition, when


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


class Choosing(Pair):
    @temporal
    def sure_to_count(self):
        return AF(self.left > 0)


class Ending(Pair):
    @terminal
    def counted(self):
        return self.left == 3
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


def test_dependent_families_come_with_the_variable_the_lines_and_what_would_help(explained: str) -> None:
    families = " ".join(section(explained, "Dependent families").split())
    assert families.startswith("take, double 1 of 1 pair shared: ")
    assert "pair.py:1" in families
    assert "shared (take with double): " in section(explained, "What would help")


FAMILY = """\
from asset import Array, Int, Model, invariant, transition, when


class Pool(Model):
    n: int = 40

    def state(self):
        self.inside = Array(self.n, False)
        self.free = Int(0, 2, 2)

    @transition(i="n")
    def enter(self, i):
        when(not self.inside[i] and self.free > 0)
        self.inside[i] = True
        self.free -= 1

    @invariant
    def few(self):
        return sum(self.inside) <= 2
"""


def test_families_are_summed_up_and_all_is_shown_on_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "pool.py"
    file.write_text(FAMILY)
    words = ["explain", str(file), "--stubborn", "--max-states", "100"]
    assert main(words) == 0
    short = capsys.readouterr().out
    assert "enter, enter  780 of 780 pairs" in short
    assert "enter(0) (one of 40; --all shows them)" in short
    assert len(short.splitlines()) < 60
    assert main([*words, "--all"]) == 0
    assert len(capsys.readouterr().out.splitlines()) > 780


def test_all_is_not_for_symmetries(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "pool.py"
    file.write_text(FAMILY)
    assert main(["explain", str(file), "--symmetry", "--all"]) == 2
    assert "--all is for --stubborn" in capsys.readouterr().err


CODES = """\
from asset import Array, Int, Model, transition, when


class Codes(Model):
    def state(self):
        self.code = Int(0, 9)
        self.done = False

    @transition(i=10)
    def end(self, i):
        when(self.code == i and not self.done)
        self.done = True

    @transition
    def next_code(self):
        when(self.code == 0)
        self.code = 1


class Plain(Model):
    def state(self):
        self.x = Int(0, 3)

    @transition
    def up(self):
        when(self.x < 3)
        self.x += 1


class Still(Plain):
    def state(self):
        super().state()
        self.unused = Array(2, False)
"""


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Codes", "only values that are never taken could be exchanged"),
        ("Plain", "no two variables"),
        ("Still", "Still: no symmetry that keeps what is asked no two variables"),
    ],
)
def test_why_there_is_no_symmetry_is_told(
    name: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "codes.py"
    file.write_text(CODES)
    assert main(["explain", f"{file}:{name}", "--symmetry"]) == 0
    assert reason in " ".join(capsys.readouterr().out.split())


def test_a_dependent_pair_comes_with_the_variable_and_two_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "pair.py"
    file.write_text(MODEL)
    assert main(["explain", f"{file}:Pair", "--stubborn", "--all"]) == 0
    pairs = section(capsys.readouterr().out, "Pairs of transitions")
    assert "independent of take, double" in pairs
    dependent = " ".join(pairs.split("  take\n")[1].split())
    assert dependent.startswith("double shared: ")
    assert "pair.py:1" in dependent
    assert "pair.py:2" in dependent


def test_rules_are_sentences(explained: str) -> None:
    rules = section(explained, "Rules")
    assert [line.strip() for line in rules.splitlines() if line.startswith("  ") and line[2] != " "]
    assert "it needs" in rules


def test_rules_are_of_families_whatever_else_they_need_as_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", str(MODELS / "two_phase_commit.py:TwoPhaseCommit"), "--stubborn"]) == 0
    rules = section(capsys.readouterr().out, "Rules")
    assert "to stay enabled whatever else is fired, where " in " ".join(rules.split())
    assert "  vote_yes(0) (one of 3; --all shows them)\n" in rules
    assert "vote_yes(1)\n" not in rules


def test_what_cannot_happen_is_told(explained: str) -> None:
    assert "cannot happen: " in section(explained, "Taken into account")


def test_the_effect_is_told(explained: str) -> None:
    effect = section(explained, "Effect")
    assert "enabled transitions fired in a state, on average of" in effect


def test_a_limit_on_states_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "pair.py"
    file.write_text(MODEL)
    assert main(["explain", f"{file}:Ending", "--stubborn", "--max-states", "2"]) == 0
    assert "the limit on states was reached" in capsys.readouterr().out


def test_where_stubborn_sets_will_not_do_that_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "pair.py"
    file.write_text(MODEL)
    assert main(["explain", f"{file}:Choosing", "--stubborn"]) == 0
    assert "they were asked again: sure_to_count" in " ".join(section(capsys.readouterr().out, "Effect").split())


def test_what_is_visible_to_must_progress_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "pair.py"
    file.write_text(MODEL)
    assert main(["explain", f"{file}:Obliged", "--stubborn"]) == 0
    assert "visible, so all or none: count" in section(capsys.readouterr().out, "Taken into account")


def test_what_is_to_be_explained_must_be_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", str(tmp_path / "pair.py")]) == 2
    assert "say --stubborn" in capsys.readouterr().err


def test_numbered_transitions_have_nothing_to_explain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    inputs = "".join(f" monitored in{k}: Boolean" for k in range(13))
    told = " or ".join(f"in{k}" for k in range(13))
    rule = f"definitions: main rule r_Main = on := {told} default init s: function on = false"
    (tmp_path / "m.asm").write_text(f"asm m signature: controlled on: Boolean{inputs} {rule}")
    for option in ("--stubborn", "--symmetry"):
        assert main(["explain", str(tmp_path / "m.asm"), option]) == 2
        assert "so many inputs, or ways to go, that transitions have numbers" in capsys.readouterr().err


def test_symmetries_are_not_explained_beside_a_formula_of_steps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    formula = "    @temporal\n    def rises(self):\n        return always(after(self.x) >= self.x)\n"
    text = (
        CODES.replace("import Array,", "import Array, after, always, temporal,")
        + "\n\nclass Rising(Plain):\n"
        + formula
    )
    (tmp_path / "codes.py").write_text(text)
    assert main(["explain", str(tmp_path / "codes.py:Rising"), "--symmetry"]) == 2
    assert "nothing to explain" in capsys.readouterr().err
