"""What disables commands: where a cell has such a value, the command is disabled whatever the rest of the state is."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from codegen_programs import (
    binary,
    call,
    const,
    fold,
    function,
    generator,
    give,
    let,
    local,
    program,
    programs,
    put,
    read,
    some_state,
    variable,
    when,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asset.analysis.values import enabling
from asset.analysis.values.bit_layout import choose_layout
from asset.analysis.values.enabling import ALWAYS, Conditions, conditions
from asset.ir import nodes as n
from asset.ir.interpreter import Interpreter
from asset.ir.nodes import BinaryOp, FoldOp
from asset.ir.program import Program, Style
from asset.ir.types import BoolType, IntType

X, Y, ROW = range(3)


def one_command(*body: n.Stmt, style: Style = Style.GUARDED, most: int = 3, others: Sequence[n.Stmt] = ()) -> Program:
    """Its cells are x, y and four of a row."""
    variables = [variable("x", IntType(0, most)), variable("y", IntType(0, most)), variable("row", BoolType(), 4)]
    return program(variables, [function(1, 2, *body), function(1, 2, *others)], [(0, [(1,)], style)])


def disabling(tested: Program) -> dict[int, list[int]]:
    (found,) = conditions(tested, choose_layout(tested).ranges)
    return {cell: list(values) for cell, values in found.alone.items()}


def equal(left: n.Expr, right: n.Expr) -> n.Expr:
    return binary(BinaryOp.EQ, left, right)


def test_values_for_which_a_guard_is_false_disable_a_command() -> None:
    assert disabling(one_command(when(equal(read(X), const(2))), put(Y, const(0)))) == {0: [0, 1, 3]}
    both = n.And(read(X).span, (equal(read(X), const(2)), binary(BinaryOp.GT, read(Y), const(1))))
    assert disabling(one_command(when(both))) == {0: [0, 1, 3], 1: [0, 1]}
    either = n.Or(read(X).span, (equal(read(X), const(2)), equal(read(X), const(0))))
    assert disabling(one_command(when(either))) == {0: [1, 3]}


def test_cells_that_only_some_enabled_alternatives_depend_on_disable_nothing() -> None:
    either = n.Or(read(X).span, (equal(read(X), const(2)), equal(read(Y), const(0))))
    assert disabling(one_command(when(either))) == {}


def test_arithmetic_locals_calls_and_folds_are_followed() -> None:
    doubled = one_command(
        let(1, binary(BinaryOp.MUL, read(X), const(2))), when(equal(local(1), const(4))), put(Y, const(0))
    )
    assert disabling(doubled) == {0: [0, 1, 3]}
    called = one_command(when(call(1, const(2))), others=[give(equal(read(X), local(0)))])
    assert disabling(called) == {0: [0, 1, 3]}
    every = fold(FoldOp.ALL, [generator(1, const(4))], read(ROW, local(1)))
    assert disabling(one_command(when(every))) == {2: [0], 3: [0], 4: [0], 5: [0]}
    total = fold(FoldOp.SUM, [generator(1, const(2))], read(ROW, local(1)))
    assert disabling(one_command(when(binary(BinaryOp.GT, total, const(1))))) == {2: [0], 3: [0]}


def test_an_index_divides_the_alternatives() -> None:
    assert disabling(one_command(when(read(ROW, read(X))))) == {}
    assert disabling(one_command(when(equal(read(X), const(3))), when(read(ROW, read(X))))) == {0: [0, 1, 2], 5: [0]}


def test_what_disables_a_command_may_depend_on_an_index() -> None:
    tested = one_command(when(read(ROW, read(X))))
    (found,) = conditions(tested, choose_layout(tested).ranges)
    assert found.key == X and found.given == {x: {2 + x: [0]} for x in range(4)}
    either = n.Conditional(read(X).span, equal(read(X), const(1)), equal(read(Y), const(2)), equal(read(Y), const(3)))
    tested = one_command(when(either))
    (found,) = conditions(tested, choose_layout(tested).ranges)
    assert found == Conditions({Y: [0, 1]}, Y, {2: {X: [0, 2, 3]}, 3: {X: [1]}})


def test_a_model_error_before_a_guard_is_not_hidden() -> None:
    inverse = binary(BinaryOp.FLOORDIV, const(2), read(X))
    assert disabling(one_command(when(equal(inverse, const(2))))) == {0: [2, 3]}
    # Where x is 0 the run ends with an error, although y would disable it.
    then = when(equal(read(Y), const(1)))
    assert disabling(one_command(let(1, inverse), then)) == {}


def test_what_was_assigned_to_before_a_guard_is_not_followed() -> None:
    assert disabling(one_command(put(X, const(1)), when(equal(read(X), const(2))))) == {}


def test_a_function_that_returns_false_is_disabled() -> None:
    assert disabling(one_command(give(equal(read(X), const(2))), style=Style.FIRE)) == {0: [0, 1, 3]}


def test_a_command_that_is_never_enabled_is_known() -> None:
    impossible = one_command(when(binary(BinaryOp.GT, read(X), const(5))))
    assert [each.alone for each in conditions(impossible, choose_layout(impossible).ranges)] == [ALWAYS]


def test_of_a_cell_with_many_values_nothing_is_said() -> None:
    guard = when(equal(read(X), const(2)))
    assert disabling(one_command(guard, most=enabling.MAX_VALUES)) == {}
    assert len(disabling(one_command(guard, most=enabling.MAX_VALUES - 1))[0]) == enabling.MAX_VALUES - 1


def test_of_many_commands_the_first_cells_of_each_are_known() -> None:
    place = when(equal(read(X), local(0)))
    variables = [variable("x", IntType(0, 199)), variable("y", IntType(0, 255)), variable("z", IntType(0, 255))]
    later = [when(binary(BinaryOp.LT, read(cell), const(200))) for cell in (1, 2)]
    tested = program(variables, [function(1, 1, place, *later)], [(0, [range(200)] * 1, Style.GUARDED)] * 20)
    for found in conditions(tested, choose_layout(tested).ranges):
        assert len(found.alone[0]) == 199
        assert list(found.alone[1]) == list(range(200, 256))


def fires(interpreter: Interpreter, state: tuple[int, ...], command: int, found: Conditions) -> None:
    """The command is disabled if it is said to be; that is not said of one that ends with a model error either."""
    given = found.given.get(state[found.key], {}) if found.key >= 0 else {}
    if found.alone is ALWAYS or any(state[cell] in values for cell, values in (*found.alone.items(), *given.items())):
        assert interpreter.fire(state, command) is None


@pytest.mark.parametrize("runs", [2, 7, enabling.MOST_RUNS])
def test_what_is_said_to_be_disabled_is_disabled(runs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enabling, "MOST_RUNS", runs)
    monkeypatch.setattr(enabling, "LEAST_RUNS", 1)

    @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
    @given(programs(), st.integers(0, 999))
    def check(tested: Program, seed: int) -> None:
        source, interpreter = random.Random(seed), Interpreter(tested)
        states = [tested.initial, *(some_state(tested.variables, source) for _ in range(30))]
        found = conditions(tested, choose_layout(tested).ranges)
        for state in states:
            for command, each in enumerate(found):
                fires(interpreter, state, command, each)

    check()
