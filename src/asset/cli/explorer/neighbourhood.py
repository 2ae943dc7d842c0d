"""The states that can be reached from one in a few steps, as a graph to be drawn."""

from __future__ import annotations

from dataclasses import dataclass, replace

from asset.cli.walk import choices, complaints, ends
from asset.engine.outcome import Executable
from asset.ir.faults import Fault
from asset.ir.program import State
from asset.space.exploring import Explored
from asset.space.graph_views import full
from asset.space.state_graph import Mark, StateGraph, StateNode
from asset.space.svg import BOXES


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """`ways[k]` are the commands that lead from the middle to node k."""

    graph: StateGraph
    ways: tuple[tuple[int, ...], ...]


def around(executable: Executable, state: State, steps: int) -> Neighbourhood:
    """What lies up to so many steps ahead, and no more of it than can be drawn with its values."""
    states, numbers = [state], {state: 0}
    ways: list[tuple[int, ...]] = [()]
    edges: list[list[tuple[int, int]]] = []
    terminal, wrong = set(), {}
    for number, current in enumerate(states):  # grows as states are found
        enabled = choices(executable, current)
        edges.append([])
        if ends(executable, current, enabled):
            terminal.add(number)
        complaint = _complaint(executable, current, enabled)
        if complaint:
            wrong[number] = complaint
        for command, after in enabled.items():
            if isinstance(after, Fault):
                continue
            if after not in numbers:
                if len(ways[number]) >= steps or len(states) >= BOXES:
                    continue
                numbers[after] = len(states)
                states.append(after)
                ways.append((*ways[number], command))
            edges[number].append((command, numbers[after]))
    graph = full(Explored(executable.program, states, edges, wrong))
    begun = frozenset(executable.program.initial_states)
    nodes = tuple(_marked(node, terminal, states[node.number] in begun) for node in graph.nodes)
    return Neighbourhood(replace(graph, nodes=nodes), tuple(ways))


def _complaint(executable: Executable, state: State, enabled: dict[int, State | Fault]) -> str:
    """The first thing that is wrong with the state, or that goes wrong in it."""
    said = [*complaints(executable, state, ends(executable, state, enabled))]
    said += [f"{after.word}: {after.message}" for after in enabled.values() if isinstance(after, Fault)]
    return said[0] if said else ""


def _marked(node: StateNode, terminal: set[int], initial: bool) -> StateNode:
    """A node at the border has no arrows, but need not be terminal."""
    marks = {Mark.BAD} & node.marks
    if node.number in terminal:
        marks.add(Mark.TERMINAL)
    if node.number == 0:
        marks.add(Mark.HERE)
    if initial:
        marks.add(Mark.INITIAL)
    return replace(node, marks=frozenset(marks))
