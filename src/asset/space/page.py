"""A state graph as one page of HTML, with nothing to load: a picture to move, to enlarge and to click on."""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files

from asset.space.state_graph import StateGraph
from asset.space.svg import svg


def page(graph: StateGraph) -> str:
    """The page; the text of nodes and arrows is data in it, never markup."""
    template = files("asset.space").joinpath("page.html").read_text(encoding="utf-8")
    data = {
        "nodes": [
            {
                "lines": node.lines,
                "states": node.states,
                "marks": sorted(m.value for m in node.marks),
                "wrong": node.wrong,
            }
            for node in graph.nodes
        ],
        "arrows": [[arrow.source, arrow.target, ", ".join(arrow.names)] for arrow in graph.arrows],
    }
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    return (
        template.replace("<!--title-->", escape(graph.title))
        .replace("<!--picture-->", svg(graph))
        .replace("/*data*/null", text)
    )
