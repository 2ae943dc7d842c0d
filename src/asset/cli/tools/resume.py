"""`asset resume`: goes on with a check from the file that it is kept in; one by a cluster, from the last level that all
its ranks have kept in a folder."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace

from asset.cli import arguments
from asset.errors import UsageError

_DESCRIPTION = """\
Goes on with a check that was ended, by whatever: a signal, a full disk, the end
of the machine. `asset check … --checkpoint FILE` keeps it in the file, and comes
to the same verdict; the model must be what it was.

`asset check … --cluster … --checkpoint FOLDER` keeps each level of its search
there. The number of ranks, and how they are had, may be others than before; the
model and what is asked of it may not."""

_EXAMPLES = """\
examples:
  asset resume ring.checkpoint                as it was begun
  asset resume ring.levels                    as it was begun
  asset resume ring.levels --ranks 8          with more ranks
  mpirun -n 16 asset resume ring.levels --cluster mpi"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = _DESCRIPTION, _EXAMPLES
    parser.add_argument("folder", metavar="FILE", help="the file, or the folder, of --checkpoint")
    arguments.add_ranks(parser)
    arguments.add_limits(parser)


def run(words: argparse.Namespace) -> int:
    if not os.path.isdir(words.folder):
        return _go_on(words.folder, words)
    from asset.cli import main  # here, as it imports the tools
    from asset.cluster.checkpoints import remembered

    command = arguments.parse(_command(remembered(words.folder), words))
    if not isinstance(command, arguments.CheckCommand):
        raise UsageError.of(f"{words.folder} is not of a check")
    return main.run(command)


def _go_on(file: str, words: argparse.Namespace) -> int:
    """What the check in the file comes to."""
    from asset.checks.checkpointing import read
    from asset.cli import main

    if any(getattr(words, name) is not None for name in ("cluster", "ranks", "address", "max_states", "max_memory")):
        raise UsageError.of(f"{file} is not of a cluster: its check goes on with its own options and limits")
    file = os.path.abspath(file)
    kept = read(file)
    command = arguments.parse(kept.command) if kept.command else None
    if not isinstance(command, arguments.CheckCommand):
        remedy = "check(model, checkpoint=…, resume=True) goes on"
        raise UsageError.of(f"{file} has no command line: it was written by a program", remedy=remedy)
    try:
        os.chdir(kept.folder)
    except OSError as error:
        raise UsageError.of(f"{kept.folder}, where the check was begun: {error.strerror}") from None
    return main.run(replace(command, options=replace(command.options, checkpoint=file, resume=True)))


def _command(begun: list[str], words: argparse.Namespace) -> list[str]:
    """The words of the check, with those that are given now in place of their own."""
    begun = _without(begun, ("--max-states", "--max-memory"))  # they were reached, perhaps
    if words.cluster == "mpi":
        begun = _without(begun, ("--ranks", "--address"))
    names = ("cluster", "ranks", "address", "max_states", "max_memory")
    given = {f"--{name.replace('_', '-')}": getattr(words, name) for name in names}
    if words.threads > 1:
        given["--threads"] = words.threads
    further = [text for name, value in given.items() if value is not None for text in (name, str(value))]
    return [*begun, *further, *([] if "--resume" in begun else ["--resume"])]


def _without(words: list[str], options: tuple[str, ...]) -> list[str]:
    """The words without these options and what they are given."""
    kept, skip = list[str](), False
    for word in words:
        if not skip and not word.startswith(options):
            kept.append(word)
        skip = not skip and word in options
    return kept
