"""The two references that are made from the program: what can be imported, and what can be typed."""

from __future__ import annotations

import argparse
import os
from typing import Any, cast

import asset
from asset.cli.arguments import parser_for

CHECKING = ("check", "verify", "load", "state_graph", "Options", "Verdict", "Answer", "Counterexample", "NotVerified")
ERRORS = ("AssetError", "ModelRejected", "UsageError", "OutOfRange", "Dangling", "Empty", "Full")
STATE = ("Array", "Bag", "Bits", "Heap", "Int", "Map", "Optional", "Queue", "Record", "Ref", "Set")
LOGIC = (
    *("AF", "AG", "AU", "AX", "EF", "EG", "EU", "EX", "after", "always", "assume", "changes", "enabled", "eventually"),
    *("implies", "leads_to", "next_state", "release", "strong", "taken", "temporal", "until", "weak", "weak_until"),
)


def python() -> str:
    """The page of the public names, whose text is in their docstrings."""
    named = {*CHECKING, *ERRORS, *STATE, *LOGIC}
    chapters = {
        "Checking a model": CHECKING,
        "Writing a model": tuple(name for name in asset.__all__ if name not in named),
        "State types": STATE,
        "Temporal logic": LOGIC,
        "What can be wrong": ERRORS,
    }
    page = ["# Python", f"`import asset`: {len(asset.__all__)} names are public; everything else is internal."]
    for title, names in chapters.items():
        page += [f"## {title}", *(f"::: asset.{name}" for name in sorted(names, key=str.lower))]
    return "\n\n".join(page)


def command_line() -> str:
    """The page of all commands with their options, as `--help` prints them."""
    os.environ["COLUMNS"] = "100"
    page = ["# Command line", "What `asset COMMAND --help` prints, for each command."]
    page += [f"```text\n{parser_for('').format_help()}```"]
    for name in _commands(parser_for("")):
        page += [f"## asset {name}", f"```text\n{_commands(parser_for(name))[name].format_help()}```"]
    return "\n\n".join(page)


def _commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    (commands,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    return cast(dict[str, Any], commands.choices)
