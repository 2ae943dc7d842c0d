"""The points of a process: where it may wait between two steps. Points with the same future are one."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import FunctionType

from asset.errors import ModelRejected
from asset.ir.shapes import Shape
from asset.model.spans import line_span
from asset.model.steps.control_flow import yields_of
from asset.model.steps.known import with_known
from asset.model.steps.liveness import Names, live_at_points
from asset.model.steps.reading import Assigned, Reader
from asset.model.steps.splitting import FINISHED, START, Exit, Segment, Splitter

END = "finished"
"""Where a process is that has returned."""


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """Where a process goes on: the line of the first statement that it runs next."""

    number: int
    title: str
    line: int
    labels: frozenset[str]
    segment: Segment | None
    """The step from here; None if the process has finished."""
    live: Names


@dataclass(frozen=True, slots=True)
class Split:
    """A process as steps between points."""

    function: FunctionType
    itself: str
    indices: tuple[str, ...]
    points: tuple[Point, ...]
    place: dict[int, int]
    """The number of the point of each exit."""
    assigned: tuple[Assigned, ...]
    annotated: dict[str, ast.expr]
    labels: frozenset[str]
    """All labels of the text, also those that are never reached, and "finished"."""
    unreached: tuple[int, ...]
    """The lines of yields that no step comes to."""
    fixed: dict[str, ast.Assign]
    """Names for what never changes: assigned anew in each step that uses them."""

    @property
    def start(self) -> int:
        return self.place[START]

    @property
    def kept(self) -> list[str]:
        """The local variables that are state, in the order of their first assignment."""
        live = frozenset[str]().union(*(point.live for point in self.points))
        return [name for name in dict.fromkeys(a.name for a in self.assigned) if name in live]


def split(model: object, function: FunctionType, shapes: Mapping[str, Shape]) -> Split:
    """The process as steps, in the model's class, with its parameters and its state; raises ModelRejected."""
    reader = Reader(model, function, shapes)
    flow = reader.flow()
    segments = with_known(Splitter(reader).segments(flow), reader.outside)
    labels: dict[int, str | None] = {START: None}
    yields = dict(enumerate(yields_of(flow), START + 1))
    labels |= {number: y.label for number, y in yields.items()}
    reachable = _reachable(segments)
    segments = {point: segment for point, segment in segments.items() if point in reachable}
    same = _merged(segments, labels)
    kept = {point: segments[point] for point in sorted(set(same.values()))}
    variables = frozenset(a.name for a in reader.assigned) - reader.fixed.keys()
    live = live_at_points({point: segments[point] for point in segments}, variables)
    _reject_unassigned(reader, live[START])
    points = _points(kept, {p: labels[p] for p in kept}, live, FINISHED in reachable)
    numbers = {original: point.number for point, original in points}
    place = {point: numbers[same[point]] for point in segments}
    if FINISHED in numbers:
        place[FINISHED] = numbers[FINISHED]
    return Split(
        function,
        reader.itself,
        tuple(reader.indices),
        tuple(point for point, _ in points),
        place,
        tuple(reader.assigned),
        reader.annotated,
        frozenset(label for label in labels.values() if label is not None) | {END},
        tuple(y.at.lineno for number, y in yields.items() if number not in reachable),
        reader.fixed,
    )


def exits_of(segment: Segment) -> list[Exit]:
    return [node for statement in segment.code for node in ast.walk(statement) if isinstance(node, Exit)]


def _reachable(segments: dict[int, Segment]) -> frozenset[int]:
    found, pending = {START}, [START]
    while pending:
        new = {exit_.point for exit_ in exits_of(segments[pending.pop()])} - found
        found |= new
        pending += new - {FINISHED}
    return frozenset(found)


def _merged(segments: dict[int, Segment], labels: dict[int, str | None]) -> dict[int, int]:
    """The first point with the same code from there on, for each point: refined until the exits agree too."""
    texts = {point: "".join(map(_text, segment.code)) for point, segment in segments.items()}
    same = {point: START for point in segments} | {FINISHED: FINISHED}
    while True:
        first: dict[tuple[object, ...], int] = {}
        refined = {FINISHED: FINISHED}
        for point, segment in segments.items():
            exits = tuple(same[exit_.point] for exit_ in exits_of(segment))
            refined[point] = first.setdefault((same[point], labels[point], texts[point], exits), point)
        if refined == same:
            return {point: first for point, first in same.items() if point != FINISHED}
        same = refined


def _text(statement: ast.stmt) -> str:
    """The code with its places, but without where its exits lead and where they are in the text."""
    return re.sub(r"Exit\(point=[^)]*\)", "Exit()", ast.dump(statement, include_attributes=True))


def _points(
    kept: dict[int, Segment], labels: dict[int, str | None], live: dict[int, Names], finishes: bool
) -> list[tuple[Point, int]]:
    """The points in the order of their lines, with the number that each had; the end is the last."""
    ordered = sorted(kept, key=lambda point: (_line(kept[point]), point))
    lines = [_line(kept[point]) for point in ordered]
    result = []
    for number, point in enumerate(ordered):
        line, label = lines[number], labels[point]
        title = f"line {line}" if lines.count(line) == 1 else f"line {line}.{lines[: number + 1].count(line)}"
        marks = frozenset() if label is None else frozenset({label})
        title = title if label is None else f"{label} ({title})"
        result.append((Point(number, title, line, marks, kept[point], live[point]), point))
    if finishes:
        end = Point(len(ordered), END, 0, frozenset({END}), None, frozenset())
        result.append((end, FINISHED))
    return result


def _line(segment: Segment) -> int:
    return segment.code[0].lineno


def _reject_unassigned(reader: Reader, live: Names) -> None:
    """A variable that is live at the beginning may be read before it has a value."""
    for name in sorted(live):
        uses = [n for n in ast.walk(reader.tree) if isinstance(n, ast.Name) and n.id == name]
        use = next((n for n in uses if isinstance(n.ctx, ast.Load)), uses[0] if uses else None)
        message, remedy = f"'{name}' may have no value here", "assign it before the branch or the loop"
        if use is None:
            span = line_span(reader.function.__code__.co_filename, reader.tree.lineno)
            raise ModelRejected.of(f"'{name}' may have no value in {reader.tree.name}", span, remedy)
        reader.reject(use, message, remedy)
