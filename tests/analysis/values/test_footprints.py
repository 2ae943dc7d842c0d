"""The bits that commands touch: nothing else changes what they do, and they change nothing else."""

from __future__ import annotations

import random
from typing import Literal

from codegen_programs import binary, const, function, local, program, programs, put, read, some_state, variable, when
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asset.analysis.values.bit_layout import BitLayout, choose_layout
from asset.analysis.values.footprints import Masks, footprints
from asset.ir import nodes as n
from asset.ir.faults import Fault
from asset.ir.interpreter import Interpreter
from asset.ir.nodes import BinaryOp
from asset.ir.program import Program, State, Style
from asset.ir.types import BoolType, IntType

X, ROW, Y = range(3)


def one_command(*body: n.Stmt, index: int = 0, most: int = 3) -> Program:
    """Its cells are x, four of a row, and y."""
    variables = [variable("x", IntType(0, most)), variable("row", BoolType(), 4), variable("y", IntType(0, most))]
    return program(variables, [function(1, 1, *body)], [(0, ((index,),), Style.GUARDED)])


def cells_of(layout: BitLayout, masks: Masks) -> set[int]:
    places = enumerate(layout.cells)
    return {cell for cell, at in places if masks.get(at.word, 0) & (1 << at.width) - 1 << at.shift}


def touched(tested: Program) -> set[int]:
    layout = choose_layout(tested)
    (masks,) = footprints(tested, layout)
    assert masks is not None
    return cells_of(layout, masks)


def test_what_is_read_and_what_is_assigned_to_is_touched() -> None:
    assert touched(one_command(when(binary(BinaryOp.LT, read(X), const(2))), put(Y, const(1)))) == {0, 5}


def test_only_the_cells_of_an_array_that_a_command_comes_to_are_touched() -> None:
    following = binary(BinaryOp.MOD, binary(BinaryOp.ADD, local(0), const(1)), const(4))
    assert touched(one_command(when(read(ROW, following)), put(ROW, const(0), local(0)), index=3)) == {1, 4}
    assert touched(one_command(when(read(ROW, read(X))))) == {0, 1, 2, 3, 4}


def test_what_comes_after_a_guard_that_is_never_true_is_not_touched() -> None:
    assert touched(one_command(when(read(ROW, const(0))), when(const(0)), put(Y, const(1)))) == {1}


def test_a_command_may_touch_nothing() -> None:
    tested = one_command(when(const(1)))
    assert footprints(tested, choose_layout(tested)) == [{0: 0}]


def test_of_commands_that_touch_many_bits_nothing_is_said() -> None:
    tested = one_command(when(binary(BinaryOp.LT, read(X), read(Y))), most=127)
    assert footprints(tested, choose_layout(tested)) == [None]


def fired(tested: Program, state: State, command: int) -> dict[int, int] | Literal["fails"] | None:
    """The cells that firing the command changes; None if it is disabled. How it fails may depend on what its message
    shows: that is told by firing it in the very state."""
    try:
        after = Interpreter(tested).fire(state, command)
    except Fault:
        return "fails"
    return None if after is None else {cell: value for cell, value in enumerate(after) if value != state[cell]}


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs(), st.integers(0, 9999))
def test_states_that_differ_elsewhere_are_the_same_to_a_command(tested: Program, seed: int) -> None:
    layout, source = choose_layout(tested), random.Random(seed)
    for command, masks in enumerate(footprints(tested, layout)):
        if masks is None:
            continue
        own = cells_of(layout, masks)
        for _ in range(4):
            one, other = (some_state(tested.variables, source) for _ in range(2))
            alike = tuple(one[cell] if cell in own else value for cell, value in enumerate(other))
            changes = fired(tested, one, command)
            assert fired(tested, alike, command) == changes
            assert not isinstance(changes, dict) or changes.keys() <= own
