"""`asset`: from the words of the command line to an exit status. A user sees a traceback only with --debug."""

from __future__ import annotations

import gc
import os
import shlex
import sys
from collections.abc import Sequence
from contextlib import nullcontext, redirect_stdout, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from asset import interruption
from asset.cli import complaints, output, tools
from asset.cli.arguments import STEPS, CheckCommand, Command, RunCommand, StepCommand, ToolCommand, parse
from asset.cli.live_progress import LiveProgress
from asset.cli.model_words import loaded
from asset.engine.outcome import Progress
from asset.errors import AssetError, Diagnostic, ModelRejected, UsageError, described
from asset.report import formats, text
from asset.report.destination import STDOUT, Outputs
from asset.verdict import Verdict

if TYPE_CHECKING:
    from asset.checks import CheckOptions
    from asset.checks.subject import Subject

VIOLATED, AT_FAULT, UNDECIDED = 1, 2, 3
"""Exit statuses; the others are `Verdict.exit_status`."""


RARELY = 100_000, 20, 50
"""When Python looks for garbage in cycles. Most of what is made here lives to the end: as often as Python does it by
itself, that takes an eighth of the time to compile a model."""

TOO_DEEP = "error: the model is nested too deeply\n    write some of it as loops, or as smaller expressions"


def main(arguments: Sequence[str] | None = None) -> int:
    """Does what the command line asks; the exit status. What is wrong is printed on standard error."""
    words = sys.argv[1:] if arguments is None else arguments
    gc.set_threshold(*RARELY)
    with output.standard_streams():
        with interruption.heeded():
            status = _status_of(words)
        return _left(status)


def _status_of(words: Sequence[str]) -> int:
    try:
        return run(parse(words))
    except AssetError as error:
        return _complain(output.dressed(complaints.lines(error), sys.stderr), AT_FAULT)
    except KeyboardInterrupt:
        return _complain("asset: interrupted before there was anything to report", UNDECIDED)
    except MemoryError:
        return _complain("asset: out of memory; --max-memory SIZE ends a search in time to report on it", UNDECIDED)
    except RecursionError as error:
        return _confess(error, "--debug" in words) if "--debug" in words else _complain(TOO_DEEP, AT_FAULT)
    except SystemExit:  # after --help
        raise
    except BaseException as error:
        return _confess(error, debug="--debug" in words)


def _left(status: int) -> int:
    """The status; if a search that was abandoned still runs in this process, the process ends here instead."""
    native = sys.modules.get("asset.engine.native")
    if native is not None and native.is_searching():
        with suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)
    return status


def run(command: Command) -> int:
    """Does what the command says; the exit status."""
    try:
        match command:
            case CheckCommand():
                return _check(command)
            case RunCommand():
                return _run(command)
            case StepCommand():
                return _step(command)
            case ToolCommand():
                return tools.run(command.name, command.words)
    except SystemExit:
        # Its status must not become ours: 0 means that the model holds.
        model = command.words.model if isinstance(command, ToolCommand) else command.model.file
        ended = f"{model}: the model ended Python (sys.exit) instead of being checked"
        raise ModelRejected.of(ended) from None


def _check(command: CheckCommand) -> int:
    if command.options.cluster == "mpi":
        from asset.cluster import starting, wanted

        if starting.is_other_rank(wanted.Wanted("mpi")):
            return 0
    if command.options.checkpoint is not None and command.options.cluster is not None:
        from asset.cluster import checkpoints

        checkpoints.remember(command.options.checkpoint, shlex.split(command.typed)[1:])
    _outputs(command).require_writable()
    with interruption.deferred():
        # What a model prints must not become part of the report.
        prints = redirect_stdout(sys.stderr) if _takes_stdout(command) else nullcontext()
        with prints:
            verdict = verdict_of(command)
        if verdict is not None and command.format == "spin":
            loaded(command.model, quiet=True).require_retelling()
        if verdict is not None:
            return _reported(replace(verdict, command=command.typed), command)
    for option in command.files:
        remedy = "leave it out, or take only_typical out of the model"
        raise UsageError.of(f"--{option} is for verdicts, and the model asks for a typical run", remedy=remedy)
    return _run(RunCommand(command.model, STEPS, None))


def verdict_of(command: CheckCommand) -> Verdict | None:
    """The verdict; None if the model asks for a typical run instead."""
    with interruption.at_once():
        subject = loaded(command.model, command.quiet, _outputs(command))
        if subject.only_runs():
            return None
    return watched(subject, command.options, command.quiet)


def _run(command: RunCommand) -> int:
    from asset.cli import walk

    subject = loaded(command.model)
    if command.trail is None:
        lines, wrong = walk.report(subject, command.steps, command.seed, output.width(sys.stdout))
    else:
        lines, wrong = walk.replayed(subject, command.trail, output.width(sys.stdout))
    output.tell(lines)
    return VIOLATED if wrong else 0


def _step(command: StepCommand) -> int:
    from asset.cli import stepper

    ask = stepper.ask_terminal if output.is_terminal(sys.stdin) else stepper.ask_pipe
    stepping = stepper.Stepper(loaded(command.model), command.seed, watched, output.tell)
    with output.reader_may_leave():
        stepping.run(ask)
    return 0


def watched(subject: Subject, options: CheckOptions, quiet: bool = False) -> Verdict:
    """Checks the model, with live progress on a terminal; Ctrl-C ends the search, not the report."""
    from asset.checks import check

    live = None if quiet or not output.is_terminal(sys.stderr) else LiveProgress(sys.stderr)
    if live is None:
        return check(subject, options)

    def observe(progress: Progress) -> bool:
        live.show(progress)
        return True

    def analysing(what: str, done: int, of: int) -> bool:
        live.show_analysis(what, done, of)
        return True

    try:
        return check(subject, options, observe, analysing)
    finally:
        live.erase()


def _outputs(command: CheckCommand) -> Outputs:
    return Outputs({f"--{option}": file for option, file in command.files.items()})


def _takes_stdout(command: CheckCommand) -> bool:
    return STDOUT in command.files.values()


def _reported(verdict: Verdict, command: CheckCommand) -> int:
    """The exit status, after the reports are written: all of them or, if there is no time for that, the verdict."""
    told = False
    try:
        _tell(verdict, command)
        told = True
        _write_files(verdict, command)
        interruption.settle()
    except KeyboardInterrupt:
        interruption.settle()
        if not told:
            output.write(text.headline(verdict), sys.stderr)
        print("asset: interrupted again: what is not written yet is left out", file=sys.stderr)
    return verdict.exit_status


def _tell(verdict: Verdict, command: CheckCommand) -> None:
    with output.reader_may_leave():
        if not _takes_stdout(command):
            output.write(_text(verdict, command), sys.stdout)
        if command.annotations:
            from asset.report import annotation

            output.write(annotation.render(verdict), sys.stderr if _takes_stdout(command) else sys.stdout)


def _write_files(verdict: Verdict, command: CheckCommand) -> None:
    """JSON comes first, and is written even if we are asked to end: it has all that was found."""
    outputs = _outputs(command)
    for option, file in sorted(command.files.items(), key=lambda each: each[0] != "json"):
        try:
            with nullcontext() if option == "json" else interruption.at_once():
                shown = _depicted(verdict, command) if option == "html" else verdict
                rendered = formats.render(shown, option)
        except KeyboardInterrupt:
            print(f"asset: interrupted: --{option} {file} is not written", file=sys.stderr)
            continue
        with output.reader_may_leave():
            outputs.write(f"--{option}", rendered)


def _depicted(verdict: Verdict, command: CheckCommand) -> Verdict:
    from asset.checks.depicting import depicted

    return depicted(verdict, loaded(command.model, quiet=True), command.options)


def _text(verdict: Verdict, command: CheckCommand) -> str:
    if command.format == "asset":
        from asset.report import asset

        return asset.render(verdict)
    if command.format == "spin" and verdict.counterexample is not None:
        run = verdict.counterexample
        names = [step.transition for step in run.steps if step.transition is not None]
        return loaded(command.model, quiet=True).retold(names, run.failing, run.cycle_starts_at)
    if command.quiet or command.format == "spin":
        return text.headline(verdict)
    return output.dressed(text.report(verdict, output.width(sys.stdout)), sys.stdout)


def _complain(message: str, status: int) -> int:
    print(message, file=sys.stderr)
    return status


def _confess(error: BaseException, debug: bool) -> int:
    """What nobody expected, in one line: of the user's code with its place, of ours with how to report it; all of it
    with `--debug`."""
    if debug:
        import traceback

        traceback.print_exception(error)
    from asset.model.spans import traceback_span  # here, as it is needed only now

    place = traceback_span(error.__traceback__)
    if place is not None:
        return _complain(output.dressed(complaints.told(Diagnostic(described(error), place)), sys.stderr), AT_FAULT)
    reason = " ".join(described(error).split())
    hint = "the traceback above" if debug else "what --debug adds"
    return _complain(f"asset: internal error: {reason} (please report it with the model and {hint})", AT_FAULT)
