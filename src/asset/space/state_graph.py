"""A state space, or a view of one, as a graph to be drawn: plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property


class Mark(Enum):
    """What a reader looks for first."""

    INITIAL = "initial"
    HERE = "here"  # the current state of somebody who explores step by step
    TERMINAL = "terminal"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class StateNode:
    """One state, or the `states` that a view takes together. `depth` is the distance from the initial node."""

    number: int
    lines: tuple[str, ...]
    """What it shows of its state, one `name: value` for each variable."""
    values: Mapping[str, object]
    depth: int
    states: int = 1
    marks: frozenset[Mark] = frozenset()
    wrong: str = ""
    """What is wrong with it, or with the first of its states."""


@dataclass(frozen=True, slots=True)
class Arrow:
    """Transitions of one family between the same two nodes; `edges` of the state space in all."""

    source: int
    target: int
    family: str
    names: tuple[str, ...]
    """The transitions with their indices, each once."""
    edges: int


class GraphView(Enum):
    """What a node stands for."""

    STATES = "states"
    COMPONENTS = "strong components"
    PROJECTION = "projection"
    LEVELS = "levels"


@dataclass(frozen=True)
class StateGraph:
    """Nodes are numbered in the order of their first states' discovery. In a notebook it shows itself."""

    title: str
    view: GraphView
    nodes: tuple[StateNode, ...]
    arrows: tuple[Arrow, ...]
    families: tuple[str, ...]
    states: int
    edges: int
    hints: tuple[str, ...] = ()
    """What else could be drawn of it, in words."""

    @cached_property
    def caption(self) -> str:
        """How much is drawn, and of what."""
        whole = f"{self.states:,} state{'s' * (self.states != 1)}, {self.edges:,} edge{'s' * (self.edges != 1)}"
        if self.view is GraphView.STATES:
            return whole
        return f"{len(self.nodes):,} nodes ({self.view.value}) of {whole}"

    def _repr_html_(self) -> str:
        """The picture, or how to make one that can be read."""
        from asset.space.inline import shown

        return shown(self)
