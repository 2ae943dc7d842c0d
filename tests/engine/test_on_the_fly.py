"""Formulas decided while exploring: both engines agree with what formulas mean, with each other, and with deciding on
the kept graph, on small random graphs.

ASSET_EXAMPLES=10000 makes a long run of it.
"""

from __future__ import annotations

import functools
import os
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from programs import everything
from temporal_programs import SmallGraph, as_lasso, code_of_graphs, fairness, ltl, small_graphs

from asset import codegen
from asset.engine import native, reference
from asset.engine.outcome import Limits, Outcome, Stop, Task
from asset.engine.product import explored_space
from asset.engine.search import Search
from asset.engine.sources import AllCommands
from asset.engine.temporal import FairProduct, Observer, automaton_of
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program
from asset.ir.requirements import Fairness, Temporal
from asset.logic import formulas as f

EXAMPLES = settings(max_examples=int(os.environ.get("ASSET_EXAMPLES", "30")), deadline=None)
LONGEST = 5  # lassos that are looked at, in states


def outcomes(program: Program, task: Task, limits: Limits | None = None) -> list[Outcome]:
    """By both engines, which count and find the same."""
    limits = limits or Limits()
    found = [
        reference.explore(Interpreter(program), task, limits),
        native.explore(code_of_graphs(), task, limits),
    ]
    counts = [(o.stop, o.states, o.edges, o.terminal_states, o.product, o.finding and o.finding.path) for o in found]
    assert counts[0] == counts[1]
    assert found[0].stop is Stop.MAX_STATES or found[0].depth == found[1].depth
    return found


def formulas(data: st.DataObject, graph: SmallGraph) -> list[Temporal]:
    """One or two, with fairness and assumptions."""
    many = data.draw(st.integers(1, 2))
    return [
        Temporal(
            f"asked {k}",
            data.draw(ltl(graph)),
            None,
            data.draw(fairness(graph)),
            tuple(data.draw(st.lists(ltl(graph), max_size=1))),
        )
        for k in range(many)
    ]


@EXAMPLES
@given(st.data(), small_graphs(states=6))
def test_the_first_formula_that_a_fair_lasso_violates_is_found(data: st.DataObject, graph: SmallGraph) -> None:
    asked = formulas(data, graph)
    program = graph.program_in_state(*asked)
    task = everything(program)
    kept = reference.explore(Interpreter(program), task, Limits())
    known = [any(graph.violates(each, *lasso) for lasso in graph.lassos(LONGEST)) for each in asked]
    for outcome in outcomes(program, replace(task, on_the_fly=True)):
        if outcome.finding is None:
            assert outcome.stop is Stop.COMPLETE and kept.finding is None and not any(known)
            assert (outcome.states, outcome.edges, outcome.depth) == (kept.states, kept.edges, kept.depth)
        else:
            violated = outcome.finding.requirement
            assert kept.finding is not None and kept.finding.requirement is violated and isinstance(violated, Temporal)
            assert not any(known[: asked.index(violated)])
            assert graph.violates(violated, *as_lasso(outcome.finding.path, outcome.finding.cycle_starts_at))


@EXAMPLES
@given(st.data(), small_graphs())
def test_of_a_formula_that_holds_the_whole_product_is_searched(data: st.DataObject, graph: SmallGraph) -> None:
    required = formulas(data, graph)[0]
    program = graph.program_in_state(required)
    found = outcomes(program, replace(everything(program), on_the_fly=True))[1]
    search = Search(AllCommands(Interpreter(program)))
    search.run([program.initial])
    observer = Observer(Interpreter(program), search, required)
    whole = FairProduct(explored_space(search.store), observer, required, [0])
    size = (len(whole.vertices), sum(map(len, whole.edges.values())))
    if found.finding is None:
        assert found.product == size
    else:
        assert found.product is not None and found.product <= size


@EXAMPLES
@given(st.data(), small_graphs(states=6), st.integers(1, 4))
def test_a_limit_ends_it_and_leaves_the_question_open(data: st.DataObject, graph: SmallGraph, most: int) -> None:
    program = graph.program_in_state(*formulas(data, graph))
    for outcome in outcomes(program, replace(everything(program), on_the_fly=True), Limits(max_states=most)):
        assert outcome.states <= most
        assert outcome.stop is not Stop.MAX_STATES or outcome.finding is None


@EXAMPLES
@given(st.data(), small_graphs())
def test_it_starts_in_several_states(data: st.DataObject, graph: SmallGraph) -> None:
    required = formulas(data, graph)[0]
    program = graph.program_in_state(required)
    starts = data.draw(st.lists(st.integers(0, graph.states - 1).map(graph.state), min_size=1, max_size=3))
    task = replace(everything(program), starts=tuple(starts))
    kept = reference.explore(Interpreter(program), task, Limits())
    for outcome in outcomes(program, replace(task, on_the_fly=True)):
        assert (outcome.finding is None) == (kept.finding is None)
        assert outcome.finding is None or outcome.finding.path[0][1] in starts


def test_automata_may_have_many_states_and_observations() -> None:
    """Both engines take them, on the fly and on the kept graph."""
    size = 70
    graph = SmallGraph(
        (tuple((s + 1) % size for s in range(size)), tuple(s if s % 2 else -1 for s in range(size))),
        tuple(tuple(s == k for s in range(size)) for k in range(size)),
    )
    atoms = [f.Atom(predicate) for predicate in graph.predicates()]
    far = functools.reduce(lambda inner, _: f.Next(inner), range(size + 10), atoms[10])
    required = [
        Temporal("always one of them", f.Always(f.Or(tuple(atoms))), None),
        Temporal("far", far, None, (Fairness("moves", frozenset({0}), strong=False),)),
    ]
    assert len(required[0].observations) > 64 and automaton_of(required[1]).states > 64
    program = graph.program(*required)
    for task in (everything(program), replace(everything(program), on_the_fly=True)):
        for found in (
            reference.explore(Interpreter(program), task, Limits()),
            native.explore(codegen.compile(program), task, Limits()),
        ):
            assert found.finding is not None and found.finding.requirement is required[1]
            assert graph.violates(required[1], *as_lasso(found.finding.path, found.finding.cycle_starts_at))
