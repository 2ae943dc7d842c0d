"""`asset`: from the words of the command line to an exit status. No traceback of ours reaches a user unasked."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import nullcontext, redirect_stdout

from asset.cli import output
from asset.cli.arguments import CheckCommand, parse
from asset.cli.interrupt import interruptible
from asset.cli.progress import LiveProgress
from asset.engine.outcome import Progress
from asset.errors import AssetError, ModelRejected
from asset.report import json, text
from asset.verdict import Verdict

AT_FAULT, UNDECIDED = 2, 3
"""Exit statuses; the others are `Verdict.exit_status`."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Does what the command line asks; the exit status. Standard error says whatever is wrong."""
    words = sys.argv[1:] if arguments is None else arguments
    output.open_missing_streams()
    try:
        return run(parse(words))
    except AssetError as error:
        return _complain(str(error), AT_FAULT)
    except KeyboardInterrupt:
        return _complain("asset: interrupted before there was anything to report", UNDECIDED)
    except MemoryError:
        return _complain("asset: out of memory; --max-memory SIZE ends a search in time to report on it", UNDECIDED)
    except Exception as error:
        return _confess(error, debug="--debug" in words)


def run(command: CheckCommand) -> int:
    """Checks and reports; the exit status."""
    if command.json is not None:
        json.require_writable(command.json)
    # What a model prints must not get among the JSON.
    prints = redirect_stdout(sys.stderr) if command.json == json.STDOUT else nullcontext()
    try:
        with prints:
            verdict = verdict_of(command)
    except SystemExit:
        # Its status would be taken for ours: 0 says that the model holds.
        raise ModelRejected.of(f"{command.model}: the model ended Python (sys.exit) instead of being checked") from None
    _report(verdict, command)
    return verdict.exit_status


def verdict_of(command: CheckCommand) -> Verdict:
    """Loads and checks the model, with live progress on a terminal; Ctrl-C ends the search, not the report."""
    # Imported here: a mistake on the command line is answered before anything large is loaded.
    from asset.checks import check
    from asset.frontends.python import load

    model = load(command.model, command.parameters)
    live = None if command.quiet or not output.is_terminal(sys.stderr) else LiveProgress(sys.stderr)
    with interruptible() as interrupted:

        def observe(progress: Progress) -> bool:
            if live:
                live.show(progress)
            return not interrupted()

        try:
            return check(model, command.options, observe)
        finally:
            if live:
                live.erase()


def _report(verdict: Verdict, command: CheckCommand) -> None:
    """The text comes first, so that it is not lost where the JSON file cannot be written."""
    if command.json != json.STDOUT:
        with output.reader_may_leave():
            output.write(_text(verdict, command.quiet), sys.stdout)
    if command.json is not None:
        with output.reader_may_leave():
            json.write(verdict, command.json)


def _text(verdict: Verdict, quiet: bool) -> str:
    if quiet:
        return text.headline(verdict)
    if not output.is_terminal(sys.stdout):
        return text.render(verdict)
    render = text.render_coloured if output.wants_colour(sys.stdout) else text.render
    return render(verdict, output.columns(sys.stdout))


def _complain(message: str, status: int) -> int:
    print(message, file=sys.stderr)
    return status


def _confess(error: Exception, debug: bool) -> int:
    """An internal error in one line, with how to report it; all of it with `--debug`."""
    if debug:
        import traceback

        traceback.print_exception(error)
    reason = " ".join(f"{type(error).__name__}: {error}".split())
    hint = "the traceback above" if debug else "what --debug adds"
    return _complain(f"asset: internal error: {reason} (please report it with the model and {hint})", AT_FAULT)
