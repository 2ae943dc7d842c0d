"""A headless Chromium for the tests of pages; they are skipped, saying so, where there is none."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = os.environ.get("ASSET_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
"""Debian's package `chromium`; ASSET_CHROMIUM names another."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser that cannot reach the network."""
    api = pytest.importorskip("playwright.sync_api", reason="pages are tested with playwright: pip install '.[test]'")
    if CHROMIUM is None:
        pytest.skip("pages are tested in Chromium, and there is none: apt-get install chromium, or set ASSET_CHROMIUM")
    with api.sync_playwright() as playwright:
        # Chromium refuses to run as root in its sandbox; the pages are our own.
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


def cells(name: str, value: object) -> Iterator[tuple[str, str]]:
    """The cells of a value, as a page names them, each with its text."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from cells(f"{name}[{index}]", item)
    else:
        yield name, str(value)


def state_on(page: Page) -> dict[str, str]:
    """The state as a page shows it: without the indices and the old values beside the new ones."""
    own_text = "[...e.childNodes].filter(n => n.nodeType === Node.TEXT_NODE).map(n => n.data).join('')"
    shown = page.eval_on_selector_all("[data-cell]", f"found => found.map(e => [e.dataset.cell, {own_text}])")
    return dict(shown)
