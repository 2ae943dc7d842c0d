"""What the machine does not have is done without, and said; who is left alone ends."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from places import ROOT

import asset
from asset import Array, Int, Map, Model, transition, when
from asset.errors import ModelRejected
from asset.processor import processors

T = TypeVar("T")
RING = str(ROOT / "models" / "token_ring.py")
ENORMOUS = 1 << 46
"""Bytes of a thread's stack, for which no machine has room."""

ENDLESS = """\
state_var x(4);
unsigned nr_transitions(){ return 1; }
bool fire_transition( unsigned t ){ for( volatile bool on = true; on; ){} return false; }
"""


class Huge(Model):
    def state(self) -> None:
        self.cells = Array(10**6, Int(0, 5, 0))

    @transition
    def change(self) -> None:
        when(self.cells[0] == 0)
        self.cells[999_999] = 5
        self.cells[0] = 1


class HugeMap(Model):
    def state(self) -> None:
        self.at = Map(range(10**6), bool)

    @transition
    def change(self) -> None:
        when(7 not in self.at)
        self.at[7] = True


class Many(Model):
    n: int = 10**9

    def state(self) -> None:
        self.x = Int(0, 1, 0)

    @transition(i="n", j="2")
    def change(self, i: int, j: int) -> None:
        when(self.x == 0)
        self.x = 1


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "asset", *words]


def refuse_threads() -> None:
    resource.setrlimit(resource.RLIMIT_STACK, (ENORMOUS, resource.getrlimit(resource.RLIMIT_STACK)[1]))


@pytest.mark.skipif(sys.platform != "linux", reason="the size of stacks is a limit of Linux")
def test_a_search_goes_on_without_the_threads_that_the_system_refuses() -> None:
    if resource.getrlimit(resource.RLIMIT_STACK)[1] != resource.RLIM_INFINITY:
        pytest.skip("the stack is limited already")
    words = command("check", RING, "-p", "n=4", "--threads", "2")
    done = subprocess.run(words, preexec_fn=refuse_threads, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "2,928 states" in done.stdout
    assert processors() == 1 or "explored with 1 thread, not 2: the system gave no more" in done.stdout


def test_there_are_no_more_threads_than_processors() -> None:
    verdict = asset.check(Many(n=3), threads=5000)
    (caveat,) = [caveat for caveat in verdict.caveats if caveat.code == "fewer-threads"]
    assert caveat.message.endswith("not 5,000: the machine has no more processors")


@pytest.mark.parametrize("model", [Huge, HugeMap])
def test_a_state_of_a_million_cells_is_explored(model: type[Model]) -> None:
    assert asset.check(model()).states == 2


@pytest.mark.parametrize(("n", "said"), [(10**9, "1,000,000,000 values of index i"), (600_000, "1,200,000 combin")])
def test_too_many_indices_are_rejected_before_anything_is_made_of_them(n: int, said: str) -> None:
    with pytest.raises(ModelRejected, match=f"change has {said}"):
        asset.check(Many(n=n))


def test_a_worker_ends_with_its_parent(tmp_path: Path) -> None:
    file = tmp_path / "endless.model"
    file.write_text(ENDLESS)
    words = command("check", str(file), "--patience", "1000")
    assert_children_end_with(words, lambda words: "asset.engine.worker" in words)


def test_a_check_of_a_sweep_ends_with_it() -> None:
    words = command("sweep", RING, "-p", "n=10..11")
    assert_children_end_with(words, lambda words: "end_with_parent" in words)


def assert_children_end_with(words: list[str], is_child: Callable[[str], bool]) -> None:
    parent = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        child = wait_for(lambda: next((pid for pid in children(parent.pid) if is_child(words_of(pid))), None))
        assert child is not None, "no child was started"
        time.sleep(0.5)  # it is in the middle of something
    finally:
        parent.send_signal(signal.SIGKILL)
        parent.wait()
    try:
        assert wait_for(lambda: not words_of(child)), "the child goes on"
    finally:
        if words_of(child):
            os.kill(child, signal.SIGKILL)


def wait_for(what: Callable[[], T]) -> T | None:
    """What it gives as soon as it gives something, for at most a minute."""
    ended = time.monotonic() + 60
    while time.monotonic() < ended:
        if found := what():
            return found
        time.sleep(0.05)
    return None


def children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def words_of(pid: int) -> str:
    """The command line of a process; empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""
