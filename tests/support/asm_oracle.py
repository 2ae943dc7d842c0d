"""Decisions of the environment and of `choose`, made one after the other in all ways."""

from __future__ import annotations

from typing import Any

MOST_ROUNDS = 16
"""Of a loop in a step."""


class Oracle:
    """Decisions of one run of a step: those that are given, then always the first."""

    def __init__(self, given: list[int]) -> None:
        self.given = given
        self.taken: list[tuple[int, int]] = []

    def decide(self, options: list[Any]) -> Any:
        at = len(self.taken)
        choice = self.given[at] if at < len(self.given) else 0
        self.taken.append((choice, len(options)))
        return options[choice]

    def next(self) -> list[int] | None:
        """The decisions of the next run, None if all were made."""
        for at in reversed(range(len(self.taken))):
            choice, count = self.taken[at]
            if choice + 1 < count:
                return [each for each, _ in self.taken[:at]] + [choice + 1]
        return None
