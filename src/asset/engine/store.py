"""What a search has found: vertices numbered in the order of discovery, how each was first reached, and its edges."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

Vertex = TypeVar("Vertex", bound=Hashable)

Edge = tuple[int, int]
"""A command, and the number of the vertex that it leads to."""

Parent = tuple[int | None, int]
"""The command and the vertex that first led to a vertex. A vertex where a search starts has no command."""


class Store(Generic[Vertex]):
    """Vertices are the states of a model, or those of a product with an automaton."""

    def __init__(self) -> None:
        self.vertices: list[Vertex] = []
        self.numbers: dict[Vertex, int] = {}
        self.parents: list[Parent] = []
        self.edges: list[list[Edge]] = []
        """Of each vertex, in the order of firing."""
        self.nr_edges = 0

    def __len__(self) -> int:
        return len(self.vertices)

    def add(self, vertex: Vertex, parent: Parent) -> int:
        """The number of a vertex that was not known."""
        number = self.numbers[vertex] = len(self.vertices)
        self.vertices.append(vertex)
        self.parents.append(parent)
        self.edges.append([])
        return number

    def link(self, source: int, command: int, target: int) -> None:
        self.edges[source].append((command, target))
        self.nr_edges += 1

    def path(self, number: int) -> tuple[tuple[int | None, Vertex], ...]:
        """The way to the vertex by the edges that first led to each: a shortest one if the search is breadth-first."""
        path: list[tuple[int | None, Vertex]] = []
        while True:
            command, parent = self.parents[number]
            path.append((command, self.vertices[number]))
            if command is None:
                return tuple(reversed(path))
            number = parent
