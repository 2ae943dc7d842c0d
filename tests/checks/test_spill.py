"""Searches that go on with files if memory ends: slower, and as exact."""

from __future__ import annotations

import json
import resource
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from places import MODELS

import asset
from asset import Int, transition, when
from asset.checks import CheckOptions, check
from asset.errors import UsageError
from asset.languages import ModelSpec, load
from asset.verdict import Answer, Verdict

LITTLE = 2_200_000
"""Bytes: too few to keep even one state in memory for good, and enough for a search in files."""

CASES = [
    ("token_ring.py", {"n": "4"}, {}),
    ("token_ring.py", {"n": "4"}, {"symmetry": "hand"}),
    ("bakery.py:Bakery", {"n": "2", "tickets": "3"}, {}),
    ("bakery.py:OpenDoor", {"n": "2", "tickets": "3"}, {}),
    ("peterson.py:PetersonSwapped", {"n": "2"}, {}),
    ("philosophers.py:Philosophers", {}, {}),
    ("alternating_bit.py:IgnoredBit", {"messages": "3"}, {}),
    ("stop_and_wait.py:OutOfOrder", {}, {}),
]


@pytest.fixture(autouse=True)
def _small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that few states are too many for memory, and the tests are quick."""
    monkeypatch.setattr("asset.checks.options.LEAST_WITH_FILES", 0)


def ring(n: int, **options: Any) -> Verdict:
    asked = CheckOptions(stubborn="off", symmetry="off", **options)
    return check(load(ModelSpec(str(MODELS / "token_ring.py"), {"n": str(n)})), asked)


def test_ten_times_what_memory_holds_is_explored(tmp_path: Path) -> None:
    memory, everything = 2_600_000, ring(7)
    held = ring(7, max_memory=memory)
    assert held.answer is Answer.UNDECIDED
    assert everything.states >= 10 * held.states > 0
    spilled = ring(7, max_memory=memory, spill=str(tmp_path))
    for fact in ("answer", "states", "edges", "depth", "terminal_states", "levels", "checked"):
        assert getattr(spilled, fact) == getattr(everything, fact), fact
    assert spilled.memory.peak <= memory
    assert spilled.memory.spilled is not None
    assert spilled.memory.spilled > 8 * everything.states
    assert "in files" in str(spilled)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("model", "params", "options"), CASES)
def test_files_give_the_answer_of_memory(
    model: str, params: dict[str, str], options: dict[str, Any], tmp_path: Path
) -> None:
    asked = {"stubborn": "off", "symmetry": "off", "only": frozenset({"safety", "deadlock"})} | options
    subject = ModelSpec(str(MODELS / model), params)
    memory = check(load(subject), CheckOptions(**asked))
    files = check(load(subject), CheckOptions(**asked, max_memory=LITTLE, spill=str(tmp_path)))
    assert files.memory.spilled is not None
    assert files.answer is memory.answer
    assert [each.answer for each in files.checked] == [each.answer for each in memory.checked]
    if memory.answer is Answer.VIOLATED:
        assert files.counterexample is not None
        assert memory.counterexample is not None
        assert len(files.counterexample) == len(memory.counterexample)
    else:
        facts = ("states", "edges", "depth", "terminal_states", "levels")
        assert [getattr(files, fact) for fact in facts] == [getattr(memory, fact) for fact in facts]


def test_a_limit_on_states_ends_a_search_in_files(tmp_path: Path) -> None:
    verdict = ring(5, max_states=1000, max_memory=LITTLE, spill=str(tmp_path))
    assert (verdict.answer, verdict.states) == (Answer.UNDECIDED, 1000)


GRAPHS = [
    ("peterson.py:Peterson", {"n": "2"}, {"termination": True}),
    ("peterson.py:PetersonRevealing", {"n": "2"}, {}),
    ("token_ring_variants.py:KeepingRing", {"n": "3"}, {}),
    ("lossy_channel.py:LossyChannel", {}, {}),
    ("lossy_channel.py:DeafSender", {}, {}),
    ("shared_tool.py:SharedTool", {"n": "3"}, {"keep_going": True}),
    ("shared_tool.py:FairTool", {"n": "3"}, {"symmetry": "auto"}),
]


@pytest.mark.parametrize(("model", "params", "options"), GRAPHS)
def test_what_is_asked_of_the_graph_is_answered_in_files(
    model: str, params: dict[str, str], options: dict[str, Any], tmp_path: Path
) -> None:
    """Progress, recurrence, termination, and formulas of linear and branching time, with fairness and renamings."""
    asked = {"stubborn": "off", "symmetry": "off"} | options
    subject = ModelSpec(str(MODELS / model), params)
    memory = check(load(subject), CheckOptions(**asked))
    files = check(load(subject), CheckOptions(**asked, max_memory=LITTLE, spill=str(tmp_path)))
    assert files.memory.spilled is not None
    for fact in ("answer", "states", "edges", "depth", "terminal_states", "levels"):
        assert getattr(files, fact) == getattr(memory, fact), fact
    assert [each.answer for each in files.checked] == [each.answer for each in memory.checked]
    assert (files.counterexample is None) == (memory.counterexample is None)
    assert list(tmp_path.iterdir()) == []


SERVED = "G (server[1] == Server.WAITING -> F token[1])"
CAN_ASK = "AG (client[1] == Client.STOPPED | EF client[1] == Client.REQUESTED)"


def test_the_graph_of_ten_times_what_memory_holds_is_decided(tmp_path: Path) -> None:
    """All of it holds: that client 0 is served (must progress), and two formulas of another one."""
    subject = ModelSpec(str(MODELS / "token_ring_variants.py:ServedRing"), {"n": "7"})
    asked = CheckOptions(stubborn="off", symmetry="off", ltl=SERVED, ctl=CAN_ASK, max_memory=2_500_000)
    held = check(load(subject), asked)
    assert held.answer is Answer.UNDECIDED
    spilled = check(load(subject), replace(asked, spill=str(tmp_path)))
    assert (spilled.answer, spilled.states, len(spilled.checked)) == (Answer.HOLDS, 541_296, 5)
    assert spilled.states >= 10 * held.states > 0
    assert spilled.memory.peak <= 2_500_000


@pytest.mark.parametrize("memory", [4_500_000, 5_200_000])
def test_edges_that_memory_has_no_room_for_are_in_files(memory: int, tmp_path: Path) -> None:
    """The table stays in memory: then a check takes about as long as one in memory."""
    subject = ModelSpec(str(MODELS / "peterson.py:Peterson"), {"n": "3"})
    asked = CheckOptions(stubborn="off", symmetry="off", max_memory=memory, spill=str(tmp_path))
    verdict = check(load(subject), asked)
    assert (verdict.answer, verdict.states) == (Answer.HOLDS, 96_854)
    assert verdict.memory.peak <= memory
    assert verdict.memory.spilled is not None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("memory", [4_500_000, 5_200_000])
def test_what_is_asked_of_states_is_answered_without_room_for_the_graph(memory: int) -> None:
    """When all states are known, and their edges do not fit; when they fit only without edges."""
    subject = load(ModelSpec(str(MODELS / "peterson.py:Peterson"), {"n": "3"}))
    verdict = check(subject, CheckOptions(stubborn="off", symmetry="off", max_memory=memory))
    assert (verdict.answer, verdict.states) == (Answer.UNDECIDED, 96_854)
    answers = {each.name: each.answer for each in verdict.checked}
    assert answers.pop("customer_0_served") is Answer.UNDECIDED
    assert set(answers.values()) == {Answer.HOLDS}


@pytest.mark.parametrize("asked", [["n=8"], ["n=7", "--ltl", SERVED]], ids=["states", "edges"])
def test_a_full_disk_ends_in_a_report(asked: list[str], tmp_path: Path) -> None:
    words = ["check", str(MODELS / "token_ring.py"), "-p", *asked, "--stubborn", "off", "--symmetry", "off"]
    words += ["--max-memory", "12M", "--spill", str(tmp_path), "--json", "-"]
    done = subprocess.run(
        [sys.executable, "-m", "asset", *words], capture_output=True, text=True, check=False, preexec_fn=_no_large_files
    )
    assert done.returncode == 3, done.stderr
    told = [each["message"] for each in json.loads(done.stdout)["caveats"]]
    assert any("nothing more can be written to" in each and str(tmp_path) in each for each in told), told
    assert list(tmp_path.iterdir()) == []


def test_a_limit_that_cannot_be_kept_with_files_is_refused(tmp_path: Path) -> None:
    words = ["check", str(MODELS / "token_ring.py"), "--max-memory", "11M", "--spill", str(tmp_path)]
    done = subprocess.run([sys.executable, "-m", "asset", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "a limit of 11,534,336 bytes on memory cannot be kept" in done.stderr
    assert "(12M) is the least" in done.stderr


def _no_large_files() -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))


@pytest.mark.parametrize(
    "options",
    [{"engine": "reference"}, {"store": "bitstate"}, {"cluster": "local"}, {"checkpoint": "x"}, {"on_the_fly": True}],
)
def test_what_a_search_in_files_does_without_is_refused(options: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="a search in files does without"):
        CheckOptions(spill=str(tmp_path), **options)


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no folder that can be written to"):
        CheckOptions(spill=str(tmp_path / "none"))


class Still(asset.Model):
    """Nothing ever happens."""

    def state(self) -> None:
        self.x = Int(0, 1)

    @transition
    def never(self) -> None:
        when(self.x > 0)
        self.x = 0


def test_a_graph_without_edges_is_decided_in_files(tmp_path: Path) -> None:
    verdict = asset.check(Still(), termination=True, max_memory=LITTLE, spill=str(tmp_path))
    assert (verdict.answer, verdict.states, verdict.edges) == (Answer.HOLDS, 1, 0)
    assert verdict.memory.spilled is not None
