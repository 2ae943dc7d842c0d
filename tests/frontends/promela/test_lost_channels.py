"""A message to a channel whose maker has ended is an error of the model, as in SPIN ("qsend bad queue#")."""

from __future__ import annotations

from pathlib import Path

import pytest

import asset
from asset.languages import ModelSpec, load

SERVED = """chan desk = [1] of { chan };
proctype Client() { chan mine = [%d] of { byte }; desk!mine; %s }
active proctype Server() { chan who; desk?who; %s; end: who!1 }
init { run Client() }
"""


@pytest.mark.parametrize("capacity", (0, 1))
@pytest.mark.parametrize(
    ("client", "server", "lost"),
    [
        ("skip", "skip", True),
        ("mine?_", "skip", False),
        ("end: false", "skip", False),
        ("skip", "_nr_pr == 3", True),
    ],
)
def test_a_message_to_a_channel_of_an_ended_process_is_an_error(
    capacity: int, client: str, server: str, lost: bool, tmp_path: Path
) -> None:
    file = tmp_path / "served.pml"
    file.write_text(SERVED % (capacity, client, server))
    verdict = asset.check(load(ModelSpec(str(file))), only=["deadlock"], stubborn="auto", engine="reference")
    assert verdict.violated is lost
    if verdict.violation is not None:
        assert "who is a channel of a process that has ended" in verdict.violation.message


def test_a_process_sends_to_its_own_channel(tmp_path: Path) -> None:
    file = tmp_path / "own.pml"
    file.write_text("init { chan c = [1] of { byte }; chan d; d = c; d!1; c?_ }")
    assert asset.check(load(ModelSpec(str(file))), engine="reference").holds
