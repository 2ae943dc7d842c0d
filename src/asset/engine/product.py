"""The product of an explored state space with a small automaton that reads its edges.

What is asked of states and runs can be asked of a product as well: it is a graph like that of the state space. The
automaton may rename what a requirement speaks of (`Renamings`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from asset.engine.graph import Graph
from asset.engine.outcome import Executable, Path
from asset.engine.store import Edge, Store
from asset.ir.groups import Group, Meanings
from asset.ir.program import State

ProductVertex = tuple[int, int]
"""The number of a state, and that of a state of the automaton."""


@dataclass(frozen=True)
class Space:
    """Vertices, each of which stands for a state, with the edges between them. `path` is a shortest way to one."""

    graph: Graph
    states: Sequence[State]
    path: Callable[[int], Path]


def explored_space(store: Store[State]) -> Space:
    """The state space itself."""
    return Space(Graph(store.edges), store.vertices, store.path)


class Automaton(Protocol):
    def after(self, at: int, source: int, edge: Edge) -> Iterable[int]:
        """The states that the automaton may go to from its state `at` by an edge of the state `source`."""


class Product:
    """All vertices that are reachable from those that are `begun`, in the order of discovery, breadth-first."""

    def __init__(self, states: Store[State], automaton: Automaton, begin: Iterable[ProductVertex]) -> None:
        self._states = states
        self._store = Store[ProductVertex]()
        self.begun = [self._number(vertex, (None, 0)) for vertex in begin]
        for number, (state, at) in enumerate(self._store.vertices):  # grows
            for edge in states.edges[state]:
                command, target = edge
                for then in automaton.after(at, state, edge):
                    self._store.link(number, command, self._number((target, then), (command, number)))

    def _number(self, vertex: ProductVertex, parent: tuple[int | None, int]) -> int:
        known = self._store.numbers.get(vertex)
        return self._store.add(vertex, parent) if known is None else known

    @property
    def vertices(self) -> Sequence[ProductVertex]:
        return self._store.vertices

    @property
    def space(self) -> Space:
        states = [self._states.vertices[state] for state, _ in self.vertices]
        return Space(Graph(self._store.edges), states, self._path)

    def _path(self, number: int) -> Path:
        return tuple((command, self._states.vertices[state]) for command, (state, _) in self._store.path(number))


class Renamings:
    """The annotated quotient: each representative with a meaning that renamings have given to a requirement.

    Its runs are those of the model, as far as the requirement can tell them apart (`asset.checks.soundness`).
    """

    def __init__(self, executable: Executable, group: Group, meanings: Meanings, states: Store[State]) -> None:
        self._executable = executable
        self._group = group
        self._meanings = meanings
        self._states = states
        self._jumps: dict[tuple[int, int], list[int]] = {}

    def begin(self, starts: Iterable[State]) -> Iterator[ProductVertex]:
        """The vertices of these states of the model, whose representatives are in the quotient."""
        for state in starts:
            number = self._states.numbers[self._group.representative(state)]
            yield number, self._meanings.after(0, self._group.chooser.chosen(state))

    def after(self, at: int, source: int, edge: Edge) -> Iterable[int]:
        jump = self._jumps.get((source, edge[0]))
        if jump is None:
            jump = self._jumps[source, edge[0]] = self._jump(source, edge[0])
        return (self._meanings.after(at, jump),)

    def _jump(self, source: int, command: int) -> list[int]:
        """From what the command leads to, to its representative."""
        after = self._executable.fire(self._states.vertices[source], command)
        assert after is not None, "an edge of the quotient is a command that is enabled"
        return self._group.chooser.chosen(after)

    def seen(self, vertex: ProductVertex) -> State:
        """A state of the model, up to renaming by symmetries that keep the requirement: what the vertex stands for."""
        state, meaning = vertex
        return self._meanings.back[meaning].state(self._states.vertices[state])

    def fired(self, vertex: ProductVertex, command: int) -> int:
        """The command of the model that one of the representative stands for."""
        return self._meanings.back[vertex[1]].commands[command]
