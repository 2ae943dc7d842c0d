"""The reference engine: exploration in plain Python. It is the specification of the native one.

Parts of it are the search (`asset.engine.search`), what it fires (`asset.engine.sources`), what is said of a graph
(`asset.engine.graph`) and of a product with an automaton (`asset.engine.product`). Here it is said what is checked and
when. A new state's invariants are checked when it is found; the terminal properties of a state are checked if none of
its commands can change it. The first thing that is wrong ends the search, so the counts at that moment are those of the
ancestor (reference, "Behaviour"); or, if it is to keep going, it is noted, and that requirement is not asked any more.
When everything is explored, the other requirements are decided one after the other on the whole graph. Those that
symmetries rename are decided on the product with the renamings.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from asset import interruption
from asset.engine import temporal
from asset.engine.branching import BranchingTruth, Parts
from asset.engine.fair_states import FairStates
from asset.engine.graph import Loss, loss_of
from asset.engine.leading_out import leave_nothing_out
from asset.engine.on_the_fly import SpaceOnDemand, depth, way_to
from asset.engine.outcome import (
    During,
    Executable,
    Finding,
    Limits,
    OnProgress,
    Outcome,
    Stop,
    Task,
)
from asset.engine.product import Product, Renamings, Space, explored_space
from asset.engine.repair import repair
from asset.engine.search import Observer, Search, Stopped
from asset.engine.sources import Failed, source_of
from asset.engine.tree import TreeStore
from asset.ir.faults import Fault
from asset.ir.program import State
from asset.ir.requirements import Branching, Predicate, Requirement, Stage, Temporal


class _Found(Exception):
    """Ends the search with a finding, unless it keeps going; in the state of this number, unless it has a path."""

    def __init__(self, finding: Finding, number: int | None = None) -> None:
        self.finding = finding
        self.number = number


def explore(executable: Executable, task: Task, limits: Limits, on_progress: OnProgress | None = None) -> Outcome:
    """Explores everything reachable, or up to the first finding or limit."""
    return _Exploring(executable, task, limits, on_progress).run()


class _Exploring:
    def __init__(self, executable: Executable, task: Task, limits: Limits, on_progress: OnProgress | None) -> None:
        self.executable = executable
        self.task = task
        self.repair_seconds = 0.0
        self.explored = False
        self.on_the_fly: SpaceOnDemand | None = None
        self.findings: list[Finding] = []
        source = source_of(executable, task.reductions, task.idle_steps)
        checking = _Checking(executable, task, self._note)
        self.tree = TreeStore(len(task.starts[0])) if limits.store == "tree" else None
        self.search = Search(source, limits, [checking], on_progress, self.tree)

    def run(self) -> Outcome:
        started = time.perf_counter()
        stop = Stop.COMPLETE
        try:
            with interruption.at_once():
                if self.task.on_the_fly:
                    self._search_on_the_fly()
                else:
                    self._explore()
        except _Found as found:
            stop = Stop.FINDING
            self.findings.append(self._with_path(found))
        except Stopped as stopped:
            stop = stopped.stop
        except MemoryError:
            stop = Stop.MAX_MEMORY
        except KeyboardInterrupt:
            stop = Stop.INTERRUPTED
        return self._outcome(stop, time.perf_counter() - started)

    def _note(self, found: _Found) -> None:
        """Raises it, unless the search goes on after it."""
        if not self.task.keep_going or found.finding.requirement is None:
            raise found
        self.findings.append(self._with_path(found))

    def _explore(self) -> None:
        self.search.run(self.task.starts)
        if self.task.reductions.stubborn:
            self._repair()
        self.explored = True
        for requirement in self.task.of(Stage.GRAPH):
            try:
                self._decide(requirement)
            except _Found as found:
                self._note(found)

    def _search_on_the_fly(self) -> None:
        self.on_the_fly = SpaceOnDemand(self.executable, self.search, self.task)
        try:
            found = self.on_the_fly.violation()
        except temporal.ObservationFailed as failed:
            raise _Found(failed.finding(()), failed.state) from None
        if found is not None:
            raise _Found(found)

    def _repair(self) -> None:
        started = time.perf_counter()
        try:
            if self.task.by_marks:
                leave_nothing_out(self.search, self.task.repair)
            else:
                repair(self.search, self.task.repair, self.task.reductions.symmetry)
        finally:
            self.repair_seconds = time.perf_counter() - started

    def _outcome(self, stop: Stop, seconds: float) -> Outcome:
        search, memory, on_the_fly = self.search, self.search.memory(), self.on_the_fly
        return Outcome(
            stop=stop,
            finding=self.findings[0] if self.findings else None,
            further=tuple(self.findings[1:]),
            states=len(search.store),
            edges=search.store.nr_edges,
            enabled=search.nr_enabled if self.task.reductions.derived is not None else search.store.nr_edges,
            depth=search.depth if on_the_fly is None else depth(search.store, len(on_the_fly.starts)),
            terminal_states=search.terminal_states,
            levels=() if on_the_fly else tuple(search.levels),
            explore_seconds=seconds,
            memory_peak=memory,
            bytes_per_state=memory / max(1, len(search.store)),
            nodes=None if self.tree is None else len(self.tree.tree.nodes),
            repair_seconds=self.repair_seconds,
            explored=self.explored,
            product=on_the_fly.counts if on_the_fly else None,
        )

    def _with_path(self, found: _Found) -> Finding:
        if found.number is None:
            return found.finding
        store = self.search.store
        path = way_to(store, len(self.on_the_fly.starts), found.number) if self.on_the_fly else store.path(found.number)
        return replace(found.finding, path=path)

    # --- requirements on the whole graph ------------------------------------------------------------------------

    def _decide(self, requirement: Requirement) -> None:
        """Raises _Found if the requirement is violated."""
        if isinstance(requirement, Temporal | Branching):
            return self._decide_formula(requirement)
        space, accepted = explored_space(self.search.store), list[list[bool]]()
        for predicate in requirement.predicates:
            space, holds = self._evaluated_in_all(requirement, predicate)
            accepted.append(holds)
        if not (requirement.idle_steps or self.task.idle_steps):
            space = self._without_idle_steps(space)
        loss = loss_of(space.graph, requirement, accepted)
        if loss is not None:
            raise _Found(_lost(space, requirement, loss))

    def _without_idle_steps(self, space: Space) -> Space:
        fire, states = self.executable.fire, space.states
        return replace(space, graph=space.graph.without(lambda at, command: fire(states[at], command) == states[at]))

    def _decide_formula(self, requirement: Temporal | Branching) -> None:
        observer = temporal.Observer(self.executable, self.search, requirement)
        space, starts = explored_space(self.search.store), self._begun()
        renamed = self._renamed(requirement)
        if renamed is not None:
            renamings, product = renamed
            observer = temporal.RenamedObserver(observer, renamings, product.vertices)
            space, starts = product.space, product.begun
        try:
            if isinstance(requirement, Temporal):
                found = temporal.violated(space, observer, requirement, starts)
            else:
                found = _branching(space, observer, requirement, starts)
        except temporal.ObservationFailed as failed:
            raise _Found(failed.finding(space.path(failed.state))) from None
        if found is not None:
            raise _Found(found)

    def _begun(self) -> list[int]:
        """The states of the space that the search started in."""
        return [self.search.store.numbers[self.search.source.start(state)] for state in self.task.starts]

    def _renamed(self, requirement: Requirement) -> tuple[Renamings, Product] | None:
        """The quotient with what symmetries make of the requirement, if they do not keep it."""
        store, group = self.search.store, self.task.reductions.group
        meanings = None if group is None else group.meanings.get(requirement)
        if group is None or meanings is None:
            return None
        renamings = Renamings(self.executable, group, meanings, store)
        return renamings, Product(store, renamings, renamings.begin(self.task.starts))

    def _evaluated_in_all(self, requirement: Requirement, predicate: Predicate) -> tuple[Space, list[bool]]:
        """What to decide on, and for each of its vertices whether the predicate holds there."""
        renamed = self._renamed(requirement)
        if renamed is None:
            space = explored_space(self.search.store)
            return space, self._evaluated(predicate, space, self.search.store.vertices)
        renamings, product = renamed
        seen = [renamings.seen(vertex) for vertex in product.vertices]
        return product.space, self._evaluated(predicate, product.space, seen)

    def _evaluated(self, predicate: Predicate, space: Space, seen: list[State]) -> list[bool]:
        """Whether the predicate holds in each of the states, which the vertices of the space stand for."""
        accepted = []
        for vertex, state in enumerate(seen):
            try:
                accepted.append(self.executable.evaluate(predicate, state) is None)
            except Fault:
                raise _Found(_faulty(predicate, space, vertex)) from None
        return accepted


class _Checking(Observer):
    """What can be decided while exploring: requirements of states, and model errors. Raises _Found if `note` does."""

    def __init__(self, executable: Executable, task: Task, note: Callable[[_Found], None]) -> None:
        self.executable = executable
        self.note = note
        self.violated: set[Requirement] = set()
        self.of_states = task.of(Stage.STATE)
        self.of_terminal_states = task.of(Stage.TERMINAL)
        self.start: State | None = None

    def starts(self, state: State) -> None:
        self.start = state

    def found(self, number: int, state: State) -> None:
        self._check(self.of_states, number, state)

    def terminal(self, number: int, state: State) -> None:
        self._check(self.of_terminal_states, number, state)

    def failed(self, number: int | None, failure: Failed) -> None:
        path = () if self.start is None or number is not None else ((None, self.start),)
        raise _Found(Finding(None, path, during=failure.during, command=failure.command), number) from None

    def _check(self, requirements: tuple[Requirement, ...], number: int, state: State) -> None:
        for requirement in requirements:
            if requirement not in self.violated and not self._holds(requirement, number, state):
                self.note(_Found(Finding(requirement, ()), number))
                self.violated.add(requirement)

    def _holds(self, requirement: Requirement, number: int, state: State) -> bool:
        for predicate in requirement.predicates:
            try:
                if self.executable.evaluate(predicate, state) is not None:
                    return False
            except Fault:
                faulty = Finding(None, (), during=During.PREDICATE, predicate=predicate)
                raise _Found(faulty, number) from None
        return True


def _branching(
    space: Space, observer: temporal.Observer, requirement: Branching, starts: Sequence[int]
) -> Finding | None:
    observed = [observer.of_state(state) for state in range(len(space.states))]
    parts = Parts(requirement.formula, requirement.observations).list
    truths = [[each in held for held in observed] for each in requirement.observations]
    fair = None
    if not requirement.of_all_runs:
        fair = FairStates(space.graph, temporal.FairProduct(space, observer, requirement, starts))
    decided = BranchingTruth(space.graph, parts, truths, fair)
    wrong = next((start for start in starts if not decided.truths[-1][start]), None)
    return None if wrong is None else _lost(space, requirement, decided.shown(wrong))


def _faulty(predicate: Predicate, space: Space, vertex: int) -> Finding:
    return Finding(None, space.path(vertex), during=During.PREDICATE, predicate=predicate)


def _lost(space: Space, requirement: Requirement, loss: Loss) -> Finding:
    """The run to where progress is lost, and on from there."""
    stem = space.path(loss.start)
    lost_at = len(stem) - 1
    run = tuple((command, space.states[state]) for command, state in loss.run)
    cycle_at = None if loss.cycle is None else lost_at + loss.cycle
    return Finding(requirement, (*stem, *run), progress_lost_at=lost_at, cycle_starts_at=cycle_at)
