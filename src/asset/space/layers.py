"""Where the nodes of a graph lie: in layers by their distance from the initial state, near what leads to them.

Within a layer, nodes are ordered by the mean position of their neighbours in the layers above and below, a few times
over (the barycentre heuristic of Sugiyama, Tagawa and Toda), which leaves few crossings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from asset.space.graph import StateGraph

_SWEEPS = 8


@dataclass(frozen=True, slots=True)
class Place:
    """The centre of a node, and its size."""

    x: float
    y: float
    width: float
    height: float


def places(graph: StateGraph, sizes: Sequence[tuple[float, float]], gap: tuple[float, float]) -> list[Place]:
    """A place for each node; `sizes` are widths and heights, `gap` the least distance within and between layers."""
    layers = _ordered(graph)
    widths = [sum(sizes[node][0] for node in layer) + gap[0] * (len(layer) - 1) for layer in layers]
    middle = max(widths) / 2
    found = [Place(0, 0, 0, 0)] * len(graph.nodes)
    top = 0.0
    for layer, width in zip(layers, widths, strict=True):
        height = max(sizes[node][1] for node in layer)
        left = middle - width / 2
        for node in layer:
            own_width, own_height = sizes[node]
            found[node] = Place(left + own_width / 2, top + height / 2, own_width, own_height)
            left += own_width + gap[0]
        top += height + gap[1]
    return found


def _ordered(graph: StateGraph) -> list[list[int]]:
    """The nodes of each layer, from left to right."""
    depths = sorted({node.depth for node in graph.nodes})
    layer_of = {depth: number for number, depth in enumerate(depths)}
    layers: list[list[int]] = [[] for _ in depths]
    for node in graph.nodes:
        layers[layer_of[node.depth]].append(node.number)
    above, below = _neighbours(graph)
    for sweep in range(_SWEEPS):
        downwards = sweep % 2 == 0
        neighbours = above if downwards else below
        position = _positions(layers)
        for layer in layers if downwards else reversed(layers):
            layer.sort(key=lambda node: _barycentre(node, neighbours, position))
            position.update(_spread(layer))
    return layers


def _neighbours(graph: StateGraph) -> tuple[list[list[int]], list[list[int]]]:
    """For each node those that it is joined with in layers above, and below."""
    above: list[list[int]] = [[] for _ in graph.nodes]
    below: list[list[int]] = [[] for _ in graph.nodes]
    for arrow in graph.arrows:
        first, second = arrow.source, arrow.target
        if graph.nodes[first].depth > graph.nodes[second].depth:
            first, second = second, first
        if graph.nodes[first].depth < graph.nodes[second].depth:
            above[second].append(first)
            below[first].append(second)
    return above, below


def _positions(layers: Sequence[Sequence[int]]) -> dict[int, float]:
    return {node: at for layer in layers for node, at in _spread(layer).items()}


def _spread(layer: Sequence[int]) -> dict[int, float]:
    """Positions between 0 and 1, so that layers of different sizes can be compared."""
    return {node: (at + 0.5) / len(layer) for at, node in enumerate(layer)}


def _barycentre(node: int, neighbours: Sequence[Sequence[int]], position: dict[int, float]) -> float:
    near = neighbours[node]
    return sum(position[other] for other in near) / len(near) if near else position[node]
