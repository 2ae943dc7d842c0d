"""Formulas on random models with stubborn sets, symmetries and fairness, each and together: the answers are those of a
product in plain Python (`temporal_oracle`), and runs that are shown are runs of the model, judged again.

ASSET_EXAMPLES=3000 makes a long run. What stubborn sets need is also left out on purpose, one condition at a time: each
must be noticed, or these tests would not notice.
"""

from __future__ import annotations

import os
from dataclasses import replace
from random import Random

import pytest
from answered import Remembering, answer
from random_cycles import random_cycles
from random_formulas_asked import of_anything, of_states
from temporal_oracle import BranchingOracle, is_violated, whole_graph

from asset.checks.answering import Answering, Answers, answered
from asset.checks.engines import Engine
from asset.checks.options import CheckOptions
from asset.checks.reductions import Reduced, reduce
from asset.checks.replay import violation
from asset.checks.temporal_story import located
from asset.checks.unwinding import unwound
from asset.engine import choice
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program
from asset.ir.requirements import Branching, Enabled, MayProgress, MustProgress, Requirement, Temporal
from asset.logic import formulas as f
from asset.verdict import Answer

EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "18"))
COMPILED = 6  # one in so many is compiled too, which takes longer


def answers(program: Program, requirement: Requirement, **options: object) -> Answers:
    """Raises ReplayFailed if a run that is found does not show what it should."""
    asked = CheckOptions(**options)  # type: ignore[arg-type]
    reduced, executable = reduce(program, [requirement], asked), Interpreter(program)
    found = Answering(executable, Engine(asked, reduced.reductions), [requirement], reduced.repair).run()
    _judge(executable, reduced, found)
    return found


def _judge(executable: Interpreter, reduced: Reduced, found: Answers) -> None:
    finding, group = found.outcome.finding, reduced.reductions.group
    if finding is not None:
        finding = finding if group is None else unwound(executable, finding, group)
        violation(executable, located(executable, finding))


def expected(program: Program, requirement: Temporal | Branching) -> Answer:
    graph = whole_graph(program)
    if isinstance(requirement, Branching):
        return Answer.HOLDS if BranchingOracle(graph, requirement).holds else Answer.VIOLATED
    return Answer.VIOLATED if is_violated(graph, requirement) else Answer.HOLDS


def counted(found: Answers, requirement: Requirement) -> tuple[Answer, int, int]:
    return found.answer(requirement), found.outcome.states, found.outcome.edges


def agree(seed: int, program: Program, requirement: Temporal | Branching, **options: object) -> None:
    reference = answers(program, requirement, engine="reference", **options)
    assert reference.answer(requirement) is expected(program, requirement), seed
    if seed % COMPILED == 0:
        for threads in (1, 2):
            native = answers(program, requirement, engine="native", threads=threads, **options)
            assert counted(native, requirement) == counted(reference, requirement), seed


def test_stubborn_sets_preserve_formulas_without_next() -> None:
    for seed in range(EXAMPLES):
        agree(seed, *of_states(seed), stubborn="auto", symmetry="auto" if seed % 2 else "off")


def test_symmetries_fairness_and_branching_time_go_together() -> None:
    for seed in range(EXAMPLES):
        agree(seed, *of_anything(seed), stubborn="auto" if seed % 3 == 0 else "off", symmetry="auto")


def test_progress_with_stubborn_sets_is_its_formula_without() -> None:
    for seed in range(EXAMPLES // 6):
        program = replace(random_cycles(seed), idle_steps=True)  # as for formulas
        predicate, symmetry = program.predicates[seed % 4], "auto" if seed % 2 else "off"
        p, moves = f.Atom(predicate), f.Atom(Enabled("some", frozenset(range(program.nr_commands))))
        for ends_count in (True, False):
            good = f.Or((p, f.Not(moves))) if ends_count else p
            must = MustProgress(predicate, terminal_is_progress=ends_count)
            found = answers(program, must, stubborn="auto", symmetry=symmetry, engine="reference")
            again = Temporal("again", f.Always(f.Eventually(good)), None)
            assert found.answer(must) is expected(program, again), seed
        may = MayProgress(predicate, terminal_is_progress=False)
        found = answers(program, may, stubborn="auto", symmetry=symmetry, engine="reference")
        reachable = Branching("reachable", f.ForAll(f.Always(f.Exists(f.Eventually(p)))), None)
        assert found.answer(may) is expected(program, reachable), seed


def test_what_is_asked_together_is_answered_as_in_the_full_model_though_steps_may_change_nothing() -> None:
    for seed in range(EXAMPLES):
        program, formula = of_states(seed, mirrors=True)
        executable = Remembering(program)
        requirements = Random(seed).sample(program.requirements, 3)
        options = CheckOptions(stubborn="auto", symmetry="auto" if seed % 2 else "off", engine="reference")
        reduced = reduce(program, [*requirements, formula], options)
        rest = set(reduced.asked)
        while rest:
            found = answered(executable, Engine(options, reduced.reductions), reduced.about(rest))
            for each in [each for each in rest if found.answer(each) is not Answer.UNDECIDED]:
                alone = expected(program, each) if each == formula else answer(executable, each, engine="reference")
                assert found.answer(each) is alone, (seed, each)
                rest.remove(each)


# --- the test of the test ---------------------------------------------------------------------------------------


def noticed(*likely: int) -> bool:
    """Whether an answer with stubborn sets is wrong for one of the seeds, those that are likely first."""
    for seed in (*likely, *range(400)):
        program, requirement = of_states(seed)
        found = answers(program, requirement, stubborn="auto", engine="reference")
        if found.answer(requirement) is not expected(program, requirement):
            return True
    return False


def test_it_is_noticed_that_visible_commands_are_fired_without_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("asset.engine.choice._owed_by_visible", lambda command, visible: [])
    assert noticed(25)


def test_it_is_noticed_that_only_visible_commands_are_fired(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "_wanted", lambda rules, at: choice._bits(map(rules.key, at.enabled)))
    assert noticed(21)


def test_it_is_noticed_that_visible_commands_are_postponed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("asset.engine.repair.keep_visible", lambda search: False)
    assert noticed(37, 17)
