"""The live line on a terminal."""

from __future__ import annotations

import io

import pytest

from asset.cli.live_progress import LiveProgress, fitting, parts
from asset.engine.outcome import Progress

NOW = Progress(states=2_000_000, edges=9_000_000, frontier=1234, depth=17, memory=50 << 20)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_short_search_shows_nothing() -> None:
    stream, clock = io.StringIO(), Clock()
    live = LiveProgress(stream, clock)
    clock.now = 0.29
    live.show(NOW)
    live.erase()
    assert stream.getvalue() == ""


def test_a_long_search_shows_one_line_and_erases_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    stream, clock = io.StringIO(), Clock()
    live = LiveProgress(stream, clock)
    clock.now = 1.0
    live.show(NOW)
    assert (
        "exploring 1.0 s, 2,000,000 states, 2.0 M/s, frontier 1,234 ↗, depth 17, 50.0 MiB, 9,000,000 edges"
        in stream.getvalue()
    )
    live.erase()
    assert stream.getvalue().endswith("\r\x1b[2K")
    assert "\n" not in stream.getvalue()


def test_the_line_is_not_rewritten_more_often_than_the_eye_can_follow() -> None:
    stream, clock = io.StringIO(), Clock()
    live = LiveProgress(stream, clock)
    for tick in range(1, 101):
        clock.now = tick / 100
        live.show(NOW)
    assert 5 <= stream.getvalue().count("\r") <= 8


def test_a_narrow_terminal_gets_the_most_important_first() -> None:
    assert fitting(parts(NOW, 1.0), 42) == "exploring 1.0 s, 2,000,000 states, 2.0 M/s"


def test_an_arrow_says_whether_the_frontier_shrinks() -> None:
    trends = [parts(NOW, 1.0, before)[3] for before in (0, NOW.frontier, 2 * NOW.frontier)]
    assert trends == ["frontier 1,234 ↗", "frontier 1,234 →", "frontier 1,234 ↘"]


def test_an_analysis_that_takes_long_says_how_far_it_is() -> None:
    stream, clock = io.StringIO(), Clock()
    live = LiveProgress(stream, clock)
    live.show_analysis("paths", 1, 2_000)
    assert stream.getvalue() == ""
    clock.now = 1.0
    live.show_analysis("paths", 1_500, 2_000)
    assert "deriving rules: paths 1,500 of 2,000, 1.0 s" in stream.getvalue()
