"""Every command takes machines, and what is wrong with one is said with its place."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import asset
from asset.cli.main import main
from asset.errors import ModelRejected, UsageError
from asset.languages import ModelSpec, load

LOCK = """\
asm lock
signature:
    domain Who subsetof Integer
    enum domain Place = {OUTSIDE | INSIDE | GONE}
    static n: Integer
    controlled at: Who -> Place
    derived free: Boolean
definitions:
    function n = 2
    domain Who = {1 : n}
    function free = (forall $w in Who with at($w) != INSIDE)
    rule r_move($w in Who) =
        if at($w) = INSIDE then at($w) := GONE else at($w) := INSIDE endif
    invariant one_inside over at:
        (forall $a in Who, $b in Who with $a = $b or at($a) != INSIDE or at($b) != INSIDE)
    CTLSPEC all_leave: af((forall $w in Who with at($w) = GONE))
    LTLSPEC f((forall $w in Who with at($w) = GONE))
    main rule r_Main =
        choose $w in Who with at($w) = INSIDE or (at($w) = OUTSIDE and free) do r_move[$w]
default init s0:
    function at($w in Who) = OUTSIDE
"""
RACE = LOCK.replace("and free", "and true")


@pytest.fixture
def lock(tmp_path: Path) -> str:
    file = tmp_path / "lock.asm"
    file.write_text(LOCK)
    return str(file)


@pytest.fixture
def race(tmp_path: Path) -> str:
    file = tmp_path / "race.asm"
    file.write_text(RACE)
    return str(file)


def test_a_machine_is_checked_end_to_end(lock: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", lock, "-p", "n=3"]) == 0
    out = capsys.readouterr().out
    assert "lock(n=3): holds — 20 states" in out
    assert "one_inside" in out and "all_leave" in out


def test_a_counterexample_speaks_of_the_machine(race: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", race]) == 1
    out = capsys.readouterr().out
    assert "r_Main(w=1)" in out or "r_Main(w=2)" in out
    assert "at(1): OUTSIDE → INSIDE" in out and "race.asm:" in out


CALLS = """\
asm calls
signature:
    domain Who subsetof Integer
    enum domain Colour = {RED | GREEN}
    controlled seen: Prod(Who, Colour) -> Boolean
    controlled count: Integer
    controlled last: Integer
    monitored light: Colour
definitions:
    domain Who = {1 : 2}
    //@ count in {0 : 9}
    //@ last in {0 : 9}
    rule r_note($w in Who, $c in Colour) = seen($w, $c) := true
    rule r_idle($w in Who) = if $w = 3 then count := 0 endif
    rule r_all($c in Colour) = forall $w in Who with not seen($w, $c) do r_note[$w, $c]
    rule r_add($n in Integer) = seq count := count + $n last := count endseq
    invariant few over count: count < 2
    main rule r_Main = par r_all[light] r_idle[1] r_add[1] endpar
default init s0:
    function seen($w in Who, $c in Colour) = false
    function count = 0
    function last = 0
"""


def test_a_step_says_which_rules_updated_something_and_with_what(tmp_path: Path) -> None:
    (tmp_path / "calls.asm").write_text(CALLS)
    run = asset.check(asset.load(str(tmp_path / "calls.asm"))).counterexample
    assert run is not None and len(run) == 3
    first, second = (set(step.code.replace("), ", ")|").split("|")) for step in run.steps[1:])
    colour = "RED" if "r_all(RED)" in first else "GREEN"
    assert first == {f"r_all({colour})", f"r_note(1, {colour})", f"r_note(2, {colour})", "r_add(1)"}
    assert "r_add(1)" in second and not any(call.startswith("r_idle") for call in first | second)


def test_the_run_of_a_counterexample_is_simulated_again(
    race: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = asset.check(asset.load(race)).counterexample
    assert run is not None
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{step.transition}\n" for step in run.steps[1:])))
    assert main(["step", race]) == 0
    out = capsys.readouterr().out
    assert "✗" in out.split("step 2")[1] and "one_inside" in out.split("step 2")[1]


def test_both_engines_give_the_same_verdict(race: str) -> None:
    native, reference = (asset.check(asset.load(race), engine=engine) for engine in ("native", "reference"))
    assert native.answer == reference.answer and native.states == reference.states
    assert native.counterexample is not None and reference.counterexample is not None
    assert len(native.counterexample) == len(reference.counterexample) == 3


def test_symmetries_of_a_machine_are_found(lock: str) -> None:
    assert asset.check(asset.load(lock, n=3), symmetry="auto", engine="reference").states < 20


def test_formulas_can_be_asked_on_the_command_line(lock: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", lock, "--ctl", "ag(ef(at(1) = GONE))", "--ltl", "g(at(1) != INSIDE)", "--quiet"]) == 1
    assert "g(at(1) != INSIDE) is broken" in capsys.readouterr().out
    assert main(["check", lock, "--ctl", "ag(at(1)"]) == 2
    assert "')' is missing" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "options", "said"),
    [
        ("step", "", "r_Main(w=1)"),
        ("graph", "-o space.json", "8 states"),
        ("explain", "--symmetry", "symmetr"),
        ("lint", "", ""),
        ("translate", "--to smv", "CTLSPEC AF"),
    ],
)
def test_a_command_takes_machines(
    command: str,
    options: str,
    said: str,
    lock: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO("0\nu\nq\n"))
    assert main([command, lock, *options.split()]) == 0
    assert said in capsys.readouterr().out


def test_a_parameter_that_the_machine_has_not_is_an_error(lock: str) -> None:
    with pytest.raises(UsageError, match="no constant, domain or function of that name"):
        load(ModelSpec(lock, {"nonesuch": "1"}))


WRONG = """\
asm wrong
signature:
    enum domain Light = {DARK | BRIGHT}
    domain Level subsetof Integer
    controlled level: Level
    controlled open: Integer
    monitored x: Boolean
    controlled many: Integer -> Boolean
definitions:
    domain Level = {0 : 3}
    rule r_a = level := leve + 1
    main rule r_Main = par r_a[] x := true r_none[] level := DARK if level then skip endif
        open := open + 3 many(open) := true endpar
    CTLSPEC g(level = 3)
default init s0:
    function level = 7
    function open = 0
"""


def test_everything_that_is_wrong_is_said_at_once_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "wrong.asm"
    file.write_text(WRONG)
    with pytest.raises(ModelRejected) as rejected:
        load(ModelSpec(str(file)))
    found = {(each.span.line, each.span.column) for each in rejected.value.diagnostics if each.span}
    assert found == {(6, 16), (8, 16), (11, 25), (12, 34), (12, 44), (12, 53), (12, 70), (14, 13), (16, 22)}
    assert all(each.remedy for each in rejected.value.diagnostics if "needed here" not in each.message)


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("asm m\nsignature:\n frob x: Boolean\n", "3:2", "a declaration is missing here"),
        ("asm m\ndefinitions:\n main rule r = if true then skip\n", "4:1", "'endif' is missing here"),
        ("freetype T == { a, b \n", "2:1", "'}' is missing here"),
        ("transition main == x := 1\n", "1:20", "x is not declared"),
        ("", "1:1", "there is no main rule"),
    ],
)
def test_a_text_that_is_no_machine_is_rejected(text: str, place: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "m.asm"
    file.write_text(text)
    with pytest.raises(ModelRejected, match=said) as rejected:
        load(ModelSpec(str(file)))
    assert f"m.asm:{place}:" in str(rejected.value)


def test_a_file_that_is_no_text_is_rejected(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "m.asm"
    file.write_bytes(b"\xff\xfe")
    assert main(["check", str(file)]) == 2
    assert "is no text in UTF-8" in capsys.readouterr().err


def test_a_module_is_read_with_the_machine_that_imports_it(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "levels.asm").write_text(
        "module levels\nexport *\nsignature:\n domain Level subsetof Integer\ndefinitions:\n domain Level = {0 : 2}\n"
        " rule r_none = skip\n"
    )
    file = tmp_path / "m.asm"
    file.write_text(
        "asm m\nimport parts/levels\nimport ../STDL/StandardLibrary\nsignature:\n controlled n: Level\ndefinitions:\n"
        " main rule r_Main = if n < 2 then n := n + 1 else r_none[] endif\ndefault init s0:\n function n = 0\n"
    )
    assert asset.check(asset.load(str(file)), engine="reference").states == 3
    (tmp_path / "parts" / "levels.asm").unlink()
    with pytest.raises(ModelRejected, match="there is no module"):
        load(ModelSpec(str(file)))


def test_an_initial_state_can_be_chosen(tmp_path: Path) -> None:
    file = tmp_path / "m.asm"
    file.write_text(
        "asm m\nsignature:\n domain N subsetof Integer\n controlled n: N\ndefinitions:\n domain N = {0 : 4}\n"
        " main rule r_Main = if n < 4 then n := n + 1 endif\n"
        "init s1:\n function n = 3\ndefault init s0:\n function n = 0\n"
    )
    assert asset.check(asset.load(str(file)), engine="reference").states == 5
    assert asset.check(load(ModelSpec(str(file), {"init": "s1"})), engine="reference").states == 2


REMEMBERED = """\
asm remembered
signature:
    domain N subsetof Integer
    monitored go: Boolean
    controlled n: N
definitions:
    domain N = {0 : 2}
    main rule r_Main = if go and n < 2 then n := n + 1 endif
    JUSTICE
default init s0:
    function n = 0
"""


@pytest.mark.parametrize(
    ("asked", "holds"),
    [
        ("LTLSPEC f(n = 2)", False),
        ("JUSTICE go LTLSPEC f(n = 2)", True),
        ("CTLSPEC ag(go and n < 2 implies ax(n > 0))", True),
        ("CTLSPEC ag(ef(go and n = 2))", True),
        ("CTLSPEC not go", False),
    ],
)
def test_a_monitored_function_that_is_asked_for_is_part_of_the_state(asked: str, holds: bool, tmp_path: Path) -> None:
    file = tmp_path / "m.asm"
    file.write_text(REMEMBERED.replace("JUSTICE", asked))
    assert asset.check(asset.load(str(file)), engine="reference").holds is holds


ALIKE = """\
freetype WHO == { node : INT, nobody }
freetype LINE == { line : INT }
freetype MODE == { act, rest }
static function Nodes == { node(i) | i in { 1..3 } }
static function Lines == { line(i) | i in { 1..3 } }
static function home == MAP_TO_FUN { line(i) -> node(i) | i in { 1..3 } }
dynamic function mode : MODE initially act
dynamic relation lit : LINE initially SET_TO_REL {}
dynamic function last : WHO with last in Nodes union { nobody } initially nobody
external function Self : WHO with Self in Nodes
external function wish : LINE with wish in Lines
transition main ==
  if mode = act
  then mode := rest
       if home(wish) = Self then lit(wish) := not lit(wish) last := Self endif
       do forall l in Lines with home(l) = last and home(l) != Self lit(l) := false enddo
  else mode := act
  endif
invariant one_of_them == (exists l in Lines : not lit(l)) or last != nobody
"""


def test_elements_with_arguments_are_alike_together_with_those_that_a_table_leads_to(tmp_path: Path) -> None:
    file = tmp_path / "alike.asm"
    file.write_text(ALIKE)
    plain, reduced = (asset.check(load(ModelSpec(str(file))), symmetry=how) for how in ("off", "auto"))
    assert plain.holds and reduced.holds
    assert reduced.reduction is not None and reduced.reduction.group_order == 6
    assert reduced.states < plain.states / 2


def test_a_model_in_python_is_refused_if_it_would_read_what_a_step_has_updated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = """asm m
signature:
    domain N subsetof Integer
    controlled a: N
    controlled b: N
definitions:
    domain N = {0 : 3}
    main rule r_Main = par A B endpar
default init s0:
    function a = 0
    function b = 3
"""
    file = tmp_path / "m.asm"
    file.write_text(text.replace("A", "a := b").replace("B", "b := a"))
    assert main(["translate", str(file), "-o", str(tmp_path / "m.py")]) != 0
    assert "read after it was updated" in capsys.readouterr().err
    file.write_text(text.replace("A", "a := b").replace("B", "b := (b + 1) mod 4"))
    assert main(["translate", str(file), "-o", str(tmp_path / "m.py")]) == 0
    answers = [asset.check(load(ModelSpec(str(tmp_path / name)))) for name in ("m.asm", "m.py")]
    assert [(each.states, each.edges) for each in answers] == [(5, 5), (5, 5)]
