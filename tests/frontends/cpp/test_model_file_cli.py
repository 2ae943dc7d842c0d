"""The commands on .model files: switches, reports, output of the model."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from places import MODELS

from asset.cli.explorer.session import Session
from asset.cli.main import main
from asset.languages import ModelSpec
from asset.report.asset import render
from asset.verdict import Answer, Caveat, Counterexample, Memory, Seconds, Step, Verdict, Violation

ASSET_MODELS = MODELS / "asset"
RING = str(ASSET_MODELS / "ring.model")

TALKATIVE = """\
#define show_cnt
state_var x(2);
unsigned nr_transitions(){ return 1; }
bool fire_transition( unsigned ){ if( x == 3 ){ return false; } ++x; return true; }
void print_state(){ std::printf( "x is %u\\n", (unsigned)x ); std::cout << "really\\n"; }
#define chk_deadlock
const char *check_deadlock(){ std::cout << "a deadlock\\n"; return "too soon"; }
"""


@pytest.fixture
def talkative(tmp_path: Path) -> str:
    (tmp_path / "talkative.model").write_text(TALKATIVE, encoding="utf-8")
    return str(tmp_path / "talkative.model")


def test_the_report_of_the_original_is_reproduced(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["check", RING, "-D", "size_par=2", "-D", "no_test", "--stubborn", "hand", "--format", "asset"])
    lines = capsys.readouterr().out.splitlines()
    assert status == 1
    assert lines[:4] == [".r  .r* ", ".r   r* ", "==========", "?r   r* "]
    assert lines[-2:] == ["!!! State was reached from which termination is unreachable", "67 states, 93 edges"]
    cycle = lines[lines.index("----------") + 1 : -2]
    assert len(cycle) == len(set(cycle)), "the state that closes the cycle is not repeated"


def test_a_reduction_is_the_same_as_its_switch(capsys: pytest.CaptureFixture[str]) -> None:
    counts = set()
    for words in (["--symmetry", "hand"], ["-D", "symmetry"]):
        assert main(["check", RING, "-D", "size_par=2", "--json", "-", *words]) == 0
        report = json.loads(capsys.readouterr().out)
        counts.add((report["states"], report["edges"], report["settings"]["symmetry"]))
    assert counts == {(34, 70, "hand")}


def test_rules_of_a_model_file_can_be_audited(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["-D", "size_par=2", "-D", "no_test", "-D", "stubborn", "--audit", "2", "--quiet"]
    assert main(["check", RING, *words]) == 1
    assert "mistake in a reduction" in capsys.readouterr().out


def test_what_the_model_prints_is_passed_on_but_not_into_json(
    talkative: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", talkative]) == 1
    captured = capsys.readouterr()
    assert captured.out.startswith("a deadlock\n")
    assert "note: show_cnt" in captured.err
    assert main(["check", talkative, "--json", "-"]) == 1
    captured = capsys.readouterr()
    assert json.loads(captured.out)["violation"]["message"] == "too soon"
    assert "a deadlock" in captured.err


def test_states_are_shown_by_print_state_however_it_prints(talkative: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", talkative, "--format", "asset"])
    assert capsys.readouterr().out.splitlines()[1:] == [
        *(line for x in range(4) for line in (f"x is {x}", "really")),
        "!!! Illegal deadlock: too soon",
        "4 states, 3 edges",
    ]


def test_only_typical_shows_a_run_instead_of_checking(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(ASSET_MODELS / "typical.model")]) == 0
    out = capsys.readouterr().out
    assert out.startswith("typical: a typical run, 13 steps — it ends in a terminal state")
    assert main(["run", str(ASSET_MODELS / "typical.model"), "--steps", "3"]) == 0
    assert "fire_transition(1)" in capsys.readouterr().out


def test_a_model_file_can_be_stepped_through(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("0\nu\nc\nn\nq\n"))
    assert main(["step", RING, "-D", "size_par=2", "-D", "no_test", "-D", "stubborn"]) == 0
    out = capsys.readouterr().out
    assert "fire_transition(0)" in out
    assert "client[0]: 0 → 1" in out
    assert "n follows the counterexample" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "ring(size_par=2): 68 states, 140 edges"),
        ("-D stubborn", "reduced by stubborn sets: 44 states, 60 edges"),
        ("--symmetry hand", "reduced by symmetry: 34 states, 70 edges"),
    ],
)
def test_the_state_space_of_a_model_file_can_be_drawn(
    words: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "space.svg")
    assert main(["graph", RING, "-D", "size_par=2", *words.split(), "-o", file]) == 0
    assert said in capsys.readouterr().out


def test_a_sweep_with_a_switch_leaves_it_out_where_it_compares(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "sweep.json"
    assert main(["sweep", RING, "-D", "size_par=2..3", "-D", "stubborn", "--json", str(file)]) == 0
    series = json.loads(file.read_text())["series"]
    assert [[row["states"] for row in one["rows"]] for one in series] == [[68, 468], [44, 219]]
    earlier = [row["seconds"] for one in series for row in one["rows"]]
    main(["sweep", RING, "-D", "size_par=2..3", "--stubborn", "hand", "--json", str(file), "--resume"])
    again = [row["seconds"] for one in json.loads(file.read_text())["series"] for row in one["rows"]]
    assert again == earlier  # the switch and the option are the same check: nothing is checked again
    assert capsys.readouterr().out.count("ring.model: size_par = 2 … 3\n") == 2


def test_the_explorer_shows_states_as_print_state_does() -> None:
    session = Session.of(ModelSpec(RING, {"size_par": "2"}))
    assert session.shown((), 0)["shown"] == ".r  .r* "
    assert session.about()["title"] == "ring(size_par=2)"
    after = session.shown((0,), 1)
    assert [name for name in after["state"] if after["state"][name] != after["before"][name]] == ["client"]


def test_messages_of_the_original_are_in_its_report() -> None:
    def report(kind: str, message: str) -> str:
        steps = tuple(Step(None, {"x": value}, (), None) for value in range(2))
        violation = Violation(kind, None, message)
        verdict = Verdict(
            *(Answer.VIOLATED, "m", {}, violation, Counterexample(steps, progress_lost_at=1)),
            *(7, 9, 3, 0, Seconds(), Memory()),
        )
        return render(verdict)

    assert report("safety", "two are in") == "x=0\n==========\nx=1\n!!! Safety error: two are in\n7 states, 9 edges"
    assert "!!! Illegal deadlock: stuck\n" in report("deadlock", "stuck")
    assert "!!! Transition firing error: oh\n" in report("model-error", "oh")
    assert "!!! May-type non-progress error\n" in report("may-progress", "")
    assert "!!! Must-type non-progress error\n" in report("must-progress", "")


def test_a_verdict_that_is_no_verdict_is_a_warning_in_the_report_of_the_original() -> None:
    reason = (Caveat("max-states", "the limit was reached"),)
    verdict = Verdict(Answer.UNDECIDED, "m", {}, None, None, 5, 4, 3, 0, Seconds(), Memory(), caveats=reason)
    assert render(verdict) == "Warning: the limit was reached\n5 states, 4 edges"
