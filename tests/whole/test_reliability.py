"""docs/reliability.md promises nothing that no test shows."""

from __future__ import annotations

import re

import pytest
from places import ROOT

TEXT = (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8")
TEST = re.compile(r"`([\w/]+\.py)::(\w+)`")
ROWS = [line for line in TEXT.splitlines() if line.startswith("| ") and not line.startswith("| Fault ")]


def test_each_row_of_the_tables_names_a_test() -> None:
    assert len(ROWS) > 40
    assert [row for row in ROWS if not TEST.search(row.split(" | ")[-1])] == []


@pytest.mark.parametrize(("file", "test"), TEST.findall(TEXT))
def test_each_test_of_the_tables_exists(file: str, test: str) -> None:
    assert f"def {test}(" in (ROOT / "tests" / file).read_text(encoding="utf-8")
