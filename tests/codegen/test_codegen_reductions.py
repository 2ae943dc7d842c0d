"""Native rules and representatives do what the reference interpreter does with them."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from codegen_programs import (
    binary,
    call,
    const,
    counting,
    function,
    if_,
    let,
    local,
    oblige,
    program,
    put,
    read,
    reduced,
    reduced_programs,
    some_state,
    variable,
    when,
)
from codegen_table import NativeTable, assert_agrees
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asset.analysis.values.bit_layout import choose_layout
from asset.analysis.values.interval import Interval, declared_ranges
from asset.analysis.values.interval_analysis import find_intervals
from asset.codegen import compile
from asset.codegen.description import description
from asset.codegen.module import module_text
from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.ir.nodes import BinaryOp
from asset.ir.program import Function, Program, State, Style
from asset.ir.reductions import HAND_WRITTEN, Reductions
from asset.ir.types import BoolType, IntType
from asset.ir.verify import verify
from asset.span import NOWHERE

ALL = n.ObligeAll(NOWHERE)


def agree(tested: Program, states: list[State] | None = None) -> NativeTable:
    verify(tested)
    model = compile(tested, HAND_WRITTEN, anywhere=True)
    assert_agrees(tested, model, states or [tested.initial])
    return NativeTable(model)


def stepping(*rules: Function | None, size: int = 5, padding: int = 0) -> Program:
    """For each rule a family of `size` commands over an array; `padding` cells make the state longer."""
    body = function(1, 1, when(read(0, local(0))), put(0, const(0), local(0)))
    variables = [variable("a", BoolType(), size), variable("p", IntType(0, 2**60), padding)]
    return reduced(program(variables, [body], [(0, [range(size)], Style.GUARDED)] * len(rules)), rules)


def plus(left: n.Expr, right: n.Expr) -> n.Expr:
    return binary(BinaryOp.ADD, left, right)


# --- rules ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("padding", [0, 2, 40])
def test_a_rule_lists_commands_in_its_order_as_the_state_says(padding: int) -> None:
    backwards = counting(1, const(5), [oblige(plus(const(5), binary(BinaryOp.SUB, const(4), local(1))))])
    rule = function(1, 2, if_(read(0, local(0)), [oblige(const(7), local(0), const(7))], [backwards, ALL]))
    tested = stepping(rule, None, padding=padding)
    state = (1, 0, 0, 1, 0, *tested.initial[5:])
    native = agree(tested, [tested.initial, state])
    assert native.obligations(state, 3) == (3, [7, 3, 7])
    assert native.obligations(state, 2) == (15, [9, 8, 7, 6, 5, *range(10)])
    assert native.obligations(state, 8) == (10, list(range(10)))


def test_what_does_not_fit_is_counted_but_not_written() -> None:
    native = agree(stepping(function(1, 1, oblige(local(0), const(4)), ALL), None))
    assert native.obligations((0,) * 5, 1, capacity=0) == (12, [])
    assert native.obligations((0,) * 5, 1, capacity=1) == (12, [1])
    assert native.obligations((0,) * 5, 1, capacity=4) == (12, [1, 4, 0, 1])
    assert native.obligations((0,) * 5, 6, capacity=3) == (10, [0, 1, 2])


@pytest.mark.parametrize("offset", [-1, 6])
def test_a_number_that_no_command_has_is_a_fault(offset: int) -> None:
    native = agree(stepping(function(1, 1, oblige(plus(local(0), const(offset)))), None))
    first_bad = 0 if offset < 0 else 4
    assert native.obligations((0,) * 5, first_bad) == (-FaultKind.INDEX, [])
    assert native.obligations((0,) * 5, 2) == (1, [2 + offset])


def test_a_fault_in_a_rule_or_in_what_it_calls_is_reported() -> None:
    helper = function(1, 1, n.Return(NOWHERE, binary(BinaryOp.FLOORDIV, const(4), local(0))))
    tested = stepping(function(1, 1, oblige(call(1, local(0)))))
    tested = replace(tested, functions=(tested.functions[0], helper, tested.functions[1]))
    tested = replace(tested, families=(replace(tested.families[0], rule=2),))
    native = agree(tested)
    assert native.obligations((0,) * 5, 0) == (-FaultKind.DIVISION, [])
    assert native.obligations((0,) * 5, 2) == (1, [2])


def test_commands_of_several_indices_are_told_apart() -> None:
    digits = binary(BinaryOp.MOD, plus(local(2), plus(local(1), local(0))), const(60))
    body = function(3, 3, put(0, digits))
    ranges = [range(2, 5), [7], [9, 1, 3, 4]]
    parts = [(0, ranges, Style.GUARDED), (0, [[1], [2], [3]], Style.GUARDED), (0, ranges, Style.GUARDED)]
    rule = function(3, 3, oblige(local(0), local(1), local(2)))
    native = agree(reduced(program([variable("x", IntType(0, 63))], [body], parts), [rule] * 3))
    assert native.obligations((0,), 6) == (3, [3, 7, 3])
    assert native.obligations((0,), 12) == (3, [1, 2, 3])
    assert native.obligations((0,), 24) == (3, [4, 7, 4])


def test_a_rule_is_analysed_with_the_indices_of_its_family() -> None:
    index = local(0)
    tested = stepping(function(1, 1, oblige(index)), size=4)
    assert find_intervals(tested).of(index) == Interval(0, 3)
    checks = module_text(tested, choose_layout(tested)).count(f"label %fault{FaultKind.INDEX:d}")
    assert checks == 0


def offered(tested: Program, stubborn: bool = True, symmetry: bool = True) -> tuple[bool, bool]:
    """Whether the table has obligations, and whether it has representatives."""
    native = NativeTable(compile(tested, Reductions(hand_rules=stubborn, hand_symmetry=symmetry), anywhere=True))
    return bool(native.table.obligations), bool(native.table.representatives)


def test_the_table_has_no_functions_for_what_the_program_lacks_or_nobody_asks_for() -> None:
    both = reduced(stepping(None), [function(1, 1, ALL)], function(0, 0, put(0, const(0), const(1))))
    assert offered(stepping(None)) == (False, False)
    assert offered(stepping(None, function(1, 1, ALL))) == (True, False)
    assert offered(rotating(0)) == (False, True)
    assert offered(both) == (True, True)
    assert offered(both, stubborn=False) == (False, True)
    assert offered(both, symmetry=False) == (True, False)


# --- representatives --------------------------------------------------------------------------------------------


def rotating(padding: int) -> Program:
    """Moves an array round until its first element is the least; none of 9 is an error."""
    moved = counting(1, const(3), [put(0, read(0, plus(local(1), const(1))), local(1))])
    once = [let(0, read(0, const(0))), moved, put(0, local(0), const(3))]
    behind = [binary(BinaryOp.GT, read(0, const(0)), read(0, const(k))) for k in range(1, 4)]
    failing = if_(binary(BinaryOp.EQ, read(0, const(2)), const(9)), [n.Fail(NOWHERE, FaultKind.RAISE, ())])
    variables = [variable("a", IntType(0, 9), 4), variable("p", IntType(0, 2**60), padding)]
    body = function(0, 2, failing, n.While(NOWHERE, n.Or(NOWHERE, tuple(behind)), tuple(once)))
    return reduced(program(variables, [], []), [], body)


@pytest.mark.parametrize("padding", [0, 2, 40])
def test_states_are_replaced_by_their_representatives_up_to_a_fault(padding: int) -> None:
    tested = rotating(padding)
    rest = tested.initial[4:]
    starts = [(0, 0, 0, 0), (3, 1, 2, 4), (5, 4, 3, 2), (1, 2, 9, 3), (4, 3, 2, 1)]
    states = [(*start, *rest) for start in starts]
    native = agree(tested, states)
    expected = [(*state, *rest) for state in [(0, 0, 0, 0), (1, 2, 4, 3), (2, 5, 4, 3)]]
    assert native.representatives(states) == (expected, (3, FaultKind.RAISE))
    assert native.representatives(states[:3]) == (expected, None)
    assert native.representatives([]) == ([], None)


def test_a_representative_that_changes_nothing_leaves_states_alone() -> None:
    states: list[State] = [(0, 0, 1, 0, 1), (0,) * 5]
    tested = replace(stepping(None), functions=(stepping(None).functions[0], function(0, 0)), representative=1)
    assert agree(tested, states).representatives(states) == (states, None)


# --- both -------------------------------------------------------------------------------------------------------


def described(tested: Program) -> bytes:
    return description(tested, declared_ranges(tested))


def test_rules_and_representatives_have_code_of_their_own_in_the_cache() -> None:
    one, other = stepping(function(1, 1, oblige(const(1)))), stepping(function(1, 1, oblige(const(2))))
    assert len({described(tested) for tested in (one, other, stepping(None))}) == 3
    assert described(replace(rotating(0), representative=None)) != described(rotating(0))


@pytest.mark.parametrize("padding", [0, 1, 5])
def test_random_rules_and_representatives_agree(padding: int) -> None:
    @settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(reduced_programs(padding=padding), st.integers(0, 99))
    def check(tested: Program, seed: int) -> None:
        source = random.Random(seed)
        agree(tested, [tested.initial, *(some_state(tested.variables, source) for _ in range(5))])

    check()
