"""A run of the quotient by a group of symmetries, as a run of the model itself.

A run of the quotient jumps from states to representatives; `unwound` takes these jumps back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from asset.checks.replay import ReplayFailed, violation
from asset.engine.outcome import Executable, Finding, Path
from asset.ir.faults import Fault, FaultKind
from asset.ir.groups import Group, Permutation
from asset.ir.program import State

MOST_UNWOUND = 100_000
"""Steps of a run of the model that stands for one of the quotient."""


def unwound(executable: Executable, finding: Finding, group: Group) -> Finding:
    """The finding as a run of the model: each state of it is symmetric to that of the finding in the same place.

    If the finding ends in a cycle, the run repeats it until it comes back to a state of its own. Of initial states that
    are symmetric to each other, a requirement that was followed may be violated from one alone: the run begins there.
    """
    starts = list(_begun(executable, finding, group))
    if not starts:
        raise ReplayFailed("the run does not begin in a state symmetric to an initial one")
    for begun in starts[:-1]:
        run = _Unwinding(executable, finding, group, begun).run()
        if _shows(executable, run):
            return run
    return _Unwinding(executable, finding, group, starts[-1]).run()


def _begun(executable: Executable, finding: Finding, group: Group) -> Iterator[tuple[Permutation, State]]:
    """The initial states that are symmetric to the one that the finding begins in, and how they are."""
    for initial in executable.program.initial_states:
        there = group.chosen(initial)
        if there.state(initial) == finding.path[0][1]:
            yield there.inverse(), initial


def _shows(executable: Executable, run: Finding) -> bool:
    try:
        violation(executable, run)
    except ReplayFailed:
        return False
    return True


class _Unwinding:
    """`back` leads from where the finding is to where the run is."""

    def __init__(
        self, executable: Executable, finding: Finding, group: Group, begun: tuple[Permutation, State]
    ) -> None:
        self.executable = executable
        self.finding = finding
        self.group = group
        self.back, initial = begun
        self.path: list[tuple[int | None, State]] = [(None, initial)]

    def run(self) -> Finding:
        self._follow(self.finding.path)
        cycle_at = self.finding.cycle_starts_at
        if cycle_at is not None:
            cycle_at = self._close_cycle(cycle_at)
        command = self.finding.command
        renamed = None if command is None else self._failing(command)
        return replace(self.finding, path=tuple(self.path), cycle_starts_at=cycle_at, command=renamed)

    def _follow(self, path: Path) -> None:
        """Goes along the steps of the finding, whose first state the run has reached already."""
        for (_, before), (command, after) in pairwise(path):
            if command is None:
                raise ReplayFailed("a step has no transition")
            back = self.back.after(self._jump(before, command, after).inverse())
            fired = self._fired(command, back.state(after))
            self.back = back
            if fired is None:
                raise ReplayFailed(f"step {len(self.path)} is not symmetric to one of the model")
            self.path.append((fired, back.state(after)))

    def _fired(self, command: int, after: State) -> int | None:
        """The command that leads to the state: what the command of the finding becomes, or, if commands have no images,
        whichever does."""
        state = self.path[-1][1]
        if self.back.commands:
            image = self.back.commands[command]
            return image if self.executable.fire(state, image) == after else None
        every = reversed(range(self.executable.program.nr_commands))
        return next((each for each in every if self.executable.fire(state, each) == after), None)

    def _failing(self, command: int) -> int:
        """The command that fails in the last state as that of the finding does."""
        if self.back.commands:
            return self.back.commands[command]
        wanted = self._fault(self.finding.path[-1][1], command)
        every = reversed(range(self.executable.program.nr_commands))
        found = (each for each in every if self._fault(self.path[-1][1], each) == wanted)
        failing = next(found, None)
        if failing is None:
            raise ReplayFailed("the model error is not symmetric to one of the model")
        return failing

    def _fault(self, state: State, command: int) -> FaultKind | None:
        try:
            self.executable.fire(state, command)
        except Fault as fault:
            return fault.kind
        return None

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
