"""Which commands are tried: all that are enabled or fail, in the order of always, whatever tables say of the others."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from codegen_programs import (
    binary,
    const,
    function,
    local,
    program,
    programs,
    put,
    read,
    some_state,
    variable,
    when,
)
from codegen_table import assert_agrees
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asset.analysis.values.bit_layout import BitLayout, choose_layout
from asset.codegen import candidates, compile, finding, unit
from asset.codegen.candidates import Candidates, find_candidates
from asset.ir import nodes as n
from asset.ir.faults import Fault
from asset.ir.interpreter import Interpreter
from asset.ir.nodes import BinaryOp
from asset.ir.program import Program, State, Style
from asset.ir.types import BoolType, IntType

AT, FLAG, BYTE, SHARED = range(4)


def equal(left: n.Expr, right: n.Expr) -> n.Expr:
    return binary(BinaryOp.EQ, left, right)


def processes(guards: Sequence[Sequence[n.Expr]], number: int, most: int = 255) -> Program:
    """Processes that go from place to place: for each place the guards of its steps. Local 0 is the process."""
    places = len(guards)
    variables = [
        variable("at", IntType(0, places - 1), number),
        variable("flag", BoolType(), number),
        variable("byte", IntType(0, most), number),
        variable("shared", IntType(0, 5)),
    ]
    bodies = [
        function(
            1,
            1,
            when(equal(read(AT, local(0)), const(place))),
            when(guard),
            put(AT, const((place + step + 1) % places), local(0)),
        )
        for place, steps in enumerate(guards)
        for step, guard in enumerate(steps)
    ]
    return program(variables, bodies, [(k, [range(number)], Style.GUARDED) for k in range(len(bodies))])


@st.composite
def guards(draw: st.DrawFn, number: int) -> n.Expr:
    own = local(0)
    other = binary(BinaryOp.MOD, binary(BinaryOp.ADD, own, const(draw(st.integers(0, 2)))), const(number))
    compared = [
        equal(read(SHARED), const(draw(st.integers(0, 7)))),
        read(FLAG, other),
        binary(draw(st.sampled_from([BinaryOp.GT, BinaryOp.EQ])), read(BYTE, other), const(draw(st.integers(0, 9)))),
        equal(read(AT, other), const(draw(st.integers(0, 3)))),
        read(FLAG, read(SHARED)),  # an index that may be too large
        const(1),
    ]
    found = draw(st.lists(st.sampled_from(compared), min_size=1, max_size=3))
    return found[0] if len(found) == 1 else n.And(found[0].span, tuple(found))


@st.composite
def many_processes(draw: st.DrawFn) -> Program:
    number = draw(st.integers(1, 12))
    steps = st.lists(guards(number), min_size=1, max_size=6)
    return processes(draw(st.lists(steps, min_size=2, max_size=9)), number)


def tried(found: Candidates, layout: BitLayout, state: State) -> set[int]:
    bits = found.found(layout.pack(state))
    numbered = [run for bit, run in enumerate(found.runs) if bits >> bit & 1]
    return {command for run in numbered for command in range(run.first, run.last + 1)}


def enabled_or_fails(interpreter: Interpreter, state: State, command: int) -> bool:
    try:
        return interpreter.fire(state, command) is not None
    except Fault:
        return True


def assert_nothing_is_left_out(tested: Program, states: Sequence[State]) -> None:
    layout, interpreter = choose_layout(tested), Interpreter(tested)
    found = find_candidates(tested, layout)
    assert found is not None
    for state in states:
        chosen = tried(found, layout, state)
        for command in range(tested.nr_commands):
            assert command in chosen or not enabled_or_fails(interpreter, state, command)


def some_states(tested: Program, seed: int, number: int) -> list[State]:
    source = random.Random(seed)
    return [tested.initial, *(some_state(tested.variables, source) for _ in range(number))]


@pytest.fixture
def always_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "FEWEST", 0)
    monkeypatch.setattr(candidates, "IN_TURN", 1_000_000)  # whatever is tried in its turn costs too much


@pytest.mark.usefixtures("always_tables")
@pytest.mark.parametrize("look", [0, candidates.LOOK, 50])
@pytest.mark.parametrize("few_words", [0, candidates.FEW_WORDS])
def test_no_command_is_left_out_that_is_enabled_or_fails(
    few_words: int, look: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidates, "FEW_WORDS", few_words)
    monkeypatch.setattr(candidates, "LOOK", look)
    monkeypatch.setattr(candidates, "CHAINED", look)

    @settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.one_of(programs(), many_processes()), st.integers(0, 999))
    def check(tested: Program, seed: int) -> None:
        assert_nothing_is_left_out(tested, some_states(tested, seed, 10))

    check()


@pytest.mark.usefixtures("always_tables")
@pytest.mark.parametrize("large", [unit.LARGE_NODES, 0], ids=["in one piece", "in pieces"])
@pytest.mark.parametrize("few_words", [0, candidates.FEW_WORDS])
@pytest.mark.parametrize("most_bytes", [0, finding.MOST_BYTES])
def test_machine_code_tries_them_in_the_order_of_always(
    most_bytes: int, few_words: int, large: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ASSET_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(candidates, "FEW_WORDS", few_words)
    monkeypatch.setattr(finding, "MOST_BYTES", most_bytes)
    monkeypatch.setattr(candidates, "CHAINED", 0)
    monkeypatch.setattr(unit, "LARGE_NODES", large)

    @settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
    @given(many_processes(), st.integers(0, 999))
    def check(tested: Program, seed: int) -> None:
        assert_agrees(tested, compile(tested, anywhere=True), some_states(tested, seed, 8))

    check()


STEPS = [[const(1)] * 5] * 9


def test_the_places_of_many_processes_select_their_commands() -> None:
    tested = processes(STEPS, 12)
    layout = choose_layout(tested)
    found = find_candidates(tested, layout)
    assert found is not None and len(found.selectors) == 12 and not found.digits
    for state in some_states(tested, 0, 20):
        here = {command for command in range(tested.nr_commands) if state[command % 12] == command // 60}
        assert tried(found, layout, state) == here


def test_of_few_commands_all_that_digits_do_not_rule_out_are_candidates() -> None:
    found = find_candidates(tested := processes(STEPS, 5), choose_layout(tested))
    assert found is not None and found.digits and not found.selectors


def test_a_cell_that_hardly_rules_out_anything_is_not_looked_at() -> None:
    """Of a step of one place it rules out a few values, or most."""
    rare = binary(BinaryOp.LT, read(BYTE, local(0)), const(250))
    often = binary(BinaryOp.LT, read(BYTE, local(0)), const(5))

    def looked_at(guard: n.Expr) -> int:
        tested = processes([[guard], *STEPS[:6]], 2)
        layout = choose_layout(tested)
        found = find_candidates(tested, layout)
        assert found is not None
        places = layout.cells[2 + 2 : 2 + 2 + 2]
        return sum(any(d.word == p.word and 0 <= p.shift - d.shift < d.width for d in found.digits) for p in places)

    assert looked_at(rare) == 0
    assert looked_at(often) == 2


def waiting(number: int) -> Program:
    """Processes of eight places; at the first four they wait until a cell is 1 that a variable of theirs says."""
    variables = [
        variable("at", IntType(0, 7), number),
        variable("of", IntType(0, 3), number),
        variable("length", IntType(0, 7), 4),
    ]
    full = equal(read(2, read(1, local(0))), const(1))
    bodies = [
        function(1, 1, when(equal(read(0, local(0)), const(place))), *wait, put(0, const((place + 1) % 8), local(0)))
        for place in range(8)
        for wait in [[when(full)] if place < 4 else []]
    ]
    return program(variables, bodies, [(k, [range(number)], Style.GUARDED) for k in range(8)])


def test_a_cell_may_say_which_other_one_is_looked_at(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ASSET_CACHE_DIR", str(tmp_path / "cache"))
    tested = waiting(5)
    layout = choose_layout(tested)
    found = find_candidates(tested, layout)
    assert found is not None and len(found.chains) == 5
    states = some_states(tested, 0, 30)
    for state in states:
        at, of, length = state[:5], state[5:10], state[10:]
        here = {at[k] * 5 + k for k in range(5) if at[k] >= 4 or length[of[k]] == 1}
        assert tried(found, layout, state) == here
    assert_agrees(tested, compile(tested, anywhere=True), states)


def test_there_may_be_more_words_than_one_more_word_has_bits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ASSET_CACHE_DIR", str(tmp_path / "cache"))
    tested = processes([[const(1)] * 10] * 35, 12)
    found = find_candidates(tested, choose_layout(tested))
    assert found is not None and found.selectors and len(found.runs) > 64 * 64
    assert_agrees(tested, compile(tested, anywhere=True), some_states(tested, 1, 3))
