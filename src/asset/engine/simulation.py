"""Random runs of a model, in plain Python: the specification of native/simulation.h.

Some runs are made side by side, in lanes. In each round every lane makes a step: of the commands that change its state,
each is as likely. Then the new states are looked at: whether an invariant is violated, and whether something is met
for the first time, a command or a value of a counted cell. A run ends in a terminal state or when it is long enough.
Half of the further runs begin in a start state, the others in turn where something was met for the first time: so what
is hard to come to is a place to go on from.

The first thing that is wrong ends it. The same seed gives the same runs, here and in the native engine.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from asset import interruption
from asset.engine.outcome import (
    During,
    Executable,
    Finding,
    OnProgress,
    Outcome,
    Progress,
    Sampled,
    Sampling,
    Stop,
    Task,
)
from asset.engine.shortening import shortened
from asset.engine.sources import is_terminal
from asset.ir.faults import Fault
from asset.ir.program import State
from asset.ir.requirements import Stage

MOST_ORIGINS = 256
MOST_KEPT_DEPTH = 1 << 16
OBSERVE_EVERY = 0.1  # seconds

_WORD = (1 << 64) - 1


class Random:
    """The numbers of native/random.h: splitmix64."""

    def __init__(self, seed: int, stream: int) -> None:
        self._state = _mixed(seed) + _mixed(~stream & _WORD) & _WORD

    def below(self, end: int) -> int:
        self._state = self._state + 0x9E3779B97F4A7C15 & _WORD
        return (_mixed(self._state) >> 32) * end >> 32


def _mixed(z: int) -> int:
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB & _WORD
    return z ^ z >> 31


@dataclass(slots=True)
class Lane:
    """A run: its start state, the commands that were fired, and the state that it is in."""

    start: State
    commands: tuple[int, ...]
    state: State
    ended: bool = False


@dataclass(frozen=True, slots=True)
class _Wrong:
    """What is wrong in the state of a lane."""

    lane: Lane
    finding: Finding


def simulate(executable: Executable, task: Task, sampling: Sampling, on_progress: OnProgress | None = None) -> Outcome:
    """Makes random runs up to the first in which something is wrong, until there are enough or they are interrupted."""
    started = time.perf_counter()
    walker = Walker(executable, task, sampling, on_progress)
    stop, finding, length = Stop.SAMPLED, None, 0
    try:
        with interruption.at_once():
            walker.walk()
    except KeyboardInterrupt:
        stop = Stop.INTERRUPTED
    if walker.wrong is not None:
        length = len(walker.wrong.lane.commands)
        finding = walker.shown(walker.wrong)
    return Outcome(
        stop=stop if finding is None else Stop.FINDING,
        finding=finding,
        states=len(walker.states),
        edges=walker.steps,
        enabled=walker.steps,
        depth=walker.longest,
        terminal_states=walker.terminal,
        levels=(),
        explore_seconds=time.perf_counter() - started,
        memory_peak=0,
        bytes_per_state=0,
        sampled=Sampled(
            walker.runs,
            frozenset(walker.taken | walker.idle),
            tuple(len(values) for values in walker.values.values()),
            len(walker.states),
            length,
        ),
    )


class Walker:
    def __init__(
        self, executable: Executable, task: Task, sampling: Sampling, on_progress: OnProgress | None, stream: int = 0
    ) -> None:
        self.executable = executable
        self.task = task
        self.sampling = sampling
        self.on_progress = on_progress
        self.random = Random(sampling.seed, stream)
        self.origins: list[Lane] = []
        self.kept = self.turn = 0
        self.steps = self.runs = self.longest = self.terminal = 0
        self.taken: set[int] = set()
        self.idle: set[int] = set()
        self.values: dict[int, set[int]] = {cell: set() for cell in sampling.counted}
        self.states: set[State] = set()
        self.wrong: _Wrong | None = None
        self._due = time.monotonic() + OBSERVE_EVERY

    def walk(self) -> None:
        for start in self.task.starts:
            lane = Lane(start, (), start)
            self._see(lane)
            if self._violates(lane, Stage.STATE):
                return
        most = self.sampling.steps
        lanes = [self._begun() for _ in range(self.sampling.lanes(1))]
        while self.wrong is None and (most is None or (self.steps < most and self.runs <= most)):
            self._round(lanes if most is None else lanes[: most - self.steps])
            for number, lane in enumerate(lanes):
                if self.wrong is None and (lane.ended or len(lane.commands) >= self.sampling.length):
                    lanes[number] = self._begun()
            self._heed()

    def _begun(self) -> Lane:
        self.runs += 1
        if self.origins and self.random.below(2):
            origin = self.origins[self.turn % len(self.origins)]
            self.turn += 1
            return Lane(origin.start, origin.commands, origin.state)
        start = self.task.starts[self.random.below(len(self.task.starts))]
        return Lane(start, (), start)

    def _round(self, lanes: list[Lane]) -> None:
        done: list[Lane] = []
        for lane in lanes:
            if not self._step(lane):
                break
            done.append(lane)
        later, self.wrong = self.wrong, None
        for lane in done:
            if self._violates(lane, Stage.STATE):
                return  # before whatever is wrong with a later lane
            self.longest = max(self.longest, len(lane.commands))
            if not lane.ended and self._see(lane):
                self._keep(lane)
        self.wrong = later

    def _step(self, lane: Lane) -> bool:
        """Fires all commands, the last one first, and takes one that changes the state. False if something is wrong."""
        successors: list[tuple[int, State]] = []
        for command in reversed(range(self.executable.program.nr_commands)):
            try:
                after = self.executable.fire(lane.state, command)
            except Fault:
                self.wrong = _Wrong(lane, Finding(None, (), during=During.FIRING, command=command))
                return False
            if after is not None:
                successors.append((command, after))
        chosen = successors[self.random.below(len(successors))] if successors else None
        if chosen is not None and not self._changes(lane, chosen):
            self.idle.update(command for command, after in successors if not self._changes(lane, (command, after)))
            changing = [each for each in successors if self._changes(lane, each)]
            chosen = changing[self.random.below(len(changing))] if changing else None
        if chosen is None:
            self.terminal += 1
            lane.ended = True
            return not self._violates(lane, Stage.TERMINAL)
        lane.commands, lane.state = (*lane.commands, chosen[0]), chosen[1]
        self.steps += 1
        return True

    def _changes(self, lane: Lane, successor: tuple[int, State]) -> bool:
        return self.task.idle_steps or successor[1] != lane.state

    def _see(self, lane: Lane) -> bool:
        """Whether the last command, or a value of a counted cell, is met for the first time."""
        self.states.add(lane.state)
        is_new = bool(lane.commands) and lane.commands[-1] not in self.taken
        self.taken.update(lane.commands[-1:])
        for cell, known in self.values.items():
            is_new |= lane.state[cell] not in known
            known.add(lane.state[cell])
        return is_new

    def _keep(self, lane: Lane) -> None:
        """Further runs may begin in the state. Of many such states the last ones stay."""
        if len(lane.commands) >= min(self.sampling.length, MOST_KEPT_DEPTH):
            return
        origin = Lane(lane.start, lane.commands, lane.state)
        if len(self.origins) < MOST_ORIGINS:
            self.origins.append(origin)
        else:
            self.origins[self.kept % MOST_ORIGINS] = origin
        self.kept += 1

    # --- what is wrong ------------------------------------------------------------------------------------------

    def _violates(self, lane: Lane, stage: Stage) -> bool:
        finding = self._wrong_in(lane.state, stage)
        if finding is not None:
            self.wrong = _Wrong(lane, finding)
        return finding is not None

    def _wrong_in(self, state: State, stage: Stage) -> Finding | None:
        """The first requirement of the stage that the state violates, or that fails there."""
        for requirement in self.task.of(stage):
            for predicate in requirement.predicates:
                try:
                    if self.executable.evaluate(predicate, state) is not None:
                        return Finding(requirement, ())
                except Fault:
                    return Finding(None, (), during=During.PREDICATE, predicate=predicate)
        return None

    def shown(self, wrong: _Wrong) -> Finding:
        """The finding with its run, shortened."""

        def fails(state: State) -> bool:
            if wrong.finding.during is During.FIRING:
                return self._fails_firing(state, wrong.finding.command)
            if self._wrong_in(state, Stage.STATE) == wrong.finding:
                return True
            return self._wrong_in(state, Stage.TERMINAL) == wrong.finding and is_terminal(self.executable, state)

        return replace(wrong.finding, path=shortened(self.executable, wrong.lane.start, wrong.lane.commands, fails))

    def _fails_firing(self, state: State, command: int | None) -> bool:
        try:
            self.executable.fire(state, command or 0)
        except Fault:
            return True
        return False

    def _heed(self) -> None:
        if self.on_progress is not None and time.monotonic() >= self._due:
            self._due = time.monotonic() + OBSERVE_EVERY
            counts = (len(self.states), self.steps, self.runs, self.longest)
            if not self.on_progress(Progress(*counts, 0)):
                raise KeyboardInterrupt
