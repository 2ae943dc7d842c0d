"""The reference interpreter gives programs the meaning that Python gives them."""

from __future__ import annotations

import operator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from programs import (
    HERE,
    assign,
    binary,
    const,
    expression,
    family,
    function,
    graph,
    invariant,
    local,
    one_command,
    program,
    read,
    set_local,
    variable,
    when,
)

from asset.ir import nodes as n
from asset.ir.faults import Fault, FaultKind
from asset.ir.interpreter import Interpreter
from asset.ir.program import Style
from asset.ir.types import EnumType

OPERATORS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "min": min,
    "max": max,
}
SMALL = st.integers(-1000, 1000)


def value(e: n.Expr, slots: tuple[str, ...] = ()) -> int:
    state = Interpreter(expression(e, slots)).fire((0,), 0)
    assert state is not None
    return state[0]


def fault(e: n.Expr) -> FaultKind:
    with pytest.raises(Fault) as caught:
        value(e)
    return caught.value.kind


@given(st.sampled_from(sorted(OPERATORS)), SMALL, SMALL)
def test_operators_mean_what_they_mean_in_python(op: str, a: int, b: int) -> None:
    if op in ("//", "%") and b == 0:
        assert fault(binary(op, const(a), const(b))) is FaultKind.DIVISION
    else:
        assert value(binary(op, const(a), const(b))) == int(OPERATORS[op](a, b))


@given(SMALL, st.integers(-3, 70))
def test_shifts_are_pythons_until_they_overflow(a: int, b: int) -> None:
    if b < 0:
        assert fault(binary("<<", const(a), const(b))) is FaultKind.SHIFT
        assert fault(binary(">>", const(a), const(b))) is FaultKind.SHIFT
        return
    assert value(binary(">>", const(a), const(b))) == a >> b
    if -(2**63) < a << b < 2**63:
        assert value(binary("<<", const(a), const(b))) == a << b
    else:
        assert fault(binary("<<", const(a), const(b))) in (FaultKind.OVERFLOW, FaultKind.RANGE)


@pytest.mark.parametrize(("a", "b"), [(-1, 10**6), (-1, 10**6 + 1), (0, 99), (1, 99), (2, 62), (-3, 5), (7, 0)])
def test_powers_are_pythons(a: int, b: int) -> None:
    assert value(binary("**", const(a), const(b))) == a**b


def test_a_result_that_does_not_fit_64_bits_is_an_overflow() -> None:
    most = 2**63 - 1
    assert fault(binary("+", const(most), const(1))) is FaultKind.OVERFLOW
    assert fault(binary("*", const(most), const(-2))) is FaultKind.OVERFLOW
    assert fault(binary("**", const(10), const(10**9))) is FaultKind.OVERFLOW
    assert fault(binary("//", const(-most - 1), const(-1))) is FaultKind.OVERFLOW
    assert fault(n.Unary(HERE, n.UnaryOp.NEGATE, const(-most - 1))) is FaultKind.OVERFLOW


def test_and_and_or_give_the_deciding_operand_and_evaluate_no_further() -> None:
    zero_division = binary("//", const(1), const(0))
    assert value(n.And(HERE, (const(5), const(0), zero_division))) == 0
    assert value(n.And(HERE, (const(5), const(7)))) == 7
    assert value(n.Or(HERE, (const(0), const(7), zero_division))) == 7
    assert value(n.Or(HERE, (const(0), const(0)))) == 0
    assert value(n.Conditional(HERE, const(1), const(3), zero_division)) == 3


def squares(op: n.FoldOp, stop: int, default: n.Expr | None = None) -> n.Fold:
    generator = n.Generator(HERE, 0, const(0), const(stop), const(1), test=binary("!=", local(0), const(2)))
    return n.Fold(HERE, op, (generator,), binary("*", local(0), local(0)), default)


def test_folds_are_pythons_reductions_of_generator_expressions() -> None:
    assert value(squares(n.FoldOp.SUM, 5), ("i",)) == 0 + 1 + 9 + 16
    assert value(squares(n.FoldOp.MAX, 5), ("i",)) == 16
    assert value(squares(n.FoldOp.MIN, 0, const(-4)), ("i",)) == -4
    assert value(squares(n.FoldOp.ANY, 5), ("i",)) == 1
    assert value(squares(n.FoldOp.ALL, 5), ("i",)) == 0
    assert value(squares(n.FoldOp.ALL, 0), ("i",)) == 1
    with pytest.raises(Fault, match="of nothing"):
        value(squares(n.FoldOp.MIN, 0), ("i",))


def test_a_disabled_command_changes_nothing_even_after_an_assignment() -> None:
    interpreter = Interpreter(one_command(assign(0, const(3)), when(binary("==", read(0), const(0)))))
    assert interpreter.fire((0,), 0) is None


def test_a_value_out_of_range_is_a_fault_that_names_the_cell() -> None:
    array = variable("level", dims=(3,), initial=(0, 0, 0))
    interpreter = Interpreter(one_command(assign(0, const(8), const(2)), variables=[array]))
    with pytest.raises(Fault, match=r"level\[2\] = 8 is out of range: level takes 0..7") as caught:
        interpreter.fire((0, 0, 0), 0)
    assert caught.value.kind is FaultKind.RANGE


def test_an_enum_takes_its_members_only() -> None:
    gaps = variable("colour", EnumType("Colour", (("RED", 1), ("BLUE", 5))), initial=(1,))
    assert Interpreter(one_command(assign(0, const(5)), variables=[gaps])).fire((1,), 0) == (5,)
    with pytest.raises(Fault):
        Interpreter(one_command(assign(0, const(3)), variables=[gaps])).fire((1,), 0)


def test_an_index_out_of_bounds_is_a_fault_in_either_dimension() -> None:
    grid = variable("grid", dims=(2, 3), initial=(0,) * 6)
    for indices in ((2, 0), (0, 3), (-1, 0)):
        step = assign(0, const(1), *(const(i) for i in indices))
        with pytest.raises(Fault) as caught:
            Interpreter(one_command(step, variables=[grid])).fire((0,) * 6, 0)
        assert caught.value.kind is FaultKind.INDEX
    step = assign(0, const(1), const(1), const(2))
    assert Interpreter(one_command(step, variables=[grid])).fire((0,) * 6, 0) == (0, 0, 0, 0, 0, 1)


def test_a_loop_runs_over_its_range_whatever_is_assigned_to_its_variable() -> None:
    body = (assign(0, binary("+", read(0), const(1))), set_local(0, const(99)))
    loop = n.For(HERE, 0, const(5), const(0), const(-2), body)
    assert Interpreter(one_command(loop, slots=("i",))).fire((0,), 0) == (3,)


def test_break_continue_and_return_leave_what_they_leave_in_python() -> None:
    odd = n.If(HERE, (n.Case(HERE, binary("%", local(0), const(2)), (n.Continue(HERE),)),))
    large = n.If(HERE, (n.Case(HERE, binary(">", local(0), const(6)), (n.Break(HERE),)),))
    loop = n.For(HERE, 0, const(0), const(100), const(1), (odd, large, assign(0, local(0))))
    step = one_command(loop, n.Return(HERE), assign(0, const(0)), slots=("i",))
    assert Interpreter(step).fire((1,), 0) == (6,)


def test_a_while_loop_that_does_not_end_is_a_fault() -> None:
    counting = n.While(HERE, const(1), (set_local(0, const(1)),))
    with pytest.raises(Fault, match="it comes back to where it has been"):
        Interpreter(one_command(counting, slots=("i",))).fire((0,), 0)


def test_a_call_may_change_the_state_and_its_value_is_what_it_returns() -> None:
    bump = function(
        "bump", assign(0, binary("+", read(0), local(0))), n.Return(HERE, read(0)), slots=("by",), parameters=1
    )
    call = n.Call(HERE, 1, (const(2),))
    step = function("step", assign(0, binary("+", call, read(0))))
    assert Interpreter(program([variable("x")], [step, bump], [family("step", 0)])).fire((1,), 0) == (6,)


def test_fire_style_commands_are_enabled_where_they_return_true() -> None:
    fire = function("fire", n.Return(HERE, local(0)), slots=("t",), parameters=1)
    program_ = program([variable("x")], [fire], [family("fire", 0, (0, 1), style=Style.FIRE)])
    assert [Interpreter(program_).fire((4,), t) for t in (0, 1)] == [None, (4,)]


def test_changing_the_state_and_returning_false_is_a_fault() -> None:
    fire = function("fire", assign(0, const(1)), n.Return(HERE, const(0)))
    program_ = program([variable("x")], [fire], [family("fire", 0, style=Style.FIRE)])
    with pytest.raises(Fault) as caught:
        Interpreter(program_).fire((0,), 0)
    assert caught.value.kind is FaultKind.CHANGED
    assert Interpreter(program_).fire((1,), 0) is None


def test_properties_answer_with_what_is_wrong() -> None:
    positive = function("positive", n.Return(HERE, binary(">", read(0), const(0))))
    coded = function("check_state", n.Return(HERE, read(0)))
    p = program([variable("x")], [positive, coded], [], [invariant("positive", 0), invariant("coded", 1, "one", "two")])
    interpreter = Interpreter(p)
    assert interpreter.evaluate(p.predicates[0], (3,)) is None
    assert interpreter.evaluate(p.predicates[0], (0,)) == "positive is false"
    assert interpreter.evaluate(p.predicates[1], (0,)) is None
    assert interpreter.evaluate(p.predicates[1], (2,)) == "two"


def test_a_failure_message_may_hold_values() -> None:
    fail = n.Fail(HERE, FaultKind.ASSERTION, ("x is ", read(0), "!"))
    with pytest.raises(Fault, match="x is 5!"):
        Interpreter(one_command(fail)).fire((5,), 0)


def test_obligations_come_in_the_order_listed_and_may_depend_on_the_state() -> None:
    step = function("step", slots=("i",), parameters=1)
    large = n.If(HERE, (n.Case(HERE, binary(">", read(0), const(3)), (n.ObligeAll(HERE), n.Return(HERE))),))
    rule = function("rule", large, n.Oblige(HERE, (const(2), local(0))), slots=("i",), parameters=1)
    p = program([variable("x")], [step, rule], [replace(family("step", 0, (0, 1, 2)), rule=1)])
    assert Interpreter(p).obligations((0,), 1) == (2, 1)
    assert Interpreter(p).obligations((4,), 1) == (0, 1, 2)


def test_without_a_rule_every_command_is_obliged() -> None:
    step = function("step", slots=("i",), parameters=1)
    assert Interpreter(program([variable("x")], [step], [family("step", 0, (0, 1, 2))])).obligations((0,), 1) == (
        0,
        1,
        2,
    )


def test_obliging_a_command_that_does_not_exist_is_a_fault() -> None:
    p = graph([[0]], rules=[[1]])
    with pytest.raises(Fault, match="no transition 1") as caught:
        Interpreter(p).obligations((0,), 0)
    assert caught.value.kind is FaultKind.INDEX


def test_a_representative_is_what_its_function_makes_of_the_state() -> None:
    lower = function("lower", assign(0, binary("min", read(0), const(2))))
    p = program([variable("x")], [lower])
    assert Interpreter(replace(p, representative=0)).representative((5,)) == (2,)
    assert Interpreter(p).representative((5,)) == (5,)
