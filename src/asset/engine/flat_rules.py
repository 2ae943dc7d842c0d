"""Derived rules as the native engine takes them: flat lists of numbers (native/rules.h), with nothing twice.

What makes no difference to a choice is left out: alternatives with more nodes than another for the same fact,
obligations with more alternatives than another of the same case, and obligations that are always met.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from asset.ir.derived import ALWAYS, Alternative, DerivedRules, Obligation, ObligationCase


class FlatRules(NamedTuple):
    nr_nodes: int
    alternatives: list[int]
    obligations: list[int]
    cases: list[int]


def flatten(rules: DerivedRules) -> FlatRules:
    return _Flattening(rules).flat


def flat_writes(rules: DerivedRules, places: Sequence[tuple[int, int, int]]) -> list[int]:
    """For each command how many cells it may change, and where they are."""
    result = list[int]()
    for cells in rules.writes:
        result += (len(cells), *(number for cell in sorted(cells) for number in places[cell]))
    return result


def nr_obligations(rules: DerivedRules) -> int:
    """How many obligations of cases are left."""
    return _Flattening(rules).nr_obligations


class _Flattening:
    def __init__(self, rules: DerivedRules) -> None:
        self.alternatives: dict[Alternative, int] = {}
        self.obligations: dict[tuple[int, ...], int] = {}
        self.flat = FlatRules(len(rules.cases), [], [], [])
        self.nr_obligations = 0
        for node, cases in enumerate(rules.cases):
            for case in cases:
                self._add_case(node, case)

    def _add_case(self, node: int, case: ObligationCase) -> None:
        numbers = _without_supersets(self._numbered(obligation) for obligation in case.obligations)
        facts = [fact for fact in case.facts if fact != ALWAYS]
        obligations = [self._obligation(tuple(sorted(number))) for number in numbers]
        self.nr_obligations += len(obligations)
        if obligations:
            self.flat.cases.extend([node, len(facts), *facts, len(obligations), *obligations])

    def _numbered(self, obligation: Obligation) -> frozenset[int] | None:
        """The numbers of the alternatives that matter; None if it is always met."""
        by_fact: dict[int, list[frozenset[int]]] = {}
        for alternative in obligation:
            by_fact.setdefault(alternative.fact, []).append(alternative.nodes)
        if frozenset() in by_fact.get(ALWAYS, ()):
            return None
        return frozenset(
            self._alternative(Alternative(fact, nodes))
            for fact, choices in by_fact.items()
            for nodes in _without_supersets(choices)
        )

    def _alternative(self, alternative: Alternative) -> int:
        if alternative not in self.alternatives:
            self.alternatives[alternative] = len(self.alternatives)
            nodes = sorted(alternative.nodes)
            self.flat.alternatives.extend([alternative.fact + 1, len(nodes), *nodes])
        return self.alternatives[alternative]

    def _obligation(self, numbers: tuple[int, ...]) -> int:
        if numbers not in self.obligations:
            self.obligations[numbers] = len(self.obligations)
            self.flat.obligations.extend([len(numbers), *numbers])
        return self.obligations[numbers]


def _without_supersets(sets: Iterable[frozenset[int] | None]) -> list[frozenset[int]]:
    """The smallest ones, each once; what is None is left out."""
    result: list[frozenset[int]] = []
    for candidate in sorted({each for each in sets if each is not None}, key=lambda each: (len(each), sorted(each))):
        if not any(smaller <= candidate for smaller in result):
            result.append(candidate)
    return result
