"""Numbers that are no integers: which are rejected, and what an integer that gets one is."""

from __future__ import annotations

from pathlib import Path

import pytest
from published_machines import checked, machine

from asset.errors import ModelRejected
from asset.languages import ModelSpec, load


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"rule": "if n = 1/9973 + 1/9967 + 1/9949 then skip endif"}, "a denominator beyond 134,217,727"),
        ({"definitions": "//@ length(row) in {0.5}", "rule": "row := append(row, n)"}, "numbers, and no fractions"),
        (
            {"signature": "controlled r: Real", "definitions": "//@ r in {0.1, 50000000}", "rule": "r := 0.1"},
            "134,217,727 parts",
        ),
    ],
)
def test_fractions_that_are_too_fine_are_rejected(parts: dict[str, str], said: str, tmp_path: Path) -> None:
    parts = {"signature": "controlled row: Seq(N)", **parts}
    with pytest.raises(ModelRejected, match=said):
        load(ModelSpec(machine(tmp_path, parts.pop("rule"), **parts)))


def test_an_integer_that_gets_a_fraction_is_out_of_its_range(tmp_path: Path) -> None:
    whole = {"signature": "controlled w: Integer", "definitions": "invariant over w: true"}
    verdict = checked(machine(tmp_path, "w := if isUndef(w) then 3 else 3 / 2 endif", **whole))
    assert verdict.violation is not None and "w gets a fraction that it does not take" in verdict.violation.message
    real = {**whole, "signature": "controlled w: Real"}
    assert checked(machine(tmp_path, "w := if isUndef(w) then 3 else 3 / 2 endif", **real)).holds
