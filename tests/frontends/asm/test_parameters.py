"""Rules with parameters that stand for terms and locations, called where sequences change what these are."""

from __future__ import annotations

from pathlib import Path

import pytest
from published_machines import checked, machine

AB = "controlled a: N controlled b: N"


@pytest.mark.parametrize(
    ("body", "call", "after"),
    [
        ("seq $l := 2 $l := $l + 1 endseq", "r_do[n]", "n = 3"),
        ("seq $l := 2 n := n + 1 endseq", "r_do[n]", "n = 3"),
        ("seq n := 2 $l := $l + 1 endseq", "r_do[n]", "n = 3"),
        ("seq $l := 2 if $l = 2 then $l := 3 endif endseq", "r_do[n]", "n = 3"),
        ("seq $l := 2 $l := $l + 1 endseq", "seq n := 1 r_do[n] endseq", "n = 3"),
        ("par seq $l := 1 $l := 2 endseq a := n endpar", "r_do[n]", "a = 0 and n = 2"),
        ("seq par seq a := 1 n := 2 endseq b := $l endpar skip endseq", "r_do[n]", "b = 0 and n = 2"),
        ("par seq a := 1 n := 2 endseq b := $l endpar", "seq r_do[n] skip endseq", "b = 0 and n = 2"),
        ("par seq a := 1 n := 2 endseq b := $l endpar", "seq r_do[n + 1] skip endseq", "b = 1 and n = 2"),
    ],
)
def test_a_sequence_sees_what_it_does_to_its_parameters(body: str, call: str, after: str, tmp_path: Path) -> None:
    definitions = f"rule r_do($l in N) = {body} LTLSPEC x({after})"
    assert checked(machine(tmp_path, call, signature=AB, definitions=definitions)).holds


@pytest.mark.parametrize(
    ("body", "call"),
    [
        ("par seq n := 1 n := 2 endseq $l := 3 endpar", "r_do[n, a]"),
        ("par seq $k := 1 $k := 2 endseq $l := 3 endpar", "r_do[n, n]"),
        ("seq $k := 1 $k := 2 endseq", "par r_do[n, n] n := 3 endpar"),
    ],
)
def test_two_names_of_one_location_conflict(body: str, call: str, tmp_path: Path) -> None:
    file = machine(tmp_path, call, signature=AB, definitions=f"rule r_do($l in N, $k in N) = {body}")
    violation = checked(file).violation
    assert violation is not None and violation.kind == "conflict"
