"""The Python that people write means the same in CPython, in the reference interpreter and in native code."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from agreement import Agreement
from everyday_models import Dicts, Elements, Leaving, Lengths, LongLists, Perhaps, Symbols
from folded_models import Gauges
from held_arrays import HeldArrays
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from natural_models import Found, Members, Taking
from places import MODELS
from plain_python_models import Collections, Functions, HandedOn, Rows, Views
from random_everyday import models as protocols
from random_folds import model as folding

from asset import Int, Map, Model
from asset.errors import ModelRejected
from asset.frontends.python import compile_model, load
from asset.ir import nodes as n

EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "40"))
SIZES = [
    (Leaving, 60),
    (Symbols, 80),
    (Dicts, 60),
    (LongLists, 40),
    (Perhaps, 60),
    (Elements, 100),
    (Lengths, 80),
    (HeldArrays, 60),
    (Gauges, 80),
    (Rows, 60),
    (Collections, 60),
    (Functions, 60),
    (HandedOn, 80),
    (Views, 80),
    (Members, 80),
    (Taking, 120),
    (Found, 80),
]


@pytest.mark.parametrize(("model", "states"), SIZES)
def test_it_means_the_same_everywhere(model: type[Model], states: int) -> None:
    assert Agreement(model()).explore(states) > 600


def test_maps_of_different_shapes_are_compared_as_dicts() -> None:
    one, other = Map(2, Int(0, 2)), Map(3, Int(0, 2))
    one[0] = other[0] = 1
    assert one == other and one == {0: 1} and one != {0: 2}
    other[0] = 2
    assert one != other


def test_code_does_not_grow_with_the_number_of_messages_that_there_could_be() -> None:
    sizes = []
    for acceptors, ballots in ((2, 3), (5, 6)):
        program = compile_model(
            load(f"{MODELS / 'paxos.py'}:Paxos", {"acceptors": str(acceptors), "ballots": str(ballots)})
        )
        sizes.append(sum(1 for function in program.functions for _ in n.walk(*function.body)))
    assert sizes[1] < 1.1 * sizes[0] < 3_000


@settings(max_examples=max(4, EXAMPLES // 8), deadline=None, suppress_health_check=list(HealthCheck))
@given(protocols(), st.integers(0, 9))
def test_random_models_of_protocols_mean_the_same(text: str, dice: int) -> None:
    """Firing by firing, in the first states of each model; each is within the language."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "random_protocol.py"
        file.write_text(text)
        assert Agreement(load(str(file), {}), compiled=dice == 0).explore(12) > 0


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 1_000_000), st.integers(0, 9))
def test_random_folds_of_every_collection_mean_the_same_or_are_rejected(seed: int, dice: int) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "random_folds.py"
        file.write_text(folding(seed))
        try:
            agreement = Agreement(load(str(file), {}), compiled=dice == 0)
        except ModelRejected as rejected:
            assert all(diagnostic.span is not None for diagnostic in rejected.diagnostics)
            return
        assert agreement.explore(10) > 0
