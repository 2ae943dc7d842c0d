"""A state graph in a notebook."""

from __future__ import annotations

from dataclasses import replace

from asset.space.levels import levels_of
from asset.space.state_graph import GraphView, StateGraph
from asset.space.svg import svg

LIMIT = 300
"""Nodes; a picture of more says nothing in a cell of a notebook."""

_HINT = "more is to be seen of some variables (project=…), or of its strong components (condense=True)"


def shown(graph: StateGraph) -> str:
    """The picture, or, if it were too large to read, that of its levels."""
    if len(graph.nodes) > LIMIT and graph.view is GraphView.STATES:
        graph = replace(levels_of(graph), hints=(_HINT,))
    return f'<div style="overflow:auto;max-height:40rem">{svg(graph)}</div>'
