"""The reference engine: the order of firing, stubborn sets, representatives, model errors in them."""

from __future__ import annotations

from dataclasses import replace

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
    graph,
    oblige,
    program,
    read,
    rule,
    variable,
    when,
)

from asset.engine import reference
from asset.engine.components import strong_components
from asset.engine.outcome import During, Limits, Outcome, Stop
from asset.engine.search import Search
from asset.engine.sources import source_of
from asset.engine.stubborn import candidates, closure
from asset.ir import nodes as n
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program
from asset.ir.reductions import Reductions
from asset.ir.requirements import MayProgress


def outcome_of(p: Program, **reductions: bool) -> Outcome:
    return reference.explore(Interpreter(p), everything(p, reductions=Reductions(**reductions)), Limits())


def searched(p: Program, **reductions: bool) -> Search:
    """After the search is over."""
    search = Search(source_of(Interpreter(p), Reductions(**reductions)))
    search.run([p.initial])
    return search


def independent(*rules: tuple[int, ...]) -> Program:
    """Counters x and y to 2, each with a command of its own."""
    steps = [
        function(name, when(binary("<", read(number), const(2))), assign(number, binary("+", read(number), const(1))))
        for number, name in enumerate("xy")
    ]
    written = [rule(f"rule_{number}", oblige(*each)) for number, each in enumerate(rules)]
    families = [
        replace(family("x", 0), rule=2 if rules else None),
        replace(family("y", 1, first=1), rule=3 if rules else None),
    ]
    return program([variable("x"), variable("y")], [*steps, *written], families)


def test_components_come_after_what_they_lead_to_with_members_as_entered() -> None:
    edges = {0: [1], 1: [2, 3], 2: [0], 3: [4], 4: [3], 5: [0]}
    assert list(strong_components([5], lambda v: edges[v])) == [[3, 4], [0, 1, 2], [5]]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sets(st.integers(0, 5)), min_size=6, max_size=6))
def test_strong_components_are_the_classes_of_mutual_reachability(edges: list[set[int]]) -> None:
    reach = [closure(lambda v: edges[v], [vertex]) for vertex in range(6)]
    classes = {frozenset(b for b in range(6) if b in reach[a] and a in reach[b]) for a in range(6)}
    found = list(candidates(lambda v: sorted(edges[v]), 6))
    assert {frozenset(component) for component in found} == classes
    assert sum(map(len, found)) == 6


def test_obligations_are_asked_for_only_as_far_as_the_search_goes() -> None:
    asked: list[int] = []

    def obligations(command: int) -> list[int]:
        asked.append(command)
        return [1] if command == 3 else []

    assert next(candidates(obligations, 4)) == [1]
    assert asked == [3, 1]


def test_independent_commands_are_fired_one_after_the_other() -> None:
    full, reduced = outcome_of(independent()), outcome_of(independent((), ()), hand_rules=True)
    assert (full.states, full.edges) == (9, 12)
    assert (reduced.states, reduced.edges, reduced.terminal_states) == (5, 4, 1)


def test_a_command_without_a_rule_obliges_all() -> None:
    outcome = outcome_of(independent(), hand_rules=True)
    assert (outcome.states, outcome.edges) == (9, 12)


def test_a_component_without_an_enabled_command_is_passed_over() -> None:
    # Command 1 is disabled in 0 and obliges only itself: command 0 is fired instead.
    outcome = outcome_of(graph([[1, -1], [-1, -1]], rules=[[], []]), hand_rules=True)
    assert (outcome.states, outcome.edges, outcome.terminal_states) == (2, 1, 1)


def test_the_members_of_a_component_are_fired_in_the_order_of_entering() -> None:
    p = graph([[1, -1, -1, -1], [2, -1, -1, -1], [3, -1, -1, -1]], rules=[[2], [0], [1]])
    assert [command for command, _ in searched(p, hand_rules=True).store.edges[0]] == [2, 1, 0]


def sorting(*body: n.Stmt) -> Program:
    """The counters x and y, with `body` as the representative."""
    p = independent()
    return replace(p, functions=(*p.functions, function("represent", *body, slots=("t",))), representative=2)


SWAP = (
    n.SetLocal(HERE, 0, binary("max", read(0), read(1))),
    assign(0, binary("min", read(0), read(1))),
    assign(1, n.Local(HERE, 0)),
)


def test_each_state_is_replaced_by_its_representative() -> None:
    store = searched(sorting(*SWAP), hand_symmetry=True).store
    assert (len(store), store.nr_edges) == (6, 8)
    assert all(x <= y for x, y in store.vertices)


def test_without_symmetry_representatives_are_not_used() -> None:
    assert outcome_of(sorting(*SWAP)).states == 9


def test_a_model_error_in_a_rule_names_the_command() -> None:
    p = independent((), (7,))
    finding = outcome_of(p, hand_rules=True).finding
    assert finding is not None
    assert (finding.requirement, finding.during, finding.command) == (None, During.RULE, 1)
    assert len(finding.path) == 1


def test_a_model_error_in_a_representative_names_the_command_that_led_there() -> None:
    p = sorting(assign(0, binary("//", const(1), binary("-", read(1), const(1)))))
    finding = outcome_of(replace(p, variables=(variable("x", initial=(0,)), variable("y"))), hand_symmetry=True).finding
    assert finding is not None
    assert (finding.during, finding.command) == (During.REPRESENTATIVE, None)
    fails_later = sorting(assign(0, binary("+", binary("//", const(0), binary("-", read(1), const(1))), read(0))))
    later = outcome_of(fails_later, hand_symmetry=True).finding
    assert later is not None
    assert (later.during, later.command, later.path) == (During.REPRESENTATIVE, 1, ((None, (0, 0)),))


def test_a_model_error_in_a_progress_property_is_found_in_the_first_state_where_it_occurs() -> None:
    p = graph([[1, 0]], {MayProgress: [[True, True]]})
    shorter = n.Table(HERE, "table", (1,), (1,), (read(0),))
    functions = (*p.functions[:-1], function("short", n.Return(HERE, shorter)))
    outcome = outcome_of(replace(p, functions=functions))
    assert outcome.stop is Stop.FINDING
    finding = outcome.finding
    assert finding is not None
    assert (finding.during, finding.predicate) == (During.PREDICATE, p.predicates[0])
    assert finding.path[-1][1] == (1,)


def test_what_a_stubborn_set_leaves_out_can_be_fired_later() -> None:
    search = searched(independent((), ()), hand_rules=True)
    assert search.left_out(0) == [0]
    search.expand_further(0, search.left_out(0))
    assert search.left_out(0) == []
    assert [command for command, _ in search.store.edges[0]] == [1, 0]
    assert len(search.store) > 5  # and what is new is explored


def test_nothing_is_left_out_if_everything_is_fired() -> None:
    search = searched(independent())
    assert all(search.left_out(number) == [] for number in range(len(search.store)))


def test_a_search_may_start_in_several_states() -> None:
    p = graph([[1, -1, 3, -1]])
    task = replace(everything(p), starts=((0,), (2,), (0,)))
    outcome = reference.explore(Interpreter(p), task, Limits())
    assert (outcome.states, outcome.edges, outcome.depth, outcome.terminal_states) == (4, 2, 1, 2)
