"""The gallery: its pictures are what its commands write, and its test fails as it says."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pictures
import pytest
from places import ROOT
from test_docs import FILE, blocks, commands, is_shown

DOCS = ROOT / "docs"
README = DOCS.parent / "README.md"
PICTURE = re.compile(r"!\[(.+?)\]\(((?:docs/)?pictures/[\w.]+)\)")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the commands of the gallery and the README wrote their pictures, and the gallery's files are."""
    place = tmp_path_factory.mktemp("gallery")
    pictures.draw(place)
    text = (DOCS / "gallery.md").read_text(encoding="utf-8")
    for block in blocks(text, "python"):
        if named := FILE.match(block):
            (place / named[1]).write_text(block, encoding="utf-8")
    return place


def test_the_pictures_are_what_the_commands_write(folder: Path) -> None:
    shown = [
        each for page in (README, DOCS / "gallery.md") for each in PICTURE.findall(page.read_text(encoding="utf-8"))
    ]
    assert len(shown) >= 5
    for described, picture in shown:
        assert len(described) > 30, "a picture is also told in words"
        assert (DOCS / "pictures" / Path(picture).name).read_bytes() == (folder / Path(picture).name).read_bytes(), (
            picture
        )
    measured = {file.name for file in (DOCS / "pictures").glob("stores_*.svg")}  # by benchmarks/stores.py
    assert {Path(picture).name for _, picture in shown} == {f.name for f in (DOCS / "pictures").iterdir()} - measured


def test_pytest_prints_what_the_gallery_shows(folder: Path) -> None:
    text = (DOCS / "gallery.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```sh-session\n(.*?)```", text, re.DOTALL)
    ((command, shown),) = commands(block)
    python, *words = shlex.split(command)
    assert python == "python"
    installed = any(entry.name == "asset" for entry in entry_points(group="pytest11"))
    plugin = [] if installed else ["-p", "asset.pytest_plugin"]
    program = [sys.executable, *words, *plugin, "-p", "no:cacheprovider"]
    done = subprocess.run(program, cwd=folder, capture_output=True, text=True, check=False)
    expected = [line.rstrip("…") if line != "…" else line for line in shown.strip().splitlines()]
    actual = [next((e for e in expected if e != "…" and line.startswith(e)), line) for line in done.stdout.splitlines()]
    assert is_shown(actual, expected), done.stdout
