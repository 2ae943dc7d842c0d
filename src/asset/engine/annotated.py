"""The annotated quotient: representatives, each with a meaning that renamings have given to a property.

Its runs are those of the model, as far as the property can tell them apart (`asset.checks.soundness`). So what is said
of a state space can be said of it, however the symmetries rename what the property speaks of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from asset.engine.graph import Edge, Graph
from asset.engine.outcome import Executable
from asset.ir.groups import Group, Meanings
from asset.ir.program import State

Vertex = tuple[int, int]
"""The number of a representative, and that of a meaning."""


@dataclass
class AnnotatedQuotient:
    """All vertices that are reachable from that of the initial state, in the order of discovery, breadth-first."""

    executable: Executable
    group: Group
    meanings: Meanings
    states: Sequence[State]
    edges: Sequence[Sequence[Edge]]
    """Of the quotient; the first state is the representative of the initial one."""
    vertices: list[Vertex] = field(init=False)
    graph: Graph = field(init=False)
    parents: list[tuple[int | None, int]] = field(init=False)
    """The command and the vertex that first led to each."""

    def __post_init__(self) -> None:
        initial = self.executable.program.initial
        first = (0, self.meanings.after(0, self.group.chooser.chosen(initial)))
        numbers = {first: 0}
        self.vertices, self.parents = [first], [(None, 0)]
        edges: list[list[Edge]] = []
        steps: dict[int, list[list[int]]] = {}
        for number, (state, meaning) in enumerate(self.vertices):  # grows
            edges.append([])
            steps.setdefault(state, [self._steps(state, command) for command, _ in self.edges[state]])
            for (command, target), jump in zip(self.edges[state], steps[state], strict=True):
                vertex = (target, self.meanings.after(meaning, jump))
                if vertex not in numbers:
                    numbers[vertex] = len(self.vertices)
                    self.vertices.append(vertex)
                    self.parents.append((command, number))
                edges[number].append((command, numbers[vertex]))
        self.graph = Graph(edges)

    def _steps(self, state: int, command: int) -> list[int]:
        """From what the command leads to, to its representative."""
        after = self.executable.fire(self.states[state], command)
        assert after is not None, "an edge of the quotient is a command that is enabled"
        return self.group.chooser.chosen(after)

    def seen(self, vertex: int) -> State:
        """A state of the model, up to renaming by symmetries that keep the property: what the vertex stands for."""
        state, meaning = self.vertices[vertex]
        return self.meanings.back[meaning].state(self.states[state])
