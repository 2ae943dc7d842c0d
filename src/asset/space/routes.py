"""The lines of arrows: straight down to the next layer, at the side of the picture where other nodes are in the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from asset.space.graph import Arrow, StateGraph
from asset.space.layers import Place

_LANES, _LANE = 12, 15  # at each side: so many lines beside each other, so far apart


@dataclass(frozen=True, slots=True)
class Route:
    """A path in the words of SVG; where its label stands; and how far to the side it goes."""

    path: str
    x: float
    y: float
    reach: float


def routes(graph: StateGraph, places: Sequence[Place], around: bool) -> list[Route]:
    """A route for each arrow, in their order. `around` leads lines past the nodes that are in their way."""
    drawing = _Routes(graph, places, around)
    return [drawing.of(arrow) for arrow in graph.arrows]


class _Routes:
    """Arrows between the same two nodes lie beside each other."""

    def __init__(self, graph: StateGraph, places: Sequence[Place], around: bool) -> None:
        self._graph = graph
        self._places = places
        self._around = around
        self._middle = sum(place.x for place in places) / len(places)
        self._beside: dict[tuple[int, int], list[Arrow]] = {}
        for arrow in graph.arrows:
            self._beside.setdefault(_ends(arrow), []).append(arrow)
        self._lanes = self._assigned_lanes() if around else {}

    def _assigned_lanes(self) -> dict[Arrow, int]:
        """For each arrow at a side its lane: short ones run nearer to the nodes."""
        sideways = [arrow for arrow in self._graph.arrows if self._goes_round(arrow)]
        sideways.sort(key=lambda arrow: abs(self._places[arrow.source].y - self._places[arrow.target].y))
        taken = {-1: 0, 1: 0}
        lanes = {}
        for arrow in sideways:
            side = self._side(arrow)
            lanes[arrow] = taken[side] % _LANES
            taken[side] += 1
        return lanes

    def _goes_round(self, arrow: Arrow) -> bool:
        """Whether it leads up, or past a layer."""
        down = self._graph.nodes[arrow.target].depth - self._graph.nodes[arrow.source].depth
        return arrow.source != arrow.target and (down < 0 or down > 1)

    def _side(self, arrow: Arrow) -> int:
        return 1 if self._places[arrow.source].x + self._places[arrow.target].x >= 2 * self._middle else -1

    def of(self, arrow: Arrow) -> Route:
        beside = self._beside[_ends(arrow)]
        shift = beside.index(arrow) - (len(beside) - 1) / 2
        start, end = self._places[arrow.source], self._places[arrow.target]
        if arrow.source == arrow.target:
            return _loop(start, shift)
        if arrow in self._lanes:
            return self._at_the_side(arrow, start, end)
        if end.y > start.y:
            return _down(start, end, shift)
        return _across(start, end, shift) if end.y == start.y else _up(start, end, shift)

    def _at_the_side(self, arrow: Arrow, start: Place, end: Place) -> Route:
        """Beyond all nodes between its ends."""
        side, lane = self._side(arrow), self._lanes[arrow]
        top, bottom = min(start.y, end.y), max(start.y, end.y)
        edges = [place.x + side * place.width / 2 for place in self._places if top <= place.y <= bottom]
        reach = (max(edges) if side > 0 else min(edges)) + side * (24 + lane * _LANE)
        x1, x2 = start.x + side * start.width / 2, end.x + side * end.width / 2
        # Leaving and arriving at different heights keeps the lines at a node apart.
        y1, y2 = start.y + start.height * 0.2, end.y - end.height * 0.2
        return _curve((x1, y1), (x2, y2), reach)


def _ends(arrow: Arrow) -> tuple[int, int]:
    return (min(arrow.source, arrow.target), max(arrow.source, arrow.target))


def _curve(start: tuple[float, float], end: tuple[float, float], reach: float) -> Route:
    """Out to `reach`, along there, and back; the ends are rounded."""
    (x1, y1), (x2, y2) = start, end
    bend = (18 if y2 > y1 else -18) if abs(y2 - y1) > 60 else (y2 - y1) / 3
    path = (
        f"M{x1:.1f} {y1:.1f}C{(x1 + reach) / 2:.1f} {y1:.1f} {reach:.1f} {y1:.1f} {reach:.1f} {y1 + bend:.1f}"
        f"L{reach:.1f} {y2 - bend:.1f}C{reach:.1f} {y2:.1f} {(x2 + reach) / 2:.1f} {y2:.1f} {x2:.1f} {y2:.1f}"
    )
    return Route(path, reach, (y1 + y2) / 2, reach)


def _down(start: Place, end: Place, shift: float) -> Route:
    spread = min(14, start.width / 4, end.width / 4)
    x1, x2 = start.x + shift * spread, end.x + shift * spread
    y1, y2 = start.y + start.height / 2, end.y - end.height / 2
    bend = (y2 - y1) * 0.45
    path = f"M{x1:.1f} {y1:.1f}C{x1:.1f} {y1 + bend:.1f} {x2:.1f} {y2 - bend:.1f} {x2:.1f} {y2:.1f}"
    # Labels of neighbours stand at different heights, so that they do not cover each other.
    return Route(path, (x1 + x2) / 2, (y1 + y2) / 2 + shift * 12, x1)


def _up(start: Place, end: Place, shift: float) -> Route:
    side = 1 if end.x >= start.x else -1
    x1, x2 = start.x + side * start.width / 2, end.x + side * end.width / 2
    furthest = max(x1, x2) if side > 0 else min(x1, x2)
    reach = furthest + side * (14 + abs(shift) * 6 + (start.y - end.y) * 0.06)
    path = f"M{x1:.1f} {start.y:.1f}C{reach:.1f} {start.y:.1f} {reach:.1f} {end.y:.1f} {x2:.1f} {end.y:.1f}"
    return Route(path, reach, (start.y + end.y) / 2, reach)


def _across(start: Place, end: Place, shift: float) -> Route:
    """Below the layer from left to right, above it from right to left."""
    rightwards = end.x > start.x
    sign = 1 if rightwards else -1
    y1, y2 = start.y + sign * start.height / 2, end.y + sign * end.height / 2
    x1, x2 = start.x + shift * 6, end.x + shift * 6
    far = (max(y1, y2) if rightwards else min(y1, y2)) + sign * (22 + abs(shift) * 10)
    path = f"M{x1:.1f} {y1:.1f}C{x1:.1f} {far:.1f} {x2:.1f} {far:.1f} {x2:.1f} {y2:.1f}"
    return Route(path, (x1 + x2) / 2, (y1 + y2 + 6 * far) / 8, x1)


def _loop(place: Place, shift: float) -> Route:
    x = place.x + place.width / 2
    far = x + 30 + abs(shift) * 10
    y1, y2 = place.y - place.height / 4, place.y + place.height / 4
    path = f"M{x:.1f} {y1:.1f}C{far:.1f} {y1 - 10:.1f} {far:.1f} {y2 + 10:.1f} {x:.1f} {y2:.1f}"
    return Route(path, x + 30, place.y + shift * 12, far)
