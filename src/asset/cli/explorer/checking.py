"""A check that runs while the page is used: how far it is, how to stop it, what it found."""

from __future__ import annotations

import threading
import time
from typing import Any

from asset.checks import CheckOptions, check
from asset.checks.subject import Subject
from asset.engine.outcome import Progress
from asset.errors import AssetError
from asset.ir.program import Program
from asset.report.text import headline
from asset.verdict import Verdict

PATIENCE = 2.0
"""Seconds that a check may take to end, after it was asked to."""


class RunningCheck:
    """A check in a thread of its own. After `stop` it ends soon and reports what it has found."""

    def __init__(self, subject: Subject, program: Program, options: CheckOptions) -> None:
        self._numbers = {program.command_name(command): command for command in range(program.nr_commands)}
        self._starts = {state: number for number, state in enumerate(program.initial_states)}
        self._subject = subject
        self._progress: Progress | None = None
        self._stopping = threading.Event()
        self._began = time.monotonic()
        self._verdict: Verdict | None = None
        self._failure = ""
        self._thread = threading.Thread(
            target=self._run, args=(subject, options), name="asset-explore-check", daemon=True
        )
        self._thread.start()

    def _run(self, subject: Subject, options: CheckOptions) -> None:
        try:
            self._verdict = check(subject, options, self._observe)
        except AssetError as error:
            self._failure = str(error)
        except BaseException as error:  # of the model: the page says so
            self._failure = f"the model cannot be checked: {type(error).__name__}: {error}"

    def _observe(self, progress: Progress) -> bool:
        self._progress = progress
        return not self._stopping.is_set()

    def stop(self) -> None:
        self._stopping.set()

    def wait(self) -> None:
        """Until it has ended. One that does not is left alone: it ends with the process."""
        self._thread.join(PATIENCE)

    def to_dict(self) -> dict[str, Any]:
        """What the page shows of it now."""
        verdict, seen = self._verdict, self._progress
        told: dict[str, Any] = {
            "running": self._thread.is_alive(),
            "seconds": round(time.monotonic() - self._began, 1),
            "states": verdict.states if verdict else seen.states if seen else 0,
            "edges": verdict.edges if verdict else seen.edges if seen else 0,
            "error": self._failure,
            "verdict": None,
            "headline": "",
            "report": "",
            "run": None,
            "start": 0,
        }
        if verdict is not None:
            told.update(verdict=verdict.answer.value, headline=headline(verdict), report=str(verdict))
            if verdict.counterexample is not None:
                steps = verdict.counterexample.steps[1:]
                told["start"] = self._starts.get(self._subject.cells(verdict.counterexample[0]), 0)
                told["run"] = [self._numbers[step.transition] for step in steps if step.transition is not None]
        return told
