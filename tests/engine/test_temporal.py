"""Temporal logic: both engines agree with what formulas mean, on small random graphs.

ASSET_EXAMPLES=10000 makes a long run of it.
"""

from __future__ import annotations

import os
from dataclasses import replace

from hypothesis import example, given, settings
from hypothesis import strategies as st
from programs import everything
from temporal_oracle import BranchingOracle, whole_graph
from temporal_programs import SmallGraph, as_lasso, code_of_graphs, ctl, fairness, ltl, observations, small_graphs

from asset.checks.replay import violation
from asset.engine import native, reference
from asset.engine.outcome import Limits, Outcome
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program
from asset.ir.requirements import Branching, MayProgress, MustProgress, Requirement, Temporal
from asset.ir.verify import verify
from asset.logic import formulas as f

EXAMPLES = settings(max_examples=int(os.environ.get("ASSET_EXAMPLES", "25")), deadline=None)
LONGEST = 6  # lassos that are looked at, in states


def outcomes(program: Program, *more: Requirement) -> list[Outcome]:
    verify(program)
    task = everything(program, *more)
    found = [
        reference.explore(Interpreter(program), task, Limits()),
        native.explore(code_of_graphs(), task, Limits()),
        native.explore(code_of_graphs(), task, Limits(threads=2)),
    ]
    assert len({outcome.stop for outcome in found}) == 1
    return found


def violated(graph: SmallGraph, requirement: Requirement) -> bool:
    """In which a step that changes nothing is a step, as it is for formulas."""
    program = replace(graph.program_in_state(requirement), idle_steps=True)
    return outcomes(program)[0].finding is not None


def atom(graph: SmallGraph, number: int) -> f.Formula:
    return f.Atom(graph.predicates()[number])


@EXAMPLES
@given(st.data(), small_graphs())
def test_a_formula_is_violated_if_and_only_if_a_fair_lasso_violates_it(data: st.DataObject, graph: SmallGraph) -> None:
    formula, fair = data.draw(ltl(graph)), data.draw(fairness(graph))
    assumed = data.draw(st.lists(ltl(graph), max_size=1))
    required = Temporal("asked", formula, None, fair, tuple(assumed))
    known = any(graph.violates(required, *lasso) for lasso in graph.lassos(LONGEST))
    for outcome in outcomes(graph.program_in_state(required)):
        if outcome.finding is None:
            assert not known
        else:
            assert graph.violates(required, *as_lasso(outcome.finding.path, outcome.finding.cycle_starts_at))


def truth(graph: SmallGraph, formula: f.Formula, state: int) -> bool:
    """CTL by fixed points over sets of states, as its definition reads."""
    return state in states_of(graph, formula)


def states_of(graph: SmallGraph, formula: f.Formula) -> set[int]:
    everything_ = set(range(graph.states))
    after = {s: {graph.successors[c][s] for c in graph.enabled(s)} or {s} for s in everything_}
    match formula:
        case f.Atom(key=key):
            held = Temporal("atom", formula, None)
            return {s for s in everything_ if key in graph._observed(held, s, None)}
        case f.Not(operand):
            return everything_ - states_of(graph, operand)
        case f.Implies(left, right):
            return (everything_ - states_of(graph, left)) | states_of(graph, right)
        case f.ForAll(path) | f.Exists(path):
            some = isinstance(formula, f.Exists)
            parts = [states_of(graph, part) for part in path.operands]
            return fixed_point(path, parts, after, some)
        case _:
            raise AssertionError(formula)


def fixed_point(path: f.Formula, parts: list[set[int]], after: dict[int, set[int]], some: bool) -> set[int]:
    def next_(states: set[int]) -> set[int]:
        return {s for s, targets in after.items() if (targets & states if some else targets <= states)}

    a, b = parts[0], parts[-1]
    if isinstance(path, f.Next):
        return next_(a)
    releases = isinstance(path, f.Always | f.Release | f.StrongRelease)
    least = isinstance(path, f.Eventually | f.Until | f.StrongRelease)
    if isinstance(path, f.Eventually):
        a = set(after)
    elif isinstance(path, f.Always):
        a = set()
    found: set[int] = set() if least else set(after)
    while True:
        following = b & (a | next_(found)) if releases else b | (a & next_(found))
        if following == found:
            return found
        found = following


@EXAMPLES
@given(st.data(), small_graphs())
def test_branching_time_logic_is_what_its_fixed_points_say(data: st.DataObject, graph: SmallGraph) -> None:
    formula = data.draw(ctl(graph))
    found = outcomes(graph.program_in_state(Branching("asked", formula, None)))
    assert all((outcome.finding is None) == truth(graph, formula, 0) for outcome in found)
    runs = {None if o.finding is None else len(o.finding.path) for o in found}
    assert len(runs) == 1


@EXAMPLES
@given(st.data(), small_graphs())
def test_branching_time_logic_speaks_of_the_runs_that_are_fair(data: st.DataObject, graph: SmallGraph) -> None:
    formula, fair = data.draw(ctl(graph)), data.draw(fairness(graph))
    again = data.draw(st.lists(observations(graph), max_size=2))
    assumed = tuple(f.Always(f.Eventually(f.Atom(each))) for each in again)
    required = Branching("asked", formula, None, fair, assumed)
    program = graph.program_in_state(required)
    expected = BranchingOracle(whole_graph(program), required).holds
    found = outcomes(program)
    assert all((outcome.finding is None) == expected for outcome in found)
    assert len({None if o.finding is None else len(o.finding.path) for o in found}) == 1
    for outcome in found:
        if outcome.finding is not None:
            violation(Interpreter(program), outcome.finding)  # a run that is not fair is not believed


@EXAMPLES
@given(small_graphs())
def test_what_both_logics_can_say_they_say_alike(graph: SmallGraph) -> None:
    p, q = atom(graph, 0), atom(graph, 1)
    for linear, branching in (
        (f.Always(p), f.ForAll(f.Always(p))),
        (
            f.Always(f.Implies(p, f.Eventually(q))),
            f.ForAll(f.Always(f.Implies(p, f.ForAll(f.Eventually(q))))),
        ),
        (f.Until(p, q), f.ForAll(f.Until(p, q))),
    ):
        assert violated(graph, Temporal("l", linear, None)) == violated(graph, Branching("b", branching, None))


@EXAMPLES
@given(small_graphs())
@example(SmallGraph(successors=((2, 0, 1),), marked=((False, False, True), (False,) * 3)))  # threads skip ids
def test_progress_is_a_formula_too(graph: SmallGraph) -> None:
    p = graph.predicates()[0]
    again = Temporal("again", f.Always(f.Eventually(f.Atom(p))), None)
    assert violated(graph, MustProgress(p, terminal_is_progress=False)) == violated(graph, again)
    reachable = Branching("reachable", f.ForAll(f.Always(f.Exists(f.Eventually(f.Atom(p))))), None)
    assert violated(graph, MayProgress(p, terminal_is_progress=False)) == violated(graph, reachable)
