"""A state graph in a notebook."""

from __future__ import annotations

from html import escape

from asset.space.state_graph import StateGraph
from asset.space.svg import svg

LIMIT = 500
"""Nodes; a picture of more says nothing in a cell of a notebook."""


def shown(graph: StateGraph) -> str:
    """The picture, or, if it were too large to read, how to make a smaller one."""
    if len(graph.nodes) > LIMIT:
        remedy = "project it onto some variables (project=…), or condense it (condense=True)"
        return f"<p>{escape(graph.title)}: {escape(graph.caption)}. To see it, {remedy}.</p>"
    return f'<div style="overflow:auto;max-height:40rem">{svg(graph)}</div>'
