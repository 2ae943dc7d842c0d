"""The JSON report."""

from __future__ import annotations

import json as standard
from pathlib import Path

import pytest

from asset.errors import UsageError
from asset.report import json
from asset.verdict import Answer, Counterexample, Memory, Seconds, Step, Verdict, Violation

VERDICT = Verdict(
    answer=Answer.VIOLATED,
    model="Ring",
    parameters={"n": 2},
    violation=Violation("safety", "mutual_exclusion", "mutual_exclusion is false"),
    counterexample=Counterexample((Step(None, {"x": [0, "IDLE"]}, (), None),)),
    states=1,
    edges=0,
    depth=0,
    terminal_states=0,
    seconds=Seconds(),
    memory=Memory(),
)

CONTRACT = {
    "verdict",
    "violation",
    "states",
    "edges",
    "depth",
    "terminal_states",
    "seconds",
    "memory",
    "counterexample",
    "caveats",
    "settings",
}


def test_the_file_holds_every_field_of_the_contract(tmp_path: Path) -> None:
    json.write(VERDICT, str(tmp_path / "verdict.json"))
    written = standard.loads((tmp_path / "verdict.json").read_text(encoding="utf-8"))
    assert written.keys() >= CONTRACT
    assert written["verdict"] == "violated"
    assert written["violation"]["kind"] == "safety"
    (step,) = written["counterexample"]["steps"]
    assert (step["transition"], step["state"]) == (None, {"x": [0, "IDLE"]})


def test_a_dash_is_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    json.write(VERDICT, "-")
    assert standard.loads(capsys.readouterr().out)["model"] == "Ring"


@pytest.mark.parametrize("name", ["", "missing/verdict.json"])
def test_a_path_that_cannot_be_written_is_an_error_before_the_search(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="cannot write the JSON report"):
        json.require_writable(str(tmp_path / name))


def test_a_path_that_cannot_be_written_is_an_error_after_it_too(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot write the JSON report"):
        json.write(VERDICT, str(tmp_path))


def test_a_new_file_and_an_old_one_can_be_written(tmp_path: Path) -> None:
    json.require_writable(str(tmp_path / "new.json"))
    (tmp_path / "old.json").touch()
    json.require_writable(str(tmp_path / "old.json"))
    assert not (tmp_path / "new.json").exists()
