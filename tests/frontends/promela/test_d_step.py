"""A d_step takes part in a rendezvous with a receive that it begins with, and with nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

import asset
from asset.languages import ModelSpec, load


@pytest.mark.parametrize("code", ["c!1", "if :: c!1 :: x == 2 fi; x = 1", "x = 1; c!1"])
def test_a_d_step_that_sends_by_rendezvous_is_an_error(code: str, tmp_path: Path) -> None:
    file = tmp_path / "sends.pml"
    file.write_text(f"chan c = [0] of {{ byte }};\nbyte x;\nactive proctype S() {{ d_step {{ {code} }} }}\n")
    with file.open("a") as more:
        more.write("active proctype R() { c?_ }\n")
    verdict = asset.check(load(ModelSpec(str(file))), engine="reference")
    assert verdict.violation is not None
    assert "inside d_step cannot be executed" in verdict.violation.message


def test_an_escape_that_is_a_d_step_receives_before_what_it_escapes_from(tmp_path: Path) -> None:
    file = tmp_path / "escapes.pml"
    file.write_text(
        "chan c = [0] of { byte };\nbyte x;\nactive proctype S() { c!1 }\n"
        "active proctype R() { { c?_; assert(false) } unless { d_step { c?x; x++ } }; assert(x == 2) }\n"
    )
    assert asset.check(load(ModelSpec(str(file))), engine="reference").holds
