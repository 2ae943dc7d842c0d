"""The words of the command line that name a model, and the model itself, loaded."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from asset.errors import UsageError
from asset.languages import LANGUAGES, PARAMETER_OPTIONS, PATIENCE, Language, ModelSpec, language_of, load
from asset.report.destination import NO_OUTPUTS, Outputs

if TYPE_CHECKING:
    from asset.checks.subject import Subject


def add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL", help="; ".join(language.usage for language in LANGUAGES))
    for option in PARAMETER_OPTIONS:
        parser.add_argument(
            option.flag, dest=option.flag, metavar=option.form, action="append", default=[], help=option.help
        )
    parser.add_argument(
        "--patience",
        type=seconds,
        metavar="SECONDS",
        help=f"assume that a call into a .model file never returns after SECONDS (default {PATIENCE:g})",
    )
    parser.add_argument("--debug", action="store_true", help="show the traceback of an internal error")


def spec_of(words: argparse.Namespace) -> ModelSpec:
    """The model that the words name. An option that its language does not have is an error."""
    language = language_of(words.model)
    for option in PARAMETER_OPTIONS:
        given = getattr(words, option.flag)
        if given and option is not language.option:
            takers = _endings(other for other in LANGUAGES if other.option is option)
            wrong = f"{option.flag} {given[0]}: {option.flag} is for {takers} files only"
            raise UsageError.of(wrong, remedy=language.advice)
    if words.patience is not None and not language.foreign:
        takers = _endings(other for other in LANGUAGES if other.foreign)
        raise UsageError.of(f"--patience is for {takers} files only", remedy="leave it out")
    parameters = language.parameters(getattr(words, language.option.flag))
    for name in language.switches:
        if getattr(words, name, "off") == "hand":
            parameters.setdefault(name, "1")
    return ModelSpec(words.model, parameters, words.patience or PATIENCE)


def loaded(spec: ModelSpec, quiet: bool = False, outputs: Outputs = NO_OUTPUTS) -> Subject:
    """The model; what its user should know of it is printed on standard error. UsageError if an output would overwrite
    what it is made from."""
    subject = load(spec)
    outputs.require_apart(subject.sources())
    for note in () if quiet else subject.notes():
        print(f"note: {note}", file=sys.stderr)
    return subject


def _endings(languages: Iterable[Language]) -> str:
    return " and ".join(ending for language in languages for ending in language.endings)


def seconds(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds")
    return number
