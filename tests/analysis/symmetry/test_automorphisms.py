"""The search for automorphisms, here and in a child process."""

from __future__ import annotations

import os
import time
from typing import Any

import pytest
from children import await_those_let_go

from asset.analysis.symmetry import automorphisms
from asset.analysis.symmetry.automorphisms import ColouredGraph
from asset.analysis.watch import OutOfTime, Watch, processor_time

EDGES = [(0, 1), (1, 2), (2, 3), (3, 0)]


def asked(colours: list[int], watch: Watch | None = None) -> tuple[list[list[int]], int]:
    graph = ColouredGraph(colours, EDGES, watch or Watch())
    return graph.generators(), graph.order()


def test_a_child_finds_what_is_found_here(monkeypatch: pytest.MonkeyPatch) -> None:
    for colours, order in (([0, 0, 0, 0], 4), ([0, 1, 0, 1], 2), ([0, 0, 0, 1], 1)):
        here = asked(colours)
        with monkeypatch.context() as patched:
            patched.setattr(automorphisms, "SMALL", 0)
            assert asked(colours) == here
        assert here[1] == order


def test_a_search_without_end_ends_with_the_time_and_counts_as_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def sleep(self: ColouredGraph, question: str) -> Any:
        time.sleep(60)

    await_those_let_go()  # by other tests
    monkeypatch.setattr(automorphisms, "SMALL", 0)
    monkeypatch.setattr(ColouredGraph, "_searched", sleep)
    begun, worked = time.monotonic(), processor_time()
    with pytest.raises(OutOfTime):
        asked([0] * 4, Watch(lambda what, done, of: processor_time() < worked + 0.2))
    assert time.monotonic() < begun + 30
    with pytest.raises(ChildProcessError):  # it is gone
        os.waitpid(-1, os.WNOHANG)
