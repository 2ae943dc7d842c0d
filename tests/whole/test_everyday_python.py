"""The Python that people write means the same in CPython, in the reference interpreter and in native code."""

from __future__ import annotations

import pytest
from agreement import Agreement
from everyday_models import Dicts, Elements, Leaving, Lengths, LongLists, Perhaps, Symbols
from held_arrays import HeldArrays
from places import MODELS

from asset import Int, Map, Model
from asset.frontends.python import compile_model, load
from asset.ir import nodes as n

SIZES = [
    (Leaving, 60),
    (Symbols, 80),
    (Dicts, 60),
    (LongLists, 40),
    (Perhaps, 60),
    (Elements, 100),
    (Lengths, 80),
    (HeldArrays, 60),
]


@pytest.mark.parametrize(("model", "states"), [*SIZES, (HeldArrays, 60)])
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
