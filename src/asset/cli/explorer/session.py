"""A model to be explored: its states, what can happen in them, and runs, which are lists of command numbers.

Nothing here comes from the page but numbers, which must be those of enabled commands, and values of parameters, which
are parsed like those of the command line.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from asset.checks.showing import step
from asset.checks.subject import Subject, runnable
from asset.cli.walk import choices, complaints, named
from asset.engine.outcome import Executable
from asset.errors import UsageError
from asset.ir.faults import Fault
from asset.ir.program import Program, State
from asset.languages import ModelSpec, load
from asset.report.document import one_line
from asset.verdict import Change

LONGEST = 5000
"""Steps of a run."""

CommandNumbers = tuple[int, ...]


@dataclass(slots=True)
class Session:
    """One model with its parameters. States of runs are remembered, so that a longer run costs one step more."""

    spec: ModelSpec
    subject: Subject
    executable: Executable
    engine: str
    _states: dict[CommandNumbers, State] = field(default_factory=dict)

    @classmethod
    def of(cls, spec: ModelSpec) -> Session:
        subject = load(spec)
        found = runnable(subject)
        return cls(spec, subject, found.executable, found.engine)

    @property
    def program(self) -> Program:
        return self.executable.program

    # --- runs ---------------------------------------------------------------------------------------------------

    def run(self, commands: Sequence[int]) -> CommandNumbers:
        """The run, if it is one; UsageError otherwise."""
        if len(commands) > LONGEST:
            raise UsageError.of(f"a run has at most {LONGEST} steps here")
        known = all(isinstance(each, int) and 0 <= each < self.program.nr_commands for each in commands)
        if not known:
            raise UsageError.of("there is no such transition")
        run = tuple(commands)
        for length in range(len(run) + 1):
            self.state(run[:length])
        return run

    def state(self, run: CommandNumbers) -> State:
        """The state at the end of the run; those before it are known."""
        if not run:
            return self.program.initial
        if run not in self._states:
            try:
                successor = self.executable.fire(self.state(run[:-1]), run[-1])
            except Fault as fault:
                raise UsageError.of(f"model error: {fault.message}") from None
            if successor is None:
                raise UsageError.of(f"step {len(run)}: {self.program.command_name(run[-1])} is disabled there")
            if len(self._states) > 20 * LONGEST:
                self._states.clear()  # they can be found again
            self._states[run] = successor
        return self._states[run]

    def random(self, run: CommandNumbers, steps: int, seed: int | None = None) -> CommandNumbers:
        """The run with random steps after it; fewer if it ends before."""
        rng = random.Random(seed)
        for _ in range(min(steps, LONGEST - len(run))):
            enabled = [c for c, after in choices(self.executable, self.state(run)).items() if not _fails(after)]
            if not enabled:
                break
            run = (*run, rng.choice(enabled))
            self.state(run)
        return run

    # --- what the page shows ------------------------------------------------------------------------------------

    def about(self) -> dict[str, Any]:
        """The model: its parameters and its text."""
        return {
            "title": named(self.program),
            "parameters": [asdict(parameter) for parameter in self.subject.parameters()],
            "source": _source(self.program, self.spec.file),
            "initial": dict(step(self.program, self.subject, None, None, self.program.initial).state),
        }

    def shown(self, run: CommandNumbers, at: int) -> dict[str, Any]:
        """The run, and the state after `at` of its steps with what can happen there."""
        state = self.state(run[:at])
        enabled = choices(self.executable, state)
        seen = step(self.program, self.subject, None, None, state)
        return {
            "steps": [self._step(run[:length]) for length in range(1, len(run) + 1)],
            "at": at,
            "state": dict(seen.state),
            "shown": seen.shown,
            "changed": [change.cell for change in self._changes(run[:at])],
            "enabled": [self._choice(state, command, after) for command, after in enabled.items()],
            "wrong": list(complaints(self.executable, state, terminal=not enabled)),
            "again": next(earlier for earlier in range(at + 1) if self.state(run[:earlier]) == state),
        }

    def _step(self, run: CommandNumbers) -> dict[str, Any]:
        changes = [_told(change) for change in self._changes(run)]
        return {"name": self.program.command_name(run[-1]), "line": self._line(run[-1]), "changes": changes}

    def _changes(self, run: CommandNumbers) -> tuple[Change, ...]:
        if not run:
            return ()
        return step(self.program, self.subject, run[-1], self.state(run[:-1]), self.state(run)).changes

    def _choice(self, state: State, command: int, after: State | Fault) -> dict[str, Any]:
        found: dict[str, Any] = {
            "command": command,
            "name": self.program.command_name(command),
            "line": self._line(command),
            "changes": [],
            "error": None,
        }
        if isinstance(after, Fault):
            found["error"] = one_line(after.message)
        else:
            found["changes"] = [_told(each) for each in step(self.program, self.subject, command, state, after).changes]
        return found

    def _line(self, command: int) -> int:
        return self.program.commands[command][0].span.line


def _fails(after: State | Fault) -> bool:
    return isinstance(after, Fault)


def _told(change: Change) -> str:
    return f"{change.cell}: {change.before} → {change.after}"


def _source(program: Program, file: str) -> str:
    """The text of the file that the transitions are in; nothing if it cannot be read."""
    path = program.families[0].span.file if program.families else file
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
