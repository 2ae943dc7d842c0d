"""What ranks decide of the graph when they have explored all of it: may and must progress, and termination.

How is in native/backward.h; formulas and recurrences are decided by `asset.cluster.trimming`. Requirements are decided
in their order, as on one machine; of the states that violate one, that which is nearest to the start is shown, and then
a run that stays among them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asset.cluster.trimming import Trimming
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
        for index, (requirement, rule) in enumerate(_asked(exploring.job.asked)):
            if rule in native.RULES_OF_CYCLES:
                Trimming(exploring, index, requirement).decide()
            elif self._linked():
                self._decide(index, requirement)
            if exploring.explored.stop is not Stop.COMPLETE:
                return

    def _linked(self) -> bool:
        """Whether edges are known, which are found once; else ranks have stopped."""
        exploring = self._exploring
        if not self._made:
            exploring.guarded(lambda: self._made.append(exploring.rank.backward))
            if exploring.halted():
                return False
            backward = self._backward
            exploring.rounds(backward.link, backward, backward.receive_links)
            exploring.guarded(backward.end_linking)
        return not exploring.halted()

    def _decide(self, index: int, requirement: int) -> None:
        exploring, backward = self._exploring, self._backward
        exploring.guarded(self._begin, index)
        wrong = exploring.nearest(self._wrong)
        if wrong is not None:
            exploring.end(*wrong)
            return
        exploring.rounds(backward.go_back, backward, backward.receive, answering=True)
        if exploring.explored.stop is not Stop.COMPLETE:
            return
        lost = exploring.nearest(backward.first_unmarked())
        if lost is None:
            return
        level, (_, *rest) = lost
        exploring.end(level, (requirement, *rest))
        self._follow(rest[-1])

    def _begin(self, index: int) -> None:
        self._wrong = self._backward.begin(index)

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


def _asked(asked: native.FlatOptions) -> list[tuple[int, int]]:
    """The numbers of the requirements on the graph, in the task, and of their rules."""
    return [(call[1], call[2]) for call in asked.calls if call[0] == "require_on_graph"]
