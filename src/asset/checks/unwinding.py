"""A run of the quotient by a group of symmetries, as a run of the model itself.

A run of the quotient jumps from states to representatives; `unwound` takes these jumps back.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from asset.checks.replay import ReplayFailed
from asset.engine.outcome import Executable, Finding, Path
from asset.ir.groups import Group, Permutation
from asset.ir.program import State

MOST_UNWOUND = 100_000
"""Steps of a run of the model that stands for one of the quotient."""


def unwound(executable: Executable, finding: Finding, group: Group) -> Finding:
    """The finding as a run of the model: each state of it is symmetric to that of the finding in the same place.

    If the finding ends in a cycle, the run repeats it until it comes back to a state of its own.
    """
    return _Unwinding(executable, finding, group).run()


class _Unwinding:
    """`back` leads from where the finding is to where the run is."""

    def __init__(self, executable: Executable, finding: Finding, group: Group) -> None:
        self.executable = executable
        self.finding = finding
        self.group = group
        self.back, initial = self._begun()
        self.path: list[tuple[int | None, State]] = [(None, initial)]

    def run(self) -> Finding:
        self._follow(self.finding.path)
        cycle_at = self.finding.cycle_starts_at
        if cycle_at is not None:
            cycle_at = self._close_cycle(cycle_at)
        command = self.finding.command
        renamed = None if command is None else self.back.commands[command]
        return replace(self.finding, path=tuple(self.path), cycle_starts_at=cycle_at, command=renamed)

    def _begun(self) -> tuple[Permutation, State]:
        """The first initial state that is symmetric to the one that the finding begins in, and how it is."""
        for initial in self.executable.program.initial_states:
            there = self.group.chosen(initial)
            if there.state(initial) == self.finding.path[0][1]:
                return there.inverse(), initial
        raise ReplayFailed("the run does not begin in a state symmetric to an initial one")

    def _follow(self, path: Path) -> None:
        """Goes along the steps of the finding, whose first state the run has reached already."""
        for (_, before), (command, after) in pairwise(path):
            if command is None:
                raise ReplayFailed("a step has no transition")
            jump = self._jump(before, command, after)
            fired = self.back.commands[command]
            state = self.executable.fire(self.path[-1][1], fired)
            self.back = self.back.after(jump.inverse())
            if state is None or self.back.state(after) != state:
                raise ReplayFailed(f"step {len(self.path)} is not symmetric to one of the model")
            self.path.append((fired, state))

    def _jump(self, before: State, command: int, after: State) -> Permutation:
        """The permutation from what the command leads to, to its representative."""
        state = self.executable.fire(before, command)
        jump = None if state is None else self.group.chosen(state)
        if state is None or jump is None or jump.state(state) != after:
            raise ReplayFailed(f"step {len(self.path)} does not lead to a representative")
        return jump

    def _close_cycle(self, cycle_at: int) -> int:
        """Repeats the cycle until it begins in a state that was met there before; the position of that state."""
        cycle = self.finding.path[cycle_at:]
        met = {self.path[cycle_at][1]: cycle_at}
        while self.path[-1][1] not in met:
            met[self.path[-1][1]] = len(self.path) - 1
            self._follow(cycle)
            if len(self.path) > MOST_UNWOUND:
                raise ReplayFailed("the run takes too long to come back")
        return met[self.path[-1][1]]
