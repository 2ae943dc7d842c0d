"""What the command line says of a .model file, and what of a Python model: each has options that the other has not."""

from __future__ import annotations

import argparse

from asset.errors import UsageError

PATIENCE = 10.0
"""Seconds that one call into a .model file may take unless --patience says otherwise."""

_REDUCTIONS = ("stubborn", "symmetry")


def is_model_file(file: str) -> bool:
    return file.endswith(".model")


def definitions_of(words: argparse.Namespace) -> dict[str, str]:
    """The macros to define in a .model file, each once; a reduction that is asked for is one of them."""
    if not is_model_file(words.model):
        _require_python(words)
        return {}
    _require_cpp(words)
    definitions: dict[str, str] = {}
    for word in words.define:
        name, equals, value = word.partition("=")
        if not (name.isascii() and name.isidentifier()) or "\n" in value:
            raise UsageError.of(f"-D {word}: not of the form NAME or NAME=VALUE", remedy="write it like -D size_par=8")
        if name in definitions:
            raise UsageError.of(f"-D {word}: {name} is already {definitions[name]}", remedy="give it once")
        definitions[name] = value if equals else "1"
    for reduction in _REDUCTIONS:
        if getattr(words, reduction, "off") == "hand":
            definitions.setdefault(reduction, "1")
    return definitions


def _require_python(words: argparse.Namespace) -> None:
    if words.define:
        raise UsageError.of(
            f"-D {words.define[0]}: -D is for .model files only",
            remedy="-p NAME=VALUE gives a parameter of a Python model its value",
        )
    if words.patience is not None:
        raise UsageError.of("--patience is for .model files only", remedy="loops of Python models are counted instead")


def _require_cpp(words: argparse.Namespace) -> None:
    if words.parameter:
        raise UsageError.of(
            f"-p {words.parameter[0]}: -p is for Python models only",
            remedy="-D NAME=VALUE defines a macro of the model",
        )
    for reduction in _REDUCTIONS:
        if getattr(words, reduction, "off") == "auto":
            raise UsageError.of(
                f"--{reduction} auto: rules and symmetries are derived from Python models only",
                remedy=f"--{reduction} hand uses what the .model file says itself",
            )
