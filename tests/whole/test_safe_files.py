"""What we write is safe to open: the text of a model is never markup or script in a page (docs/security.md)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from asset.cli.main import main

HOSTILE = "<img src=x onerror=alert(5)>"
MODEL = """\
from enum import IntEnum
from asset import Model, invariant, transition, when

class At(IntEnum):
    HERE = 0
    THERE = 1

class Hostile(Model):
    def state(self):
        self.at = At.HERE

    @transition
    def go(self):
        when(self.at == At.HERE)
        self.at = At.THERE  # </script><script>alert(1)</script> <img src=x onerror=alert(2)> | `
    @invariant
    def at_home(self):
        return self.at == At.HERE  # --></style></pre></svg><script>alert(3)</script>
"""


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    file = tmp_path / f"a{HOSTILE}.py"
    file.write_text(MODEL)
    return file


@pytest.mark.parametrize("option", ["html", "markdown", "mermaid"])
def test_a_report_has_no_markup_of_the_model(hostile: Path, tmp_path: Path, option: str) -> None:
    out = tmp_path / f"out.{option}"
    assert main(["check", str(hostile), f"--{option}", str(out), "--quiet"]) == 1
    assert_harmless(out)


@pytest.mark.parametrize("ending", ["svg", "html", "dot"])
def test_a_picture_has_no_markup_of_the_model(hostile: Path, tmp_path: Path, ending: str) -> None:
    out = tmp_path / f"out.{ending}"
    assert main(["graph", str(hostile), "-o", str(out)]) == 0
    assert_harmless(out)


def assert_harmless(file: Path) -> None:
    text = file.read_text()
    if file.suffix == ".markdown":
        text = re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.S)  # code is shown as it is
    assert not re.search(r"(?<!\\)<img|(?<!\\)<script>alert", text)
