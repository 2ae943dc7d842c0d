"""Fair runs from each state, for branching time logic under assumptions (Emerson and Lei).

A run is fair if it visits each acceptance set of what is assumed again and again and does justice to each fairness; the
product with the automaton of the assumptions, which has one state, has them as marks of edges. A fair run through some
states comes to a strong component of these in which there is one (`asset.engine.temporal`), and stays there.
"""

from __future__ import annotations

from asset.engine.graph import Graph, Loss, shortest_way
from asset.engine.store import Edge
from asset.engine.temporal import FairProduct

Truth = list[bool]


class FairStates:
    def __init__(self, graph: Graph, product: FairProduct) -> None:
        self._graph = graph
        self._product = product
        self._states = [state for state, _ in product.vertices]
        self._numbers = {state: vertex for vertex, state in enumerate(self._states)}

    def components(self, among: Truth) -> list[set[int]]:
        """The parts of these states in which there are fair runs."""
        vertices = {vertex for vertex, state in enumerate(self._states) if among[state]}
        return [{self._states[vertex] for vertex in part} for part in self._product.accepting(vertices)]

    def from_which(self, among: Truth) -> Truth:
        """The states from which a fair run goes through these states only."""
        holds = [False] * len(among)
        pending = [state for part in self.components(among) for state in part]
        for state in pending:
            holds[state] = True
        while pending:
            for state in self._graph.predecessors[pending.pop()]:
                if among[state] and not holds[state]:
                    holds[state] = True
                    pending.append(state)
        return holds

    def run_through(self, among: Truth, start: int) -> Loss:
        """A fair run from the state through these states: a shortest way to a component, and a cycle there."""
        components = self.components(among)
        inside = {state for part in components for state in part}
        way = shortest_way(self._graph, start, among, [state in inside for state in range(len(among))])
        end = way[-1][1] if way else start
        part = next(part for part in components if end in part)
        cycle = self._product.cycle_through(self._numbers[end], {self._numbers[state] for state in part})
        if cycle[0].command is None:  # it stays in a terminal state
            return Loss(start, tuple(way), None)
        steps: list[Edge] = [(edge.command or 0, self._states[edge.target]) for edge in cycle]
        return Loss(start, (*way, *steps), len(way))
