"""Drops the steps of a run that are not needed for what is wrong in its last state.

Where the run is in a state again, what was fired meanwhile is left out. Then half of the commands are left out at once,
then a quarter, and so on: those that are disabled without them are left out too, and the rest stays if the run still
fails. What it shows is always a run of the model, and not always a shortest one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from asset.engine.outcome import Executable, Path
from asset.ir.faults import Fault
from asset.ir.program import State

MOST_FIRED = 100_000
"""Commands that are fired to shorten a run."""

Fails = Callable[[State], bool]


def shortened(executable: Executable, start: State, commands: Sequence[int], fails: Fails) -> Path:
    """A run from the start that fails in its last state, as that by the commands does."""
    kept, left = _without_loops(executable, start, commands), MOST_FIRED
    count = max(1, len(kept) // 2)
    while count and left >= len(kept):
        first = 0
        while first < len(kept) and left >= len(kept):
            left -= len(kept)
            fewer, last = _fired(executable, start, [*kept[:first], *kept[first + count :]])
            if fails(last):
                kept = fewer
            else:
                first += count
        count //= 2
    return path_of(executable, start, _without_loops(executable, start, kept))


def path_of(executable: Executable, start: State, commands: Sequence[int]) -> Path:
    """The run by the commands, each of which is enabled in its turn."""
    path: list[tuple[int | None, State]] = [(None, start)]
    for command in commands:
        after = executable.fire(path[-1][1], command)
        assert after is not None, "the commands are those of a run"
        path.append((command, after))
    return tuple(path)


def _without_loops(executable: Executable, start: State, commands: Sequence[int]) -> list[int]:
    states = [state for _, state in path_of(executable, start, commands)]
    last = {state: number for number, state in enumerate(states)}
    kept, at = [], last[start]
    while at < len(commands):
        kept.append(commands[at])
        at = last[states[at + 1]]
    return kept


def _fired(executable: Executable, start: State, commands: Sequence[int]) -> tuple[list[int], State]:
    """Those of the commands that change the state in their turn, and the last state."""
    kept, state = [], start
    for command in commands:
        try:
            after = executable.fire(state, command)
        except Fault:
            continue
        if after is not None and after != state:
            kept.append(command)
            state = after
    return kept, state
