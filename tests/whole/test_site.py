"""The site: built strictly, so that no link is broken, with the pictures that the commands of the gallery draw."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from browser import chromium
from places import ROOT

import asset

pytest.importorskip("material", reason="the site is built with mkdocs-material: pip install '.[test]'")
pytest.importorskip("mkdocstrings", reason="the site is built with mkdocstrings: pip install '.[test]'")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    place = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(place)]
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(words, cwd=ROOT, env=quiet, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    yield place


def test_every_page_of_the_documentation_is_in_the_site_and_its_navigation(site: Path) -> None:
    home = (site / "index.html").read_text(encoding="utf-8")
    for page in (ROOT / "docs").glob("*.md"):
        assert (site / page.stem / "index.html").is_file()
        assert f'href="{page.stem}/"' in home, f"{page.stem} is not in the navigation"


def test_the_references_are_made_from_the_program(site: Path) -> None:
    api = (site / "api" / "index.html").read_text(encoding="utf-8")
    documented = [name for name in asset.__all__ if f'id="asset.{name}"' in api]
    assert documented == asset.__all__
    assert "Explores every reachable state of the model and answers for its properties" in api
    commands = (site / "commands" / "index.html").read_text(encoding="utf-8")
    assert "--max-memory" in commands and "asset sweep" in commands


@pytest.mark.parametrize(
    ("page", "code"), [("language", "&gt;&gt; &amp; | ^ ~"), ("state-types", "<code>| &amp; - ^</code>")]
)
def test_a_bar_in_the_code_of_a_table_is_shown_without_its_backslash(site: Path, page: str, code: str) -> None:
    shown = (site / page / "index.html").read_text(encoding="utf-8")
    assert code in shown and "\\|" not in shown


def test_the_pictures_are_drawn_by_the_build(site: Path) -> None:
    for picture in (ROOT / "docs" / "pictures").iterdir():
        assert (site / "pictures" / picture.name).read_bytes() == picture.read_bytes()


def test_pages_can_be_searched(site: Path) -> None:
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    found = {entry["location"].partition("#")[0] for entry in index["docs"] if "stubborn" in entry["text"].lower()}
    assert {"stubborn-sets/", "reductions/", "commands/"} <= found


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """Where the site is served: a page that is opened as a file may not load its own search."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_pages_fit_wide_and_narrow_screens_light_and_dark(address: str) -> None:
    with chromium() as browser:
        for width, height, scheme in ((1400, 900, "light"), (400, 800, "dark")):
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)  # type: ignore[arg-type]
            wrong: list[str] = []
            page.on("pageerror", lambda error, wrong=wrong: wrong.append(str(error)))
            for name in ("", "gallery/", "api/", "commands/"):
                page.goto(f"{address}/{name}")
                overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                assert overflow <= 0, f"{name} is {overflow} pixels too wide at {width}"
            page.close()
            assert not wrong
