"""Stubborn set rules derived from a program.

Let T be a set of nodes that meets the obligations below in a reachable state, and let only commands outside T be fired
from there on. By induction on the steps:

*An enabled path p of a command in T* stays enabled, and commutes with every step. For each path q of another node
that can be taken together with p but does not commute with it (`commuting`), either that node is in T, or q cannot
be taken: there is a cell whose value excludes q, and the commands that can change that, while p is enabled, are in T.

*A path of a disabled node in T* is not taken, as some cell has a value that excludes it (it makes the guard false, or
never occurs together with it), and the commands by which the cell could come to another are in T.

So T satisfies D1 and D2. An invariant is an imaginary node, enabled where it is violated (Theorem 4); so is a model
error of each command that may have one. They change nothing, so for the same reason they are not ignored. A search ends
where one of these is enabled. A predicate of may progress is a further one, enabled where it holds. The search goes on
there; then the node, which changes nothing, has D1 whatever else is in T, and its D2 is not used (`asset.checks.soundness`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from asset.analysis.stubborn.commuting import Conflict
from asset.analysis.stubborn.merging import merged, summarised
from asset.analysis.stubborn.mutexes import Reachable, find_reachable
from asset.analysis.stubborn.obligation_rules import ObligationRules
from asset.analysis.stubborn.paths import Path
from asset.analysis.stubborn.rule_facts import RuleFacts
from asset.analysis.stubborn.runs import UnfoldingEffort
from asset.analysis.stubborn.unfolding import Unfolder
from asset.analysis.stubborn.value_flow import Live, ValueFlow, find_flow
from asset.analysis.values.domains import CellDomains
from asset.ir.derived import ALWAYS, Alternative, DerivedRules, Obligation, ObligationCase
from asset.ir.program import Program, State
from asset.ir.requirements import Invariant, MayProgress, Requirement, Terminal


@dataclass(frozen=True, slots=True)
class DerivationLimits:
    """How much work an analysis may be; what exceeds it becomes coarser."""

    effort: UnfoldingEffort = field(default_factory=UnfoldingEffort)
    paths: int = 1_200
    pair_steps: int = 100_000
    counted_facts: int = 400
    alternatives: int = 6

    def of_each(self, nodes: int) -> int:
        """How many paths a node may have, if there are so many nodes."""
        return min(64, max(6, self.paths // max(1, nodes)))


MORE = 8
"""Properties are few, and are what is asked: they are followed so much further than commands."""

Observer = Callable[[str, int, int], bool]
"""Told what is being done, how much of it is done and of how much; returning False ends the analysis."""


@dataclass(frozen=True)
class Imaginary:
    """What an imaginary node stands for: that a requirement is violated or its predicate fails, or a model error of a
    command; or, if `holds`, that the predicate of a requirement holds."""

    requirement: Requirement | None = None
    command: int | None = None
    holds: bool = False


@dataclass(frozen=True)
class Derivation:
    """The rules and what they were derived from.

    `texts` says each fact in words. `imaginary[k]` is node `nr_commands + k`; `impossible` are imaginary nodes that the
    rules need not have, as they are never enabled. `conflicts` has for each two nodes, the first of which is a command,
    paths that do not commute, if there are any. `complete` is false if the observer ended the analysis.
    """

    program: Program
    rules: DerivedRules
    texts: tuple[str, ...]
    flow: ValueFlow
    imaginary: tuple[Imaginary, ...]
    impossible: tuple[Imaginary, ...]
    conflicts: Mapping[tuple[int, int], tuple[Live, Live, Conflict]]
    complete: bool = True


def derive(
    program: Program,
    asked: Sequence[Requirement],
    limits: DerivationLimits | None = None,
    observer: Observer | None = None,
    starts: Sequence[State] = (),
) -> Derivation:
    """Rules under which the invariants asked for, and model errors, are preserved, as in Theorem 4.

    If the observer ends the analysis, the rules oblige everything.
    They are for states that are reachable from `starts`: from the initial state unless others are given.
    """
    derivation = _Deriving(
        CellDomains(program, starts), limits or DerivationLimits(), observer or (lambda what, done, of: True)
    )
    try:
        return derivation.run(asked)
    except _Ended:
        everything = (ObligationCase((), ((Alternative(ALWAYS, frozenset(range(program.nr_commands))),),)),)
        flow = ValueFlow(Reachable(derivation.cells, [], []), [])
        return Derivation(program, DerivedRules((), (everything,) * program.nr_commands), (), flow, (), (), {}, False)


_Wrong = list[tuple[Imaginary, list[Path]]]
"""What can be wrong, and the paths on which it is."""


class _Ended(Exception):
    """The observer does not want the analysis to go on."""


class _Deriving:
    def __init__(self, cells: CellDomains, limits: DerivationLimits, observer: Observer) -> None:
        self.program = cells.program
        self.limits = limits
        self.observer = observer
        self.cells = cells
        self.imaginary: list[Imaginary] = []

    def run(self, asked: Sequence[Requirement]) -> Derivation:
        fired, wrong = self._commands()
        wrong += self._requirements(asked)
        self._at("what can hold together", 0, 1)
        reachable = find_reachable(
            self.cells, fired, self.limits.pair_steps, partial(self._at, "what can hold together")
        )
        flow = find_flow(reachable, fired, self.limits.counted_facts)
        paths = [live.path for live in flow.live]
        for meaning, ways in wrong:
            paths += self._imagined(meaning, [path for path in ways if flow.can_be_taken(path)])
        flow = ValueFlow(reachable, paths, flow.invariants)
        progress = frozenset(self.program.nr_commands + k for k, meaning in enumerate(self.imaginary) if meaning.holds)
        obligations = ObligationRules(flow, self.program.nr_commands, self.limits.alternatives, progress)
        cases, nodes = [], self.program.nr_commands + len(self.imaginary)
        for node in range(nodes):
            self._at("rules", node, nodes)
            cases.append(obligations.cases(node))
        rules, texts = _compacted(obligations.facts, cases)
        rules = replace(rules, progress=progress)
        imaginary = tuple(self.imaginary)
        impossible = tuple(meaning for meaning, _ in wrong if meaning not in imaginary)
        return Derivation(self.program, rules, texts, flow, imaginary, impossible, obligations.conflicts)

    def _at(self, what: str, done: int, of: int) -> None:
        if not self.observer(what, done, of):
            raise _Ended

    def _commands(self) -> tuple[list[Path], _Wrong]:
        """The paths of the commands, and those of the model errors in them."""
        unfolder = Unfolder(self.cells, self.limits.effort)
        fired: list[Path] = []
        wrong: _Wrong = []
        for command, (family, indices) in enumerate(self.program.commands):
            self._at("paths", command, self.program.nr_commands)
            unfolded = unfolder.command(command, family, indices)
            fired += self._fewer(unfolded.fired, 1)
            if unfolded.faulty:
                wrong.append((Imaginary(command=command), unfolded.faulty))
        return fired, wrong

    def _requirements(self, asked: Sequence[Requirement]) -> _Wrong:
        """The paths on which invariants are violated, or on which a predicate that is asked of every state faults; and
        those on which may progress accepts a state."""
        effort = self.limits.effort
        more = replace(effort, ways=MORE * effort.ways, steps=MORE * effort.steps)
        unfolder = Unfolder(self.cells, more)
        found: _Wrong = []
        of_states = [(r, p) for r in asked if not isinstance(r, Terminal) for p in r.predicates]
        for number, (requirement, predicate) in enumerate(of_states):
            self._at("properties", number, len(of_states))
            may_progress = isinstance(requirement, MayProgress)
            unfolded = unfolder.predicate(number, predicate, holds=may_progress)
            if may_progress:
                found.append((Imaginary(requirement=requirement, holds=True), unfolded.fired))
            fired = unfolded.fired if isinstance(requirement, Invariant) else []
            if fired or unfolded.faulty:
                found.append((Imaginary(requirement=requirement), fired + unfolded.faulty))
        return found

    def _imagined(self, meaning: Imaginary, paths: list[Path]) -> list[Path]:
        """The paths as those of an imaginary node; without any there is none."""
        if not paths:
            return []
        node = self.program.nr_commands + len(self.imaginary)
        self.imaginary.append(meaning)
        return self._fewer([replace(path, node=node, updates={}) for path in paths], MORE)

    def _fewer(self, paths: list[Path], more: int) -> list[Path]:
        return summarised(merged(paths, self.cells), more * self.limits.of_each(self.program.nr_commands))


def _compacted(facts: RuleFacts, cases: list[tuple[ObligationCase, ...]]) -> tuple[DerivedRules, tuple[str, ...]]:
    """The rules with those facts only that they use, by the order of their use; and the facts in words."""
    numbers: dict[int, int] = {ALWAYS: ALWAYS}

    def number(fact: int) -> int:
        return numbers.setdefault(fact, len(numbers) - 1)

    def obligation(options: Obligation) -> Obligation:
        return tuple(Alternative(number(option.fact), option.nodes) for option in options)

    renumbered = tuple(
        tuple(
            ObligationCase(tuple(map(number, case.facts)), tuple(map(obligation, case.obligations))) for case in of_node
        )
        for of_node in cases
    )
    used = [fact for fact in numbers if fact != ALWAYS]
    return DerivedRules(tuple(facts.expressions[f] for f in used), renumbered), tuple(map(facts.text, used))
