"""What ranks decide of the graph when they have explored all of it: may and must progress, and termination.

How is in native/backward.h. Requirements are decided in their order, as on one machine; of the states that violate one,
that which is nearest to the start is shown, and then a run that stays among them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asset.engine import native
from asset.engine.outcome import Stop

if TYPE_CHECKING:
    from asset.cluster.exploring import Exploring


class Deciding:
    """Decides what a rank was asked of the graph, together with the others."""

    def __init__(self, exploring: Exploring) -> None:
        self._exploring = exploring
        self._made: list[native.Backward] = []
        self._wrong: Any = None

    @property
    def _backward(self) -> native.Backward:
        return self._made[0]

    def decide(self) -> None:
        """The first requirement that is violated, or model error, is told to `exploring`, with how it goes on."""
        exploring = self._exploring
        exploring.guarded(lambda: self._made.append(exploring.rank.backward))
        if exploring.halted():
            return
        backward = self._backward
        exploring.rounds(backward.link, backward, backward.receive_links)
        exploring.guarded(backward.end_linking)
        for index, requirement in enumerate(_numbers(exploring.job.asked)):
            if exploring.halted() or self._violated(index, requirement):
                return

    def _violated(self, index: int, requirement: int) -> bool:
        """Whether there is nothing more to decide: it is violated, or a model error, or ranks have stopped."""
        exploring, backward = self._exploring, self._backward
        exploring.guarded(self._begin, index)
        wrong = self._first(self._wrong)
        if wrong is not None:
            exploring.end(*wrong)
            return True
        exploring.rounds(backward.go_back, backward, backward.receive, answering=True)
        if exploring.explored.stop is not Stop.COMPLETE:
            return True
        lost = self._first(backward.first_unmarked())
        if lost is None:
            return False
        level, (_, *rest) = lost
        exploring.end(level, (requirement, *rest))
        self._follow(rest[-1])
        return True

    def _begin(self, index: int) -> None:
        self._wrong = self._backward.begin(index)

    def _first(self, mine: Any) -> Any:
        """Of what ranks tell, the nearest to the start, and then by its words."""
        every = [each for each in self._exploring.gathered(mine) if each is not None]
        return min(every, key=lambda each: (each[0], each[1][-1]), default=None)

    def _follow(self, state: list[int]) -> None:
        """A run that stays among violating states: to where it ends, or to a state where it was before."""
        explored = self._exploring.explored
        passed = {tuple(state): 0}
        explored.further = []
        while steps := self._violating(state):
            command, state = steps[0]
            explored.further.append((command, state))
            if tuple(state) in passed:
                explored.cycle = passed[tuple(state)]
                return
            passed[tuple(state)] = len(explored.further)

    def _violating(self, state: list[int]) -> list[tuple[int, list[int]]]:
        """The steps from a state to others that violate the requirement too."""
        steps = [step for each in self._exploring.gathered(self._backward.steps(state)) for step in each]
        known = self._exploring.gathered([self._backward.is_unmarked(after) for _, after in steps])
        return [step for step, *said in zip(steps, *known, strict=True) if any(said)]


def _numbers(asked: native.FlatOptions) -> list[int]:
    """Of the requirements on the graph, in the task."""
    return [call[1] for call in asked.calls if call[0] == "require_on_graph"]
