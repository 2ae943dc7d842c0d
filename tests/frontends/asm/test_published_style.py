"""What published machines of AsmetaL have besides the constructs of the corpus: libraries, imports, outputs, limits."""

from __future__ import annotations

from pathlib import Path

import pytest

import asset
from asset.errors import ModelRejected
from asset.languages import ModelSpec, load
from asset.verdict import Verdict

HEAD = """\
asm m
import ../STDL/StandardLibrary
import ../../STDL/CTLlibrary
import LTLlibrary
signature:
    domain N subsetof Integer
    enum domain Light = {{RED | GREEN}}
    controlled n: N
    controlled light: Light
    monitored go: Boolean
    {signature}
definitions:
    domain N = {{0 : 3}}
    {definitions}
    main rule r_Main = {rule}
default init s0:
    function n = 0
    function light = RED
    {initial}
"""


def machine(tmp_path: Path, rule: str = "skip", **parts: str) -> str:
    file = tmp_path / "m.asm"
    blank = {"signature": "", "definitions": "", "initial": ""}
    file.write_text(HEAD.format(rule=rule, **(blank | parts)))
    return str(file)


def checked(file: str, **given: str) -> Verdict:
    return asset.check(load(ModelSpec(file, given)), engine="reference")


COUNTS = "if go and n < 3 then n := n + 1 endif"


@pytest.mark.parametrize(
    ("asked", "holds"),
    [
        ("CTLSPEC e(n < 3, n = 3)", True),
        ("CTLSPEC a(n < 3, n = 3)", False),
        ("CTLSPEC absenceG(n = 3)", False),
        ("CTLSPEC absenceBefore(n = 2, n = 1)", True),
        ("CTLSPEC absenceBefore(n = 1, n = 2)", False),
        ("CTLSPEC absenceAfter(n = 0, n = 1)", True),
        ("CTLSPEC absenceBetween(n = 3, n = 1, n = 2)", True),
        ("CTLSPEC absenceAfterUntil(n = 2, n = 1, n = 3)", False),
        ("CTLSPEC ap(n = 2, n = 1)", True),
        ("CTLSPEC pb(n = 1, n = 2, n = 3)", False),
        ("CTLSPEC exN(n = 3, 3n)", True),
        ("CTLSPEC axN(n = 1, 1)", False),
        ("CTLSPEC (named): ag(n <= 3)", True),
        ("INVARIANT inv_n over n: n < 3", False),
        ("invariant over n, light(Light): n <= 3", True),
        ("JUSTICE go LTLSPEC f(n = 3)", True),
        ("FAIRNESS n = 0 LTLSPEC g(n = 0)", True),
        ("COMPASSION (true, go) ltlspec f(n = 3)", True),
        ("COMPASSION (go, n = 3) LTLSPEC f(n = 3)", False),
        ("INVAR go CTLSPEC ag(go) and af(n = 3)", True),
        ("INVAR n = 3 implies not go CTLSPEC ef(n = 3) and ag(n = 3 implies not go)", True),
        ("INVAR n < 2 CTLSPEC ag(n < 2) and ef(n = 1)", True),
        ("CTLSPEC n = 1 implies n = 2 implies n = 3", False),
        ("CTLSPEC n = 1 implies (n = 2 implies n = 3)", True),
        ("CTLSPEC n = 1 iff n = 2 implies n = 3", False),
    ],
)
def test_properties_of_the_libraries_mean_what_they_say(asked: str, holds: bool, tmp_path: Path) -> None:
    assert checked(machine(tmp_path, COUNTS, definitions=asked)).holds is holds


@pytest.mark.parametrize(
    ("term", "value"),
    [
        ("idiv(0 - 7, 2) + 4", 1),
        ("(0 - 7) mod 3 + 4", 3),
        ("plus(minus(5, 4), mult(1, 2))", 3),
        ("max(min(n, 2), 1)", 1),
        ("size({0 : 9, 4})", 3),
        ("at([3, 2, 1], 1n)", 2),
        ("at({1 -> 3, 2 -> 1}, 2)", 1),
        ("at(assign({1 -> 3}, 1, 2), 1)", 2),
        ("indexOf([4, 5, 6], 6)", 2),
        ("length(subSequence([1, 2, 3, 4], 1, 3))", 2),
        ("first((3, 1))", 3),
        ("third((3, 1, 2))", 2),
        ("length([1 : 3])", 3),
        ("count(<1, 2, 1>, 1)", 2),
        ("sum(<1 : 2>)", 3),
        ("count(asBag([n, 0, 1]), 0)", 2),
        ("size(range(1, 4))", 3),
        ("at((3, 2, 1), 2)", 1),
        ("indexOf((3, 2, 1), 1)", 2),
        ("last(excluding([1, 2, 1], 1))", 1),
        ("length([$x in [1, 5, 1] | $x < 3 : $x])", 2),
        ('size(concat("a", toString(12)))', 3),
        ('if contains("abc", "b") and toUpper("x") = "X" then toInteger("2") else 0 endif', 2),
        ("if (exist $k in N) and not (forall $k in N with $k > 0) then 1 else 0 endif", 1),
        ("chooseone({3})", 3),
        ("iton(n) + 1", 1),
        ("sum({1, 2})", 3),
        ("if eq(n, 0) and lt(n, 1) and not(gt(n, 0)) then 3 else 0 endif", 3),
        ("let ($x = 1, $y = 2) in $x + $y endlet", 3),
        ("switch (n, light) case (0, RED): 2 otherwise 1 endswitch", 2),
        ("if exist $k in N with $k > 2 then 1 else 0 endif", 1),
    ],
)
def test_functions_of_the_standard_library(term: str, value: int, tmp_path: Path) -> None:
    rule = f"if light = RED then par n := {term} light := GREEN endpar endif"
    file = machine(tmp_path, rule, definitions=f"CTLSPEC ag(light = GREEN implies n = {value})")
    assert checked(file).holds


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"signature": "monitored x: Integer", "rule": "if x = 1 then skip endif"}, "x has infinitely many values"),
        ({"signature": "monitored s: String", "rule": 'if s = "a" then skip endif'}, "s can be any text"),
        ({"signature": "abstract domain D", "rule": "extend D with $d do skip"}, "nothing says how many there may be"),
        ({"signature": "controlled c: Complex", "rule": "c := undef"}, "Complex is not part of what is read"),
        ({"signature": "abstract domain D controlled d: D", "rule": "d := undef"}, "D, which has no elements"),
        ({"rule": "n := n / 2"}, "/ gives a real number"),
        ({"rule": "if n > 1.5 then skip endif"}, "a real number is not part of what is read"),
        ({"rule": "n := sqrt(n)"}, "sqrt of the standard library is not part of what is read"),
        ({"signature": "controlled b: Bag(N)", "rule": "b := <n>"}, "any number of an element"),
        ({"signature": "controlled s: String", "rule": 's := concat(s, "a")'}, "a text that the machine does not"),
        ({"signature": "controlled r: Rule", "rule": "par r := <<r_Main>> r[n] endpar"}, "takes 1 arguments"),
        ({"rule": "let ($x = 1) in $x := 2 endlet"}, r"\$x stands for a value"),
        ({"rule": "forall $x in N do if chooseone({$x, 1}) = 1 then skip endif"}, "chooseone for each round"),
        ({"signature": "static f: N -> N static f: Light -> N", "rule": "skip"}, "f is declared twice"),
        ({"rule": "light <- r_Main[]"}, "has no result"),
        ({"definitions": "INVAR n = 1"}, "no initial state is left"),
        ({"rule": "n := 999999999"}, "a number beyond 134,217,727"),
    ],
)
def test_what_is_not_read_is_said_with_a_remedy(parts: dict[str, str], said: str, tmp_path: Path) -> None:
    with pytest.raises(ModelRejected, match=said) as rejected:
        load(ModelSpec(machine(tmp_path, **parts)))
    assert all(each.remedy for each in rejected.value.diagnostics)


def test_rounds_and_new_elements_have_limits_that_can_be_asked_for(tmp_path: Path) -> None:
    file = machine(tmp_path, "seq n := 0 while n < 3 do n := n + 1 endseq")
    assert checked(file).holds
    violation = checked(file, rounds="2").violation
    assert violation is not None and "more than 2 rounds" in violation.message
    file = machine(tmp_path, "seq n := 0 whilerec n < 3 do n := n + 1 endseq")
    assert checked(file).holds
    file = machine(tmp_path, "extend D with $d do last := $d", signature="abstract domain D controlled last: D")
    violation = checked(file, D="2").violation
    assert violation is not None and "all its elements exist" in violation.message


def test_rules_that_call_themselves_have_a_limit_that_can_be_asked_for(tmp_path: Path) -> None:
    down = "rule r_down($k in Integer) = if $k > 0 then r_down[$k - 1] else n := 3 endif"
    file = machine(tmp_path, "r_down[9]", definitions=down)
    assert checked(file).states == 2
    violation = checked(file, calls="4").violation
    assert violation is not None and "r_down calls itself more than 4 times" in violation.message
    file = machine(tmp_path, "r_a[]", definitions="rule r_a = par r_b[] r_b[] endpar rule r_b = r_a[]")
    violation = checked(file).violation
    assert violation is not None and "calls=16 allows more" in violation.message


def test_firing_what_is_no_rule_is_a_model_error(tmp_path: Path) -> None:
    file = machine(tmp_path, "par job if n = 5 then job := <<r_Main>> endif endpar", signature="controlled job: Rule")
    violation = checked(file).violation
    assert violation is not None and "there is no rule to fire" in violation.message


def test_functions_and_rules_of_one_name_are_told_apart_by_their_arguments(tmp_path: Path) -> None:
    file = machine(
        tmp_path,
        "choose $a in N with $a < 2 do par r_set[$a] r_set[$a, 1 - $a] count := count([n], 0) endpar",
        signature="controlled w: N -> Boolean controlled w: Prod(N, N) -> Boolean controlled count: N",
        definitions="rule r_set($a in N) = w($a) := true rule r_set($a in N, $b in N) = w($a, $b) := w($b)",
    )
    assert checked(file).states == 6  # nothing, w(a), then w(b) and w(b, a), then all


def test_an_output_of_any_text_is_not_stored(tmp_path: Path) -> None:
    file = machine(tmp_path, 'out1 := "n is " + toString(n)', signature="out out1: String controlled all: Any")
    assert checked(file).states == 1
    kept = machine(tmp_path, 'out1 := "a" + "b"', signature="out out1: String")
    assert checked(kept).states == 2


def test_outputs_that_nothing_reads_are_not_stored_and_a_note_says_so(tmp_path: Path) -> None:
    rule = 'par out1 := "text" out1 := n out2 := n * n endpar'
    subject = load(ModelSpec(machine(tmp_path, rule, signature="out out1: Any out out2: Integer monitored x: Integer")))
    assert any("out1, out2 are not stored" in note for note in subject.notes())
    assert asset.check(subject, engine="reference").states == 1


def test_timers_expire_in_any_step(tmp_path: Path) -> None:
    file = machine(
        tmp_path,
        "if expired(t1) then par light := GREEN r_reset_timer[t1] endpar endif",
        signature="static t1: Timer",
        definitions="CTLSPEC ef(light = GREEN) and not af(light = GREEN)",
        initial="function duration($t in Timer) = 10 function start($t in Timer) = initStart($t)",
    )
    text = Path(file).read_text().replace("import LTLlibrary", 'import "../STDL/TimeLibrary"')
    Path(file).write_text(text)
    subject = load(ModelSpec(file))
    assert asset.check(subject, engine="reference").holds
    assert any("timer" in note for note in subject.notes())


def test_comments_may_be_in_latin_1(tmp_path: Path) -> None:
    file = Path(machine(tmp_path, COUNTS))
    file.write_bytes(b"/* perch\xe9 */\r\n" + file.read_bytes().replace(b"\n", b"\r\n"))
    assert checked(str(file)).states == 4


def test_elements_of_an_abstract_domain_are_alike(tmp_path: Path) -> None:
    file = machine(
        tmp_path,
        "choose $d in D with $d != last do par on($d) := not on($d) last := $d endpar",
        signature="abstract domain D controlled on: D -> Boolean controlled last: D",
        initial="function on($d in D) = false",
    )
    subject = load(ModelSpec(file, {"D": "4"}))
    plain, reduced = (asset.check(subject, engine="reference", symmetry=how) for how in ("off", "auto"))
    assert reduced.states < plain.states / 6


def test_agents_are_alike_if_some_steps_ask_for_none_of_them(tmp_path: Path) -> None:
    file = machine(
        tmp_path,
        "if light = RED then par on(who) := not on(who) light := GREEN endpar else light := RED endif",
        signature="abstract domain D controlled on: D -> Boolean monitored who: D",
        initial="function on($d in D) = false",
    )
    subject = load(ModelSpec(file, {"D": "4"}))
    plain, reduced = (asset.check(subject, engine="reference", symmetry=how) for how in ("off", "auto"))
    assert (plain.states, reduced.states) == (32, 10)


def test_a_comment_that_says_something_else_is_no_constraint(tmp_path: Path) -> None:
    file = Path(machine(tmp_path, COUNTS))
    file.write_text("//@ parser says that all is well\n" + file.read_text())
    assert checked(str(file)).states == 4


@pytest.mark.parametrize(
    ("rule", "kind"),
    [
        ("n := n + 1", "range"),
        ("par n := 1 if go then n := 2 endif endpar", "conflict"),
        ("n := 3 mod n", "model-error"),
    ],
)
def test_conflicts_and_ranges_are_kinds_of_their_own(rule: str, kind: str, tmp_path: Path) -> None:
    violation = checked(machine(tmp_path, rule)).violation
    assert violation is not None and violation.kind == kind
