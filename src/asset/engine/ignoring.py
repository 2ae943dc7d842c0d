"""Ignoring: commands that stubborn sets leave out for ever, and its repair (condition S of `asset.checks.soundness`).

A cycle of a reduced space may go round without a command that is enabled all the way. S rules that out: from every
state, for every command that is enabled there and changes it, a state is reachable by *key steps*, those of keys of
stubborn sets, whose set has the command. A command that is left out stays enabled by key steps, so it suffices to look
at one state of each terminal strong component of these, and at what is fired somewhere in the component. If a command
is left out, the set of one state is *widened* by it, whatever is new is explored, and components are looked for again,
until nothing is left out.

Symmetries rename commands along edges. Then a component is fine if in one of its states nothing is left out.

A state is *settled* if a terminal component that is fine can be reached. It stays settled, as only components that are
not fine are widened; so in later rounds only what is not settled, and reachable from what was widened, is looked at;
and what is new, as key steps need not lead there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from asset.engine.components import strong_components
from asset.engine.search import Search


@dataclass(frozen=True, slots=True)
class Widening:
    """The set of a state is to have the command as well; every command if it is None."""

    number: int
    command: int | None


def ignore_nothing(search: Search, renames: bool) -> None:
    """Goes on with a search that is over until it ignores nothing. `renames` says that symmetries are used."""
    looking = _Looking(search, renames)
    roots: Iterable[int] = range(len(search.store))
    while widenings := looking.ignoring(roots):
        known = len(search.store)
        search.widen([(each.number, each.command) for each in widenings])
        roots = [*(each.number for each in widenings), *range(known, len(search.store))]


@dataclass(slots=True)
class _Looking:
    search: Search
    renames: bool
    settled: set[int] = field(default_factory=set)
    _steps: dict[int, list[int]] = field(default_factory=dict)

    def ignoring(self, roots: Iterable[int]) -> list[Widening]:
        """What to widen, in the order of states, so that the terminal components at hand ignore less."""
        found: list[Widening] = []
        self._steps.clear()
        unsettled = (root for root in roots if root not in self.settled)
        for members in strong_components(unsettled, self._unsettled_successors):
            widening = self._widening(members)
            if widening is not None:
                found.append(widening)
        return sorted(found, key=lambda each: each.number)

    def _unsettled_successors(self, number: int) -> Iterator[int]:
        return (target for target in self._successors(number) if target not in self.settled)

    def _successors(self, number: int) -> list[int]:
        """Where key steps lead from a state that was not widened since components were looked for last."""
        if number not in self._steps:
            self._steps[number] = [target for _, target in self.search.key_steps(number)]
        return self._steps[number]

    def _widening(self, members: Sequence[int]) -> Widening | None:
        """Settles a component if it can be; else, if it is terminal, says what to widen."""
        inside = set(members)
        outside = {target for member in members for target in self._successors(member)} - inside
        widening = None if outside else self._ignored(members)
        if (not outside and widening is None) or outside & self.settled:
            self.settled |= inside
        return widening

    def _ignored(self, members: Sequence[int]) -> Widening | None:
        """A command that a terminal component ignores, and the state to widen."""
        if self.renames:
            least = min((len(self._left_out(member)), member) for member in members)
            return Widening(least[1], None) if least[0] else None
        fired = {command for member in members for command, _ in self.search.store.edges[member]}
        first = min(members)
        ignored = [command for command in self._left_out(first) if command not in fired]
        return Widening(first, min(ignored)) if ignored else None

    def _left_out(self, number: int) -> list[int]:
        """The commands that matter and would change the state, but are not fired there."""
        search = self.search
        fired = {command for command, _ in search.store.edges[number]}
        state = search.store.vertices[number]
        left = [command for command, after in search.enabled(number).items() if after != state]
        return [command for command in left if command not in fired and search.source.matters(command)]
