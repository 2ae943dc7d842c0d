"""What is a location, and what is `undef`: gaps of domains, arguments and parts of tuples without a value."""

from __future__ import annotations

from pathlib import Path

import pytest
from published_machines import checked, machine

SIGNATURE = "domain D subsetof Integer controlled g: D -> N controlled u: N controlled pair: Prod(N, N)"
GAPS = "domain D = {0, 5}"


@pytest.mark.parametrize("rule", ["g(3) := 1", "g(n + 3) := 1", "g(u) := 1", "seq skip g(u) := 1 endseq", "g(9) := 1"])
def test_an_update_where_there_is_no_location_is_a_model_error(rule: str, tmp_path: Path) -> None:
    violation = checked(machine(tmp_path, rule, signature=SIGNATURE, definitions=GAPS)).violation
    assert violation is not None and ("has no location" in violation.message or "out of bounds" in violation.message)


@pytest.mark.parametrize(
    ("rule", "after"),
    [
        ("g(n + 5) := 1", "g(5) = 1 and isUndef(g(0)) and isUndef(g(3)) and isUndef(g(u))"),
        ("pair := (1, undef)", "isDef(pair) and pair != undef and isUndef(second(pair))"),
        ("pair := undef", "isUndef(pair) and pair = undef"),
    ],
)
def test_what_has_a_value_after_a_step(rule: str, after: str, tmp_path: Path) -> None:
    definitions = f"{GAPS} LTLSPEC x({after})"
    initial = "function pair = (0, 0)"
    assert checked(machine(tmp_path, rule, signature=SIGNATURE, definitions=definitions, initial=initial)).holds


def test_fixme_a_tuple_counts_as_undef_if_its_first_part_is(tmp_path: Path) -> None:
    """Whether all parts are `undef` would have to be asked wherever a tuple is compared with that."""
    parts = {"signature": SIGNATURE, "initial": "function pair = (0, 0)"}
    definitions = f"{GAPS} LTLSPEC x(isUndef(pair) and isUndef(first(pair)) and second(pair) = 1)"
    assert checked(machine(tmp_path, "pair := (undef, 1)", definitions=definitions, **parts)).holds
