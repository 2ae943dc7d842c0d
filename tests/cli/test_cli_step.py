"""`asset step`: what a person at the prompt can do, with standard input as the person."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from asset.cli.main import main
from asset.cli.stepper import ask_terminal

LIFT = """\
from asset import Int, Model, invariant, terminal, transition, when

class Lift(Model):
    highest: int = 2

    def state(self):
        self.floor = Int(0, 3)
        self.broken = False

    @transition
    def up(self):
        when(not self.broken)
        self.floor += 1

    @transition
    def down(self):
        when(self.floor > 0 and not self.broken)
        self.floor -= 1

    @transition
    def break_down(self):
        when(self.floor == 1 and not self.broken)
        self.broken = True

    @invariant
    def below_the_roof(self):
        return self.floor <= self.highest

    @terminal
    def repaired(self):
        return not self.broken
"""

STUCK = [
    "    up waits at lift.py:12: not broken (broken is True since step 2)",
    "    down waits at lift.py:17: not broken (broken is True since step 2)",
    "    break_down waits at lift.py:22: not broken (broken is True since step 2)",
]
"""Why nothing moves once the lift is broken, after two steps."""

Session = Callable[..., list[str]]


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Session:
    """Says these words to the lift, one after the other; the output from the first of them on."""
    path = tmp_path / "lift.py"
    path.write_text(LIFT)

    def say(*words: str, model: str = str(path), options: tuple[str, ...] = ()) -> list[str]:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{word}\n" for word in words)))
        assert main(["step", model, *options]) == 0
        lines = capsys.readouterr().out.splitlines()
        return lines[lines.index(f"> {words[0]}") + 1 :]

    return say


def test_the_first_screen_is_the_initial_state_and_what_can_happen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "lift.py").write_text(LIFT)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert main(["step", str(tmp_path / "lift.py")]) == 0
    assert capsys.readouterr().out == (
        "Lift(highest=2) — h lists what can be done\n"
        "step 0  initial state\n"
        "    floor   0\n"
        "    broken  False\n"
        "  0  up  floor: 0 → 1\n"
    )


def test_a_number_fires_its_transition(session: Session) -> None:
    assert session("0") == [
        "step 1  up  floor: 0 → 1",
        "    floor   1",
        "    broken  False",
        "  0  up          floor: 1 → 2",
        "  1  down        floor: 1 → 0",
        "  2  break_down  broken: False → True",
    ]


def test_a_name_fires_its_transition_too(session: Session) -> None:
    assert session("up")[0] == "step 1  up  floor: 0 → 1"


def test_a_disabled_transition_changes_nothing(session: Session) -> None:
    assert session("1", "s") == ["down is disabled here", "> s", "    floor   0", "    broken  False"]


def test_undo_goes_back_and_next_forward_again(session: Session) -> None:
    lines = session("0", "u", "n")
    assert "step 0  initial state" in lines
    assert lines[lines.index("> n") + 1] == "step 1  up  floor: 0 → 1"


def test_there_is_nothing_before_the_initial_state(session: Session) -> None:
    assert session("u") == ["this is the initial state"]


def test_firing_after_an_undo_forgets_what_was_ahead(session: Session) -> None:
    assert session("0", "0", "u", "1", "n")[-1] == "the run has no step 3"


def test_a_step_of_the_run_can_be_gone_to(session: Session) -> None:
    lines = session("0", "0", "g 1", "g 7")
    assert lines[lines.index("> g 1") + 1] == "step 1  up  floor: 0 → 1"
    assert lines[-1] == "the run has no step 7"


def test_a_state_seen_before_is_recognised(session: Session) -> None:
    assert "  ── the state of step 0 again ──" in session("0", "1")


def test_a_broken_invariant_is_shown_with_its_state(session: Session) -> None:
    assert "  ✗ below_the_roof is false" in session("0", "0", "0")


def test_a_terminal_state_is_checked_and_the_run_ends(session: Session) -> None:
    lines = session("0", "2", "r")
    assert lines[-7:] == [
        "  ✗ repaired is false",
        "  no transition is enabled: the run ends here",
        *STUCK,
        "> r",
        "no transition is enabled here",
    ]


def test_a_model_error_is_foretold_and_not_fatal(session: Session) -> None:
    lines = session("0", "0", "0", "0", "s")
    assert any(line.startswith("  0  up    model error: ") for line in lines)
    told = lines[lines.index("> s") - 1]
    assert told.startswith("model error in up: ") and told.endswith("(lift.py:13)")
    assert lines[lines.index("> s") + 1] == "    floor   3"


def test_random_steps_follow_the_seed(session: Session) -> None:
    words = ("r",) * 8
    assert session(*words, options=("--random", "4")) == session(*words, options=("--random", "4"))


def test_a_check_leads_into_its_counterexample(session: Session) -> None:
    lines = session("c", "n", "n")
    assert lines[0] == "Lift(highest=2): violated — repaired is false in a terminal state after 2 steps"
    assert lines[1:3] == ["n follows the counterexample: 2 steps", "step 0  initial state"]
    assert "step 1  up  floor: 0 → 1" in lines
    assert lines[lines.index("step 2  break_down  broken: False → True") + 3 :] == [
        "  ── the run ends here: no transition changes anything ──",
        "  ✗ repaired is false",
        "  no transition is enabled: the run ends here",
        *STUCK,
    ]


def test_a_check_that_holds_leaves_the_run_as_it_was(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "sound.py"
    path.write_text(
        LIFT.replace("when(not self.broken)", "when(self.floor < 1)").replace("return not", "return True or")
    )
    lines = session("0", "c", "s", model=str(path))
    at = lines.index("> c") + 1
    assert lines[at].startswith("Lift(highest=2): holds — ")
    assert lines[at + 1 : at + 3] == ["> s", "    floor   1"]


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("jump", "'jump' is not understood; h lists what can be done"),
        ("g x", "'g x' is not understood; h lists what can be done"),
        ("3", "there is no transition 3: the last one is 2"),
    ],
)
def test_a_slip_is_answered(session: Session, words: str, answer: str) -> None:
    assert session(words) == [answer]


def test_quitting_ignores_the_rest(session: Session) -> None:
    assert session("q", "0") == []


def test_each_disabled_transition_says_what_it_waits_for(session: Session) -> None:
    assert session("w") == [
        "  down  lift.py:17: floor > 0 (floor is 0 from the start)",
        "  break_down  lift.py:22: floor == 1 (floor is 0 from the start)",
    ]


def test_help_lists_every_word(session: Session) -> None:
    assert [line.split()[0] for line in session("h")] == ["NUMBER", "r", "u", "n", "g", "i", "c", "w", "s", "h", "q"]


@pytest.mark.parametrize("end", [EOFError, KeyboardInterrupt])
def test_leaving_the_prompt_ends_the_session(
    end: type[BaseException], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def leave(prompt: str) -> str:
        raise end

    monkeypatch.setattr("builtins.input", leave)
    assert ask_terminal() is None
    assert capsys.readouterr().out == "\n"
