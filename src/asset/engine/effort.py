"""Whether looking for stubborn sets by derived rules pays: the specification of native/effort.h.

Firing every enabled command is always sound. So if sets leave out next to nothing of what could be left out, which is
all but one command in each state, everything is fired in the next levels of the breadth-first search. Another level
is tried if so many states were explored in full meanwhile that it costs little, and less each time that it is in vain.
To look for a set takes the longer, the more obligations there are.
"""

from __future__ import annotations

ENOUGH = 512  # states to decide from
MOST_FIRED, OF_ENABLED = 15, 16  # it does not pay if a larger part of the enabled commands is fired
FIRST_DOUBT = 16
AS_ONE = 32  # obligations that take as long as firing a command


class Effort:
    """Decides at the end of a level, from counts alone: the same for any number of threads."""

    def __init__(self, obligations: int = 0) -> None:
        self._obligations = obligations
        self.reducing = True
        """Whether stubborn sets are looked for in the states of the level at hand."""
        self._doubt = 0  # 0, or how many times as many states must be explored in full before another try
        self._tried = self._enabled = self._fired = 0  # in states in which sets were looked for since the last decision
        self._full_states = 0  # explored in full since the last try

    def end_level(self, states: int, enabled: int, fired: int, following: int) -> None:
        """A level was explored; `enabled` and `fired` count the commands in its states. The next one has `following`
        states."""
        if self.reducing:
            self._tried += states
            self._enabled += enabled
            self._fired += fired
            if self._tried < ENOUGH and not self._doubt:
                return
            self._judge()
        else:
            self._full_states += states
        self.reducing = not self._doubt or self._doubt * following <= self._full_states
        if self.reducing:
            self._full_states = 0

    def _judge(self) -> None:
        more = max(0, self._enabled - self._tried)
        pays = OF_ENABLED * max(0, self._fired - self._tried) <= MOST_FIRED * more
        price = 1 + self._obligations * self._tried // (AS_ONE * max(1, self._enabled))
        self._doubt = 0 if pays else max(FIRST_DOUBT * price, 2 * self._doubt)
        self._tried = self._enabled = self._fired = 0
