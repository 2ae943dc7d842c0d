"""The lines of arrows, from layer to layer and through their bends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from asset.space.layering import Box, Layering, Point
from asset.space.state_graph import StateGraph

_PORTS = 0.7  # of a node's width: arrows begin and end there beside each other
_ALONG = (0.5, 0.32, 0.68, 0.18, 0.82)  # of a curve: where its label may stand, best first


@dataclass(frozen=True, slots=True)
class Route:
    """A path in the words of SVG; where its label may stand, best first; how far it goes to the left and right."""

    path: str
    spots: tuple[Point, ...]
    left: float
    right: float


def routes(graph: StateGraph, layering: Layering) -> list[Route]:
    """A route for each arrow, in their order."""
    drawing = _Routes(graph, layering)
    return [drawing.of(number) for number in range(len(graph.arrows))]


class _Routes:
    def __init__(self, graph: StateGraph, layering: Layering) -> None:
        self._arrows = graph.arrows
        self._layering = layering
        self._ports = self._assigned_ports()
        self._loops: Counter[int] = Counter()

    def _ends(self, number: int) -> tuple[Box, Box]:
        arrow = self._arrows[number]
        return self._layering.nodes[arrow.source], self._layering.nodes[arrow.target]

    def _assigned_ports(self) -> dict[tuple[int, int], Point]:
        """Where each arrow meets its nodes: at their tops or bottoms, in the order of where the arrows lead."""
        met: dict[tuple[int, bool], list[tuple[float, int]]] = {}
        for number, arrow in enumerate(self._arrows):
            source, target = self._ends(number)
            xs = [source.x, *(bend.x for bend in self._layering.bends[number]), target.x]
            down = target.y > source.y or (target.y == source.y and target.x > source.x)
            met.setdefault((arrow.source, down), []).append((xs[1], number))
            # An arrow within a layer leaves and arrives at the same side.
            met.setdefault((arrow.target, down == (source.y == target.y)), []).append((xs[-2], number))
        ports = {}
        for (node, at_bottom), arrows in met.items():
            bounds = self._layering.nodes[node]
            y = bounds.y + bounds.height / (2 if at_bottom else -2)
            for at, (_, number) in enumerate(sorted(arrows), start=1):
                ports[number, node] = (bounds.x + bounds.width * _PORTS * (at / (len(arrows) + 1) - 0.5), y)
        return ports

    def of(self, number: int) -> Route:
        arrow, (source, target) = self._arrows[number], self._ends(number)
        if arrow.source == arrow.target:
            self._loops[arrow.source] += 1
            return _loop(source, self._loops[arrow.source])
        start, end = self._ports[number, arrow.source], self._ports[number, arrow.target]
        if source.y == target.y:
            return _across(start, end)
        return _between([start, *_through(self._layering.bends[number], target.y > source.y), end])


def _through(bends: Sequence[Box], down: bool) -> Iterator[Point]:
    """Straight through the layer of each bend, where nodes stand at both sides."""
    for bend in bends:
        half = bend.height / (2 if down else -2)
        yield bend.x, bend.y - half
        yield bend.x, bend.y + half


def _between(points: Sequence[Point]) -> Route:
    """Curves that are vertical at each point."""
    path = "M{:.1f} {:.1f}".format(*points[0])
    for (x1, y1), (x2, y2) in pairwise(points):
        bend = (y2 - y1) * 0.45
        path += f"C{x1:.1f} {y1 + bend:.1f} {x2:.1f} {y2 - bend:.1f} {x2:.1f} {y2:.1f}"
    xs = [x for x, _ in points]
    return Route(path, tuple(_on_curve(points[0], points[1], t) for t in _ALONG), min(xs), max(xs))


def _on_curve(start: Point, end: Point, t: float) -> Point:
    """The point of a curve of `_between`, a cubic Bézier, at its parameter t."""
    (x1, y1), (x2, y2) = start, end
    inner = 3 * t * (1 - t)
    return x1 + (x2 - x1) * t * t * (3 - 2 * t), y1 + (y2 - y1) * (inner * (0.45 + 0.1 * t) + t**3)


def _across(start: Point, end: Point) -> Route:
    """Below the layer from left to right, above it from right to left."""
    (x1, y), (x2, _) = start, end
    far = y + (22 if x2 > x1 else -22)
    path = f"M{x1:.1f} {y:.1f}C{x1:.1f} {far:.1f} {x2:.1f} {far:.1f} {x2:.1f} {y:.1f}"
    return Route(path, (((x1 + x2) / 2, (y + 3 * far) / 4),), min(x1, x2), max(x1, x2))


def _loop(node: Box, nth: int) -> Route:
    """At the right side, each one of a node further out than those before."""
    x, far = node.x + node.width / 2, node.x + node.width / 2 + 20 + 10 * nth
    y1, y2 = node.y - node.height / 4, node.y + node.height / 4
    path = f"M{x:.1f} {y1:.1f}C{far:.1f} {y1 - 10:.1f} {far:.1f} {y2 + 10:.1f} {x:.1f} {y2:.1f}"
    return Route(path, tuple((x + 30, node.y + down) for down in (0, 13, -13, 26, -26)), x, x + 30)
