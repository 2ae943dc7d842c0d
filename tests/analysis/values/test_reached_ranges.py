"""The values that cells can reach: what is proved holds in every state, and is precise where it matters."""

from __future__ import annotations

from collections.abc import Iterator

from codegen_programs import binary, const, function, local, program, programs, put, read, variable, when
from hypothesis import HealthCheck, given, settings

from asset.analysis.values.bit_layout import choose_layout
from asset.analysis.values.enabling import conditions
from asset.analysis.values.interval import declared_ranges
from asset.analysis.values.reached_ranges import MAX_NODES, reached_ranges
from asset.ir import nodes as n
from asset.ir.faults import Fault
from asset.ir.interpreter import Interpreter
from asset.ir.nodes import BinaryOp
from asset.ir.program import Program, State, Style
from asset.ir.types import IntType
from asset.span import NOWHERE

BYTE = IntType(0, 255)
MOST_STATES = 60


def commands(*bodies: list[n.Stmt], variables: int = 2) -> Program:
    """Commands without indices over some bytes that are 0 in the beginning."""
    functions = [function(0, 1, *body) for body in bodies]
    families = [(number, [], Style.GUARDED) for number in range(len(bodies))]
    return program([variable(f"x{k}", BYTE) for k in range(variables)], functions, families)


def plus_one(number: int) -> n.Stmt:
    return put(number, binary(BinaryOp.ADD, read(number), const(1)))


def test_a_byte_that_is_a_flag_takes_one_bit() -> None:
    tested = commands([put(0, const(1))], [put(0, const(0))])
    assert reached_ranges(tested) == ((0, 1), (0, 0))
    assert choose_layout(tested, reached_ranges(tested)).bits == 1


def test_a_counter_that_stays_below_a_bound_takes_the_bits_of_the_bound() -> None:
    tested = commands([when(binary(BinaryOp.LT, read(0), const(11))), plus_one(0)], [put(1, read(0))])
    assert reached_ranges(tested) == ((0, 11), (0, 11))


def test_a_counter_without_a_bound_may_have_all_values() -> None:
    assert reached_ranges(commands([plus_one(0)]))[0] == (0, 255)


def test_what_is_assigned_from_a_range_that_was_rounded_is_narrowed() -> None:
    below_5 = when(binary(BinaryOp.LT, read(0), const(4)))
    tested = commands([below_5, plus_one(0)], [put(1, binary(BinaryOp.ADD, read(0), const(3)))])
    assert reached_ranges(tested) == ((0, 4), (0, 7))


def test_all_initial_states_count() -> None:
    tested = commands([when(read(0)), put(1, read(0))])
    begun = Program(**{f: getattr(tested, f) for f in tested.__dataclass_fields__} | {"further_initial": ((9, 0),)})
    assert reached_ranges(begun) == ((0, 9), (0, 9))


def test_a_large_program_is_not_interpreted_for_long() -> None:
    step = [when(binary(BinaryOp.LT, read(0), const(11))), plus_one(0)]
    wordy: list[n.Stmt] = [n.Evaluate(NOWHERE, local(0)) for _ in range(MAX_NODES)]
    assert reached_ranges(commands([n.SetLocal(NOWHERE, 0, const(0)), *wordy, *step]))[0] == (0, 255)


def reached(tested: Program) -> Iterator[State]:
    """Some of the states that can be reached, breadth-first."""
    run = Interpreter(tested)
    found = {state: None for state in tested.initial_states}
    for state in iter(list(found)):
        yield state
    pending = list(found)
    while pending and len(found) < MOST_STATES:
        state = pending.pop(0)
        for command in range(tested.nr_commands):
            try:
                after = run.fire(state, command)
            except Fault:
                continue
            if after is not None and after not in found:
                found[after] = None
                pending.append(after)
                yield after


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs())
def test_every_state_that_is_reached_is_within_the_ranges(tested: Program) -> None:
    layout = choose_layout(tested, reached_ranges(tested))
    for state in reached(tested):
        assert layout.unpack(layout.pack(state)) == state


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs())
def test_what_disables_a_command_does_so_in_every_state_and_hides_no_model_error(tested: Program) -> None:
    run = Interpreter(tested)
    disabling = [each.alone for each in conditions(tested, declared_ranges(tested))]
    for state in reached(tested):
        for command, cells in enumerate(disabling):
            if any(cell < 0 or state[cell] in values for cell, values in cells.items()):
                assert run.fire(state, command) is None
