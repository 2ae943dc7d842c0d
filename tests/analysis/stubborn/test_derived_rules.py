"""Derived stubborn set rules: figures, what they see of a model, and what they say about themselves."""

from __future__ import annotations

import pytest
import stubborn_oracle as oracle
from places import MODELS
from programs import HERE, assign, binary, const, family, function, program, read, variable, when

from asset import Array, Int, Model, invariant, transition
from asset import when as asset_when
from asset.analysis.stubborn.derivation import Derivation, DerivationLimits, derive
from asset.analysis.stubborn.explanation import explain
from asset.analysis.stubborn.mutexes import Reachable, find_reachable
from asset.analysis.stubborn.paths import Path as ModelPath
from asset.analysis.stubborn.runs import UnfoldingEffort
from asset.analysis.stubborn.symbolic_values import Relation, Truth
from asset.analysis.stubborn.unfolding import Unfolder
from asset.analysis.values.domains import CellDomains, bits
from asset.analysis.values.linear import function_of
from asset.engine.choice import Situation, stubborn, stubborn_nodes
from asset.frontends.python import compile_model, load
from asset.ir import nodes as n
from asset.ir.derived import ALWAYS, Alternative, DerivedRules, ObligationCase
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program
from asset.ir.types import IntType


def derived(made: Program, limits: DerivationLimits | None = None) -> Derivation:
    return derive(made, made.requirements, limits)


def reduced(made: Program, limits: DerivationLimits | None = None) -> tuple[int, int]:
    """States and edges with stubborn sets, where nothing is wrong with the model."""
    behaviour = oracle.Behaviour(made, oracle.invariants_of(made))
    space = oracle.reduced(behaviour, derived(made, limits).rules)
    assert not space.wrong
    return len(space.edges), sum(map(len, space.edges.values()))


def of_file(name: str, **parameters: int) -> Program:
    return compile_model(load(str(MODELS / name), {key: str(value) for key, value in parameters.items()}))


# --- figures ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "hand"), [(2, (44, 60)), (3, (219, 327)), (4, (920, 1432))])
def test_the_ring_is_reduced_at_least_as_well_as_by_its_author(n: int, hand: tuple[int, int]) -> None:
    states, edges = reduced(of_file("token_ring.py", n=n))
    assert states <= hand[0] and edges <= hand[1]


@pytest.mark.parametrize(
    ("name", "states", "edges"),
    [("PetersonUnrevealing", 88, 124), ("PetersonRevealing", 116, 162), ("Peterson", 378, 522)],
)
def test_peterson_is_reduced_at_least_as_well_as_by_its_author(name: str, states: int, edges: int) -> None:
    found = reduced(of_file(f"peterson.py:{name}", n=2))
    assert found[0] <= states and found[1] <= edges


def test_the_order_of_stations_does_not_matter_to_the_rules_of_a_large_ring() -> None:
    derivation = derived(of_file("token_ring.py", n=12))
    sizes = [sum(len(case.obligations) for case in cases) for cases in derivation.rules.cases]
    assert len(set(sizes[:12])) == len(set(sizes[12:24])) == 1


# --- paths ------------------------------------------------------------------------------------------------------


def paths(made: Program, command: int = 0, effort: UnfoldingEffort | None = None) -> list[ModelPath]:
    family_, indices = made.commands[command]
    return Unfolder(CellDomains(made), effort or UnfoldingEffort()).command(command, family_, indices).fired


def test_a_program_counter_gives_a_path_for_each_of_its_values() -> None:
    made = of_file("asset_style.py:Semaphore", n=2, places=1)
    guards = [path.guard[0] for path in paths(made) if not path.hidden]
    assert sorted(guards) == [0b001, 0b010, 0b100]


def test_an_index_variable_is_split_over_its_values() -> None:
    made = program(
        [variable("at", IntType(0, 2)), variable("cell", IntType(0, 1), (3,), (0, 0, 0))],
        [function("set", assign(1, const(1), read(0)))],
        [family("set", 0)],
    )
    found = paths(made)
    assert sorted((*path.guard.items(), *path.updates) for path in found) == [((0, 1), 1), ((0, 2), 2), ((0, 4), 3)]


def test_a_loop_that_takes_too_long_makes_a_path_opaque_at_its_line() -> None:
    loop = n.While(HERE, binary("<", read(0), const(5)), (assign(0, const(0)),))
    made = program([variable("x")], [function("spin", when(binary("<", read(0), const(3))), loop)], [family("spin", 0)])
    (opaque,) = [path for path in paths(made, effort=UnfoldingEffort(steps=50)) if path.opaque is not None]
    assert opaque.hidden == {0} and not opaque.updates[0].certain


def test_what_is_true_of_two_branches_is_not_asked_of_the_path() -> None:
    either = n.Or(HERE, (binary("==", read(0), const(1)), binary("==", read(1), const(1))))
    made = program([variable("x"), variable("y"), variable("z")], [function("go", when(either), assign(2, const(1)))],
                   [family("go", 0)])  # fmt: skip
    live = derived(made).flow.live
    assert all(len(live_path.path.guard) == 1 for live_path in live)


# --- what can hold together -------------------------------------------------------------------------------------


def test_tokens_at_two_stations_exclude_each_other() -> None:
    made = of_file("token_ring.py", n=3)
    cells = CellDomains(made)
    all_paths = [path for command in range(made.nr_commands) for path in paths(made, command)]
    reachable = find_reachable(cells, all_paths, 10_000)
    first, second = (cells.first[cells.program.cell_names.index(f"token[{i}]")] + 1 for i in (0, 1))
    assert not reachable.together[first] >> second & 1


def test_facts_that_hold_in_a_reachable_state_are_never_thought_to_exclude_each_other() -> None:
    made = of_file("peterson.py:Peterson", n=2)
    derivation = derived(made)
    cells, together = derivation.flow.cells, derivation.flow.reachable.together
    for state in oracle.full(oracle.Behaviour(made, []), 1000).edges:
        facts = 0
        for cell, value in enumerate(state):
            facts |= 1 << cells.first[cell] + (cells.index(cell, value) or 0)
        assert all(facts & ~together[fact] == 0 for fact in bits(facts))


def test_a_path_is_never_taken_where_a_cell_that_it_does_not_test_has_no_value_left() -> None:
    cells = CellDomains(
        program([variable(name, IntType(0, 1)) for name in "abc"], [function("skip")], [family("skip", 0)])
    )
    together = [0b111111 & ~0b11 << 2 * (fact // 2) | 1 << fact for fact in range(6)]
    for one, two in ((1, 4), (3, 5)):  # a is 1 only with c = 1, b only with c = 0
        together[one] &= ~(1 << two)
        together[two] &= ~(1 << one)
    reachable = Reachable(cells, [0b11] * 3, together)
    atom = Truth(function_of(2, (0, 1)), Relation.POSITIVE)
    assert reachable.compatible(ModelPath(0, {0: 0b10}, (atom,))) is not None
    assert reachable.compatible(ModelPath(0, {0: 0b10, 1: 0b10}, (atom,))) is None


# --- commuting --------------------------------------------------------------------------------------------------


class Counters(Model):
    """Two that add to a counter, in either order, and one that waits for it."""

    def state(self):
        self.x = Int(0, 15)
        self.done = Array(3, False)

    @transition(i="2")
    def add(self, i):
        asset_when(not self.done[i])
        self.x = (self.x + 1 + i) % 16
        self.done[i] = True

    @transition
    def see(self):
        asset_when(self.x == 0 and not self.done[2])
        self.done[2] = True


def test_additions_commute_and_tests_of_the_sum_do_not() -> None:
    dependent = {
        (pair.first, pair.second) for pair in explain(derived(compile_model(Counters()))).pairs if pair.dependence
    }
    assert dependent == {(0, 2), (1, 2)}


# --- invariants and model errors --------------------------------------------------------------------------------


class Passing(Model):
    """Each of two is inside for a moment; whether both are at once depends on the order."""

    def state(self):
        self.inside = Array(2, Int(0, 2))

    @transition(i="2")
    def go(self, i):
        asset_when(self.inside[i] < 2)
        self.inside[i] += 1

    @invariant
    def alone(self):
        return sum(place == 1 for place in self.inside) < 2


def test_a_violation_that_passes_by_is_not_missed() -> None:
    made = compile_model(Passing())
    behaviour = oracle.Behaviour(made, oracle.invariants_of(made))
    assert oracle.reduced(behaviour, derived(made).rules).wrong
    assert not oracle.reduced(behaviour, derive(made, {}).rules).wrong


def test_a_model_error_that_passes_by_is_not_missed() -> None:
    class Fragile(Passing):
        @transition
        def trip(self):
            asset_when(self.inside[0] == 1)
            assert self.inside[1] != 1
            asset_when(False)

    made = compile_model(Fragile())
    assert oracle.reduced(oracle.Behaviour(made, []), derive(made, {}).rules).wrong == {2}


def test_an_invariant_that_mutexes_prove_needs_no_imaginary_transition() -> None:
    explained = explain(derived(of_file("token_ring.py", n=3)))
    assert explained.proved == ("mutual_exclusion is violated",)
    assert explained.watched == ()


def test_a_semaphore_is_counted() -> None:
    made = of_file("asset_style.py:Semaphore", n=5)
    assert reduced(made) == (207, 350)
    assert len(derived(made).flow.invariants) == 1
    assert reduced(made, DerivationLimits(counted_facts=0))[0] > 207


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("token_ring.py", {"n": 2}),
        ("peterson.py:Peterson", {"n": 2}),
        ("philosophers.py:Philosophers", {"n": 3}),
        ("readers_writers.py:ReadersWriters", {"readers": 2, "writers": 1}),
    ],
)
def test_linear_invariants_hold_in_every_reachable_state(name: str, parameters: dict[str, int]) -> None:
    made = of_file(name, **parameters)
    flow = derived(made).flow
    for state in oracle.full(oracle.Behaviour(made, []), 1000).edges:
        for each in flow.invariants:
            assert sum(weights[flow.cells.index(cell, state[cell]) or 0] for cell, weights in each.terms) == 0


# --- the choice -------------------------------------------------------------------------------------------------


def rules(*owed: dict[int, list[list[int]]]) -> DerivedRules:
    """Rules with one case for each node: obligations as lists of alternatives, by node."""
    cases = []
    for of_node in owed:
        obligations = tuple(
            tuple(Alternative(ALWAYS, frozenset([node])) for node in options) for options in of_node.get(0, [])
        )
        cases.append((ObligationCase((), obligations),))
    return DerivedRules((), tuple(cases))


def test_an_alternative_is_enough_to_meet_an_obligation() -> None:
    made = rules({0: [[1, 2]]}, {0: [[0]]}, {})
    assert stubborn(made, Situation([], {0, 1})) == [0]
    assert stubborn(made, Situation([], {0, 1, 2})) == [2]
    assert stubborn_nodes(made, Situation([], {2})) == {0, 1, 2}


def test_commands_that_oblige_each_other_are_fired_together() -> None:
    assert stubborn(rules({0: [[1]]}, {0: [[0]]}), Situation([], {0, 1})) == [1, 0]


def test_enabled_commands_are_given_up_in_increasing_number() -> None:
    assert stubborn(rules({}, {}, {}), Situation([], {0, 1, 2})) == [2]


def test_everything_is_fired_where_no_closed_set_has_an_enabled_command() -> None:
    unmet = DerivedRules((), ((ObligationCase((), ((),)),), ()))
    assert stubborn(unmet, Situation([], {0})) == [0]


# --- facts and limits -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["token_ring.py", "peterson.py:Peterson", "bakery.py:Bakery", "asset_style.py:Semaphore"]
)
def test_facts_never_fault_whatever_the_state(name: str) -> None:
    made = of_file(name)
    interpreter = Interpreter(made)
    facts = derived(made).rules.facts
    extremes = [tuple(bound(v.type) for v in made.variables for _ in range(v.cells)) for bound in
                (lambda kind: kind.lo, lambda kind: kind.hi)]  # fmt: skip
    for state in extremes:
        for fact in facts:
            interpreter.holds(fact, state)


def test_an_observer_that_ends_the_analysis_gets_rules_that_oblige_everything() -> None:
    made = of_file("token_ring.py", n=3)
    derivation = derive(made, (), observer=lambda what, done, of: what != "rules")
    assert not derivation.complete
    assert stubborn(derivation.rules, Situation([], {1, 4, 5})) == [5, 4, 1]


def test_a_command_with_too_many_paths_is_summarised_and_named() -> None:
    derivation = derived(
        of_file("peterson.py:Peterson", n=3), DerivationLimits(effort=UnfoldingEffort(ways=6), paths=6)
    )
    explained = explain(derivation)
    assert {each.name for each in explained.opaque} == {"step(0)", "step(1)", "step(2)"}
    assert all("peterson.py" in each.span.file for each in explained.opaque)


# --- explaining -------------------------------------------------------------------------------------------------


def test_a_dependence_names_the_variable_and_both_lines() -> None:
    made = of_file("token_ring.py", n=2)
    pairs = {(pair.first, pair.second): pair.dependence for pair in explain(derived(made)).pairs}
    dependence = pairs[0, 2]
    assert dependence is not None and dependence.cell == "client[0]"
    assert dependence.first_span is not None and "self.client[i] = " in dependence.first_span.source_line
    assert dependence.second_span is not None and "STOPPED" in dependence.second_span.source_line
    assert pairs[0, 1] is None


def test_rules_read_as_sentences() -> None:
    (rule,) = [rule for rule in explain(derived(of_file("token_ring.py", n=2))).rules if rule.name == "stop(0)"]
    assert any("where client[0] is IDLE" in sentence and "client_step(0)" in sentence for sentence in rule.sentences)
