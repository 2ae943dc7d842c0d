"""Machines mean what the textbook says: the same states and steps as a walk that knows nothing of the lowering."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from asm_walk import Conflict, OutOfRange, Walk, machine_of, walk_of

import asset
from asset.frontends import asm
from asset.ir.faults import Fault, FaultKind
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program, State
from asset.ir.verify import verify

MACHINES = sorted((Path(__file__).parent / "machines").glob("*.asm"))


def program_of(path: Path, given: Mapping[str, str] | None = None) -> Program:
    program = asm.load(str(path), given or {}).program
    verify(program)
    return program


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def space(program: Program) -> tuple[set[State], set[tuple[State, State]]]:
    """All states, and all pairs of a state and a next one, by the reference interpreter."""
    interpreter = Interpreter(program)
    states, edges, pending = set(program.initial_states), set(), list(program.initial_states)
    while pending:
        state = pending.pop()
        for _, after in interpreter.successors(state):
            edges.add((state, after))
            if after not in states:
                states.add(after)
                pending.append(after)
    return states, edges


def test_there_are_machines_for_thirty_constructs() -> None:
    assert len(MACHINES) >= 30


@pytest.mark.parametrize("path", MACHINES, ids=lambda path: path.stem)
def test_a_machine_has_the_states_and_steps_that_it_means(path: Path) -> None:
    states, edges = space(program_of(path))
    expected_states, expected_edges = walk_of(path).space()
    assert (len(states), len(edges)) == (len(expected_states), len(expected_edges))


@pytest.mark.parametrize("name", ["nested_sequences", "gaps", "sl_constructors", "undefined", "binary_function"])
def test_the_native_engine_agrees(name: str) -> None:
    path = Path(__file__).parent / "machines" / f"{name}.asm"
    verdict = asset.check(asset.load(str(path)))
    reference = asset.check(asset.load(str(path)), engine="reference")
    assert (verdict.states, verdict.edges, verdict.answer) == (reference.states, reference.edges, reference.answer)
    assert verdict.states == len(walk_of(path).space()[0])


def first_fault(program: Program) -> Fault | None:
    """What goes wrong first in the machine."""
    interpreter = Interpreter(program)
    states, pending = set(program.initial_states), list(program.initial_states)
    while pending:
        state = pending.pop(0)
        try:
            for _, after in interpreter.successors(state):
                if after not in states:
                    states.add(after)
                    pending.append(after)
        except Fault as fault:
            return fault
    return None


CONFLICTING = """\
asm conflicting
signature:
    domain N subsetof Integer
    controlled n: N
    controlled f: N -> N
    monitored i: N
definitions:
    domain N = {0 : 2}
    rule r_one = f(i) := n
    rule r_two = f(n) := OTHER
    main rule r_Main = par r_one[] r_two[] n := (n + 1) mod 3 endpar
default init s0:
    function n = 0
    function f($x in N) = 0
"""


@pytest.mark.parametrize(("other", "conflicts"), [("n", False), ("1", True), ("f(n)", True), ("2 - n", True)])
def test_two_values_for_one_location_are_a_conflict(other: str, conflicts: bool, tmp_path: Path) -> None:
    text = CONFLICTING.replace("OTHER", other)
    fault = first_fault(program_of(written(tmp_path / "m.asm", text)))
    if not conflicts:
        assert fault is None
        return
    assert fault is not None and fault.kind is FaultKind.CONFLICT
    assert {fault.span.line} <= {9, 10} and "line" in fault.message
    with pytest.raises(Conflict):
        Walk(machine_of(text)).space()


IN_SEQUENCE = """\
asm in_sequence
signature:
    domain N subsetof Integer
    controlled x: N
    controlled y: N
definitions:
    domain N = {0 : 5}
    main rule r_Main =
        par
            seq x := 1 x := 2 y := x endseq
            x := OTHER
        endpar
default init s0:
    function x = 0
    function y = 0
"""


@pytest.mark.parametrize(("other", "conflicts"), [("2", False), ("1", True), ("x + 1", True), ("x + 2", True)])
def test_what_a_sequence_overwrites_is_in_conflict_with_nothing(other: str, conflicts: bool, tmp_path: Path) -> None:
    text = IN_SEQUENCE.replace("OTHER", other)
    fault = first_fault(program_of(written(tmp_path / "m.asm", text)))
    try:
        Walk(machine_of(text)).space()
        assert fault is None and not conflicts
    except Conflict:
        assert fault is not None and fault.kind is FaultKind.CONFLICT and conflicts


LEAVING = """\
asm leaving
signature:
    domain N subsetof Integer
    controlled n: N
    controlled f: N -> Integer
definitions:
    domain N = {1 : 3}
    //@ f($x) in {$x, $x + 1}
    main rule r_Main = UPDATE
default init s0:
    INITIAL
    function f($x in N) = $x
"""


@pytest.mark.parametrize("initial", ["function n = 1", ""])
@pytest.mark.parametrize(
    "update",
    ["n := n + 1", "n := 0", "f(2) := 1", "f(3) := f(2) + 2", "if isUndef(n) then n := 0 else n := n - 1 endif"],
)
def test_a_value_outside_the_range_of_its_function_is_a_model_error(update: str, initial: str, tmp_path: Path) -> None:
    text = LEAVING.replace("UPDATE", update).replace("INITIAL", initial)
    fault = first_fault(program_of(written(tmp_path / "m.asm", text)))
    try:
        Walk(machine_of(text)).space()
        assert fault is None
    except OutOfRange:
        assert fault is not None and fault.kind is FaultKind.RANGE and fault.span.line == 9


def test_updates_that_cannot_conflict_are_not_compared() -> None:
    path = Path(__file__).parent / "machines" / "interleaved.asm"
    found = asm.load(str(path), {}).lowered.conflicts
    assert found.left == 0 and found.discharged > 0


def test_a_finiteness_constraint_can_be_changed_on_the_command_line() -> None:
    path = Path(__file__).parent / "machines" / "statics.asm"
    assert first_fault(program_of(path)) is None
    fault = first_fault(program_of(path, {"waited": "0:2"}))
    assert fault is not None and fault.kind is FaultKind.RANGE


def test_a_domain_and_a_constant_can_be_changed_on_the_command_line() -> None:
    machines = Path(__file__).parent / "machines"
    assert len(space(program_of(machines / "counter.asm", {"Hour": "0:11"}))[0]) == 12
    assert len(space(program_of(machines / "sl_constructors.asm", {"n": "2"}))[0]) < 108


@pytest.mark.parametrize(("name", "function", "enough"), [("bags", "till", 3), ("collected", "queue", 2)])
def test_how_much_a_collection_holds_can_be_changed_on_the_command_line(name: str, function: str, enough: int) -> None:
    path = Path(__file__).parent / "machines" / f"{name}.asm"
    assert first_fault(program_of(path, {function: str(enough + 1)})) is None
    fault = first_fault(program_of(path, {function: str(enough - 1)}))
    assert fault is not None and fault.kind is FaultKind.RANGE


def test_an_abstract_domain_gets_the_number_of_elements_that_is_asked_for() -> None:
    path = Path(__file__).parent / "machines" / "monitored_rooms.asm"
    assert len(space(program_of(path, {"Room": "5"}))[0]) == 32
