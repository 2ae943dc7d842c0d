"""docs/reliability.md promises nothing that no test shows."""

from __future__ import annotations

import re

import pytest
from places import ROOT

NAMED = re.findall(r"`([\w/]+\.py)::(\w+)`", (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8"))


def test_the_table_names_tests() -> None:
    rows = [line for line in (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8").splitlines() if "|" in line]
    assert len(NAMED) >= len(rows[2:]) > 0


@pytest.mark.parametrize(("file", "test"), NAMED)
def test_each_test_of_the_table_exists(file: str, test: str) -> None:
    assert f"def {test}(" in (ROOT / "tests" / file).read_text(encoding="utf-8")
