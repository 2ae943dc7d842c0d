"""`asset simulate` from its words to its exit status."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from asset.cli.main import main

MODELS = Path(__file__).parents[2] / "models"
RING = str(MODELS / "token_ring.py")


def test_nothing_found_is_undecided(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", RING, "--steps", "20000", "--seed", "3"]) == 3
    told = capsys.readouterr().out
    assert told.startswith("TokenRing(n=6): undecided — no violation found in 20,000 random steps")
    assert "18 of 18 transitions fired" in told
    assert "holds" not in told


def test_a_violation_is_shown_and_ends_with_status_1(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["simulate", str(MODELS / "philosophers.py:Philosophers"), "--steps", "50000", "--json", "-"]
    assert main(words) == 1
    verdict = json.loads(capsys.readouterr().out)
    assert verdict["verdict"] == "violated"
    assert verdict["simulation"]["found_length"] >= len(verdict["counterexample"]["steps"]) - 1


@pytest.mark.parametrize(("model", "status"), [("asm/flash.asm", 3), ("asset/deadlocks.model", 1)])
def test_other_languages_are_simulated(model: str, status: int) -> None:
    assert main(["simulate", str(MODELS / model), "--steps", "20000", "--seed", "1", "--quiet"]) == status


def test_promela_is_simulated(tmp_path: Path) -> None:
    model = tmp_path / "count.pml"
    model.write_text("byte n;\nactive [2] proctype p() { do :: n < 200 -> n++ :: n > 0 -> n-- od }\n")
    assert main(["simulate", str(model), "--steps", "20000", "--seed", "1", "--quiet"]) == 3


def test_ctrl_c_ends_it_with_a_report() -> None:
    words = [sys.executable, "-m", "asset", "simulate", RING, "--time", "100"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        told, _ = process.communicate(timeout=30)
    assert process.returncode == 3
    assert "transitions fired" in told
    assert "interrupted" in told


def test_a_length_that_cannot_be_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", RING, "--length", "99999999"]) == 2
    assert "length must be from 1 to 1,000,000" in capsys.readouterr().err
