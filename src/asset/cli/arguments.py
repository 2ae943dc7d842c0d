"""What the user asked for, from the words of the command line."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from asset import __version__
from asset.cli import output, tools
from asset.cli.model_words import add_model, spec_of
from asset.cli.sizes import parse_size, parse_time
from asset.deferred import dataclass
from asset.errors import UsageError
from asset.languages import ModelSpec, language_of
from asset.report.destination import STDOUT
from asset.report.formats import FORMATS

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
  asset explore counter.py              the same in the browser
  asset graph counter.py -o space.svg   every state, as a picture
  asset explain counter.py --stubborn   why --stubborn auto reduces as it does
  asset explain counter.py --symmetry   which components are interchangeable

and while it is written, and when it grows:

  asset new room.py                     a first model, with a mistake to find
  asset examples                        models that teach one idea each
  asset watch counter.py                checks it at each save
  asset sweep counter.py -p limit=1..9  how fast it grows, and how far it goes

`asset COMMAND --help` shows the options of a command, with examples."""

_EXAMPLES = """\
examples:
  asset check ring.py                         the only model in ring.py
  asset check ring.py:TokenRing -p n=8        this class, with its parameter n = 8
  asset check ring.py --only safety,deadlock  these checks and no others
  asset check ring.py --ltl 'G F token[0]'    a formula of temporal logic besides
  asset check ring.py --stubborn auto         reduced by stubborn sets, derived from the model
  asset check ring.py --symmetry auto         reduced by symmetries, found in the model
  asset check ring.py --stubborn off --symmetry off   not reduced, however large it is
  asset check ring.py --stubborn hand         reduced by the model's own stubborn set rules
  asset check ring.py --stubborn hand --audit and tests these rules
  asset check ring.py --max-memory 4G         give up before it takes more
  asset check ring.py --html ring.html        a page to step through the counterexample
  asset check ring.py --json - | jq .verdict  the verdict, for scripts
  asset check ring.model -D size_par=8        a model of the original ASSET, in C++

exit status:
  0  the properties hold        2  the command line or the model is at fault
  1  a property is violated     3  undecided: a limit was reached, Ctrl-C, or a
                                   reduction that does not preserve a property"""

_RUN_EXAMPLES = """\
examples:
  asset run ring.py                 what usually happens: the first enabled transition, again and again
  asset run ring.py --random 7      a random run; the same number gives the same run
  asset run ring.pml --trail        the run that SPIN found, in ring.pml.trail

exit status:
  0  a run was shown                2  the command line or the model is at fault
  1  something goes wrong in it"""

BESIDE = ""
"""The file of a trail is that of the model, with .trail behind it."""

_STEP_EXAMPLES = """\
A number fires the transition of that number, u takes it back, h lists what
else there is."""

AUDIT_DEPTH = 3
"""Of --audit without a number: deep enough for most mistakes, shallow enough to wait for."""

MOST = 2**63 - 1
"""Of whatever is counted."""

STEPS = 40
"""Of `asset run` without --steps."""


@dataclass(frozen=True, slots=True)
class CheckCommand:
    """`asset check …`: which model, how, and where the reports go."""

    model: ModelSpec
    options: CheckOptions
    files: Mapping[str, str]
    """Each format that was asked for, and where its report goes: a file, or `-`."""
    quiet: bool
    annotations: bool = False
    format: str = "text"
    typed: str = ""
    """What the user wrote."""


@dataclass(frozen=True, slots=True)
class RunCommand:
    """`asset run …`: at most so many steps, each time the first enabled transition or, with a `seed`, a random one; or
    the run that a file of another tool describes."""

    model: ModelSpec
    steps: int
    seed: int | None
    trail: str | None = None


@dataclass(frozen=True, slots=True)
class StepCommand:
    """`asset step …`: the user chooses the steps; `seed` is for random steps."""

    model: ModelSpec
    seed: int | None


@dataclass(frozen=True, slots=True)
class ToolCommand:
    """A command of `asset.cli.tools`, with its words."""

    name: str
    words: argparse.Namespace


Command = CheckCommand | RunCommand | StepCommand | ToolCommand


def parse(arguments: Sequence[str]) -> Command:
    """The command, or UsageError. For --help and --version, prints and raises SystemExit, as argparse does."""
    parser = parser_for(arguments[0] if arguments else "")
    if not arguments:
        parser.print_help(sys.stderr)
        raise SystemExit(2)
    words = parser.parse_args(arguments)
    words.given = arguments
    if words.command in tools.TOOLS:
        return ToolCommand(words.command, words)
    model = spec_of(words)
    match words.command:
        case "run":
            trail = f"{model.file}.trail" if words.trail == BESIDE else words.trail
            return RunCommand(model, words.steps, words.random, trail)
        case "step":
            return StepCommand(model, words.random)
        case _:
            options = options_of(words, model)
            typed = shlex.join(["asset", *arguments])
            return CheckCommand(model, options, _files(words), words.quiet, words.annotations, words.format, typed)


def _files(words: argparse.Namespace) -> dict[str, str]:
    """The reports asked for; standard output takes one of them."""
    files = {name: file for name in FORMATS if (file := getattr(words, name)) is not None}
    to_stdout = [name for name, file in files.items() if file == STDOUT]
    if len(to_stdout) > 1:
        raise UsageError.of(
            f"--{to_stdout[0]} and --{to_stdout[1]} cannot both go to standard output", remedy="give one of them a file"
        )
    return files


def options_of(words: argparse.Namespace, model: ModelSpec) -> CheckOptions:
    """How to check the model; a reduction may be switched on by a parameter of the model as well."""
    # Imported here: `--help` and mistyped options need no checks.
    from asset.checks import CheckOptions

    switched = [name for name in language_of(model.file).switches if name in model.parameters]
    return CheckOptions(
        stubborn="hand" if "stubborn" in switched and words.stubborn in (None, "off") else words.stubborn,
        symmetry="hand" if "symmetry" in switched and words.symmetry in (None, "off") else words.symmetry,
        engine=words.engine,
        only=words.only,
        max_states=words.max_states,
        max_memory=words.max_memory,
        threads=words.threads,
        termination=words.termination,
        dl_not_may=words.dl_not_may,
        dl_not_must=words.dl_not_must,
        audit=words.audit,
        trace=getattr(words, "trace", None),
        analysis_time=words.analysis_time,
        as_asked=getattr(words, "as_asked", False),
        ltl=tuple(words.ltl),
        ctl=tuple(words.ctl),
        fair=words.fair,
        on_the_fly=words.on_the_fly,
        coverage=getattr(words, "coverage", False) or getattr(words, "ranges", False),
        ranges=getattr(words, "ranges", False),
        keep_going=getattr(words, "keep_going", False),
        store=getattr(words, "store", None),
        expect=getattr(words, "expect", None),
        spill=getattr(words, "spill", None),
        cluster=getattr(words, "cluster", None),
        ranks=getattr(words, "ranks", None),
        address=getattr(words, "address", None),
        checkpoint=getattr(words, "checkpoint", None),
        resume=words.command == "check" and words.resume,  # a sweep has a --resume of its own
        profile=getattr(words, "profile", False),
        every=getattr(words, "every", None),
        command=tuple(getattr(words, "given", ())),
    )


class _Parser(argparse.ArgumentParser):
    """Reports mistakes as UsageError, like every other part of the tool; an option must be written in full."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **settings)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """That of a command is the last to know the options: what it does not know, nobody does."""
        words, unknown = super().parse_known_args(args, namespace)
        if unknown:
            word = unknown[0]
            what = f"{self.prog} has no option {word}" if word.startswith("-") else f"one word too many: {word}"
            close = get_close_matches(word, self._option_string_actions, n=1)
            raise UsageError.of(what, remedy=f"did you mean {close[0]}?" if close else self._help())
        return words, unknown

    def _print_message(self, message: str, file: object = None) -> None:
        """Help and version, also on a terminal without Unicode; a full disk is an error."""
        wrong = file is sys.stderr
        if wrong:
            output.write(message.rstrip("\n"), sys.stderr)
        else:
            output.print_text(message.rstrip("\n"))

    def error(self, message: str) -> NoReturn:
        raise UsageError.of(message, remedy=self._help())

    def _help(self) -> str:
        return f"`{self.prog} --help` shows what there is"

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.dest == "command" and action.choices is not None and value not in action.choices:
            known = list(action.choices)
            close = get_close_matches(str(value), known, n=1)
            is_file = "." in str(value)
            meant = f"asset check {value}" if is_file else f"asset {close[0]}" if close else ""
            remedy = f"did you mean `{meant}`?" if meant else f"there are: {', '.join(known)}"
            raise UsageError.of(f"there is no command {value!r}", remedy=remedy)
        super()._check_value(action, value)


def parser_for(command: str) -> argparse.ArgumentParser:
    """Understands every command, and the options of a tool only if `command` is that tool."""
    parser = _Parser(prog="asset", description=_DESCRIPTION, epilog=_TOUR)
    python = ".".join(map(str, sys.version_info[:3]))
    parser.add_argument("--version", action="version", version=f"asset {__version__} (Python {python})")
    commands = parser.add_subparsers(required=True, dest="command", metavar="COMMAND", title="commands")
    _add_check(commands)
    _add_run(commands)
    _add_step(commands)
    tools.add_to(commands, command)
    return parser


_Commands: TypeAlias = "argparse._SubParsersAction[_Parser]"


def _add_check(commands: _Commands) -> None:
    check = commands.add_parser(
        "check",
        help="check a model",
        description="Explores every reachable state of a model and says whether its properties hold.",
        epilog=_EXAMPLES,
    )
    add_model(check)
    add_method(check)
    add_progress(check)
    check.add_argument(
        "--coverage",
        action="store_true",
        help="say which transitions never fired and which branches were never taken; without reductions",
    )
    check.add_argument(
        "--ranges",
        action="store_true",
        help="as --coverage, and say which ends of Int ranges no state has",
    )
    check.add_argument(
        "--profile",
        action="store_true",
        help="say where the time of the search goes, and which transitions cost most; without reductions",
    )
    add_limits(check)
    add_store(check)
    _add_long(check)
    _add_reports(check)


def _add_run(commands: _Commands) -> None:
    run = commands.add_parser(
        "run",
        help="show one run of a model",
        description="Shows one run of a model, and what goes wrong in it; nothing else is explored.",
        epilog=_RUN_EXAMPLES,
    )
    add_model(run)
    run.add_argument("--steps", type=positive, default=STEPS, metavar="N", help=f"at most N steps (default {STEPS})")
    _add_random(run, "a random run: each step any of the enabled transitions")
    run.add_argument(
        "--trail",
        nargs="?",
        const=BESIDE,
        metavar="FILE",
        help="the run of a trail that SPIN wrote for a Promela model; without FILE, of MODEL.trail",
    )


def _add_step(commands: _Commands) -> None:
    step = commands.add_parser(
        "step",
        help="step through a model",
        description="Shows a state and what can happen in it; the user chooses, step by step.",
        epilog=_STEP_EXAMPLES,
    )
    add_model(step)
    _add_random(step, "the seed of `r`, a random step")


def _add_random(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("--random", type=int, metavar="SEED", help=what)


def add_method(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(
        "how to check",
        "Without --stubborn and --symmetry, a small model is explored in full, and a\n"
        "large one with the reductions that are seen to pay.",
    )
    for reduction, shown, what in (
        ("stubborn", "{off,hand,auto}", "stubborn sets, by the rules in the model (hand), or derived from it (auto)"),
        ("symmetry", "{off,hand,auto}", "symmetry, by the representatives in the model (hand), or found in it (auto)"),
    ):
        group.add_argument(f"--{reduction}", choices=("off", "hand", "auto"), metavar=shown, help=what)
    add_analysis_time(group)
    group.add_argument(
        "--as-asked", action="store_true", help="with --symmetry auto: use what was found even if it saves nothing"
    )
    group.add_argument(
        "--audit",
        nargs="?",
        type=positive,
        const=AUDIT_DEPTH,
        metavar="DEPTH",
        help=f"test the hand-written rules and representatives, DEPTH steps ahead (default {AUDIT_DEPTH}); slow",
    )
    group.add_argument(
        "--engine",
        choices=("native", "reference"),
        default="native",
        help="native runs compiled code; reference, the specification, is slow but takes any Python",
    )


def add_progress(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what to check")
    add_only(group)
    group.add_argument(
        "--termination", action="store_true", help="check that a terminal state can be reached from every state"
    )
    for name, what in (("ltl", "holds on every run"), ("ctl", "holds in the initial state")):
        told = f"check a formula that {what}, written as in SPIN or SMV"
        group.add_argument(f"--{name}", action="append", default=[], metavar="FORMULA", help=told)
    group.add_argument(
        "--fair",
        choices=("weak", "strong"),
        help="temporal properties are about runs that are fair to each process: one that can always move does move"
        " (weak), or one that can move again and again (strong)",
    )
    group.add_argument(
        "--on-the-fly",
        action="store_true",
        help="search for violations of LTL depth-first, and stop at the first one, before anything else is explored",
    )
    group.add_argument(
        "--keep-going",
        action="store_true",
        help="answer every property, each violation with its own run; without it, only if that takes little",
    )
    for kind in ("may", "must"):
        group.add_argument(
            f"--dl-not-{kind}", action="store_true", help=f"terminal states do not count as {kind} progress"
        )


def add_only(group: argparse._ActionsContainer) -> None:
    group.add_argument(
        "--only",
        type=_kinds,
        metavar="KIND[,KIND…]",
        help="these checks only: safety, deadlock, may, must, recurrence, termination, temporal",
    )


def add_analysis_time(group: argparse._ActionsContainer) -> None:
    group.add_argument(
        "--analysis-time",
        type=positive,
        metavar="SECONDS",
        help="how long finding reductions may take (default 5); then the search does with what was found",
    )


def add_limits(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("limits")
    group.add_argument("--max-states", type=positive, metavar="N", help="give up, undecided, at so many states")
    group.add_argument(
        "--max-memory", type=parse_size, metavar="SIZE", help="give up, undecided, at so much memory: 512M, 4G, 1.5GiB…"
    )
    group.add_argument("--threads", type=positive, default=1, metavar="N", help="explore with N threads (default 1)")


def add_store(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("how to keep states")
    group.add_argument(
        "--store",
        choices=("exact", "tree", "bitstate", "compact"),
        help="in tables (exact); wide ones by parts that they share (tree, exact too); by hashes that may omit states"
        " (bitstate hashing, hash compaction): then nothing is said to hold, but how many states are expected to be"
        " omitted",
    )
    group.add_argument("--expect", type=positive, metavar="N", help="about how many states there are, for the above")
    group.add_argument(
        "--spill", metavar="DIR", help="if memory ends, go on with files in this folder: slower, and as exact"
    )


def _add_long(parser: argparse.ArgumentParser) -> None:
    """For checks that take long."""
    add_ranks(parser)
    group = parser.add_argument_group("to go on after it was ended")
    group.add_argument(
        "--checkpoint",
        metavar="FILE",
        help="keep the check there, so that `asset resume FILE` can go on with it; of a cluster, a folder",
    )
    group.add_argument("--every", type=parse_time, metavar="TIME", help="how often: 30s, 5m, 2h… (default 5m)")
    group.add_argument("--resume", action="store_true", help="go on from what --checkpoint has")


def add_ranks(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    group = parser.add_argument_group("beyond one machine")
    group.add_argument(
        "--cluster",
        choices=("local", "mpi", "ray"),
        help="explore with many processes: of this machine (local), of mpirun or a batch system (mpi), of Ray",
    )
    group.add_argument("--ranks", type=positive, metavar="N", help="how many processes (default 2; MPI knows itself)")
    group.add_argument("--address", metavar="ADDRESS", help="of a cluster of Ray that runs already")
    return group


def _add_reports(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("reports")
    group.add_argument(
        "--trace",
        choices=("fewest-switches", "causal", "first"),
        help="which run shows a violation: one with the fewest changes of process (the default, if that costs"
        " little), one with only the steps that matter, or the first one found",
    )
    for name, what in FORMATS.items():
        group.add_argument(f"--{name}", metavar="FILE", help=f"write {what}; - writes it to standard output")
    group.add_argument("--annotations", action="store_true", help="print the finding as an annotation for GitHub")
    group.add_argument(
        "--format",
        choices=("text", "asset", "spin"),
        default="text",
        help="asset: as the original ASSET prints its results; spin: the run as `spin -t -p` does (Promela)",
    )
    group.add_argument("--quiet", action="store_true", help="print the verdict's first line only, and no progress")


def _kinds(text: str) -> frozenset[str]:
    """The kinds that are named; the checks say whether they exist."""
    kinds = frozenset(word.strip() for word in text.split(","))
    if "" in kinds:
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of kinds like safety,deadlock")
    return kinds


def positive(text: str) -> int:
    return _within(text, 1, MOST, "a positive number")


def _within(text: str, least: int, most: int, what: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if number > most:
        raise argparse.ArgumentTypeError(f"{text!r} is too large: the most is {most}")
    if number < least:
        raise argparse.ArgumentTypeError(f"{text!r} is not {what}")
    return number
