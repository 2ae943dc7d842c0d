"""Ctrl-C and SIGTERM at any moment: what was found is reported, whole, and the exit status says it.

    ASSET_EXAMPLES=200 python -m pytest tests/cli/test_signals.py

sends signals at so many moments of each command; without it, at a few.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from places import MODELS

import asset
from asset import interruption
from asset.checks import run as checking
from asset.checks.subject import Subject
from asset.cli.main import main
from asset.frontends.python import load
from asset.report import html
from asset.verdict import Answer

MOMENTS = int(os.environ.get("ASSET_EXAMPLES", "2"))
SIGNALS = (signal.SIGINT, signal.SIGTERM)

RUN = """
from asset import Array, Int, Model, invariant, must_progress, transition, when

class Filling(Model):
    n: int = 2000
    goal: int = 1500

    def state(self):
        self.at = Int(0, self.n)
        self.bit = Array(self.n, False)

    @transition
    def fill(self):
        when(self.at < self.n)
        self.bit[self.at] = True
        self.at += 1

    @invariant
    def below(self):
        return self.at < self.goal
"""

LIVES = """
from asset import Array, Model, may_progress, transition, when

class Lights(Model):
    n: int = 22

    def state(self):
        self.on = Array(self.n, False)

    @transition(i="n")
    def switch(self, i):
        self.on[i] = not self.on[i]

    @may_progress
    def dark(self):
        return not any(self.on)
"""

SLOW_IMPORT = "import time\ntime.sleep(60)\n"


@pytest.fixture
def model(tmp_path: Path) -> Callable[[str], str]:
    def written(text: str) -> str:
        file = tmp_path / "model.py"
        file.write_text(text)
        return str(file)

    return written


@dataclass(frozen=True)
class Ended:
    status: int
    out: str
    err: str
    json: dict[str, Any] | None


def begun(*words: str) -> subprocess.Popen[str]:
    """The command, once it heeds signals: what Python does before that is not ours."""
    ready = "import os; os.write(1, b'.'); "
    program = f"from asset import interruption, __main__; interruption.heeded().__enter__(); {ready}"
    return subprocess.Popen(
        [sys.executable, "-c", f"{program}import sys; sys.exit(__main__.command())", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def signalled(words: list[str], file: Path, moments: list[tuple[float, signal.Signals]]) -> Ended:
    """What the command says that is sent these signals, so many seconds after one another."""
    process = begun(*words, "--json", str(file))
    assert process.stdout is not None and process.stdout.read(1) == "."
    for seconds, sent in moments:
        time.sleep(seconds)
        process.send_signal(sent)
    out, err = process.communicate(timeout=60)
    found = json.loads(file.read_text()) if file.exists() else None  # whole, or not there
    return Ended(process.returncode, out, err, found)


def require_in_order(ended: Ended) -> None:
    """The exit status is one of the contract, and says what the JSON and the first line say."""
    assert "Traceback" not in ended.err and "internal error" not in ended.err
    assert ended.status in (0, 1, 3)
    if ended.json is not None:
        assert ended.status == {"holds": 0, "violated": 1, "undecided": 3}[ended.json["verdict"]]
        assert ended.json["verdict"] in ended.out.splitlines()[0]
    elif ended.status == 3:
        assert "interrupted" in ended.err


@pytest.mark.parametrize("sent", SIGNALS)
@pytest.mark.parametrize("text", [RUN, LIVES], ids=["a run", "a search"])
def test_a_check_reports_whenever_it_is_asked_to_end(
    model: Callable[[str], str], tmp_path: Path, text: str, sent: signal.Signals
) -> None:
    words = ["check", model(text), "--html", str(tmp_path / "page.html")]
    for moment in range(MOMENTS):
        file = tmp_path / f"{moment}.json"
        ended = signalled(words, file, [(0.1 + 3.0 * moment / MOMENTS, sent)])
        require_in_order(ended)
        if ended.status == 1:
            assert ended.json is not None and len(ended.json["counterexample"]["steps"]) == 1501
        assert not list(tmp_path.glob(".*.part"))


def test_a_second_signal_ends_at_once_with_what_there_is(model: Callable[[str], str], tmp_path: Path) -> None:
    words = ["check", model(RUN)]
    for moment in range(MOMENTS):
        twice = [(0.3 + 2.0 * moment / MOMENTS, signal.SIGTERM), (0.05, signal.SIGINT)]
        require_in_order(signalled(words, tmp_path / f"{moment}.json", twice))


def test_a_model_that_is_still_imported_is_undecided(model: Callable[[str], str], tmp_path: Path) -> None:
    ended = signalled(["check", model(SLOW_IMPORT)], tmp_path / "v.json", [(1.0, signal.SIGTERM)])
    assert (ended.status, ended.err) == (3, "asset: interrupted before there was anything to report\n")


def test_a_command_that_just_begins_ends_with_a_message(tmp_path: Path) -> None:
    ended = signalled(["check", "none.py"], tmp_path / "v.json", [(0.05, signal.SIGINT)])
    assert ended.status in (2, 3) and ended.err and "Traceback" not in ended.err


@pytest.mark.parametrize(
    ("sent", "words", "statuses"),
    [
        (signal.SIGINT, ["sweep", "LIVES", "-p", "n=20..24"], (3,)),
        (signal.SIGTERM, ["graph", "LIVES", "-p", "n=17", "-o", "FILE.aut"], (3,)),
        (signal.SIGINT, ["run", "LIVES", "--steps", "1000000", "--random", "1"], (3,)),
        (signal.SIGTERM, ["explain", "LIVES", "-p", "n=900", "--stubborn"], (0, 3)),
        (signal.SIGTERM, ["watch", "LIVES"], (0,)),
    ],
    ids=["sweep", "graph", "run", "explain", "watch"],
)
def test_other_commands_end_in_order(
    model: Callable[[str], str], tmp_path: Path, sent: signal.Signals, words: list[str], statuses: tuple[int, ...]
) -> None:
    names = {"LIVES": model(LIVES), "FILE.aut": str(tmp_path / "space.aut")}
    process = begun(*(names.get(word, word) for word in words))
    assert process.stdout is not None and process.stdout.read(1) == "."
    time.sleep(1.2)
    assert process.poll() is None
    process.send_signal(sent)
    _, err = process.communicate(timeout=60)
    assert process.returncode in statuses and "Traceback" not in err
    assert not (tmp_path / "space.aut").exists()


def test_a_sweep_that_is_ended_says_what_it_knows(model: Callable[[str], str], tmp_path: Path) -> None:
    file = tmp_path / "sweep.json"
    process = begun("sweep", model(LIVES), "-p", "n=2,3,30", "--json", str(file))
    assert process.stdout is not None
    told = [process.stdout.readline() for _ in range(5)]  # a title, an empty line, a head, and two rows
    assert told[4].split()[0] == "3"
    time.sleep(1.5)
    process.send_signal(signal.SIGTERM)  # the check of n=30, a process of its own, is told by us
    out, err = process.communicate(timeout=60)
    assert process.returncode == 3 and "Traceback" not in err
    rows = json.loads(file.read_text())["series"][0]["rows"]
    assert [row["value"] for row in rows][:2] == ["2", "3"]
    assert "interrupted" in out


def test_stepping_ends_with_either_signal() -> None:
    for sent in SIGNALS:
        words = [sys.executable, "-m", "asset", "step", str(MODELS / "token_ring.py")]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stdout is not None and process.stdout.readline()
            process.send_signal(sent)
            _, err = process.communicate(timeout=60)
        assert process.returncode in (0, 3) and b"Traceback" not in err


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        with interruption.heeded():
            signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)


# --- each stage, in this process --------------------------------------------------------------------------------


def test_the_first_request_asks_and_the_second_insists() -> None:
    before = signal.getsignal(signal.SIGINT)
    with interruption.heeded(), interruption.deferred():
        assert not interruption.asked()
        signal.raise_signal(signal.SIGTERM)
        assert interruption.asked()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_work_that_can_be_given_up_is_given_up_at_once() -> None:
    with interruption.heeded(), interruption.deferred():
        with pytest.raises(KeyboardInterrupt), interruption.at_once():
            signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt), interruption.at_once():
            raise AssertionError("it was asked already")


class Finalised:
    """Is asked to end where Python cannot raise."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


def test_a_request_where_nothing_can_be_raised_is_heard_a_moment_later(capsys: pytest.CaptureFixture[str]) -> None:
    with interruption.heeded(), pytest.raises(KeyboardInterrupt):
        Finalised()
        time.sleep(5)
    assert not capsys.readouterr().err


def test_a_first_request_that_is_heard_later_is_still_the_first() -> None:
    with interruption.heeded(), interruption.deferred():
        with interruption.at_once():
            Finalised()
        time.sleep(0.1)
        assert interruption.asked()


def interrupting(monkeypatch: pytest.MonkeyPatch, owner: object, name: str, times: int = 1) -> None:
    """So many of the first calls are cut short by Ctrl-C."""
    original, calls = getattr(owner, name), [0]

    def call(*arguments: object, **named: object) -> object:
        calls[0] += 1
        if calls[0] <= times:
            signal.raise_signal(signal.SIGINT)
        return original(*arguments, **named)

    monkeypatch.setattr(owner, name, call)


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("asset.checks.trace", "chosen"),
        ("asset.analysis.processes.ownership", "find_processes"),
        ("asset.checks.replay", "violation"),
        ("asset.checks.illustrate", "sources"),
    ],
)
def test_a_finding_whose_run_is_being_shown_is_still_shown_plainly(
    monkeypatch: pytest.MonkeyPatch, module: str, name: str
) -> None:
    interrupting(monkeypatch, __import__(module, fromlist=[name]), name)
    verdict = asset.check(load(str(MODELS / "philosophers.py:Philosophers"), {"n": "3"}))
    assert verdict.violated and verdict.counterexample is not None
    assert verdict.caveats[0].code == "plain-run"


def test_a_finding_that_is_interrupted_twice_is_still_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupting(monkeypatch, __import__("asset.checks.replay", fromlist=["violation"]), "violation", times=2)
    verdict = asset.check(load(str(MODELS / "philosophers.py:Philosophers"), {"n": "3"}))
    assert (verdict.answer, verdict.exit_status) == (Answer.VIOLATED, 1)
    assert verdict.violation is not None and verdict.violation.kind == "deadlock"
    assert verdict.counterexample is None and verdict.caveats[0].code == "no-run"
    assert json.loads(verdict.to_json())["verdict"] == "violated"


def test_a_check_that_is_interrupted_before_it_searches_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupting(monkeypatch, checking, "reduce")
    verdict = asset.check(load(str(MODELS / "token_ring.py"), {"n": "2"}))
    assert verdict.answer is Answer.UNDECIDED and verdict.states == 0
    assert verdict.caveats[0].code == "interrupted"
    assert {each.answer for each in verdict.checked} == {Answer.UNDECIDED}


def test_a_page_that_is_being_rendered_is_left_out_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    interrupting(monkeypatch, html, "render")
    page, file = tmp_path / "page.html", tmp_path / "verdict.json"
    words = ["check", str(MODELS / "philosophers.py:Philosophers"), "--html", str(page), "--json", str(file)]
    assert main(words) == 1
    assert json.loads(file.read_text())["counterexample"]["steps"]
    assert not page.exists()
    assert f"interrupted: --html {page} is not written" in capsys.readouterr().err


@pytest.mark.parametrize("format", ["json", "text"])
def test_the_verdict_is_written_even_if_it_is_being_rendered(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str], format: str
) -> None:
    owner = __import__(f"asset.report.{format}", fromlist=["render"])
    interrupting(monkeypatch, owner, "render" if format == "json" else "report")
    file = tmp_path / "verdict.json"
    assert main(["check", str(MODELS / "philosophers.py:Philosophers"), "--json", str(file)]) == 1
    assert json.loads(file.read_text())["counterexample"]["steps"]
    assert "Counterexample: " in capsys.readouterr().out


def test_python_code_gets_its_own_ctrl_c_back(monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.getsignal(signal.SIGINT)
    interrupting(monkeypatch, Subject, "caveats")  # nothing is known of the model yet
    with pytest.raises(KeyboardInterrupt):
        asset.check(load(str(MODELS / "token_ring.py"), {"n": "2"}))
    assert signal.getsignal(signal.SIGINT) is before


def test_what_was_told_stands_whatever_comes_before_the_end() -> None:
    with interruption.heeded():
        interruption.settle()
        signal.raise_signal(signal.SIGINT)
        with interruption.heeded(), pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
