"""A rank keeps the levels that it finds, and goes on from those that were kept (`asset.cluster.checkpoints`)."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from asset.cluster import checkpoints
from asset.cluster.checkpoints import Checkpoint, Level, LevelFile, Piece
from asset.cluster.communicator import How
from asset.engine.outcome import RankFigures
from asset.errors import UsageError

if TYPE_CHECKING:
    from asset.cluster.exploring import Exploring

_AT_ONCE = 1 << 16  # states that are given to the rank in one call


class Keeping:
    def __init__(self, exploring: Exploring, kept: Checkpoint) -> None:
        self._exploring = exploring
        self._kept = kept
        self._file: LevelFile | None = None
        self._restored = 0

    def save(self) -> None:
        """The level that was found is kept, when all ranks have written their part; nothing if it was kept before."""
        exploring = self._exploring
        if self._restored:
            self._restored -= 1
            return
        mine = self._written()
        counted = exploring.counted()
        edges, enabled, terminal = exploring.ranks.reduce(
            [counted.edges, counted.enabled, counted.terminal_states], How.SUM
        )
        every: list[tuple[Piece, Piece] | None] = exploring.gathered(mine)
        pieces = [each for each in every if each is not None]
        if exploring.ranks.rank == 0 and len(pieces) == len(every):
            level, widened = zip(*pieces, strict=True)
            try:
                checkpoints.add(self._kept, Level(level, edges, enabled, terminal, tuple(filter(len, widened))))
            except OSError as error:
                exploring.give_up(f"its checkpoint cannot be written: {error.strerror}")

    def _written(self) -> tuple[Piece, Piece] | None:
        """The states of the level, and those whose sets were widened."""
        exploring = self._exploring
        try:
            if self._file is None:
                levels = len(exploring.explored.levels)
                self._file = LevelFile(self._kept.folder, exploring.ranks.rank, levels)
            widened = exploring.rank.take_widened()
            return self._file.append(exploring.rank.level()), self._file.append([memoryview(array("Q", widened))])
        except OSError as error:
            exploring.give_up(f"its checkpoint cannot be written: {error.strerror}")
            return None

    def restore(self) -> bool:
        """All levels are found again, and go to the ranks that own their states now. Whether there is one to expand."""
        exploring = self._exploring
        goes_on = False
        for level in checkpoints.levels(self._kept):
            feed = _Feed(exploring, self._kept.folder, level)
            exploring.rounds(feed.route, exploring.rank, exploring.rank.receive)
            if exploring.ranks.rank == 0:
                exploring.set_before(RankFigures(0, level.edges, level.enabled, level.terminal_states))
            for piece in level.widened:
                exploring.guarded(exploring.rank.widen_again, feed.read(piece))
            goes_on = exploring.end_level()
            if not goes_on:
                break
        self._restored = 1
        return goes_on


class _Feed:
    """Gives a rank its share of the pieces of a level."""

    def __init__(self, exploring: Exploring, folder: str, level: Level) -> None:
        self._exploring = exploring
        self._folder = folder
        size, rank = exploring.ranks.size, exploring.ranks.rank
        self._pieces = [piece for number, piece in enumerate(level.pieces) if number % size == rank]
        self._states = memoryview(b"").cast("Q")

    def route(self) -> bool:
        """Whether something is left, for which there is no room at the moment."""
        while self._states or self._pieces:
            if not self._states:
                self._states = self.read(self._pieces.pop())
                continue
            rank = self._exploring.rank
            part = self._states[: _AT_ONCE * rank.words]
            taken = rank.route(part)
            self._states = self._states[taken:]
            if taken < len(part):
                return True
        return False

    def read(self, piece: Piece) -> memoryview:
        try:
            return checkpoints.states(self._folder, piece)
        except (OSError, UsageError) as error:
            self._exploring.give_up(f"its checkpoint cannot be read: {error}")
            return memoryview(b"").cast("Q")
