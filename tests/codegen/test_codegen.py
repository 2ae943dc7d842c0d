"""Native code does what the reference interpreter does: every node, every fault, states short and long."""

from __future__ import annotations

import ctypes
import random
from pathlib import Path

import pytest
from codegen_programs import (
    GAPPED,
    WHOLE,
    binary,
    call,
    const,
    counting,
    evaluating,
    fold,
    function,
    generator,
    give,
    if_,
    let,
    local,
    predicate,
    program,
    programs,
    put,
    read,
    some_state,
    unary,
    variable,
    when,
)
from codegen_table import NativeTable, assert_agrees
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asset.analysis.values.bit_layout import choose_layout
from asset.codegen import candidates, compile, compiling, pieces, successors, unit
from asset.codegen.llvm import object_code
from asset.codegen.loader import LlvmCode, MappedCode, load
from asset.codegen.module import module_of, module_text
from asset.codegen.source import CompilerInput
from asset.ir import nodes as n
from asset.ir.faults import INT_MAX, INT_MIN, FaultKind
from asset.ir.nodes import BinaryOp, FoldOp, UnaryOp
from asset.ir.program import Program, State, Style
from asset.ir.reductions import HAND_WRITTEN
from asset.ir.requirements import Invariant, MustProgress, Terminal
from asset.ir.types import BoolType, EnumType, IntType
from asset.ir.verify import verify
from asset.span import NOWHERE

EDGES = [INT_MIN, INT_MIN + 1, -(2**32), -65, -3, -1, 0, 1, 2, 5, 63, 64, 3037000500, INT_MAX]


def agree(tested: Program, states: list[State] | None = None) -> None:
    verify(tested)
    assert_agrees(tested, compile(tested, HAND_WRITTEN, anywhere=states is not None), states or [tested.initial])


def status(tested: Program, command: int = 0) -> int:
    """What firing a command in the initial state gives: 1, 0 or minus the code of a fault."""
    verify(tested)
    return NativeTable(compile(tested, HAND_WRITTEN)).fire(tested.initial, command)[0]


# --- expressions ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "ranges",
    [
        pytest.param([EDGES, EDGES], id="anything"),
        pytest.param([range(4), range(1, 3)], id="small and not negative"),
        pytest.param([range(-3, 3), [3]], id="wrapping around by one"),
        pytest.param([range(6), [3]], id="less than twice the divisor"),
        pytest.param([range(-7, 8), range(-3, 4)], id="small"),
    ],
)
def test_operators_agree_whatever_is_known_of_their_operands(ranges: list[list[int]]) -> None:
    pairs: list[n.Expr] = [binary(op, local(0), local(1)) for op in BinaryOp]
    agree(evaluating(pairs + [unary(op, local(0)) for op in UnaryOp], ranges))


def test_boolean_operators_give_the_operand_that_decides() -> None:
    a, b, c = local(0), local(1), binary(BinaryOp.FLOORDIV, const(6), local(1))
    tests: list[n.Expr] = [
        n.And(NOWHERE, (a, b, c)),
        n.Or(NOWHERE, (a, b, c)),
        n.Conditional(NOWHERE, n.Or(NOWHERE, (a, n.And(NOWHERE, (b, c)))), const(7), c),
        unary(UnaryOp.NOT, n.And(NOWHERE, (b, c))),
    ]
    agree(evaluating(tests, [[0, 1, 5], [-2, 0, 3]]))


def test_tables_are_checked_in_each_dimension() -> None:
    table = n.Table(NOWHERE, "t", (2, 3), (1, -2, 3, 4, 50, INT_MIN), (local(0), local(1)))
    agree(evaluating([table], [range(-1, 3), range(-1, 4)]))


@pytest.mark.parametrize("op", FoldOp)
def test_folds_agree(op: FoldOp) -> None:
    inner = n.Generator(NOWHERE, 3, local(2), local(1), const(2), (n.Bind(NOWHERE, 4, local(3)),), None)
    odd = generator(2, local(0), binary(BinaryOp.MOD, local(2), const(2)))
    element = binary(BinaryOp.SUB, local(4), const(3))
    folds: list[n.Expr] = [
        fold(op, [generator(2, local(0))], local(2)),
        fold(op, [odd, inner], element),
        fold(op, [odd, inner], element, const(-99)),
    ]
    agree(evaluating(folds, [range(5), range(7)]))


def test_a_sum_that_leaves_64_bits_on_the_way_is_a_fault() -> None:
    element = n.Conditional(NOWHERE, local(2), const(-5), const(INT_MAX))
    agree(
        evaluating(
            [fold(FoldOp.SUM, [generator(2, local(0))], binary(BinaryOp.MAX, element, local(1)))], [[3], [1, -9]]
        )
    )


@pytest.mark.parametrize("step", [1, -1, 3, -3, 0, 2**62, INT_MIN])
def test_ranges_end_where_they_should_also_at_the_limits(step: int) -> None:
    def total(step: n.Expr) -> n.Expr:
        counter = n.Generator(NOWHERE, 2, local(0), local(1), step)
        return fold(FoldOp.SUM, [counter], binary(BinaryOp.RSHIFT, local(2), const(1)))

    bounds = [INT_MIN, INT_MIN + 4, INT_MIN + 5] if abs(step) < 2**62 else EDGES
    near = [INT_MAX - 5, INT_MAX - 1, INT_MAX]
    unknown = binary(BinaryOp.ADD, const(step), binary(BinaryOp.SUB, local(0), local(0)))
    agree(evaluating([total(const(step)), total(unknown)], [bounds, bounds]))
    agree(evaluating([total(const(step))], [near, near]))


# --- statements -------------------------------------------------------------------------------------------------


def test_loops_break_continue_and_return() -> None:
    skip = if_(binary(BinaryOp.EQ, local(2), const(2)), [n.Continue(NOWHERE)])
    stop = if_(binary(BinaryOp.GE, local(2), local(0)), [n.Break(NOWHERE)])
    leave = if_(binary(BinaryOp.EQ, local(3), local(1)), [put(0, const(77)), give(const(1))])
    body = [skip, stop, leave, let(3, binary(BinaryOp.ADD, local(3), local(2))), let(2, const(1000))]
    whiles = [
        let(2, binary(BinaryOp.ADD, local(2), const(1))),
        skip,
        stop,
        leave,
        let(3, binary(BinaryOp.ADD, local(3), local(2))),
    ]
    bodies = [
        function(2, 4, let(3, const(0)), counting(2, const(6), body), put(0, local(3))),
        function(2, 4, let(3, const(0)), let(2, const(0)), n.While(NOWHERE, const(1), tuple(whiles)), put(0, local(3))),
    ]
    ranges = [range(7), range(8)]
    agree(program([variable("r", WHOLE, initial=0)], bodies, [(0, ranges, Style.GUARDED), (1, ranges, Style.FIRE)]))


def test_a_loop_that_does_not_end_is_a_fault() -> None:
    endless = function(0, 1, let(0, const(0)), n.While(NOWHERE, const(1), (let(0, const(1)),)))
    assert status(program([variable("x", BoolType())], [endless], [(0, [], Style.GUARDED)])) == -FaultKind.LOOP


def test_a_false_guard_disables_wherever_it_stands() -> None:
    helper = function(1, 1, put(0, const(3)), when(local(0)), give(const(1)))
    deep = function(1, 2, if_(fold(FoldOp.ALL, [generator(1, const(2))], call(0, local(0))), [put(0, const(5))]))
    agree(
        program(
            [variable("x", IntType(0, 7))],
            [helper, deep],
            [(0, [range(2)], Style.GUARDED), (1, [range(2)], Style.FIRE)],
        )
    )


def test_a_command_that_changed_the_state_and_did_not_fire_is_a_fault() -> None:
    body = function(1, 1, put(0, local(0)), give(const(0)))
    tested = program([variable("x", IntType(0, 7), initial=2)], [body], [(0, [range(4)], Style.FIRE)])
    assert [status(tested, command) for command in range(4)] == [-FaultKind.CHANGED] * 2 + [0, -FaultKind.CHANGED]
    agree(tested)


def test_values_are_checked_against_the_variables_type() -> None:
    kinds = [IntType(-3, 4), BoolType(), GAPPED, IntType(5, 5), EnumType("E", (("A", 1), ("B", 2)))]
    variables = [variable(f"v{k}", kind) for k, kind in enumerate(kinds)]
    bodies = [function(1, 1, put(k, local(0))) for k in range(len(kinds))]
    agree(program(variables, bodies, [(k, [range(-6, 8)], Style.GUARDED) for k in range(len(kinds))]))


def test_the_value_is_evaluated_first_then_the_indices_then_they_are_checked() -> None:
    bad_value, bad_index = binary(BinaryOp.MOD, const(1), const(0)), unary(UnaryOp.NEGATE, const(INT_MIN))
    bodies = [
        function(0, 0, put(0, bad_value, bad_index)),
        function(0, 0, put(0, const(9), bad_index)),
        function(0, 0, put(0, const(9), const(5))),
        function(0, 0, put(0, const(9), const(1))),
    ]
    tested = program([variable("a", IntType(0, 7), 2)], bodies, [(k, [], Style.GUARDED) for k in range(4)])
    expected = [FaultKind.DIVISION, FaultKind.OVERFLOW, FaultKind.INDEX, FaultKind.RANGE]
    assert [status(tested, command) for command in range(4)] == [-kind for kind in expected]


@pytest.mark.parametrize("kind", [FaultKind.ASSERTION, FaultKind.RAISE])
def test_a_failure_is_a_fault_unless_its_message_is_one_before(kind: FaultKind) -> None:
    message = ("1/x is ", binary(BinaryOp.FLOORDIV, const(1), local(0)))
    tested = program(
        [variable("x", BoolType())], [function(1, 1, n.Fail(NOWHERE, kind, message))], [(0, [range(2)], Style.GUARDED)]
    )
    assert [status(tested, command) for command in range(2)] == [-FaultKind.DIVISION, -kind]


def test_a_call_sees_and_makes_changes_in_the_order_of_the_text() -> None:
    bump = function(1, 1, put(0, binary(BinaryOp.ADD, read(0), local(0))), give(read(0)))
    total = binary(BinaryOp.ADD, binary(BinaryOp.MUL, read(0), const(100)), call(0, const(1)))
    body = function(0, 0, put(1, binary(BinaryOp.ADD, total, binary(BinaryOp.MUL, read(0), const(10)))))
    states: list[State] = [(x, 0) for x in range(4)]
    agree(
        program(
            [variable("x", IntType(0, 3)), variable("y", WHOLE, initial=0)], [bump, body], [(1, [], Style.GUARDED)]
        ),
        states,
    )


# --- the table --------------------------------------------------------------------------------------------------


def test_commands_are_tried_in_decreasing_order_and_a_fault_ends_the_batch() -> None:
    bodies = [
        function(2, 2, put(0, binary(BinaryOp.ADD, local(0), local(1)))),
        function(1, 1, when(binary(BinaryOp.LT, read(0), const(5))), put(0, binary(BinaryOp.ADD, read(0), local(0)))),
    ]
    parts = [(0, [[4, 0, 1], [2]], Style.GUARDED), (1, [[0, 3, 1]], Style.GUARDED)]
    tested = program([variable("x", IntType(0, 6))], bodies, parts)
    agree(tested, [(x,) for x in (0, 5, 2, 4, 1)])


def test_bits_say_in_which_states_predicates_hold_and_faults_which_one_failed() -> None:
    bodies = [
        function(0, 0, give(binary(BinaryOp.LT, read(0), const(3)))),
        function(0, 0, give(binary(BinaryOp.FLOORDIV, const(1), binary(BinaryOp.SUB, read(0), const(6))))),
        function(0, 0, give(binary(BinaryOp.MAX, binary(BinaryOp.SUB, read(0), const(2)), const(0)))),
    ]
    requirements = [Invariant(predicate(0)), Invariant(predicate(1)), MustProgress(predicate(2, *"abcdef"))]
    agree(program([variable("x", IntType(0, 7))], bodies, [], requirements), [(x,) for x in range(8)])


def test_a_property_that_assigns_leaves_the_state_alone() -> None:
    body = function(0, 0, put(0, const(1)), give(read(0)))
    for padding in (0, 9):
        variables = [variable("x", BoolType()), variable("p", IntType(0, 2**60), padding)]
        agree(program(variables, [body], [], [Terminal(predicate(0))]))


def test_a_program_without_commands_has_no_successors() -> None:
    agree(program([], [], []))


# --- long states ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("style", list(Style))
def test_a_return_in_a_loop_leaves_the_state_to_those_that_go_on(style: Style) -> None:
    found = if_(binary(BinaryOp.EQ, read(0), local(0)), [give(const(1))])
    bodies = [
        function(0, 1, counting(0, const(2), [found])),
        function(0, 1, counting(0, const(2), [found]), put(0, const(0))),
        function(0, 1, let(0, const(3)), n.While(NOWHERE, binary(BinaryOp.LT, local(0), read(0)), (give(const(1)),))),
    ]
    variables = [variable("x", IntType(0, 4)), variable("p", IntType(0, 2**60), 9)]
    tested = program(variables, bodies, [(k, [], style) for k in range(len(bodies))])
    agree(tested, [(x, *range(9)) for x in range(5)])


def long_state(words: int) -> Program:
    """Arrays over so many words, read and written through indices; families of both styles."""
    size = words * 64 // 7
    bodies = [
        function(2, 2, when(binary(BinaryOp.NE, read(0, local(0)), local(1))), put(0, local(1), local(0))),
        function(
            1,
            2,
            if_(binary(BinaryOp.GT, read(0, local(0)), const(4)), [give(const(0))]),
            if_(read(1), [put(1, const(0))], [put(0, binary(BinaryOp.ADD, read(0, local(0)), const(2)), local(0))]),
            give(binary(BinaryOp.LT, read(0, local(0)), const(6))),
        ),
        function(
            0, 2, give(fold(FoldOp.ANY, [generator(0, const(size))], binary(BinaryOp.EQ, read(0, local(0)), const(4))))
        ),
    ]
    variables = [variable("a", IntType(0, 99), size), variable("b", BoolType())]
    cells = [0, size // 2, size - 1, size]
    parts = [(0, [cells[:3], [0, 5, 99]], Style.GUARDED), (1, [cells], Style.FIRE)]
    return program(variables, bodies, parts, [Invariant(predicate(2))])


@pytest.mark.parametrize("words", [1, 2, 3, 4, 20, 40])
def test_states_of_any_length_agree(words: int) -> None:
    tested = long_state(words)
    source = random.Random(words)
    states = [(*(source.choice([0, 4, 5, 6, 99]) for _ in tested.initial[:-1]), k % 2) for k in range(12)]
    assert compile(tested, HAND_WRITTEN).state_words in (words, words + 1)
    agree(tested, [tested.initial, *states])


def test_the_code_of_a_family_grows_with_its_size_only_as_far_as_loops_are_unrolled() -> None:
    def size(stations: int) -> int:
        body = function(1, 1, when(unary(UnaryOp.NOT, read(0, local(0)))), put(0, const(1), local(0)))
        tested = program([variable("a", BoolType(), stations)], [body], [(0, [range(stations)], Style.GUARDED)])
        return len(object_code(module_text(tested, choose_layout(tested))))

    assert size(60) <= 4 * size(8)
    assert size(4000) <= size(100) + 512


def test_cells_that_are_not_evenly_spaced_are_found() -> None:
    sizes = [(20, 2), (20, 2), (20, 2), (7, 5)]
    variables = [variable(f"v{k}", IntType(0, 2**width - 1), cells) for k, (cells, width) in enumerate(sizes)]
    bodies = [function(1, 1, put(k, const(1), local(0))) for k in range(len(sizes))]
    parts = [(k, [range(cells)], Style.GUARDED) for k, (cells, _) in enumerate(sizes)]
    agree(program(variables, bodies, parts))


# --- moves ------------------------------------------------------------------------------------------------------


def moving(start: int, stop: int, step: int, index: n.Expr, padding: int = 0) -> Program:
    """A loop that assigns to cell i of an array the one at `index`, for i (slot 0) in a range, then shows what i is."""
    body = n.For(NOWHERE, 0, const(start), const(stop), const(step), (put(0, read(0, index), local(0)),))
    variables = [variable("a", IntType(-1, 6), 6), variable("i", IntType(-20, 20)), variable("p", WHOLE, padding)]
    return program(variables, [function(0, 1, let(0, const(9)), body, put(1, local(0)))], [(0, [], Style.GUARDED)])


def ahead(distance: int) -> n.Expr:
    return binary(BinaryOp.ADD, local(0), const(distance))


@pytest.mark.parametrize("padding", [0, 9])
@pytest.mark.parametrize("distance", [-2, -1, 0, 1, 2])
def test_cells_are_moved_as_a_loop_moves_them(distance: int, padding: int) -> None:
    ranges = [(0, 5, 1), (1, 4, 1), (2, 6, 1), (4, 0, -1), (5, 1, -1), (3, -1, -1), (0, 6, 2), (3, 3, 1), (0, 1, 1)]
    for start, stop, step in ranges:
        tested = moving(start, stop, step, ahead(distance), padding)
        agree(tested, [(-1, 0, 6, 3, 1, 5, *tested.initial[6:]), (6, 6, -1, 2, 0, 4, *tested.initial[6:])])


def test_cells_are_moved_up_to_the_highest_bit() -> None:
    moves = [((15, 0, -1), -1), ((15, 7, -1), -8), ((0, 15, 1), 1), ((0, 8, 1), 8)]
    loops = [n.For(NOWHERE, 0, *map(const, r), (put(0, read(0, ahead(d)), local(0)),)) for r, d in moves]
    bodies = [function(0, 1, loop) for loop in loops]
    tested = program([variable("a", IntType(0, 15), 16)], bodies, [(k, [], Style.GUARDED) for k in range(len(bodies))])
    agree(tested, [tuple(range(16)), (15, 14, 0, 15) * 4])


def moving_row(stop: n.Expr, row: n.Expr, padding: int = 0) -> Program:
    """Two arrays of three rows move up together, in one row, as far as `stop` says. Slot 0 is the counter, 1 is j."""
    copies = (put(0, read(0, row, ahead(1)), row, local(0)), put(1, read(1, row, ahead(1)), row, local(0)))
    body = n.For(NOWHERE, 0, const(1), stop, const(1), copies)
    variables = [
        variable("a", IntType(-1, 6), 3, 5),
        variable("b", BoolType(), 3, 6),
        variable("i", IntType(-20, 20)),
        variable("j", IntType(-9, 9)),
        variable("k", IntType(0, 4)),
        variable("r", IntType(1, 3)),
        variable("p", WHOLE, padding),
    ]
    set_row = let(1, read(3))
    tested = function(0, 2, let(0, const(9)), set_row, body, put(2, local(0)))
    return program(variables, [tested], [(0, [], Style.GUARDED)])


@pytest.mark.parametrize("padding", [0, 9])
def test_rows_are_moved_as_far_as_a_loop_moves_them(padding: int) -> None:
    stops = [const(4), const(1), const(5), read(2), binary(BinaryOp.SUB, read(4), const(1)), read(4)]
    for stop in stops:
        for row in (const(1), local(1), const(3), OF_THE_STATE, MOVED):
            tested = moving_row(stop, row, padding)
            cells = (-1, 0, 6, 3, 1, 5, 6, 2, 0, 4, 3, 3, 1, 2, 6, *(0, 1, 1, 0, 1, 0) * 3)
            rest = tested.initial[37:]
            agree(tested, [(*cells, 4 * k - 6, j, k, 1 + k % 3, *rest) for k in range(5) for j in (-9, -1, 0, 2, 3, 9)])


OF_THE_STATE = binary(BinaryOp.SUB, read(5), const(1))
"""A row that a variable names."""

MOVED = read(1, const(0), const(2))
"""A row that is named by a cell that the move changes."""


def moving_wide_row(start: int, stop: int, step: int, row: n.Expr) -> Program:
    """A row of seven cells of 20 bits, which is in three words, moves by a cell. Slot 0 is the counter."""
    copy = put(0, read(0, row, ahead(step)), row, local(0))
    body = n.For(NOWHERE, 0, const(start), const(stop), const(step), (copy,))
    variables = [variable("a", IntType(-5, 2**20 - 7), 3, 7), variable("r", IntType(1, 3)), variable("i", WHOLE)]
    tested = function(0, 1, let(0, const(9)), body, put(2, local(0)))
    return program(variables, [tested], [(0, [], Style.GUARDED)])


def test_rows_in_several_words_are_moved_as_a_loop_moves_them() -> None:
    row = binary(BinaryOp.SUB, read(1), const(1))
    cells = tuple((-1) ** k * 3 + 44_111 * k for k in range(21))
    for ends in [(0, 6, 1), (1, 4, 1), (2, 6, 1), (3, 4, 1), (6, 0, -1), (5, 1, -1), (3, 2, -1), (4, 3, -1)]:
        for tested in (moving_wide_row(*ends, row), moving_wide_row(*ends, const(2))):
            assert "head" not in module_text(tested, choose_layout(tested))
            agree(tested, [(*cells, r, 9) for r in (1, 2, 3)])


def test_a_move_takes_a_few_instructions_and_other_loops_stay_loops() -> None:
    def loops(tested: Program) -> bool:
        """Whether firing takes a loop: in a module without one there is only that over the states of a batch."""
        return "head" in module_text(tested, choose_layout(tested))

    backwards = [binary(BinaryOp.ADD, const(1), local(0)), binary(BinaryOp.SUB, local(0), const(1))]
    assert not loops(moving(0, 5, 1, ahead(1)))
    assert not loops(moving(0, 5, 1, backwards[0]))
    assert not loops(moving(5, 0, -1, backwards[1]))
    assert not loops(moving_row(const(4), const(1)))
    assert not loops(moving_row(read(4), const(1)))
    assert not loops(moving_row(const(4), OF_THE_STATE))
    assert loops(moving_row(const(4), MOVED))
    assert loops(moving_row(read(4), local(1)))  # there may be no such row
    assert loops(moving_row(read(2), const(1)))  # may read beyond the end
    assert loops(moving(1, 6, 1, backwards[1]))  # copies the first cell to all others
    assert loops(moving(0, 6, 1, ahead(1)))  # reads beyond the end


# --- random programs --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("padding", [0, 1, 5])
def test_random_programs_agree(padding: int) -> None:
    @settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(programs(padding=padding), st.integers(0, 99))
    def check(tested: Program, seed: int) -> None:
        source = random.Random(seed)
        agree(tested, [tested.initial, *(some_state(tested.variables, source) for _ in range(5))])

    check()


@pytest.mark.parametrize("words", [1, 20, 100])
def test_code_refers_to_nothing_outside_itself(words: int) -> None:
    tested = long_state(words)
    assert isinstance(load([object_code(module_text(tested, choose_layout(tested)))]), MappedCode)


def test_pieces_are_linked_by_both_loaders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unit, "LARGE_NODES", 0)
    monkeypatch.setattr(pieces, "PIECE_BYTES", 1000)
    tested = long_state(100)
    module = module_of(CompilerInput(tested, choose_layout(tested)))
    found = module.pieces()
    assert len(found) > 1 and any("declare hidden" in piece.text for piece in found)
    objects = compiling.object_codes(found)
    assert isinstance(load(objects), MappedCode)
    state = choose_layout(tested).pack(tested.initial)
    fired = []
    for code in (load(objects), LlvmCode(objects)):
        after = (ctypes.c_uint64 * len(state))(*state)
        fire = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_uint32)(code.address("fire"))
        fired.append((fire(after, 1), list(after)))
    assert fired[0] == fired[1] and fired[0][0] == 1


def test_both_loaders_load_the_same_code() -> None:
    tested = long_state(2)
    data = object_code(module_text(tested, choose_layout(tested)))
    ours, theirs = load([data]), LlvmCode([data])
    assert isinstance(ours, MappedCode)
    assert theirs.address("successors") - theirs.address("fire") == ours.address("successors") - ours.address("fire")


@pytest.mark.parametrize("large", [unit.LARGE_NODES, 0], ids=["in one piece", "in pieces"])
@pytest.mark.parametrize("padding", [0, 300])
def test_commands_that_tables_select_are_those_that_can_be_enabled_or_fail(
    padding: int, large: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ASSET_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(candidates, "FEWEST", 0)
    monkeypatch.setattr(candidates, "IN_TURN", 1_000_000)  # whatever is tried in its turn costs too much
    monkeypatch.setattr(unit, "LARGE_NODES", large)

    @settings(max_examples=15, deadline=None)
    @given(programs(padding=padding), st.integers(0, 99))
    def check(tested: Program, seed: int) -> None:
        assert "@llvm.ctlz.i64(i64 %" in module_text(tested, choose_layout(tested))
        source = random.Random(seed)
        agree(tested, [tested.initial, *(some_state(tested.variables, source) for _ in range(5))])

    check()


def test_commands_that_the_same_values_disable_share_a_bit_and_keep_their_order() -> None:
    def body(place: int) -> list[n.Stmt]:
        return [when(binary(BinaryOp.EQ, read(0), const(place))), put(1, local(0)), put(0, const((place + 1) % 8))]

    variables = [variable("at", IntType(0, 7)), variable("chosen", IntType(0, 5)), variable("p", WHOLE, 3)]
    bodies = [function(1, 1, *body(place)) for place in range(8)]
    tested = program(variables, bodies, [(place, [range(6)], Style.GUARDED) for place in range(8)])
    found = candidates.find_candidates(tested, choose_layout(tested))
    assert found is not None
    assert [(run.first, run.last) for run in found.runs] == [(6 * place, 6 * place + 5) for place in range(8)]
    agree(tested, [(place, 2, 0, 0, 0) for place in range(8)])


@pytest.mark.parametrize("padding", [0, 300])
def test_a_large_program_is_compiled_in_pieces_and_does_the_same(
    padding: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ASSET_CACHE_DIR", str(tmp_path / "cache"))  # not what was made of the same in one piece
    monkeypatch.setattr(unit, "LARGE_NODES", 0)
    monkeypatch.setattr(successors, "PART", 2)
    monkeypatch.setattr(candidates, "MOST", 0)
    monkeypatch.setattr(pieces, "PIECE_BYTES", 2000)
    monkeypatch.setattr(compiling, "ALONE_BYTES", 0)

    @settings(max_examples=10, deadline=None)
    @given(programs(padding=padding), st.integers(0, 99))
    def check(tested: Program, seed: int) -> None:
        assert "@part1(" in module_text(tested, choose_layout(tested))
        source = random.Random(seed)
        agree(tested, [tested.initial, *(some_state(tested.variables, source) for _ in range(5))])

    check()
