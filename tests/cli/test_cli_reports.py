"""Report files and annotations, from the command line to the file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from asset.cli.main import main
from asset.report.formats import FORMATS

ROOM = """\
from asset import Array, Model, invariant, transition, when

class Room(Model):
    n: int = 2

    def state(self):
        self.inside = Array(self.n, False)

    @transition(i="n")
    def enter(self, i):
        when(not self.inside[i])
        self.inside[i] = True

    @invariant
    def alone(self):
        print("looking")
        return sum(self.inside) <= 1
"""


@pytest.fixture(autouse=True)
def beside_the_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "room.py").write_text(ROOM.replace('        print("looking")\n', ""))
    (tmp_path / "loud.py").write_text(ROOM)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_goes_to_its_file_and_the_text_to_the_terminal(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "room.py", f"--{name}", "report"]) == 1
    assert "alone" in (tmp_path / "report").read_text(encoding="utf-8")
    assert capsys.readouterr().out.startswith("Room(n=2): violated — alone is false after 2 steps")


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_is_alone_on_standard_output(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "loud.py", "--engine", "reference", f"--{name}", "-"]) == 1
    assert "looking\n" not in capsys.readouterr().out


def test_several_reports_are_written_at_once(tmp_path: Path) -> None:
    words = [word for name in FORMATS for word in (f"--{name}", f"report.{name}")]
    main(["check", "room.py", "--quiet", *words])
    assert {path.suffix[1:] for path in tmp_path.glob("report.*")} == set(FORMATS)


def test_standard_output_takes_one_report_only(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "room.py", "--json", "-", "--sarif", "-"]) == 2
    assert "--json and --sarif cannot both go to standard output" in capsys.readouterr().err


def test_a_report_that_cannot_be_written_is_known_before_the_search(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "room.py", "--html", "nowhere/report.html"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "cannot write nowhere/report.html: there is no directory nowhere\n    --html takes" in captured.err


def test_an_annotation_follows_the_report(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "room.py", "--quiet", "--annotations"])
    _, annotation = capsys.readouterr().out.splitlines()
    assert annotation.startswith("::error file=room.py,line=15,")


def test_an_annotation_stays_out_of_a_report_on_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "room.py", "--json", "-", "--annotations"])
    captured = capsys.readouterr()
    assert json.loads(captured.out)["verdict"] == "violated"
    assert captured.err.startswith("::error ")


def test_the_run_is_the_one_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "room.py", "--trace", "first", "--json", "-"])
    run = json.loads(capsys.readouterr().out)["counterexample"]
    assert (run["order"], run["switches"]) == ("first", 1)
