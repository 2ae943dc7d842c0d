"""The paths of each command, as few as possible: unfolded and merged, or renamed from those of a member of its family
that is alike (`renaming`)."""

from __future__ import annotations

from collections.abc import Callable

from asset.analysis.stubborn.paths import Path
from asset.analysis.stubborn.renaming import Renaming, alike
from asset.analysis.stubborn.unfolding import Unfolded, Unfolder
from asset.analysis.watch import Watch, processor_time
from asset.ir.groups import Permutation

COSTLY = 20_000
"""Steps after which it is worth while to look for symmetries, if as many are to come."""

LOOKING = 1.0
"""Seconds that looking for them may take."""


class Members:
    """`fewer` makes fewer paths of those that can be fired."""

    def __init__(self, unfolder: Unfolder, fewer: Callable[[list[Path]], list[Path]]) -> None:
        self._unfolder = unfolder
        self._fewer = fewer
        self._program = unfolder.program
        self._known: dict[int, Unfolded] = {}
        self._alike: dict[int, tuple[int, Permutation]] | None = None
        self._renamings: dict[int, Renaming] = {}  # by the identity of the symmetry

    def of(self, command: int) -> Unfolded:
        if self._alike is None and self._is_costly():
            self._alike = alike(self._program, self._symmetries())
        waiting = [command]
        while waiting[-1] not in self._known and waiting[-1] in (self._alike or {}):
            waiting.append((self._alike or {})[waiting[-1]][0])
        for each in reversed(waiting):
            if each not in self._known:
                like = (self._alike or {}).get(each)
                self._known[each] = self._unfolded(each) if like is None else self._renamed(each, *like)
        return self._known[command]

    def _is_costly(self) -> bool:
        taken, done = self._unfolder.taken, len(self._known)
        return taken > COSTLY and taken * (self._program.nr_commands - done) > COSTLY * done

    def _unfolded(self, command: int) -> Unfolded:
        found = self._unfolder.command(command, *self._program.commands[command])
        return Unfolded(self._fewer(found.fired), found.faulty)

    def _renamed(self, command: int, other: int, symmetry: Permutation) -> Unfolded:
        if id(symmetry) not in self._renamings:
            self._renamings[id(symmetry)] = Renaming(self._unfolder.cells, symmetry)
        renaming, known = self._renamings[id(symmetry)], self._known[other]
        fired, faulty = ([renaming.path(path, command) for path in paths] for paths in (known.fired, known.faulty))
        return Unfolded(fired, faulty)

    def _symmetries(self) -> tuple[Permutation, ...]:
        """Those of the commands alone, as far as they are found in a moment. One that renames what a cell holds only if
        that is in use does not say what becomes of each value, so it is left out, as is one that does not keep what is
        proved of the values of cells."""
        from asset.analysis.symmetry.describing import describe  # here, as few programs need it
        from asset.analysis.symmetry.symmetries import symmetries_of

        begun, watch = processor_time(), self._unfolder.watch
        short = Watch(lambda what, done, of: watch.still() and processor_time() < begun + LOOKING)
        described = describe(self._program, (), short)
        group = symmetries_of(described, short).group
        generators = () if group is None else group.generators
        total = (each for each in generators if described.cells.uses.keys().isdisjoint(each.values))
        return tuple(filter(self._unfolder.cells.kept_by, total))
