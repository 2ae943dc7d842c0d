"""A state graph as text for other tools: Graphviz (dot), Aldebaran (aut, read by CADP, mCRL2 and LTSmin), JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator

from asset.errors import UsageError
from asset.space.state_graph import GraphView, Mark, StateGraph, StateNode
from asset.space.style import stroke

_SHAPES = {Mark.BAD: "octagon", Mark.TERMINAL: "box"}


def dot(graph: StateGraph) -> str:
    """Layers are ranks; the marks are shapes, the families colours and line styles."""
    return "\n".join(_dot_lines(graph)) + "\n"


def _dot_lines(graph: StateGraph) -> Iterator[str]:
    yield "digraph space {"
    yield f"  label={_quoted(f'{graph.title}: {graph.caption}')};"
    yield '  node [fontname="monospace", fontsize=10, shape=box, style=rounded];'
    yield '  edge [fontname="monospace", fontsize=9];'
    for node in graph.nodes:
        yield f"  {node.number} [{_dot_node(graph, node)}];"
    for depth in sorted({node.depth for node in graph.nodes}):
        members = " ".join(f"{node.number};" for node in graph.nodes if node.depth == depth)
        yield f"  {{ rank=same; {members} }}"
    numbers = {family: number for number, family in enumerate(graph.families)}
    for arrow in graph.arrows:
        look = stroke(numbers[arrow.family])
        label = _quoted("\n".join(arrow.names))
        yield f'  {arrow.source} -> {arrow.target} [label={label}, color="{look.colour}", style="{look.dot}"];'
    yield "}"


def _dot_node(graph: StateGraph, node: StateNode) -> str:
    lines = [*node.lines, *([f"{node.states:,} states"] if graph.view is not GraphView.STATES else [])]
    attributes = [f"label={_quoted(chr(10).join([*lines, *([node.wrong] if node.wrong else [])]))}"]
    shape = next((name for mark, name in _SHAPES.items() if mark in node.marks), "")
    if shape:
        attributes.append(f"shape={shape}, style={'filled' if shape == 'octagon' else 'solid'}")
    if Mark.BAD in node.marks:
        attributes.append('color="#b3261e", fillcolor="#fde3e1"')
    if Mark.TERMINAL in node.marks:
        attributes.append("peripheries=2")
    if Mark.INITIAL in node.marks:
        attributes.append("penwidth=3")
    return ", ".join(attributes)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\l" if "\n" in text else "")
    return f'"{escaped}\\l"' if "\n" in text else f'"{escaped}"'


def aut(graph: StateGraph) -> str:
    """Each edge with its transition as the label. State 0 is the initial one, as the format has it."""
    if graph.view is not GraphView.STATES:
        raise UsageError.of("an aut file has the whole state space", remedy="leave out --condense and --project")
    require_one_start(sum(Mark.INITIAL in node.marks for node in graph.nodes))
    edges = [(arrow.source, name, arrow.target) for arrow in graph.arrows for name in arrow.names]
    lines = [f'({source}, "{name}", {target})' for source, name, target in sorted(edges)]
    return "\n".join([f"des (0, {len(edges)}, {len(graph.nodes)})", *lines]) + "\n"


def require_one_start(starts: int) -> None:
    """The format has no others."""
    if starts > 1:
        raise UsageError.of(
            f"an aut file has one initial state, and the model has {starts}", remedy="write json or dot instead"
        )


def to_json(graph: StateGraph) -> str:
    """Everything that is known of the nodes and arrows."""
    return (
        json.dumps(
            {
                "title": graph.title,
                "view": graph.view.value,
                "states": graph.states,
                "edges": graph.edges,
                "nodes": [_json_node(node) for node in graph.nodes],
                "arrows": [
                    {
                        "source": arrow.source,
                        "target": arrow.target,
                        "family": arrow.family,
                        "transitions": list(arrow.names),
                        "edges": arrow.edges,
                    }
                    for arrow in graph.arrows
                ],
            },
            indent=1,
        )
        + "\n"
    )


def _json_node(node: StateNode) -> dict[str, object]:
    return {
        "number": node.number,
        "state": dict(node.values),
        "depth": node.depth,
        "states": node.states,
        "marks": sorted(mark.value for mark in node.marks),
        "wrong": node.wrong or None,
    }
