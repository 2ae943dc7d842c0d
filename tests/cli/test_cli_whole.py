"""The command from end to end, on small models; a process of its own only where the process is what is tested."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from asset.checks.engines import Engine
from asset.cli.main import main
from asset.engine.outcome import Executable, Outcome, Task

COUNTER = """\
from asset import Int, Model, invariant, terminal, transition, when

class Counter(Model):
    limit: int = 9
    bound: int = 9

    def state(self):
        self.value = Int(0, 1000000)

    @transition
    def increment(self):
        when(self.value < self.limit)
        self.value += 1

    @invariant
    def within_bound(self):
        return self.value <= self.bound

    @terminal
    def at_the_limit(self):
        return self.value == self.limit
"""

BROKEN = """\
from asset import Array, Model, transition

class Broken(Model):
    def state(self):
        self.cell = Array(3, False)

    @transition(i=3)
    def mark(self, i):
        self.cell[i + 1] = True
"""

LAMPS = """\
from asset import Array, Model, may_progress, must_progress, obligations, recurrent, stb, transition, when

class Lamps(Model):
    def state(self):
        self.on = Array(2, False)
        self.blown = Array(2, False)

    @transition(i=2)
    def switch(self, i):
        when(not self.blown[i])
        self.on[i] = not self.on[i]

    @transition(i=2)
    def blow(self, i):
        when(self.on[i])
        self.on[i] = False
        self.blown[i] = True

    @may_progress
    def first_is_off(self):
        return not self.on[0]

    @must_progress
    def whatever_happens(self):
        return True

    blows_sometime = recurrent(switch, then=blow)

    @obligations(switch)
    def with_switch(self, i):
        stb(self.blow, i)

    @obligations(blow)
    def with_blow(self, i):
        stb(self.switch, i)
"""

ENGINES = pytest.mark.parametrize("engine", ["native", "reference"])


@pytest.fixture
def counter(tmp_path: Path) -> str:
    path = tmp_path / "counter.py"
    path.write_text(COUNTER)
    return str(path)


@pytest.fixture
def lamps(tmp_path: Path) -> str:
    path = tmp_path / "lamps.py"
    path.write_text(LAMPS)
    return str(path)


def process(*words: str, stdout: int = subprocess.PIPE) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "asset", *words], stdout=stdout, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    )


@ENGINES
def test_a_model_that_holds_exits_with_0(counter: str, engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", counter, "--engine", engine]) == 0
    assert capsys.readouterr().out.startswith("Counter(limit=9, bound=9): holds — 10 states, 9 edges, depth 9,")


@ENGINES
def test_a_violation_exits_with_1_and_its_run(counter: str, engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", f"{counter}:Counter", "-p", "bound=2", "--engine", engine]) == 1
    text = capsys.readouterr().out
    assert text.startswith("Counter(limit=9, bound=2): violated — within_bound is false after 3 steps\n")
    assert "value: 2 → 3" in text
    assert "counter.py:11" in text


@ENGINES
def test_a_model_error_shows_its_line(tmp_path: Path, engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "broken.py").write_text(BROKEN)
    assert main(["check", str(tmp_path / "broken.py"), "--engine", engine]) == 1
    text = capsys.readouterr().out
    assert "model error in mark(2)" in text.splitlines()[0]
    assert "self.cell[i + 1] = True\n" in text
    assert "^" in text


@ENGINES
def test_a_limit_on_states_exits_with_3(counter: str, engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", counter, "-p", "limit=100000", "--max-states", "5", "--engine", engine, "--json", "-"]) == 3
    assert json.loads(capsys.readouterr().out)["verdict"] == "undecided"


@ENGINES
def test_a_cycle_without_progress_exits_with_1_and_is_in_the_json(
    lamps: str, engine: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", lamps, "--only", "recurrence", "--engine", engine, "--json", "-"]) == 1
    verdict = json.loads(capsys.readouterr().out)
    assert (verdict["violation"]["kind"], verdict["violation"]["property"]) == ("recurrence", "blows_sometime")
    run = verdict["counterexample"]
    assert (len(run["steps"]), run["progress_lost_at"], run["cycle_starts_at"]) == (3, 0, 0)
    assert run["steps"][0]["state"] == run["steps"][-1]["state"]


@ENGINES
def test_rules_in_the_model_reduce_it(lamps: str, engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    states = []
    for stubborn in ("off", "hand"):
        assert main(["check", lamps, "--only", "may", "--stubborn", stubborn, "--engine", engine, "--json", "-"]) == 0
        states.append(json.loads(capsys.readouterr().out)["states"])
    assert states == [9, 5]


@ENGINES
def test_what_a_reduction_leaves_open_exits_with_3(lamps: str, engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", lamps, "--only", "must", "--stubborn", "hand", "--engine", engine]) == 3
    text = capsys.readouterr().out
    assert text.startswith(
        "Lamps: undecided — whatever_happens: no violation was found, but stubborn sets may leave out"
    )
    assert "? whatever_happens  must-progress" in text


def test_a_rule_that_lists_too_little_is_found_by_the_audit(lamps: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(lamps).write_text(LAMPS.replace("stb(self.blow, i)", "pass"))
    assert main(["check", lamps, "--only", "may", "--stubborn", "hand", "--audit", "1"]) == 1
    first, _, place, line = capsys.readouterr().out.splitlines()[:4]
    assert first.startswith("Lamps: violated — mistake in a reduction")
    assert place.endswith("lamps.py:30:5")
    assert line.split() == ["def", "with_switch(self,", "i):"]


def test_a_reduction_that_the_model_has_no_rules_for_exits_with_2(
    counter: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", counter, "--symmetry", "hand"]) == 2
    assert "Counter has none" in capsys.readouterr().err


def test_a_parameter_that_is_not_there_exits_with_2(counter: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", counter, "-p", "lmit=3"]) == 2
    assert "lmit" in capsys.readouterr().err


def test_a_file_that_is_not_there_exits_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(tmp_path / "gone.py")]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_a_reader_who_leaves_early_is_no_error_and_costs_no_json(counter: str, tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    checking = process("check", counter, "--engine", "reference", "--json", str(tmp_path / "v.json"), stdout=writer)
    os.close(writer)
    assert checking.communicate(timeout=60)[1] == ""
    assert checking.returncode == 0
    assert json.loads((tmp_path / "v.json").read_text())["verdict"] == "holds"


def test_a_reader_who_leaves_a_stepping_session_is_no_error(counter: str) -> None:
    pipe = subprocess.PIPE
    command = [sys.executable, "-m", "asset", "step", counter]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, encoding="utf-8") as stepping:
        assert stepping.stdin and stepping.stdout and stepping.stderr
        while not stepping.stdout.readline().startswith("step 0"):
            pass
        stepping.stdout.close()
        stepping.stdin.write("q\n")
        stepping.stdin.close()
        assert stepping.stderr.read() == ""
    assert stepping.returncode == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_a_full_disk_is_said_in_a_line(counter: str) -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    checking = process("check", counter, "--engine", "reference", stdout=full)
    os.close(full)
    assert checking.communicate(timeout=60)[1] == "error: cannot write to standard output: No space left on device\n"
    assert checking.returncode == 2


@ENGINES
def test_an_interrupted_search_reports_what_it_found(
    counter: str, engine: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    explore = Engine.explore

    def interrupted(self: Engine, executable: Executable, task: Task) -> Outcome:
        signal.raise_signal(signal.SIGINT)
        return explore(self, executable, task)

    monkeypatch.setattr(Engine, "explore", interrupted)
    assert main(["check", counter, "-p", "limit=1000000", "-p", "bound=1000000", "--engine", engine]) == 3
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith("Counter(limit=1000000, bound=1000000): undecided — the search was interrupted")
