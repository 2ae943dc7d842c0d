"""The explorer's page in a real browser: runs, keys, pictures, checks, and how it fits its window."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browser import cells, chromium, state_on
from explorer_served import LAMP, Served
from places import MODELS

import asset
from asset.frontends.python import load

if TYPE_CHECKING:
    from playwright.sync_api import Page

RING = str(MODELS / "token_ring.py")
TABLE = str(MODELS / "philosophers.py:Philosophers")


@pytest.fixture(scope="module")
def browser_page() -> Iterator[Page]:
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.set_default_timeout(60_000)
        yield page


def cells_of(state: dict[str, Any]) -> dict[str, str]:
    return dict(cell for name, value in state.items() for cell in cells(name, value))


def at_step(page: Page, number: int) -> None:
    """Waits until the page shows that step."""
    page.wait_for_selector(f".row.now[data-step='{number}']")


def test_a_lasso_is_followed_in_the_browser_and_shows_the_states_of_the_json(
    browser_page: Page, tmp_path: Path
) -> None:
    (tmp_path / "lamp.py").write_text(LAMP)
    verdict = asset.check(load(tmp_path / "lamp.py"))
    steps = verdict.to_dict()["counterexample"]["steps"]
    assert verdict.counterexample is not None and verdict.counterexample.cycle_starts_at is not None
    served = Served(str(tmp_path / "lamp.py"), {})
    complaints: list[str] = []
    browser_page.on("pageerror", lambda error: complaints.append(str(error)))
    try:
        browser_page.goto(served.address)
        browser_page.click("#check")
        browser_page.click("#follow:not([disabled])")
        at_step(browser_page, 0)
        for number, step in enumerate(steps):
            at_step(browser_page, number)
            assert state_on(browser_page) == cells_of(step["state"])
            browser_page.keyboard.press("ArrowRight")
        assert "again" in browser_page.inner_text("#said")
        # Leave it in the middle: what was fired instead is the run now.
        browser_page.click(".row[data-step='1']")
        at_step(browser_page, 1)
        browser_page.click("#enabled button >> text=switch")
        at_step(browser_page, 2)
        assert state_on(browser_page) == {"on": "False", "broken": "False"}
        assert browser_page.locator(".lanes .row").count() == 3
    finally:
        served.close()
    assert complaints == []


def test_a_key_that_is_pressed_before_a_run_is_drawn_loses_nothing(browser_page: Page) -> None:
    served = Served(TABLE, {"n": "2"})
    try:
        browser_page.goto(served.address)
        at_step(browser_page, 0)
        browser_page.locator("#picture svg").wait_for()
        browser_page.evaluate(
            "() => { fire([Number(document.querySelector('#enabled button').dataset.command)]); go(0); }"
        )
        browser_page.locator(".lanes .row[data-step='1']").wait_for()
        at_step(browser_page, 0)
    finally:
        served.close()


def test_parameters_pictures_and_walks_work_in_the_browser(browser_page: Page) -> None:
    served = Served(RING, {"n": "2"})
    try:
        browser_page.goto(served.address)
        browser_page.wait_for_selector("#title:has-text('TokenRing(n=2)')")  # it is the last thing that is shown
        browser_page.fill("input[name=n]", "three")
        browser_page.click("#parameters button")
        browser_page.wait_for_selector("#error:has-text('n takes an integer')")
        browser_page.fill("input[name=n]", "3")
        browser_page.click("#parameters button")
        browser_page.wait_for_selector("#title:has-text('TokenRing(n=3)')")
        assert "client[2]" in state_on(browser_page)
        browser_page.click("#picture [data-n='1'] text >> nth=0")
        at_step(browser_page, 1)
        browser_page.click("#walk")
        browser_page.locator(".lanes .row").nth(2).wait_for()  # it may end before its 20 steps
        browser_page.keyboard.press("Home")
        at_step(browser_page, 0)
        assert browser_page.locator(".source .ran").count() == 0
    finally:
        served.close()


def test_a_check_is_stopped_in_the_browser(browser_page: Page) -> None:
    served = Served(RING, {"n": "10"})
    try:
        browser_page.goto(served.address)
        at_step(browser_page, 0)
        browser_page.click("#check")
        browser_page.locator("#progress", has_text=re.compile("[1-9].* states, ")).wait_for()
        browser_page.click("#stop:not([disabled])")
        browser_page.wait_for_selector("#progress:has-text('interrupted')")
        assert browser_page.is_enabled("#check")
    finally:
        served.close()


def test_numbers_fire_what_can_happen_and_disabled_transitions_say_why(browser_page: Page) -> None:
    served = Served(TABLE, {"n": "2"})
    try:
        browser_page.goto(served.address)
        at_step(browser_page, 0)
        second = browser_page.locator("#enabled button").nth(1)
        command = int(second.get_attribute("data-command") or -1)
        browser_page.keyboard.press("2")
        at_step(browser_page, 1)
        assert served.ask("state", {"run": [command], "at": 1})[0] == 200
        assert browser_page.locator(".source .ran").count() > 0
        browser_page.click("#disabled summary")
        browser_page.locator("#disabled li", has_text=" waits at philosophers.py:").first.wait_for()
        browser_page.click("#copy")
        browser_page.wait_for_selector("#test:has-text('def test_a_run_of_philosophers')")
    finally:
        served.close()


@pytest.mark.parametrize("width, height", [(1400, 900), (400, 800)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_its_window(browser_page: Page, width: int, height: int, scheme: str) -> None:
    served = Served(TABLE, {"n": "4"})
    complaints: list[str] = []
    browser_page.on("console", lambda message: complaints.append(message.text))
    try:
        browser_page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        browser_page.set_viewport_size({"width": width, "height": height})
        browser_page.goto(served.address)
        at_step(browser_page, 0)
        browser_page.locator("#picture svg").wait_for()
        assert browser_page.evaluate("document.documentElement.scrollWidth") <= width
        if width == 1400:
            assert browser_page.evaluate("document.documentElement.scrollHeight") <= height
        wide = "document.querySelector('#picture svg').getBoundingClientRect().width"
        before = browser_page.evaluate(wide)
        browser_page.click("#larger")
        assert browser_page.evaluate(wide) > before
        browser_page.click("#fit")
        assert browser_page.evaluate(f"{wide} <= document.querySelector('#picture').clientWidth")
    finally:
        served.close()
        browser_page.set_viewport_size({"width": 1400, "height": 900})
    assert complaints == []
