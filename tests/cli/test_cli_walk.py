"""`asset run`: one run of a model, told like a counterexample."""

from __future__ import annotations

from pathlib import Path

import pytest

from asset import Int, Model, transition
from asset.cli.main import main
from asset.cli.walk import walk
from asset.frontends.python import compile_model
from asset.ir.interpreter import Interpreter

LIGHT = """\
from asset import Int, Model, invariant, terminal, transition, when

class Light(Model):
    green: int = 1      # rounds after which the light may fail
    last: int = 3

    def state(self):
        self.colour = Int(0, 2)
        self.rounds = Int(0, 3)
        self.out = False

    @transition
    def change(self):
        when(not self.out)
        self.colour = (self.colour + 1) % 3

    @transition
    def fail(self):
        when(self.rounds >= self.green and not self.out)
        self.out = True

    @transition
    def count(self):
        when(not self.out)
        self.rounds += 1

    @invariant
    def colour_is_low(self):
        return self.colour < self.last

    @terminal
    def never_ends(self):
        return False
"""

OUTSIDE = """\
from asset import Int, Model, transition

class Outside(Model):
    def state(self):
        self.x = Int(0, 9)

    @transition
    def grow(self):
        self.x = len(str({"a": self.x})) - 7 + self.x
"""


@pytest.fixture
def light(tmp_path: Path) -> str:
    path = tmp_path / "light.py"
    path.write_text(LIGHT)
    return str(path)


def test_a_typical_run_goes_on_until_it_repeats_a_state(light: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", light]) == 0
    assert capsys.readouterr().out == (
        "Light(green=1, last=3): a typical run, 3 steps — then it is back in the state of step 0\n"
        "\n"
        "  step  transition  changes        source\n"
        "     0  initial state\n"
        "          colour  0\n"
        "          rounds  0\n"
        "          out     False\n"
        "┌ the cycle: repeats for ever\n"
        "│    1  change      colour: 0 → 1  light.py:13\n"
        "│    2  change      colour: 1 → 2  light.py:13\n"
        "│    3  change      colour: 2 → 0  light.py:13\n"
        "└ back to step 0\n"
    )


def test_a_run_has_as_many_steps_as_asked(light: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", light, "--steps", "2"]) == 0
    text = capsys.readouterr().out
    assert "2 steps — it goes on (--steps N shows more)\n" in text
    assert "     2  change" in text
    assert "     3  change" not in text


def test_a_broken_invariant_is_marked_where_it_breaks(light: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", light, "-p", "last=2"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[lines.index("│ ── ✗ colour_is_low is false ──") - 1].startswith("│    2  change")


def test_the_seed_decides_a_random_run(light: str, capsys: pytest.CaptureFixture[str]) -> None:
    texts = []
    for seed in ("1", "1", "2"):
        main(["run", light, "--random", seed])
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]
    assert texts[0].split("\n", 1)[1] != texts[2].split("\n", 1)[1]


def test_a_random_run_goes_on_where_a_state_is_repeated(light: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["run", light, "-p", "green=4", "--random", "3", "--steps", "500"])
    text = capsys.readouterr().out
    assert "the cycle" not in text
    assert "not shown" not in text


def test_a_terminal_state_ends_a_run_and_is_checked(light: str, capsys: pytest.CaptureFixture[str]) -> None:
    ends = "it ends in a terminal state"
    endings = {}
    for seed in range(12):
        status = main(["run", light, "-p", "green=0", "--random", str(seed)])
        text = capsys.readouterr().out
        endings[ends in text] = (status, text)
    status, text = endings[True]
    assert status == 1
    assert "── ✗ never_ends is false ──\n  ── the run ends here: no transition changes anything ──\n" in text


def test_a_model_error_ends_a_run_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "counter.py"
    path.write_text(LIGHT.replace("(self.colour + 1) % 3", "self.colour + 1"))
    assert main(["run", str(path)]) == 1
    text = capsys.readouterr().out
    assert text.startswith("Light(green=1, last=3): a typical run, 2 steps — model error in change: ")
    assert text.splitlines()[-1].split() == ["3", "change", "model", "error", "counter.py:15"]


def test_a_model_outside_of_the_compiled_language_runs_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "outside.py"
    path.write_text(OUTSIDE)
    assert main(["run", str(path), "--steps", "3"]) == 0
    assert "x: 0 → 1" in capsys.readouterr().out


class Crowd(Model):
    def state(self):
        self.value = Int(0, 1)

    @transition(i=50)
    def flip(self, i):
        self.value = 1 - self.value


def test_a_typical_run_fires_only_what_is_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    executable = Interpreter(compile_model(Crowd()))
    fired: list[int] = []
    fire = executable.fire
    monkeypatch.setattr(executable, "fire", lambda state, command: fired.append(command) or fire(state, command))
    assert len(walk(executable, 9).path) == 3
    assert fired == [0, 0]
