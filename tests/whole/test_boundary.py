"""What is checked is what Python would run: each row of the tables in `golden/boundary` means the same to CPython, to
the reference interpreter and as machine code, or it is rejected, with a place and with the words of its second line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from agreement import Agreement
from places import GOLDEN

from asset.errors import AssetError
from asset.frontends.python import load

HEAD = """\
from __future__ import annotations
import abc, collections, contextlib, dataclasses, enum, functools, operator, types, typing
from enum import Enum, IntEnum, IntFlag
from asset import *
"""


def rows() -> list[tuple[str, str, str]]:
    """The name, the expected outcome and the text of each row."""
    found = []
    for table in sorted((GOLDEN / "boundary").glob("*.txt")):
        _, *parts = re.split(r"^### (.*)\n# (.*)$", table.read_text(encoding="utf-8"), flags=re.MULTILINE)
        found += [(f"{table.stem}: {name}", *row) for name, *row in zip(*[iter(parts)] * 3, strict=True)]
    return [(name, outcome, text) for name, outcome, text in found]


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize(("outcome", "text"), [pytest.param(*row, id=name) for name, *row in rows()])
def test_a_model_means_the_same_to_all_or_is_rejected_with_a_place(outcome: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / "model.py"
    file.write_text(HEAD + text, encoding="utf-8")
    if outcome == "same":
        assert Agreement(load(file)).explore() > 0
        return
    with pytest.raises(AssetError) as rejected:
        Agreement(load(file))
    first, *_ = rejected.value.diagnostics
    assert outcome == f"rejected: {first.message}"
    assert all(diagnostic.span is not None for diagnostic in rejected.value.diagnostics)
