"""What the user asked for, from the words of the command line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from asset import __version__
from asset.cli.sizes import parse_size
from asset.errors import UsageError

if TYPE_CHECKING:
    from asset.checks import CheckOptions

_DESCRIPTION = """\
A state space exploration tool: explores every reachable state of a concurrent
system written as a Python class, and says whether its properties hold, or how
they break."""

_TOUR = """\
a model, counter.py:

  from asset import Int, Model, invariant, transition, when

  class Counter(Model):
      limit: int = 9

      def state(self):
          self.value = Int(0, 100)

      @transition
      def increment(self):
          when(self.value < self.limit)
          self.value += 1

      @invariant
      def within_limit(self):
          return self.value <= self.limit

and its check:

  asset check counter.py                every property, every reachable state
  asset check counter.py -p limit=50    with another value of its parameter

and a look at how it behaves, and at what reduces it:

  asset run counter.py                  one run, step by step
  asset step counter.py                 choose each step yourself
  asset explain counter.py --stubborn   why --stubborn auto reduces as it does
  asset explain counter.py --symmetry   which components are interchangeable

`asset check --help` shows all the options."""

_EXAMPLES = """\
examples:
  asset check ring.py                         the only model in ring.py
  asset check ring.py:TokenRing -p n=8        this class, with its parameter n = 8
  asset check ring.py --only safety,deadlock  these checks and no others
  asset check ring.py --stubborn auto         reduced by stubborn sets, derived from the model
  asset check ring.py --symmetry auto         reduced by symmetries, found in the model
  asset check ring.py --stubborn hand         reduced by the model's own stubborn set rules
  asset check ring.py --stubborn hand --audit and these rules tested on the way
  asset check ring.py --max-memory 4G         end undecided rather than take more
  asset check ring.py --json - | jq .verdict  the verdict, for scripts

exit status:
  0  the properties hold        2  the command line or the model is at fault
  1  a property is violated     3  undecided: a limit was reached, Ctrl-C, or a
                                   reduction that does not preserve a property"""

_RUN_EXAMPLES = """\
examples:
  asset run ring.py                 what usually happens: the first enabled transition, again and again
  asset run ring.py --random 7      a random run; the same number gives the same run

exit status:
  0  a run was shown                2  the command line or the model is at fault
  1  something goes wrong in it"""

_STEP_EXAMPLES = """\
A number fires the transition of that number, u takes it back, h lists what else there is."""

_EXPLAIN = """\
Shows which components --symmetry auto takes for interchangeable, and which not
and why; or why --stubborn auto reduces as it does: which pairs of transitions are
dependent and by which lines, the rules as sentences, what could not be seen
through, and how many of the enabled transitions are fired."""

AUDIT_DEPTH = 3
"""Of --audit without a number: deep enough for most mistakes, shallow enough to wait for."""

STEPS = 40
"""Of `asset run` without --steps."""

EXPLORED = 1_000_000
"""States that `asset explain` explores without --max-states."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The model that the command is about."""

    file: str
    parameters: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class CheckCommand:
    """`asset check …`: which model, how, and where the reports go."""

    model: Chosen
    options: CheckOptions
    json: str | None
    quiet: bool


@dataclass(frozen=True, slots=True)
class RunCommand:
    """`asset run …`: at most so many steps, the first enabled transition each time, or a random one by `seed`."""

    model: Chosen
    steps: int
    seed: int | None


@dataclass(frozen=True, slots=True)
class StepCommand:
    """`asset step …`: the user chooses the steps; `seed` is for those left to chance."""

    model: Chosen
    seed: int | None


@dataclass(frozen=True, slots=True)
class ExplainCommand:
    """`asset explain …`: the stubborn set rules that `options` derive and what comes of them, or the symmetries."""

    model: Chosen
    options: CheckOptions


Command = CheckCommand | RunCommand | StepCommand | ExplainCommand


def parse(arguments: Sequence[str]) -> Command:
    """The command, or UsageError. For --help and --version, prints and raises SystemExit, as argparse does."""
    parser = _parser()
    if not arguments:
        parser.print_help(sys.stderr)
        raise SystemExit(2)
    words = parser.parse_args(arguments)
    _require_supported(words.model, words.define)
    model = Chosen(words.model, _pairs(words.parameter))
    match words.command:
        case "run":
            return RunCommand(model, words.steps, words.random)
        case "step":
            return StepCommand(model, words.random)
        case "explain":
            return ExplainCommand(model, _explained_options(words))
        case _:
            return CheckCommand(model, _options(words), words.json, words.quiet)


def _options(words: argparse.Namespace) -> CheckOptions:
    # Imported here: `--help` and mistyped options need no checks.
    from asset.checks import CheckOptions

    return CheckOptions(
        stubborn=words.stubborn,
        symmetry=words.symmetry,
        engine=words.engine,
        only=words.only,
        max_states=words.max_states,
        max_memory=words.max_memory,
        threads=words.threads,
        termination=words.termination,
        dl_not_may=words.dl_not_may,
        dl_not_must=words.dl_not_must,
        audit=words.audit,
        analysis_time=words.analysis_time,
    )


def _explained_options(words: argparse.Namespace) -> CheckOptions:
    from asset.checks import CheckOptions

    if words.stubborn == words.symmetry:
        raise UsageError.of("asset explain: what is to be explained?", remedy="say --stubborn or --symmetry")
    if words.symmetry:
        return CheckOptions(symmetry="auto", only=words.only)
    return CheckOptions(
        stubborn="auto", only=words.only, max_states=words.max_states, analysis_time=words.analysis_time
    )


def _require_supported(model: str, definitions: Sequence[str]) -> None:
    if model.endswith(".model"):
        raise UsageError.of(
            f"{model}: .model files are not supported in this version", remedy="write the model as a Python class"
        )
    if definitions:
        raise UsageError.of(
            f"-D {definitions[0]}: -D is for .model files only",
            remedy="-p NAME=VALUE gives a parameter of a Python model its value",
        )


def _pairs(words: Sequence[str]) -> dict[str, str]:
    """The parameters by name; each once."""
    pairs: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not name.isidentifier() or not equals:
            raise UsageError.of(f"-p {word}: not of the form NAME=VALUE", remedy="write it like -p n=8")
        if name in pairs:
            raise UsageError.of(f"-p {word}: {name} already has the value {pairs[name]}", remedy="give it once")
        pairs[name] = value
    return pairs


class _Parser(argparse.ArgumentParser):
    """Reports mistakes as UsageError, like every other part of the tool; an option must be written in full."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **settings)

    def error(self, message: str) -> NoReturn:
        raise UsageError.of(message, remedy=f"`{self.prog} --help` shows what there is")


def _parser() -> _Parser:
    parser = _Parser(prog="asset", description=_DESCRIPTION, epilog=_TOUR)
    python = ".".join(map(str, sys.version_info[:3]))
    parser.add_argument("--version", action="version", version=f"asset {__version__} (Python {python})")
    commands = parser.add_subparsers(required=True, dest="command", metavar="COMMAND", title="commands")
    check = commands.add_parser(
        "check",
        help="check a model",
        description="Explores every reachable state of a model and answers for its properties.",
        epilog=_EXAMPLES,
    )
    _add_model(check)
    _add_method(check)
    _add_progress(check)
    _add_limits(check)
    _add_reports(check)
    run = commands.add_parser(
        "run",
        help="show one run of a model",
        description="Shows one run of a model, and what goes wrong in it, without exploring anything else.",
        epilog=_RUN_EXAMPLES,
    )
    _add_model(run)
    run.add_argument("--steps", type=_positive, default=STEPS, metavar="N", help=f"at most N steps (default {STEPS})")
    _add_random(run, "a random run: each step any of the enabled transitions")
    step = commands.add_parser(
        "step",
        help="step through a model",
        description="Shows a state and what can happen in it; the user chooses, step by step.",
        epilog=_STEP_EXAMPLES,
    )
    _add_model(step)
    _add_random(step, "what `r`, a random step, goes by")
    _add_explain(commands.add_parser("explain", help="explain a reduction", description=_EXPLAIN))
    return parser


def _add_explain(parser: argparse.ArgumentParser) -> None:
    _add_model(parser)
    parser.add_argument("--stubborn", action="store_true", help="the stubborn set rules of --stubborn auto")
    parser.add_argument("--symmetry", action="store_true", help="the symmetries of --symmetry auto")
    _add_only(parser)
    _add_analysis_time(parser)
    parser.add_argument(
        "--max-states",
        type=_positive,
        default=EXPLORED,
        metavar="N",
        help=f"explore at most N states to see how much is left out (default {EXPLORED})",
    )


def _add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL", help="file.py, or file.py:Class where the file has several models")
    parser.add_argument(
        "-p", dest="parameter", metavar="NAME=VALUE", action="append", default=[], help="give a parameter its value"
    )
    parser.add_argument(
        "-D", dest="define", metavar="NAME[=VALUE]", action="append", default=[], help=argparse.SUPPRESS
    )
    parser.add_argument("--debug", action="store_true", help="show the traceback of an internal error")


def _add_random(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("--random", type=int, metavar="SEED", help=what)


def _add_method(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("how to check")
    for reduction, shown, what in (
        ("stubborn", "{off,hand,auto}", "stubborn sets, by the rules in the model (hand), or derived from it (auto)"),
        ("symmetry", "{off,hand,auto}", "symmetry, by the representatives in the model (hand), or found in it (auto)"),
    ):
        group.add_argument(f"--{reduction}", choices=("off", "hand", "auto"), default="off", metavar=shown, help=what)
    _add_analysis_time(group)
    group.add_argument(
        "--audit",
        nargs="?",
        type=_positive,
        const=AUDIT_DEPTH,
        metavar="DEPTH",
        help=f"test the rules and representatives, looking DEPTH steps ahead (default {AUDIT_DEPTH}); slow",
    )
    group.add_argument(
        "--engine",
        choices=("native", "reference"),
        default="native",
        help="native runs compiled code; reference, the specification, is slow but takes any Python",
    )


def _add_progress(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what to check")
    _add_only(group)
    group.add_argument(
        "--termination", action="store_true", help="check that a terminal state can be reached from every state"
    )
    for kind in ("may", "must"):
        group.add_argument(
            f"--dl-not-{kind}", action="store_true", help=f"terminal states do not count as {kind} progress"
        )


def _add_only(group: argparse._ActionsContainer) -> None:
    group.add_argument(
        "--only",
        type=_kinds,
        metavar="KIND[,KIND…]",
        help="these checks only: safety, deadlock, may, must, recurrence, termination",
    )


def _add_analysis_time(group: argparse._ActionsContainer) -> None:
    group.add_argument(
        "--analysis-time",
        type=_positive,
        metavar="SECONDS",
        help="how long deriving rules may take; after that, nothing is reduced",
    )


def _add_limits(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("limits")
    group.add_argument("--max-states", type=_positive, metavar="N", help="end undecided at so many states")
    group.add_argument(
        "--max-memory", type=parse_size, metavar="SIZE", help="end undecided at so much memory, like 512M, 4G or 1.5GiB"
    )
    group.add_argument("--threads", type=_positive, default=1, metavar="N", help="explore with N threads (default 1)")


def _add_reports(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("reports")
    group.add_argument("--json", metavar="FILE", help="write the verdict as JSON; - writes it to standard output")
    group.add_argument("--quiet", action="store_true", help="print the verdict's first line only, and no progress")


def _kinds(text: str) -> frozenset[str]:
    """The kinds named; whether there are such kinds is for the checks to say."""
    kinds = frozenset(word.strip() for word in text.split(","))
    if "" in kinds:
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of kinds like safety,deadlock")
    return kinds


def _positive(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive number")
    return number
