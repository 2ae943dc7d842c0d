"""`asset graph`: the state space as a picture, or as a file for other tools."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from asset.cli import arguments, output
from asset.cli.live_progress import LiveProgress
from asset.cli.model_words import add_model, loaded, spec_of
from asset.engine.outcome import Progress
from asset.errors import UsageError
from asset.report.destination import Outputs

if TYPE_CHECKING:
    from asset.space.exploring import Explored
    from asset.space.state_graph import StateGraph

_DESCRIPTION = """\
Draws the state space: the initial state on top, in layers by the distance from
it; terminal and bad states marked; an arrow for each transition, by family.
Small spaces are drawn as they are. Larger ones are drawn by their strong
components or by their levels, with what else would show something: only some
variables (--project), the strong components (--condense), or all (--limit)."""

_EXAMPLES = """\
examples:
  asset graph ring.py -p n=2 -o space.svg        a picture
  asset graph ring.py -o space.html --project client[0],server[0]
                                                 how one station behaves, for a browser
  asset graph ring.py -o space.svg --condense    which parts can be left for good
  asset graph ring.py -o space.aut               for mCRL2, CADP, LTSmin
The ending of the file says what is written: svg, html, dot, aut or json."""

FORMATS = ("svg", "html", "dot", "aut", "json")
_PICTURES = ("svg", "html", "dot")

LIMIT = 300
"""Nodes of a picture: with more, nothing can be seen."""

FEW = 40
"""Strong components that are drawn with their values."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = _DESCRIPTION, _EXAMPLES
    add_model(parser)
    parser.add_argument("-o", dest="file", metavar="FILE", required=True, help="the file to write")
    view = parser.add_mutually_exclusive_group()
    view.add_argument("--project", metavar="VARIABLES", help="draw only these variables or cells, like client[0],token")
    view.add_argument("--condense", action="store_true", help="draw each strong component as one node")
    for reduction in ("stubborn", "symmetry"):
        what = f"draw the space as {reduction} reduces it"
        choices = ("off", "hand", "auto")
        parser.add_argument(f"--{reduction}", choices=choices, default="off", metavar="{off,hand,auto}", help=what)
    parser.add_argument("--limit", type=arguments.positive, metavar="N", help=f"nodes of a picture (default {LIMIT})")
    parser.add_argument(
        "--max-states", type=arguments.positive, default=200_000, metavar="N", help="explore no more (default 200000)"
    )


def run(words: argparse.Namespace) -> int:
    """The file has the state space, or the view of it that was asked for."""
    from asset.space import exports
    from asset.space.page import page
    from asset.space.svg import svg

    written = Path(words.file).suffix.removeprefix(".")
    if written not in FORMATS:
        raise UsageError.of(
            f"-o {words.file}: its ending does not say what to write", remedy=f"end it in .{', .'.join(FORMATS)}"
        )
    if words.limit is not None and written not in _PICTURES:
        raise UsageError.of("--limit is for pictures, and this is none", remedy="leave it out")
    outputs = Outputs({"-o": words.file})
    outputs.require_writable(stdout=False)
    if written == "aut" and words.project is None and not words.condense and _aut_of_machine_code(words, outputs):
        return 0
    explored = _explored(words, outputs)
    graph = _picture(explored, words) if written in _PICTURES else _view(explored, words)
    writers: dict[str, Callable[[StateGraph], str]] = {
        "svg": svg,
        "html": page,
        "dot": exports.dot,
        "aut": exports.aut,
        "json": exports.to_json,
    }
    _write(writers[written](graph), f"{graph.title}: {graph.caption}", outputs)
    for hint in graph.hints:
        output.print_text(f"  {hint}")
    return 0


def _write(text: str, caption: str, outputs: Outputs) -> None:
    outputs.write("-o", text)
    output.print_text(f"{caption}: {outputs.files['-o']}")


def _aut_of_machine_code(words: argparse.Namespace, outputs: Outputs) -> bool:
    """Whether the file could be written without keeping the states as values, which takes ten times as long."""
    from asset.checks import CheckOptions
    from asset.space.graph_views import title
    from asset.space.labelled_edges import aut, labelled_edges

    options = CheckOptions(stubborn=words.stubborn, symmetry=words.symmetry)
    edges = labelled_edges(loaded(spec_of(words), outputs=outputs), options, words.max_states)
    if edges is None:
        return False
    _write(aut(edges), f"{title(edges.program)}: {edges.caption}", outputs)
    return True


def _explored(words: argparse.Namespace, outputs: Outputs) -> Explored:
    from asset.checks import CheckOptions
    from asset.space.exploring import explore

    subject = loaded(spec_of(words), outputs=outputs)
    options = CheckOptions(stubborn=words.stubborn, symmetry=words.symmetry)
    live = LiveProgress(sys.stderr) if output.is_terminal(sys.stderr) else None

    def observe(progress: Progress) -> bool:
        if live:
            live.show(progress)
        return True

    try:
        return explore(subject, options, words.max_states, observe)
    finally:
        if live:
            live.erase()


def _view(explored: Explored, words: argparse.Namespace) -> StateGraph:
    from asset.space.graph_views import condensed, full, projected

    if words.project is not None:
        return projected(explored, words.project.split(","))
    return condensed(explored) if words.condense else full(explored)


def _picture(explored: Explored, words: argparse.Namespace) -> StateGraph:
    """The view that was asked for; of a space with too many states to be read, one that shows its shape."""
    limit = words.limit or LIMIT
    asked = words.project is not None or words.condense
    if not asked and len(explored.states) > limit:
        return _overview(explored)
    graph = _view(explored, words)
    if len(graph.nodes) > limit:
        ways = [*_ways(explored), f"--limit {len(graph.nodes)} draws it all the same"]
        too_many = f"{len(graph.nodes):,} nodes are more than anyone can read"
        raise UsageError.of(too_many, remedy="\n    ".join(ways))
    return graph


def _overview(explored: Explored) -> StateGraph:
    """By its strong components, if there are a few; else by its levels."""
    from asset.space.graph_views import condensed
    from asset.space.levels import levels

    components = condensed(explored)
    found = components if 1 < len(components.nodes) <= FEW else levels(explored)
    too_many = f"{len(explored.states):,} states are more than anyone can read; this is their shape"
    return replace(found, hints=(too_many, *_ways(explored), f"--limit {len(explored.states)} draws every state"))


def _ways(explored: Explored) -> list[str]:
    """What else could be drawn, with how many nodes each would have."""
    from asset.space.graph_views import narrow_projections

    return [f"--project {name} draws {count} nodes" for name, count in narrow_projections(explored, 60)][:4]
