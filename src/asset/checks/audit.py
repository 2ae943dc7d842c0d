"""The audit of hand-written reductions: mistakes in rules and representatives, found by trying.

In each state that the reduced search visits, the stubborn set T is compared with the full behaviour. For t in T and
transitions t1 … tn that are not in T:

    D0  if anything is enabled, something in T is
    D1  if t1 … tn t can be fired, so can t t1 … tn, and it leads to the same state
    D2  if t is enabled, it still is after t1 … tn

and an invariant counts as an imaginary transition outside T that is enabled if it is false (Theorem 4): firing t
must not hide it. D1 and D2 for a sequence follow from one test for each of its steps, so states that several sequences
lead to are looked at once. A representative must be symmetric to its state: properties have the same values, as many
transitions are enabled, and the successors of one are again symmetric to those of the other.

All of it up to a depth, and within a budget of firings: an audit can refute a reduction, not prove it.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from asset.checks.words import command_names
from asset.engine.outcome import Executable, Path, Task
from asset.engine.search import Observer, Search
from asset.engine.sources import source_of
from asset.engine.stubborn import candidates, closure
from asset.ir.faults import Fault
from asset.ir.program import State
from asset.ir.requirements import Invariant, Predicate
from asset.span import Span
from asset.verdict import Caveat

BUDGET = 200_000
"""How many firings and comparisons an audit may take."""

Enabled = dict[int, State]
"""The enabled commands of a state and where they lead."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A reduction that breaks its definition: the path to the state, what is at fault and how it shows."""

    path: Path
    rule: str
    message: str
    span: Span | None


@dataclass(frozen=True, slots=True)
class Audit:
    """The counts are those of the part of the reduced space that was audited."""

    mistake: Mistake | None
    complete: bool
    depth_of_sequences: int
    states: int
    edges: int
    depth: int
    terminal_states: int

    @property
    def caveat(self) -> Caveat:
        extent = f"all {self.states} states" if self.complete else f"the first {self.states} states only"
        return Caveat(
            "audited",
            f"the hand-written reductions were audited in {extent}, with up to {self.depth_of_sequences} transitions "
            "in a row: no mistake was found, which is no proof",
        )


class _Mistaken(Exception):
    """Ends the audit of a state."""

    def __init__(self, rule: str, message: str, span: Span | None) -> None:
        self.rule = rule
        self.message = message
        self.span = span


class _BudgetSpent(Exception):
    pass


def audit(executable: Executable, task: Task, depth: int) -> Audit:
    """Looks for mistakes in every state of the reduced space, in the order of exploration, as far as the budget goes.

    If the model itself is at fault (a model error), the audit of that state ends: exploring will find it.
    """
    behaviour = _Behaviour(executable)
    auditor = _Auditor(behaviour, task, depth)
    search = Search(source_of(behaviour, task.reductions, task.idle_steps), observers=[auditor])
    mistake, complete = None, True
    try:
        search.run(task.starts)
    except _Mistaken as found:
        path = ((None, auditor.start),) if auditor.number is None else search.store.path(auditor.number)
        mistake = Mistake(path, found.rule, found.message, found.span)
    except _BudgetSpent:
        complete = False
    counts = (len(search.store), search.store.nr_edges, search.depth, search.terminal_states)
    return Audit(mistake, complete, depth, *counts)


class _Behaviour:
    """The full behaviour of the model, that of each state worked out once; the budget is counted here."""

    def __init__(self, executable: Executable) -> None:
        self.program = executable.program
        self.evaluate = executable.evaluate
        self.obligations = executable.obligations
        self.representative = executable.representative
        self._executable = executable
        self._budget = BUDGET
        self._enabled: dict[State, Enabled] = {}

    def fire(self, state: State, command: int) -> State | None:
        return self.enabled(state).get(command)

    def enabled(self, state: State) -> Enabled:
        if state not in self._enabled:
            self.spend(self.program.nr_commands)
            fired = ((command, self._executable.fire(state, command)) for command in range(self.program.nr_commands))
            self._enabled[state] = {command: after for command, after in fired if after is not None}
        return self._enabled[state]

    def spend(self, amount: int) -> None:
        self._budget -= amount
        if self._budget < 0:
            raise _BudgetSpent

    def holds(self, predicate: Predicate, state: State) -> bool:
        return self.evaluate(predicate, state) is None

    def span_of(self, function: int | None, otherwise: Span | None) -> Span | None:
        """The place of the function; a model run as plain Python has no functions in its program."""
        known = function is not None and function < len(self.program.functions)
        return self.program.functions[function].span if known and function is not None else otherwise


class _Auditor(Observer):
    """Has the stubborn set of each state that is expanded, and the representatives of its successors, checked."""

    def __init__(self, behaviour: _Behaviour, task: Task, depth: int) -> None:
        self.behaviour = behaviour
        self.reductions = task.reductions
        invariants = [each.predicate for each in task.requirements if isinstance(each, Invariant)]
        predicates = [predicate for each in task.requirements for predicate in each.predicates]
        self.stubborn_sets = _StubbornSets(behaviour, invariants, depth)
        self.symmetry = _Symmetry(behaviour, predicates, depth)
        self.start = task.starts[0]
        self.number: int | None = None
        """Of the state that is audited."""

    def starts(self, state: State) -> None:
        self.start = state
        with suppress(Fault):
            self._check_representative(None, state)

    def expands(self, number: int, state: State) -> None:
        self.number = number
        with suppress(Fault):
            enabled = self.behaviour.enabled(state)
            for command in self._fired(state, enabled):
                self._check_representative(command, enabled[command])

    def _fired(self, state: State, enabled: Enabled) -> list[int]:
        """The commands that are fired in the state; with stubborn sets, once theirs has passed."""
        if not self.reductions.hand_rules:
            return sorted(enabled, reverse=True)

        def obligations(command: int) -> tuple[int, ...]:
            return self.behaviour.obligations(state, command)

        for members in candidates(obligations, self.behaviour.program.nr_commands):
            fired = [command for command in members if command in enabled]
            if fired:
                with suppress(Fault):
                    self.stubborn_sets.check(state, closure(obligations, members))
                return fired
        return []

    def _check_representative(self, command: int | None, state: State) -> None:
        if self.reductions.hand_symmetry:
            representative = self.behaviour.representative(state)
            with suppress(Fault):
                self.symmetry.check(command, state, representative)


# --- stubborn sets ----------------------------------------------------------------------------------------------


class _StubbornSets:
    """Compares stubborn sets with the full behaviour: sequences of the commands that are not in them."""

    def __init__(self, behaviour: _Behaviour, invariants: list[Predicate], depth: int) -> None:
        self.behaviour = behaviour
        self.program = behaviour.program
        self.invariants = invariants
        self.depth = depth

    def check(self, start: State, stubborn: frozenset[int]) -> None:
        """Raises _Mistaken if the set is seen not to be stubborn in the state."""
        enabled = self.behaviour.enabled(start)
        if enabled and not stubborn & enabled.keys():
            culprit = min(stubborn)
            raise self._mistaken(culprit, stubborn, "D0", f"{self._names(enabled)} is enabled, but nothing in it is")
        leading: dict[State, tuple[int, ...]] = {start: ()}  # states, and the commands outside the set that lead there
        level = [start]
        for _ in range(self.depth):
            following: list[State] = []
            for before in level:
                for command, after in self.behaviour.enabled(before).items():
                    if command in stubborn:
                        continue
                    sequence = (*leading[before], command)
                    self._check_step(enabled, stubborn, before, sequence)
                    if after not in leading:
                        leading[after] = sequence
                        following.append(after)
                        self._check_invariants(enabled, stubborn, after, sequence)
            level = following

    def _check_step(self, enabled: Enabled, stubborn: frozenset[int], before: State, sequence: tuple[int, ...]) -> None:
        """D1 and D2 for each member, given that they hold up to `before`, in which the last command is fired."""
        last = sequence[-1]
        after = self.behaviour.enabled(self.behaviour.enabled(before)[last])
        self.behaviour.spend(len(stubborn))
        for member in stubborn:
            name = self.program.command_name(member)
            if member not in enabled:
                if member in after:
                    text = f"{name} is disabled, but {self._row(sequence)}, outside of it, enables it"
                    raise self._mistaken(member, stubborn, "D1", text)
            elif member not in after:
                text = f"{name} is enabled, but {self._row(sequence)}, outside of it, disables it"
                raise self._mistaken(member, stubborn, "D2", text)
            elif self.behaviour.enabled(self.behaviour.enabled(before)[member]).get(last) != after[member]:
                text = f"{name} before and after {self._row(sequence)}, outside of it, does not lead to the same state"
                raise self._mistaken(member, stubborn, "D1", text)

    def _check_invariants(
        self, enabled: Enabled, stubborn: frozenset[int], state: State, sequence: tuple[int, ...]
    ) -> None:
        """Firing a member first must not hide that the sequence makes an invariant false."""
        for invariant in self.invariants:
            if self.behaviour.holds(invariant, state):
                continue
            for member in stubborn & enabled.keys():
                if self.behaviour.holds(invariant, self.behaviour.enabled(state)[member]):
                    text = f"{self._row(sequence)}, outside of it, makes {invariant.name} false, but with "
                    text += f"{self.program.command_name(member)} first it stays true (Theorem 4)"
                    raise self._mistaken(member, stubborn, "D1", text)

    def _mistaken(self, member: int, stubborn: frozenset[int], condition: str, text: str) -> _Mistaken:
        family = self.program.commands[member][0]
        span = self.behaviour.span_of(family.rule, family.span)
        members = self._names(stubborn)
        return _Mistaken(
            family.name,
            f"the rule of {self.program.command_name(member)} is wrong in this state: "
            f"the stubborn set of {members} breaks {condition}: {text}",
            span,
        )

    def _names(self, commands: frozenset[int] | Enabled) -> str:
        return command_names(self.program, commands, "and")

    def _row(self, sequence: tuple[int, ...]) -> str:
        return ", then ".join(map(self.program.command_name, sequence))


# --- symmetry ---------------------------------------------------------------------------------------------------


class _Symmetry:
    """Compares states with their representatives."""

    def __init__(self, behaviour: _Behaviour, predicates: list[Predicate], depth: int) -> None:
        self.behaviour = behaviour
        self.program = behaviour.program
        self.predicates = predicates
        self.depth = depth
        self._known: dict[tuple[State, State, int], bool] = {}

    def check(self, command: int | None, state: State, representative: State) -> None:
        """Raises _Mistaken if the representative is seen not to be symmetric to the state."""
        if state == representative:
            return
        what = "the initial state" if command is None else f"what {self.program.command_name(command)} leads to"
        difference = self._difference(state, representative) or self._unmatched(state, representative)
        if difference:
            span = self.behaviour.span_of(self.program.representative, None)
            raise _Mistaken(
                "symmetry_representative", f"{what} is not symmetric to its representative: {difference}", span
            )

    def _difference(self, state: State, other: State) -> str:
        """What tells the two states apart at once, in words."""
        for predicate in self.predicates:
            if self.behaviour.holds(predicate, state) != self.behaviour.holds(predicate, other):
                where = "the state, but not in its representative"
                if self.behaviour.holds(predicate, other):
                    where = "the representative, but not in the state"
                return f"{predicate.name} holds in {where}"
        if self._as_many_enabled(state, other):
            return ""
        ours, theirs = len(self.behaviour.enabled(state)), len(self.behaviour.enabled(other))
        return f"{ours} transitions are enabled in the state, {theirs} in its representative"

    def _as_many_enabled(self, one: State, other: State) -> bool:
        return len(self.behaviour.enabled(one)) == len(self.behaviour.enabled(other))

    def _unmatched(self, state: State, other: State) -> str:
        for one, two, where in ((state, other, "the state"), (other, state, "the representative")):
            for command, after in self.behaviour.enabled(one).items():
                if not any(self._similar(after, each, self.depth) for each in self.behaviour.enabled(two).values()):
                    name = self.program.command_name(command)
                    return f"{name}, fired in {where}, leads to a state that nothing leads to from the other"
        return ""

    def _similar(self, one: State, other: State, depth: int) -> bool:
        """Whether the two cannot be told apart in `depth` steps, states with one representative being similar."""
        key = (one, other, depth)
        if key not in self._known:
            self.behaviour.spend(1)
            self._known[key] = one == other or (
                self._as_many_enabled(one, other)
                and (self._same_representative(one, other) or self._bisimilar(one, other, depth - 1))
            )
        return self._known[key]

    def _same_representative(self, one: State, other: State) -> bool:
        return self.behaviour.representative(one) == self.behaviour.representative(other)

    def _bisimilar(self, one: State, other: State, depth: int) -> bool:
        if self._difference(one, other):
            return False
        if depth == 0:
            return True
        ours, theirs = (list(self.behaviour.enabled(each).values()) for each in (one, other))
        return all(any(self._similar(a, b, depth) for b in theirs) for a in ours) and all(
            any(self._similar(a, b, depth) for a in ours) for b in theirs
        )
