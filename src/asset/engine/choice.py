"""The choice of a stubborn set by derived rules: the specification of what the native engine does.

A set of nodes is *closed* in a state if each of its members has all obligations of its cases that apply met: by an
alternative that applies and whose nodes are all in the set. A closed set with an enabled command gives a stubborn set.
Closed sets are closed under union, so among the subsets of a set there is a greatest closed one; it is found by
deleting members whose obligations are not met until there are none.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from asset.ir.derived import ALWAYS, DerivedRules

Owed = list[list[list[int]]]
"""For each node the obligations that apply; for each the alternatives that apply, as sets of bits."""


def stubborn(rules: DerivedRules, holds: Sequence[bool], enabled: Collection[int]) -> list[int]:
    """The commands to fire in a state, in decreasing number; `holds` tells of each fact whether it is true there."""
    return sorted(stubborn_nodes(rules, holds, enabled) & frozenset(enabled), reverse=True)


def stubborn_nodes(
    rules: DerivedRules, holds: Sequence[bool], enabled: Collection[int], needed: int | None = None
) -> frozenset[int]:
    """A set of nodes that has D1 and D2 and, if anything is enabled, an enabled command: this one, if one is `needed`.

    From the greatest closed set, enabled commands are given up one by one, in increasing number, each with all that
    cannot stay without it, as long as an enabled command remains. So no closed proper subset of the result has an
    enabled command. If no closed set has one, it is all nodes.
    """
    owed = _owed(rules, holds)
    candidates = sum(1 << command for command in enabled)
    wanted = candidates if needed is None else 1 << needed
    kept = _greatest_closed((1 << len(owed)) - 1, owed)
    if not kept & wanted:
        return frozenset(range(len(owed)))
    for command in sorted(enabled):
        if kept >> command & 1 and kept & candidates != 1 << command:
            rest = _greatest_closed(kept & ~(1 << command), owed)
            if rest & wanted:
                kept = rest
    return frozenset(node for node in range(len(owed)) if kept >> node & 1)


def _owed(rules: DerivedRules, holds: Sequence[bool]) -> Owed:
    def applies(fact: int) -> bool:
        return fact == ALWAYS or holds[fact]

    return [
        [
            [sum(1 << node for node in option.nodes) for option in obligation if applies(option.fact)]
            for case in cases
            if all(map(applies, case.facts))
            for obligation in case.obligations
        ]
        for cases in rules.cases
    ]


def _greatest_closed(members: int, owed: Owed) -> int:
    """The greatest closed subset of the members."""
    shrunk = True
    while shrunk:
        shrunk = False
        for node, obligations in enumerate(owed):
            if members >> node & 1 and not all(any(o & ~members == 0 for o in options) for options in obligations):
                members &= ~(1 << node)
                shrunk = True
    return members
