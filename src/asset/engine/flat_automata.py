"""Automata as flat lists, for the native boundary (native/search.h, AutomatonData)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from asset.engine.branching import Parts
from asset.engine.temporal import automaton_of
from asset.ir.requirements import Branching, Enabled, Observation, Predicate, StepPredicate, Taken, Temporal
from asset.logic.automata import Automaton

MOST = 64
"""Acceptance sets of an automaton, and fairness conditions of a kind: sets of them are words."""

WORD = 64  # bits

Numbers = Mapping[Predicate | StepPredicate, int]
"""Of predicates, in a model's table."""

_KINDS = (Predicate, Enabled, Taken, StepPredicate)  # in the order of Observation::Kind


def sizes(required: Temporal | Branching) -> dict[str, int]:
    """What there may be MOST of, in words."""
    return {
        "acceptance sets in its automaton": automaton_of(required).acceptance,
        "weak fairness conditions": sum(not each.strong for each in required.fairness),
        "strong fairness conditions": sum(each.strong for each in required.fairness),
    }


@dataclass(frozen=True, slots=True)
class FlatAutomaton:
    """`shape` has the numbers of states, of the initial one, and of acceptance sets, and the states that are promising.
    `commands` are the sets that observations and fairness name by their numbers."""

    shape: list[int]
    observations: list[int]
    moves: list[int]
    weak: list[int]
    strong: list[int]
    commands: list[list[int]]


@dataclass(frozen=True, slots=True)
class _Sets:
    """The sets of commands, numbered as they are met; `numbers` has those of predicates."""

    numbers: Numbers
    commands: list[list[int]] = field(default_factory=list)

    def number(self, named: frozenset[int]) -> int:
        self.commands.append(sorted(named))
        return len(self.commands) - 1

    def observed(self, observations: Iterable[object]) -> list[int]:
        """The kind and the number of each."""
        flat: list[int] = []
        for each in observations:
            assert isinstance(each, Observation)
            number = self.numbers[each] if isinstance(each, Predicate | StepPredicate) else self.number(each.commands)
            flat += [_KINDS.index(type(each)), number]
        return flat


def flat_formula(required: Branching) -> list[int]:
    """The parts of the formula; their observations are those of the automaton of what is assumed."""
    parts = Parts(required.formula, required.observations).list
    return [number for part in parts for number in (part.op, part.left, part.right)]


def flatten(required: Temporal | Branching, numbers: Numbers) -> FlatAutomaton:
    automaton, sets = automaton_of(required), _Sets(numbers)
    return FlatAutomaton(
        shape=[automaton.states, automaton.initial, automaton.acceptance, *automaton.promising],
        observations=sets.observed(automaton.atoms),
        moves=[
            number
            for source, edges in enumerate(automaton.edges)
            for edge in edges
            for yes, no in edge.guard
            for number in (source, edge.target, edge.marks, *_words(yes, automaton), *_words(no, automaton))
        ],
        weak=[sets.number(each.commands) for each in required.fairness if not each.strong],
        strong=[sets.number(each.commands) for each in required.fairness if each.strong],
        commands=sets.commands,
    )


def _words(atoms: int, automaton: Automaton) -> list[int]:
    """The bits of atoms, in as many words as those of all need."""
    return [atoms >> first & (1 << WORD) - 1 for first in range(0, len(automaton.atoms), WORD)]
