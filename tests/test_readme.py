"""What the documentation shows is what the tool does."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(document: Path, language: str) -> list[str]:
    return [text for name, text in BLOCK.findall(document.read_text()) if name == language]


def models(document: Path) -> str:
    """All the Python of a document, as one file: later blocks go on where earlier ones ended."""
    return "\n".join(blocks(document, "python"))


def run(command: str, folder: Path) -> str:
    program, *words = shlex.split(command)
    assert program == "asset"
    done = subprocess.run(
        [sys.executable, "-m", "asset", *words], cwd=folder, capture_output=True, text=True, check=False, timeout=60
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_a_document_shows_what_the_tool_prints(document: Path, tmp_path: Path) -> None:
    shown = [block.split("\n", 1) for block in blocks(document, "console")]
    for command, expected in ((first.removeprefix("$ "), rest) for first, rest in shown):
        (tmp_path / shlex.split(command)[2].split(":")[0]).write_text(models(document))
        printed = run(command, tmp_path)
        for line in filter(None, map(str.rstrip, expected.splitlines())):
            assert line in printed.splitlines() or line.strip() == "...", f"{line!r} is not in\n{printed}"


def test_ci_runs_the_test_command_of_the_readme() -> None:
    find = next(line for line in (ROOT / ".ci" / "run").read_text().splitlines() if line.startswith("command="))
    found = subprocess.run(["bash", "-c", f"{find}; echo $command"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout.strip() in [block.strip() for block in blocks(ROOT / "README.md", "sh")]
