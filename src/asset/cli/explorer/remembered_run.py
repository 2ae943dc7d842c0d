"""The run that a page shows, remembered, so that a longer one costs one step more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from asset.analysis.processes.ownership import Processes
from asset.checks.illustrate import Illustrator
from asset.checks.showing import step_of
from asset.checks.shown_states import ShownState
from asset.checks.subject import Seen
from asset.engine.outcome import Executable
from asset.errors import UsageError
from asset.ir.faults import Fault
from asset.ir.program import State
from asset.verdict import Change, Step

LONGEST = 5000
"""Steps of a run."""

MOST_CELLS = 1_000_000
"""Cells of the states that are kept: some 10 MB. If the states of a run have more, only some of them are kept."""

WIDEST = 200
"""Characters that a change is told in."""


@dataclass(frozen=True, slots=True)
class RememberedStep:
    """A step by its text, and as it is drawn, without its state. `mark` is the same for equal states."""

    command: int
    told: tuple[str, ...]
    drawn: Step
    mark: int


class RememberedRun:
    """One run: its steps as they are told, and each of so many of its states."""

    def __init__(self, executable: Executable, processes: Processes) -> None:
        self._executable = executable
        self._program = executable.program
        self._illustrator = Illustrator(executable, processes, ())
        self._stride = 1 + len(self._program.initial) * LONGEST // MOST_CELLS
        self.steps: list[RememberedStep] = []
        self._kept: list[State] = [self._program.initial]

    def begin(self, start: int) -> None:
        """Afterwards it begins in the initial state of that number."""
        state = self._program.initial_states[start]
        if self._kept[0] != state:
            self._cut(0)
            self._kept = [state]

    def follow(self, commands: Sequence[int]) -> None:
        """Afterwards it is the run of these commands; UsageError if there is none."""
        pairs = zip((step.command for step in self.steps), commands, strict=False)
        common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        if common == len(commands) == len(self.steps):
            return
        self._cut(common)
        try:
            shown = ShownState.of(self._program, self.state(common))
            for command in commands[common:]:
                shown = self._extend(shown, command)
        except UsageError:
            raise
        except BaseException:  # it was ended between two assignments
            self._cut(0)
            raise

    def state(self, at: int) -> State:
        """The state after so many steps."""
        nearest = at // self._stride
        state = self._kept[nearest]
        for step in self.steps[nearest * self._stride : at]:
            state = self._fired(state, step.command)
        return state

    def first_met(self, at: int) -> int:
        """After how many steps the state that there is after `at` was met first."""
        marks = [hash(self._kept[0]), *(step.mark for step in self.steps[:at])]
        alike = (earlier for earlier, mark in enumerate(marks) if mark == marks[at])
        return next(earlier for earlier in alike if earlier == at or self.state(earlier) == self.state(at))

    def _cut(self, length: int) -> None:
        del self.steps[length:]
        del self._kept[1 + length // self._stride :]

    def _extend(self, shown: ShownState, command: int) -> ShownState:
        after, changes = shown.then(self._fired(shown.cells, command))
        plain = replace(step_of(self._program, command, changes, {}, Seen(None, None)), changes=())
        drawn = self._illustrator.step(plain, command, (shown.cells, after.cells))
        told = tuple(map(told_change, changes))
        self.steps.append(RememberedStep(command, told, drawn, hash(after.cells)))
        if len(self.steps) % self._stride == 0:
            self._kept.append(after.cells)
        return after

    def _fired(self, state: State, command: int) -> State:
        try:
            successor = self._executable.fire(state, command)
        except Fault as fault:
            raise UsageError.of(f"{fault.word}: {fault.message}") from None
        if successor is None:
            name = self._program.command_name(command)
            raise UsageError.of(f"step {len(self.steps) + 1}: {name} is disabled there")
        return successor


def told_change(change: Change) -> str:
    text = f"{change.cell}: {change.before} → {change.after}"
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 1]}…"
