"""Interval analysis: sound on random programs, and precise enough on the programs that matter."""

from __future__ import annotations

import operator

from codegen_programs import (
    binary,
    const,
    counting,
    fold,
    function,
    generator,
    give,
    if_,
    let,
    local,
    program,
    programs,
    put,
    read,
    unary,
    variable,
    when,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asset.analysis.values.interval import TOP, Interval
from asset.analysis.values.interval import binary as apply_binary
from asset.analysis.values.interval_analysis import find_intervals
from asset.ir import nodes as n
from asset.ir.faults import Fault
from asset.ir.interpreter import IntegerFrame, Interpreter
from asset.ir.nodes import BinaryOp, FoldOp, UnaryOp
from asset.ir.program import Program, Style
from asset.ir.types import IntType
from asset.span import NOWHERE

SMALL = IntType(0, 7)


def single(body: list[n.Stmt], ranges: list[list[int]] | None = None, slots: int = 4) -> Program:
    """One family over an array of 4 cells and a variable, both 0..7."""
    indices = ranges or []
    variables = [variable("x", SMALL), variable("a", SMALL, 4)]
    return program(variables, [function(len(indices), slots, *body)], [(0, indices, Style.GUARDED)])


def test_a_state_variable_is_within_its_type() -> None:
    e = read(0)
    assert find_intervals(single([give(e)])).of(e) == (0, 7)


def test_an_index_is_within_its_range() -> None:
    e = local(0)
    assert find_intervals(single([give(e)], [[5, 2, 9]])).of(e) == (2, 9)


def test_a_guard_bounds_what_follows_it() -> None:
    e = binary(BinaryOp.SUB, read(0), const(1))
    body = [when(binary(BinaryOp.GT, read(0), const(0))), put(0, e)]
    assert find_intervals(single(body)).of(e) == (0, 6)


def test_an_assignment_ends_what_a_guard_said() -> None:
    e = read(0)
    body = [when(binary(BinaryOp.LT, read(0), const(3))), put(0, const(6)), give(e)]
    assert find_intervals(single(body)).of(e) == (6, 6)


def test_a_guard_on_a_cell_says_nothing_of_another_after_the_index_changed() -> None:
    e = read(1, local(0))
    body = [when(binary(BinaryOp.EQ, read(1, local(0)), const(2))), let(0, const(1)), give(e)]
    assert find_intervals(single(body, [[0, 3]])).of(e) == (0, 7)


def test_each_branch_knows_the_outcome_of_the_test() -> None:
    then, other = read(0), read(0)
    body = [if_(binary(BinaryOp.LE, read(0), const(2)), [give(then)], [give(other)])]
    found = find_intervals(single(body))
    assert (found.of(then), found.of(other)) == ((0, 2), (3, 7))


def test_negations_and_conjunctions_are_understood() -> None:
    e = read(0)
    low, high = binary(BinaryOp.LT, read(0), const(2)), binary(BinaryOp.GE, read(0), const(5))
    test = n.And(NOWHERE, (unary(UnaryOp.NOT, low), unary(UnaryOp.NOT, high)))
    assert find_intervals(single([when(test), give(e)])).of(e) == (2, 4)


def test_after_a_branch_both_outcomes_are_possible() -> None:
    e = local(1)
    body = [if_(read(0), [let(1, const(3))], [let(1, const(9))]), give(e)]
    assert find_intervals(single(body)).of(e) == (3, 9)


def test_a_loop_counter_is_within_its_range() -> None:
    e = read(1, local(1))
    assert find_intervals(single([counting(1, const(4), [when(e)])])).of(e.indices[0]) == (0, 3)


def test_a_while_loop_settles_at_its_bound() -> None:
    inside, after = local(1), local(1)
    step = let(1, binary(BinaryOp.ADD, inside, const(1)))
    loop = n.While(NOWHERE, binary(BinaryOp.LT, local(1), const(100)), (step,))
    found = find_intervals(single([let(1, const(0)), loop, give(after)]))
    assert (found.of(inside), found.of(after)) == ((0, 99), (100, 100))


def test_a_value_that_grows_without_bound_is_unknown() -> None:
    e = local(2)
    step = let(2, binary(BinaryOp.ADD, local(2), const(1)))
    body = [let(2, const(0)), counting(1, read(0), [step]), give(e)]
    assert find_intervals(single(body)).of(e).hi == TOP.hi


def test_a_sum_is_bounded_by_the_number_of_its_elements() -> None:
    e = fold(FoldOp.SUM, [generator(1, const(4))], read(1, local(1)))
    assert find_intervals(single([give(e)])).of(e) == (0, 28)


_OPERATORS = {
    BinaryOp.ADD: operator.add,
    BinaryOp.SUB: operator.sub,
    BinaryOp.MUL: operator.mul,
    BinaryOp.FLOORDIV: operator.floordiv,
    BinaryOp.MOD: operator.mod,
    BinaryOp.POW: operator.pow,
    BinaryOp.LSHIFT: operator.lshift,
    BinaryOp.RSHIFT: operator.rshift,
    BinaryOp.AND: operator.and_,
    BinaryOp.OR: operator.or_,
    BinaryOp.XOR: operator.xor,
    BinaryOp.EQ: operator.eq,
    BinaryOp.LT: operator.lt,
    BinaryOp.GE: operator.ge,
    BinaryOp.MIN: min,
    BinaryOp.MAX: max,
}
_bounds = st.tuples(st.integers(-9, 9), st.integers(0, 5)).map(lambda p: Interval(p[0], p[0] + p[1]))


@given(st.sampled_from(sorted(_OPERATORS, key=lambda op: op.name)), _bounds, _bounds)
def test_the_interval_of_an_operator_has_all_its_results(op: BinaryOp, a: Interval, b: Interval) -> None:
    result = apply_binary(op, a, b)
    for x in range(a.lo, a.hi + 1):
        for y in range(b.lo, b.hi + 1):
            if (op in (BinaryOp.FLOORDIV, BinaryOp.MOD) and y == 0) or (
                op in (BinaryOp.POW, BinaryOp.LSHIFT, BinaryOp.RSHIFT) and y < 0
            ):
                continue
            assert int(_OPERATORS[op](x, y)) in result


class _Watching(Interpreter):
    """Asserts that every value is within what the analysis found."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.intervals = find_intervals(program)

    def _value(self, e: n.Expr, frame: IntegerFrame) -> int:
        value = super()._value(e, frame)
        assert value in self.intervals.of(e)
        return value


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs())
def test_every_value_of_a_random_program_is_within_its_interval(program: Program) -> None:
    interpreter = _Watching(program)
    states = [program.initial]
    for state in states[:8]:
        for command in range(program.nr_commands):
            try:
                after = interpreter.fire(state, command)
            except Fault:
                continue
            if after is not None:
                states.append(after)
