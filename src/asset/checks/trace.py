"""Which of the runs that show a violation is shown: one that is easy to follow.

A firing is a function of the cells that it reads (`asset.ir.footprint`). Two neighbours of a run of which neither
writes what the other touches may change places, and the run still leads to the same state: the orders of a run's steps
that keep the others in place are the runs of its Mazurkiewicz trace. A step that writes nothing that a later step that
matters, or what is violated, reads does not matter. Whatever is chosen here is replayed like any other counterexample.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Generic, TypeVar

from asset.checks.replay import recurs_in_vain
from asset.engine.outcome import During, Executable, Finding, Path
from asset.errors import UsageError
from asset.ir.faults import Fault
from asset.ir.footprint import Footprint, Footprints
from asset.ir.interpreter import Interpreter
from asset.ir.program import State
from asset.ir.requirements import Branching, Invariant, Predicate, Recurrence, Temporal

LITTLE, MUCH = 1_000, 200_000
"""How many firings the search for the fewest changes of process may take: unasked (tens of ms), and if asked for."""

BEAM = 256
"""How many of the cheapest ways of a reordering are followed at each step, at most."""

LOOKS = 50
"""How often one may look whether a step can be the next, for each firing of the budget: that takes less time."""

Node = TypeVar("Node", bound=Hashable)
Move = tuple[int, Node]  # a command and where it leads


@dataclass(frozen=True, slots=True)
class Chosen:
    """The run to show; `order` says how it was chosen, `left_out` how many steps did not matter."""

    finding: Finding
    order: str
    left_out: int = 0


def chosen(executable: Executable, finding: Finding, trace: str | None, processes: Sequence[str]) -> Chosen:
    """The run that `trace` asks for; `processes` has the process of each command."""
    finding = folded(finding)
    of_steps = isinstance(finding.requirement, Temporal | Branching)  # another order of the steps may say another thing
    if trace == "first" or of_steps:
        return Chosen(finding, "first")
    if trace == "causal":
        return _causal(executable, finding, processes)
    if trace is None and _is_in_turn(finding.path, processes):
        return Chosen(finding, "fewest-switches")
    budget = LITTLE if trace is None else MUCH
    return Chosen(_StepReordering(executable, processes, budget).of(finding), "fewest-switches")


def folded(finding: Finding) -> Finding:
    """The same run with the fewest steps: its cycle goes round once, and begins as early as it can.

    What was found in a product with an automaton may go round until that has got to where it stays.
    """
    start = finding.cycle_starts_at
    if start is None:
        return finding
    path = finding.path
    cycle = path[start + 1 :]
    period = next(each for each in range(1, len(cycle) + 1) if not len(cycle) % each and cycle[each:] == cycle[:-each])
    end = start + period  # where the cycle closes
    while start > 0 and path[start] == path[end] and path[start - 1][1] == path[end - 1][1]:
        start, end = start - 1, end - 1
    lost_at = finding.progress_lost_at
    if lost_at is not None and lost_at >= end:
        lost_at = start + (lost_at - start) % period
    return replace(finding, path=path[: end + 1], cycle_starts_at=start, progress_lost_at=lost_at)


def switches(path: Path, processes: Sequence[str]) -> int:
    """How often the run changes from a process to another."""
    steps = [processes[command] for command, _ in path if command is not None]
    return sum(one != other for one, other in pairwise(steps))


def _is_in_turn(path: Path, processes: Sequence[str]) -> bool:
    """Whether each process takes all its steps in a row: then no order of the steps has fewer changes."""
    return switches(path, processes) < len({processes[command] for command, _ in path if command is not None})


# --- steps that matter ------------------------------------------------------------------------------------------


def _causal(executable: Executable, finding: Finding, processes: Sequence[str]) -> Chosen:
    if not isinstance(executable, Interpreter):
        raise UsageError.of(
            "trace=causal needs to see what each step reads, and this model is run as plain Python",
            remedy="say trace=first or trace=fewest-switches, or keep the model within the compiled language",
        )
    kept = _without_what_does_not_matter(executable, finding)
    reordered = _StepReordering(executable, processes, MUCH).of(kept)
    return Chosen(reordered, "causal", len(finding.path) - len(kept.path))


def _without_what_does_not_matter(executable: Interpreter, finding: Finding) -> Finding:
    """The run without the steps that nothing of what is violated depends on; the same, if that is all of it.

    What shows in how a run goes on (progress) or in what is disabled (terminal states) depends on all of the state.
    """
    footprints = Footprints(executable.program)
    wanted = _looked_at(footprints, finding)
    if wanted is None:
        return finding
    needed, kept = set(wanted), list[int]()
    for (_, before), (command, _) in reversed(list(pairwise(finding.path))):
        assert command is not None, "only the initial state has no command"
        step = footprints.firing(before, command)
        if not step.writes.isdisjoint(needed):
            needed = (needed - step.writes) | step.reads
            kept.append(command)
    return _until_violated(executable, replace(finding, path=_fired(executable, finding.path[0][1], reversed(kept))))


def _looked_at(footprints: Footprints, finding: Finding) -> frozenset[int] | None:
    """The cells that what is wrong with the last state depends on, or None if those are all."""
    last = finding.path[-1][1]
    if isinstance(finding.requirement, Invariant):
        return footprints.evaluation(finding.requirement.predicate, last).reads
    if finding.during is During.FIRING and finding.command is not None:
        return footprints.firing(last, finding.command).reads
    return None


def _fired(executable: Executable, state: State, commands: Iterable[int]) -> Path:
    """The run of these commands from the state."""
    path: list[tuple[int | None, State]] = [(None, state)]
    for command in commands:
        following = executable.fire(path[-1][1], command)
        assert following is not None, "a command is enabled wherever the cells that it reads are the same"
        path.append((command, following))
    return tuple(path)


def _until_violated(executable: Executable, finding: Finding) -> Finding:
    """The run up to the first state that violates its invariant: steps in another order may meet it earlier."""
    if not isinstance(finding.requirement, Invariant):
        return finding
    for at, (_, state) in enumerate(finding.path):
        if _violates(executable, finding.requirement.predicate, state):
            return replace(finding, path=finding.path[: at + 1])
    return finding


def _violates(executable: Executable, predicate: Predicate, state: State) -> bool:
    try:
        return executable.evaluate(predicate, state) is not None
    except Fault:
        return False


# --- the fewest changes of process ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _StepReordering:
    """Looks for a run with fewer changes of process, as long as the one found, through the same marked states."""

    executable: Executable
    processes: Sequence[str]
    budget: int

    def of(self, finding: Finding) -> Finding:
        """The run with fewer changes, or the finding itself if none was found."""
        path = finding.path[:1]
        for part in _parts(finding):
            path += self._part(part, path[-1][0])
        reordered = replace(finding, path=path)
        fewer = switches(path, self.processes) < switches(finding.path, self.processes)
        return _until_violated(self.executable, reordered) if fewer and self._still_shows(reordered) else finding

    def _part(self, part: Path, last: int | None) -> Path:
        """The part in the best order, without the state that it begins in."""
        commands = self._among_all(part, last) or self._among_orders(part, last)
        return _fired(self.executable, part[0][1], commands)[1:]

    def _among_all(self, part: Path, last: int | None) -> list[int] | None:
        """The best of all runs of this length to the part's last state; None if that takes too many firings."""
        spending = _Spending(self.executable, self.budget)
        journey = _Journey(part[0][1], part[-1][1], len(part) - 1, spending.successors)
        try:
            return self._cheapest(journey, last)
        except _Spent:
            return None

    def _among_orders(self, part: Path, last: int | None) -> list[int]:
        """The best of the orders of these steps that keep the dependent ones in place, as far as the beam sees."""
        commands = [command for command, _ in part[1:] if command is not None]
        beam = min(BEAM, self.budget * LOOKS // len(commands) ** 2) if commands else 0
        if not beam or not isinstance(self.executable, Interpreter):
            return commands
        footprints = Footprints(self.executable.program)
        steps = [footprints.firing(before, c) for (_, before), c in zip(part, commands, strict=False)]
        before = _dependences(steps)

        def ready(fired: int) -> Iterator[Move[int]]:
            for at, needed in enumerate(before):
                if not fired >> at & 1 and needed & fired == needed:
                    yield commands[at], fired | 1 << at

        journey = _Journey(0, (1 << len(commands)) - 1, len(commands), ready, beam)
        return self._cheapest(journey, last) or commands

    def _cheapest(self, journey: _Journey[Node], last: int | None) -> list[int] | None:
        """The commands of a journey with the fewest changes of process after the command `last`, by dynamic programming
        over where it is and whose step led there."""
        layer: _Layer[Node] = {(journey.start, None if last is None else self.processes[last]): _Way(0, None, None)}
        for _ in range(journey.length):
            layer = self._next_layer(journey, layer)
            if journey.beam is not None and len(layer) > journey.beam:
                layer = dict(sorted(layer.items(), key=lambda item: item[1].cost)[: journey.beam])
        ways = [way for (node, _), way in layer.items() if node == journey.goal]
        return min(ways, key=lambda way: way.cost).commands() if ways else None

    def _next_layer(self, journey: _Journey[Node], layer: _Layer[Node]) -> _Layer[Node]:
        following: _Layer[Node] = {}
        for (node, process), way in layer.items():
            for command, target in journey.moves(node):
                mine = self.processes[command]
                cost = way.cost + (process is not None and mine != process)
                known = following.get((target, mine))
                if known is None or cost < known.cost:
                    following[target, mine] = _Way(cost, command, way)
        return following

    def _still_shows(self, finding: Finding) -> bool:
        """Whether no state after the loss of progress is one of progress, as other states may lie on the new way; and
        whether the cycle recurs in vain, as other commands may lead the same way."""
        if isinstance(finding.requirement, Recurrence):
            return recurs_in_vain(finding, finding.requirement)
        if finding.requirement is None or finding.progress_lost_at is None:
            return True
        after = finding.path[finding.progress_lost_at :]
        return all(_violates(self.executable, p, state) for p in finding.requirement.predicates for _, state in after)


@dataclass(frozen=True, slots=True)
class _Way:
    """How a node was reached: so many changes, the last command, the way before it."""

    cost: int
    command: int | None
    before: _Way | None

    def commands(self) -> list[int]:
        found: list[int] = []
        way: _Way | None = self
        while way is not None and way.command is not None:
            found.append(way.command)
            way = way.before
        return found[::-1]


_Layer = dict[tuple[Node, str | None], _Way]
"""The best way to each node by a step of each process."""


@dataclass(frozen=True, slots=True)
class _Journey(Generic[Node]):
    """From start to goal in so many moves; with a beam, only so many of the cheapest places are followed."""

    start: Node
    goal: Node
    length: int
    moves: Callable[[Node], Iterable[Move[Node]]]
    beam: int | None = None


class _Spent(Exception):
    """The budget is used up."""


@dataclass(slots=True)
class _Spending:
    """The steps of the model, each fired once, as long as the budget lasts."""

    executable: Executable
    budget: int
    known: dict[State, list[Move[State]]] = field(default_factory=dict)

    def successors(self, state: State) -> list[Move[State]]:
        if state not in self.known:
            self.budget -= self.executable.program.nr_commands
            if self.budget < 0:
                raise _Spent
            self.known[state] = list(self._fire_all(state))
        return self.known[state]

    def _fire_all(self, state: State) -> Iterator[Move[State]]:
        for command in reversed(range(self.executable.program.nr_commands)):
            try:
                target = self.executable.fire(state, command)
            except Fault:
                continue
            if target is not None:
                yield command, target


def _parts(finding: Finding) -> list[Path]:
    """The run cut at the states that must stay: where progress is lost, and where the cycle begins."""
    last = len(finding.path) - 1
    marks = sorted({0, last, finding.progress_lost_at or 0, finding.cycle_starts_at or 0})
    return [finding.path[start : end + 1] for start, end in pairwise(marks)]


def _dependences(steps: Sequence[Footprint]) -> list[int]:
    """For each step, as bits, earlier ones that it depends on; the others that it depends on come before these.

    Those are the last to write a cell that it touches, and those that have read a cell that it writes since then.
    """
    writer: dict[int, int] = {}
    readers: dict[int, int] = {}
    found = []
    for at, step in enumerate(steps):
        needed = 0
        for cell in step.reads | step.writes:
            needed |= writer.get(cell, 0)
        for cell in step.writes:
            needed |= readers.pop(cell, 0)
            writer[cell] = 1 << at
        for cell in step.reads:
            readers[cell] = readers.get(cell, 0) | 1 << at
        found.append(needed & ~(1 << at))
    return found
