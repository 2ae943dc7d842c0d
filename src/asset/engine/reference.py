"""The reference engine: breadth-first exploration in plain Python. It is the specification of the native one.

In a state, commands are fired last number first; with stubborn sets, only the enabled commands of the first component
of obligations that has any (`asset.engine.stubborn`), or, by derived rules, those that `asset.engine.choice` chooses
among all that are enabled. With symmetry, the initial state and the result of each firing
are replaced by their representatives. A new state's invariants are checked when it is found; the terminal properties of
a state are checked when none of its commands was enabled. The first thing that is wrong ends the search, so the counts
at that moment are those of the ancestor (reference, "Behaviour").

When everything is explored, progress is checked on the whole graph (`asset.engine.graph`): each may property in order,
each must property, each recurrence, then termination. Properties that symmetries rename are checked on the annotated
quotient (`asset.engine.annotated`).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from asset.engine.annotated import AnnotatedQuotient
from asset.engine.choice import stubborn
from asset.engine.effort import Effort
from asset.engine.flat_rules import nr_obligations
from asset.engine.graph import Edge, Graph, Loss, can_avoid, cannot_reach, first_loss, recurrence_loss
from asset.engine.outcome import (
    During,
    Executable,
    Finding,
    Limits,
    Observer,
    Outcome,
    Path,
    Progress,
    Stop,
    Task,
    Wrong,
)
from asset.engine.stubborn import candidates
from asset.ir.derived import DerivedRules
from asset.ir.faults import Fault
from asset.ir.interpreter import Interpreter
from asset.ir.program import Property, PropertyKind, State
from asset.ir.symmetric import Meanings

OBSERVE_EVERY = 1024  # states

VIOLATIONS = {PropertyKind.INVARIANT: Wrong.INVARIANT, PropertyKind.TERMINAL: Wrong.TERMINAL}
RUN_VIOLATIONS = {PropertyKind.MAY_PROGRESS: Wrong.MAY_PROGRESS, PropertyKind.MUST_PROGRESS: Wrong.MUST_PROGRESS}

Violating = Callable[[Graph, list[bool]], list[bool]]
"""The states that violate a property, given those that it accepts."""

Parent = tuple[int | None, int]
"""The command and the state that first led to a state."""


class _Found(Exception):
    """Ends the search with a finding in a state, or, where `state` is None, before there is any."""

    def __init__(self, state: int | None, finding: Finding) -> None:
        self.state = state
        self.finding = finding


class _Stopped(Exception):
    def __init__(self, stop: Stop) -> None:
        self.stop = stop


def explore(executable: Executable, task: Task, limits: Limits, observer: Observer | None = None) -> Outcome:
    """Explores everything reachable, or up to the first finding or limit."""
    return Search(executable, task, limits, observer).run()


class Search:
    """One breadth-first search; states are numbered in the order of discovery."""

    def __init__(self, executable: Executable, task: Task, limits: Limits, observer: Observer | None) -> None:
        self.executable = executable
        self.program = executable.program
        self.task = task
        self.limits = limits
        self.observer = observer
        self.conditions = Interpreter(self.program)
        self.states: list[State] = []
        self.numbers: dict[State, int] = {}
        self.parents: list[Parent] = []
        self.edges: list[list[Edge]] = []  # of the states expanded so far
        self.nr_edges = 0
        self.nr_enabled = 0  # with derived rules: commands, fired or not, in the states expanded so far
        self.enabled_here = 0  # in the state being expanded
        self.effort = Effort(0 if task.derived is None else nr_obligations(task.derived))
        self.level = 0  # the distance of the state being expanded
        self.depth = 0
        self.terminal_states = 0

    def run(self) -> Outcome:
        started = time.perf_counter()
        stop, finding = Stop.COMPLETE, None
        try:
            self._explore()
            self._progress()
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
            states=len(self.states),
            edges=self.nr_edges,
            enabled=self.nr_enabled if self.task.derived is not None else self.nr_edges,
            depth=self.depth,
            terminal_states=self.terminal_states,
            explore_seconds=time.perf_counter() - started,
            memory_peak=memory,
            bytes_per_state=memory / max(1, len(self.states)),
        )

    # --- exploring ----------------------------------------------------------------------------------------------

    def _explore(self) -> None:
        self._add(self._representative(None, None, self.program.initial), (None, 0))
        next_level, before = 1, (0, 0, 0)
        for number, state in enumerate(self.states):  # grows as states are found
            if number == next_level:
                self.level, next_level = self.level + 1, len(self.states)
                before = self._end_level(before)
            self._expand(number, state)
            self.nr_enabled += self.enabled_here

    def _end_level(self, before: tuple[int, int, int]) -> tuple[int, int, int]:
        """The counts of states expanded, commands enabled and fired: what they were before is where the level began."""
        now = (len(self.edges), self.nr_enabled, self.nr_edges)
        following = len(self.states) - now[0]
        self.effort.end_level(now[0] - before[0], now[1] - before[1], now[2] - before[2], following)
        return now

    def _expand(self, number: int, state: State) -> None:
        self.edges.append([])
        for commands in self._candidates(number, state):
            for command in commands:
                successor = self._fire(number, state, command)
                if successor is not None:
                    self._step(number, command, self._representative(number, command, successor))
            if self.edges[number]:
                return
        self.terminal_states += 1
        self._check(PropertyKind.TERMINAL, number)

    def _candidates(self, number: int, state: State) -> Iterable[Iterable[int]]:
        """Sets of commands in the order of trying: the first with an enabled command is all that is fired."""
        if self.task.derived is not None:
            return (self._chosen(self.task.derived, number, state),)
        if not self.task.stubborn:
            return (reversed(range(self.program.nr_commands)),)
        return candidates(lambda command: self._obligations(number, state, command), self.program.nr_commands)

    def _chosen(self, rules: DerivedRules, number: int, state: State) -> list[int]:
        """Commands that are all that need be fired. Which are enabled is found by firing them, and so are faults."""
        commands = reversed(range(self.program.nr_commands))
        enabled = [command for command in commands if self._fire(number, state, command) is not None]
        self.enabled_here = len(enabled)
        if len(enabled) < 2 or not self.effort.reducing:
            return enabled
        return stubborn(rules, [self.conditions.holds(fact, state) for fact in rules.facts], enabled)

    def _step(self, number: int, command: int, successor: State) -> None:
        new = successor not in self.numbers
        if new:
            self._heed_limits()
        self.nr_edges += 1
        self.edges[number].append((command, len(self.states) if new else self.numbers[successor]))
        if new:
            self.depth = self.level + 1
            self._add(successor, (command, number))

    def _add(self, state: State, parent: Parent) -> None:
        number = self.numbers[state] = len(self.states)
        self.states.append(state)
        self.parents.append(parent)
        self._check(PropertyKind.INVARIANT, number)

    def _check(self, kind: PropertyKind, number: int) -> None:
        for index, prop in self._selected(kind):
            if not self._holds(kind, index, prop, number):
                raise _Found(number, Finding(VIOLATIONS[kind], (), index))

    def _selected(self, kind: PropertyKind) -> Iterator[tuple[int, Property]]:
        mask = self.task.properties.get(kind, 0)
        return ((i, p) for i, p in enumerate(self.program.properties_of(kind)) if mask >> i & 1)

    # --- what may raise a model error ---------------------------------------------------------------------------

    def _fire(self, number: int, state: State, command: int) -> State | None:
        try:
            return self.executable.fire(state, command)
        except Fault:
            raise _Found(number, Finding(Wrong.FAULT, (), during=During.FIRING, command=command)) from None

    def _obligations(self, number: int, state: State, command: int) -> tuple[int, ...]:
        try:
            return self.executable.obligations(state, command)
        except Fault:
            raise _Found(number, Finding(Wrong.FAULT, (), during=During.RULE, command=command)) from None

    def _representative(self, number: int | None, command: int | None, state: State) -> State:
        if not self.task.symmetry:
            return state
        try:
            return self.executable.representative(state)
        except Fault:
            raise _Found(number, Finding(Wrong.FAULT, (), during=During.REPRESENTATIVE, command=command)) from None

    def _holds(self, kind: PropertyKind, index: int, prop: Property, number: int) -> bool:
        try:
            return self.executable.evaluate(prop, self.states[number]) is None
        except Fault:
            raise _Found(number, Finding(Wrong.FAULT, (), index, during=During.PROPERTY, kind=kind)) from None

    # --- progress -----------------------------------------------------------------------------------------------

    def _progress(self) -> None:
        space = _Space(Graph(self.edges), self.states, self.parents)
        graph = space.graph
        self._check_runs(PropertyKind.MAY_PROGRESS, space, self._may)
        self._check_runs(PropertyKind.MUST_PROGRESS, space, self._must)
        for index, recurrence in enumerate(self.program.recurrences):
            if self.task.recurrences >> index & 1:
                _report(space, Wrong.RECURRENCE, index, recurrence_loss(graph, recurrence))
        if self.task.terminates:
            _report(space, Wrong.TERMINATION, 0, first_loss(graph, cannot_reach(graph, graph.terminal)))

    def _may(self, graph: Graph, accepted: list[bool]) -> list[bool]:
        if not self.task.terminal_is_no_may_progress:
            accepted = [a or t for a, t in zip(accepted, graph.terminal, strict=True)]
        return cannot_reach(graph, accepted)

    def _must(self, graph: Graph, accepted: list[bool]) -> list[bool]:
        return can_avoid(graph, accepted, not self.task.terminal_is_no_must_progress)

    def _check_runs(self, kind: PropertyKind, space: _Space, violating: Violating) -> None:
        """Each property of the kind, on the space or, if symmetries rename it, on the annotated quotient."""
        for index, prop in self._selected(kind):
            meanings = self._meanings(kind, index)
            if meanings is not None:
                self._follow(kind, index, prop, meanings, violating)
                continue
            accepted = [self._holds(kind, index, prop, number) for number in range(len(self.states))]
            loss = first_loss(space.graph, violating(space.graph, accepted))
            _report(space, RUN_VIOLATIONS[kind], index, loss)

    def _meanings(self, kind: PropertyKind, index: int) -> Meanings | None:
        return None if self.task.group is None else self.task.group.meanings.get((kind, index))

    def _follow(self, kind: PropertyKind, index: int, prop: Property, meanings: Meanings, violating: Violating) -> None:
        assert self.task.group is not None
        annotated = AnnotatedQuotient(self.executable, self.task.group, meanings, self.states, self.edges)
        space = _Space(annotated.graph, [self.states[s] for s, _ in annotated.vertices], annotated.parents)
        accepted = []
        for vertex in range(len(space.states)):
            try:
                accepted.append(self.executable.evaluate(prop, annotated.seen(vertex)) is None)
            except Fault:
                finding = Finding(Wrong.FAULT, space.path(vertex), index, during=During.PROPERTY, kind=kind)
                raise _Found(None, finding) from None
        _report(space, RUN_VIOLATIONS[kind], index, first_loss(space.graph, violating(space.graph, accepted)))

    # --- the outcome --------------------------------------------------------------------------------------------

    def _finding(self, found: _Found) -> Finding:
        if found.state is not None:
            return replace(found.finding, path=_path(found.state, self.states, self.parents))
        return found.finding if found.finding.path else replace(found.finding, path=((None, self.program.initial),))

    def _heed_limits(self) -> None:
        found = len(self.states)
        if self.limits.max_states is not None and found >= self.limits.max_states:
            raise _Stopped(Stop.MAX_STATES)
        if found % OBSERVE_EVERY:
            return
        if self.limits.max_memory is not None and self._memory() > self.limits.max_memory:
            raise _Stopped(Stop.MAX_MEMORY)
        if self.observer is not None:
            frontier = found - len(self.edges)
            if not self.observer(Progress(found, self.nr_edges, frontier, self.depth, self._memory())):
                raise _Stopped(Stop.INTERRUPTED)

    def _memory(self) -> int:
        """An estimate: the table, for each state a tuple of its cells and one of its parent, one for each edge."""
        a_state = sys.getsizeof(self.program.initial) + sys.getsizeof((0, 0)) + sys.getsizeof([])
        lists = sys.getsizeof(self.numbers) + sys.getsizeof(self.states) + sys.getsizeof(self.parents)
        return lists + len(self.states) * a_state + self.nr_edges * sys.getsizeof((0, 0))


def _path(number: int, states: Sequence[State], parents: Sequence[Parent]) -> Path:
    """The shortest path to the state, by the edges that first led to each."""
    path: list[tuple[int | None, State]] = []
    while True:
        command, parent = parents[number]
        path.append((command, states[number]))
        if command is None:
            return tuple(reversed(path))
        number = parent


class _Space(NamedTuple):
    """States, how each was first reached, and the edges between them."""

    graph: Graph
    states: Sequence[State]
    parents: Sequence[Parent]

    def path(self, number: int) -> Path:
        return _path(number, self.states, self.parents)


def _report(space: _Space, wrong: Wrong, index: int, loss: Loss | None) -> None:
    """Ends the search where there is a loss."""
    if loss is None:
        return
    stem = space.path(loss.start)
    lost_at = len(stem) - 1
    run = tuple((command, space.states[state]) for command, state in loss.run)
    cycle_at = None if loss.cycle is None else lost_at + loss.cycle
    raise _Found(None, Finding(wrong, (*stem, *run), index, progress_lost_at=lost_at, cycle_starts_at=cycle_at))
