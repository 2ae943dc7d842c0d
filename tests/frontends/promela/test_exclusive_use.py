"""`xr` and `xs`: another process that uses the channel is an error of the model."""

from __future__ import annotations

from pathlib import Path

import pytest

import asset
from asset.languages import ModelSpec, load

SENDS_TOO = """chan c = [2] of { byte };
active proctype P() { xs c; c!1 }
active proctype Q() { byte x; c?x; c!2 }
"""
RING = """chan q[2] = [1] of { byte };
proctype N(chan i, o) { xr i; xs o; byte x; o!1; i?x }
init { atomic { run N(q[0], q[1]); run N(q[1], q[%d]) } }
"""
MEETS = """chan c = [0] of { byte };
active [2] proctype P() { xs c; c!1 }
active proctype Q() { byte x; c?x; c?x }
"""
ENDED = """chan c = [2] of { byte };
active proctype Q() { byte x; c?x; c!2; c?x }
active proctype P() { xs c; c!1 }
"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (SENDS_TOO, "xs c of P claims this channel for another process"),
        (RING % 0, None),
        (RING % 1, "xs o of N claims this channel for another process"),
        (MEETS, "xs c of P claims this channel for another process"),
        (SENDS_TOO.replace("xs c", "xr c"), "xr c of P claims this channel for another process"),
        (SENDS_TOO.replace("c!2", "skip"), None),
        (ENDED.replace("c!2; c?x", "_nr_pr == 1; c!2; c?x"), None),
    ],
)
def test_another_process_that_uses_a_claimed_channel_is_an_error(text: str, said: str | None, tmp_path: Path) -> None:
    file = tmp_path / "claims.pml"
    file.write_text(text)
    verdict = asset.check(load(ModelSpec(str(file))), only=["deadlock"], engine="reference")
    assert (verdict.violation is None) == (said is None)
    if said is not None:
        assert verdict.violation is not None and said in str(verdict.violation)
