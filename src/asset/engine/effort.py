"""Whether looking for stubborn sets by derived rules pays: the specification of native/effort.h.

Firing every enabled command is always sound. So where sets leave out next to nothing, they are not looked for in the
next level of the breadth-first search, nor in the next two where they still do not pay after that, and so on.
"""

from __future__ import annotations

ENOUGH = 1024  # states to decide from
MOST_FIRED, OF_ENABLED = 15, 16  # it does not pay where a larger part of the enabled commands is fired


class Effort:
    """Decides where a level ends, from counts alone: the same for any number of threads."""

    def __init__(self) -> None:
        self._pause = 0
        self._next_pause = 1
        self._states = self._enabled = self._fired = 0

    @property
    def reducing(self) -> bool:
        """Whether stubborn sets are looked for in the states of the level at hand."""
        return self._pause == 0

    def end_level(self, states: int, enabled: int, fired: int) -> None:
        """A level was explored; `enabled` and `fired` count the commands in its states."""
        if self._pause:
            self._pause -= 1
            return
        self._states += states
        self._enabled += enabled
        self._fired += fired
        if self._states < ENOUGH:
            return
        if OF_ENABLED * self._fired <= MOST_FIRED * self._enabled:
            self._next_pause = 1
        else:
            self._pause, self._next_pause = self._next_pause, 2 * self._next_pause
        self._states = self._enabled = self._fired = 0
