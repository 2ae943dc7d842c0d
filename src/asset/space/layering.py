"""Where the nodes of a graph lie: in layers by their distance from the initial state, ordered by igraph.

igraph orders each layer so that few arrows cross (Sugiyama, Tagawa and Toda), and gives an arrow that passes a layer a
place of its own in that order: its bend.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from asset.space.state_graph import StateGraph

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """A centre and a size."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Size:
    """`beside` is the room that is kept free at the right, for arrows from a node to itself."""

    width: float
    height: float
    beside: float = 0.0


@dataclass(frozen=True, slots=True)
class Layering:
    """The bounds of each node; and of each arrow the bends, in the order in which it passes them."""

    nodes: list[Box]
    bends: list[list[Box]]


def layering(graph: StateGraph, sizes: Sequence[Size], gap: Size) -> Layering:
    """`gap` is the distance within and between layers."""
    import igraph  # type: ignore[import-untyped]  # here, as it takes a while to load and few commands need it

    arrows = [(arrow.source, arrow.target) for arrow in graph.arrows]
    depths = [node.depth for node in graph.nodes]
    found = igraph.Graph(n=len(graph.nodes), edges=arrows, directed=True).layout_sugiyama(layers=depths)
    # In one list, the nodes and then the bends of all arrows.
    points = [*found.coords, *(bend for bends in found.edge_routing for bend in bends)]
    placed = iter(_placed(points, [*sizes, *[Size(0, 0)] * (len(points) - len(sizes))], gap))
    return Layering([next(placed) for _ in sizes], [[next(placed) for _ in bends] for bends in found.edge_routing])


def _placed(points: Sequence[Sequence[float]], sizes: Sequence[Size], gap: Size) -> list[Box]:
    """Layers below each other; in each its points in their order, as near to each other as their sizes allow.

    igraph's own distances are those of points of one size, and make pictures several times as wide.
    """
    layers: dict[float, list[int]] = {}
    for number in sorted(range(len(points)), key=lambda number: (points[number][1], points[number][0])):
        layers.setdefault(points[number][1], []).append(number)
    placed = [Box(0, 0, 0, 0)] * len(points)
    top = 0.0
    for layer in layers.values():
        height = max(sizes[number].height for number in layer)
        left = -sum(sizes[number].width + sizes[number].beside + gap.width for number in layer) / 2
        for number in layer:
            size = sizes[number]
            middle = left + (gap.width + size.width) / 2
            placed[number] = Box(middle, top + height / 2, size.width, size.height or height)
            left += gap.width + size.width + size.beside
        top += height + gap.height
    return placed
