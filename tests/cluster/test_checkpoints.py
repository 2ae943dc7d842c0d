"""A search that was ended goes on from the last level that all its ranks have kept, and its answer is exact.

ASSET_EXAMPLES=30 kills ranks thirty times.
"""

from __future__ import annotations

import errno
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from places import MODELS
from programs import independent
from test_ranks_agree import asked_of_states, by_one_machine, counts
from threaded_ranks import explored_by

import asset
from asset import codegen
from asset.cluster import checkpoints
from asset.cluster.answering import _outcome
from asset.cluster.checkpoints import Checkpoint, LevelFile, Piece
from asset.cluster.exploring import Job
from asset.engine import native
from asset.engine.outcome import Limits, Outcome, Stop
from asset.ir.program import Program

KILLS = int(os.environ.get("ASSET_EXAMPLES", "3"))
RING = asset.load(MODELS / "token_ring.py", n=5)


def by_ranks(ranks: int, program: Program, kept: Checkpoint, limits: Limits | None = None) -> Outcome:
    task = asked_of_states(program)
    model = codegen.compile(program, task.reductions)
    asked = native.flat_options(model, task, limits or Limits())
    return _outcome(explored_by(ranks, Job(model.code, asked, 1, kept)), model, task)


@pytest.mark.parametrize(("before", "after"), [(3, 3), (3, 2), (1, 4), (5, 1)])
def test_a_search_goes_on_with_another_number_of_ranks(before: int, after: int, tmp_path: Path) -> None:
    program = RING.executable().program
    ended = by_ranks(before, program, checkpoints.begun(str(tmp_path), "x"), Limits(max_states=5000))
    assert ended.stop is Stop.MAX_STATES
    resumed = checkpoints.found(str(tmp_path), "x")
    assert resumed.resumed > 5
    assert counts(by_ranks(after, program, resumed)) == counts(by_one_machine(program, asked_of_states(program)))


def test_what_is_wrong_behind_a_checkpoint_is_found_with_the_whole_run(tmp_path: Path) -> None:
    (tmp_path / "far.py").write_text(FAR)
    model = asset.load(tmp_path / "far.py")
    folder = str(tmp_path / "levels")
    asset.check(model, cluster="local", ranks=1, checkpoint=folder, max_states=50)
    resumed = asset.check(model, cluster="local", ranks=1, checkpoint=folder, resume=True)
    direct = asset.check(model, cluster="local", ranks=1)
    assert resumed.violated and resumed.counterexample is not None and direct.counterexample is not None
    assert [step.state for step in resumed.counterexample.steps] == [step.state for step in direct.counterexample.steps]


FAR = """
from asset import Int, Model, invariant, transition, when

class Far(Model):
    def state(self):
        self.x, self.y = Int(0, 20, 0), Int(0, 20, 0)

    @transition
    def right(self):
        when(self.x < 20)
        self.x += 1

    @transition
    def up(self):
        when(self.y < 20)
        self.y += 1

    @invariant
    def near(self):
        return self.x * self.y < 200
"""


def test_a_line_that_was_not_written_to_its_end_is_no_level(tmp_path: Path) -> None:
    program = RING.executable().program
    by_ranks(2, program, checkpoints.begun(str(tmp_path), "x"), Limits(max_states=2000))
    levels = tmp_path / checkpoints.LEVELS
    whole = levels.read_bytes()
    before = checkpoints.found(str(tmp_path), "x").resumed
    for torn in (whole[:-1], whole[:-20], whole + b'{"pieces": [{"fi'):
        levels.write_bytes(torn)
        kept = checkpoints.found(str(tmp_path), "x")
        assert kept.resumed == (before if torn.startswith(whole) else before - 1)
    assert counts(by_ranks(3, program, kept)) == counts(by_one_machine(program, asked_of_states(program)))


def test_states_that_are_not_there_end_the_search_and_are_told(tmp_path: Path) -> None:
    program = RING.executable().program
    by_ranks(2, program, checkpoints.begun(str(tmp_path), "x"), Limits(max_states=2000))
    for file in tmp_path.glob("states-*-1"):
        file.write_bytes(b"")
    outcome = by_ranks(2, program, checkpoints.found(str(tmp_path), "x"))
    assert outcome.stop is Stop.INTERRUPTED
    assert "rank 1" in outcome.told


@pytest.mark.parametrize("levels", [None, b"", b'{"identi'])
def test_a_search_that_was_ended_before_it_kept_anything_begins_anew(levels: bytes | None, tmp_path: Path) -> None:
    checkpoints.remember(str(tmp_path), ["check", "ring.py"])
    if levels is not None:
        (tmp_path / checkpoints.LEVELS).write_bytes(levels)
    assert checkpoints.remembered(str(tmp_path)) == ["check", "ring.py"]
    assert checkpoints.found(str(tmp_path), "x").resumed == 0
    assert checkpoints.found(str(tmp_path), "x").identity == "x"


def test_a_checkpoint_is_not_overwritten_and_not_taken_for_another_search(tmp_path: Path) -> None:
    checkpoints.begun(str(tmp_path), "one")
    with pytest.raises(asset.UsageError, match="has a checkpoint already"):
        checkpoints.begun(str(tmp_path), "one")
    with pytest.raises(asset.UsageError, match="of something else"):
        checkpoints.found(str(tmp_path), "two")
    with pytest.raises(asset.UsageError, match="no checkpoint"):
        checkpoints.found(str(tmp_path / "nowhere"), "one")


def test_a_disk_that_is_full_ends_the_search_with_what_was_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, append = RING.executable().program, LevelFile.append
    left = [20]

    def append_while_there_is_room(self: LevelFile, pieces: Sequence[memoryview]) -> Piece:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return append(self, pieces)

    with monkeypatch.context() as patch:
        patch.setattr(LevelFile, "append", append_while_there_is_room)
        ended = by_ranks(2, program, checkpoints.begun(str(tmp_path), "x"))
    assert ended.stop is Stop.INTERRUPTED and ended.states > 0
    assert ended.told.startswith("rank ")
    resumed = checkpoints.found(str(tmp_path), "x")
    assert resumed.resumed > 1
    assert counts(by_ranks(3, program, resumed)) == counts(by_one_machine(program, asked_of_states(program)))


# --- ranks that are killed --------------------------------------------------------------------------------------------


def killed_and_resumed(folder: Path, moment: random.Random) -> dict[str, object]:
    """The verdict on a ring, of whose ranks, the first one too, two are killed, each at a random moment."""
    report = folder / "verdict.json"
    levels = str(folder / "levels")
    words = ["check", str(MODELS / "token_ring.py"), "-p", "n=6", "--cluster", "local", "--ranks", "3"]
    command = [*words, "--checkpoint", levels, "--json", str(report)]
    for _ in range(2):
        process = subprocess.Popen([sys.executable, "-m", "asset", *command], stdout=subprocess.DEVNULL)
        time.sleep(moment.uniform(0.1, 1.2))
        victim = moment.choice([process.pid, *children(process.pid)])
        os.kill(victim, signal.SIGKILL)
        assert process.wait(60) in (0, -signal.SIGKILL if victim == process.pid else 3)  # 0: it was at its end
        begun = (folder / "levels" / checkpoints.COMMAND).exists()
        command = ["resume", levels, "--ranks", str(moment.randint(1, 4))] if begun else command
    subprocess.run([sys.executable, "-m", "asset", *command], stdout=subprocess.DEVNULL, timeout=60)
    verdict: dict[str, object] = json.loads(report.read_text())
    return verdict


def children(pid: int) -> list[int]:
    try:
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


@pytest.mark.parametrize("seed", range(KILLS))
def test_ranks_that_are_killed_change_no_answer(seed: int, tmp_path: Path) -> None:
    verdict = killed_and_resumed(tmp_path, random.Random(seed))
    expected = {"verdict": "holds", "states": 98_064, "edges": 527_760, "depth": 25, "terminal_states": 6}
    assert {name: verdict[name] for name in expected} == expected


def test_a_rank_that_is_killed_is_named_in_a_report_of_what_was_found(tmp_path: Path) -> None:
    report = tmp_path / "verdict.json"
    words = ["check", str(MODELS / "token_ring.py"), "-p", "n=9", "--cluster", "local", "--ranks", "2"]
    process = subprocess.Popen(
        [sys.executable, "-m", "asset", *words, "--json", str(report)], stdout=subprocess.DEVNULL
    )
    while len(ranks := children(process.pid)) < 1:
        time.sleep(0.05)
    time.sleep(1.5)
    os.kill(ranks[0], signal.SIGKILL)
    assert process.wait(60) == 3
    verdict = json.loads(report.read_text())
    assert verdict["verdict"] == "undecided"
    lost = [each["message"] for each in verdict["caveats"] if each["code"] == "rank-lost"]
    assert len(lost) == 1 and "rank 1: its process was ended (SIGKILL)" in lost[0]


def test_small_spaces_are_kept_as_well(tmp_path: Path) -> None:
    program = independent()
    kept = checkpoints.begun(str(tmp_path), "x")
    assert counts(by_ranks(2, program, kept))[1:5] == (9, 12, 4, 1)
    assert counts(by_ranks(3, program, checkpoints.found(str(tmp_path), "x")))[1:5] == (9, 12, 4, 1)
