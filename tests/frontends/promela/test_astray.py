"""Channels that cannot be spoken of: a variable that names none, and a rendezvous that is looked into. As in SPIN, that
is an error of the model where the statement is tried, whatever else could go on there."""

from __future__ import annotations

from pathlib import Path

import pytest

import asset
from asset.languages import ModelSpec, load

TRIED = """chan full_one = [1] of { byte };
chan met = [0] of { byte };
byte x;
active proctype P() { chan none; %s; do :: x == 0 -> x = 1 :: x == 1 -> x = 0 :: %s od }
active proctype Q() { end: met!1 }
"""


@pytest.mark.parametrize("asked", ("none!1", "none?1", "none?[1]", "len(none) > 0", "full(none)", "none??1"))
def test_to_speak_of_a_variable_that_names_no_channel_is_an_error(asked: str, tmp_path: Path) -> None:
    assert message(tmp_path, "skip", f"{asked} -> skip") == "none names no channel"
    assert message(tmp_path, "none = full_one", f"{asked} -> skip") is None


@pytest.mark.parametrize("asked", ("met?[1]", "met?<x>", "none?[1]", "none?<x>"))
def test_to_look_into_a_rendezvous_is_an_error(asked: str, tmp_path: Path) -> None:
    said = message(tmp_path, "none = met", f"{asked} -> skip")
    assert said == f"{asked.split('?')[0]} is a rendezvous, which holds no message to look at"


def message(folder: Path, first: str, asked: str) -> str | None:
    file = folder / "tried.pml"
    file.write_text(TRIED % (first, asked))
    verdict = asset.check(load(ModelSpec(str(file))), only=["deadlock"], stubborn="auto", engine="reference")
    return None if verdict.violation is None else verdict.violation.message
