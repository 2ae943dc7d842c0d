"""The choice of a stubborn set by derived rules: the specification of what the native engine does.

A set of nodes is *closed* in a state if each of its members has all obligations of its cases that apply met: by an
alternative that applies and whose nodes are all in the set. A closed set with an enabled command gives a stubborn set.
Closed sets are closed under union, so among the subsets of a set there is a greatest closed one; it is found by
deleting members whose obligations are not met until there are none.

A command is *begun* in a state if a cell that it may change has not its initial value. What is begun is fired rather
than what is not: a loop returns to where it began before another leaves, so that loops that are independent of each
other meet in few states.

If formulas are to be preserved, some commands are *visible*. An enabled one is as good as all of them: it obliges the
others (V). If commands that are not visible are enabled, one of these must be in the set (I). Visible ones are given up
first, so that they are fired only if they must be.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from asset.ir.derived import ALWAYS, DerivedRules
from asset.ir.program import State

Owed = list[list[list[int]]]
"""For each node the obligations that apply; for each the alternatives that apply, as sets of bits."""


@dataclass(frozen=True, slots=True)
class Situation:
    """A state as a choice sees it: whether each fact is true there, the commands that are enabled, and begun."""

    holds: Sequence[bool]
    enabled: Collection[int]
    begun: Collection[int] = ()


def begun(rules: DerivedRules, state: State) -> frozenset[int]:
    """The commands that are begun in the state."""
    away = {cell for cell, (value, first) in enumerate(zip(state, rules.initial, strict=False)) if value != first}
    return frozenset(command for command, cells in enumerate(rules.writes) if cells & away)


def stubborn(rules: DerivedRules, at: Situation) -> list[int]:
    """The commands to fire in a state, in decreasing number."""
    return sorted(stubborn_nodes(rules, at) & frozenset(at.enabled), reverse=True)


def stubborn_nodes(rules: DerivedRules, at: Situation, needed: int | None = None) -> frozenset[int]:
    """A set of nodes that has D1 and D2 and, if anything is enabled, an enabled command: this one, if one is `needed`.

    From the greatest closed set, enabled commands are given up one by one, each with all that cannot stay without it,
    as long as an enabled command remains, one that is not visible if there is any. So no closed proper subset of the
    result has one. Those that are not begun come first, in increasing number; then, if more than one remains, once more
    in decreasing number: the set with fewer enabled commands is taken. If no closed set has one, it is all nodes.
    """
    owed = _owed(rules, at)
    visible = rules.visible or frozenset()
    enabled = _bits(at.enabled)
    wanted = _wanted(enabled, _bits(visible)) if needed is None else 1 << needed
    greatest = _greatest_closed((1 << len(owed)) - 1, owed)
    if not greatest & wanted:
        return frozenset(range(len(owed)))
    rising = sorted(at.enabled, key=lambda command: (command not in visible, command in at.begun, command))
    falling = sorted(at.enabled, key=lambda command: (command not in visible, command in at.begun, -command))
    best = _without(rising, greatest, wanted, owed)
    if (best & enabled).bit_count() > 1:
        other = _without(falling, greatest, wanted, owed)
        best = min(best, other, key=lambda kept: (kept & enabled).bit_count())
    return frozenset(node for node in range(len(owed)) if best >> node & 1)


def _without(order: Sequence[int], kept: int, wanted: int, owed: Owed) -> int:
    """What is left of a closed set if commands are given up in this order."""
    for command in order:
        if kept >> command & 1:
            rest = _greatest_closed(kept & ~(1 << command), owed)
            if rest & wanted:
                kept = rest
    return kept


def _owed(rules: DerivedRules, at: Situation) -> Owed:
    def applies(fact: int) -> bool:
        return fact == ALWAYS or at.holds[fact]

    owed = [
        [
            [_bits(option.nodes) for option in obligation if applies(option.fact)]
            for case in cases
            if all(map(applies, case.facts))
            for obligation in case.obligations
        ]
        for cases in rules.cases
    ]
    for command in at.enabled:
        owed[command] += _owed_by_visible(command, rules.visible or frozenset())
    return owed


def _owed_by_visible(command: int, visible: frozenset[int]) -> list[list[int]]:
    """V: with an enabled visible command, all of them."""
    return [[_bits(visible)]] if command in visible else []


def _wanted(enabled: int, visible: int) -> int:
    """I: an enabled command that is not visible, if there is one."""
    return enabled & ~visible or enabled


def _bits(nodes: Iterable[int]) -> int:
    return sum(1 << node for node in nodes)


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
