"""Files of edges are written from machine code, and are those of the graph that is kept state by state."""

from __future__ import annotations

from pathlib import Path

import pytest
from places import MODELS

from asset.checks import CheckOptions
from asset.errors import UsageError
from asset.languages import ModelSpec
from asset.languages.python_model import load
from asset.space import exports
from asset.space.exploring import explore
from asset.space.graph_views import full
from asset.space.labelled_edges import aut, labelled_edges

WIDE = """\
from asset import Array, Int, Model, transition, when

class Wide(Model):
    def state(self):
        self.numbers = Array(40, Int(0, 1000, 0))

    @transition(i="40")
    def set(self, i):
        when(sum(number > 0 for number in self.numbers) < 2)
        self.numbers[i] = i * 7
"""
FAILING = """\
from asset import Int, Model, transition

class Failing(Model):
    def state(self):
        self.x = Int(0, 3, 0)

    @transition
    def grow(self):
        self.x += 1
"""


def spec(tmp_path: Path, text: str) -> ModelSpec:
    file = tmp_path / "tested.py"
    file.write_text(text)
    return ModelSpec(str(file), {})


def test_the_edges_of_an_example_are_those_of_its_graph() -> None:
    assert_same(ModelSpec(str(MODELS / "token_ring.py"), {"n": "3"}))


def test_the_edges_of_states_of_several_words_are_those_of_the_graph(tmp_path: Path) -> None:
    assert_same(spec(tmp_path, WIDE))


def test_a_model_that_fails_is_left_to_those_who_can_say_why(tmp_path: Path) -> None:
    assert labelled_edges(load(spec(tmp_path, FAILING)), CheckOptions(), 100) is None


def test_a_space_of_too_many_states_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Wide has more than 20 states"):
        labelled_edges(load(spec(tmp_path, WIDE)), CheckOptions(), 20)


def assert_same(model: ModelSpec) -> None:
    subject, options = load(model), CheckOptions()
    edges = labelled_edges(subject, options, 100_000)
    assert edges is not None
    assert aut(edges) == exports.aut(full(explore(subject, options)))
