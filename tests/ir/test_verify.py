"""The verifier rejects what no front end may produce."""

from __future__ import annotations

from dataclasses import replace

import pytest
from programs import (
    HERE,
    assign,
    binary,
    const,
    family,
    function,
    graph,
    invariant,
    local,
    oblige,
    one_command,
    program,
    read,
    set_local,
    variable,
)

from asset.ir import nodes as n
from asset.ir.printer import pretty
from asset.ir.requirements import Termination
from asset.ir.verify import verify


def rejected(p: object, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        verify(p)  # type: ignore[arg-type]


def test_a_well_formed_program_passes() -> None:
    verify(one_command(set_local(0, const(1)), assign(0, local(0)), slots=("a",)))


def test_an_initial_value_must_be_in_range() -> None:
    rejected(program([variable("x", initial=(9,))], []), "initial value of x")


def test_command_numbers_must_be_consecutive() -> None:
    step = function("step")
    rejected(program([variable("x")], [step], [family("a", 0), family("b", 0, first=5)]), "begins at command 5")


def test_a_variable_is_read_with_all_its_indices() -> None:
    rejected(one_command(assign(0, read(0, const(1)))), "dimensions")


def test_a_function_may_not_call_itself_even_through_another() -> None:
    a = function("a", n.Evaluate(HERE, n.Call(HERE, 1, ())))
    b = function("b", n.Evaluate(HERE, n.Call(HERE, 0, ())))
    rejected(program([variable("x")], [a, b]), "calls itself")


def test_break_needs_a_loop() -> None:
    rejected(one_command(n.Break(HERE)), "break outside a loop")


def test_a_local_must_have_a_value_on_every_path_to_where_it_is_read() -> None:
    sometimes = n.If(HERE, (n.Case(HERE, read(0), (set_local(0, const(1)),)),))
    rejected(one_command(sometimes, assign(0, local(0)), slots=("a",)), "a may be read before")
    always = n.If(HERE, sometimes.cases, (n.Return(HERE),))
    verify(one_command(always, assign(0, local(0)), slots=("a",)))


def test_a_property_has_no_parameters() -> None:
    f = function("f", n.Return(HERE, local(0)), slots=("i",), parameters=1)
    rejected(program([variable("x")], [f], [], [invariant("f", 0)]), "has parameters")


def test_a_rule_takes_the_indices_of_its_family() -> None:
    step = function("step", slots=("i",), parameters=1)
    rule = function("rule", n.ObligeAll(HERE))
    rejected(
        program([variable("x")], [step, rule], [replace(family("step", 0, (0, 1)), rule=1)]), "number of parameters"
    )


def test_only_a_rule_obliges() -> None:
    rejected(one_command(oblige(0)), "is no rule")


def test_a_rule_changes_nothing_even_through_another_function() -> None:
    step = function("step")
    rule = function("rule", n.Evaluate(HERE, n.Call(HERE, 2, ())))
    change = function("change", assign(0, const(1)))
    rejected(program([variable("x")], [step, rule, change], [replace(family("step", 0), rule=1)]), "change changes")


def test_a_representative_has_no_parameters() -> None:
    f = function("f", slots=("i",), parameters=1)
    rejected(replace(program([variable("x")], [f]), representative=0), "representative has parameters")


def test_a_recurrence_names_commands_that_exist() -> None:
    rejected(graph([[0]], recurrences=[([0], [1])]), "does not exist")
    verify(graph([[0]], recurrences=[([0], [])], rules=[[0]]))


def test_reductions_and_recurrences_print_as_text() -> None:
    made = graph([[0]], recurrences=[([0], [])], rules=[[0]])
    text = pretty(replace(made, requirements=(*made.requirements, Termination()), representative=0))
    assert "commands 0..0: guarded c0 rule rule_0\n" in text
    assert "recurrence recurrence_0: again 0 then" in text
    assert "termination\nrepresentative: c0\n" in text
    assert "    oblige 0\n" in text


def test_a_program_prints_as_text() -> None:
    guard = n.If(
        HERE, (n.Case(HERE, binary("<", read(0), const(7)), (assign(0, binary("+", read(0), const(1))),)),), ()
    )
    assert pretty(one_command(guard)) == (
        "program Test()\n"
        "var x: 0..7 = 0\n"
        "commands 0..0: guarded step\n"
        "def step():\n"
        "    if (x < 7):\n"
        "        x := (x + 1)\n"
    )
