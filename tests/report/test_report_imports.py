"""The import graph: a report sees a Verdict and nothing else of the tool."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import asset.report

REPORTS = sorted(Path(asset.report.__file__).parent.glob("*.py"))
ALLOWED = ("asset.report", "asset.verdict", "asset.span", "asset.errors")


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield node.module or ""


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.name)
def test_a_report_imports_nothing_but_the_verdict(path: Path) -> None:
    ours = [name for name in imported(path) if name.split(".")[0] == "asset"]
    assert [name for name in ours if not name.startswith(ALLOWED)] == []
