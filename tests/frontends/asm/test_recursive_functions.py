"""Derived functions that call themselves: they are written out as far as the text tells that they go."""

from __future__ import annotations

from pathlib import Path

import pytest
from published_machines import checked, machine

from asset.errors import ModelRejected
from asset.languages import ModelSpec, load

SIGNATURE = (
    "controlled a: Integer controlled u: N controlled f: N -> N controlled q: Seq(N) derived total: N -> Integer "
    "derived added: Seq(N) -> Integer derived even: N -> Boolean derived odd: N -> Boolean "
    "controlled s: Powerset(N) derived all: Powerset(N) -> Integer"
)
DEFINITIONS = (
    "//@ length(q) in {0 : 3}\n//@ a in {0 : 20}\n"
    "function total($k in N) = if $k = 0 then f(0) else f($k) + total($k - 1) endif "
    "function added($s in Seq(N)) = if isEmpty($s) then 0 else first($s) + added(tail($s)) endif "
    "function even($k in N) = if $k = 0 then f(0) = 0 else odd($k - 1) endif "
    "function odd($k in N) = if $k = 0 then f(0) != 0 else even($k - 1) endif "
    "function all($s in Powerset(N)) = if isEmpty($s) then 0 else let ($x = first(asSequence($s))) in "
    "f($x) + all(excluding($s, $x)) endlet endif "
)
BEGINS = "function f($x in N) = $x function q = [1, 3]"


@pytest.mark.parametrize(
    ("rule", "asked"),
    [
        ("a := total(3)", "ax(a = 6)"),
        ("choose $k in N do a := total($k)", "ex(a = 0) and ex(a = 1) and ex(a = 3) and ex(a = 6) and not ex(a = 2)"),
        ("a := total(u)", "ag(isUndef(a))"),
        ("a := total(n + 4)", "ag(isUndef(a))"),
        ("f(n + 1) := 0", "total(3) = 6 and ax(total(3) = 5)"),
        ("a := added(q)", "ax(a = 4)"),
        ("par a := added(q) q := append(tail(q), 2) endpar", "ax(a = 4 and ax(a = 5 and ax(a = 4)))"),
        ("q := [n]", "added(q) = 4 and ax(added(q) = 0)"),
        ("a := all(s)", "ax(isUndef(a))"),
        ("par s := {1, 3} a := all(s) endpar", "ax(ax(a = 4))"),
        ("choose $s in Powerset(N) do a := all($s)", "ex(a = 6) and ex(a = 0) and ex(a = 5) and not ex(a > 6)"),
        ("if even(n) then n := n + 1 endif", "ag(n < 2) and ef(n = 1)"),
    ],
)
def test_what_a_derived_function_that_calls_itself_gives(rule: str, asked: str, tmp_path: Path) -> None:
    parts = {"signature": SIGNATURE, "definitions": f"{DEFINITIONS} CTLSPEC {asked}", "initial": BEGINS}
    assert checked(machine(tmp_path, rule, **parts)).holds


@pytest.mark.parametrize(
    ("signature", "definition", "rule"),
    [
        ("derived g: N -> N", "function g($x in N) = if f(0) = 1 then 0 else g($x) endif", "n := g(n)"),
        ("derived g: N -> N", "function g($x in N) = g(($x + f(0)) mod 4)", "n := g(n)"),
        ("derived g: N derived h: N", "function g = h function h = g", "n := g"),
        ("static g: N -> N", "function g($x in N) = g(3 - $x)", "n := g(n)"),
        ("static g: Integer -> N", "function g($x in Integer) = if $x = 0 then 1 else g($x - 1) endif", "n := g(999)"),
        (
            "derived g: Powerset(N) -> N",
            "function g($s in Powerset(N)) = if isEmpty($s) then 0 else "
            "let ($x = chooseone($s)) in f($x) + g(excluding($s, $x)) endlet endif",
            "choose $s in Powerset(N) with g($s) < 2 do n := size($s)",
        ),
    ],
)
def test_one_that_may_not_end_is_said_with_its_place(
    signature: str, definition: str, rule: str, tmp_path: Path
) -> None:
    parts = {"signature": f"{signature} controlled f: N -> N", "definitions": definition}
    with pytest.raises(ModelRejected, match="calls itself") as rejected:
        load(ModelSpec(machine(tmp_path, rule, **parts)))
    assert all(each.span and each.remedy for each in rejected.value.diagnostics)


REVERSES = (
    "turbo rule r_reversed($q in Seq(N)) in Seq(N) = local x: Seq(N) [skip] if isEmpty($q) then result := [] else "
    "seq x <- r_reversed(tail($q)) result := append(x, first($q)) endseq endif "
)
WIDENS = (
    "turbo rule r_wider($s in Powerset(N)) in Powerset(N) = local x: Powerset(N) [x := $s] "
    "seq x := including(x, n) result := including(x, 2) endseq "
)
KEEPS = (
    "turbo rule r_kept($n in N) in Seq(N) = local x: Seq(N) [x := q] "
    "seq q := [0] if go then result := tail(x) else result := prepend($n, x) endif endseq "
)


@pytest.mark.parametrize(
    ("rule", "asked"),
    [
        ("q <- r_reversed(q)", "q = [1, 3] and ax(q = [3, 1] and ax(q = [1, 3]))"),
        ("q <- r_reversed([1, 2, 3])", "ax(q = [3, 2, 1])"),
        ("s <- r_wider(s)", "ax(s = {0, 1, 2})"),
        ("p <- r_kept(n)", "ax(q = [0]) and ex(p = [3]) and ex(p = [0, 1, 3]) and ax(p = [3] or p = [0, 1, 3])"),
    ],
)
def test_a_rule_may_return_a_sequence_or_a_set(rule: str, asked: str, tmp_path: Path) -> None:
    definitions = (
        f"{REVERSES} {WIDENS} {KEEPS} //@ length(q) in {{0 : 3}}\n//@ length(p) in {{0 : 4}}\n CTLSPEC {asked}"
    )
    parts = {
        "signature": "controlled q: Seq(N) controlled p: Seq(N) controlled s: Powerset(N)",
        "initial": "function q = [1, 3] function s = {1}",
    }
    assert checked(machine(tmp_path, rule, definitions=definitions, **parts), calls="6").holds
