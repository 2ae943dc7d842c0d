"""What published machines of AsmetaL have besides the constructs of the corpus: libraries, imports, outputs, limits."""

from __future__ import annotations

from pathlib import Path

import pytest
from published_machines import COUNTS, checked, machine

import asset
from asset.cli.main import main
from asset.errors import ModelRejected, UsageError
from asset.languages import ModelSpec, load


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
        ("LTLSPEC g(n = 3 implies o(n = 2))", True),
        ("LTLSPEC g(n = 0 implies o(n = 1))", False),
        ("LTLSPEC g(o(n = 0))", True),
        ("LTLSPEC g(n = 2 implies h(n < 3))", True),
        ("LTLSPEC g(n = 2 implies h(n > 0))", False),
        ("LTLSPEC g(n = 1 implies y(n < 2))", True),
        ("LTLSPEC g(n = 0 implies y(n = 0))", False),
        ("LTLSPEC g(n = 0 implies z(n = 0))", True),
        ("LTLSPEC g(n = 1 implies z(n = 0))", False),
        ("LTLSPEC g(n = 2 implies o(n = 1) and o(n = 0) and n != 0)", True),
        ("LTLSPEC g(n = 2 implies o(n = 1) and o(n = 3))", False),
        ("LTLSPEC f(o(n = 0))", True),
        ("LTLSPEC f(n = 3) implies f(o(n = 2) and n = 3)", True),
        ("LTLSPEC g(n = 3 implies s(n > 0, n = 1))", True),
        ("LTLSPEC g(n = 3 implies s(n > 1, n = 1))", True),
        ("LTLSPEC g(n = 3 implies s(n > 2, n = 1))", False),
        ("LTLSPEC g(n < 3 implies t(n = 3, n < 3))", True),
        ("LTLSPEC g(t(n = 2, n < 3))", False),
        ("LTLSPEC g(n = 3 implies t(n = 2, n > 1))", True),
        ("LTLSPEC g(n = 3 implies t(n = 0, n > 1))", False),
        ("LTLSPEC g(n = 3 implies o(n = 2 and o(n = 1 and o(n = 0))))", True),
        ("LTLSPEC g(n = 3 implies o(n = 1 and o(n = 2)))", False),
        ("LTLSPEC g(n = 2 implies o(n = 1 and y(n = 0)))", True),
        ("LTLSPEC g(y(y(n = 2)) implies n >= 2)", True),
        ("LTLSPEC g(y(y(n = 2)) implies n > 2)", False),
        ("LTLSPEC g(z(z(n = 0)) implies n <= 2)", True),
        ("LTLSPEC not f(y(n = 3) and n < 3)", True),
        ("LTLSPEC y(true)", False),
        ("LTLSPEC z(false) and h(n = 0) and o(n = 0)", True),
        ("LTLSPEC x(o(n = 0) and h(n < 2))", True),
        ("LTLSPEC f(comes_after(n = 3, n = 3)) and f(comes_after(n = 0, n = 0) and comes_after(n = 0, n = 1))", False),
        ("JUSTICE go LTLSPEC f(n = 3 and s(not (n = 0), n = 1))", True),
        ("JUSTICE go LTLSPEC g(leads(n = 0, {n = 1, n = 3}))", True),
        ("JUSTICE go LTLSPEC g(leads(n = 1, {n = 0, n = 3}))", False),
        ("LTLSPEC g(comes_after(n = 2, n = 1))", True),
        ("LTLSPEC g(comes_after(n = 1, n = 2))", False),
    ],
)
def test_properties_of_the_libraries_mean_what_they_say(asked: str, holds: bool, tmp_path: Path) -> None:
    patterns = (
        "function leads($p in Boolean, $s in Powerset(Boolean)) = $p implies (forall $e in $s with f($e)) "
        "function comes_after($p in Boolean, $q in Boolean) = $p implies o($q) "
    )
    file = machine(
        tmp_path,
        COUNTS,
        signature="derived leads: Prod(Boolean, Powerset(Boolean)) -> Boolean "
        "derived comes_after: Prod(Boolean, Boolean) -> Boolean",
        definitions=patterns + asked,
    )
    assert checked(file).holds is holds


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
        ("if isUndef(tail([$x in N | $x > n + 2 : $x])) then 0 else 1 endif", 1),
        ("if isUndef(tail([$x in N | $x > n + 3 : $x])) and isUndef(tail([])) then 3 else 1 endif", 3),
        ("if isUndef(replaceAt([n], 1, 2)) and isUndef(replaceAt([0], undef, 2)) then 3 else 1 endif", 3),
        ("if isUndef(subSequence([n], n, n + 2)) and isUndef(subSequence([0], 1, 0)) then 3 else 1 endif", 3),
        ("if n = 0 = n < 1 then 3 else 1 endif", 3),
        ("size({$x in Prod(N, Light) | first($x) = n : $x})", 2),
        ("size({$x in Powerset(Light) | contains($x, light) : 3})", 1),
        ("if (exist $s in Powerset(N) with size($s) = 3 and allin($s, {n})) then 3 else 1 endif", 3),
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
        ({"signature": "monitored x: Integer", "rule": "if x + n = 1 then skip endif"}, "x has infinitely many values"),
        ({"signature": "monitored s: String", "rule": "if size(s) = 1 then skip endif"}, "s can be any text"),
        ({"signature": "abstract domain D", "rule": "extend D with $d do skip"}, "nothing says how many there may be"),
        ({"signature": "controlled c: Complex", "rule": "c := undef"}, "Complex is not part of what is read"),
        ({"signature": "abstract domain D controlled d: D", "rule": "d := undef"}, "D, which has no elements"),
        ({"rule": "n := floor(1 / (1 + sum({$x in N | $x < n})) + n)"}, "needs a divisor of which the text tells"),
        ({"signature": "controlled a: Powerset(Powerset(Powerset(N)))", "rule": "a := {}"}, "cannot be stored"),
        ({"signature": "controlled a: Any", "rule": "n := a"}, "a can be anything"),
        ({"rule": "n := i2.5"}, "a complex number is not part of what is read"),
        ({"definitions": "LTLSPEC (forall ($a, $b) in {n} with f(n = $a))"}, "binds a variable"),
        ({"rule": "if n > 1.123456789012 then skip endif"}, "a number that needs more than 134,217,727 parts"),
        ({"rule": "if n > 1.5 ^ n then skip endif"}, "a power of a fraction needs an exponent that is known"),
        ({"rule": "n := sqrt(n)"}, "sqrt of the standard library is not part of what is read"),
        ({"signature": "controlled b: Bag(N)", "rule": "b := <n>"}, "any number of an element"),
        ({"signature": "controlled s: String", "rule": 's := concat(s, "a")'}, "a text that the machine does not"),
        ({"signature": "controlled r: Rule", "rule": "par r := <<r_Main>> r[n] endpar"}, "takes 1 arguments"),
        ({"rule": "let ($x = 1) in $x := 2 endlet"}, r"\$x stands for a value"),
        ({"rule": "if (exist $x in N with chooseone({$x, n}) = 1) then skip endif"}, "chooseone for each round"),
        ({"signature": "static f: N -> N static f: N -> Light", "rule": "skip"}, "f is declared twice"),
        ({"rule": "light <- r_Main[]"}, "has no result"),
        (
            {"signature": "abstract domain Room static hall: Room", "rule": "hall := undef"},
            "hall is an element",
        ),
        ({"signature": "controlled f: N -> N", "rule": "f := 1"}, "f takes 1 argument, and is given 0"),
        ({"definitions": "INVAR n = 1"}, "no initial state is left"),
        ({"rule": "n := 999999999"}, "a number beyond 134,217,727"),
        ({"definitions": "LTLSPEC o(f(n = 1))"}, "the operands of o are about states and the past"),
        ({"definitions": "LTLSPEC (forall $k in N with f(o(n = $k)))"}, "is bound outside of o"),
        ({"definitions": "LTLSPEC f(s(n = 1))"}, "s takes 2 terms"),
        (
            {"rule": "local f: Prod(N, N, N, N) -> N [skip] n := f(1, 1, 1, 1)"},
            "the local function f has no locations, or",
        ),
        ({"rule": "try choose $x in N with true do n := $x catch n skip"}, "a rule behind try cannot choose"),
        (
            {"definitions": "rule r_set($l in N) = $l := 2", "rule": "local k: N [k := 1] try r_set[k] catch n n := k"},
            "a rule behind try cannot update what is local",
        ),
        ({"signature": "domain P = Prod(N, N)"}, "P is not declared"),
        ({"definitions": "rule r_a = skip", "rule": "r_a"}, "r_a is a rule, and is called with brackets"),
        ({"definitions": "CTLSPEC exN(2, n = 1)"}, "exN takes a formula and a number of steps"),
        ({"rule": "local f: N [par f := n f := 1 endpar] n := f"}, "may be given two values at once"),
        ({"rule": "local f: N [forall $x in N do f := $x] n := f"}, "may be given two values at once"),
    ],
)
def test_what_is_not_read_is_said_with_a_remedy(parts: dict[str, str], said: str, tmp_path: Path) -> None:
    with pytest.raises(ModelRejected, match=said) as rejected:
        load(ModelSpec(machine(tmp_path, **parts)))
    assert all(each.remedy for each in rejected.value.diagnostics)


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


def test_functions_of_one_name_are_told_apart_by_the_domains_of_their_arguments(tmp_path: Path) -> None:
    parts = {
        "signature": "domain Cat subsetof Agent domain Dog subsetof Agent static tom: Cat static rex: Dog "
        "controlled at: Cat -> N controlled at: Dog -> N static pop: Seq(Cat) -> N static pop: Seq(Dog) -> N",
        "definitions": "function pop($s in Seq(Cat)) = 1 function pop($s in Seq(Dog)) = 2 "
        "CTLSPEC ag((forall $c in Cat with at($c) != 2) and at(rex) != 1)",
        "initial": "function at($c in Cat) = 0 function at($d in Dog) = 3",
    }
    rule = "forall $c in Cat, $d in Dog do par at($c) := pop([tom]) let ($e = $d) in at($e) := pop([$d]) endlet endpar"
    assert checked(machine(tmp_path, "par at(tom) := 1 at(rex) := 2 endpar", **parts)).holds
    with pytest.raises(ModelRejected, match="pop is declared twice"):
        load(ModelSpec(machine(tmp_path, rule, **parts)))  # of what a sequence is, its text does not tell


def test_rules_of_one_name_are_told_apart_by_the_domains_of_their_arguments(tmp_path: Path) -> None:
    rules = "rule r_set($k in N, $x in Light) = light := $x rule r_set($k in N, $x in Integer) = n := $x"
    file = machine(tmp_path, "if light = RED then r_set[n, GREEN] else r_set[1, n + 1] endif", definitions=rules)
    assert checked(file, n="0:9").violation is not None  # n grows, and leaves its range
    unclear = machine(tmp_path, "let ($x = first((n, 1))) in r_set[n, $x] endlet", definitions=rules)
    with pytest.raises(ModelRejected, match="r_set is declared twice"):
        load(ModelSpec(unclear))


def test_the_program_of_agents_may_be_a_rule_without_a_name(tmp_path: Path) -> None:
    agents = "domain Walker subsetof Agent static one: Walker static two: Walker controlled at: Walker -> N"
    step = "if at(self) < 2 then at(self) := at(self) + 1 endif"
    program = f"function at($w in Walker) = 0 agent Walker: par {step} skip endpar"
    file = machine(tmp_path, "choose $w in Walker do program($w)", signature=agents, initial=program)
    assert checked(file).states == 9


def test_a_part_of_the_texts_has_those_that_it_is_said_to_have(tmp_path: Path) -> None:
    parts = {"signature": "domain Word subsetof String monitored said: Word controlled last: Word"}
    file = machine(tmp_path, "last := said", definitions='domain Word = {"stop", "go"}', **parts)
    assert checked(file).states == 3
    with pytest.raises(ModelRejected, match="said can be any text"):
        load(ModelSpec(machine(tmp_path, "last := said", **parts)))


def test_functions_may_take_values_of_any_domain(tmp_path: Path) -> None:
    file = machine(
        tmp_path,
        "n := known(light) + known(n)",
        signature="anydomain Thing static known: Thing -> N",
        definitions="function known($x in Thing) = if isDef($x) then 1 else 0 endif",
    )
    assert checked(file).states == 2


def test_numbers_need_no_constraint_if_the_text_tells_them(tmp_path: Path) -> None:
    file = machine(
        tmp_path,
        "par a := if go then 3 else b * 2 endif b := (b + 1) mod 3 called(b, 7) := go r_note[b + 5] endpar",
        signature="controlled a: Integer controlled b: Integer controlled c: Integer controlled called: Prod(Integer, "
        "Integer) -> Boolean monitored at: Integer -> Boolean",
        definitions="rule r_note($x in Integer) = if at($x) then c := $x endif",
        initial="function b = 0 function a = 4.0",
    )
    loaded = load(ModelSpec(file))
    assert any("a, b, c, called, at" in note for note in loaded.notes())
    assert asset.check(loaded, engine="reference").holds
    large = {"signature": "domain Big subsetof Integer controlled d: Big", "definitions": "domain Big = {0 : 5000}"}
    assert not any("d can be" in note for note in load(ModelSpec(machine(tmp_path, "d := 3", **large))).notes())
    growing = machine(tmp_path, "a := a + 1", signature="controlled a: Integer", initial="function a = 0")
    with pytest.raises(ModelRejected, match="a has infinitely many values"):
        load(ModelSpec(growing))


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


def test_an_input_of_an_output_that_nothing_reads_need_not_be_finite(tmp_path: Path) -> None:
    signature = "out out1: Integer monitored time: Integer"
    assert checked(machine(tmp_path, "out1 := time + 1", signature=signature)).states == 1


def test_a_quotient_that_is_rounded_at_once_is_a_whole_number(tmp_path: Path) -> None:
    rule = "n := if go then rtoi(7 / 2) - floor(n / 2) else rton((n + 3) / 2) - 1 endif"
    states = checked(machine(tmp_path, rule)).states
    assert states == checked(machine(tmp_path, rule.replace("rtoi(7 / 2)", "3"))).states == 4
    assert checked(machine(tmp_path, "n := rtoi(1 + n / 2)")).states == 2


def test_a_module_that_is_imported_along_two_ways_is_read_once(tmp_path: Path) -> None:
    text = Path(machine(tmp_path, "if level < 3 then level := level + 1 endif")).read_text()
    (tmp_path / "sub").mkdir()
    (tmp_path / "m.asm").write_text(text.replace("import LTLlibrary", "import sub/one\nimport sub/../base"))
    (tmp_path / "sub" / "one.asm").write_text("module one import ../base export * signature: definitions:")
    (tmp_path / "base.asm").write_text(
        "module base export * signature: domain L subsetof Integer controlled level: L definitions: domain L = {0 : 3}"
    )
    assert checked(str(tmp_path / "m.asm")).states == 1  # level is undef


def test_a_loop_may_be_inside_another(tmp_path: Path) -> None:
    sort = """seq i := 0
        while i < 5 do seq
            j := 0
            while j < 5 - i do seq
                if a(j) > a(j + 1) then par a(j) := a(j + 1) a(j + 1) := a(j) endpar endif
                j := j + 1
            endseq
            i := i + 1
        endseq endseq"""
    parts = {
        "signature": "domain I subsetof Integer controlled a: I -> I controlled i: I controlled j: I",
        "definitions": "domain I = {0 : 5} invariant over a: i = 5 implies (forall $k in {0 : 5} with a($k) = $k)",
        "initial": "function i = 0 function a($k in I) = 5 - $k",
    }
    for engine in ("native", "reference"):
        verdict = asset.check(load(ModelSpec(machine(tmp_path, sort, **parts))), engine=engine)
        assert verdict.holds and verdict.states == 2
    beside = machine(tmp_path, f"par {sort} forall $x in I with $x < 2 do seq j := 1 j := 1 endseq endpar", **parts)
    with pytest.raises(ModelRejected, match="are more than 64"):
        load(ModelSpec(beside))


def test_a_loop_ends_with_a_round_that_updates_nothing(tmp_path: Path) -> None:
    idle = "while true do if n < 3 then n := n + 1 endif"
    assert checked(machine(tmp_path, idle)).states == 2
    beside = f"par {idle} if n = 3 then n := 3 endif endpar"
    assert checked(machine(tmp_path, beside)).states == 2


def test_an_element_of_a_sequence_that_is_undef_is_called_so(tmp_path: Path) -> None:
    parts = {"signature": "controlled s: Seq(D) enum domain D = {A | B} controlled d: D", "initial": "function s = []"}
    wrong = checked(machine(tmp_path, "s := [d, A]", **parts)).violation
    assert wrong is not None and "an element of s is undef" in wrong.message
    with pytest.raises(ModelRejected, match="an element of s is undef"):
        load(ModelSpec(machine(tmp_path, "s := [A, undef]", **parts)))


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


@pytest.mark.parametrize(
    ("parts", "states"),
    [
        ({"signature": "controlled x: Integer", "rule": "x := plus(n, 1)", "initial": "function x = 0"}, 2),
        ({"signature": "controlled q: Seq(Integer)", "rule": "q := [7, n]"}, 2),
        ({"signature": "controlled m: Map(N, Integer)", "rule": "m := {1 -> 5, 2 -> 70}"}, 2),
        ({"signature": "controlled s: Powerset(Integer)", "rule": "s := including({n}, 9)"}, 2),
        (
            {
                "signature": "controlled s: Powerset(Integer) controlled x: Integer",
                "definitions": "//@ s in {4, 5}",
                "rule": "par s := {4, 5} choose $k in s with true do x := $k endpar",
            },
            4,
        ),
        (
            {
                "signature": "controlled a: Integer -> Boolean",
                "rule": "forall $i in {0 : n} with true do a($i) := true",
            },
            2,
        ),
    ],
)
def test_bounds_that_the_text_tells_are_not_too_small(parts: dict[str, str], states: int, tmp_path: Path) -> None:
    verdict = checked(machine(tmp_path, **parts))
    assert verdict.violation is None and verdict.states == states


def test_an_interval_may_depend_on_the_state(tmp_path: Path) -> None:
    asked = "CTLSPEC ag((forall $k in {1 : n} with $k <= n) and size({0 : n}) = n + 1)"
    assert checked(machine(tmp_path, COUNTS, definitions=asked)).holds


def test_each_choice_of_the_initial_state_begins_a_run(tmp_path: Path) -> None:
    parts = {"signature": "controlled a: N -> N controlled b: N", "initial": "function b = a(0) + a(1)"}
    parts["initial"] += " function a($k in N) = if $k < 2 then chooseone({0, 1}) else 3 endif"
    verdict = checked(machine(tmp_path, definitions="CTLSPEC ag(b = a(0) + a(1))", **parts))
    assert verdict.holds and verdict.states == 4


def test_lengths_and_elements_of_sequences_can_both_be_given(tmp_path: Path) -> None:
    file = machine(
        tmp_path,
        "if n < 3 then par q := append(q, n) n := n + 1 endpar endif",
        signature="controlled q: Seq(Integer)",
        initial="function q = []",
    )
    assert checked(file, **{"length(q)": "3", "q": "0:2"}).holds
    assert main(["check", file, "-p", "length(q)=3", "-p", "q=0:2", "--quiet"]) == 0
    violation = checked(file, **{"length(q)": "2", "q": "0:2"}).violation
    assert violation is not None and "length" in violation.message
    with pytest.raises(UsageError, match=r"length\(p\)=2"):
        checked(file, **{"length(p)": "2", "q": "0:2"})


def test_a_sequence_that_a_rule_is_given_as_a_location_may_be_of_any_length(tmp_path: Path) -> None:
    signature, rules = "controlled q: Seq(N) controlled p: Seq(N)", "rule r_add($l in Seq(N)) = $l := append($l, 0)"
    rule, initial = "par r_add[p] q := p endpar", "function p = [] function q = []"
    with pytest.raises(ModelRejected, match="the sequences of q may have any length"):
        checked(machine(tmp_path, rule, signature=signature, definitions=rules, initial=initial))


@pytest.mark.parametrize(
    ("parts", "states"),
    [
        ({"rule": "if n notin {0, 3} then n := 3 else n := n + 1 - idiv(n, 3) endif"}, 3),
        ({"rule": "seq n := 0 recwhile n < 3 do n := n + 1 endseq"}, 2),
        ({"rule": "n := n + 1 - print(n)", "definitions": "axiom small over n: n < 1"}, 1),
        ({"rule": "if mCurrTimeSecs > 3 then n := 1 endif"}, 2),
        ({"signature": "monitored word: String", "rule": 'if word != "go" then n := 1 endif'}, 2),
        (
            {
                "signature": "monitored word: N -> String static code: N -> String",
                "definitions": 'function code($x in N) = if $x = 0 then "a" else "b" endif',
                "rule": "let ($w = word(0)) in if $w = code(n) then n := 1 else n := 2 endif endlet",
            },
            3,
        ),
    ],
)
def test_words_of_the_notation_that_few_machines_use(parts: dict[str, str], states: int, tmp_path: Path) -> None:
    verdict = checked(machine(tmp_path, **parts))
    assert verdict.holds and verdict.states == states


def test_a_text_that_is_more_than_compared_needs_a_constraint(tmp_path: Path) -> None:
    parts = {"signature": "monitored word: String controlled kept: String", "rule": "kept := word"}
    with pytest.raises(ModelRejected, match="word can be any text"):
        load(ModelSpec(machine(tmp_path, **parts)))
    two = {"signature": "monitored word: String monitored other: String", "rule": "if word = other then n := 1 endif"}
    with pytest.raises(ModelRejected, match="can be any text"):
        load(ModelSpec(machine(tmp_path, **two)))


NAMED_LIKE_OPERATORS = """\
asm m
import LTLLibrary
import CTLLibrary
signature:
    domain N subsetof Integer
    controlled f: N -> N
    controlled e: N
    controlled n: N
definitions:
    domain N = {0 : 1}
    LTLSPEC FORMULA
    main rule r_Main = n := 1 - n
default init s0:
    function n = 0
    function e = 0
    function f($x in N) = 0
"""


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        ("LTLSPEC g(f(n = 1))", True),
        ("LTLSPEC f(n = 1 and g(n = 1))", False),
        ("LTLSPEC g(f(n) = 0 implies f(f(f(n)) = 0))", True),
        ("LTLSPEC g(f(n) = 1)", False),
        ("CTLSPEC e(n = 0, n = 1)", True),
        ("CTLSPEC e(n = 0, false)", False),
    ],
)
def test_a_function_named_like_an_operator_is_meant_if_it_takes_the_arguments(
    formula: str, holds: bool, tmp_path: Path
) -> None:
    file = tmp_path / "m.asm"
    file.write_text(NAMED_LIKE_OPERATORS.replace("LTLSPEC FORMULA", formula))
    assert asset.check(load(ModelSpec(str(file)))).holds is holds


LISTS = """\
static function Values == { 1..2 }
dynamic function waiting : LIST(INT)
  with length(waiting) in { 0..3 }
  with waiting in Values
  initially []
external function come : BOOL
external function v : INT with v in Values
transition main ==
  if come then if length(waiting) < 3 then waiting := append(waiting, v) endif
  else if waiting != [] then waiting := tail(waiting) endif endif
ctl full == AG(forall x in Values : EF(waiting = [x, x, x]))
"""


def test_lists_of_asm_sl_are_bounded_by_their_length(tmp_path: Path) -> None:
    file = tmp_path / "m.asm"
    file.write_text(LISTS)
    verdict = asset.check(load(ModelSpec(str(file))))
    assert verdict.holds and verdict.states == 1 + 2 + 4 + 8
    file.write_text(LISTS.replace("length(waiting) in", "size(waiting) in"))
    with pytest.raises(ModelRejected, match=r"with length\(waiting\) in"):
        load(ModelSpec(str(file)))
