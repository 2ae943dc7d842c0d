"""Elements and sequences of sets whose order the notation leaves open: any may be taken."""

from __future__ import annotations

from pathlib import Path

import pytest
from published_machines import checked, machine

from asset.errors import ModelRejected
from asset.languages import ModelSpec, load

SIGNATURE = "controlled a: N controlled s: Powerset(N) controlled q: Seq(N) controlled m: N -> N"
BEGINS = "function s = {0, 2, 3} function q = []"


@pytest.mark.parametrize(
    ("rule", "asked", "states"),
    [
        ("q := asSequence(s)", "ag(isEmpty(q) or asSet(q) = s and length(q) = 3)", 7),  # each of the six orders
        ("a := first(asSequence(s))", "ef(a = 0) and ef(a = 2) and ef(a = 3) and ag(a != 1)", 4),
        ("a := last(asSequence(s))", "ef(a = 0) and ef(a = 2) and ef(a = 3) and ag(a != 1)", 4),
        ("a := length(asSequence(s))", "ax(a = 3)", 2),
        ("par s := {} a := first(asSequence(s)) endpar", "ax(a = 0 or a = 2 or a = 3) and ax(ax(isUndef(a)))", 5),
        ("while notEmpty(s) do s := excluding(s, first(asSequence(s)))", "ax(isEmpty(s))", 2),
        ("forall $x in N do m($x) := chooseone({$y in s | $y > $x})", "ax(m(2) = 3 and m(0) > 1 and m(1) > 1)", 5),
        ("forall $x in N with chooseone(s) >= $x do m($x) := 1", "ax(m(0) = 1)", 9),
    ],
)
def test_every_order_is_taken(rule: str, asked: str, states: int, tmp_path: Path) -> None:
    definitions = f"//@ length(q) in {{0 : 4}}\n CTLSPEC {asked}"
    verdict = checked(machine(tmp_path, rule, signature=SIGNATURE, definitions=definitions, initial=BEGINS))
    assert verdict.holds and verdict.states == states


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"definitions": "invariant over s: first(asSequence(s)) = 0"}, "has no meaning in a property"),
        ({"rule": "a := length(asSequence(w))", "signature": "controlled w: Powerset(V)"}, "at most 5 elements"),
    ],
)
def test_an_order_that_cannot_be_taken_is_said_with_a_remedy(parts: dict[str, str], said: str, tmp_path: Path) -> None:
    wide = "domain V subsetof Integer "
    parts = {**parts, "signature": wide + SIGNATURE + " " + parts.get("signature", "")}
    parts["definitions"] = "domain V = {0 : 6} //@ length(q) in {0 : 4}\n " + parts.get("definitions", "")
    with pytest.raises(ModelRejected, match=said) as rejected:
        load(ModelSpec(machine(tmp_path, **parts)))
    assert all(each.remedy for each in rejected.value.diagnostics)
