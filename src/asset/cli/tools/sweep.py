"""`asset sweep`: a model checked for one value of a parameter after the other."""

from __future__ import annotations

import argparse
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from asset import __version__
from asset.cli import arguments, output
from asset.cli.model_words import add_model, spec_of
from asset.errors import ModelRejected, UsageError
from asset.languages import ModelSpec, language_of, load
from asset.report.destination import Outputs
from asset.report.document import EMPTY, Piece, Role, line
from asset.sweep import telling
from asset.sweep.growth import as_number
from asset.sweep.measuring import check_command, measure
from asset.sweep.plot import svg
from asset.sweep.room import free_memory
from asset.sweep.row import Series, SweepRow
from asset.sweep.sweeping import Budget, Sweep
from asset.sweep.swept import split

if TYPE_CHECKING:
    from asset.checks import CheckOptions

_DESCRIPTION = """\
Checks a model for one value of a parameter after the other, each in a process
of its own, and says how fast it grows. It stops by itself before a value that
this machine has no memory for. With a reduction, each value is checked without
it as well, as long as that fits, to show what it saves."""

_EXAMPLES = """\
examples:
  asset sweep ring.py -p n=2..9                          2, 3, … 9
  asset sweep ring.py -p n=2..20:3 -p slots=4            2, 5, … 20, with slots = 4
  asset sweep ring.py -p n=1,2,4,8 --stubborn hand       and what stubborn sets save
  asset sweep ring.py -p n=2..9 --svg growth.svg --csv growth.csv
  asset sweep ring.py -p n=2..12 --json sweep.json --resume   continues an earlier sweep

exit status:
  0  every value holds          2  the command line or the model is at fault
  1  a value is violated        3  a value is undecided, or was not begun"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = _DESCRIPTION, _EXAMPLES
    add_model(parser)
    arguments.add_method(parser)
    arguments.add_progress(parser)
    arguments.add_limits(parser)
    parser.add_argument(
        "--max-seconds", type=arguments.positive, metavar="S", help="begin no value that is expected to take longer"
    )
    group = parser.add_argument_group("reports")
    group.add_argument("--json", metavar="FILE", help="write all rows as JSON, after each value")
    group.add_argument("--csv", metavar="FILE", help="write all rows as comma-separated values")
    group.add_argument("--svg", metavar="FILE", help="write a plot of the states")
    group.add_argument("--resume", action="store_true", help="take from the JSON file what was checked before")


def run(words: argparse.Namespace) -> int:
    """Sweeps, and prints each row when it is known; the exit status is that of the worst row."""
    named = {"--json": words.json, "--csv": words.csv, "--svg": words.svg}
    outputs = Outputs({flag: file for flag, file in named.items() if file is not None})
    outputs.require_writable(stdout=False)
    sweeping = _Sweeping(words, outputs)
    sweeping.run()
    return sweeping.exit_status


class _Sweeping:
    """A sweep of the command line, with its files."""

    def __init__(self, words: argparse.Namespace, outputs: Outputs) -> None:
        self.words = words
        self.outputs = outputs
        self.model = spec_of(words)
        self.swept, self.fixed = split(self.model.parameters, language_of(self.model.file).option.flag)
        from asset.checks import CheckOptions
        from asset.checks.advice import for_size

        options = arguments.options_of(words, self.model)
        self.limits = words_of(CheckOptions(max_states=options.max_states, max_memory=options.max_memory))
        self.budget = Budget(options.max_memory or free_memory(), words.max_seconds, for_size)
        series = _series(replace(options, max_states=None, max_memory=None))
        values = self.swept.values
        if words.svg is not None and all(as_number(value) is None for value in values):
            raise UsageError.of(f"--svg {words.svg}: there is nothing to plot", remedy="sweep over numbers")
        self.sweep = Sweep(values, series, self.budget, self._measured, self._fingerprint, self._kept())

    def run(self) -> None:
        name, series = self.swept.name, self.sweep.series
        self._fingerprint(self.swept.values[0], series[-1])  # a mistake in the model is reported before anything else
        output.tell([line(Piece(self._title(), Role.STRONG)), EMPTY, telling.titles(name, series)])
        try:
            for value in self.sweep.run():
                output.tell([telling.told(value, self.sweep.series)])
                self.outputs.write("--json", telling.to_json(name, self.sweep.series))
        except KeyboardInterrupt:
            self.sweep.interrupt()
        closing = list(telling.conclusion(name, self.sweep.series, self.budget, self.swept.values))
        if closing:
            output.tell([EMPTY, *closing])
        self.outputs.write("--csv", telling.to_csv(self.sweep.series))
        self.outputs.write("--svg", svg(self._title(), name, self.sweep.series))

    @property
    def exit_status(self) -> int:
        verdicts = [row.verdict for series in self.sweep.series for row in series.rows]
        if "violated" in verdicts:
            return 1
        last = self.sweep.series[-1]
        all_hold = all((row := last.row(value)) is not None and row.verdict == "holds" for value in self.swept.values)
        return 0 if all_hold else 3

    def _title(self) -> str:
        switches = language_of(self.model.file).switches
        fixed = "".join(f", {name} = {value}" for name, value in self.fixed.items() if name not in switches)
        first, last = self.swept.values[0], self.swept.values[-1]
        return f"{Path(self.model.file).name}: {self.swept.name} = {first} … {last}{fixed}"

    def _spec(self, value: str, series: Series) -> ModelSpec:
        """The model with that value; a reduction that the series leaves out is no parameter of the model either."""
        off = {name for name, value in pairwise(series.options) if value == "off"}
        left_out = {name for name in language_of(self.model.file).switches if f"--{name}" in off}
        fixed = {name: text for name, text in self.fixed.items() if name not in left_out}
        return replace(self.model, parameters={**fixed, self.swept.name: value})

    def _measured(self, value: str, series: Series) -> SweepRow:
        options = (*series.options, *self.limits, "--json", "-")
        words = check_command(self._spec(value, series).words, options)
        return measure(words, value, self._fingerprint(value, series))

    def _fingerprint(self, value: str, series: Series) -> str:
        """Of the model and the options but the limits, which do not change what was explored completely.

        Empty for a model that cannot be compiled.
        """
        subject = load(self._spec(value, series))
        self.outputs.require_apart(subject.sources())
        try:
            model = subject.fingerprint()
        except ModelRejected:
            if "reference" not in series.options:
                raise
            return ""
        return sha256(repr((__version__, series.options, model)).encode()).hexdigest()

    def _kept(self) -> dict[str, SweepRow]:
        if not self.words.resume:
            return {}
        if self.words.json is None:
            raise UsageError.of("--resume needs the file of the earlier sweep", remedy="say --json FILE as well")
        file = Path(self.words.json)
        try:
            return telling.rows_in(file.read_text(encoding="utf-8")) if file.exists() else {}
        except (OSError, ValueError) as error:
            remedy = "leave --resume out, and it will be written anew"
            raise UsageError.of(f"{file} has no sweep that can be resumed: {error}", remedy=remedy) from None


def _series(options: CheckOptions) -> list[Series]:
    """The series that is asked for; if it has a reduction, the plain series before it.

    All sizes are explored in one way, so that growth can be compared: nothing is left to the tool to choose.
    """
    options = replace(options, stubborn=options.stubborn or "off", symmetry=options.symmetry or "off")
    used = [f"{name} {getattr(options, name)}" for name in ("stubborn", "symmetry") if getattr(options, name) != "off"]
    asked = replace(options, as_asked=options.symmetry == "auto")
    series = Series(", ".join(used) or "plain", tuple(words_of(asked)))
    if not used:
        return [series]
    return [Series("plain", tuple(words_of(replace(options, stubborn="off", symmetry="off", audit=None)))), series]


def words_of(options: CheckOptions) -> list[str]:
    """The options that are not as usual, as `asset check` takes them."""
    usual = type(options)().to_dict()
    words: list[str] = []
    for name, value in options.to_dict().items():
        if value == usual[name]:
            continue
        if name in ("ltl", "ctl"):
            words += [word for text in value for word in (f"--{name}", text)]
            continue
        words.append(f"--{name.replace('_', '-')}")
        if value is not True:
            words.append(",".join(value) if isinstance(value, list) else str(value))
    return words
