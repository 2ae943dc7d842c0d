"""Stubborn sets by derived rules in the native engine: the reference engine's states, edges and findings.

Most rules here are random, and make no sense: engines must agree on those as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest
from codegen_table import NativeTable
from hypothesis import given, settings
from hypothesis import strategies as st
from programs import (
    HERE,
    assign,
    binary,
    const,
    everything,
    family,
    function,
    invariant,
    local,
    program,
    read,
    variable,
    when,
)

from asset import codegen
from asset.analysis.stubborn.fact_groups import group_facts
from asset.engine import effort, native, reference
from asset.engine.flat_rules import flatten
from asset.engine.outcome import During, Limits, Outcome, Task
from asset.ir import nodes as n
from asset.ir.derived import ALWAYS, Alternative, DerivedRules, ObligationCase
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program, State
from asset.ir.reductions import Reductions
from asset.ir.requirements import Termination
from asset.ir.types import IntType

CELLS = 4
WIDE = IntType(0, (1 << 60) - 1)


def counters(cells: int, most: int = 2, wide: bool = False) -> Program:
    """Each cell counts up to `most`, command k for cell k; wide states have more words than fit in registers."""
    cell = read(0, local(0))
    up = function(
        "up",
        when(binary("<", cell, const(most))),
        assign(0, binary("+", cell, const(1)), local(0)),
        slots=("k",),
        parameters=1,
    )
    fillers = [variable(f"filler{k}", WIDE) for k in range(4 if wide else 0)]
    numbers = variable("number", IntType(0, most), (cells,), (0,) * cells)
    return program([numbers, *fillers], [up], [family("up", 0, range(cells))])


def equal(cell: int, value: int) -> n.Expr:
    return binary("==", read(0, const(cell)), const(value))


def either(*conditions: n.Expr) -> n.Expr:
    return n.Or(HERE, conditions)


def negated(condition: n.Expr) -> n.Expr:
    return n.Unary(HERE, n.UnaryOp.NOT, condition)


@cache
def facts(cells: int = CELLS) -> tuple[n.Expr, ...]:
    """Facts of each form that code is made for: simple ones, nested ones, and ones that take branches or arithmetic."""
    values = [equal(cell, value) for cell in range(cells) for value in range(3)]
    total = binary("+", read(0, const(0)), read(0, const(1)))
    looked_up = read(0, binary("%", read(0, const(1)), const(2)))
    return (
        *values,
        negated(either(equal(0, 1), equal(1, 2))),
        n.And(HERE, (equal(0, 0), either(equal(1, 0), negated(equal(2, 1))))),
        binary(">", total, const(2)),
        either(binary(">", total, const(3)), equal(2, 2)),
        binary("==", looked_up, read(0, const(2))),
        read(0, const(3)),
        n.Conditional(HERE, equal(0, 0), equal(1, 1), const(1)),
        const(1),
    )


@cache
def compiled(wide: bool) -> codegen.CompiledModel:
    return with_facts(counters(CELLS, wide=wide), *facts())


def with_facts(program: Program, *conditions: n.Expr) -> codegen.CompiledModel:
    """The program compiled for derived rules that ask for these."""
    return codegen.compile(program, Reductions(derived=DerivedRules(conditions, ())))


NODES = CELLS + 2  # with imaginary ones
fact_numbers = st.integers(ALWAYS, len(facts()) - 1)
alternatives = st.builds(Alternative, fact_numbers, st.frozensets(st.integers(0, NODES - 1), max_size=3))
obligations = st.lists(alternatives, max_size=3).map(tuple)
cases = st.builds(
    ObligationCase,
    st.lists(fact_numbers, max_size=2).map(tuple),
    st.lists(obligations, min_size=1, max_size=3).map(tuple),
)
node_cases = st.lists(cases, max_size=3).map(tuple)
strong_rules = st.builds(
    DerivedRules, st.just(facts()), st.lists(node_cases, min_size=NODES, max_size=NODES).map(tuple)
)


def with_keys(strong: DerivedRules, keys: dict[int, tuple[ObligationCase, ...]]) -> DerivedRules:
    """The rules, of which these commands have nodes of their own as keys: each needs its command."""
    numbers = {command: NODES + number for number, command in enumerate(keys)}
    known = tuple(numbers.get(command, command) for command in range(CELLS))
    itself = {command: ObligationCase((), ((Alternative(ALWAYS, frozenset([command])),),)) for command in keys}
    further = ((itself[command], *cases) for command, cases in keys.items())
    return replace(strong, cases=(*strong.cases, *further), keys=known if keys else ())


rules = st.builds(with_keys, strong_rules, st.dictionaries(st.integers(0, CELLS - 1), node_cases))


def counted(outcome: Outcome) -> tuple[object, ...]:
    return (outcome.stop, outcome.states, outcome.edges, outcome.enabled, outcome.depth, outcome.terminal_states)


def asked(program: Program, derived: DerivedRules, terminates: bool = False, repair: bool = False) -> Task:
    required = (Termination(),) if terminates else ()
    return Task((program.initial,), required, Reductions(derived=derived), repair=repair)


@cache
def turning() -> codegen.CompiledModel:
    """As the counters, but after the last value each begins again."""
    made = counters(CELLS)
    cell = read(0, local(0))
    turn = assign(0, binary("%", binary("+", cell, const(1)), const(3)), local(0))
    return with_facts(replace(made, functions=(replace(made.functions[0], body=(turn,)),)), *facts())


@settings(max_examples=50, deadline=None)
@given(rules, st.booleans())
def test_what_any_rules_ignore_is_repaired_as_in_the_reference_engine(derived: DerivedRules, terminates: bool) -> None:
    model = turning()
    task = asked(model.program, derived, terminates, repair=True)
    expected = reference.explore(Interpreter(model.program), task, Limits())
    for threads in (1, 2):
        outcome = native.explore(model, task, Limits(threads=threads))
        assert counted(outcome) == counted(expected)
        assert outcome.finding == expected.finding


@settings(max_examples=50, deadline=None)
@given(rules, st.booleans(), st.booleans())
def test_any_rules_give_the_states_and_edges_of_the_reference_engine(
    derived: DerivedRules, wide: bool, terminates: bool
) -> None:
    model = compiled(wide)
    task = asked(model.program, derived, terminates)
    expected = reference.explore(Interpreter(model.program), task, Limits())
    for threads in (1, 2):
        outcome = native.explore(model, task, Limits(threads=threads))
        assert counted(outcome) == counted(expected)
        assert outcome.finding == expected.finding


def known_facts(model: codegen.CompiledModel, state: State) -> dict[int, bool]:
    """What is known of each fact in the state, by code or by a table."""
    groups, far = group_facts(model.program, model.layout, DerivedRules(facts(), ()).asked)
    known = dict(zip((each.fact for each in far), NativeTable(model).facts(state), strict=True))
    for cells, numbers, truths in groups:
        row, place = 0, 0
        for cell in cells:
            row |= (state[cell] - model.layout.cells[cell].lo) << place
            place += model.layout.cells[cell].width
        known |= {number: bool(truth >> row & 1) for number, truth in zip(numbers, truths, strict=True)}
    return known


@pytest.mark.parametrize("wide", [False, True], ids=["registers", "memory"])
def test_facts_are_what_the_interpreter_finds(wide: bool) -> None:
    model = compiled(wide)
    interpreter = Interpreter(model.program)
    assert model.flat_facts.far  # of both kinds
    assert model.flat_facts.groups
    for number in range(3**CELLS):
        cells = tuple(number // 3**k % 3 for k in range(CELLS))
        state = cells + model.program.initial[CELLS:]
        known = known_facts(model, state)
        assert known == {k: interpreter.holds(fact, state) for k, fact in enumerate(facts())}


MANY = 8  # cells, which have more bits together than a table may have


def of_many_cells(first_option: n.Expr, second_option: n.Expr, case: n.Expr) -> DerivedRules:
    """Command 0 needs all others if the case applies, if neither of the options makes do with fewer."""
    options = (
        Alternative(0, frozenset([1])),
        Alternative(1, frozenset([2, 3])),
        Alternative(ALWAYS, frozenset(range(MANY))),
    )
    return DerivedRules((first_option, second_option, case), ((ObligationCase((2,), (options,)),), *[()] * (MANY - 1)))


def explored_alike(derived: DerivedRules) -> codegen.CompiledModel:
    """The program compiled for these rules, with which both engines find the same."""
    program = counters(MANY)
    model = codegen.compile(program, Reductions(derived=derived))
    expected = reference.explore(Interpreter(program), asked(program, derived), Limits())
    assert counted(native.explore(model, asked(program, derived), Limits())) == counted(expected)
    assert expected.edges < expected.enabled
    return model


def some_is(value: int, cells: Sequence[int] = range(MANY)) -> n.Expr:
    return either(*(equal(cell, value) for cell in cells))


def test_disjunctions_of_alternatives_and_negated_ones_of_cases_are_told_by_tables_however_long_they_are() -> None:
    model = explored_alike(of_many_cells(some_is(2, range(1, MANY)), some_is(1), negated(some_is(2))))
    assert not model.flat_facts.far


def test_parts_of_a_disjunction_that_no_table_tells_of_are_evaluated() -> None:
    total = binary("+", read(0, binary("%", read(0, const(1)), const(2))), read(0, const(5)))
    model = explored_alike(
        of_many_cells(either(some_is(2, range(2, MANY)), binary(">", total, const(3))), some_is(1), negated(some_is(2)))
    )
    assert model.flat_facts.far == [0]


def test_a_fact_of_both_an_alternative_and_a_case_is_told_whole() -> None:
    derived = of_many_cells(some_is(2), some_is(1), const(1))
    case = replace(derived.cases[0][0], facts=(1,))
    model = explored_alike(replace(derived, cases=((case,), *derived.cases[1:])))
    assert model.flat_facts.far == [1]


def no_rules(program: Program, conditions: Sequence[n.Expr] = ()) -> DerivedRules:
    """Every command is a stubborn set of its own."""
    return DerivedRules(tuple(conditions), ((),) * program.nr_commands)


def oblige_all(program: Program) -> DerivedRules:
    everything = ((Alternative(ALWAYS, frozenset(range(program.nr_commands))),),)
    return DerivedRules((), ((ObligationCase((), everything),),) * program.nr_commands)


def test_of_commands_that_oblige_nothing_one_is_fired() -> None:
    model = with_facts(program := counters(6))
    outcome = native.explore(model, asked(program, no_rules(program)), Limits())
    assert (outcome.states, outcome.edges, outcome.terminal_states) == (13, 12, 1)
    assert outcome.enabled == sum(6 - k // 2 for k in range(12))


def test_where_no_obligation_can_be_met_everything_is_fired() -> None:
    program = counters(CELLS)
    hopeless = DerivedRules((), ((ObligationCase((), ((),)),),) * CELLS)
    outcome = native.explore(with_facts(program), asked(program, hopeless), Limits())
    assert outcome.states == 3**CELLS
    assert outcome.edges == outcome.enabled == 2 * 3 ** (CELLS - 1) * CELLS


@cache
def large() -> tuple[codegen.CompiledModel, DerivedRules]:
    """All oblige all, but where the first cell is 2 none obliges any: sets pay in some levels and not in others."""
    program = counters(8)
    everything = (Alternative(ALWAYS, frozenset(range(8))), Alternative(0, frozenset()))
    derived = DerivedRules((equal(0, 2),), ((ObligationCase((), (everything,)),),) * 8)
    return with_facts(program, *derived.facts), derived


@pytest.mark.parametrize("terminates", [False, True])
def test_where_sets_do_not_pay_both_engines_stop_looking_for_them_in_the_same_levels(terminates: bool) -> None:
    model, derived = large()
    expected = reference.explore(Interpreter(model.program), asked(model.program, derived, terminates), Limits())
    assert expected.edges > 20_000, "sets were not looked for in some levels"
    for threads in (1, 2, 3):
        outcome = native.explore(model, asked(model.program, derived, terminates), Limits(threads=threads))
        assert counted(outcome) == counted(expected)


def test_where_sets_do_not_pay_they_are_looked_for_in_a_small_part_of_the_levels() -> None:
    trying = effort.Effort()
    tried = []
    for level in range(200):
        if trying.reducing:
            tried.append(level)
        trying.end_level(effort.ENOUGH, 2 * effort.ENOUGH, 2 * effort.ENOUGH, effort.ENOUGH)
    assert tried == [0, 17, 50, 115]


def test_where_one_command_is_enabled_nothing_is_looked_for_in_vain() -> None:
    trying = effort.Effort()
    for _ in range(3):
        trying.end_level(effort.ENOUGH, effort.ENOUGH, effort.ENOUGH, effort.ENOUGH)
        assert trying.reducing


def test_a_level_that_is_larger_than_what_was_explored_in_full_allows_is_not_tried() -> None:
    trying = effort.Effort()
    trying.end_level(effort.ENOUGH, 2 * effort.ENOUGH, 2 * effort.ENOUGH, 10)
    trying.end_level(10, 20, 20, 1)
    assert not trying.reducing
    trying.end_level(6, 12, 12, 1)
    assert trying.reducing


def test_the_more_obligations_the_less_often_is_tried_what_was_in_vain() -> None:
    trying = effort.Effort(obligations=6 * effort.AS_ONE)  # two commands are enabled in a state: four times the price
    tried = []
    for level in range(200):
        if trying.reducing:
            tried.append(level)
        trying.end_level(effort.ENOUGH, 2 * effort.ENOUGH, 2 * effort.ENOUGH, effort.ENOUGH)
    assert tried == [0, 65, 194]


def test_where_sets_pay_again_they_are_looked_for_from_then_on() -> None:
    trying = effort.Effort()
    trying.end_level(effort.ENOUGH, 2 * effort.ENOUGH, 2 * effort.ENOUGH, 1)
    trying.end_level(16, 32, 32, 1)
    trying.end_level(1, 16, 2, 10_000)
    assert trying.reducing


def test_few_states_and_a_small_part_fired_are_no_reason_to_stop() -> None:
    trying = effort.Effort()
    trying.end_level(effort.ENOUGH - 1, 2 * effort.ENOUGH, 2 * effort.ENOUGH, 1)
    assert trying.reducing
    trying.end_level(1, 2 * effort.ENOUGH, 1, 1)
    assert trying.reducing


def faulty() -> Program:
    """Command 0 of 3 cells divides by zero where the last cell is 1."""
    model = counters(3)
    test = n.Evaluate(HERE, binary("//", const(1), binary("-", read(0, const(2)), const(1))))
    broken = function("broken", test, when(const(0)))
    first, *rest = model.families
    moved = replace(first, first=1)
    return replace(model, functions=(*model.functions, broken), families=(family("broken", 1, first=0), moved, *rest))


def test_a_model_error_of_a_command_outside_the_set_is_found() -> None:
    program = faulty()
    task = asked(program, no_rules(program))
    outcome = native.explore(with_facts(program), task, Limits())
    expected = reference.explore(Interpreter(program), task, Limits())
    assert outcome.finding == expected.finding
    assert outcome.finding is not None
    assert (outcome.finding.requirement, outcome.finding.during, outcome.finding.command) == (None, During.FIRING, 0)
    assert counted(outcome) == counted(expected)


def test_a_counterexample_goes_by_commands_that_were_fired() -> None:
    base = counters(3)
    bad = function("few", n.Return(HERE, binary("<", read(0, const(0)), const(2))))
    program = replace(base, functions=(*base.functions, bad), requirements=(invariant("few", 1),))
    for derived in (no_rules(program), oblige_all(program)):
        task = everything(program, reductions=Reductions(derived=derived))
        outcome = native.explore(with_facts(program), task, Limits(threads=2))
        expected = reference.explore(Interpreter(program), task, Limits())
        assert outcome.finding == expected.finding
        assert outcome.finding is not None


def test_flat_rules_leave_out_what_makes_no_difference() -> None:
    one, two = Alternative(0, frozenset({1})), Alternative(0, frozenset({1, 2}))
    always_met = (Alternative(ALWAYS, frozenset()), one)
    derived = DerivedRules(
        facts()[:1],
        ((ObligationCase((), ((one, two), (one,), always_met, (one,))), ObligationCase((0,), (always_met,))), (), ()),
    )
    assert flatten(derived) == (3, [1, 1, 1], [1, 0], [0, 0, 1, 0])


def test_rules_that_do_not_fit_the_model_are_refused() -> None:
    model = with_facts(program := counters(3))
    with pytest.raises(ValueError, match="another model"):
        native.explore(model, asked(program, DerivedRules((), ((),))), Limits())
    beyond = DerivedRules((), ((ObligationCase((0,), ((),)),), (), ()))
    with pytest.raises(ValueError, match="do not fit"):
        native.explore(model, asked(program, beyond), Limits())
