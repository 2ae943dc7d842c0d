"""Progress of one component under symmetry: followed on the annotated quotient, with the reduction kept."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from codegen_table import NativeTable
from places import MODELS

from asset import Model, Verdict, check, codegen
from asset.checks import CheckOptions
from asset.checks.plan import plan
from asset.checks.reductions import reduce
from asset.cli.main import main
from asset.frontends.python import compile_model, load
from asset.ir.faults import Fault
from asset.ir.groups import Meanings
from asset.ir.interpreter import Interpreter
from asset.ir.program import State
from asset.ir.requirements import Predicate

HEAD = f"""
import sys
sys.path.insert(0, {str(MODELS)!r})
from client_pool import Client, ClientPool
from token_ring import Server, TokenRing
from asset import Array, Int, Model, may_progress, must_progress, transition, when

"""

STATION = """
class Fair(TokenRing):
    @must_progress
    def station_0_is_served(self):
        return self.client[0] != 1


class Selfish(Fair):
    def finish(self, i):
        self.server[i] = Server.IDLE
"""

SHOPS = """
class Shop(Model):
    n: int = 4

    def state(self):
        self.waits = Array(self.n, False)
        self.chosen = Int(0, self.n, self.n)

    @transition(i="n")
    def come(self, i):
        when(not self.waits[i])
        self.waits[i] = True

    @transition(i="n")
    def choose(self, i):
        when(self.waits[i] and self.chosen == self.n)
        self.chosen = i

    @transition
    def serve(self):
        when(self.chosen < self.n)
        self.waits[self.chosen] = False
        self.chosen = self.n


class OneMay(Shop):
    @may_progress
    def two_is_served(self):
        return self.chosen == 2


class OneMust(Shop):
    @must_progress
    def two_is_served(self):
        return not self.waits[2]


class Two(Shop):
    @must_progress
    def they_do_not_both_wait(self):
        return not (self.waits[0] and self.waits[3])


class Three(Shop):
    n: int = 6

    @must_progress
    def they_are_not_alike(self):
        return not (self.waits[0] and self.waits[1] and not self.waits[2] and self.chosen != 3)
"""

MEETINGS = """
class Meetings(Model):
    n: int = 5

    def state(self):
        self.seen = Array(self.n, Array(self.n, False))

    @transition(i="n", j="n")
    def see(self, i, j):
        when(i != j and not self.seen[i][j] and sum(self.seen[i]) < 1)
        self.seen[i][j] = True

    @transition(i="n")
    def forget(self, i):
        when(any(self.seen[i]))
        for j in range(self.n):
            self.seen[i][j] = False

    @must_progress
    def zero_sees_somebody(self):
        return any(self.seen[0])
"""

HAND = """
class Hand(Model):
    n: int = 3

    def state(self):
        self.at = Array(self.n, False)
        self.turns = Array(self.n, Int(0, 1))
        self.clock = Int(0, 3)
        self.at[1] = True

    @transition(i="n")
    def pass_on(self, i):
        when(self.at[i])
        self.turns[i] = 1 - self.turns[i]

    @transition
    def tick(self):
        when(self.clock < 2)
        self.clock += 1

    @transition(i="n")
    def sit(self, i):
        when(self.clock == 3)  # never, but that is not plain to see, so that who has the hand may change
        self.at[i] = not self.at[i]

    @must_progress
    def one_has_a_turn(self):
        return 1 // (1 - self.turns[0]) > 1


class Faulty(Hand):
    @must_progress
    def one_has_a_turn(self):
        return 1 // (1 - self.turns[1]) > 1
"""


def written(folder: Path, text: str, name: str, **parameters: int) -> Model:
    path = folder / "written.py"
    path.write_text(HEAD + text)
    return load(f"{path}:{name}", {key: str(value) for key, value in parameters.items()})


def run_of(verdict: Verdict) -> object:
    run = verdict.counterexample
    return run and ([step.transition for step in run.steps], run.cycle_starts_at)


@pytest.mark.parametrize(("n", "states", "edges"), [(3, 156, 450), (6, 16344, 87960)])
def test_that_a_station_of_the_ring_is_served_is_answered_with_the_reduction_kept(
    tmp_path: Path, n: int, states: int, edges: int
) -> None:
    verdict = check(written(tmp_path, STATION, "Fair", n=n), symmetry="auto")
    assert verdict.holds
    assert (verdict.states, verdict.edges) == (states, edges)
    assert verdict.reduction.group_order == n
    assert verdict.reduction.followed == (f"station_0_is_served is followed through its {n} renamings",)


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_that_a_station_may_never_be_served_is_shown_by_a_run_of_the_model(tmp_path: Path, engine: str) -> None:
    made = written(tmp_path, STATION, "Selfish", n=3)
    full, auto = check(made, engine=engine), check(made, engine=engine, symmetry="auto")
    assert auto.violation is not None
    assert auto.violation.property == "station_0_is_served"
    assert (auto.states, auto.reduction.group_order) == (156, 3)
    assert auto.counterexample is not None
    assert full.counterexample is not None
    assert len(auto.counterexample.steps) == len(full.counterexample.steps)
    assert "client_step(0)" in [step.transition for step in auto.counterexample.steps]


EVERY = [
    (STATION, "Fair"),
    (STATION, "Selfish"),
    (SHOPS, "OneMay"),
    (SHOPS, "OneMust"),
    (SHOPS, "Two"),
    (SHOPS, "Three"),
    (MEETINGS, "Meetings"),
    (HAND, "Hand"),
    (HAND, "Faulty"),
]


@pytest.mark.parametrize(("text", "name"), EVERY, ids=[name for _, name in EVERY])
def test_answers_and_runs_are_the_same_in_both_engines_and_those_of_the_full_model(
    tmp_path: Path, text: str, name: str
) -> None:
    made = written(tmp_path, text, name, n=4) if name in ("Fair", "Selfish") else written(tmp_path, text, name)
    full = check(made)
    native, reference, parallel = (
        check(made, symmetry="auto", engine=engine, threads=threads)
        for engine, threads in (("native", 1), ("reference", 1), ("native", 2))
    )
    assert native.answer == reference.answer == parallel.answer == full.answer
    assert native.violation == reference.violation == parallel.violation
    assert run_of(native) == run_of(reference) == run_of(parallel)
    if full.violation is not None and native.violation is not None:
        assert (native.violation.kind, native.violation.property) == (full.violation.kind, full.violation.property)


@pytest.mark.parametrize(
    ("text", "name", "n", "representatives", "meanings"),
    [
        (STATION, "Fair", 5, "the least rotation", 5),
        (MEETINGS, "Meetings", 3, "the least of all images", 3),
        (SHOPS, "OneMay", 4, "sorted components", 4),
        (SHOPS, "Two", 5, "sorted components", 10),
        (MEETINGS, "Meetings", 4, "a descent along generators", 4),
    ],
)
def test_each_way_to_choose_representatives_is_followed(
    tmp_path: Path, text: str, name: str, n: int, representatives: str, meanings: int
) -> None:
    verdict = check(written(tmp_path, text, name, n=n), symmetry="auto")
    assert verdict.answer == check(written(tmp_path, text, name, n=n)).answer
    assert verdict.reduction.representatives == representatives
    assert [f"its {meanings} renamings" in said for said in verdict.reduction.followed] == [True]


@pytest.mark.parametrize(
    ("text", "name", "n"), [(STATION, "Fair", 4), (SHOPS, "Two", 5), (MEETINGS, "Meetings", 4), (HAND, "Hand", 3)]
)
def test_native_code_takes_the_same_steps_and_sees_the_same_in_each_meaning(
    tmp_path: Path, text: str, name: str, n: int
) -> None:
    program = compile_model(written(tmp_path, text, name, n=n))
    options = CheckOptions(symmetry="auto")
    reductions = reduce(program, plan(program, options).requirements, options).reductions
    group = reductions.group
    assert group is not None
    table, run, random = NativeTable(codegen.compile(program, reductions)), Interpreter(program), Random(7)
    cells = [variable.type for variable in program.cell_variables]
    ((requirement, meanings),) = group.meanings.items()
    (predicate,) = requirement.predicates
    for _ in range(200):
        state = tuple(random.randint(cell.lo, cell.hi) for cell in cells)
        steps = group.chooser.chosen(state)
        assert table.steps(state) == (len(steps), steps)
        assert table.steps(state, capacity=1) == (len(steps), steps[:1])
        assert table.representatives([state]) == ([group.representative(state)], None)
        for meaning, back in enumerate(meanings.back):
            assert table.holds(state, meaning) == truth(run, predicate, back.state(state))


def truth(run: Interpreter, predicate: Predicate, state: State) -> int:
    try:
        return run.evaluate(predicate, state) is None
    except Fault as fault:
        return -fault.kind


def test_a_property_with_too_many_meanings_is_kept_instead(tmp_path: Path) -> None:
    reduction = check(written(tmp_path, SHOPS, "Three"), symmetry="auto").reduction
    assert reduction.followed == ()
    assert reduction.group_order == 4  # the first two and the last two
    assert reduction.costs == ("without they_are_not_alike, the group would have 720 elements instead of 4",)


def test_wide_states_are_followed_too(tmp_path: Path) -> None:
    text = STATION.replace("self.client[0] != 1", "self.client[0] != 1 or self.spare[0] == 3").replace(
        "    @must",
        "    def state(self):\n        super().state()\n        self.spare = Array(self.n, Int(0, 2**40))\n\n    @must",
    )
    for name in ("Fair", "Selfish"):
        made = written(tmp_path, text, name, n=3)
        native, reference = (check(made, symmetry="auto", engine=engine) for engine in ("native", "reference"))
        assert native.answer == reference.answer
        assert run_of(native) == run_of(reference)
        assert native.reduction.followed


def test_a_model_error_in_a_meaning_counts_only_where_the_model_can_get_there(tmp_path: Path) -> None:
    # Representatives are sorted: where a turn is stored need not be where the model has it.
    for engine in ("native", "reference"):
        fine = check(written(tmp_path, HAND, "Hand"), symmetry="auto", engine=engine)
        faulty = check(written(tmp_path, HAND, "Faulty"), symmetry="auto", engine=engine)
        assert fine.violation is not None
        assert fine.violation.kind == "must-progress"
        assert faulty.violation is not None
        assert faulty.violation.kind == "model-error"
        assert run_of(faulty) == ([None, "pass_on(1)"], None)


@pytest.mark.parametrize(("text", "name", "holds"), [(STATION, "Selfish", True), (SHOPS, "OneMay", False)])
def test_without_the_renamings_at_the_edges_answers_would_be_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, name: str, holds: bool
) -> None:
    """A test of these tests: the naive check of the quotient passes what is wrong, and finds fault with what is not."""
    made = written(tmp_path, text, name, n=4)
    assert check(made, symmetry="auto", engine="reference").holds is not holds
    monkeypatch.setattr(Meanings, "after", lambda self, meaning, steps: meaning)
    assert check(made, symmetry="auto", engine="reference").holds is holds


def test_with_stubborn_sets_the_property_is_kept_instead(tmp_path: Path) -> None:
    verdict = check(written(tmp_path, SHOPS, "OneMay"), symmetry="auto", stubborn="auto")
    assert verdict.reduction.followed == ()
    assert verdict.reduction.group_order == 6


def test_it_is_reported_and_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(tmp_path, SHOPS, "OneMust")
    named = f"{tmp_path / 'written.py'}:OneMust"
    assert main(["check", named, "--symmetry", "auto"]) == 1
    assert "two_is_served is followed through its 4 renamings" in " ".join(capsys.readouterr().out.split())
    assert main(["explain", named, "--symmetry"]) == 0
    assert "two_is_served is followed through its 4 renamings" in " ".join(capsys.readouterr().out.split())
