"""Lint, format and types are tests too."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT


@pytest.mark.parametrize(
    "command",
    [
        ["ruff", "check", "."],
        ["ruff", "format", "--check", "."],
        ["mypy", "--no-error-summary"],
    ],
    ids=" ".join,
)
def test_the_code_is_clean(command: list[str]) -> None:
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_engine_is_formatted() -> None:
    files = [*ROOT.glob("native/*.[hc]*"), *ROOT.glob("tests/native/*.[hc]*")]
    assert files
    tool = Path(sys.executable).with_name("clang-format")
    done = subprocess.run([tool, "--dry-run", "--Werror", *files], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
