"""Obligations as alternatives: what a set of nodes must have with a node to satisfy D1, and D2 with a key of it (see
`derivation`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import or_
from typing import NamedTuple

from asset.analysis.stubborn.commuting import Conflict, compatible, conflict
from asset.analysis.stubborn.rule_facts import RuleFacts
from asset.analysis.stubborn.value_flow import Live, ValueFlow
from asset.analysis.values.domains import bits
from asset.analysis.watch import Watch
from asset.ir.derived import ALWAYS, Alternative, Obligation, ObligationCase


class _Candidate(NamedTuple):
    """An alternative; if its fact is that a cell has one of some values, `cell` and `mask` say which."""

    fact: int
    nodes: frozenset[int]
    cell: int = -1
    mask: int = 0
    own: bool = True
    """Whether it is about what the path itself looks at."""


class _Kept:
    """The options of an obligation that are of use; what applies only where one with fewer nodes does is not."""

    def __init__(self) -> None:
        self._by_fact: dict[int, list[frozenset[int]]] = {}
        self._by_cell: dict[int, list[tuple[int, frozenset[int]]]] = {}

    def add(self, option: _Candidate) -> None:
        self._by_fact.setdefault(option.fact, []).append(option.nodes)
        if option.cell >= 0:
            self._by_cell.setdefault(option.cell, []).append((option.mask, option.nodes))

    def cover(self, option: _Candidate) -> bool:
        for fact in (ALWAYS, option.fact):
            if any(fewer < option.nodes for fewer in self._by_fact.get(fact, ())):
                return True
        values = self._by_cell.get(option.cell, ())
        return any(option.mask & ~mask == 0 and fewer < option.nodes for mask, fewer in values)


MOST_CERTAIN = 64
"""Commands are compared with so many paths each, however many commands there are."""

FEW = 64
"""So many paths are looked at one by one."""


@dataclass(frozen=True, slots=True)
class ObligationLimits:
    """At most so many `alternatives` are kept of each obligation; about so many `pairs` of paths are compared."""

    alternatives: int = 6
    pairs: int = 100_000


class ObligationRules:
    """The cases of each node; nodes from `nr_commands` on are imaginary.

    `conflicts` has, for a command and another node, two paths that do not commute, once the cases are made. `crowded`
    are the commands that there are too many paths to compare with: the nodes of all of these are needed with them. A
    search goes on where a node of `progress` is enabled; where another imaginary one is, it ends. `last_resorts` are
    enabled only where no other command is.
    """

    def __init__(self, flow: ValueFlow, nr_commands: int, limits: ObligationLimits, watch: Watch) -> None:
        self.flow = flow
        self.nr_commands = nr_commands
        self.limit = limits.alternatives
        self.rivals = max(MOST_CERTAIN, limits.pairs // max(1, nr_commands))
        self.crowded: set[int] = set()
        self.watch = watch
        self.progress: frozenset[int] = frozenset()
        self.last_resorts: frozenset[int] = frozenset()
        reachable = [flow.cells.all_values(cell, mask) for cell, mask in enumerate(flow.reachable.values)]
        self.facts = RuleFacts(flow.cells.exact, reachable)
        self.conflicts: dict[tuple[int, int], tuple[Live, Live, Conflict]] = {}
        self._of: dict[int, list[Live]] = {}
        for live in flow.live:
            self._of.setdefault(live.path.node, []).append(live)
        self._node_of = [live.path.node for live in flow.live]
        self._touching = [0] * len(flow.cells.domains)  # for each cell, the paths that read it or write it
        self._writing = [0] * len(flow.cells.domains)
        for live in flow.live:
            for cell in bits(live.path.reads | live.path.writes):
                self._touching[cell] |= 1 << live.number
            for cell in bits(live.path.writes):
                self._writing[cell] |= 1 << live.number
        self._blocks: dict[int, list[tuple[int, int, int]]] = {}
        self._having: dict[
            int, dict[int, int]
        ] = {}  # for each cell and class of values, the paths that can find it there
        self._beside: dict[int, int] = {}
        self._together: dict[int, tuple[int, int]] = {}  # for each path, those looked at, and those compatible with it
        self._node_sets: dict[int, frozenset[int]] = {}
        self._others: dict[tuple[int, int], frozenset[int]] = {}
        self._orders: dict[frozenset[int], tuple[int, list[int]]] = {}
        self._allowing: dict[tuple[int, int], int | None] = {}

    def both(self, node: int) -> tuple[tuple[ObligationCase, ...], tuple[ObligationCase, ...]]:
        """What a set with the node must have, and what it must have besides if the node is a key of it. Raises
        OutOfTime if there is no time for them."""
        lives = self._of.get(node, [])
        if node in self.last_resorts:
            return tuple(self._last_resort(node)), ()
        if node >= self.nr_commands:
            return tuple(self._imaginary(node, lives)), ()
        member, key = list(self._where_disabled(node, lives)), list[ObligationCase]()
        crowded = sum(self._near(live).bit_count() for live in lives) > self.rivals
        for live in lives:
            conflicting = list(self._crowd(live, node) if crowded else self._conflicting(live, node))
            member += self._case(self._guard(live), [each for each, _ in conflicting])
            key += self._case(self._guard(live), [more for each, more in conflicting if more != each])
        return tuple(member), tuple(key)

    def _last_resort(self, node: int) -> Iterator[ObligationCase]:
        """The others of its kind; its model errors are not enabled before it is."""
        others = frozenset(each for each in self.last_resorts if each < self.nr_commands and each != node)
        if node < self.nr_commands:
            yield from self._case((), [(Alternative(ALWAYS, others),)] if others else [])

    @cached_property
    def _of_last_resorts(self) -> int:
        """Their paths: none of these can be taken where one of another node can."""
        return sum(1 << live.number for live in self.flow.live if live.path.node in self.last_resorts)

    def _where_disabled(self, node: int, lives: list[Live]) -> Iterator[ObligationCase]:
        """If no path is enabled, each stays so; one with hidden cells may be enabled: its own case sees to that."""
        guards = [self._guard(live) for live in lives if not live.path.hidden]
        if () in guards:
            return
        obligations = []
        for live in lives:
            options = list(self._ways_to_block(live, node))
            if live.path.hidden:
                options.append(_Candidate(self.facts.both(self._guard(live)), frozenset()))
            obligations.append(self._obligation(options))
        yield from self._case((self.facts.none_of(guards),) if guards else (), obligations)

    def _imaginary(self, node: int, lives: list[Live]) -> Iterator[ObligationCase]:
        """Imaginary transitions stay disabled. If progress is enabled, it changes nothing and obliges nothing."""
        facts: tuple[int, ...] = ()
        if node in self.progress:
            guards = [self._guard(live) for live in lives if not live.path.hidden]
            if () in guards:
                return
            facts = (self.facts.none_of(guards),) if guards else ()
        yield from self._case(facts, [self._blocked_imaginary(live) for live in lives])

    def _blocked_imaginary(self, live: Live) -> Obligation:
        """What keeps the path from being taken. If only hidden cells are why it is not, they stay as they are."""
        options = list(self._ways_to_block(live, live.path.node))
        if live.path.hidden:
            writers = reduce(or_, (self._writing[cell] for cell in live.path.hidden))
            options.append(_Candidate(self.facts.both(self._guard(live)), self._all_nodes(writers)))
        return self._obligation(options)

    def _guard(self, live: Live) -> tuple[int, ...]:
        """That the path is enabled; if it has hidden cells, that it may be."""
        return self.facts.all_of(live.path.exact.guard, live.path.atoms)

    # --- what excludes a path -----------------------------------------------------------------------------------

    def _excluded(self, live: Live) -> list[tuple[int, int, int]]:
        """Values of cells that exclude the path, and the paths of which one must be taken before that can change."""
        if live.number not in self._blocks:
            found = list[tuple[int, int, int]]()
            for cell, excluded in self.flow.reachable.by_cell(~live.facts):
                self.watch.tick()
                allowed = self.flow.values(live, cell)
                by_changers: dict[int, int] = {}
                for value in bits(excluded):
                    changers = self.flow.changers(cell, value, allowed)
                    by_changers[changers] = by_changers.get(changers, 0) | 1 << value
                found += ((cell, mask, changers) for changers, mask in by_changers.items())
            self._blocks[live.number] = found
        return self._blocks[live.number]

    def _ways_to_block(self, live: Live, node: int, enabled: Live | None = None) -> Iterator[_Candidate]:
        """Options for a set with `node`, of which the path `enabled`, if given, is and stays enabled."""
        now = -1 if enabled is None else enabled.facts
        for cell, excluding, changers in self._excluded(live):
            mask = excluding & now >> self.flow.cells.first[cell]
            if mask:
                fact = self.facts.among(cell, self.flow.cells.all_values(cell, mask))
                yield _Candidate(fact, self._nodes(changers, node, enabled), cell, mask, cell in live.path.guard)
        for atom in live.path.atoms:
            nodes = self._nodes(self.flow.enablers(atom), node, enabled)
            yield _Candidate(self.facts.true(atom.negated()), nodes)

    def _nodes(self, paths: int, node: int, enabled: Live | None) -> frozenset[int]:
        """The nodes but for this one of those paths that can be taken while the other path is enabled."""
        if enabled is not None:
            paths = self._compatible(enabled, paths)
        everyone = self._all_nodes(paths)
        if node not in everyone:
            return everyone
        key = (paths, node)
        if key not in self._others:
            self._others[key] = everyone - {node}
        return self._others[key]

    def _all_nodes(self, paths: int) -> frozenset[int]:
        if paths not in self._node_sets:
            self._node_sets[paths] = frozenset(self._node_of[number] for number in bits(paths))
        return self._node_sets[paths]

    def _compatible(self, live: Live, paths: int) -> int:
        """Those of the paths that can be taken where this one can."""
        known, found = self._together.get(live.number, (0, 0))
        asked = paths & ~known & ~self._of_last_resorts
        if asked:
            for number in bits(asked):
                self.watch.tick()
                if compatible(self.flow, live, self.flow.live[number]):
                    found |= 1 << number
            self._together[live.number] = known | asked, found
        return found & paths

    # --- what does not commute ----------------------------------------------------------------------------------

    def _conflicting(self, live: Live, node: int) -> Iterator[tuple[Obligation, Obligation]]:
        """For each path that does not commute with this one: what a set with the node needs, and with it as a key."""
        for other in self._rivals(live, node):
            options = [_Candidate(ALWAYS, frozenset([other.path.node]))]
            options += self._ways_to_block(other, node, live)
            of_key = self._obligation(options)
            ended = [_Candidate(ALWAYS, nodes) for nodes in self._ways_to_end(live, other)]
            yield self._obligation(options + ended) if ended else of_key, of_key

    def _ways_to_end(self, live: Live, other: Live) -> Iterator[frozenset[int]]:
        """Nodes without which, once the other path is taken, the node of this one stays disabled for ever: a cell has
        then a value that none of its paths allows."""
        node = live.path.node
        for cell in other.path.updates:
            allowed = self._allowed(node, cell)
            if allowed is not None:
                both = self.flow.values(live, cell) & self.flow.values(other, cell)
                after = reduce(or_, (self.flow.results(other, cell, value) for value in bits(both)), 0)
                if after and not after & allowed:
                    changers = (self.flow.changers(cell, value, allowed) for value in bits(after))
                    yield self._nodes(reduce(or_, changers), node, None)

    def _allowed(self, node: int, cell: int) -> int | None:
        """The values of the cell with which a path of the node may be taken; None if one does not look at it."""
        if (node, cell) not in self._allowing:
            masks = [live.path.guard.get(cell) for live in self._of[node]]
            known = [mask for mask in masks if mask is not None and self.flow.cells.domains[cell]]
            self._allowing[node, cell] = reduce(or_, known) if len(known) == len(masks) else None
        return self._allowing[node, cell]

    def _crowd(self, live: Live, node: int) -> Iterator[tuple[Obligation, Obligation]]:
        """All nodes that have to do with what the path looks at or changes: there are too many to compare it with."""
        self.crowded.add(node)
        everyone = (Alternative(ALWAYS, self._all_nodes(self._near(live))),)
        yield everyone, everyone

    def _near(self, live: Live) -> int:
        """The paths that write what this one touches, or touch what it writes, and can find what it looks at as it must
        be: all others commute with it, or cannot be taken while it can. Most steps of one process cannot be taken
        together, as it is at one place at a time, so that a process with many steps is no crowd."""
        if live.number not in self._beside:
            near = 0
            for cell in bits(live.path.writes):
                near |= self._touching[cell]
            for cell in bits(live.path.reads):
                near |= self._writing[cell]
            near &= ~self._of_last_resorts
            for cell in live.path.guard:
                near = self._meeting(live, cell, near)
            self._beside[live.number] = near
        return self._beside[live.number]

    def _meeting(self, live: Live, cell: int, near: int) -> int:
        """Of the paths, those that can find the cell as this one does. A few are asked one by one: to go through all
        paths for each cell would take the square of their number."""
        values = self.flow.values(live, cell)
        if cell not in self._having and near.bit_count() <= FEW:
            return sum(1 << number for number in bits(near) if self.flow.values(self.flow.live[number], cell) & values)
        return near & reduce(or_, (self._finding(cell).get(value, 0) for value in bits(values)), 0)

    def _finding(self, cell: int) -> dict[int, int]:
        """For each class of values of the cell, the paths that can be taken where it has one of them."""
        if cell not in self._having:
            found: dict[int, int] = {}
            for live in self.flow.live:
                for value in bits(self.flow.values(live, cell)):
                    found[value] = found.get(value, 0) | 1 << live.number
            self._having[cell] = found
        return self._having[cell]

    def _rivals(self, live: Live, node: int) -> Iterator[Live]:
        """The paths of other nodes that can be taken together with the path, but do not commute with it."""
        for number in bits(self._compatible(live, self._near(live))):
            other = self.flow.live[number]
            if other.path.node == node:
                continue
            self.watch.tick()
            found = conflict(self.flow, live, other)
            if found is not None:
                self.conflicts.setdefault((node, other.path.node), (live, other, found))
                yield other

    # --- in fewer words -----------------------------------------------------------------------------------------

    def _obligation(self, options: list[_Candidate]) -> Obligation:
        """The obligation with one alternative for each set of nodes, and without those that are never of use."""
        by_nodes: dict[frozenset[int], list[_Candidate]] = {}
        for option in options:
            by_nodes.setdefault(option.nodes, []).append(option)
        kept = _Kept()
        found: list[list[_Candidate]] = []
        for nodes in sorted(by_nodes, key=self._order):
            useful = [option for option in by_nodes[nodes] if not kept.cover(option)]
            for option in useful:
                kept.add(option)
            if useful:
                found.append(useful)
        found.sort(key=lambda useful: not any(option.own for option in useful))
        return tuple(Alternative(self._any(useful), useful[0].nodes) for useful in found[: self.limit])

    def _order(self, nodes: frozenset[int]) -> tuple[int, list[int]]:
        """Fewer nodes first."""
        if nodes not in self._orders:
            self._orders[nodes] = len(nodes), sorted(nodes)
        return self._orders[nodes]

    def _any(self, options: list[_Candidate]) -> int:
        return self.facts.any_of(frozenset(option.fact for option in options))

    def _case(self, facts: tuple[int, ...], obligations: list[Obligation]) -> Iterator[ObligationCase]:
        """The case with its obligations in fewer: what must be in the set anyway is one obligation."""
        needed: set[int] = set()
        for obligation in obligations:
            if len(obligation) == 1 and obligation[0].fact == ALWAYS:
                needed |= obligation[0].nodes
        rest = {
            obligation: None
            for obligation in obligations
            if not any(option.fact == ALWAYS and option.nodes <= needed for option in obligation)
        }
        forced: list[Obligation] = [(Alternative(ALWAYS, frozenset(needed)),)] if needed else []
        if forced or rest:
            yield ObligationCase(facts, (*forced, *rest))
