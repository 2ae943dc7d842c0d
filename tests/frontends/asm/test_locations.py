"""What is a location, and what is `undef`: gaps of domains, arguments and parts of tuples without a value."""

from __future__ import annotations

from pathlib import Path

import pytest
from published_machines import checked, machine

import asset
from asset.languages import ModelSpec, load

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


NESTED = "controlled deep: Prod(Prod(N, N), N) controlled row: N -> Prod(N, N) controlled at: Map(N, Prod(N, N))"


@pytest.mark.parametrize(
    ("rule", "after"),
    [
        ("pair := (undef, 1)", "isDef(pair) and isUndef(first(pair)) and second(pair) = 1"),
        ("pair := (undef, undef)", "pair = (undef, undef) and pair != undef and isUndef(first(pair))"),
        ("pair := (u, n)", "pair = (undef, 0) and pair != (0, 0)"),
        ("par pair := (u, 1) row(2) := (undef, undef) endpar", "isDef(row(2)) and row(2) != pair and isUndef(row(1))"),
        ("seq pair := (undef, 2) row(3) := pair pair := undef endseq", "row(3) = (undef, 2) and isUndef(pair)"),
        ("deep := ((undef, 1), 2)", "isDef(deep) and isDef(first(deep)) and isUndef(first(first(deep)))"),
        ("deep := (undef, 2)", "isDef(deep) and isUndef(first(deep)) and second(deep) = 2"),
        ("deep := ((undef, undef), undef)", "isDef(first(deep)) and deep != (undef, undef)"),
        ("pair := if n = 0 then (undef, 1) else undef endif", "isDef(pair)"),
        ("pair := if n > 0 then (undef, 1) else undef endif", "isUndef(pair)"),
        ("switch row(1) case (_, _): pair := (1, 1) otherwise pair := (2, 2) endswitch", "pair = (2, 2)"),
        ("let (($a, $b) = row(1)) in pair := ($b, 3) endlet", "isDef(pair) and pair = (undef, 3)"),
    ],
)
def test_a_tuple_with_a_part_that_is_undef_is_a_tuple(rule: str, after: str, tmp_path: Path) -> None:
    parts = {"signature": f"{SIGNATURE} {NESTED}", "initial": "function pair = (0, 0) function deep = ((0, 0), 0)"}
    verdict = checked(machine(tmp_path, rule, definitions=f"{GAPS} LTLSPEC x({after})", **parts))
    assert verdict.holds, verdict


def test_an_initial_tuple_may_have_a_part_that_is_undef(tmp_path: Path) -> None:
    definitions = f"{GAPS} CTLSPEC isDef(pair) and isUndef(first(pair)) and second(pair) = 1"
    initial = "function pair = (undef, 1)"
    assert checked(machine(tmp_path, signature=SIGNATURE, definitions=definitions, initial=initial)).holds


@pytest.mark.parametrize("rule", ["pair := (n - 1, 0)", "at := {n -> (0, n - 1)}", "row(1) := (0, n - 1)"])
def test_a_part_just_below_its_domain_is_out_of_range(rule: str, tmp_path: Path) -> None:
    """That number stands for `undef` in a cell."""
    signature, initial = f"{SIGNATURE} {NESTED}", "function at = {0 -> (1, 1)}"
    violation = checked(machine(tmp_path, rule, signature=signature, definitions=GAPS, initial=initial)).violation
    assert violation is not None and "-1 is out of range" in violation.message


def test_entries_of_a_map_have_all_parts(tmp_path: Path) -> None:
    signature, initial = f"{SIGNATURE} {NESTED}", "function at = {0 -> (1, 1)}"
    file = machine(tmp_path, "at := {n -> (u, 1)}", signature=signature, definitions=GAPS, initial=initial)
    violation = checked(file).violation
    assert violation is not None and "an element of at is" in violation.message


def test_what_a_constraint_allows_for_arguments_may_be_undef(tmp_path: Path) -> None:
    signature, constraint = "controlled h: N -> Integer controlled u: N", "//@ h($x) in {$x, $x + 1}"
    definitions = f"{constraint}\n LTLSPEC x(isUndef(h(0)) and h(1) = 2)"
    rule, initial = "par h(0) := u h(1) := n + 2 endpar", "function h($x in N) = $x"
    assert checked(machine(tmp_path, rule, signature=signature, definitions=definitions, initial=initial)).holds


@pytest.mark.parametrize(
    ("result", "values", "rule"),
    [
        ("Powerset(N)", "{{}, {0}, {0, 1}}", "v := {1}"),
        ("Seq(N)", "{[], [0], [0, 1]}", "v := [n + 1]"),
        ("Bag(N)", "{<>, <0>, <0, 0>}", "v := <0, n, n>"),
        ("Map(N, N)", "{{0 -> 1}, {0 -> 2}}", "v := {0 -> n}"),
    ],
)
def test_a_constraint_that_lists_collections_leaves_no_others(
    result: str, values: str, rule: str, tmp_path: Path
) -> None:
    signature, definitions = f"controlled v: {result}", f"//@ v in {values}\n"
    violation = checked(machine(tmp_path, rule, signature=signature, definitions=definitions)).violation
    assert violation is not None and violation.kind == "range"
    allowed = f"choose $v in {values} with true do v := $v"
    verdict = checked(machine(tmp_path, allowed, signature=signature, definitions=definitions))
    assert verdict.holds and verdict.states == 1 + values.count("},") + values.count("],") + values.count(">,") + 1


def test_symmetries_exchange_elements_in_tuples_with_parts_that_are_undef(tmp_path: Path) -> None:
    signature = "abstract domain Room controlled pair: Prod(Room, Room) monitored side: Boolean"
    given = "if side then pair := (undef, $r) else pair := ($r, undef) endif"
    rule = f"choose $r in Room with true do if isDef(pair) then pair := undef else {given} endif"
    file = machine(tmp_path, rule, signature=signature, definitions="CTLSPEC ag(ef(isUndef(pair)))")
    subject = load(ModelSpec(file, {"Room": "3"}))
    plain, reduced = asset.check(subject), asset.check(subject, symmetry="auto", analysis_time=60)
    assert (plain.states, reduced.states, plain.holds, reduced.holds) == (7, 3, True, True)
