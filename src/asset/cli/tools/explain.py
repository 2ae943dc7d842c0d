"""`asset explain`: why a reduction that is derived from the model is what it is."""

from __future__ import annotations

import argparse
import sys

from asset.cli import arguments, main, output
from asset.errors import UsageError

_DESCRIPTION = """\
Shows which components --symmetry auto takes for interchangeable, and which not
and why; or why --stubborn auto reduces as it does: which pairs of transitions are
dependent and by which lines, the rules as sentences, what could not be seen
through, and how many of the enabled transitions are fired."""

EXPLORED = 1_000_000
"""States that are explored without --max-states."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    arguments.add_model(parser)
    parser.add_argument("--stubborn", action="store_true", help="the stubborn set rules of --stubborn auto")
    parser.add_argument("--symmetry", action="store_true", help="the symmetries of --symmetry auto")
    arguments.add_only(parser)
    arguments.add_analysis_time(parser)
    parser.add_argument(
        "--max-states",
        type=arguments.positive,
        default=EXPLORED,
        metavar="N",
        help=f"explore at most N states to see how much is left out (default {EXPLORED})",
    )


def run(words: argparse.Namespace) -> int:
    if words.stubborn == words.symmetry:
        raise UsageError.of("asset explain: what is to be explained?", remedy="say --stubborn or --symmetry")
    arguments.require_python(words)
    if words.symmetry:
        _symmetry(words)
    else:
        _stubborn(words)
    return 0


def _symmetry(words: argparse.Namespace) -> None:
    from asset.checks import CheckOptions
    from asset.cli.explain_symmetry import explained
    from asset.frontends.python import load

    model = load(words.model, arguments.pairs(words.parameter))
    options = CheckOptions(symmetry="auto", only=words.only)
    main.tell(explained(model, options, output.width(sys.stdout)))


def _stubborn(words: argparse.Namespace) -> None:
    from asset.checks import CheckOptions
    from asset.checks.subject import PythonSubject
    from asset.cli import explain_stubborn
    from asset.frontends.python import load

    model = load(words.model, arguments.pairs(words.parameter))
    options = CheckOptions(
        stubborn="auto", only=words.only, max_states=words.max_states, analysis_time=words.analysis_time
    )
    verdict = main.watched(PythonSubject(model), options)
    program, explained = explain_stubborn.explanation(model, options)
    main.tell(explain_stubborn.report(program, explained, verdict, output.width(sys.stdout)))
