"""The page of a run, in a real browser: stepping, the states, the lasso, keys, light and dark; and its size."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser import cells, chromium, state_on
from places import MODELS
from test_report_files import in_the_project, verdict_of

from asset import Array, Int, Model, Verdict, check, invariant, transition, when
from asset.cli.main import main
from asset.frontends.python import load
from asset.report import html

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["in_the_project"]  # the fixture is used here too

Open = Callable[..., "Page"]


class Long(Model):
    """200 steps over 40 variables."""

    def state(self) -> None:
        self.grid = Array(39, Int(0, 300))
        self.clock = Int(0, 300)

    @transition
    def tick(self) -> None:
        when(self.clock < 200)
        self.clock += 1
        self.grid[self.clock % 39] = self.clock

    @invariant
    def early(self) -> bool:
        return self.clock < 200


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Opens the page of a verdict; afterwards nothing has gone wrong in it, and nothing was fetched."""
    wrong: list[str] = []

    def open_page(verdict: Verdict, **settings: object) -> Page:
        file = tmp_path / "report.html"
        file.write_text(html.render(verdict), encoding="utf-8")
        page = browser.new_page(**settings)  # type: ignore[arg-type]
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda message: wrong.append(message.text))
        page.on("request", lambda request: None if request.url.startswith("file:") else wrong.append(request.url))
        page.goto(file.as_uri())
        return page

    yield open_page
    assert not wrong


def test_stepping_through_a_lasso_shows_the_states_of_the_json(opened: Open) -> None:
    verdict = verdict_of("lasso")
    page = opened(verdict)
    page.keyboard.press("Home")
    for number, step in enumerate(verdict.to_dict()["counterexample"]["steps"]):
        assert page.input_value("#step") == str(number)
        expected = dict(cell for name, value in step["state"].items() for cell in cells(name, value))
        assert state_on(page) == expected
        marked = page.eval_on_selector_all(".changed", "found => found.map(e => e.dataset.cell)")
        assert sorted(marked) == sorted(change["cell"] for change in step["changes"])
        page.keyboard.press("ArrowRight")


def test_after_the_last_step_of_a_lasso_comes_the_second_state_of_its_cycle(opened: Open) -> None:
    run = verdict_of("lasso").counterexample
    assert run and run.cycle_starts_at is not None
    page = opened(verdict_of("lasso"))
    page.keyboard.press("End")
    assert f"state of step {run.cycle_starts_at} again" in page.inner_text("#said")
    page.keyboard.press("ArrowRight")
    assert page.input_value("#step") == str(run.cycle_starts_at + 1)
    assert page.locator("svg .loop").count() == 1


def test_the_lines_that_were_run_are_marked_in_the_source(opened: Open) -> None:
    run = verdict_of("safety").counterexample
    assert run
    page = opened(verdict_of("safety"))
    for number, step in enumerate(run.steps[1:], start=1):
        page.fill("#step", str(number))
        ran = page.eval_on_selector_all(".source .ran", "found => found.map(e => Number(e.id.split('-')[1]))")
        assert tuple(ran) == step.lines


def test_run_state_and_source_are_in_sight_together(opened: Open) -> None:
    page = opened(verdict_of("lasso"), viewport={"width": 1400, "height": 900})
    boxes = [page.locator(part).bounding_box() for part in (".lanes", "#state", ".source")]
    assert all(box is not None and box["y"] + 100 < 900 for box in boxes)
    lefts = [box["x"] for box in boxes if box is not None]
    assert lefts == sorted(set(lefts))


def test_the_names_of_the_lanes_stay_in_sight(opened: Open) -> None:
    page = opened(check(Long()), viewport={"width": 1400, "height": 900})
    page.keyboard.press("End")
    head, panel = (page.locator(part).bounding_box() for part in (".heads", ".run"))
    assert head is not None and panel is not None and head["y"] == pytest.approx(panel["y"], abs=2)


def test_progress_that_does_not_hold_now_does_not_look_wrong(opened: Open) -> None:
    page = opened(verdict_of("lasso"))
    marks = page.locator("#properties td").all_inner_texts()
    assert "○ not now" in marks and "✗ false" not in marks


def test_properties_are_shown_for_each_state(opened: Open) -> None:
    page = opened(verdict_of("safety"))
    assert "✓ true" in page.inner_text("#properties")
    page.click("#last")
    assert "✗ false" in page.inner_text("#properties")


@pytest.mark.parametrize("width, height, scheme", [(1400, 900, "light"), (400, 800, "dark")])
def test_the_page_of_a_check_that_holds_fits_its_window(opened: Open, width: int, height: int, scheme: str) -> None:
    ring = load(MODELS / "token_ring.py", {"n": "2"})
    verdict = replace(check(ring, profile=True), command=f"asset check {'long/' * 20}ring.py")
    page = opened(verdict, viewport={"width": width, "height": height}, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    inside = "[...document.querySelectorAll('.overview > section')].every(each => each.scrollWidth <= each.clientWidth)"
    assert page.evaluate(inside)


def test_the_lanes_shrink_to_their_panel_before_they_scroll(opened: Open) -> None:
    page = opened(verdict_of("safety"), viewport={"width": 1000, "height": 800})
    inside = "document.querySelector('.lanes').scrollWidth <= document.querySelector('.lanes').clientWidth"
    assert page.evaluate("document.querySelector('.lanes svg').viewBox.baseVal.width") > 400
    assert page.evaluate(inside)


def test_the_step_shown_is_within_the_visible_lanes(opened: Open) -> None:
    page = opened(check(Long()), viewport={"width": 800, "height": 800})
    for number in (200, 1, 77):
        page.fill("#step", str(number))
        row, box = (page.locator(each).bounding_box() for each in (".row.now .band", ".lanes"))
        assert row and box
        assert box["y"] <= row["y"] + 1 and row["y"] + row["height"] <= box["y"] + box["height"] + 1


def test_the_line_that_was_run_is_within_the_visible_source(opened: Open) -> None:
    page = opened(verdict_of("safety"), viewport={"width": 1400, "height": 700})
    for number in (5, 1, 3):
        page.fill("#step", str(number))
        line, box = (page.locator(each).first.bounding_box() for each in (".source .ran", ".texts"))
        assert line and box and box["y"] <= line["y"] <= box["y"] + box["height"]


def test_clicking_on_a_step_goes_there(opened: Open) -> None:
    page = opened(verdict_of("safety"))
    page.locator('.row[data-step="4"]').click()
    assert page.inner_text("#said").startswith("Step 4 of 5")
    assert page.url.endswith("#step-4")


def test_the_page_can_be_used_with_the_keyboard_alone(opened: Open) -> None:
    page = opened(verdict_of("safety"))
    reached = set()
    for _ in range(12):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id || document.activeElement.className"))
    assert {"theme", "first", "next", "last", "step", "lanes", "source"} <= reached
    page.focus("#step")
    page.keyboard.press("ArrowRight")
    assert page.input_value("#step") == "2"


def test_everything_that_is_used_has_a_name_for_those_who_do_not_see(opened: Open) -> None:
    page = opened(verdict_of("lasso"))
    nameless = page.eval_on_selector_all(
        "button, input, svg, [role=group]", "found => found.filter(e => !e.ariaLabel && !e.textContent.trim()).length"
    )
    assert nameless == 0
    assert page.get_attribute("#said", "aria-live") == "polite"


def brightness(page: Page) -> float:
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return sum(map(int, re.findall(r"\d+", colour)[:3])) / 3


def test_the_page_is_light_or_dark_as_its_reader_wants(opened: Open) -> None:
    assert brightness(opened(verdict_of("lasso"), color_scheme="light")) > 200
    dark = opened(verdict_of("lasso"), color_scheme="dark")
    assert brightness(dark) < 60
    dark.click("#theme")
    assert brightness(dark) > 200


def test_a_page_without_a_run_is_quiet(opened: Open) -> None:
    page = opened(verdict_of("holds"))
    assert page.locator("h1").inner_text().startswith("TokenRing(n=2): holds")
    assert page.locator("#step").count() == 0


def seconds_to_open(page: Page) -> float:
    page.reload()
    return float(page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")) / 1000


def test_a_run_of_200_steps_over_40_variables_opens_in_a_second(opened: Open) -> None:
    page = opened(check(Long()))
    assert min(seconds_to_open(page) for _ in range(3)) < 1
    page.keyboard.press("End")
    assert state_on(page)["clock"] == "200"


def test_a_run_of_200_steps_over_40_variables_is_below_500_kilobytes() -> None:
    verdict = check(Long())
    assert verdict.counterexample and len(verdict.counterexample) == 201
    assert len(html.render(verdict).encode()) < 500_000


def test_a_page_contains_no_address_of_the_network() -> None:
    assert not re.search(r"(src|href)=|https?://", html.render(replace(verdict_of("lasso"), sources={})))


def test_the_page_says_what_a_lasso_shows() -> None:
    verdict = verdict_of("lasso")
    assert verdict.violation is not None
    assert f"<p>{escape(verdict.violation.message)}</p>" in html.render(verdict)


def test_a_check_that_holds_shows_how_often_transitions_fired_and_the_command(tmp_path: Path) -> None:
    file = tmp_path / "long.html"
    assert main(["check", str(MODELS / "token_ring.py"), "-p", "n=2", "--html", str(file), "--quiet"]) == 0
    page = file.read_text(encoding="utf-8")
    assert "How often each transition fired" in page and "<th>client_step<br>" in page
    assert "transitions fired" in page
    assert f"asset check {MODELS / 'token_ring.py'} -p n=2" in page


@pytest.mark.parametrize("words", [["--engine", "reference"], ["--symmetry", "auto"], ["--store", "bitstate"]])
def test_what_was_not_explored_in_full_and_natively_is_not_counted(tmp_path: Path, words: list[str]) -> None:
    file = tmp_path / "ring.html"
    main(["check", str(MODELS / "token_ring.py"), "-p", "n=3", *words, "--html", str(file), "--quiet"])
    assert "How often each transition fired" not in file.read_text(encoding="utf-8")
