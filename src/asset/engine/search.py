"""The search loop of the reference engine, and its parts.

A search takes a state from its frontier, has its source fire commands there, and puts the successors into its store;
new ones go to the frontier. Observers are told what happens, and may end the search by raising an exception: the checks
of a model are one, the audit of hand-written reductions is another.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

from asset.engine.frontier import Frontier, Levels
from asset.engine.outcome import Limits, OnProgress, Progress, Standing, Stop
from asset.engine.sources import Failed, Source
from asset.engine.store import Store
from asset.ir.program import State

OBSERVE_EVERY = 0.1  # seconds
MEASURE_EVERY = 1024  # states


class Stopped(Exception):
    """A limit, or whoever watches the progress, ends the search."""

    def __init__(self, stop: Stop) -> None:
        self.stop = stop


class Observer:
    """Told what a search does; these methods do nothing. Numbers are those of the store."""

    def starts(self, state: State) -> None:
        """The search starts in this state, or in its representative."""

    def found(self, number: int, state: State) -> None:
        """The state is new."""

    def expands(self, number: int, state: State) -> None:
        """Commands are about to be fired in the state."""

    def terminal(self, number: int, state: State) -> None:
        """No command can change the state."""

    def failed(self, number: int | None, failure: Failed) -> None:
        """A model error in the state, or in the representative of a start state. Nothing more is fired there."""


class Search:
    """One search; where it can stop is decided by limits, observers, and `on_progress` now and then."""

    def __init__(
        self,
        source: Source,
        limits: Limits | None = None,
        observers: Sequence[Observer] = (),
        on_progress: OnProgress | None = None,
        store: Store[State] | None = None,
    ) -> None:
        self.source = source
        self.limits = limits or Limits()
        self.observers = observers
        self.on_progress = on_progress
        self.store = Store[State]() if store is None else store
        self.frontier: Frontier = Levels()
        self._due = 0.0  # when to call it next
        self.depth = 0
        self.levels: list[int] = []  # the states of each level, as far as all of these were found
        self.terminal_states = 0
        self.nr_expanded = 0
        self.nr_enabled = 0  # commands, fired or not, in the states expanded so far
        self._before = (0, 0, 0)  # the counts when the level began
        self._asked = 0  # how often it was asked whether to go on

    def run(self, starts: Sequence[State]) -> None:
        """Explores whatever is reachable from the states. Raises Stopped, or what an observer raises."""
        self.begin(starts)
        self._explore()

    def begin(self, starts: Sequence[State]) -> None:
        """The states to start in are found, and no more. Raises what an observer raises."""
        for state in starts:
            self._start(state)

    def _start(self, state: State) -> None:
        for observer in self.observers:
            observer.starts(state)
        try:
            begun = self.source.start(state)
        except Failed as failure:
            self._fail(None, failure)
            return
        if begun not in self.store.numbers:
            self._heed_limits()
            self._add(begun, (None, 0))

    def _explore(self) -> None:
        while (number := self.frontier.pop()) is not None:
            if self.frontier.level == len(self.levels):
                self.levels.append(len(self.frontier) + 1)
                self._end_level()
                self._ask()
            self.expand(number)

    def _end_level(self) -> None:
        """Tells the source the counts of states expanded, commands enabled and fired since the level began."""
        now = (self.nr_expanded, self.nr_enabled, self.store.nr_edges)
        states, enabled, fired = (after - before for after, before in zip(now, self._before, strict=True))
        self.source.end_level(states, enabled, fired, len(self.store) - self.nr_expanded)
        self._before = now

    def expand(self, number: int) -> None:
        """Fires commands in a state that was found. Raises Stopped, or what an observer raises."""
        state = self.store.vertices[number]
        for observer in self.observers:
            observer.expands(number, state)
        try:
            for command, successor in self.source.successors(state):
                self._step(number, command, successor)
        except Failed as failure:
            self._fail(number, failure)
            return
        self.nr_enabled += self.source.nr_enabled
        if self.source.terminal:
            self.terminal_states += 1
            for observer in self.observers:
                observer.terminal(number, state)
        self.nr_expanded += 1

    def _step(self, number: int, command: int, successor: State) -> None:
        known = self.store.numbers.get(successor)
        if known is not None:
            self.store.link(number, command, known)
            return
        self._heed_limits()
        self.store.link(number, command, len(self.store))
        self.depth = self.frontier.level + 1
        self._add(successor, (command, number))

    def _add(self, state: State, parent: tuple[int | None, int]) -> None:
        number = self.store.add(state, parent)
        self.frontier.push(number)
        for observer in self.observers:
            observer.found(number, state)

    def _fail(self, number: int | None, failure: Failed) -> None:
        for observer in self.observers:
            observer.failed(number, failure)

    # --- widening stubborn sets ---------------------------------------------------------------------------------

    def enabled(self, number: int) -> dict[int, State]:
        """What is enabled in a state that was expanded, fired or not, and where it leads."""
        try:
            return self.source.enabled(self.store.vertices[number])
        except Failed as failure:
            self._fail(number, failure)
            return {}

    def key_steps(self, number: int) -> list[tuple[int, int]]:
        """The edges of a state that was expanded by keys of its set."""
        edges = self.store.edges[number]
        try:
            keys = self.source.keys(self.store.vertices[number], [command for command, _ in edges])
        except Failed as failure:
            self._fail(number, failure)
            return []
        return [(command, target) for command, target in edges if command in keys]

    def left_visible(self, number: int, fired: frozenset[int]) -> frozenset[int] | None:
        """`Source.left_visible` of a state that was expanded."""
        try:
            return self.source.left_visible(self.store.vertices[number], fired)
        except Failed as failure:
            self._fail(number, failure)
            return None

    def widen(self, widenings: Sequence[tuple[int, int | None]]) -> None:
        """In some states that were expanded, fires a command too that was left out, with whatever a stubborn set with
        it needs (everything, if it is None); and explores what is new. In such a state the last number comes first."""
        for number, command in widenings:
            state, edges = self.store.vertices[number], self.store.edges[number]
            fired = {known for known, _ in edges}
            try:
                for further, successor in self.source.further(state, command):
                    if further not in fired:
                        self._step(number, further, successor)
            except Failed as failure:
                self._fail(number, failure)
            edges.sort(reverse=True)
        self._explore()

    # --- limits -------------------------------------------------------------------------------------------------

    def _ask(self) -> None:
        """Whether to go on, if somebody is to be asked and it is time."""
        asking, found = self.limits.asking, len(self.store)
        if asking is None or found < (asking.begins, asking.ends, found + 1)[self._asked]:
            return
        self._asked += 1
        standing = Standing(tuple(self.levels), found, self.store.nr_edges)
        if self._asked == 1:
            asking.prepare(standing, lambda: True)
            self._ask()
        elif asking.worth_waiting(standing) and not asking.goes_on(standing):
            raise Stopped(Stop.MAX_STATES)

    def _heed_limits(self) -> None:
        found = len(self.store)
        if self.limits.max_states is not None and found >= self.limits.max_states:
            raise Stopped(Stop.MAX_STATES)
        measured = self.limits.max_memory is not None and found % MEASURE_EVERY == 0
        if measured and self.memory() > (self.limits.max_memory or 0):
            raise Stopped(Stop.MAX_MEMORY)
        if self.on_progress is not None and time.monotonic() >= self._due:
            self._due = time.monotonic() + OBSERVE_EVERY
            counts = (found, self.store.nr_edges, len(self.frontier), self.depth)
            if not self.on_progress(Progress(*counts, self.memory())):
                raise Stopped(Stop.INTERRUPTED)

    def memory(self) -> int:
        """An estimate: the table, for each state a tuple of its cells and one of its parent, one for each edge."""
        store = self.store
        a_state = sys.getsizeof(store.vertices[0]) + sys.getsizeof((0, 0)) + sys.getsizeof([]) if store.vertices else 0
        lists = sys.getsizeof(store.numbers) + sys.getsizeof(store.vertices) + sys.getsizeof(store.parents)
        return lists + len(store) * a_state + store.nr_edges * sys.getsizeof((0, 0))
