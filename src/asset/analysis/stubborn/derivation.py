"""Stubborn set rules derived from a program.

Let T be a set of nodes that meets the obligations below in a reachable state, and let only commands outside T be fired
from there on. By induction on the steps:

*An enabled path p of a key of T* stays enabled, and commutes with every step. For each path q of another node
that can be taken together with p but does not commute with it (`commuting`), either that node is in T, or q cannot
be taken: there is a cell whose value excludes q, and the commands that can change that, while p is enabled, are in T.

*An enabled path p of another command in T* does so as well, or else the command is not fired any more: as long as the
steps commute with p, it is as for a key. The first that does not, q, may then be taken only if it leaves a cell with a
value that no path of the command allows, and the commands by which the cell could come to one that a path allows are in
T: the command stays disabled.

*A path of a disabled node in T* is not taken, as some cell has a value that excludes it (it makes the guard false, or
never occurs together with it), and the commands by which the cell could come to another are in T.

*Last resorts* are commands that are enabled only where no other command is, as a `timeout` of Promela. If another one
is enabled, so is a key of T, which stays enabled; so no last resort is fired, nor enabled, whatever it waits for. If a
last resort is enabled, all enabled commands are last resorts, and T has all of them if it has one: nothing else can be
fired. So what a last resort obliges is the others, nothing conflicts with it but these, and a model error of one is not
enabled before it is.

So T satisfies D1, and its keys D2. An invariant is an imaginary node, enabled where it is violated (Theorem 4); so is a
model error of each command that may have one. They change nothing, so for the same reason they are not ignored. A
search ends where one of these is enabled. A predicate of may progress is a further one, enabled where it holds. The
search goes on there; then the node, which changes nothing, has D1 whatever else is in T, and its D2 is not used (Lemma
(S) in `asset.checks.soundness`).

Commands that are fired in the states that runs begin in, and nowhere else, are found by firing them (`beginning`): a
set with one of them has all of them. The rules are then for the states after these. Commands that begin where no
process comes to have no paths (`entering`).

All of this is about what *may* be so: that paths can be taken together, that they do not commute, that a value can come
about. Whatever is taken to be possible though it is not adds to obligations, or takes alternatives away, so the rules
remain true if less is known:

- Cells with many values are seen by classes of them (`value_classes`). A class can be had, or left for another, if one
  of its values can. A cell in a class that a path does not allow has no value that the path allows. What is said of a
  path's own guard, in the conditions of cases, and whether paths commute, is about the values themselves.
- An index of which too little is known, as that of a channel whose number is computed, has a path for each number that
  it can be. If it is a sum, that it is this number is a condition of the path; else the path depends on all that the
  number is computed of, in a way that is not known. One of the paths is what happens in a state, and if a cell changes
  on which it depends which one, that is a conflict.
- Pairs of facts are looked at if their cells are near each other (`mutexes`); others may hold together.
- With a command that very many paths have to do with, all of their nodes are needed: paths that write nothing that the
  other reads or writes commute with it (`obligation_rules`).
- If the time is over, code that was not followed is opaque, nothing is known of facts, and with nodes that have no
  rules yet all commands are needed: a set of all commands has D1 and D2, whatever is enabled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from asset.analysis.stubborn.beginning import Beginning, find_beginning
from asset.analysis.stubborn.commuting import Conflict
from asset.analysis.stubborn.entering import Entry, entries, unfolded_where_entered
from asset.analysis.stubborn.idle_paths import changing
from asset.analysis.stubborn.members import Members
from asset.analysis.stubborn.merging import merged, summarised
from asset.analysis.stubborn.mutexes import NEAR, find_reachable
from asset.analysis.stubborn.obligation_rules import ObligationLimits, ObligationRules
from asset.analysis.stubborn.paths import Path
from asset.analysis.stubborn.queues import Queues
from asset.analysis.stubborn.rule_facts import RuleFacts
from asset.analysis.stubborn.runs import UnfoldingEffort
from asset.analysis.stubborn.unfolding import Unfolded, Unfolder
from asset.analysis.stubborn.value_classes import ClassedCells
from asset.analysis.stubborn.value_flow import Live, ValueFlow, find_flow
from asset.analysis.stubborn.visibility import visible_commands
from asset.analysis.values.domains import CellDomains, bits
from asset.analysis.watch import Observer, OutOfTime, Watch
from asset.ir.derived import ALWAYS, Alternative, DerivedRules, Obligation, ObligationCase
from asset.ir.program import Program, State
from asset.ir.requirements import Invariant, MayProgress, OfRuns, Requirement, Terminal, command_sets


@dataclass(frozen=True, slots=True)
class DerivationLimits:
    """How much work an analysis may be; what exceeds it becomes coarser."""

    effort: UnfoldingEffort = field(default_factory=UnfoldingEffort)
    paths: int = 1_200
    pair_steps: int = 100_000
    near: int = NEAR
    counted_facts: int = 400
    values: int = 16
    classes: int = 32
    obligations: ObligationLimits = field(default_factory=ObligationLimits)

    def on_average(self, commands: int) -> int:
        return min(MOST_OF_EACH, max(LEAST_OF_EACH, self.paths // max(1, commands)))

    def of_each(self, ways: Sequence[int]) -> int:
        """How many paths a command may have, if commands have so many: those with the most become coarser first."""
        for most in range(MOST_OF_EACH, LEAST_OF_EACH, -2):
            if sum(each if each <= most else 1 for each in ways) <= self.paths:
                return most
        return LEAST_OF_EACH


LEAST_OF_EACH, MOST_OF_EACH = 6, 64
"""Paths that a command may have, however many there are in all; and however few."""

MORE = 8
"""Properties are few, and are what is asked: they are followed so much further than commands."""


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
    paths that do not commute, if there are any. `cone` are the commands that can influence, directly or through others,
    whether an imaginary node is enabled. `idle` says that a command may be enabled and change nothing, as the rules see
    it. `hurried` are the nodes that the time was not enough for: all commands are needed with them. `crowded` are
    commands that were not compared with others one by one. `complete` is false if the observer ended the analysis, so
    that rules may be coarser.
    """

    program: Program
    rules: DerivedRules
    texts: tuple[str, ...]
    flow: ValueFlow
    imaginary: tuple[Imaginary, ...]
    impossible: tuple[Imaginary, ...]
    conflicts: Mapping[tuple[int, int], tuple[Live, Live, Conflict]]
    cone: frozenset[int] = frozenset()
    idle: bool = True
    complete: bool = True
    hurried: tuple[int, ...] = ()
    crowded: frozenset[int] = frozenset()


def derive(
    program: Program,
    asked: Sequence[Requirement],
    limits: DerivationLimits | None = None,
    observer: Observer | None = None,
    starts: Sequence[State] = (),
) -> Derivation:
    """Rules under which the invariants asked for, and model errors, are preserved, as in Theorem 4.

    When the observer ends the analysis, what there was no time for becomes coarser: code that was not followed yet is
    opaque, of pairs and sums that were not found nothing is known, and nodes without rules oblige everything.
    They are for states that are reachable from `starts`: from the initial state unless others are given.
    """
    known = entries(program)
    invariants = [predicate for each in asked if isinstance(each, Invariant) for predicate in each.predicates]
    beginning = find_beginning(program, starts or program.initial_states, known, invariants)
    cells = CellDomains(program, beginning.after if beginning else starts)
    return _Deriving(cells, limits or DerivationLimits(), Watch(observer), known, beginning).run(asked)


_Cases = tuple[ObligationCase, ...]

_Wrong = list[tuple[Imaginary, list[Path]]]
"""What can be wrong, and the paths on which it is."""


class _Deriving:
    def __init__(
        self,
        cells: CellDomains,
        limits: DerivationLimits,
        watch: Watch,
        known: Sequence[Entry | None],
        beginning: Beginning | None,
    ) -> None:
        self.program = cells.program
        self.entries = known
        self.beginning = beginning or Beginning()
        self.limits = limits
        self.watch = watch
        self.cells = cells
        self.queues = Queues(cells.program)
        self.imaginary: list[Imaginary] = []

    def run(self, asked: Sequence[Requirement]) -> Derivation:
        fired, wrong = self._commands()
        idle_steps = any(path.may_be_idle(self.cells.full) for path in fired)
        left_out = idle_steps and self._are_no_steps(asked)
        if left_out:
            fired = [each for path in fired for each in changing(path, self.cells.full)]
        wrong += self._requirements(asked)
        observed = self._observed(asked)
        self._at("what can hold together", 0, 1)
        everywhere = fired + [path for _, ways in wrong for path in ways] + (observed or [])
        cells = ClassedCells(self.cells, everywhere, self.limits.values, self.limits.classes)
        classed = list(map(cells.classed, fired))
        reachable = find_reachable(cells, classed, self.limits.pair_steps, self.watch, self.limits.near)
        flow = find_flow(reachable, classed, self.limits.counted_facts, self.watch)
        paths = [live.path for live in flow.live]
        imagined: list[Path] = []
        for meaning, ways in wrong:
            taken = [path for path in ways if flow.can_be_taken(cells.classed(path))]
            imagined += self._imagined(meaning, taken)
        paths += map(cells.classed, imagined)
        flow = ValueFlow(reachable, paths, flow.invariants, self.watch)
        obligations = ObligationRules(flow, self.program.nr_commands, self.limits.obligations, self.watch)
        progress = frozenset(self.program.nr_commands + k for k, meaning in enumerate(self.imaginary) if meaning.holds)
        obligations.progress = progress
        obligations.last_resorts = self._last_resorts()
        cases, keys, hurried = self._cases(obligations)
        rules, texts = _compacted(obligations.facts, cases)
        writes = _writes(fired, self.program.nr_commands)
        rules = replace(rules, progress=progress, writes=writes, initial=self.cells.starts[0], keys=keys)
        rules = replace(rules, idle_steps=not left_out)
        if observed is not None:
            rules = replace(rules, visible=self._visible(flow, list(map(cells.classed, observed)), asked))
        imaginary = tuple(self.imaginary)
        impossible = tuple(meaning for meaning, _ in wrong if meaning not in imaginary)
        return Derivation(
            program=self.program,
            rules=rules,
            texts=texts,
            flow=flow,
            imaginary=imaginary,
            impossible=impossible,
            conflicts=obligations.conflicts,
            cone=_cone([*fired, *imagined], self.program.nr_commands) | self.beginning.first,
            idle=idle_steps and not left_out,
            complete=not self.watch.over,
            hurried=hurried,
            crowded=frozenset(obligations.crowded),
        )

    def _cases(self, obligations: ObligationRules) -> tuple[list[_Cases], tuple[int, ...], tuple[int, ...]]:
        """The cases of all nodes, the keys of commands, and the nodes that there was no time for."""
        everything = (_needing(range(self.program.nr_commands)),)
        first = (_needing(self.beginning.first),)
        nodes = self.program.nr_commands + len(self.imaginary)
        cases, of_keys, hurried = list[_Cases](), dict[int, _Cases](), list[int]()
        for node in range(nodes):
            if node in self.beginning.first:
                cases.append(first)
                continue
            try:
                self.watch.at("rules", node, nodes)
                member, key = obligations.both(node)
                cases.append(member)
                if key:
                    of_keys[node] = (_needing([node]), *key)
            except OutOfTime:
                hurried.append(node)
                cases.append(everything)
        numbers = {command: nodes + number for number, command in enumerate(of_keys)}
        keys = tuple(numbers.get(command, command) for command in range(self.program.nr_commands))
        return [*cases, *of_keys.values()], keys if numbers else (), tuple(hurried)

    def _last_resorts(self) -> frozenset[int]:
        """The nodes of last resorts, and of their model errors."""
        last = {command for command, (family, _) in enumerate(self.program.commands) if family.last_resort}
        errors = (k for k, meaning in enumerate(self.imaginary) if meaning.command in last)
        return frozenset(last) | {self.program.nr_commands + k for k in errors}

    def _are_no_steps(self, asked: Sequence[Requirement]) -> bool:
        """Whether something is asked of runs for which idle steps are none, and nothing for which they are steps."""
        if self.program.idle_steps or any(requirement.idle_steps for requirement in asked):
            return False
        return any(isinstance(requirement, OfRuns) for requirement in asked)

    def _at(self, what: str, done: int, of: int) -> None:
        """Tells the observer; if that ends the analysis, what follows sees it for itself."""
        with suppress(OutOfTime):
            self.watch.at(what, done, of)

    def _commands(self) -> tuple[list[Path], _Wrong]:
        """The paths of the commands, and those of the model errors in them."""
        unfolding = Members(Unfolder(self.cells, self.limits.effort, self.watch), self._merged)
        found: dict[int, Unfolded] = {}

        def unfold(command: int) -> list[Path]:
            self._at("paths", len(found), self.program.nr_commands)
            found[command] = unfolding.of(command)
            return found[command].fired

        unfolded_where_entered(self.cells, unfold, self.entries)
        ways = [found[command].fired for command in sorted(found)]
        wrong = [(Imaginary(command=command), found[command].faulty) for command in sorted(found)]
        most = self.limits.of_each([len(each) for each in ways])
        fired = [path for each in ways for path in self._summarised(each, most)]
        return fired, [(meaning, faulty) for meaning, faulty in wrong if faulty]

    def _requirements(self, asked: Sequence[Requirement]) -> _Wrong:
        """The paths on which invariants are violated, or on which a predicate that is asked of every state faults; and
        those on which may progress accepts a state."""
        unfolder = self._unfolder_of_properties()
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

    def _observed(self, asked: Sequence[Requirement]) -> list[Path] | None:
        """The paths on which a predicate holds that is asked of runs; None if nothing is."""
        of_runs = [requirement for requirement in asked if isinstance(requirement, OfRuns)]
        if not of_runs:
            return None
        unfolder = self._unfolder_of_properties()
        found: list[Path] = []
        for predicate in dict.fromkeys(predicate for each in of_runs for predicate in each.predicates):
            found += self._fewer(unfolder.predicate(0, predicate, holds=True).fired)
        return found

    def _visible(self, flow: ValueFlow, observed: list[Path], asked: Sequence[Requirement]) -> frozenset[int]:
        """The commands that may change the value of a predicate, or whether commands are enabled that a formula asks
        about."""
        named = [each for requirement in asked if isinstance(requirement, OfRuns) for each in command_sets(requirement)]
        enabled = frozenset[int]().union(*named)
        observed += [live.path for live in flow.live if live.path.node in enabled]
        return visible_commands(flow, self.program.nr_commands, observed) | self.beginning.first

    def _unfolder_of_properties(self) -> Unfolder:
        effort = self.limits.effort
        more = replace(effort, ways=MORE * effort.ways, steps=MORE * effort.steps)
        return Unfolder(self.cells, more, self.watch)

    def _imagined(self, meaning: Imaginary, paths: list[Path]) -> list[Path]:
        """The paths as those of an imaginary node; without any there is none."""
        if not paths:
            return []
        node = self.program.nr_commands + len(self.imaginary)
        self.imaginary.append(meaning)
        return self._fewer([replace(path, node=node, updates={}) for path in paths])

    def _fewer(self, paths: list[Path]) -> list[Path]:
        """The paths of a property."""
        return self._summarised(self._merged(paths), MORE * self.limits.on_average(self.program.nr_commands))

    def _merged(self, paths: list[Path]) -> list[Path]:
        return [self.queues.with_ends(path, self.cells) for path in merged(paths, self.cells)]

    def _summarised(self, ways: list[Path], most: int) -> list[Path]:
        fewer = summarised(ways, most)
        return fewer if len(fewer) == len(ways) else [self.queues.with_ends_of(ways, path) for path in fewer]


def _needing(nodes: Iterable[int]) -> ObligationCase:
    """Whatever holds, these nodes are needed."""
    return ObligationCase((), ((Alternative(ALWAYS, frozenset(nodes)),),))


def _writes(paths: Sequence[Path], nr_commands: int) -> tuple[frozenset[int], ...]:
    """By command: the cells that it may change."""
    written = [0] * nr_commands
    for path in paths:
        written[path.node] |= path.writes
    return tuple(frozenset(bits(cells)) for cells in written)


def _cone(paths: Sequence[Path], nr_commands: int) -> frozenset[int]:
    """The commands that write what an imaginary node reads, or what a command reads that is among them."""
    read, found, grown = 0, set[int](), True
    while grown:
        grown = False
        for path in paths:
            known = path.node >= nr_commands or path.node in found
            if not known and path.writes & read:
                found.add(path.node)
                grown = True
            if (known or path.node in found) and path.reads & ~read:
                read |= path.reads
                grown = True
    return frozenset(found)


def _compacted(facts: RuleFacts, cases: list[_Cases]) -> tuple[DerivedRules, tuple[str, ...]]:
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
