"""Elements that nothing tells apart are exchanged, where steps have so many inputs that commands are numbered."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from random_machines import RandomMachine

import asset
from asset.analysis.symmetry.exchanging import group_of_exchanges
from asset.checks import CheckOptions
from asset.checks.reductions import reduce
from asset.errors import ModelRejected
from asset.frontends import asm
from asset.frontends.asm import inputs
from asset.ir.faults import Fault, FaultKind
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program, State
from asset.ir.requirements import Fairness, Temporal
from asset.languages import ModelSpec, load
from asset.verdict import Answer

EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "60"))
MOST_STATES = 30
MOST_COMMANDS = 400

ROOMS = """\
asm rooms
import StandardLibrary
import CTLLibrary
import LTLLibrary
signature:
    abstract domain Room
    enum domain Light = {DARK | DIM | BRIGHT}
    controlled light: Room -> Light
    controlled last: Room
    controlled seen: Powerset(Powerset(Room))
    monitored pressed: Room -> Boolean
    monitored wish: Room -> Light
    monitored a: Boolean
    monitored b: Boolean
    monitored c: Boolean
    static hall: Room
    static attic: Room
    static cellar: Room
definitions:
    SPECIFICATIONS
    main rule r_Main =
        par
            forall $r in Room with pressed($r) do light($r) := wish($r)
            choose $x in Room with light($x) = DIM and (a and b or c) do
                par last := $x seen := including(seen, {$x, last}) endpar
            if (forall $r in Room with light($r) = BRIGHT) and b then
                choose $y in Room with true do last := $y
            endif
        endpar
default init s0:
    function light($r in Room) = DARK
    function seen = {}
"""


def machine(tmp_path: Path, specifications: str) -> str:
    file = tmp_path / "rooms.asm"
    file.write_text(ROOMS.replace("SPECIFICATIONS", specifications))
    return str(file)


def after(program: Program) -> Callable[[State], set[State] | FaultKind]:
    """The states that follow a state, or what goes wrong there."""
    interpreter = Interpreter(program)

    def following(state: State) -> set[State] | FaultKind:
        try:
            return {each for _, each in interpreter.successors(state)}
        except Fault as fault:
            return fault.kind

    return following


@pytest.mark.parametrize("kind", ["tame", "wild", "loops"])
@pytest.mark.parametrize("block", range(max(1, EXAMPLES // 60)))
def test_exchanges_make_steps_of_steps_and_keep_properties(
    block: int, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inputs, "MOST_COMBINED", 0)
    file, compared = tmp_path / "random.asm", 0
    for seed in range(block * 60, block * 60 + 60):
        file.write_text(RandomMachine(seed, kind == "wild", kind == "loops", names=True).text())
        try:
            program = asm.load(str(file), {"rounds": "3", "E": "3"}).program
        except ModelRejected:
            continue  # too many rounds to be written out
        group = group_of_exchanges(program)
        if group is None or program.nr_commands > MOST_COMMANDS:
            continue
        assert group.order == 6
        following, interpreter = after(program), Interpreter(program)
        known, pending = {program.initial}, [program.initial]
        while pending and len(known) < MOST_STATES:
            state = pending.pop()
            found = following(state)
            for exchange in group.generators:
                image, images = exchange.state(state), following(exchange.state(state))
                compared += image != state
                if isinstance(found, set) or isinstance(images, set):
                    assert isinstance(found, set) and images == {exchange.state(each) for each in found}, seed
                for predicate in program.predicates:
                    assert interpreter.evaluate(predicate, state) == interpreter.evaluate(predicate, image), seed
            new = found - known if isinstance(found, set) else set()
            known |= new
            pending += new
    assert compared > 15


SPECIFICATIONS = """
    invariant one_dark over light: (exist $r in Room with light($r) != BRIGHT)
    CTLSPEC back: ag(ef((forall $r in Room with light($r) = DIM)))
    CTLSPEC stays: ag(isDef(last) implies ag(isDef(last)))
    LTLSPEC again: g(f(isDef(last)))
"""


def test_numbered_commands_have_symmetries_and_the_same_answers(tmp_path: Path) -> None:
    file = machine(tmp_path, SPECIFICATIONS)
    plain = asset.check(load(ModelSpec(file)), keep_going=True, stubborn="off", symmetry="off")
    reduced = asset.check(load(ModelSpec(file)), keep_going=True, symmetry="auto", as_asked=True)
    assert reduced.reduction is not None and reduced.reduction.group_order == 6
    assert {each.name: each.answer for each in reduced.checked} == {each.name: each.answer for each in plain.checked}
    answers = {each.name: each.answer for each in plain.checked}
    assert answers["one_dark"] is Answer.VIOLATED and answers["back"] is Answer.HOLDS
    assert answers["stays"] is Answer.HOLDS and answers["again"] is Answer.VIOLATED
    assert reduced.states * 4 < plain.states


@pytest.mark.parametrize("asked", ["not (isDef(last) and light(last) = DIM)", "size(seen) < 2", "seen = {}"])
def test_runs_of_representatives_become_runs_of_the_machine(asked: str, tmp_path: Path) -> None:
    file = machine(tmp_path, f"invariant inv over last: {asked}")
    plain = asset.check(load(ModelSpec(file)), stubborn="off", symmetry="off")
    reduced = asset.check(load(ModelSpec(file)), symmetry="auto", as_asked=True)
    assert plain.counterexample is not None and reduced.counterexample is not None
    assert len(plain.counterexample.steps) == len(reduced.counterexample.steps)


def test_model_errors_of_representatives_are_ones_of_the_machine(tmp_path: Path) -> None:
    file = machine(tmp_path, "invariant inv over last: true")
    text = (
        Path(file).read_text().replace("if (forall", "if isDef(last) and b then light(last) := DARK endif\n if (forall")
    )
    Path(file).write_text(text)
    verdict = asset.check(load(ModelSpec(file)), symmetry="auto", as_asked=True)
    assert verdict.violation is not None and verdict.violation.kind == "conflict"


@pytest.mark.parametrize(
    ("said", "order"),
    [
        ("invariant inv over light: light(hall) != DIM", 2),
        ("CTLSPEC (forall $r in Room with ag(ef(light($r) = DIM)))", None),
        ("invariant inv over light: length(asSequence(Room)) = 3", None),
    ],
)
def test_what_is_mentioned_is_not_exchanged(said: str, order: int | None, tmp_path: Path) -> None:
    group = group_of_exchanges(asm.load(machine(tmp_path, said), {}).program)
    assert (group and group.order) == order


def test_what_speaks_of_commands_is_answered_without_symmetries(tmp_path: Path) -> None:
    program = asm.load(machine(tmp_path, "LTLSPEC g(f(isDef(last)))"), {}).program
    (asked,) = program.requirements
    assert isinstance(asked, Temporal)
    assert reduce(program, [asked], CheckOptions(symmetry="auto")).reductions.symmetry
    fair = replace(asked, fairness=(Fairness("first", frozenset({0}), strong=False),))
    reduced = reduce(program, [fair], CheckOptions(symmetry="auto"))
    assert not reduced.reductions.symmetry and [each.code for each in reduced.caveats] == ["symmetry-off"]
