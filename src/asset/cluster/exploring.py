"""A state space explored by ranks together, level by level: what each of them does between two exchanges.

Every rank runs this, on the same job, and all learn the same. The states of a rank are those that hash to it
(native/rank.h). What is found is nearest to the start; of several that are equally near the one that comes first in the
order of the requirements, and then by the words of its state: so it is the same for any number of ranks.
"""

from __future__ import annotations

import pickle
import struct
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol

from asset.cluster import repairing, sharing
from asset.cluster.backward import Deciding
from asset.cluster.checkpoints import Checkpoint
from asset.cluster.communicator import Buffer, Communicator, How, RankLost
from asset.cluster.keeping import Keeping
from asset.engine import native
from asset.engine.native import Code, FlatOptions
from asset.engine.outcome import Progress, RankFigures, Stop

ROOM = 8 << 20
"""Bytes on their way from a rank to all others, before they are exchanged."""

_HEADER = struct.Struct("<8q")
_STOPS = [None, Stop.INTERRUPTED, Stop.MAX_MEMORY, Stop.MAX_STATES]

Heed = Callable[[Progress], bool]
Work = Callable[[], int]
Receive = Callable[[memoryview], None]


@dataclass(frozen=True, slots=True)
class Job:
    """What is explored: machine code, and what is asked, as data. Everything was derived on the first rank. `sharing`
    is how many ranks share the memory of the machine that has most of them. `kept` is where levels are."""

    code: Code
    asked: FlatOptions
    sharing: int = 1
    kept: Checkpoint | None = None

    @property
    def max_states(self) -> int:
        """0 if there is no limit."""
        return int(self.asked.values["max_states"])


class Wrong(NamedTuple):
    """Something bad in a state of a level, as the native engine tells it, without the way there."""

    requirement: int
    during: int
    predicate: int
    command: int
    words: list[int]

    @property
    def order(self) -> tuple[bool, int, list[int]]:
        """Model errors come last."""
        return self.requirement < 0, self.requirement, self.words


@dataclass(slots=True)
class Explored:
    """What all ranks know in the end. The way to what is wrong is in `commands` and `words`."""

    stop: Stop = Stop.COMPLETE
    wrong: Wrong | None = None
    whole: bool = True
    """Whether the way to what is wrong was found."""
    level: int = 0
    """Of the state that something is wrong with."""
    levels: list[int] = field(default_factory=list)
    further: list[tuple[int, list[int]]] | None = None
    """How it goes on from there, if that is shown: steps, how many of them there are before progress is lost, and which
    one the last of them leads back to."""
    lost_at: int = 0
    cycle: int | None = None
    commands: list[int] = field(default_factory=list)
    words: list[int] = field(default_factory=list)
    ranks: list[RankFigures] = field(default_factory=list)
    seconds: float = 0.0
    told: str = ""
    """Which rank was the first to stop, and why."""
    of_states: bool = False
    """Whether all states were explored, and only what is asked of the graph was left."""
    lost: RankLost | None = None
    """What is wrong was known before a rank was lost, so the way to it was not found."""


class Boxes(Protocol):
    """What is on its way to other ranks."""

    def outgoing(self, owner: int) -> list[memoryview]: ...
    def clear(self) -> None: ...


class Exploring:
    """A rank at work. `heed` is told how far all have come, and says whether to go on."""

    def __init__(self, ranks: Communicator, job: Job, heed: Heed = lambda progress: True) -> None:
        self.ranks = ranks
        self.job = job
        self.explored = Explored()
        self.halt: Stop | None = None
        """Why this rank wants to stop; the others are told soon."""
        self.known: tuple[int, Wrong] | None = None
        """Something that is wrong, with its level: true whatever happens, though it may not be what is reported."""
        self._heed = heed
        self._why = ""
        self._exchanged = 0
        self._waited = 0.0
        self._began = time.process_time()
        self._before = RankFigures()
        """What was counted before this search, which goes on from there."""
        self._rank: native.Rank | None = None
        self._progress = Progress(0, 0, 0, 0, 0)
        self._masks: list[int] = []
        """Under which the parities of a state say whose it is."""
        self._states: list[int] = []
        """That each rank has, as they said last."""
        self._nearly_full = False
        """Whether the table of a rank is; then all that are make room, so that none waits for another."""

    @property
    def rank(self) -> native.Rank:
        assert self._rank is not None
        return self._rank

    def run(self) -> Explored:
        """Raises RankLost."""
        started = time.perf_counter()
        masks = [] if self.ranks.rank else sharing.parities(self.job.code, self.job.asked, self.ranks.size)
        self._masks = pickle.loads(self.ranks.broadcast(pickle.dumps(masks)))
        self._explore(keep=False)
        ended = self.explored.stop not in (Stop.COMPLETE, Stop.FINDING)
        if ended:
            self._settle()
        if self.explored.wrong is not None:
            if not self._all(self.rank.complete) and not ended:
                self._find_again()
            self._trace()
        self.explored.seconds = time.perf_counter() - started
        self.explored.ranks = self.explored.ranks or self._figures()
        return self.explored

    def without_run(self, lost: RankLost) -> Explored:
        """What is known when a rank is lost: what is wrong, and no more. Raises what was lost if nothing is."""
        if self.known is None:
            raise lost
        level, wrong = self.known
        left = Explored(Stop.FINDING, wrong, whole=False, level=level, levels=self.explored.levels, lost=lost)
        left.of_states = self.explored.of_states
        left.commands, left.words = [native.NONE], wrong.words
        return left

    def _settle(self) -> None:
        """The search was ended in the middle of a level: if a rank knows that something is wrong, that is what all of
        them report, whatever else they would have found."""
        every = [each for each in self.gathered(self.known) if each is not None]
        if every:
            self.end(*min(every, key=lambda each: (each[0], each[1].order)))

    def _find_again(self) -> None:
        """The way to what is wrong is found in a search that keeps everything. If that is ended, what was found is
        still true, and told without the way to it."""
        found = self.explored
        found.ranks = self._figures()
        self.explored, self._before = Explored(), RankFigures()
        self._explore(keep=True)
        if self.explored.stop is not Stop.FINDING:
            found.whole, found.told = False, self.explored.told
            self.explored = found

    # --- levels -----------------------------------------------------------------------------------------------------

    def _explore(self, keep: bool) -> None:
        size = self.ranks.size
        room = max(self.ranks.batch, ROOM // size)
        self.guarded(self._make, native.Place(self.ranks.rank, size, room, keep, self.job.sharing, self._masks))
        lacking = self.ranks.reduce([-1 if self._rank else self.ranks.rank], How.MOST)[0]
        if lacking >= 0:
            self._stop(Stop.MAX_MEMORY, lacking)
            return
        kept = Keeping(self, self.job.kept) if self.job.kept is not None else None
        goes_on = kept.restore() if kept is not None and self.job.kept and self.job.kept.resumed else self._start()
        while goes_on or (self.explored.stop is Stop.COMPLETE and repairing.widened(self)):
            if goes_on and kept is not None and not keep:
                kept.save()
            if goes_on and not keep and self._masks and sharing.is_lopsided(self._states):
                return self._explore_anew()
            self.rounds(self._expand, self.rank, self.rank.receive)
            goes_on = self.end_level()
        self.explored.of_states = self.explored.stop is Stop.COMPLETE
        if self.explored.of_states and any(call[0] == "require_on_graph" for call in self.job.asked.calls):
            Deciding(self).decide()

    def _explore_anew(self) -> None:
        """With all bits of a state hashed; levels that were kept are read."""
        if kept := self.job.kept:
            resumed = max(kept.resumed, len(self.explored.levels))
            self.job = replace(self.job, kept=replace(kept, resumed=resumed))
        self.explored, self._before, self._masks = Explored(), RankFigures(), []
        self._explore(keep=False)

    def _make(self, place: native.Place) -> None:
        self._rank = None  # what it has taken is given back before another one takes as much
        self._rank = native.rank(self.job.code, self.job.asked, place)

    def _expand(self) -> bool:
        if self._nearly_full:
            self.rank.make_room()
        return self.rank.expand()

    def _start(self) -> bool:
        self.guarded(self.rank.start)
        return self.end_level()

    def rounds(self, work: Work, boxes: Boxes, receive: Receive, answering: bool = False) -> None:
        """Works, exchanges what is in the boxes, and receives, until no rank has anything left, or one wants to stop.
        If ranks are `answering`, what is received makes more to be done."""
        more = True
        while more and self.explored.stop is Stop.COMPLETE:
            mine = self.guarded(work)
            outgoing = [self._outgoing(boxes, owner) for owner in range(self.ranks.size)]
            header = self._header(mine or (answering and any(outgoing)))
            incoming = self._exchange([[header, *pieces] for pieces in outgoing])
            boxes.clear()
            headers = [_HEADER.unpack_from(each) for each in incoming]
            for each in incoming:
                if each.nbytes > _HEADER.size:
                    self.guarded(receive, each[_HEADER.size :].cast("Q"))
            more = any(said[0] for said in headers)
            self._look_at(headers)

    def _outgoing(self, boxes: Boxes, owner: int) -> list[memoryview]:
        return [] if owner == self.ranks.rank else boxes.outgoing(owner)

    def _exchange(self, outgoing: Sequence[Sequence[Buffer]]) -> list[memoryview]:
        started = time.perf_counter()
        self._exchanged += sum(memoryview(piece).nbytes for pieces in outgoing for piece in pieces)
        incoming = self.ranks.exchange(outgoing)
        self._waited += time.perf_counter() - started
        return incoming

    def _header(self, more: int) -> bytes:
        rank, before = self.rank, self._before
        halt = _STOPS.index(self.halt)
        edges, wrong = rank.edges + before.edges, rank.wrong_so_far is not None
        return _HEADER.pack(bool(more), halt, rank.states, edges, rank.expanded, rank.memory, wrong, rank.nearly_full)

    def _look_at(self, headers: Sequence[tuple[int, ...]]) -> None:
        """What all ranks said before they exchanged anything: who wants to stop, and how far they are."""
        states, edges, expanded, memory = (sum(column) for column in list(zip(*headers, strict=True))[2:6])
        self._states = [said[2] for said in headers]
        self._nearly_full = any(said[7] for said in headers)
        self._progress = Progress(states, edges, states - expanded, len(self.explored.levels), memory)
        if not self._heed(self._progress) and self.halt is None:
            self.halt = Stop.INTERRUPTED
        if self.known is None and any(said[6] for said in headers):
            self._note(self.rank.wrong_so_far, len(self.explored.levels) - 1)
        for rank, said in enumerate(headers):
            if reason := _STOPS[said[1]]:
                self._stop(reason, rank)
        if self.job.max_states and states >= self.job.max_states:
            self._stop(Stop.MAX_STATES)

    def _stop(self, reason: Stop, rank: int | None = None) -> None:
        """All ranks stop, at the same time; the first reason counts."""
        if self.explored.stop is Stop.COMPLETE:
            self.explored.stop = reason
            if rank is not None:
                why = f": {self._why}" if rank == self.ranks.rank and self._why else ""
                self.explored.told = f"rank {rank} was the first to stop{why}"

    def halted(self) -> bool:
        """Whether a rank wants to stop; then all do."""
        halt, size = _STOPS.index(self.halt), self.ranks.size
        most = self.ranks.reduce([halt and halt * size + self.ranks.rank], How.MOST)[0]
        if most:
            self._stop(_STOPS[most // size] or Stop.INTERRUPTED, most % size)
        return self.explored.stop is not Stop.COMPLETE

    def give_up(self, why: str) -> None:
        """This rank cannot go on."""
        self.halt = self.halt or Stop.INTERRUPTED
        self._why = self._why or why

    def end_level(self) -> bool:
        """Whether there is another level to be expanded."""
        explored = self.explored
        if explored.stop is not Stop.COMPLETE:
            return False
        size = self.guarded(self.rank.end_level)
        found = self._found()
        said = self.ranks.reduce([size, *map(bool, found), self.rank.states, self.halt is not None], How.SUM)
        if said[4] and self.halted():
            return False
        if said[0]:
            explored.levels.append(said[0])
        else:
            self.rank.drop_level()
        if said[1] or said[2]:
            self._choose(found[0] if said[1] else found[1], before=bool(said[1]) and bool(said[0]))
        if self.job.max_states and said[3] >= self.job.max_states and said[0]:
            self._stop(Stop.MAX_STATES)
        return said[0] > 0 and explored.stop is Stop.COMPLETE

    def _found(self) -> list[Wrong | None]:
        """What this rank has found in the level that has ended, and in the next one."""
        found = [Wrong(*each) if each else None for each in (self.rank.wrong_before, self.rank.wrong_now)]
        for level, wrong in zip((len(self.explored.levels) - 1, len(self.explored.levels)), found, strict=True):
            if wrong is not None and self.known is None:
                self.known = max(0, level), wrong
        return found

    def _note(self, mine: Sequence[Any] | None, level: int) -> None:
        """All ranks know what one of them has found in the level, which is not at its end."""
        every = [Wrong(*each) for each in self.gathered(mine) if each is not None]
        self.known = level, min(every, key=lambda each: each.order)

    def _choose(self, mine: Wrong | None, before: bool) -> None:
        """What all ranks report, of what each has found in a level: the last one, or the one before it."""
        wrong = min((each for each in self.gathered(mine) if each is not None), key=lambda each: each.order)
        self.end(max(0, len(self.explored.levels) - 1 - before), wrong)

    def know(self, level: int, wrong: Sequence[Any]) -> None:
        """This is wrong, whatever happens before a run is found that shows it."""
        self.known = level, Wrong(*wrong)
        self.explored.whole = False

    def nearest(self, mine: Any) -> Any:
        """Of what ranks tell, with levels, the nearest to the start, and then by its words."""
        every = [each for each in self.gathered(mine) if each is not None]
        return min(every, key=lambda each: (each[0], each[1][-1]), default=None)

    def end(self, level: int, wrong: Sequence[Any]) -> None:
        """All ranks end, as this is wrong with a state of the level."""
        self.known = level, Wrong(*wrong)
        self.explored.level, self.explored.wrong = self.known
        self.explored.stop = Stop.FINDING

    # --- the way back -----------------------------------------------------------------------------------------------

    def _trace(self) -> None:
        """From the state that something is wrong with to a state to start in. If a state on the way is not there any
        more, or ranks are asked to end, there is no more to show than the state itself."""
        explored = self.explored
        assert explored.wrong is not None
        explored.whole = explored.whole and self._all(self.rank.complete)
        back = self._way_back(explored.level, explored.wrong.words) if explored.whole else None
        if back is None:
            explored.whole, explored.further, explored.cycle = False, None, None
        steps = [*reversed(back or []), (native.NONE, explored.wrong.words)]
        # A step leads from its state to the next one; a run has the step that leads to each state.
        commands = [native.NONE, *(command for command, _ in steps[:-1])]
        path = [state for _, state in steps]
        for command, state in explored.further or []:
            commands.append(command)
            path.append(state)
        explored.commands = commands
        explored.words = [word for state in path for word in state]

    def _way_back(self, level: int, state: list[int]) -> list[tuple[int, list[int]]] | None:
        """The steps to a state of the level, the last one first, each with the state that it leaves: of the
        predecessors in the level before, the one that comes first by its words. (If stubborn sets were widened, it may
        be a level before that.)"""
        steps: list[tuple[int, list[int]]] = []
        for before in reversed(range(level)):
            every = self.gathered((self._predecessor(before, state), self._heed(self._progress)))
            if not all(goes_on for _, goes_on in every):
                return None
            if found := [each for each, _ in every if each is not None]:
                level = before
                state, command = min(found)
                steps.append((command, state))
        return None if level else steps

    def _predecessor(self, level: int, state: list[int]) -> tuple[list[int], int] | None:
        try:
            return self.rank.predecessor(level, state)
        except MemoryError:
            return None

    # --- together ---------------------------------------------------------------------------------------------------

    def gathered(self, mine: Any) -> list[Any]:
        """What each rank says."""
        return [pickle.loads(each) for each in self.ranks.gather(pickle.dumps(mine))]

    def _all(self, condition: bool) -> bool:
        return bool(self.ranks.reduce([condition], How.LEAST)[0])

    def guarded(self, do: Callable[..., int | None], *arguments: object) -> int:
        """What is done; nothing if this rank is to stop, or has no memory for it: the others are told soon."""
        if self.halt is None:
            try:
                return do(*arguments) or 0
            except MemoryError:
                self.halt = Stop.MAX_MEMORY
        return 0

    def _figures(self) -> list[RankFigures]:
        mine = RankFigures() if self._rank is None else self._own_figures(self._rank)
        return self.gathered(mine)

    def counted(self) -> RankFigures:
        """What this rank has counted until now."""
        return self._own_figures(self.rank)

    def set_before(self, figures: RankFigures) -> None:
        """This was counted before; told once, for all ranks."""
        self._before = figures

    def _own_figures(self, rank: native.Rank) -> RankFigures:
        return RankFigures(
            states=rank.states,
            edges=rank.edges + self._before.edges,
            enabled=rank.enabled + self._before.enabled,
            terminal_states=rank.terminal_states + self._before.terminal_states,
            memory_peak=rank.memory_peak,
            exchanged=self._exchanged,
            waited=self._waited,
            busy=time.process_time() - self._began,
            threads=rank.threads,
        )
