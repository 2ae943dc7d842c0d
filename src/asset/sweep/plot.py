"""The states of a sweep as a picture: one line for each series, told apart by its mark as well as by its colour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

from asset.sweep.growth import as_number
from asset.sweep.row import Series

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 640, 400, 84, 24, 48, 56

_STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#222}.grid{stroke:#ddd}.s0{stroke:#0060a8;fill:#0060a8}"
    ".s1{stroke:#b04000;fill:#b04000}path{fill:none!important;stroke-width:2}.paper{fill:#fff}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}.grid{stroke:#444}.paper{fill:#1b1b1b}"
    ".s0{stroke:#6cb4f0;fill:#6cb4f0}.s1{stroke:#f0a060;fill:#f0a060}}"
)


@dataclass(frozen=True, slots=True)
class _Scale:
    """Where values and powers of ten lie on the paper."""

    first: float
    last: float
    low: int
    high: int

    def x(self, value: float) -> float:
        return _LEFT + (value - self.first) / max(self.last - self.first, 1e-9) * (_WIDTH - _LEFT - _RIGHT)

    def y(self, power: float) -> float:
        return _HEIGHT - _BOTTOM - (power - self.low) / (self.high - self.low) * (_HEIGHT - _TOP - _BOTTOM)


NOTHING = "no value was explored completely"


def svg(title: str, name: str, series: Sequence[Series]) -> str:
    """The picture; if there is nothing to be seen in it, it says so."""
    points = [_points(each) for each in series]
    every = [point for each in points for point in each]
    powers, values = [power for _, power in every] or [0], sorted({value for value, _ in every}) or [0]
    low, high = floor(min(powers)), ceil(max(powers))
    frame = _Scale(values[0], values[-1], low, max(high, low + 1))
    parts = [*_paper(frame, title, name, values if every else [])]
    if not every:
        parts.append(f'<text x="{_WIDTH // 2}" y="{_HEIGHT // 2}" text-anchor="middle">{NOTHING}</text>')
    for number, (each, where) in enumerate(zip(series, points, strict=True)):
        parts += _curve(frame, number, each.name, where)
    body = "\n".join(parts)
    size = f'viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">\n<style>{_STYLE}</style>\n{body}\n</svg>\n'


def _points(series: Series) -> list[tuple[float, float]]:
    """Values and the powers of ten of their states."""
    rows = [(as_number(row.value), row) for row in series.rows]
    return sorted((value, log10(row.states)) for value, row in rows if value is not None and row.complete)


def _paper(frame: _Scale, title: str, name: str, values: Sequence[float]) -> Iterator[str]:
    yield f"<title>{escape(title)}</title>"
    yield f'<rect class="paper" width="{_WIDTH}" height="{_HEIGHT}"/>'
    yield f'<text x="{_LEFT}" y="28" font-weight="bold">{escape(title)}</text>'
    for power in range(frame.low, frame.high + 1):
        y = frame.y(power)
        yield f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        yield f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{10**power:,}</text>'
    for value in values[:: max(1, len(values) // 12)]:
        yield f'<text x="{frame.x(value):.1f}" y="{_HEIGHT - _BOTTOM + 20}" text-anchor="middle">{value:g}</text>'
    yield f'<text x="{_WIDTH - _RIGHT}" y="{_HEIGHT - 14}" text-anchor="end">{escape(name)}</text>'
    yield f'<text x="8" y="{_HEIGHT - 14}">states, each line ten times the one below</text>'


def _curve(frame: _Scale, number: int, name: str, points: Sequence[tuple[float, float]]) -> Iterator[str]:
    """Round marks and a whole line for the first series, square ones and a dashed line for the other."""
    where = [(frame.x(value), frame.y(power)) for value, power in points]
    if not where:
        return
    track = " ".join(f"{'L' if at else 'M'}{x:.1f} {y:.1f}" for at, (x, y) in enumerate(where))
    dashes = ' stroke-dasharray="7 4"' if number else ""
    yield f'<path class="s{number}" d="{track}"{dashes}/>'
    for x, y in where:
        yield _mark(number, x, y)
    row = _TOP + 4 + 20 * number
    yield _mark(number, _LEFT + 14, row)
    yield f'<text x="{_LEFT + 26}" y="{row + 4}">{escape(name)}</text>'


def _mark(number: int, x: float, y: float) -> str:
    if number == 0:
        return f'<circle class="s0" cx="{x:.1f}" cy="{y:.1f}" r="4"/>'
    return f'<rect class="s{number}" x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8"/>'
