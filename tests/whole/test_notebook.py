"""What a notebook shows: verdicts, runs, state graphs, and how far a check has come."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from browser import chromium
from places import MODELS

import asset
from asset import live_notebook
from asset.engine.outcome import Progress
from asset.frontends.python import load
from asset.report.document import Piece, Role
from asset.report.notebook import html


def text_of(markup: str) -> str:
    return "".join(ElementTree.fromstring(markup).itertext())


def test_a_verdict_shows_the_same_text_as_on_a_terminal() -> None:
    verdict = asset.check(load(MODELS / "hanoi.py", {"discs": "2"}))
    markup = verdict._repr_html_()
    assert text_of(markup).splitlines()[0] == str(verdict).splitlines()[0]
    assert "monospace" in markup
    assert '<span style="color:#d9433a;font-weight:bold">violated</span>' in markup


def test_a_counterexample_shows_its_steps() -> None:
    run = asset.check(load(MODELS / "hanoi.py", {"discs": "2"})).counterexample
    assert run is not None
    shown = text_of(run._repr_html_())
    assert "Counterexample: 3 steps" in shown and "peg[1]: 0 → 2" in shown


def test_places_in_a_notebook_are_cells_and_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    file = load(MODELS / "hanoi.py", {"discs": "2"})
    run = asset.check(file).counterexample
    assert run is not None and run.steps[1].span is not None
    compiler = SimpleNamespace(_filename_map={run.steps[1].span.file: 6})
    ipython(monkeypatch, SimpleNamespace(compile=compiler))
    place, shown = f"cell 6, line {run.steps[1].span.line}", str(asset.check(file))
    assert place in shown and "hanoi.py:" not in shown
    assert str(run.steps[1].span) == place


def test_a_run_can_be_stepped_through_in_a_notebook(tmp_path: Path) -> None:
    verdict = asset.check(load(MODELS / "hanoi.py", {"discs": "2"}))
    (tmp_path / "notebook.html").write_text(f"<!DOCTYPE html><body>{verdict._repr_html_()}", encoding="utf-8")
    wrong: list[str] = []
    with chromium() as browser:
        page = browser.new_page()
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto((tmp_path / "notebook.html").as_uri())
        page.click("summary:has-text('Step through')")
        frame = page.frame_locator("iframe")
        frame.locator("#last").click()
        assert frame.locator("#said").inner_text().startswith("Step 3 of 3")
    assert not wrong


def test_text_of_a_model_is_never_markup() -> None:
    assert html([(Piece("<script>", Role.BAD),)]).count("<script>") == 0


def test_a_state_graph_is_drawn() -> None:
    ring = load(MODELS / "token_ring.py", {"n": "2"})
    assert "<svg" in asset.state_graph(ring)._repr_html_()
    assert len(asset.state_graph(ring, project=["client[0]"]).nodes) == 4
    assert len(asset.state_graph(ring, condense=True).nodes) < 68


class Display:
    """Stands for IPython's: keeps what it is asked to show."""

    def __init__(self) -> None:
        self.shown: list[str] = []

    def __call__(self, bundle: dict[str, str], raw: bool, display_id: bool) -> Display:
        self.update(bundle, raw)
        return self

    def update(self, bundle: dict[str, str], raw: bool) -> None:
        self.shown.append(bundle["text/plain"])


def ipython(monkeypatch: pytest.MonkeyPatch, shell: object) -> Display:
    display = Display()
    module: Any = ModuleType("IPython")
    module.get_ipython = lambda: shell
    module.display = SimpleNamespace(display=display)
    monkeypatch.setitem(sys.modules, "IPython", module)
    return display


def test_progress_is_shown_in_a_notebook_and_erased(monkeypatch: pytest.MonkeyPatch) -> None:
    display = ipython(monkeypatch, type("ZMQInteractiveShell", (), {})())
    monkeypatch.setattr(live_notebook, "PATIENCE", 0.0)
    with live_notebook.progress() as observer:
        assert observer is not None
        assert observer(Progress(1234, 5, 6, 7, 8))
        assert observer(Progress(2345, 5, 6, 7, 8))
    assert [line.partition(",  ")[0][:12] for line in display.shown] == ["1,234 states", "2,345 states", ""]


def test_a_quick_check_shows_no_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    display = ipython(monkeypatch, type("ZMQInteractiveShell", (), {})())
    with live_notebook.progress() as observer:
        assert observer is not None and observer(Progress(1, 1, 1, 1, 1))
    assert display.shown == []


@pytest.mark.parametrize("shell", [None, type("TerminalInteractiveShell", (), {})()])
def test_outside_of_a_notebook_nothing_is_shown(monkeypatch: pytest.MonkeyPatch, shell: object) -> None:
    ipython(monkeypatch, shell)
    with live_notebook.progress() as observer:
        assert observer is None
