"""The commands besides check, run and step: a module of the same name for each, loaded only if it is used.

A module has `add_arguments(parser)`, which gives the parser its options, description and examples, and `run(words)`,
which does what the parsed words say and returns the exit status.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from typing import Protocol, cast

TOOLS = {
    "resume": "go on with a check that was ended",
    "simulate": "make random runs of a model",
    "sweep": "check a model for several sizes, and say how it grows",
    "graph": "draw the state space",
    "explore": "explore a model in the browser",
    "translate": "write a model in the language of another tool",
    "lint": "look at the steps of a model's processes",
    "explain": "explain a reduction",
    "watch": "check a model again whenever it is saved",
    "examples": "list and copy the example models",
    "new": "write a first model",
    "completion": "let the shell complete commands, options and models",
}
"""Each tool and what it does."""


class Tool(Protocol):
    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, words: argparse.Namespace) -> int: ...


class Parsers(Protocol):
    """What argparse gives to add commands to."""

    def add_parser(self, name: str, *, help: str) -> argparse.ArgumentParser: ...


def add_to(commands: Parsers, chosen: str) -> None:
    """Every tool is a command; only the chosen one gets its options, so that no other must be loaded."""
    for name, what in TOOLS.items():
        parser = commands.add_parser(name, help=what)
        if name == chosen:
            module(name).add_arguments(parser)


def run(name: str, words: argparse.Namespace) -> int:
    """Does what the words say; the exit status."""
    return module(name).run(words)


def module(name: str) -> Tool:
    return cast(Tool, import_module(f"{__name__}.{name}"))
