"""Searches that go on with files if memory ends: slower, and as exact."""

from __future__ import annotations

import json
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from places import MODELS

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


def test_progress_needs_the_graph_in_memory(tmp_path: Path) -> None:
    subject = load(ModelSpec(str(MODELS / "peterson.py:Peterson"), {"n": "3"}))
    verdict = check(subject, CheckOptions(max_memory=LITTLE, spill=str(tmp_path), only=frozenset({"may"})))
    assert verdict.answer is Answer.UNDECIDED
    assert "max-memory" in {each.code for each in verdict.caveats}


@pytest.mark.parametrize(("memory", "spilling"), [(LITTLE, True), (4_500_000, False), (5_200_000, False)])
def test_what_is_asked_of_states_is_answered_without_room_for_the_graph(
    memory: int, spilling: bool, tmp_path: Path
) -> None:
    """In files; when all states are known, and their edges do not fit; when they fit only without edges."""
    subject = load(ModelSpec(str(MODELS / "peterson.py:Peterson"), {"n": "3"}))
    spill = str(tmp_path) if spilling else None
    verdict = check(subject, CheckOptions(stubborn="off", symmetry="off", max_memory=memory, spill=spill))
    assert (verdict.answer, verdict.states) == (Answer.UNDECIDED, 96_854)
    answers = {each.name: each.answer for each in verdict.checked}
    assert answers.pop("customer_0_served") is Answer.UNDECIDED
    assert set(answers.values()) == {Answer.HOLDS}


def test_a_full_disk_ends_in_a_report(tmp_path: Path) -> None:
    words = ["check", str(MODELS / "token_ring.py"), "-p", "n=6", "--stubborn", "off", "--symmetry", "off"]
    words += ["--max-memory", str(LITTLE), "--spill", str(tmp_path), "--json", "-"]
    done = subprocess.run(
        [sys.executable, "-m", "asset", *words], capture_output=True, text=True, check=False, preexec_fn=_no_large_files
    )
    assert done.returncode == 3, done.stderr
    told = [each["message"] for each in json.loads(done.stdout)["caveats"]]
    assert any("nothing more can be written to" in each and str(tmp_path) in each for each in told), told
    assert list(tmp_path.iterdir()) == []


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
