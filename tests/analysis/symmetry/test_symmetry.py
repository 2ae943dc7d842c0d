"""Symmetries that are found in models: the figures, what properties cost, the runs shown, and the explanations."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from places import MODELS

from asset import Model, check
from asset.analysis.stubborn.derivation import derive
from asset.analysis.symmetry.symmetries import find_symmetries
from asset.checks.symmetries_asked import starts
from asset.cli.main import main
from asset.codegen.group_representatives import comparators
from asset.frontends.python import compile_model, load
from asset.ir.groups import Descent, Group, elements
from asset.ir.requirements import Invariant

RING = {2: (34, 70), 3: (156, 450), 4: (732, 2720), 5: (3456, 15720), 6: (16344, 87960), 7: (77328, 480600)}
BOTH = {2: (22, 30), 3: (73, 109), 4: (230, 358), 5: (701, 1125), 6: (2090, 3462), 7: (6145, 10557)}
"""States and edges of the token ring (the ancestor's figures)."""


def model(name: str, **parameters: int) -> Model:
    return load(f"{MODELS / name}", {key: str(value) for key, value in parameters.items()})


def group_of(made: Model) -> Group | None:
    program = compile_model(made)
    return find_symmetries(program, program.requirements).group


@pytest.mark.parametrize("n", RING)
def test_the_ring_is_reduced_as_by_hand(n: int) -> None:
    verdict = check(model("token_ring.py", n=n), symmetry="auto")
    assert (verdict.answer.value, verdict.states, verdict.edges) == ("holds", *RING[n])
    assert verdict.reduction.group_order == n
    assert verdict.reduction.exact
    assert not verdict.caveats


@pytest.mark.parametrize("n", BOTH)
def test_the_ring_with_both_reductions_is_at_most_as_large_as_by_hand(n: int) -> None:
    verdict = check(model("token_ring.py", n=n), symmetry="auto", stubborn="auto")
    assert verdict.holds
    assert verdict.states <= BOTH[n][0]
    assert verdict.edges <= BOTH[n][1]


def test_hand_written_rules_go_with_symmetries_that_are_found() -> None:
    verdict = check(model("token_ring.py", n=4), symmetry="auto", stubborn="hand")
    assert (verdict.states, verdict.edges) == BOTH[4]


def test_stubborn_set_rules_are_for_all_images_of_the_initial_state() -> None:
    program = compile_model(model("token_ring.py", n=4))
    group = find_symmetries(program, program.requirements).group
    assert group is not None
    images = starts(program, group)
    assert images is not None
    assert len(images) == 4
    invariants = [each for each in program.requirements if isinstance(each, Invariant)]
    flow = derive(program, invariants, starts=images).flow
    assert flow.invariants
    for image in images:
        facts = [flow.cells.first[cell] + (flow.cells.index(cell, value) or 0) for cell, value in enumerate(image)]
        assert all(flow.reachable.together[one] >> other & 1 for one in facts for other in facts)
        for invariant in flow.invariants:
            weights = [row[flow.cells.index(cell, image[cell]) or 0] for cell, row in invariant.terms]
            assert invariant.constant + sum(weights) == 0


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_philosophers_who_prefer_no_side_can_be_turned_and_reflected(n: int) -> None:
    group = group_of(model("courteous_philosophers.py", n=n))
    assert group is not None
    assert group.order == 2 * n
    left = group_of(model("philosophers.py:Philosophers", n=n))
    assert left is not None
    assert left.order == n


def test_clients_of_a_pool_have_the_full_symmetric_group() -> None:
    group = group_of(model("client_pool.py:ClientPool", n=6))
    assert group is not None
    assert group.order == 720
    assert len(elements(group.generators, 1000) or ()) == 720
    assert group.chooser.words == "sorted components"


def test_a_constant_that_differs_leaves_no_symmetry() -> None:
    assert group_of(model("client_pool.py:SeniorFirst", n=3)) is None
    assert group_of(model("philosophers.py:OrderedPhilosophers", n=4)) is None


def written(folder: Path, text: str, **parameters: int) -> Model:
    path = folder / "written.py"
    path.write_text(text)
    return load(f"{path}:Written", {key: str(value) for key, value in parameters.items()})


SERVED = f"""
import sys
sys.path.insert(0, {str(MODELS)!r})
from client_pool import Client, ClientPool
from asset import invariant


class Written(ClientPool):
    @invariant
    def served_0(self):
        return self.client[0] != Client.SERVED or self.serving == 0
"""


def test_an_invariant_of_one_component_leaves_the_symmetries_of_the_others(tmp_path: Path) -> None:
    verdict = check(written(tmp_path, SERVED, n=6), symmetry="auto")
    assert verdict.holds
    assert verdict.reduction.group_order == 120
    assert verdict.reduction.costs == ("without served_0, the group would have 720 elements instead of 120",)


ROUND = """
from asset import Array, Int, Model, may_progress, must_progress, transition, when


class Written(Model):
    n: int = 4

    def state(self):
        self.at = Array(self.n, False)
        self.at[2] = True

    @transition(i="n")
    def move(self, i):
        when(self.at[i])
        self.at[i] = False
        self.at[(i + 1) % self.n] = True

    @must_progress
    def two_are_there(self):
        return sum(self.at) == 2
"""


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_cycle_of_the_quotient_is_wound_up_to_one_of_the_model(tmp_path: Path, engine: str) -> None:
    verdict = check(written(tmp_path, ROUND), symmetry="auto", engine=engine)
    run = verdict.counterexample
    assert verdict.states == 1
    assert verdict.reduction.group_order == 4
    assert run is not None
    assert [step.transition for step in run.steps] == [None, "move(2)", "move(3)", "move(0)", "move(1)"]
    assert run.cycle_starts_at == 0
    assert run.steps[0].state == run.steps[-1].state
    assert "representatives" not in str(verdict).split("Counterexample")[1]


def test_a_counterexample_is_a_run_of_the_model_from_its_own_initial_state() -> None:
    verdict = check(model("philosophers.py:Philosophers", n=4), symmetry="auto")
    run = verdict.counterexample
    assert run is not None
    assert [step.transition for step in run.steps[1:]] == [f"take_first({i})" for i in (3, 2, 1, 0)]


PAIRS = """
from asset import Array, Int, Model, invariant, transition, when


class Written(Model):
    n: int = 6

    def state(self):
        self.seen = Array(self.n, Array(self.n, False))

    @transition(i="n", j="n")
    def see(self, i, j):
        when(i != j and not self.seen[i][j] and sum(self.seen[j]) < 1)
        self.seen[i][j] = True

    @invariant
    def fine(self):
        return True
"""


def test_where_nothing_else_is_known_the_descent_is_sound_and_both_engines_agree(tmp_path: Path) -> None:
    group = group_of(written(tmp_path, PAIRS))
    assert group is not None
    assert isinstance(group.chooser, Descent)
    assert group.order == 720
    made = written(tmp_path, PAIRS, n=6)
    native = check(made, symmetry="auto", max_states=400)
    reference = check(made, symmetry="auto", engine="reference", max_states=400)
    assert (native.states, native.edges, native.depth) == (reference.states, reference.edges, reference.depth)
    assert native.reduction.exact is False


CHOICES = """
from asset import Array, Int, Model, transition, when


class Written(Model):
    def state(self):
        self.at = Array(2, Int(0, 2))
        self.at[0] = 1

    @transition(i=2)
    def left(self, i):
        self.at[i] = 0

    @transition(i=2)
    def right(self, i):
        self.at[i] = 2
"""


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_cells_that_change_places_and_whose_values_are_renamed_are_not_sorted(tmp_path: Path, engine: str) -> None:
    verdict = check(written(tmp_path, CHOICES), symmetry="auto", engine=engine)
    assert verdict.reduction.representatives == "the least of all images"
    assert verdict.reduction.group_order == 8
    assert (verdict.states, verdict.reduction.exact) == (2, True)


def test_wide_states_are_sorted_too(tmp_path: Path) -> None:
    made = model("client_pool.py:ClientPool", n=30)
    verdict = check(made, symmetry="auto")
    assert verdict.holds
    assert verdict.states < 20_000
    assert verdict.memory.peak > 0


def test_wide_states_are_rotated_too() -> None:
    made = model("token_ring.py", n=14)
    native, reference = (check(made, symmetry="auto", engine=e, max_states=200) for e in ("native", "reference"))
    assert (native.states, native.edges, native.depth) == (reference.states, reference.edges, reference.depth)
    assert native.reduction.group_order == 14


def test_threads_make_no_difference() -> None:
    verdict = check(model("token_ring.py", n=6), symmetry="auto", threads=2)
    assert (verdict.states, verdict.edges) == RING[6]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 13])
def test_the_network_sorts(size: int) -> None:
    # Zeros and ones are enough: what sorts them sorts everything.
    for pattern in range(1 << size):
        keys = [pattern >> k & 1 for k in range(size)]
        for low, high in comparators(size):
            keys[low], keys[high] = min(keys[low], keys[high]), max(keys[low], keys[high])
        assert keys == sorted(keys)


def test_a_model_without_symmetries_is_checked_without() -> None:
    verdict = check(model("client_pool.py:SeniorFirst", n=2), symmetry="auto")
    assert [caveat.code for caveat in verdict.caveats if caveat.code == "symmetry-off"]
    assert verdict.reduction.symmetry == "off"


def test_igraph_is_loaded_only_where_symmetries_are_to_be_found() -> None:
    source = "import asset, sys; from asset.frontends.python import load; "
    source += f"asset.check(load({str(MODELS / 'token_ring.py')!r}, {{'n': '2'}})); assert 'igraph' not in sys.modules"
    subprocess.run([sys.executable, "-c", source], check=True)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("token_ring.py", "client, server and token 0…5 can be rotated together, but not put in any order"),
        ("client_pool.py:ClientPool", "client and paid 0…3 can be put in any order, together (serving names them)"),
        ("bakery.py:Bakery", "look alike but are not"),
        ("client_pool.py:SeniorFirst", "if j < i"),
    ],
)
def test_the_explanation_says_who_is_interchangeable_and_why_not(
    name: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", str(MODELS / name), "--symmetry"]) == 0
    shown = capsys.readouterr().out
    assert said in " ".join(shown.split())


VOTES = """
from asset import Array, Int, Model, Record, Set, transition


class Ask(Record):
    voter: int


class Vote(Record):
    voter: int


class Votes(Model):
    n: int = 3

    def state(self):
        voter = Int(0, self.n - 1)
        self.sent = Set(Ask(voter) | Vote(voter))
        self.voted = Array(self.n, False)

    @transition(i="n")
    def vote(self, i):
        self.sent.add(Ask(i))
        self.voted[i] = Vote(i) in self.sent
        self.sent.add(Vote(i))
"""


def test_what_is_alike_together_with_messages_is_not_said_to_be_unlike(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A permutation of the voters permutes the messages that name them."""
    (tmp_path / "votes.py").write_text(VOTES)
    assert main(["explain", str(tmp_path / "votes.py"), "--symmetry"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "6 symmetries" in shown
    assert "can be exchanged: voted[0], voted[1] and voted[2]" in shown
    assert "look alike but are not" not in shown


def test_an_explanation_is_of_one_reduction(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", str(MODELS / "token_ring.py")]) == 2
    assert "say --stubborn or --symmetry" in capsys.readouterr().err
