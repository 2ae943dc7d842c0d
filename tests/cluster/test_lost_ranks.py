"""A rank may be lost at any moment, or be late: what was found stays true, and whoever is at fault is named."""

from __future__ import annotations

import importlib.util
import os
import signal
import sys
import time
from pathlib import Path

import pytest
from mpirun import mpirun
from places import MODELS
from programs import everything
from test_checkpoints import FAR
from test_ranks_agree import asked_of_ranks, asked_of_states, by_ranks, is_wrong
from threaded_ranks import ThreadedRank, explored_by, left_after

import asset
from asset import codegen
from asset.cli.live_progress import parts
from asset.cluster import exploring, local
from asset.cluster.answering import PATIENCE, _finding
from asset.cluster.communicator import RankLost
from asset.cluster.exploring import Exploring, Job
from asset.engine import native
from asset.engine.outcome import Limits, Progress, Stop, Task
from asset.ir.program import Program

FAILING = """
from asset import Int, Model, transition, when

class Failing(Model):
    def state(self):
        self.x, self.y = Int(0, 40, 0), Int(0, 40, 0)

    @transition
    def right(self):
        when(self.x < 40)
        assert self.x + self.y < 25 or self.x % 5
        self.x += 1

    @transition
    def up(self):
        when(self.y < 40)
        self.y += 1
"""

LOST = """
from asset import Int, Model, may_progress, transition

class Lost(Model):
    def state(self):
        self.x, self.y = Int(0, 9, 0), Int(0, 6, 0)

    @transition
    def right(self):
        self.x = (self.x + 1) % 3 if self.y < 5 else 8

    @transition
    def up(self):
        self.y = 5 if self.y == 6 else self.y + 1

    @may_progress
    def home(self):
        return self.x == 0
"""


@pytest.fixture
def program(request: pytest.FixtureRequest, tmp_path: Path) -> Program:
    file = tmp_path / "model.py"
    file.write_text(request.param)
    return asset.load(file).executable().program


def job_of(program: Program, limits: Limits | None = None) -> tuple[Job, Task, codegen.CompiledModel]:
    task = asked_of_ranks(program, everything(program))
    model = codegen.compile(program, task.reductions)
    return Job(model.code, native.flat_options(model, task, limits or Limits())), task, model


NEAR = FAR.replace("200", "12").replace("20", "5")


@pytest.mark.parametrize("program", [NEAR, FAILING.replace("25", "5"), LOST], indirect=True)
def test_what_is_wrong_is_known_for_good_from_the_moment_when_it_is_known(program: Program) -> None:
    """The last rank is gone after each number of things that they do together, until these are all."""
    job, task, model = job_of(program)
    whole = _finding(explored_by(3, job), model, task)
    assert whole is not None and whole.whole
    known = 0
    for meetings in range(10_000):
        try:
            left = left_after(meetings, 3, job)
        except RankLost:
            assert not known, f"it was known after {known} meetings, and not any more after {meetings}"
            continue
        finding = _finding(left, model, task)
        assert finding is not None and finding.requirement == whole.requirement
        if left.lost is None:
            assert finding == whole
            break
        known = known or meetings
        assert not finding.whole and len(finding.path) == 1
        assert whole.progress_lost_at is not None or is_wrong(program, finding)
    assert 0 < known < meetings


def test_a_rank_that_is_killed_while_the_run_is_looked_for_does_not_take_the_finding_with_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "far.py").write_text(FAR)
    way_back = Exploring._way_back

    def killing(self: Exploring, level: int, state: list[int]) -> object:
        assert isinstance(self.ranks, local.LocalCluster)
        os.kill(self.ranks.pids[1], signal.SIGKILL)
        return way_back(self, level, state)

    monkeypatch.setattr(Exploring, "_way_back", killing)
    verdict = asset.check(asset.load(tmp_path / "far.py"), cluster="local", ranks=3)
    assert verdict.violated and verdict.counterexample is None and verdict.violation is not None
    assert verdict.violation.property == "near"
    assert verdict.caveats[0].code == "no-run"
    assert "rank 2: its process was ended (SIGKILL)" in verdict.caveats[0].message


@pytest.mark.parametrize("program", [FAILING], indirect=True)
def test_an_interrupt_in_the_middle_of_a_level_loses_nothing_that_was_found(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is room for a few states only, so a level takes many rounds."""
    monkeypatch.setattr(exploring, "ROOM", 1)
    monkeypatch.setattr(ThreadedRank, "batch", 16)
    job, task, model = job_of(program)
    stops: dict[Stop, int] = {}
    for rounds in range(10_000):
        left = [rounds]

        def heed(progress: Progress, left: list[int] = left) -> bool:
            left[0] -= 1
            return left[0] >= 0

        explored = explored_by(2, job, heed)
        finding = _finding(explored, model, task)
        stops[explored.stop] = stops.get(explored.stop, 0) + 1
        assert (explored.stop is Stop.FINDING) == (finding is not None)
        if finding is not None:
            assert is_wrong(program, finding)
            if finding.whole:
                break
    assert stops[Stop.INTERRUPTED] > 5 and stops[Stop.FINDING] > 1


@pytest.mark.parametrize("program", [FAILING], indirect=True)
def test_a_limit_on_states_loses_nothing_that_was_found(program: Program) -> None:
    whole = by_ranks(2, program, asked_of_states(program), Limits())
    limited = by_ranks(2, program, asked_of_states(program), Limits(max_states=whole.states - 1))
    assert limited.finding is not None and limited.finding.whole
    assert len(limited.finding.path) == len(whole.finding.path if whole.finding else ())


# --- ranks that are late ----------------------------------------------------------------------------------------------


def test_a_rank_that_is_late_is_named_and_not_waited_for_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "_PROGRAM", "import time; time.sleep(60)")
    monkeypatch.setattr(local, "_LOOK_EVERY", 0.02)
    cluster = local.LocalCluster(2)
    heard: list[int] = []

    def waiting(rank: int, seconds: float) -> bool:
        heard.append(rank)
        return seconds < 0.1

    cluster.waiting = waiting
    with pytest.raises(RankLost, match=r"rank 1: it has not answered for \d+ s"):
        cluster.barrier()
    assert set(heard) == {1} and len(heard) > 1
    for child in cluster._children:
        child.kill()
    cluster.close()


def test_an_interrupt_ends_a_search_whose_rank_has_stopped_answering(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if Ctrl-C was pressed when a rank was stopped, and its patience is short."""
    monkeypatch.setattr("asset.cluster.answering.PATIENCE", 0.2)
    monkeypatch.setattr(local, "_LOOK_EVERY", 0.05)
    end_level, stopped = Exploring.end_level, list[int]()

    def stopping(self: Exploring) -> bool:
        if not stopped and isinstance(self.ranks, local.LocalCluster):
            stopped.append(self.ranks.pids[0])
            os.kill(stopped[0], signal.SIGSTOP)
        return end_level(self)

    monkeypatch.setattr(Exploring, "end_level", stopping)
    monkeypatch.setattr("asset.interruption.asked", lambda: bool(stopped))
    monkeypatch.setattr("subprocess.Popen.wait", _killed(local.subprocess.Popen.wait))
    began = time.monotonic()
    verdict = asset.check(asset.load(MODELS / "token_ring.py", n=5), cluster="local", ranks=2)
    assert [each.code for each in verdict.caveats] == ["rank-lost"]
    assert "rank 1: it has not answered for" in verdict.caveats[0].message
    assert time.monotonic() - began < PATIENCE


def _killed(wait):  # type: ignore[no-untyped-def]
    """Does not wait as long as it would for a process that was stopped."""

    def waiting(self, timeout=None):  # type: ignore[no-untyped-def]
        return wait(self, timeout and 0.1)

    return waiting


def test_the_live_line_names_the_rank_that_all_wait_for() -> None:
    assert not any("waiting" in each for each in parts(Progress(1, 1, 1, 1, 1, (3, 1.0)), 5.0))
    assert parts(Progress(1, 1, 1, 1, 1, (3, 7.4)), 9.0)[1] == "waiting for rank 3 for 7 s"


# --- ranks that do not fit together -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("patch", "message"),
    [
        (
            "import asset.version; asset.version.VERSION = '0.0.1'",
            "different versions: .* rank 1 has 'ASSET 0.0.1",
        ),
        ("import asset.processor as p; p.processor = lambda: 'another'", "different kinds of processors"),
    ],
)
def test_ranks_that_are_not_alike_are_refused_at_the_start(
    patch: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, last = local._PROGRAM.split("; from asset", 1)
    monkeypatch.setattr(local, "_PROGRAM", f"{first}; {patch}; from asset{last}")
    with pytest.raises(asset.UsageError, match=message):
        asset.check(asset.load(MODELS / "token_ring.py", n=3), cluster="local", ranks=2)


def test_ranks_of_mpi_that_are_asked_for_different_things_are_refused() -> None:
    if importlib.util.find_spec("mpi4py") is None:
        pytest.skip("mpi4py is not installed (asset-mc[mpi])")
    check = [sys.executable, "-m", "asset", "check", str(MODELS / "token_ring.py"), "--cluster", "mpi", "-p"]
    done = mpirun(1, [*check, "n=3", ":", "-n", "1", *check, "n=4"])
    assert done.returncode == 2
    assert "ranks have different words of the command" in done.stderr
