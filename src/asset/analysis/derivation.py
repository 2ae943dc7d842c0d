"""Stubborn set rules derived from a program.

Let T be a set of nodes that meets the obligations below in a reachable state, and let only commands outside T be fired
from there on. By induction on the steps:

*An enabled path p of a command in T* stays enabled, and commutes with every step. For each path q of another node
that can be taken together with p but does not commute with it (`commuting`), either that node is in T, or q cannot
be taken: there is a cell whose value excludes q, and the commands that can change that, while p is enabled, are in T.

*A path of a disabled node in T* is not taken, as some cell has a value that excludes it (it makes the guard false, or
never occurs together with it), and the commands by which the cell could come to another are in T.

So T satisfies D1 and D2. An invariant is an imaginary node, enabled where it is violated (Theorem 4); so is a model
error of each command that may have one. They change nothing, so for the same reason they are not ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from asset.analysis.cells import Cells, bits
from asset.analysis.commuting import Conflict, compatible, conflict
from asset.analysis.facts import Facts
from asset.analysis.flow import Flow, Live
from asset.analysis.merging import merged
from asset.analysis.mutexes import Reachable, find_reachable
from asset.analysis.paths import Path
from asset.analysis.runs import Effort
from asset.analysis.unfolding import Unfolder
from asset.ir import nodes as n
from asset.ir.derived import ALWAYS, Alternative, Case, DerivedRules, Obligation
from asset.ir.program import Program, PropertyKind


@dataclass(frozen=True, slots=True)
class Limits:
    """How much work an analysis may be; what exceeds it becomes coarser."""

    effort: Effort = field(default_factory=Effort)
    pair_steps: int = 200_000
    alternatives: int = 8


Observer = Callable[[str, int, int], bool]
"""Told what is being done, how much of it is done and of how much; returning False ends the analysis."""


@dataclass(frozen=True)
class Imaginary:
    """What an imaginary node stands for: the violation of a property, or a model error of a command."""

    property: int | None = None
    command: int | None = None


@dataclass(frozen=True)
class Derivation:
    """The rules and what they were derived from. `imaginary[k]` is node `nr_commands + k`."""

    program: Program
    rules: DerivedRules
    flow: Flow
    imaginary: tuple[Imaginary, ...]
    conflicts: Mapping[tuple[int, int], tuple[Live, Live, Conflict]] = field(default_factory=dict)


def derive(
    program: Program, asked: Mapping[PropertyKind, int], limits: Limits | None = None, observer: Observer | None = None
) -> Derivation:
    """Rules under which the invariants asked for, and model errors, are preserved, as in Theorem 4."""
    return _Derivation(program, limits or Limits()).derive(asked)


@dataclass(frozen=True, slots=True)
class _Option:
    """An alternative; where its fact is that a cell has one of some values, `cell` and `mask` say which."""

    fact: int
    nodes: frozenset[int]
    cell: int = -1
    mask: int = 0


def _covers(wider: _Option, option: _Option) -> bool:
    """Whether one applies wherever the other does."""
    if wider.fact in (ALWAYS, option.fact):
        return True
    return wider.cell == option.cell >= 0 and option.mask & ~wider.mask == 0


class _Derivation:
    def __init__(self, program: Program, limits: Limits) -> None:
        self.program = program
        self.limits = limits
        self.cells = Cells(program)
        self.imaginary: list[Imaginary] = []

    def derive(self, asked: Mapping[PropertyKind, int]) -> Derivation:
        paths = list(self._paths(asked))
        reachable = find_reachable(self.cells, paths, self.limits.pair_steps)
        self.flow = Flow(reachable, self._without_the_impossible(reachable, paths))
        self.facts = Facts(self.cells, reachable.values)
        self.nodes = self.program.nr_commands + len(self.imaginary)
        self.of: list[list[Live]] = [[] for _ in range(self.nodes)]
        for live in self.flow.live:
            self.of[live.path.node].append(live)
        self.paths_of = [sum(1 << live.number for live in lives) for lives in self.of]
        self.node_of = [live.path.node for live in self.flow.live]
        self.blocks = [self._blocks(live) for live in self.flow.live]
        self.conflicts: dict[tuple[int, int], tuple[Live, Live, Conflict]] = {}
        cases = tuple(tuple(self._cases(node)) for node in range(self.nodes))
        rules = _compacted(self.facts.expressions, cases)
        return Derivation(self.program, rules, self.flow, tuple(self.imaginary), self.conflicts)

    # --- paths --------------------------------------------------------------------------------------------------

    def _paths(self, asked: Mapping[PropertyKind, int]) -> Iterator[Path]:
        unfolder = Unfolder(self.cells, self.limits.effort)
        faulty: list[list[Path]] = []
        for command, (family, indices) in enumerate(self.program.commands):
            unfolded = unfolder.command(command, family, indices)
            yield from merged(unfolded.fired, self.cells)
            if unfolded.faulty:
                faulty.append(unfolded.faulty)
        for paths in faulty:
            yield from self._imagined(Imaginary(command=paths[0].node), paths)
        for number, prop in enumerate(self.program.properties):
            index = self.program.properties_of(prop.kind).index(prop)
            if asked.get(prop.kind, 0) >> index & 1:
                violated = unfolder.violation(0, prop)
                fired = violated.fired if prop.kind is PropertyKind.INVARIANT else []
                if fired or violated.faulty:
                    yield from self._imagined(Imaginary(property=number), fired + violated.faulty)

    def _imagined(self, meaning: Imaginary, paths: list[Path]) -> Iterator[Path]:
        node = self.program.nr_commands + len(self.imaginary)
        self.imaginary.append(meaning)
        for path in merged(paths, self.cells):
            yield Path(node, path.guard, path.atoms, path.hidden, {}, path.opaque, path.read_at)

    def _without_the_impossible(self, reachable: Reachable, paths: list[Path]) -> list[Path]:
        """The paths that may be taken; imaginary nodes that have none are forgotten, and the others renumbered."""
        possible = [path for path in paths if reachable.compatible(path) is not None]
        alive, first = {path.node for path in possible}, self.program.nr_commands
        meanings = [meaning for k, meaning in enumerate(self.imaginary) if first + k in alive]
        numbers = {node: k for k, node in enumerate(sorted(node for node in alive if node >= first), first)}
        self.imaginary = meanings
        return [replace(path, node=numbers.get(path.node, path.node)) for path in possible]

    # --- what excludes a path -----------------------------------------------------------------------------------

    def _blocks(self, live: Live) -> list[tuple[int, int, int]]:
        """Facts that exclude the path, and the paths of which one must be taken before that can change."""
        found: list[tuple[int, int, int]] = []
        for cell, possible in enumerate(self.flow.reachable.values):
            allowed = self.flow.values(live, cell)
            by_changers: dict[int, int] = {}
            for value in bits(possible & ~allowed):
                changers = self.flow.changers(cell, value, allowed)
                by_changers[changers] = by_changers.get(changers, 0) | 1 << value
            found += ((cell, mask, changers) for changers, mask in by_changers.items())
        return found

    def _ways_to_block(self, live: Live, node: int, while_enabled: int) -> Iterator[_Option]:
        """Alternatives for a set with `node`, where only paths of `while_enabled` can be taken outside of it."""
        for cell, mask, changers in self.blocks[live.number]:
            nodes = self._nodes(changers & while_enabled) - {node}
            yield _Option(self.facts.among(cell, mask), nodes, cell, mask)
        for atom in live.path.atoms:
            nodes = self._nodes(self.flow.enablers(atom) & while_enabled) - {node}
            yield _Option(self.facts.true(atom.negated()), nodes)

    def _nodes(self, paths: int) -> frozenset[int]:
        return frozenset(self.node_of[number] for number in bits(paths))

    # --- cases --------------------------------------------------------------------------------------------------

    def _cases(self, node: int) -> Iterator[Case]:
        everything = (1 << len(self.flow.live)) - 1
        precise = [live for live in self.of[node] if not live.path.hidden]
        guards = [self._guard(live) for live in precise]
        disabled = []
        for live in self.of[node]:
            options = list(self._ways_to_block(live, node, everything))
            if live.path.hidden and node < self.program.nr_commands:
                options.append(_Option(self.facts.both(self._guard(live)), frozenset()))
            disabled.append(self._obligation(options))
        imaginary = node >= self.program.nr_commands
        if () not in guards or imaginary:
            facts = () if imaginary or not guards else (self.facts.none_of(guards),)
            yield from self._case(facts, disabled)
        if not imaginary:
            for live in self.of[node]:
                yield from self._case(self._guard(live), list(self._conflicting(live, node)))

    def _guard(self, live: Live) -> tuple[int, ...]:
        return self.facts.all_of(live.path.guard, live.path.atoms)

    def _conflicting(self, live: Live, node: int) -> Iterator[Obligation]:
        path = live.path
        touched = path.reads | path.writes
        rivals = []
        for other in self.flow.live:
            if other.path.node == node:
                continue
            if not (path.writes & (other.path.reads | other.path.writes) | other.path.writes & touched):
                continue
            if not compatible(self.flow, live, other):
                continue
            found = conflict(self.flow, live, other)
            if found is not None:
                rivals.append(other)
                self.conflicts.setdefault((node, other.path.node), (live, other, found))
        while_enabled = self._compatible_with(live) if rivals else 0
        for other in rivals:
            options = [_Option(ALWAYS, frozenset([other.path.node]))]
            options += self._ways_to_block(other, node, while_enabled)
            yield self._obligation(options)

    def _compatible_with(self, live: Live) -> int:
        found = 0
        for other in self.flow.live:
            if other.path.updates and compatible(self.flow, live, other):
                found |= 1 << other.number
        return found

    def _obligation(self, options: list[_Option]) -> Obligation:
        """The obligation with one alternative for each set of nodes, and without those that are never of use."""
        by_nodes: dict[frozenset[int], list[_Option]] = {}
        for option in options:
            by_nodes.setdefault(option.nodes, []).append(option)
        kept: list[_Option] = []
        found: list[Alternative] = []
        for nodes in sorted(by_nodes, key=lambda nodes: (len(nodes), sorted(nodes))):
            smaller = [option for option in kept if option.nodes < nodes]
            useful = [o for o in by_nodes[nodes] if not any(_covers(other, o) for other in smaller)]
            if useful:
                kept += useful
                found.append(Alternative(self.facts.any_of(frozenset(option.fact for option in useful)), nodes))
            if len(found) == self.limits.alternatives:
                break
        return tuple(found)

    def _case(self, facts: tuple[int, ...], obligations: list[Obligation]) -> Iterator[Case]:
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
            yield Case(facts, (*forced, *rest))


def _compacted(facts: list[n.Expr], cases: tuple[tuple[Case, ...], ...]) -> DerivedRules:
    """The rules with those facts only that they use, by the order of their use."""
    numbers: dict[int, int] = {ALWAYS: ALWAYS}

    def number(fact: int) -> int:
        return numbers.setdefault(fact, len(numbers) - 1)

    def obligation(options: Obligation) -> Obligation:
        return tuple(Alternative(number(option.fact), option.nodes) for option in options)

    renumbered = tuple(
        tuple(Case(tuple(map(number, case.facts)), tuple(map(obligation, case.obligations))) for case in of_node)
        for of_node in cases
    )
    return DerivedRules(tuple(facts[fact] for fact in numbers if fact != ALWAYS), renumbered)
