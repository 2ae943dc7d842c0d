"""A check that is ended at any moment goes on from its checkpoint, to the same verdict."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from places import MODELS

from asset.cli.main import main

EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "4"))
"""How often checks are killed."""

SAME = ("verdict", "states", "edges", "depth", "terminal_states", "violation", "counterexample", "checked", "levels")
SAME += ("further",)

RING = [str(MODELS / "token_ring.py"), "-p", "n=6", "--stubborn", "off", "--symmetry", "off"]
VIOLATED = """
from asset import Int, Model, Array, invariant, transition, when

class Clocks(Model):
    n: int = 5

    def state(self):
        self.clock = Array(self.n, Int(0, 9))

    @transition(i="n")
    def tick(self, i):
        when(self.clock[i] < 9)
        self.clock[i] += 1

    @invariant
    def not_all_late(self):
        return sum(self.clock) < 44


class Strict(Clocks):
    @invariant
    def not_all_on_time(self):
        return sum(self.clock) < 9
"""

ASKED = {
    "holds": [*RING, "--termination"],
    "as trees": [*RING, "--store", "tree"],
    "violated": ["clocks.py:Clocks"],
    "all of them": ["clocks.py:Strict", "--keep-going"],
}


def asset(*words: str) -> list[str]:
    return [sys.executable, "-m", "asset", *words]


def verdict_of(words: list[str], folder: Path) -> dict[str, Any]:
    done = subprocess.run(asset(*words), cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    found = json.loads((folder / "verdict.json").read_text())
    return {name: found.get(name) for name in SAME}


def ended_when(file: Path, words: list[str], folder: Path, seconds: float) -> bool:
    """Runs a check, and kills it so long after its file is there. Whether it came to its end before."""
    run = subprocess.Popen(asset(*words), cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while run.poll() is None and not file.exists():
        time.sleep(0.005)
    time.sleep(seconds)
    run.send_signal(signal.SIGKILL)
    return run.wait() != -signal.SIGKILL


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("asked", ASKED)
def test_a_check_that_is_killed_goes_on_to_the_same_verdict(tmp_path: Path, asked: str, threads: int) -> None:
    (tmp_path / "clocks.py").write_text(VIOLATED)
    words = ["check", *ASKED[asked], "--threads", str(threads), "--json", "verdict.json"]
    expected = verdict_of(words, tmp_path)
    assert expected["verdict"] == ("holds" if asked in ("holds", "as trees") else "violated")
    file = tmp_path / "kept"
    for _ in range(max(1, EXAMPLES // 4)):
        kept = ["resume", "kept"] if file.exists() else [*words, "--checkpoint", "kept", "--every", "0.02s"]
        if ended_when(file, kept, tmp_path, random.uniform(0, 0.5)):
            break
    if file.exists():
        assert verdict_of(["resume", "kept"], tmp_path) == expected
    assert not list(tmp_path.glob("kept*")), "the file of a check that has ended is of no use"


LIMITED = """
import resource, runpy
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
runpy.run_module("asset", run_name="__main__", alter_sys=True)
"""


def test_a_full_disk_is_told_of_and_the_search_goes_on(tmp_path: Path) -> None:
    words = ["check", RING[0], "-p", "n=8", *RING[3:], "--checkpoint", "kept", "--every", "0.02s"]
    program = [sys.executable, "-c", LIMITED, *words]
    done = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "2,927,232 states" in done.stdout, done.stderr
    said = "".join(done.stdout.split())
    assert "acheckpointcouldnotbewritten" in said and "Filetoolarge" in said
    assert not (tmp_path / "kept").exists()


def interrupted(folder: Path) -> Path:
    """The file of a check that was interrupted."""
    file = folder / "kept"
    words = ["check", RING[0], "-p", "n=9", *RING[3:], "--checkpoint", str(file), "--every", "0.1s"]
    run = subprocess.Popen(asset(*words), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    while run.poll() is None and not file.exists():
        time.sleep(0.01)
    run.send_signal(signal.SIGINT)
    said = run.communicate()[0]
    assert run.returncode == 3 and "asset resume" in said, said
    return file


def test_what_differs_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from asset.checks import checkpointing

    file = interrupted(tmp_path)
    assert main(["check", *RING, "--checkpoint", str(file)]) == 2
    assert "exists" in capsys.readouterr().err
    kept, whole = checkpointing.read(str(file)), file.read_bytes()
    told = kept.to_json()
    for before, after, named in (
        (f'"version": "{kept.version}"', '"version": "0.0.1"', "it was written by asset 0.0.1"),
        ('"termination": false', '"termination": true', "termination was True, and is False"),
        (kept.model["token_ring.py"], "0" * 64, "the model has changed since: token_ring.py"),
        (kept.searches[0], "0" * 64, "the search that it has is another"),
    ):
        assert before.encode() in told
        other = told.replace(before.encode(), after.encode())
        file.write_bytes(whole[:8] + len(other).to_bytes(8, "little") + other + whole[16 + len(told) :])
        assert main(["resume", str(file)]) == 2
        assert named in capsys.readouterr().err
    file.write_bytes(whole[:-1])
    assert main(["resume", str(file)]) == 2
    assert "not a whole checkpoint" in capsys.readouterr().err
    file.write_text("something else")
    assert main(["resume", str(file)]) == 2
    assert "is not a checkpoint" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--every", "5m"], "every is about the file of checkpoint"),
        (["--every", "soon", "--checkpoint", "kept"], "not an amount of time"),
        (["--engine", "reference", "--checkpoint", "kept"], "of the native engine"),
        (["--coverage", "--checkpoint", "kept"], "cannot be resumed"),
        (["--checkpoint", "no/such/folder/kept"], "cannot be written"),
    ],
)
def test_what_cannot_be_kept_is_refused(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", *RING, *words]) == 2
    assert said in capsys.readouterr().err
