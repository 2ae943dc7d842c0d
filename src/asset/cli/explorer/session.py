"""A model to be explored: its states, what can happen in them, and runs, which are lists of command numbers.

Nothing here comes from the page but numbers, which must be those of enabled commands, and values of parameters, which
are parsed like those of the command line.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from asset.checks.rendering import values
from asset.checks.shown_states import ShownState
from asset.checks.subject import Runnable, Subject, runnable
from asset.cli.explorer.remembered_run import LONGEST, RememberedRun, told_change
from asset.cli.walk import choices, complaints, ends, named
from asset.errors import UsageError
from asset.ir.faults import Fault
from asset.ir.program import Program, State
from asset.languages import ModelSpec, load
from asset.report.document import one_line

CommandNumbers = tuple[int, ...]


class Session:
    """One model with its parameters, and the run that was asked for last."""

    def __init__(self, spec: ModelSpec, subject: Subject, found: Runnable) -> None:
        self.spec = spec
        self.subject = subject
        self.executable = found.executable
        self.engine = found.engine
        self._remembered = RememberedRun(found.executable)

    @classmethod
    def of(cls, spec: ModelSpec) -> Session:
        subject = load(spec)
        return cls(spec, subject, runnable(subject))

    @property
    def program(self) -> Program:
        return self.executable.program

    # --- runs ---------------------------------------------------------------------------------------------------

    def run(self, commands: Sequence[int], start: int = 0) -> CommandNumbers:
        """The run from the initial state of that number, if it is one; UsageError otherwise. It is the one to show."""
        if len(commands) > LONGEST:
            raise UsageError.of(f"a run has at most {LONGEST} steps here")
        known = all(isinstance(each, int) and 0 <= each < self.program.nr_commands for each in commands)
        if not known:
            raise UsageError.of("there is no such transition")
        self._remembered.begin(start)
        self._remembered.follow(commands)
        return tuple(commands)

    def state(self, run: CommandNumbers) -> State:
        """The state at the end of the run."""
        self._remembered.follow(run)
        return self._remembered.state(len(run))

    def random(self, run: CommandNumbers, steps: int, seed: int | None = None) -> CommandNumbers:
        """The run with random steps after it; fewer if it ends before."""
        rng = random.Random(seed)
        state, taken = self.state(run), list(run)
        for _ in range(min(steps, LONGEST - len(run))):
            enabled = {c: after for c, after in choices(self.executable, state).items() if not isinstance(after, Fault)}
            if not enabled:
                break
            taken.append(rng.choice(list(enabled)))
            state = enabled[taken[-1]]
        return tuple(taken)

    # --- what the page shows ------------------------------------------------------------------------------------

    def about(self) -> dict[str, Any]:
        """The model: its parameters and its text."""
        return {
            "title": named(self.program),
            "parameters": [asdict(parameter) for parameter in self.subject.parameters()],
            "source": _source(self.program, self.spec.file),
            "initial": values(self.program, self.program.initial),
            "starts": len(self.program.initial_states),
        }

    def shown(self, run: CommandNumbers, at: int) -> dict[str, Any]:
        """The run, and the state after `at` of its steps with what can happen there."""
        self._remembered.follow(run)
        steps = self._remembered.steps
        here = ShownState.of(self.program, self._remembered.state(at))
        enabled = choices(self.executable, here.cells)
        return {
            "steps": [
                {"name": self.program.command_name(s.command), "line": self._line(s.command), "changes": s.told}
                for s in steps
            ],
            "at": at,
            "state": here.values,
            "shown": self.subject.seen(here.cells).shown,
            "changed": list(steps[at - 1].changed) if at else [],
            "enabled": [self._choice(here, command, after) for command, after in enabled.items()],
            "wrong": list(complaints(self.executable, here.cells, ends(self.executable, here.cells, enabled))),
            "again": self._remembered.first_met(at),
        }

    def _choice(self, here: ShownState, command: int, after: State | Fault) -> dict[str, Any]:
        changes = () if isinstance(after, Fault) else here.then(after)[1]
        return {
            "command": command,
            "name": self.program.command_name(command),
            "line": self._line(command),
            "changes": [told_change(each) for each in changes],
            "error": one_line(after.message) if isinstance(after, Fault) else None,
        }

    def _line(self, command: int) -> int:
        return self.program.commands[command][0].span.line


def _source(program: Program, file: str) -> str:
    """The text of the file that the transitions are in; nothing if it cannot be read."""
    path = program.families[0].span.file if program.families else file
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
