"""How ranks decide formulas of linear time logic, and recurrences, when they have explored all of the graph: by
trimming the product with an automaton. `asset.engine.trimming` is the specification, and says why;
native/trimming.h has the steps, and this says which comes next.

A run that shows a violation is the same for any number of ranks: a shortest way to what is left, by the least states;
then, by shortest ways again, to steps that have what a cycle must have, and back. If there is no way back, a cycle is
looked for from where that has come to: that can be so only as often as there are strong components on the way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

from asset.cluster.communicator import How
from asset.engine import native

if TYPE_CHECKING:
    from asset.cluster.exploring import Exploring

Marks = Sequence[int]
"""Of what a cycle must have, or a step has: acceptance sets, weak fairness, strong fairness, as words of bits."""


class Vertex(NamedTuple):
    state: list[int]
    mode: int


class Step(NamedTuple):
    """The command is NONE if a run stays in a terminal state."""

    command: int
    vertex: Vertex
    marks: Marks


class Ended(Exception):
    """Ranks have stopped."""


class Trimming:
    """Decides the requirement, which has this index among those on the graph."""

    def __init__(self, exploring: Exploring, index: int, requirement: int) -> None:
        self._exploring = exploring
        self._index = index
        self._requirement = requirement
        self._made: list[native.Trimming] = []
        self._wrong: Any = None

    @property
    def _native(self) -> native.Trimming:
        return self._made[0]

    def decide(self) -> None:
        """A violation or a model error is told to `exploring`, with how it goes on."""
        with suppress(Ended):
            self._decide()

    def _decide(self) -> None:
        exploring = self._exploring
        self._do(lambda: self._made.append(exploring.rank.trimming(self._index)))
        trimming = self._native
        exploring.rounds(trimming.link, trimming, trimming.receive_links)
        self._do(self._end_linking)
        if (wrong := exploring.nearest(self._wrong)) is not None:
            exploring.end(*wrong)
        elif self._trimmed() and (begins := self._way_begins()) is not None:
            self._show(*begins)

    def _end_linking(self) -> None:
        self._wrong = self._native.end_linking()

    # --- what is left -----------------------------------------------------------------------------------------------

    def _trimmed(self) -> bool:
        """Whether something is left when nothing more can be taken away."""
        trimming = self._native
        self._do(trimming.revive)
        before, left = -1, self._left()
        while left and left != before:
            before = left
            self._do(trimming.begin_counting)
            self._tell()
            self._do(trimming.begin_removing)
            self._tell()
            for mark in _each(trimming.wanted):
                self._seek(mark)
                self._tell()
                self._do(trimming.keep_reached, mark)
            left = self._left()
        return left > 0

    def _left(self) -> int:
        return self._exploring.ranks.reduce([self._native.alive], How.SUM)[0]

    def _seek(self, marks: Marks, by_layers: bool = False) -> None:
        trimming = self._native
        self._do(trimming.begin_seeking, marks)
        self._tell()
        self._do(trimming.begin_going_back, by_layers)

    def _tell(self) -> None:
        trimming = self._native
        self._exploring.rounds(trimming.tell, trimming, trimming.receive, answering=True)
        self._heed_end()

    # --- a run that shows it ----------------------------------------------------------------------------------------

    def _way_begins(self) -> tuple[Vertex, int] | None:
        """Where a run starts from which what is left can be reached by as few steps as from any, and how many."""
        trimming = self._native
        self._do(trimming.begin_from_alive)
        self._do(trimming.begin_going_back, True)
        for distance in count():
            if starts := [each for each in self._exploring.gathered(trimming.first_start) if each is not None]:
                return Vertex(min(starts), trimming.initial), distance
            if not self._layer():
                break
        return None

    def _layer(self) -> bool:
        """Goes back by one step. Whether there was anything to go back from."""
        new = [0]
        self._do(lambda: new.append(self._native.next_layer()))
        if not self._exploring.ranks.reduce([new[-1]], How.SUM)[0]:
            return False
        self._tell()
        return True

    def _show(self, start: Vertex, distance: int) -> None:
        """What is known stays true whatever happens while the run is found."""
        exploring = self._exploring
        wrong = (self._requirement, 0, native.NONE, native.NONE, start.state)
        exploring.know(0, wrong)
        run = list(self._walk(start, distance))
        cycle_at, cycle = self._cycle(run[-1].vertex if run else start)
        steps = [*run, *cycle]
        stays = next((i for i, step in enumerate(steps) if step.command == native.NONE), None)
        lost_at = len(run) + cycle_at if stays is None else stays
        exploring.end(0, wrong)
        explored = exploring.explored
        explored.whole = True
        explored.further = [(step.command, step.vertex.state) for step in steps[:stays]]
        explored.lost_at = lost_at
        explored.cycle = lost_at if stays is None else None

    def _cycle(self, home: Vertex) -> tuple[int, list[Step]]:
        """A run through what is left, and the number of the step from which on it is a cycle with all that it must
        have."""
        steps: list[Step] = []
        begins = 0
        while True:
            steps += self._round(home)
            here = steps[-1].vertex
            self._do(self._native.begin_from, *home)
            self._do(self._native.begin_going_back, True)
            if (distance := self._distance(here)) is not None:
                return begins, [*steps, *self._walk(here, distance)]
            home, begins = here, len(steps)

    def _round(self, here: Vertex) -> list[Step]:
        """Steps, at least one, that have all that can be reached of what a cycle must have. If something of it cannot,
        it is a strong fairness of which nothing is enabled any more."""
        lacks: list[int] = list(self._native.wanted)
        steps: list[Step] = []
        while any(lacks):
            self._seek(lacks, by_layers=True)
            if (distance := self._distance(here)) is None:
                break
            steps += self._walk(here, distance)
            last = steps[-1].vertex if steps else here
            steps.append(_least(step for step in self._alive_steps(last) if _meet(step.marks, lacks)))
            here = steps[-1].vertex
            lacks = [word & ~has for word, has in zip(lacks, steps[-1].marks, strict=True)]
        return steps or [_least(self._alive_steps(here))]

    def _distance(self, vertex: Vertex) -> int | None:
        """Goes back until the vertex is reached: how many steps that takes. None if nothing more is reached."""
        for distance in count():
            if self._layers([vertex])[0]:
                return distance
            if not self._layer():
                break
        return None

    def _walk(self, here: Vertex, distance: int) -> Iterator[Step]:
        """From a vertex that was reached by so many steps back, each time to the layer before."""
        for left in reversed(range(distance)):
            steps = self._steps(here)
            layers = self._layers([step.vertex for step in steps])
            step = _least(step for step, layer in zip(steps, layers, strict=True) if layer == 1 + left)
            yield step
            here = step.vertex

    def _steps(self, vertex: Vertex) -> list[Step]:
        every = self._exploring.gathered(self._native.steps(*vertex))
        return [Step(command, Vertex(state, mode), marks) for each in every for command, state, mode, marks in each]

    def _alive_steps(self, vertex: Vertex) -> list[Step]:
        steps = self._steps(vertex)
        alive = self._exploring.gathered([self._native.is_alive(*step.vertex) for step in steps])
        return [step for step, *said in zip(steps, *alive, strict=True) if any(said)]

    def _layers(self, vertices: list[Vertex]) -> list[int]:
        """One more than the layer of each, 0 if it was not reached."""
        every = self._exploring.gathered([self._native.layer_of(*vertex) for vertex in vertices])
        return [max(said) for said in zip(*every, strict=True)]

    # --- together ---------------------------------------------------------------------------------------------------

    def _do(self, do: Any, *arguments: object) -> None:
        self._exploring.guarded(do, *arguments)
        self._heed_end()

    def _heed_end(self) -> None:
        if self._exploring.halted():
            raise Ended


def _least(steps: Iterable[Step]) -> Step:
    return min(steps, key=lambda step: (step.vertex, step.command))


def _each(wanted: Marks) -> Iterator[Marks]:
    """One after the other."""
    for kind, word in enumerate(wanted):
        for bit in range(word.bit_length()):
            yield [(1 << bit) * (kind == each) for each in range(len(wanted))]


def _meet(some: Marks, others: Marks) -> bool:
    return any(one & other for one, other in zip(some, others, strict=True))
