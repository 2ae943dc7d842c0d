"""Automata as flat lists, for the native boundary (native/search.h, AutomatonData)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from asset.engine.temporal import automaton_of
from asset.ir.requirements import Enabled, Observation, Predicate, Taken, Temporal

MOST = 64
"""Observations, states and acceptance sets of an automaton, and fairness of a kind: sets of them are words."""

_KINDS = (Predicate, Enabled, Taken)  # in the order of Observation::Kind


@dataclass(frozen=True, slots=True)
class FlatAutomaton:
    """`commands` are the sets that observations and fairness name by their numbers."""

    sizes: list[int]
    observations: list[int]
    moves: list[int]
    weak: list[int]
    strong: list[int]
    commands: list[list[int]]


def flatten(required: Temporal, numbers: Mapping[Predicate, int]) -> FlatAutomaton:
    automaton, commands = automaton_of(required), list[list[int]]()

    def numbered(named: frozenset[int]) -> int:
        commands.append(sorted(named))
        return len(commands) - 1

    def observed(each: Observation) -> list[int]:
        number = numbers[each] if isinstance(each, Predicate) else numbered(each.commands)
        return [_KINDS.index(type(each)), number]

    return FlatAutomaton(
        sizes=[automaton.states, automaton.initial, automaton.acceptance],
        observations=[n for each in automaton.atoms if isinstance(each, Observation) for n in observed(each)],
        moves=[
            number
            for source, edges in enumerate(automaton.edges)
            for edge in edges
            for yes, no in edge.guard
            for number in (source, edge.target, edge.marks, yes, no)
        ],
        weak=[numbered(each.commands) for each in required.fairness if not each.strong],
        strong=[numbered(each.commands) for each in required.fairness if each.strong],
        commands=commands,
    )
