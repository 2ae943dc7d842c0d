"""Postponing: visible commands that a cycle of a reduced space leaves out, and its repair (condition L of
`asset.checks.soundness`).

L says that every cycle has a state whose set has all visible commands. So the states whose sets leave visible commands
out are looked at, with the edges between them: no strong component of these may have a cycle. If one has, the set of
its first state is *widened*, whatever is new is explored, and components are looked for again, until there are none.

An enabled visible command brings all others into the set (V), so it is what the set is widened by. If none is enabled,
everything is fired.

A component without a cycle is *cleared*. Its states lead only to states that were known then, and none of their sets is
widened; so no cycle that comes about later goes through them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from asset.engine.components import strong_components
from asset.engine.ignoring import Widening
from asset.engine.search import Search


def keep_visible(search: Search) -> bool:
    """Goes on with a search that is over until no cycle leaves visible commands out. Whether any did."""
    looking = _Looking(search)
    roots: Iterable[int] = range(len(search.store))
    while widenings := looking.postponing(roots):
        known = len(search.store)
        search.widen([(each.number, each.command) for each in widenings])
        roots = [*looking.uncleared, *range(known, len(search.store))]
    return looking.found_any


@dataclass(slots=True)
class _Looking:
    """`left` has for each state that was looked at, if its set leaves visible commands out, those that are enabled.
    `uncleared` are the states of the components that had a cycle when it was looked last."""

    search: Search
    left: dict[int, frozenset[int] | None] = field(default_factory=dict)
    cleared: set[int] = field(default_factory=set)
    uncleared: list[int] = field(default_factory=list)
    found_any: bool = False

    def postponing(self, roots: Iterable[int]) -> list[Widening]:
        """What to widen, in the order of states, so that fewer cycles leave visible commands out."""
        found: list[Widening] = []
        self.uncleared = []
        leaving = (root for root in roots if self._leaves_out(root))
        for members in strong_components(leaving, self._leaving_successors):
            if len(members) == 1 and members[0] not in self._leaving_successors(members[0]):
                self.cleared.add(members[0])
            else:
                self.uncleared += members
                found.append(self._widening(min(members)))
        for each in found:
            self.left[each.number] = None  # its set will have them all
        self.found_any |= bool(found)
        return sorted(found, key=lambda each: each.number)

    def _leaves_out(self, number: int) -> bool:
        if number not in self.left:
            fired = frozenset(command for command, _ in self.search.store.edges[number])
            self.left[number] = self.search.left_visible(number, fired)
        return self.left[number] is not None

    def _leaving_successors(self, number: int) -> Iterator[int]:
        targets = (target for _, target in self.search.store.edges[number] if target not in self.cleared)
        return (target for target in targets if self._leaves_out(target))

    def _widening(self, number: int) -> Widening:
        enabled = self.left[number]
        return Widening(number, min(enabled) if enabled else None)
