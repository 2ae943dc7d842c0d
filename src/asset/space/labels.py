"""Where the names of arrows stand: on their lines, and not on each other."""

from __future__ import annotations

from collections.abc import Sequence

from asset.space.layering import Box, Point
from asset.space.routes import Route

LABEL_LINE, _CHARACTER = 12, 6.8


def label_spots(labels: Sequence[Sequence[str]], routes: Sequence[Route]) -> list[Point]:
    """The middle of each label: the best place on its line that no label before it covers, if there is one."""
    placed: list[Box] = []
    for lines, route in zip(labels, routes, strict=True):
        width, height = max(map(len, lines)) * _CHARACTER, len(lines) * LABEL_LINE
        spots = [Box(x, y, width, height) for x, y in route.spots]
        placed.append(next((each for each in spots if not any(_overlap(each, other) for other in placed)), spots[0]))
    return [(label.x, label.y) for label in placed]


def _overlap(one: Box, other: Box) -> bool:
    return 2 * abs(one.x - other.x) < one.width + other.width and 2 * abs(one.y - other.y) < one.height + other.height
