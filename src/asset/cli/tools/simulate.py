"""`asset simulate`: random runs at full speed, for models that are too large to be explored."""

from __future__ import annotations

import argparse
import secrets
import sys

from asset.checks.options import CheckOptions
from asset.checks.simulating import LENGTH, SECONDS, RandomRuns, simulate
from asset.cli import arguments, output
from asset.cli.live_progress import LiveProgress
from asset.cli.model_words import add_model, loaded, spec_of
from asset.engine.outcome import OnProgress, Progress
from asset.report import text
from asset.report.destination import STDOUT, Outputs

_DESCRIPTION = """\
Makes random runs of a model and checks what happens in them: invariants,
properties of terminal states, model errors. What is found is real, and is shown
by a run without the steps that it does not need. If nothing is found, that
proves nothing: the answer is `undecided`, with what the runs covered."""

_EXAMPLES = f"""\
examples:
  asset simulate ring.py                       for {SECONDS} seconds
  asset simulate ring.py -p n=40 --time 60 --threads 2
  asset simulate ring.py --steps 1000000 --seed 7   the same runs each time

exit status:
  1  something goes wrong in a run    2  the command line or the model is at fault
  3  nothing was found (undecided)"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = _DESCRIPTION, _EXAMPLES
    add_model(parser)
    parser.add_argument(
        "--time", type=arguments.positive, metavar="SECONDS", help=f"for so long (default {SECONDS}, unless --steps)"
    )
    parser.add_argument("--steps", type=arguments.positive, metavar="N", help="at most N steps, of all runs together")
    length = f"at most N steps in a run (default {LENGTH:,})"
    parser.add_argument("--length", type=arguments.positive, default=LENGTH, metavar="N", help=length)
    parser.add_argument("--seed", type=int, metavar="N", help="make the same runs as another simulation")
    parser.add_argument("--threads", type=arguments.positive, default=1, metavar="N", help="in N threads (default 1)")
    arguments.add_only(parser)
    parser.add_argument("--engine", choices=("native", "reference"), default="native", help="native runs compiled code")
    parser.add_argument("--json", metavar="FILE", help="write the verdict as JSON; - writes it to standard output")
    parser.add_argument("--quiet", action="store_true", help="print the verdict's first line only, and no progress")


def run(words: argparse.Namespace) -> int:
    outputs = Outputs({} if words.json is None else {"--json": words.json})
    outputs.require_writable()
    seed = secrets.randbits(32) if words.seed is None else words.seed
    seconds = SECONDS if words.time is None and words.steps is None else words.time
    runs = RandomRuns(seed, seconds, words.steps, words.length)
    options = CheckOptions(stubborn="off", symmetry="off", engine=words.engine, only=words.only, threads=words.threads)
    subject = loaded(spec_of(words), words.quiet, outputs)
    live = None if words.quiet or not output.is_terminal(sys.stderr) else LiveProgress(sys.stderr)
    verdict = simulate(subject, options, runs, None if live is None else _shown_on(live))
    if live is not None:
        live.erase()
    if words.json != STDOUT:
        with output.reader_may_leave():
            shown = (
                text.headline(verdict)
                if words.quiet
                else output.dressed(text.report(verdict, output.width(sys.stdout)), sys.stdout)
            )
            output.write(shown, sys.stdout)
    if words.json is not None:
        with output.reader_may_leave():
            outputs.write("--json", verdict.to_json())
    return verdict.exit_status


def _shown_on(live: LiveProgress) -> OnProgress:
    def show(progress: Progress) -> bool:
        live.show_simulation(progress)
        return True

    return show
