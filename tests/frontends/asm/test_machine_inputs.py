"""What the environment chooses in a step, and what a step may do at most."""

from __future__ import annotations

from pathlib import Path

import pytest
from published_machines import COUNTS, checked, limit, machine

import asset
from asset.cli.main import main
from asset.languages import ModelSpec, load
from asset.verdict import Answer


def test_rounds_and_new_elements_have_limits_that_can_be_asked_for(tmp_path: Path) -> None:
    file = machine(tmp_path, "seq n := 0 while n < 3 do n := n + 1 endseq")
    assert checked(file).holds
    assert "more than 2 rounds" in limit(checked(file, rounds="2"))
    file = machine(tmp_path, "seq n := 0 whilerec n < 3 do n := n + 1 endseq")
    assert checked(file).holds
    file = machine(tmp_path, "extend D with $d do last := $d", signature="abstract domain D controlled last: D")
    verdict = checked(file, D="2")
    assert "all its elements exist" in limit(verdict) and verdict.states == 3


def test_rules_that_call_themselves_have_a_limit_that_can_be_asked_for(tmp_path: Path) -> None:
    down = "rule r_down($k in Integer) = if $k > 0 then r_down[$k - 1] else n := 3 endif"
    file = machine(tmp_path, "r_down[9]", definitions=down)
    assert checked(file).states == 2
    assert "r_down calls itself more than 4 times" in limit(checked(file, calls="4"))
    file = machine(tmp_path, "r_a[]", definitions="rule r_a = par r_b[] r_b[] endpar rule r_b = r_a[]")
    assert "calls=16 allows more" in limit(checked(file))


def test_the_first_step_is_given_what_the_initial_state_says_of_inputs(tmp_path: Path) -> None:
    file = machine(tmp_path, COUNTS, initial="function go = false")
    assert (checked(file).states, checked(file).edges) == (5, 9)  # at first nothing goes
    assert checked(machine(tmp_path, COUNTS)).states == 4
    asked = machine(tmp_path, COUNTS, initial="function go = false", definitions="CTLSPEC ax(n = 0)")
    assert checked(asked).holds


def test_the_initial_state_may_depend_on_inputs(tmp_path: Path) -> None:
    file = machine(
        tmp_path,
        "at_first := go",
        signature="controlled at_first: Boolean derived it: Boolean",
        definitions="function it = go CTLSPEC at_first iff go CTLSPEC ag(go = true implies ax(at_first))",
        initial="function at_first = it",
    )
    assert checked(file).holds and len(load(ModelSpec(file)).executable().program.initial_states) == 2


def test_an_input_may_be_undef_if_the_machine_asks_for_it(tmp_path: Path) -> None:
    signature = "monitored pressed: Light controlled last: Light"
    rule = "if isDef(pressed) then last := pressed else n := 1 endif"
    assert checked(machine(tmp_path, rule, signature=signature)).states == 6  # three times two
    assert checked(machine(tmp_path, "last := pressed", signature=signature)).states == 3
    invar = "INVAR isUndef(pressed) or not go CTLSPEC ef(isUndef(pressed)) CTLSPEC ag(go implies isUndef(pressed))"
    assert checked(machine(tmp_path, rule, signature=signature, definitions=invar)).holds
    smv = machine(tmp_path, "if pressed != -2147483647 then last := pressed endif", signature=signature)
    assert checked(smv).states == 3


@pytest.mark.parametrize(
    ("rule", "asked"),
    [
        ("if x > 30 then n := 1 else if x = 10 then n := 2 endif endif", "ag(x < 31)"),
        ("if lt(x, n) then n := (n + 1) mod 4 endif", "ag(x > 60 implies ax(n < 2))"),
        ("switch x case 1: n := 1 case 5: n := 2 otherwise n := 0 endswitch", "ag(x = 3 implies ax(n = 0))"),
        ("let ($y = x) in r_between[5, 9, $y] endlet", "ag(hot implies ax(n = 0))"),
        ("if not hot and x != 0 - 7 then n := if go then 1 else 3 endif endif", "ag(x >= 0)"),
    ],
)
def test_an_input_that_is_only_compared_takes_one_number_of_each_kind(rule: str, asked: str, tmp_path: Path) -> None:
    parts = {
        "signature": "monitored x: Integer derived hot: Boolean derived same: Integer",
        "definitions": "function same = x function hot = same > 40 rule r_between($low in Integer, $high in Integer, "
        f"$y in Integer) = if $low <= $y and $y <= $high then n := 3 else n := 0 endif CTLSPEC {asked}",
    }
    few = load(ModelSpec(machine(tmp_path, rule, **parts)))
    assert any("x is only compared" in note for note in few.notes())
    answers = [asset.check(few), asset.check(load(ModelSpec(machine(tmp_path, rule, **parts), {"x": "{-20 : 70}"})))]
    assert answers[0].holds is answers[1].holds
    reached = [
        {each.state["n"] for each in answer.counterexample.steps} if answer.counterexample else None
        for answer in answers
    ]
    assert reached[0] == reached[1] and answers[0].edges < answers[1].edges


@pytest.mark.parametrize("above", ["47.0", "46", "45.25", "45 + 1/3"])
def test_a_real_input_may_be_between_two_numbers(above: str, tmp_path: Path) -> None:
    rule = f"if heat > 45.0 and heat < {above} then n := 1 endif"
    parts = {"signature": "monitored heat: Real", "definitions": "invariant over n: n = 0"}
    assert checked(machine(tmp_path, rule, **parts)).violation is not None
    whole = {**parts, "signature": "monitored heat: Integer"}
    assert (checked(machine(tmp_path, rule, **whole)).violation is not None) is (above == "47.0")


def test_a_step_with_many_inputs_chooses_those_that_it_asks_for(tmp_path: Path) -> None:
    names = [f"in{k}" for k in range(16)]
    arms = " ".join(f"if n = {k % 4} and light = {'RED' if k < 8 else 'GREEN'} then ASK endif" for k in range(8))
    signature = " ".join(f"monitored {name}: Boolean" for name in names)
    for name in names[::2]:
        arms = arms.replace("ASK", f"if {name} and {name[:2]}{int(name[2:]) + 1} then n := (n + 1) mod 4 endif", 1)
    file = machine(tmp_path, f"par {arms} endpar", signature=signature, definitions="CTLSPEC ag(n < 3)")
    loaded = load(ModelSpec(file))
    for engine in ("native", "reference"):
        verdict = asset.check(loaded, engine=engine)
        assert (verdict.states, verdict.edges) == (4, 4 * 9)  # two pairs; the second input if the first is true
        assert verdict.counterexample is not None
        assert "in2=true, in3=true" in verdict.counterexample.steps[2].code


def test_of_values_that_a_step_does_not_tell_apart_one_is_chosen(tmp_path: Path) -> None:
    parts = {
        "signature": "domain Percent subsetof Integer monitored a: Percent monitored b: Percent monitored c: Percent",
        "definitions": "domain Percent = {0 : 99} CTLSPEC ag(n < 2)",
    }
    rule = "if a > 20 then n := 1 else if b = 7 then n := if c > n then 2 else 3 endif endif endif"
    loaded = load(ModelSpec(machine(tmp_path, rule, **parts)))
    for engine in ("native", "reference"):
        verdict = asset.check(loaded, engine=engine, keep_going=True)
        assert (verdict.states, verdict.edges) == (
            4,
            4 * (1 + 1 + 5),
        )  # c is compared with 0 to 3, so it has five kinds
        assert verdict.counterexample is not None
        assert "a=0..20, b=7" in verdict.counterexample.steps[1].code
    assert checked(machine(tmp_path, rule.replace("c > n", "n > 0"), **parts)).edges < 20
    assert checked(machine(tmp_path, rule.replace("c > n", "c = 1 + b"), **parts)).edges > 100  # every c matters


def test_values_are_not_told_apart_in_loops_over_many_inputs(tmp_path: Path) -> None:
    parts = {
        "signature": "abstract domain D domain L subsetof Integer controlled on: D -> Boolean monitored f: D -> L",
        "definitions": "domain L = {0 : 9} invariant over on: true",
        "initial": "function on($d in D) = false",
    }
    rule = "forall $d in D do if f($d) > 5 then on($d) := true else on($d) := false endif"
    verdict = asset.check(load(ModelSpec(machine(tmp_path, rule, **parts), {"D": "4"})))
    assert (verdict.states, verdict.edges) == (16, 16 * 16)
    never = asset.check(
        load(ModelSpec(machine(tmp_path, rule.replace("> 5", "> 9"), **parts), {"D": "3"})), symmetry="auto"
    )
    assert never.holds and never.states == 1  # values are alike that no state has


def test_a_step_that_asks_for_too_many_inputs_leaves_the_answer_open(tmp_path: Path) -> None:
    names = [f"in{k}" for k in range(13)]
    signature = " ".join(f"monitored {name}: Boolean" for name in names)
    file = machine(tmp_path, f"n := if {' xor '.join(names)} then 1 else 0 endif", signature=signature)
    for engine in ("native", "reference"):
        said = limit(asset.check(load(ModelSpec(file, {"choices": "8191"})), engine=engine))
        assert "in the initial state" in said and "-p choices=131056 allows more" in said
    assert asset.check(load(ModelSpec(file))).edges == 2 * 2**13


def test_a_violation_found_before_a_step_beyond_a_limit_is_the_answer(tmp_path: Path) -> None:
    for_ever = "seq n := 1 while true do light := if light = RED then GREEN else RED endif endseq"
    file = machine(tmp_path, f"if n = 0 then n := 2 else {for_ever} endif", definitions="invariant inv over n: n < 2")
    verdict = asset.check(load(ModelSpec(file)), keep_going=True)
    assert verdict.exit_status == 1 and verdict.violation is not None and verdict.violation.property == "inv"
    assert not verdict.further and verdict.caveats[0].code == "step-limit"
    assert "after 1 step" in limit(checked(machine(tmp_path, f"if n = 0 then n := 2 else {for_ever} endif")))


def test_what_is_wrong_within_the_limits_is_found_behind_a_step_beyond_them(tmp_path: Path) -> None:
    make = "extend D with $d do par last := $d n := n + 1 endpar"
    wait = "if n < 3 then n := n + 1 endif"
    rule = f"choose $b in Boolean with true do if $b and n < 3 then {make} else {wait} endif"
    parts = {"signature": "abstract domain D controlled last: D", "definitions": "invariant low over n: n < 3"}
    file = machine(tmp_path, rule, **parts)
    for engine in ("native", "reference"):
        verdict = asset.check(load(ModelSpec(file, {"D": "1"})), engine=engine)
        assert verdict.violation is not None and verdict.violation.property == "low"
        assert verdict.caveats[0].code == "step-limit"
        assert verdict.counterexample is not None and len(verdict.counterexample.steps) == 4
    parts["definitions"] = "invariant low over n: n < 6 CTLSPEC ag(n < 6)"
    file = machine(tmp_path, rule, **parts)
    verdict = asset.check(load(ModelSpec(file, {"D": "1"})))
    assert verdict.exit_status == 3 and {each.answer for each in verdict.checked} == {Answer.UNDECIDED}


def test_a_limit_is_not_called_an_error_of_the_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = machine(tmp_path, "extend D with $d do last := $d", signature="abstract domain D controlled last: D")
    assert main(["run", file, "-p", "D=1"]) == 0
    assert main(["simulate", file, "-p", "D=1", "--steps", "5"]) == 3
    assert main(["check", file, "-p", "D=1", "--keep-going"]) == 3
    said = capsys.readouterr().out
    assert "model error " not in said and "a limit was reached" in said and "steps beyond a limit were left out" in said


def test_a_limit_comes_before_what_an_approximate_store_may_omit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = machine(tmp_path, "while true do light := if light = RED then GREEN else RED endif")
    assert main(["check", file, "--store", "compact", "--max-memory", "64M"]) == 3
    assert "rounds in a step" in capsys.readouterr().out.partition("\n")[0]


def test_an_input_of_which_only_is_asked_whether_it_is_there_needs_no_bound(tmp_path: Path) -> None:
    file = machine(tmp_path, "if x = undef then n := 1 else n := 2 endif", signature="monitored x: Integer")
    assert checked(file).states == 3
