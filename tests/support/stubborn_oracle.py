"""What must be true of derived stubborn set rules, established by looking at the full state space.

A command that ends in a model error counts as disabled, and the error as an imaginary transition that is enabled there:
so the theorems speak of one transition system.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations

from asset.engine.choice import Situation, begun, keys, stubborn_nodes
from asset.ir.derived import DerivedRules
from asset.ir.faults import Fault
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program, State
from asset.ir.requirements import Invariant

INVARIANT = "invariant"


class TooLarge(Exception):
    pass


@dataclass
class Behaviour:
    """The behaviour of a program, state by state."""

    program: Program
    invariants: list[Invariant]
    interpreter: Interpreter = field(init=False)
    _known: dict[State, tuple[dict[int, State], frozenset[object]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.interpreter = Interpreter(self.program)

    def at(self, state: State) -> tuple[dict[int, State], frozenset[object]]:
        """The enabled commands with where they lead, and what is wrong in the state."""
        if state not in self._known:
            enabled, wrong = {}, set[object]()
            for command in range(self.program.nr_commands):
                try:
                    after = self.interpreter.fire(state, command)
                    if after is not None:
                        enabled[command] = after
                except Fault:
                    wrong.add(command)
            for invariant in self.invariants:
                try:
                    violated = self.interpreter.evaluate(invariant.predicate, state) is not None
                except Fault:
                    violated = True
                if violated:
                    wrong.add((INVARIANT, invariant.name))
            self._known[state] = enabled, frozenset(wrong)
        return self._known[state]


@dataclass
class Space:
    edges: dict[State, dict[int, State]] = field(default_factory=dict)
    wrong: set[object] = field(default_factory=set)
    sets: dict[State, frozenset[int]] = field(default_factory=dict)
    keys: dict[State, frozenset[int]] = field(default_factory=dict)
    """Those of each set that are enabled."""

    @property
    def terminal(self) -> set[State]:
        return {state for state, after in self.edges.items() if not after}

    @property
    def always_may_terminate(self) -> bool:
        """Whether key steps lead to a terminal state from every state."""
        before: dict[State, list[State]] = {}
        for state, after in self.edges.items():
            for command, successor in after.items():
                if command in self.keys.get(state, after):
                    before.setdefault(successor, []).append(state)
        found, pending = set(self.terminal), list(self.terminal)
        while pending:
            for state in before.get(pending.pop(), ()):
                if state not in found:
                    found.add(state)
                    pending.append(state)
        return len(found) == len(self.edges)


def full(behaviour: Behaviour, limit: int) -> Space:
    space = Space()
    pending = [*behaviour.program.initial_states]
    while pending:
        state = pending.pop()
        if state in space.edges:
            continue
        enabled, wrong = behaviour.at(state)
        space.edges[state] = enabled
        space.wrong |= wrong
        pending += enabled.values()
        if len(space.edges) > limit:
            raise TooLarge
    return space


def reduced(behaviour: Behaviour, rules: DerivedRules) -> Space:
    """The space with stubborn sets. Nothing is fired where something is wrong: a search would end there."""
    space = Space()
    pending = [*behaviour.program.initial_states]
    while pending:
        state = pending.pop()
        if state in space.edges:
            continue
        enabled, wrong = behaviour.at(state)
        space.wrong |= wrong
        space.edges[state] = {}
        if enabled and not wrong:
            holds = [behaviour.interpreter.holds(fact, state) for fact in rules.facts]
            nodes = stubborn_nodes(rules, Situation(holds, enabled, begun(rules, state)))
            space.sets[state] = nodes
            space.keys[state] = (keys(rules, nodes) if rules.keys else nodes).intersection(enabled)
            space.edges[state] = {command: enabled[command] for command in nodes & enabled.keys()}
            pending += space.edges[state].values()
    return space


def compare(whole: Space, part: Space) -> str | None:
    """What the reduced space fails to preserve, in words; None where all is as the theorems say."""
    if part.wrong:
        return None if whole.wrong else "something wrong was found that is not in the full space"
    if part.terminal != whole.terminal and not whole.wrong:
        return "the terminal states differ (Theorem 1)"
    if not whole.wrong and part.always_may_terminate != whole.always_may_terminate:
        return "always may-terminating is not preserved (Theorem 3)"
    if whole.wrong and part.always_may_terminate:
        return f"it is always may-terminating, but {whole.wrong} was not found (Theorem 4)"
    return None


def audit(behaviour: Behaviour, space: Space, depth: int) -> str | None:
    """A breach of D0, D1 or D2 by a set of the space, or a hidden violation, in words; None where none was seen."""
    for state, nodes in space.sets.items():
        found = _audit_set(behaviour, state, nodes, space.keys[state], depth)
        if found is not None:
            return f"in {state}, {sorted(nodes)}: {found}"
    return None


def _audit_set(
    behaviour: Behaviour, start: State, nodes: frozenset[int], keys: frozenset[int], depth: int
) -> str | None:
    enabled = behaviour.at(start)[0]
    if enabled and not keys:
        return "D0: no key of it is enabled"
    first = start, nodes.intersection(enabled)  # those that nothing outside the set has disabled on the way
    seen, level = {first}, [first]
    for _ in range(depth):
        following: list[tuple[State, frozenset[int]]] = []
        for before, possible in level:
            for command, after in behaviour.at(before)[0].items():
                if command in nodes:
                    continue
                found = _audit_step(behaviour, possible, nodes, keys, (before, command, after))
                if found is not None:
                    return found
                reached = after, possible.intersection(behaviour.at(after)[0])
                if reached not in seen:
                    seen.add(reached)
                    following.append(reached)
        level = following
    return None


def _audit_step(
    behaviour: Behaviour,
    possible: frozenset[int],
    nodes: Iterable[int],
    keys: frozenset[int],
    step: tuple[State, int, State],
) -> str | None:
    before, command, after = step
    (earlier, _), (later, wrong) = behaviour.at(before), behaviour.at(after)
    for member in nodes:
        if member >= behaviour.program.nr_commands:
            continue
        if member not in possible:
            if member in later:
                return f"D1: {command} outside of it enables {member}"
        elif member not in later:
            if member in keys:
                return f"D2: {command} outside of it disables {member}"
        else:
            if behaviour.at(earlier[member])[0].get(command) != later[member]:
                return f"D1: {command} outside of it does not commute with {member}"
            hidden = wrong - behaviour.at(later[member])[1]
            if hidden:
                return f"Theorem 4: {member} hides {hidden} after {command} outside of it"
    return None


def reducible(behaviour: Behaviour, state: State) -> bool:
    """Whether fewer than all that is enabled in the state can be all that is enabled of any set with D1 and D2."""
    enabled = behaviour.at(state)[0]
    subsets = (set(some) for size in range(1, len(enabled)) for some in combinations(enabled, size))
    return any(_is_left_alone(behaviour, state, some) for some in subsets)


def _is_left_alone(behaviour: Behaviour, start: State, commands: set[int]) -> bool:
    """Whether the commands stay enabled and commute with all others, as long as only others are fired."""
    seen, pending = {start}, [start]
    while pending:
        before = behaviour.at(pending.pop())[0]
        for command, after in before.items():
            if command in commands:
                continue
            later = behaviour.at(after)[0]
            if any(c not in later or behaviour.at(before[c])[0].get(command) != later[c] for c in commands):
                return False
            if after not in seen:
                seen.add(after)
                pending.append(after)
    return True


def invariants_of(program: Program) -> list[Invariant]:
    return [each for each in program.requirements if isinstance(each, Invariant)]
