"""What every engine does with a task: one suite for all of them. A new engine is a new entry of ENGINES."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

import pytest
from programs import (
    HERE,
    SWAP,
    assign,
    binary,
    const,
    counters,
    everything,
    family,
    function,
    graph,
    independent,
    invariant,
    program,
    read,
    sorting,
    terminal_is_no_progress,
    variable,
)

from asset import codegen
from asset.engine import native, reference
from asset.engine.outcome import Asking, During, Limits, OnProgress, Outcome, Standing, Stop, Task
from asset.ir import nodes as n
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program
from asset.ir.reductions import NO_REDUCTIONS, Reductions
from asset.ir.requirements import Invariant, MayProgress, MustProgress, Terminal, Termination

Explore = Callable[..., Outcome]


def by_reference(p: Program, task: Task, limits: Limits, on_progress: OnProgress | None) -> Outcome:
    return reference.explore(Interpreter(p), task, limits, on_progress)


def by_native(p: Program, task: Task, limits: Limits, on_progress: OnProgress | None) -> Outcome:
    return native.explore(codegen.compile(p, task.reductions), task, limits, on_progress)


def by_threads(p: Program, task: Task, limits: Limits, on_progress: OnProgress | None) -> Outcome:
    return by_native(p, task, replace(limits, threads=2), on_progress)


ENGINES = {"reference": by_reference, "native": by_native, "two threads": by_threads}


@pytest.fixture(params=ENGINES)
def explore(request: pytest.FixtureRequest) -> Explore:
    """Explores a program: for all that it asks for, unless another task is given."""
    engine = ENGINES[request.param]

    def outcome(
        p: Program,
        task: Task | None = None,
        reductions: Reductions = NO_REDUCTIONS,
        limits: Limits | None = None,
        on_progress: OnProgress | None = None,
    ) -> Outcome:
        return engine(p, task or everything(p, reductions=reductions), limits or Limits(), on_progress)

    return outcome


BY_HAND = Reductions(hand_rules=True)
SYMMETRIC = Reductions(hand_symmetry=True)


def counts(outcome: Outcome) -> tuple[int, int, int, int]:
    return outcome.states, outcome.edges, outcome.depth, outcome.terminal_states


# --- exploring ------------------------------------------------------------------------------------------------------


def test_everything_reachable_is_counted(explore: Explore) -> None:
    outcome = explore(independent())
    assert outcome.stop is Stop.COMPLETE
    assert counts(outcome) == (9, 12, 4, 1)


def test_the_states_of_each_level_are_counted(explore: Explore) -> None:
    assert explore(independent()).levels == (1, 2, 3, 2, 1)


def test_a_level_of_which_states_may_be_missing_is_not_counted(explore: Explore) -> None:
    assert explore(independent(), limits=Limits(max_states=5)).levels == (1, 2)


def test_a_search_starts_where_the_task_says(explore: Explore) -> None:
    p = graph([[1, -1, 3, -1]])
    assert counts(explore(p, replace(everything(p), starts=((2,),)))) == (2, 1, 1, 1)
    assert counts(explore(p, replace(everything(p), starts=((0,), (2,), (0,))))) == (4, 2, 1, 2)


def test_a_counterexample_begins_in_the_start_state_that_leads_to_it(explore: Explore) -> None:
    p = graph([[1, -1, 3, -1]], {Invariant: [[True, True, True, False]]})
    finding = explore(p, replace(everything(p), starts=((0,), (2,)))).finding
    assert finding is not None
    assert finding.path == ((None, (2,)), (0, (3,)))


def test_a_start_state_may_violate(explore: Explore) -> None:
    p = graph([[1, -1, 3, -1]], {Invariant: [[True, True, False, True]]})
    finding = explore(p, replace(everything(p), starts=((0,), (2,)))).finding
    assert finding is not None
    assert finding.path == ((None, (2,)),)


def test_a_limit_on_states_ends_the_search_with_what_was_counted(explore: Explore) -> None:
    outcome = explore(independent(), limits=Limits(max_states=4))
    assert outcome.stop is Stop.MAX_STATES
    assert outcome.finding is None


def test_whoever_watches_the_progress_can_end_the_search(explore: Explore) -> None:
    outcome = explore(counters(13), on_progress=lambda progress: False)
    assert outcome.stop in (Stop.INTERRUPTED, Stop.COMPLETE)  # a fast engine may be done before it is asked
    assert outcome.finding is None


# --- requirements of states -----------------------------------------------------------------------------------------


def test_an_invariant_is_violated_by_a_shortest_run(explore: Explore) -> None:
    p = graph([[1, 2, 3, -1], [2, -1, -1, -1]], {Invariant: [[True, True, True, False]]})
    finding = explore(p).finding
    assert finding is not None
    assert finding.requirement == p.requirements[0]
    assert finding.path == ((None, (0,)), (1, (2,)), (0, (3,)))


def test_of_several_invariants_the_first_that_is_violated_is_found(explore: Explore) -> None:
    p = graph([[1, -1]], {Invariant: [[True, True], [True, False], [True, False]]})
    finding = explore(p).finding
    assert finding is not None
    assert finding.requirement == p.requirements[1]


def test_an_invariant_is_checked_in_the_start_state(explore: Explore) -> None:
    finding = explore(graph([[0]], {Invariant: [[False]]})).finding
    assert finding is not None
    assert finding.path == ((None, (0,)),)


def test_a_terminal_property_is_checked_in_terminal_states_only(explore: Explore) -> None:
    assert explore(graph([[1, -1]], {Terminal: [[False, True]]})).stop is Stop.COMPLETE
    finding = explore(graph([[1, -1]], {Terminal: [[True, False]]})).finding
    assert finding is not None
    assert finding.path[-1][1] == (1,)


def test_only_what_the_task_asks_for_is_checked(explore: Explore) -> None:
    p = graph([[1, -1]], {Invariant: [[False, False], [True, True]], Terminal: [[False, False]]})
    asked = Task((p.initial,), p.requirements[1:2])
    assert explore(p, asked).stop is Stop.COMPLETE


def test_more_predicates_than_a_word_has_bits_are_told_apart(explore: Explore) -> None:
    columns = [[True, number != 70] for number in range(80)]
    p = graph([[1, -1]], {Invariant: columns})
    finding = explore(p).finding
    assert finding is not None
    assert finding.requirement == p.requirements[70]


# --- requirements on the whole graph --------------------------------------------------------------------------------


def test_requirements_on_the_graph_are_decided_in_the_order_of_the_task(explore: Explore) -> None:
    p = graph([[1, 2, 1]], {MayProgress: [[True, False, False]], MustProgress: [[False] * 3]})
    may, must = p.requirements
    for order in ((may, must, Termination()), (must, Termination(), may), (Termination(), may, must)):
        finding = explore(p, Task((p.initial,), order)).finding
        assert finding is not None
        assert finding.requirement == order[0]


def test_progress_is_lost_where_no_good_state_is_reachable(explore: Explore) -> None:
    finding = explore(graph([[1, 2, 1], [0, -1, -1]], {MayProgress: [[True, False, False]]})).finding
    assert finding is not None
    assert (finding.progress_lost_at, finding.cycle_starts_at, len(finding.path)) == (1, 1, 4)


def test_a_state_that_no_command_changes_is_terminal_unless_idle_steps_count(explore: Explore) -> None:
    p = graph([[1, 1], [0, -1]], {MayProgress: [[True, False]], MustProgress: [[True, False]]})
    outcome = explore(p)
    assert (outcome.stop, outcome.states, outcome.edges, outcome.terminal_states) == (Stop.COMPLETE, 2, 3, 1)
    strict = replace(p, idle_steps=True)
    finding = explore(strict).finding
    assert finding is not None
    assert (finding.requirement, finding.progress_lost_at, finding.cycle_starts_at) == (p.requirements[0], 1, 1)
    assert explore(strict).terminal_states == 0


def test_whether_terminal_states_are_progress_is_said_by_the_requirement(explore: Explore) -> None:
    p = graph([[1, -1]], {MayProgress: [[False, False]], MustProgress: [[False, False]]})
    assert explore(p).stop is Stop.COMPLETE
    for kind in (MayProgress, MustProgress):
        finding = explore(terminal_is_no_progress(p, kind)).finding
        assert finding is not None
        assert isinstance(finding.requirement, kind)
        assert (finding.progress_lost_at, finding.cycle_starts_at, len(finding.path)) == (0, None, 2)


def test_termination_is_lost_in_a_cycle_that_cannot_be_left(explore: Explore) -> None:
    p = graph([[1, 2, 1]])
    finding = explore(p, everything(p, Termination())).finding
    assert finding is not None
    assert (finding.requirement, finding.progress_lost_at, finding.cycle_starts_at) == (Termination(), 0, 1)


def test_a_recurrence_is_violated_by_a_cycle_without_what_must_occur(explore: Explore) -> None:
    p = graph([[1, 0], [1, -1]], recurrences=[([0], [0]), ([0], [1])])
    finding = explore(p).finding
    assert finding is not None
    assert finding.requirement == p.requirements[1]
    assert [command for command, _ in finding.path] == [None, 0, 0]


# --- reductions -----------------------------------------------------------------------------------------------------


def test_independent_commands_are_fired_one_after_the_other(explore: Explore) -> None:
    assert counts(explore(independent((), ()), reductions=BY_HAND)) == (5, 4, 4, 1)


def test_a_command_without_a_rule_obliges_all(explore: Explore) -> None:
    outcome = explore(independent(), reductions=BY_HAND)
    assert (outcome.states, outcome.edges) == (9, 12)


def test_a_component_without_an_enabled_command_is_passed_over(explore: Explore) -> None:
    # Command 1 is disabled in 0 and obliges only itself: command 0 is fired instead.
    outcome = explore(graph([[1, -1], [-1, -1]], rules=[[], []]), reductions=BY_HAND)
    assert counts(outcome) == (2, 1, 1, 1)


def test_each_state_is_replaced_by_its_representative(explore: Explore) -> None:
    outcome = explore(sorting(*SWAP), reductions=SYMMETRIC)
    assert (outcome.states, outcome.edges) == (6, 8)


def test_hand_written_reductions_are_used_only_if_asked_for(explore: Explore) -> None:
    assert explore(sorting(*SWAP)).states == 9
    assert explore(independent((), ())).states == 9


# --- model errors ---------------------------------------------------------------------------------------------------


def test_a_model_error_in_firing_names_the_command(explore: Explore) -> None:
    fails = function("fails", assign(0, binary("//", const(1), read(0))))
    p = program([variable("x")], [fails], [family("fails", 0)])
    finding = explore(p).finding
    assert finding is not None
    assert (finding.requirement, finding.during, finding.command) == (None, During.FIRING, 0)
    assert finding.path == ((None, (0,)),)


def test_a_model_error_in_a_predicate_names_it(explore: Explore) -> None:
    fails = function("fails", n.Return(HERE, binary("//", const(1), read(0))))
    p = program([variable("x")], [fails], [], [invariant("fails", 0)])
    finding = explore(p).finding
    assert finding is not None
    assert (finding.requirement, finding.during, finding.predicate) == (None, During.PREDICATE, p.predicates[0])


def test_a_predicate_that_is_not_asked_for_cannot_fail(explore: Explore) -> None:
    fails = function("fails", n.Return(HERE, binary("//", const(1), read(0))))
    fine = function("fine", n.Return(HERE, const(1)))
    p = program([variable("x")], [fails, fine], [], [invariant("fails", 0), invariant("fine", 1)])
    assert explore(p, Task((p.initial,), p.requirements[1:])).stop is Stop.COMPLETE


def test_a_violation_before_a_model_error_in_the_same_state_is_found_first(explore: Explore) -> None:
    fails = function("fails", n.Return(HERE, binary("//", const(1), read(0))))
    false = function("false", n.Return(HERE, const(0)))
    p = program([variable("x")], [false, fails], [], [invariant("false", 0), invariant("fails", 1)])
    finding = explore(p).finding
    assert finding is not None
    assert finding.requirement == p.requirements[0]


def test_a_model_error_in_a_progress_predicate_is_found_in_the_first_state_where_it_occurs(explore: Explore) -> None:
    p = graph([[1, 0]], {MayProgress: [[True, True]]})
    shorter = n.Table(HERE, "table", (1,), (1,), (read(0),))
    functions = (*p.functions[:-1], function("short", n.Return(HERE, shorter)))
    finding = explore(replace(p, functions=functions)).finding
    assert finding is not None
    assert (finding.during, finding.predicate) == (During.PREDICATE, p.predicates[0])
    assert finding.path[-1][1] == (1,)


def test_a_model_error_in_a_rule_names_the_command(explore: Explore) -> None:
    finding = explore(independent((), (7,)), reductions=BY_HAND).finding
    assert finding is not None
    assert (finding.requirement, finding.during, finding.command) == (None, During.RULE, 1)
    assert len(finding.path) == 1


def test_a_model_error_in_a_representative_names_the_command_that_led_there(explore: Explore) -> None:
    p = sorting(assign(0, binary("//", const(1), binary("-", read(1), const(1)))))
    begun = replace(p, variables=(variable("x", initial=(0,)), variable("y")))
    finding = explore(begun, reductions=SYMMETRIC).finding
    assert finding is not None
    assert (finding.during, finding.command) == (During.REPRESENTATIVE, None)
    fails_later = sorting(assign(0, binary("+", binary("//", const(0), binary("-", read(1), const(1))), read(0))))
    later = explore(fails_later, reductions=SYMMETRIC).finding
    assert later is not None
    assert (later.during, later.command, later.path) == (During.REPRESENTATIVE, 1, ((None, (0, 0)),))


# --- whether to go on ---------------------------------------------------------------------------------------------


class Asked:
    """Says the same whenever it is asked, and notes what it was told."""

    def __init__(self, goes_on: bool, worth: bool = True) -> None:
        self.answer = goes_on
        self.worth = worth
        self.told: list[Standing] = []

    def limits(self, begins: int, ends: int) -> Limits:
        return Limits(asking=Asking(begins, ends, self.prepare, lambda standing: self.worth, self.goes_on))

    def prepare(self, standing: Standing, is_needed: Callable[[], bool]) -> None:
        self.told.append(standing)

    def goes_on(self, standing: Standing) -> bool:
        self.told.append(standing)
        return self.answer


def test_whoever_is_asked_is_told_at_the_end_of_a_level_and_the_search_goes_on(explore: Explore) -> None:
    p, asked = counters(4), Asked(goes_on=True)
    whole = explore(p)
    assert counts(explore(p, limits=asked.limits(12, 31))) == counts(whole)
    assert asked.told == [Standing((1, 4, 10), 15, 20), Standing((1, 4, 10, 16), 31, 56)]


def test_if_it_is_not_to_go_on_it_gives_up_as_at_a_limit(explore: Explore) -> None:
    asked = Asked(goes_on=False)
    outcome = explore(counters(4), limits=asked.limits(5, 10))
    assert (outcome.stop, outcome.states, outcome.levels) == (Stop.MAX_STATES, 15, (1, 4, 10))


def test_a_native_search_that_was_told_to_go_on_is_not_asked_again() -> None:
    class Searching:
        standings: ClassVar = [([1, 2], 3, 2), ([1, 2, 4], 7, 6)]
        told = 0

        def go_on(self) -> None:
            self.told += 1

    searching, asked = Searching(), Asked(goes_on=True)
    limits = asked.limits(2, 5)
    assert limits.asking is not None
    asking = native._Asked(searching, limits.asking)  # type: ignore[arg-type]
    for _ in range(3):
        asking.ask(lambda: True)
    assert (searching.told, [standing.states for standing in asked.told]) == (1, [3, 7])


def test_a_search_for_which_it_is_not_worth_waiting_goes_on(explore: Explore) -> None:
    asked = Asked(goes_on=False, worth=False)
    assert explore(counters(4), limits=asked.limits(12, 31)).stop is Stop.COMPLETE
    assert [standing.states for standing in asked.told] == [15]


def test_nobody_is_asked_about_a_search_that_has_ended_before(explore: Explore) -> None:
    asked = Asked(goes_on=False)
    assert explore(counters(2), limits=asked.limits(10, 20)).stop is Stop.COMPLETE
    assert asked.told == []
