"""`asset explain`: why a reduction that is derived from the model is what it is."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from asset.cli import arguments, main, output
from asset.cli.model_words import add_model, loaded, spec_of
from asset.errors import UsageError

if TYPE_CHECKING:
    from asset.checks.subject import Subject

_DESCRIPTION = """\
Shows which components --symmetry auto may interchange, and why not others; or
why --stubborn auto reduces as it does: which families of transitions are
dependent and by which lines, what would help, the rules as sentences, what was
too complicated to follow, and how many of the enabled transitions are fired."""

EXPLORED = 1_000_000
"""States that are explored without --max-states."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    add_model(parser)
    parser.add_argument("--stubborn", action="store_true", help="the stubborn set rules of --stubborn auto")
    parser.add_argument("--symmetry", action="store_true", help="the symmetries of --symmetry auto")
    parser.add_argument("--all", action="store_true", help="with --stubborn, each pair of transitions and each rule")
    arguments.add_only(parser)
    arguments.add_analysis_time(parser)
    parser.add_argument(
        "--max-states",
        type=arguments.positive,
        metavar="N",
        help=f"explore at most N states to see how much is left out (default {EXPLORED})",
    )


def run(words: argparse.Namespace) -> int:
    if words.stubborn == words.symmetry:
        raise UsageError.of("asset explain: what is to be explained?", remedy="say --stubborn or --symmetry")
    if words.symmetry and words.max_states is not None:
        raise UsageError.of("--max-states is for --stubborn only", remedy="leave it out")
    from asset.checks.subject import require_transparent

    subject = loaded(spec_of(words))
    require_transparent(subject, "asset explain", "asset check can use the reductions that the model has itself (hand)")
    if words.symmetry and words.all:
        raise UsageError.of("asset explain: --all is for --stubborn", remedy="leave it out, or say --stubborn")
    if words.symmetry:
        _symmetry(subject, words)
    else:
        _stubborn(subject, words)
    return 0


def _symmetry(subject: Subject, words: argparse.Namespace) -> None:
    from asset.checks import CheckOptions
    from asset.cli.explain_symmetry import explained

    options = CheckOptions(symmetry="auto", only=words.only, analysis_time=words.analysis_time)
    output.tell(explained(subject, options, output.width(sys.stdout)))


def _stubborn(subject: Subject, words: argparse.Namespace) -> None:
    from asset.checks import CheckOptions
    from asset.cli import explain_stubborn

    options = CheckOptions(
        stubborn="auto", only=words.only, max_states=words.max_states or EXPLORED, analysis_time=words.analysis_time
    )
    verdict = main.watched(subject, options)
    explained = explain_stubborn.explanation(subject, options)
    output.tell(explain_stubborn.report(explained, verdict, output.width(sys.stdout), words.all))
