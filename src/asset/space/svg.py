"""A state graph as one SVG picture: boxes that show their states while there are few, dots with tooltips beyond."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from asset.space.labels import LABEL_LINE, label_spots
from asset.space.layering import Box, Size, layering
from asset.space.routes import routes
from asset.space.state_graph import Arrow, GraphView, Mark, StateGraph, StateNode
from asset.space.style import stroke

BOXES = 40
"""Nodes that are drawn as boxes with their values; of more, only dots have room."""
LABELS = 80
"""Arrows that have their names beside them."""

_LINE, _CHARACTER, _PADDING, _DOT = 16, 7.3, 10, 10
_MARGIN, _HEAD = 40, 70
_LEGEND_ROW = 20
_WIDEST = 900  # of the level with the most states
_NAMED = 12  # transitions of an arrow that its tooltip names

_STYLE = """\
.space text{font:12px ui-monospace,monospace;fill:#222}.space .title{font:bold 16px system-ui,sans-serif}
.space :is(.caption,.legend){font:13px system-ui,sans-serif}.space .paper{fill:#fff}
.space .node :is(rect,circle,path){fill:#f4f6f8;stroke:#445;stroke-width:1.2}
.space .node:is(.initial,.here)>*{stroke-width:3}.space .node>text{stroke-width:0}
.space .node.terminal .inner{fill:none;stroke-width:1.2}
.space .node.bad :is(rect,circle,path){fill:#fde3e1;stroke:#b3261e}.space .node.bad .wrong{fill:#8c1d18}
.space .arrow path{fill:none;stroke-width:1.3}.space .arrow.many path{stroke-width:.8;opacity:.55}
.space .arrow text{font-size:11px;stroke:#fff;stroke-width:3px;paint-order:stroke}
@media(prefers-color-scheme:dark){.space .paper{fill:#1b1b1b}.space text{fill:#ddd}
.space .node :is(rect,circle,path){fill:#2a2e33;stroke:#aab}.space .arrow text{stroke:#1b1b1b}
.space .node.bad :is(rect,circle,path){fill:#4a1d1a;stroke:#f2958c}.space .node.bad .wrong{fill:#f2b8b5}
.space :is(.arrow path,.sample){filter:brightness(1.6)}}"""


def svg(graph: StateGraph) -> str:
    """The picture."""
    drawing = _Picture(graph)
    return "\n".join(drawing.parts()) + "\n"


@dataclass(frozen=True, slots=True)
class _Canvas:
    """`left` is where the first node or label begins."""

    left: float
    width: float
    height: float


class _Picture:
    """One picture in the making."""

    def __init__(self, graph: StateGraph) -> None:
        self.graph = graph
        self.boxes = len(graph.nodes) <= BOXES
        self.numbers = {family: number for number, family in enumerate(graph.families)}
        loops = {arrow.source for arrow in graph.arrows if arrow.source == arrow.target}
        sizes = [self._size(node, node.number in loops) for node in graph.nodes]
        between = 36 if graph.view is GraphView.LEVELS else 64
        gap = Size(28, between) if self.boxes else Size(9, 46)
        laid = layering(graph, sizes, gap)
        self.bounds = laid.nodes
        self.routes = routes(graph, laid)
        self.marks = [mark for mark in Mark if any(mark in node.marks for node in graph.nodes)]
        self.used = [family for family in graph.families if any(arrow.family == family for arrow in graph.arrows)]
        self.extent = self._extent()

    def _labelled(self) -> bool:
        return self.boxes and len(self.graph.arrows) <= LABELS

    def _label_room(self) -> float:
        """To each side of a line."""
        if not self._labelled():
            return 0.0
        return max((len(name) for arrow in self.graph.arrows for name in arrow.names), default=0) * 3.4

    def _extent(self) -> _Canvas:
        label = self._label_room()
        left = min([at.x - at.width / 2 for at in self.bounds] + [route.left - label for route in self.routes])
        right = max([at.x + at.width / 2 for at in self.bounds] + [route.right + label for route in self.routes])
        bottom = max(at.y + at.height / 2 for at in self.bounds)
        rows = len(self.used) + len(self.marks) + len(self.graph.hints) + 1
        said = [self.graph.caption, *self.graph.hints]
        words = max(len(self.graph.title) * 10, 340, *(len(text) * 8 for text in said))
        height = _HEAD + bottom + _MARGIN + rows * _LEGEND_ROW + 20
        return _Canvas(left, max(_MARGIN + right - left, words) + _MARGIN, height)

    def parts(self) -> Iterator[str]:
        width, height = round(self.extent.width), round(self.extent.height)
        size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        yield f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" class="space">'
        yield f"<title>{escape(self.graph.title)}</title><desc>{escape(self.graph.caption)}</desc>"
        yield f"<style>{_STYLE}</style>"
        yield f"<defs>{''.join(_arrowhead(number) for number in range(len(self.graph.families)))}</defs>"
        yield '<rect class="paper" width="100%" height="100%"/>'
        yield f'<text class="title" x="{_MARGIN}" y="28">{escape(self.graph.title)}</text>'
        yield f'<text class="caption" x="{_MARGIN}" y="48">{escape(self.graph.caption)}</text>'
        yield f'<g transform="translate({_MARGIN - self.extent.left:.1f} {_HEAD})">'
        yield from self._arrows()
        if self._labelled():
            yield from self._labels()
        yield from (self._node(node, at) for node, at in zip(self.graph.nodes, self.bounds, strict=True))
        yield "</g>"
        yield from self._legend()
        yield "</svg>"

    # --- nodes --------------------------------------------------------------------------------------------------

    def _size(self, node: StateNode, has_loop: bool) -> Size:
        if not self.boxes:
            return Size(_DOT, _DOT, 16 if has_loop else 0)
        lines = self._text(node)
        beside = 30 + self._label_room() if has_loop else 0
        width = max(map(len, lines)) * _CHARACTER + 2 * _PADDING
        if self.graph.view is GraphView.LEVELS:  # as wide as there are states in it
            width = max(width, _WIDEST * node.states / max(each.states for each in self.graph.nodes))
        return Size(width, len(lines) * _LINE + _PADDING, beside)

    def _text(self, node: StateNode) -> list[str]:
        lines = list(node.lines)
        if self.graph.view is GraphView.COMPONENTS and node.states > 1:
            lines.insert(0, f"{node.states:,} states, first:")
        elif self.graph.view is GraphView.PROJECTION:
            lines.append(f"{node.states:,} state{'s' * (node.states > 1)}")
        if Mark.BAD in node.marks and self.graph.view is not GraphView.LEVELS:
            lines.append("✗ bad")
        return lines or [f"state {node.number}"]

    def _node(self, node: StateNode, bounds: Box) -> str:
        classes = " ".join(["node", *(mark.value for mark in Mark if mark in node.marks)])
        shape = self._box(node, bounds) if self.boxes else _dot(node, bounds)
        return f'<g class="{classes}" data-n="{node.number}"><title>{escape(_tooltip(node))}</title>{shape}</g>'

    def _box(self, node: StateNode, bounds: Box) -> str:
        left, top = bounds.x - bounds.width / 2, bounds.y - bounds.height / 2
        parts = [_rect(left, top, bounds.width, bounds.height, "")]
        if Mark.TERMINAL in node.marks:
            parts.append(_rect(left + 3, top + 3, bounds.width - 6, bounds.height - 6, ' class="inner"'))
        titles = [mark.value for mark in (Mark.INITIAL, Mark.HERE) if mark in node.marks]
        if titles:
            parts.append(f'<text x="{left:.1f}" y="{top - 6:.1f}">▼ {" ".join(titles)}</text>')
        for at, text in enumerate(self._text(node)):
            wrong = ' class="wrong"' if text.startswith("✗") else ""
            y = top + _PADDING / 2 + 12 + at * _LINE
            parts.append(f'<text x="{left + _PADDING:.1f}" y="{y:.1f}"{wrong}>{escape(text)}</text>')
        return "".join(parts)

    # --- arrows -------------------------------------------------------------------------------------------------

    def _arrows(self) -> Iterator[str]:
        many = "" if self.boxes else " many"
        for arrow, route in zip(self.graph.arrows, self.routes, strict=True):
            number = self.numbers[arrow.family]
            look = stroke(number)
            dashes = f' stroke-dasharray="{look.pattern}"' if look.pattern else ""
            yield (
                f'<g class="arrow{many}" data-a="{arrow.source} {arrow.target} {number}">'
                f"<title>{escape(_named(arrow))}</title>"
                f'<path d="{route.path}" stroke="{look.colour}"{dashes} marker-end="url(#f{number})"/></g>'
            )

    def _labels(self) -> Iterator[str]:
        """After all lines, so that none runs over a name."""
        labels = [_label(arrow) for arrow in self.graph.arrows]
        for arrow, lines, (x, y) in zip(self.graph.arrows, labels, label_spots(labels, self.routes), strict=True):
            first = y + 4 - LABEL_LINE / 2 * (len(lines) - 1)
            texts = (
                f'<text x="{x:.1f}" y="{first + LABEL_LINE * at:.1f}" text-anchor="middle">{escape(line)}</text>'
                for at, line in enumerate(lines)
            )
            yield f'<g class="arrow" data-a="{arrow.source} {arrow.target}">{"".join(texts)}</g>'

    # --- legend -------------------------------------------------------------------------------------------------

    def _legend(self) -> Iterator[str]:
        rows = len(self.used) + len(self.marks) + len(self.graph.hints)
        top = self.extent.height - rows * _LEGEND_ROW - 10
        for row, family in enumerate(self.used):
            number, y = self.numbers[family], top + row * _LEGEND_ROW
            look = stroke(number)
            dashes = f' stroke-dasharray="{look.pattern}"' if look.pattern else ""
            yield (
                f'<g class="key" data-f="{number}"><line class="sample" x1="{_MARGIN}" x2="{_MARGIN + 44}" y1="{y:.0f}"'
                f' y2="{y:.0f}" stroke="{look.colour}" stroke-width="2"{dashes}/>'
                f'<text class="legend" x="{_MARGIN + 54}" y="{y + 4:.0f}">{escape(family)} ({look.words})</text></g>'
            )
        for row, mark in enumerate(self.marks, start=len(self.used)):
            y = top + row * _LEGEND_ROW
            sample = StateNode(-1, (), {}, 0, marks=frozenset({mark}))
            bounds = Box(_MARGIN + 22, y, _DOT, _DOT)
            shape = _box_sample(mark, bounds) if self.boxes else _dot(sample, bounds)
            yield (
                f'<g class="node {mark.value}">{shape}</g>'
                f'<text class="legend" x="{_MARGIN + 54}" y="{y + 4:.0f}">{_MARKS[mark][0 if self.boxes else 1]}</text>'
            )
        for row, hint in enumerate(self.graph.hints, start=len(self.used) + len(self.marks)):
            y = top + row * _LEGEND_ROW
            yield f'<text class="legend" x="{_MARGIN}" y="{y + 4:.0f}">{escape(hint)}</text>'


_MARKS = {
    Mark.INITIAL: ("initial state: thick border", "initial state: thick border"),
    Mark.HERE: ("here: thick border", "here: thick border"),
    Mark.TERMINAL: ("terminal: double border", "terminal: square"),
    Mark.BAD: ("bad: red, marked ✗", "bad: red, diamond"),
}
"""What each mark looks like, in boxes and as dots."""


def _box_sample(mark: Mark, bounds: Box) -> str:
    left, top = bounds.x - 14, bounds.y - 7
    inner = _rect(left + 2, top + 2, 24, 10, ' class="inner"') if mark is Mark.TERMINAL else ""
    cross = f'<text class="wrong" x="{left + 10:.0f}" y="{top + 11:.0f}">✗</text>' if mark is Mark.BAD else ""
    return _rect(left, top, 28, 14, "") + inner + cross


def _rect(left: float, top: float, width: float, height: float, attributes: str) -> str:
    return f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}" rx="4"{attributes}/>'


def _dot(node: StateNode, bounds: Box) -> str:
    """A circle; a square if it is terminal, a diamond if it is bad."""
    x, y, r = bounds.x, bounds.y, bounds.width / 2
    if Mark.BAD in node.marks:
        return f'<path d="M{x:.1f} {y - r - 2:.1f}l{r + 2} {r + 2}l{-r - 2} {r + 2}l{-r - 2} {-r - 2}z"/>'
    if Mark.TERMINAL in node.marks:
        return f'<rect x="{x - r:.1f}" y="{y - r:.1f}" width="{2 * r}" height="{2 * r}"/>'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r}"/>'


def _arrowhead(number: int) -> str:
    return (
        f'<marker id="f{number}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path d="M0 0L8 4L0 8z" fill="{stroke(number).colour}"/></marker>'
    )


def _tooltip(node: StateNode) -> str:
    said = [f"{node.states:,} states" if node.states > 1 else f"state {node.number}"]
    said += [mark.value for mark in Mark if mark in node.marks]
    return "\n".join([", ".join(said), *node.lines, *([f"✗ {node.wrong}"] if node.wrong else [])])


def _named(arrow: Arrow) -> str:
    names = ", ".join(arrow.names[:_NAMED])
    more = f" and {len(arrow.names) - _NAMED} more" if len(arrow.names) > _NAMED else ""
    return f"{names}{more} ({arrow.edges:,} edges)" if arrow.edges > 1 else f"{names}{more}"


def _label(arrow: Arrow) -> list[str]:
    """A line for each name, so that it takes little room beside others."""
    return [*arrow.names[:2], *([f"and {len(arrow.names) - 2} more"] if len(arrow.names) > 2 else [])]
