"""Ctrl-C and SIGTERM end all ranks, with one report."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from places import MODELS
from test_checkpoints import children


def begun(report: Path) -> subprocess.Popen[bytes]:
    """A search by three ranks that takes long; they are at work."""
    words = ["check", str(MODELS / "token_ring.py"), "-p", "n=10", "--cluster", "local", "--ranks", "3"]
    process = subprocess.Popen(
        [sys.executable, "-m", "asset", *words, "--json", str(report)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,  # so that nobody else is sent what its group is
    )
    while len(ranks := children(process.pid)) < 2 or not all(map(hears_sigterm, [process.pid, *ranks])):
        time.sleep(0.05)
    time.sleep(1.0)
    return process


def hears_sigterm(pid: int) -> bool:
    status = Path(f"/proc/{pid}/status").read_text()
    caught = next(line for line in status.splitlines() if line.startswith("SigCgt"))
    return bool(int(caught.split()[1], 16) >> (signal.SIGTERM - 1) & 1)


@pytest.mark.parametrize("to_all", [True, False])
def test_an_interrupt_ends_all_ranks_with_one_report(to_all: bool, tmp_path: Path) -> None:
    process = begun(tmp_path / "verdict.json")
    ranks = children(process.pid)
    if to_all:
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    else:
        os.kill(ranks[1], signal.SIGTERM)  # as a batch system does with a node
    _, complaints = process.communicate(timeout=60)
    assert (process.returncode, complaints) == (3, b"")
    verdict = json.loads((tmp_path / "verdict.json").read_text())
    assert verdict["verdict"] == "undecided"
    assert [each["code"] for each in verdict["caveats"]] == ["interrupted"]
    assert verdict["states"] == sum(each["states"] for each in verdict["ranks"]) > 0
    assert not any(Path(f"/proc/{rank}").exists() for rank in ranks)
