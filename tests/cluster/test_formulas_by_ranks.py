"""Ranks decide formulas of linear time logic and recurrences by trimming: as one machine does, with a run that violates
what is asked, which is the same for any number of ranks.

ASSET_EXAMPLES=3000 makes a long run of it.
"""

from __future__ import annotations

import functools
import os
from dataclasses import replace
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from places import MODELS
from programs import everything
from temporal_programs import SmallGraph, as_lasso, fairness, ltl, small_graphs
from threaded_ranks import explored_by

import asset
from asset import codegen
from asset.checks.by_ranks import MOST_MODES, left_open_by_ranks
from asset.cluster.answering import _outcome
from asset.cluster.exploring import Job
from asset.engine import native, reference, trimming
from asset.engine.outcome import Limits, Outcome, Stop, Task
from asset.engine.product import explored_space
from asset.engine.search import Search
from asset.engine.sources import AllCommands
from asset.engine.temporal import FairProduct, Observer
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program
from asset.ir.reductions import NO_REDUCTIONS
from asset.ir.requirements import Recurrence, Temporal
from asset.logic import formulas as f

EXAMPLES = settings(max_examples=int(os.environ.get("ASSET_EXAMPLES", "25")), deadline=None)
RANKS = (1, 2, 3, 5)


def by_ranks(ranks: int, model: codegen.CompiledModel, task: Task) -> Outcome:
    return _outcome(explored_by(ranks, Job(model.code, native.flat_options(model, task, Limits()))), model, task)


def asked_to_end(model: codegen.CompiledModel, task: Task, goes_on: int) -> Outcome:
    """What two ranks find that are asked to end when they have told so often how far they are."""
    told = count()
    job = Job(model.code, native.flat_options(model, task, Limits()))
    return _outcome(explored_by(2, job, lambda progress: next(told) < goes_on), model, task)


def formula(data: st.DataObject, graph: SmallGraph) -> Temporal:
    assumed = tuple(data.draw(st.lists(ltl(graph), max_size=1)))
    return Temporal("asked", data.draw(ltl(graph)), None, data.draw(fairness(graph)), assumed)


def commands(graph: SmallGraph) -> st.SearchStrategy[frozenset[int]]:
    return st.frozensets(st.integers(0, len(graph.successors) - 1), max_size=2)


def agreed(program: Program, task: Task) -> Outcome:
    """What any number of ranks finds: violated or not, as one machine says."""
    alone = reference.explore(Interpreter(program), task, Limits())
    model = codegen.compile(program, anywhere=True)
    first, *others = [by_ranks(ranks, model, task) for ranks in RANKS]
    assert all(other.finding == first.finding for other in others)
    assert (first.stop, first.states, first.edges) == (alone.stop, alone.states, alone.edges)
    assert (first.finding is None) == (alone.finding is None)
    return first


@EXAMPLES
@given(st.data(), small_graphs(states=12))
def test_any_number_of_ranks_decides_a_formula(data: st.DataObject, graph: SmallGraph) -> None:
    required = formula(data, graph)
    program = graph.program(required)
    starts = data.draw(st.lists(st.integers(0, graph.states - 1).map(lambda s: (s,)), min_size=1, max_size=3))
    finding = agreed(program, replace(everything(program), starts=tuple(starts))).finding
    if finding is not None and finding.requirement is not None:
        assert finding.path[0][1] in starts
        assert graph.violates(required, *as_lasso(finding.path, finding.cycle_starts_at))


@EXAMPLES
@given(st.data(), small_graphs(states=12))
def test_any_number_of_ranks_decides_a_recurrence(data: st.DataObject, graph: SmallGraph) -> None:
    again, then = data.draw(commands(graph)), data.draw(commands(graph))
    program = graph.program(Recurrence("again and again", again, then, None))
    finding = agreed(program, everything(program)).finding
    if finding is not None:
        assert finding.cycle_starts_at is not None and finding.path[finding.cycle_starts_at][1] == finding.path[-1][1]
        cycle = {command for command, _ in finding.path[finding.cycle_starts_at + 1 :]}
        assert cycle & again and not cycle & then


@EXAMPLES
@given(st.data(), small_graphs(states=12))
def test_trimming_leaves_something_where_a_component_is_accepting(data: st.DataObject, graph: SmallGraph) -> None:
    required = formula(data, graph)
    executable = Interpreter(graph.program(required))
    search = Search(AllCommands(executable))
    search.run([(0,)])
    observer = Observer(executable, search, required)
    product = FairProduct(explored_space(search.store), observer, required, [0])
    every = set(range(len(product.vertices)))
    accepting = set().union(*product.accepting(every))
    left = trimming.left_of(product, every)
    assert accepting <= left <= trimming.reaching(product, accepting)


def test_what_is_violated_is_told_even_if_ranks_end_before_a_run_is_found() -> None:
    graph = SmallGraph((tuple((s + 1) % 5 for s in range(5)),), (tuple(s == 4 for s in range(5)),))
    program = graph.program(Temporal("never", f.Always(f.Not(f.Atom(graph.predicates()[0]))), None))
    model, stops, goes_on = codegen.compile(program), [], count(0, 3)
    while not stops or not stops[-1][1]:
        finding = (outcome := asked_to_end(model, everything(program), next(goes_on))).finding
        stops.append((outcome.stop, finding is not None and finding.whole))
    assert list(dict.fromkeys(stops)) == [(Stop.INTERRUPTED, False), (Stop.FINDING, False), (Stop.FINDING, True)]


def test_an_automaton_with_many_states_leaves_the_question_open() -> None:
    graph = SmallGraph(((0,),), ((True,),))
    far = functools.reduce(lambda inner, _: f.Next(inner), range(MOST_MODES), f.Atom(graph.predicates()[0]))
    reason = left_open_by_ranks(Temporal("far", far, None), NO_REDUCTIONS)
    assert reason is not None and reason.startswith("its automaton has 6")


@pytest.mark.parametrize(("ltl", "holds"), [("F everyone_stopped()", False), ("G mutual_exclusion()", True)])
def test_a_check_by_processes_says_what_one_machine_says(ltl: str, holds: bool) -> None:
    model = asset.load(MODELS / "token_ring.py", n=3)
    alone, together = asset.check(model, ltl=ltl), asset.check(model, ltl=ltl, cluster="local", ranks=2)
    assert (together.answer, together.holds) == (alone.answer, holds)
    assert [each.answer for each in together.checked] == [each.answer for each in alone.checked]
