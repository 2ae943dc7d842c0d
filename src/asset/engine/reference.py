"""The reference engine: breadth-first exploration in plain Python. It is the specification of the native one.

In a state, commands are fired last number first. A new state's invariants are checked when it is found; the terminal
properties of a state are checked when none of its commands was enabled. The first thing that is wrong ends the search,
so the counts at that moment are those of the ancestor (reference, "Behaviour").
"""

from __future__ import annotations

import sys
import time

from asset.engine.outcome import Checked, Executable, Finding, Limits, Observer, Outcome, Progress, Stop
from asset.ir.faults import Fault
from asset.ir.program import PropertyKind, State

OBSERVE_EVERY = 1024  # states


class _Found(Exception):
    """Ends the search with a finding in a state."""

    def __init__(self, state: State, kind: PropertyKind | None, index: int = 0, failing: int | None = None) -> None:
        self.state = state
        self.kind = kind
        self.index = index
        self.failing = failing
        self.evaluating: PropertyKind | None = None


class _Stopped(Exception):
    def __init__(self, stop: Stop) -> None:
        self.stop = stop


class Search:
    """One breadth-first search; afterwards `outcome` has everything."""

    def __init__(self, executable: Executable, checked: Checked, limits: Limits, observer: Observer | None) -> None:
        self.executable = executable
        self.program = program = executable.program
        self.checked = {
            kind: [(i, p) for i, p in enumerate(program.properties_of(kind)) if mask >> i & 1]
            for kind, mask in checked.items()
        }
        self.limits = limits
        self.observer = observer
        self.parents: dict[State, tuple[int, State] | None] = {}
        self.edges = 0
        self.level = 0
        self.depth = 0
        self.terminal_states = 0
        self.frontier: list[State] = []

    def run(self) -> Outcome:
        started = time.perf_counter()
        stop, finding = Stop.COMPLETE, None
        try:
            self._explore()
        except _Found as found:
            stop, finding = Stop.FINDING, self._finding(found)
        except _Stopped as stopped:
            stop = stopped.stop
        except MemoryError:
            stop = Stop.MAX_MEMORY
        except KeyboardInterrupt:
            stop = Stop.INTERRUPTED
        memory = self._memory()
        return Outcome(
            stop=stop,
            finding=finding,
            states=len(self.parents),
            edges=self.edges,
            depth=self.depth,
            terminal_states=self.terminal_states,
            explore_seconds=time.perf_counter() - started,
            memory_peak=memory,
            bytes_per_state=memory / max(1, len(self.parents)),
        )

    def _explore(self) -> None:
        level = [self.program.initial]
        self._add(self.program.initial, None)
        while level:
            self.frontier = []
            for state in level:
                self._expand(state)
            level = self.frontier
            self.level += 1

    def _expand(self, state: State) -> None:
        terminal = True
        for command in reversed(range(self.program.nr_commands)):
            try:
                successor = self.executable.fire(state, command)
            except Fault:
                raise _Found(state, None, failing=command) from None
            if successor is not None:
                terminal = False
                self._step(state, command, successor)
        if terminal:
            self.terminal_states += 1
            self._check(PropertyKind.TERMINAL, state)

    def _step(self, state: State, command: int, successor: State) -> None:
        if successor in self.parents:
            self.edges += 1
        else:
            self._heed_limits()
            self.edges += 1
            self.depth = self.level + 1
            self.frontier.append(successor)
            self._add(successor, (command, state))

    def _add(self, state: State, parent: tuple[int, State] | None) -> None:
        self.parents[state] = parent
        self._check(PropertyKind.INVARIANT, state)

    def _check(self, kind: PropertyKind, state: State) -> None:
        for index, prop in self.checked.get(kind, ()):
            try:
                wrong = self.executable.evaluate(prop, state)
            except Fault:
                found = _Found(state, None, index)
                found.evaluating = kind
                raise found from None
            if wrong is not None:
                raise _Found(state, kind, index)

    def _heed_limits(self) -> None:
        found = len(self.parents)
        if self.limits.max_states is not None and found >= self.limits.max_states:
            raise _Stopped(Stop.MAX_STATES)
        if found % OBSERVE_EVERY:
            return
        if self.limits.max_memory is not None and self._memory() > self.limits.max_memory:
            raise _Stopped(Stop.MAX_MEMORY)
        if self.observer is not None:
            now = Progress(found, self.edges, len(self.frontier), self.depth, self._memory())
            if not self.observer(now):
                raise _Stopped(Stop.INTERRUPTED)

    def _memory(self) -> int:
        """An estimate: the table, and for each state a tuple of its cells and one of its parent."""
        a_state = sys.getsizeof(self.program.initial) + sys.getsizeof((0, 0))
        return sys.getsizeof(self.parents) + len(self.parents) * a_state

    def _finding(self, found: _Found) -> Finding:
        path: list[tuple[int | None, State]] = []
        state = found.state
        while (parent := self.parents[state]) is not None:
            path.append((parent[0], state))
            state = parent[1]
        path.append((None, state))
        return Finding(found.kind, found.index, tuple(reversed(path)), found.failing, found.evaluating)


def explore(executable: Executable, checked: Checked, limits: Limits, observer: Observer | None = None) -> Outcome:
    """Explores everything reachable, or up to the first finding or limit."""
    return Search(executable, checked, limits, observer).run()
