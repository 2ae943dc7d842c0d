"""The states that are still to be expanded, and in which order they are."""

from __future__ import annotations

from typing import Protocol


class Frontier(Protocol):
    """`level` is the distance from a start state of the state that `pop` gave last, as far as the frontier knows it."""

    level: int

    def push(self, number: int) -> None: ...

    def pop(self) -> int | None:
        """The next state to be expanded; None if there is none."""

    def __len__(self) -> int: ...


class Levels:
    """Breadth-first: all states of a level before those of the next. So the first path to a state is a shortest one."""

    def __init__(self) -> None:
        self.level = 0
        self._this: list[int] = []
        self._next: list[int] = []
        self._at = 0

    def push(self, number: int) -> None:
        self._next.append(number)

    def pop(self) -> int | None:
        if self._at == len(self._this):
            if not self._next:
                return None
            self.level += bool(self._this)
            self._this, self._next, self._at = self._next, [], 0
        self._at += 1
        return self._this[self._at - 1]

    def __len__(self) -> int:
        return len(self._this) - self._at + len(self._next)
