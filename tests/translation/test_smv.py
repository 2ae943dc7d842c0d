"""What `asset translate --to smv` writes is the same model: the same states, steps and verdicts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from random_machines import RandomMachine
from smv_walk import Smv

import asset
from asset.analysis.values.interval import Interval
from asset.cli.main import main
from asset.errors import ModelRejected, UsageError
from asset.frontends.asm import inputs
from asset.ir.faults import Fault
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program
from asset.languages import ModelSpec, load
from asset.translation import smv as translation
from asset.translation.smv import smv
from asset.translation.smv_names import CellNames
from asset.translation.smv_operators import Operand, operation

ROOT = Path(__file__).parents[2]
MACHINES = sorted((ROOT / "tests" / "frontends" / "asm" / "machines").glob("*.asm"))
MODELS = [
    ("token_ring.py", {"n": "2"}),
    ("client_server.py", {"clients": "1"}),
    ("philosophers.py:Philosophers", {"n": "2"}),
    ("river_crossing.py", {}),
]
PROMELA = ROOT / "tests" / "frontends" / "promela" / "corpus"
WRITTEN = ["atomic_sequence", "peterson", "reply_channels", "trace_order", "unless_rendezvous", "for_loop"]


def program_of(file: Path, **parameters: str) -> Program:
    return load(ModelSpec(str(file), parameters)).executable().program


def edges(program: Program) -> set[tuple[tuple[object, ...], tuple[object, ...]]]:
    """All steps by the reference interpreter, in the words of SMV; a terminal state stays as it is."""
    interpreter, names = Interpreter(program), CellNames(program)

    def written(state: tuple[int, ...]) -> tuple[object, ...]:
        texts = (names.value(cell, value) for cell, value in enumerate(state))
        return tuple({"TRUE": True, "FALSE": False}.get(t, int(t) if t.lstrip("-").isdecimal() else t) for t in texts)

    found, pending, seen = set(), list(program.initial_states), set(program.initial_states)
    while pending:
        state = pending.pop()
        after = [each for _, each in interpreter.successors(state)] or [state]
        found |= {(written(state), written(each)) for each in after}
        pending += [each for each in after if each not in seen]
        seen.update(after)
    return found


def walked(program: Program) -> Smv:
    """The translation, which has the same steps as the program."""
    model = Smv(smv(program))
    graph, width = model.graph(), len(CellNames(program).cells)
    assert {(a[:width], b[:width]) for a, after in graph.successors.items() for b in after} == edges(program)
    assert not any(True in state[width:] for state in graph.states)  # what is behind the cells is `error`
    return model


@pytest.fixture(params=["one by one", "with inputs"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands are worked out one by one, or all at once with their indices as inputs of the model."""
    monkeypatch.setattr(translation, "FEW_COMMANDS", 10_000 if request.param == "one by one" else 0)


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("path", MACHINES, ids=lambda path: path.stem)
def test_a_machine_in_smv_has_the_same_states_and_steps(path: Path) -> None:
    walked(program_of(path))


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize(("name", "parameters"), MODELS)
def test_a_python_model_in_smv_has_the_same_states_and_steps(name: str, parameters: dict[str, str]) -> None:
    walked(program_of(ROOT / "models" / name, **parameters))


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("name", WRITTEN)
def test_a_promela_model_in_smv_has_the_same_states_and_steps(name: str) -> None:
    walked(program_of(PROMELA / f"{name}.pml"))


SPECIFIED = """\
asm specified
signature:
    domain N subsetof Integer
    controlled n: N
    controlled stuck: Boolean
    monitored go: Boolean
definitions:
    domain N = {0 : 4}
    main rule r_Main =
        if not stuck then
            if go then n := (n + 1) mod 5 else if n = 3 then stuck := true endif endif
        endif
    SPECIFICATION
default init s0:
    function n = 0
    function stuck = false
"""
SPECIFICATIONS = {
    "invariant over n: n <= 4": True,
    "invariant over n: n < 3 or not stuck": False,
    "CTLSPEC ag(n < 5)": True,
    "CTLSPEC ag(ef(n = 0))": False,
    "CTLSPEC ag(not stuck implies ef(n = 0))": True,
    "CTLSPEC af(n = 1 or n = 3)": False,
    "CTLSPEC ag(stuck implies ag(stuck))": True,
    "CTLSPEC au(not stuck, n = 3)": False,
    "CTLSPEC eu(not stuck, n = 4)": True,
    "CTLSPEC ag(n = 4 implies ax(n = 0 or n = 4))": True,
    "CTLSPEC aw(not stuck, n = 3)": True,
    "CTLSPEC ew(n = 1, n = 4)": False,
    "CTLSPEC eg(n = 0)": True,
    "CTLSPEC ag(go implies ex(n != 4)) iff ef(stuck)": False,
}


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("specification", SPECIFICATIONS)
def test_specifications_in_smv_have_the_same_verdicts(specification: str, tmp_path: Path) -> None:
    file = tmp_path / "specified.asm"
    file.write_text(SPECIFIED.replace("SPECIFICATION", specification))
    model = walked(program_of(file))
    graph = model.graph()
    answers = [all(p(model.environment(state)) for state in graph.states) for p in model.invariants]
    answers += [set(graph.starts) <= holds(graph) for holds in model.ctl]
    assert answers in ([SPECIFICATIONS[specification]], [True, SPECIFICATIONS[specification]])  # without errors
    assert asset.check(asset.load(str(file)), engine="reference").holds is SPECIFICATIONS[specification]


@pytest.mark.usefixtures("way")
def test_a_model_error_is_an_invariant_that_is_false(tmp_path: Path) -> None:
    file = tmp_path / "leaving.asm"
    file.write_text(
        "asm leaving\nsignature:\n domain N subsetof Integer\n controlled n: N\ndefinitions:\n domain N = {0 : 2}\n"
        " main rule r_Main = choose $d in {0, 1} with true do n := n + $d\ndefault init s0:\n function n = 0\n"
    )
    model = Smv(smv(program_of(file)))
    states = model.graph().states
    assert [all(p(model.environment(state)) for state in states) for p in model.invariants] == [False]


def test_the_command_writes_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "swap.smv"
    machine = str(MACHINES[0].parent / "swap.asm")
    assert main(["translate", machine, "--to", "smv", "-o", str(target)]) == 0
    assert "MODULE main" in target.read_text()
    assert "lines of SMV" in capsys.readouterr().out
    assert main(["translate", machine, "--to", "smv"]) == 0
    assert capsys.readouterr().out == target.read_text()


def test_what_cannot_be_looked_into_cannot_be_translated(capsys: pytest.CaptureFixture[str]) -> None:
    file = ROOT / "tests" / "frontends" / "systems" / "lock.model"
    assert main(["translate", str(file), "--to", "smv"]) == 2
    assert "needs to see into the transitions" in capsys.readouterr().err


OPERATOR = """\
from asset import Int, Model, transition, when


class M(Model):
    def state(self):
        self.x = Int({low}, 3, 0)
        self.y = Int({low}, 3, 1)
        self.r = Int(-99, 99, 0)

    @transition(k="7")
    def other(self, k):
        when({low} <= k - 3)
        self.x = self.y
        self.y = k - 3
        self.r = 0

    @transition
    def result(self):
        when({when})
        self.r = {term}
"""
TERMS = [
    ("self.x & self.y", "True", -3),
    ("self.x | self.y", "True", -3),
    ("self.x ^ self.y", "True", -3),
    ("(self.x & 2) | (self.y ^ 5)", "True", -3),
    ("(self.x + self.y) & 3", "True", -3),
    ("(self.x * self.y) // self.y", "self.y != 0", -3),
    ("(self.x + 1) % self.y", "self.y != 0", -3),
    ("(self.x - 2 * self.y) // 3 + (self.x + self.y) % -4", "True", -3),
    ("(self.x + self.y) << self.y", "self.y >= 0", -3),
    ("(self.x * 5) >> self.y", "True", 0),
    ("self.x ** self.y + self.x", "self.x >= 0 and self.y >= 0", -3),
    ("abs(self.x - self.y) + ~self.x", "True", -3),
]


@pytest.mark.parametrize(("term", "when", "low"), TERMS)
def test_operators_that_smv_has_not_are_written_with_others(term: str, when: str, low: int, tmp_path: Path) -> None:
    file = tmp_path / "m.py"
    file.write_text(OPERATOR.format(term=term, when=when, low=low))
    walked(program_of(file))


def test_numbers_that_cannot_be_large_are_written_small(tmp_path: Path) -> None:
    file = tmp_path / "m.pml"
    file.write_text("int x; active proctype p() { do :: x = (x + 5) & 7 :: x = (x << 3) & 9 od }")
    assert " x : -" not in smv(program_of(file)) and "2147483648" not in smv(program_of(file))
    walked(program_of(file))


def test_a_number_of_32_bits_is_an_error_with_a_remedy(tmp_path: Path) -> None:
    file = tmp_path / "m.pml"
    file.write_text("int x; active proctype p() { do :: x = x + 1 od }")
    with pytest.raises(UsageError, match="too large for SMV"):
        smv(program_of(file))


def test_a_variable_of_one_value_is_declared_with_another(tmp_path: Path) -> None:
    """NuSMV takes a variable of one value for a constant, and lets nothing assign it."""
    file = tmp_path / "single.asm"
    file.write_text(
        "asm single signature: enum domain E = {ONLY} domain D subsetof Integer controlled e: E controlled d: D "
        "controlled n: Boolean definitions: domain D = {5} main rule r_Main = par e := ONLY d := 5 n := not n endpar "
        "default init s0: function e = ONLY function d = 5 function n = false"
    )
    program = program_of(file)
    walked(program)
    text = smv(program)
    assert "e : {ONLY, never};" in text and "d : 5..6;" in text


def goes_wrong(program: Program) -> bool:
    """Whether a model error can be reached."""
    try:
        edges(program)
    except Fault:
        return True
    return False


def test_random_machines_in_smv_have_the_same_states_and_steps(tmp_path: Path) -> None:
    file, compared, wrong = tmp_path / "random.asm", 0, 0
    for seed in range(60):
        file.write_text(RandomMachine(seed).text())
        try:
            program = program_of(file)
        except ModelRejected:
            continue  # too many choices
        if program.nr_commands > 12 or len(program.functions[0].nodes) > 1_500:
            continue
        compared += 1
        if goes_wrong(program):
            wrong += 1
            model = Smv(smv(program))
            states = model.graph().states
            assert not all(p(model.environment(state)) for state in states for p in model.invariants), seed
        else:
            assert all(p(m.environment(s)) for m in [walked(program)] for s in m.graph().states for p in m.invariants)
    assert compared > 8 and wrong > 0


@pytest.mark.parametrize("within", [Interval(1, 9), Interval(0, 9), Interval(-3, 9), Interval(-3, -1)])
def test_no_divisor_can_be_zero_even_in_a_branch_that_is_never_taken(within: Interval) -> None:
    """What a divisor can be is known of the steps that come to it. NuSMV evaluates all branches, and stops at a
    division by zero in any of them."""
    for name in ("//", "%"):
        text = operation(name, [Operand("a", Interval(0, 20)), Operand("d", within)])
        divisors = re.findall(r" (?:/|mod) (case .*? esac|\S*)", text)
        assert divisors
        for each in divisors:
            values = re.findall(r" : (\d+);", each) or [each.rstrip(")")]
            assert all(int(value) > 0 for value in values)


def test_a_divisor_inside_of_a_divisor_is_a_number_that_is_not_zero(tmp_path: Path) -> None:
    """Of a condition in an operand NuSMV takes both sides, so `(b > 0 ? b : 1)` would be 0 for it."""
    file = tmp_path / "m.asm"
    file.write_text(
        "asm m signature: domain N subsetof Integer controlled a: N controlled b: N controlled c: N monitored x: N "
        "definitions: domain N = {0 : 4} main rule r_Main = if b = 0 then par a := x b := x endpar else "
        "seq c := a mod b if c = 0 then b := 0 else seq a := b mod c if a != 0 then b := c mod a endif endseq endif "
        "endseq endif default init s0: function b = 0"
    )
    program = program_of(file)
    text = smv(program)
    divisors = re.findall(r" mod (case|\S*)", text)
    assert len(divisors) > 5 and all(each == "case" or int(each.rstrip(");")) > 0 for each in divisors)
    assert " > 0 ?" not in text
    walked(program)


ROOMS = """\
asm rooms
signature:
    abstract domain Room
    enum domain Light = {DARK | DIM | BRIGHT}
    controlled light: Room -> Light
    controlled last: Room
    monitored pressed: Room -> Boolean
    monitored wish: Room -> Light
    monitored power: Boolean
definitions:
    CTLSPEC ag(ef((forall $r in Room with light($r) = DIM)))
    main rule r_Main =
        par
            if power then forall $r in Room with pressed($r) do light($r) := wish($r) endif
            choose $r in Room with light($r) != BRIGHT do last := $r
        endpar
default init s0:
    function light($r in Room) = DARK
"""


def test_each_input_of_a_machine_is_an_input_of_smv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if there are so many that the commands of the machine are numbered."""
    file = tmp_path / "rooms.asm"
    file.write_text(ROOMS)
    monkeypatch.setattr(inputs, "MOST_COMBINED", 0)
    subject = load(ModelSpec(str(file), {"Room": "2"}))
    numbered = subject.executable().program
    assert numbered.families[0].skips is not None
    text = smv(subject.with_separate_inputs())
    assert "pressed_Room_1 : boolean;" in text and "wish_Room_2 : {DARK, DIM, BRIGHT};" in text
    model = Smv(text)
    graph = model.graph()
    assert {(a[:-1], b[:-1]) for a, after in graph.successors.items() for b in after} == edges(numbered)
    assert set(graph.starts) <= model.ctl[0](graph)


def test_a_machine_with_millions_of_combinations_is_written_in_a_few_lines(tmp_path: Path) -> None:
    file = tmp_path / "rooms.asm"
    file.write_text(ROOMS)
    program = load(ModelSpec(str(file), {"Room": "8"})).with_separate_inputs()
    assert program.nr_commands > 10_000_000 and len(smv(program).splitlines()) < 150


def test_what_is_too_large_is_an_error_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translation, "PATIENCE", 0)
    with pytest.raises(
        UsageError, match=r"(?s)too large to be unfolded.*make that smaller.*asset check unfolds nothing"
    ):
        smv(program_of(MACHINES[0]))


def test_more_may_be_worked_out_if_that_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["translate", str(MACHINES[0]), "--to", "smv", "-o", str(tmp_path / "m.smv")]
    monkeypatch.setattr(translation, "PATIENCE", 0.0001)
    assert main(words) != 0
    assert "--effort 2" in capsys.readouterr().err
    assert main([*words, "--effort", "1000000"]) == 0
