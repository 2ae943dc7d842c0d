"""Checks by ranks that are tasks of Ray. It takes long to start, so it is asked for: ASSET_RAY=1."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from places import MODELS
from test_checkpoints import FAR, children

import asset

pytestmark = pytest.mark.skipif(
    "ASSET_RAY" not in os.environ or importlib.util.find_spec("ray") is None,
    reason="takes long to start: ASSET_RAY=1 runs it, if Ray is installed (asset-mc[ray])",
)


def started(report: Path, *words: str) -> subprocess.Popen[bytes]:
    command = [
        sys.executable,
        "-m",
        "asset",
        "check",
        *words,
        "--cluster",
        "ray",
        "--ranks",
        "2",
        "--json",
        str(report),
    ]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)


def descendants(pid: int) -> Iterator[int]:
    for child in children(pid):
        yield child
        yield from descendants(child)


def rank_of(process: subprocess.Popen[bytes]) -> int:
    """The process of the other rank, which is at work."""
    while process.poll() is None:
        for pid in descendants(process.pid):
            if b"ray::_work" in Path(f"/proc/{pid}/cmdline").read_bytes():
                time.sleep(5)  # it is past the beginning
                return pid
        time.sleep(0.2)
    raise AssertionError("the check has ended")


def ended(process: subprocess.Popen[bytes], report: Path) -> Any:
    process.communicate(timeout=120)
    return json.loads(report.read_text())


def test_what_is_found_is_what_processes_of_one_machine_find(tmp_path: Path) -> None:
    (tmp_path / "far.py").write_text(FAR)
    found = ended(started(tmp_path / "verdict.json", str(tmp_path / "far.py")), tmp_path / "verdict.json")
    alike = json.loads(asset.check(asset.load(tmp_path / "far.py"), cluster="local", ranks=3).to_json())
    for name in ("verdict", "violation", "states", "edges", "depth"):
        assert found[name] == alike[name]
    assert found["counterexample"]["steps"] == alike["counterexample"]["steps"]
    assert len(found["ranks"]) == 2


def test_a_rank_that_is_killed_is_named(tmp_path: Path) -> None:
    process = started(tmp_path / "verdict.json", str(MODELS / "token_ring.py"), "-p", "n=10")
    os.kill(rank_of(process), signal.SIGKILL)
    verdict = ended(process, tmp_path / "verdict.json")
    assert process.returncode == 3
    assert [each["code"] for each in verdict["caveats"]] == ["rank-lost"]
    assert "rank 1" in verdict["caveats"][0]["message"]


def test_an_interrupt_ends_all_ranks_with_one_report(tmp_path: Path) -> None:
    process = started(tmp_path / "verdict.json", str(MODELS / "token_ring.py"), "-p", "n=10")
    rank_of(process)
    os.kill(process.pid, signal.SIGINT)
    verdict = ended(process, tmp_path / "verdict.json")
    assert process.returncode == 3
    assert [each["code"] for each in verdict["caveats"]] == ["interrupted"]
    assert verdict["states"] == sum(each["states"] for each in verdict["ranks"]) > 0
