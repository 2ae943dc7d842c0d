"""The choice of a stubborn set by derived rules: the specification of what the native engine does.

A set of nodes is *closed* in a state if each of its members has all obligations of its cases that apply met: by an
alternative that applies and whose nodes are all in the set. A closed set with the key of an enabled command gives a
stubborn set: nothing outside it can disable that command. If it has the keys of all its enabled commands, the set is
*strong*, else *weak*. Closed sets are closed under union, so among the subsets of a set there is a greatest closed one;
it is found by deleting members whose obligations are not met until there are none.

A command is *begun* in a state if a cell that it may change has not its initial value. What is begun is fired rather
than what is not: a loop returns to where it began before another leaves, so that loops that are independent of each
other meet in few states.

If formulas are to be preserved, some commands are *visible*. An enabled one is as good as all of them: it obliges the
others (V). If commands that are not visible are enabled, one of these must be in the set (I). Visible ones are given up
first, so that they are fired only if they must be.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
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
    """A set of nodes that has D1 and, if anything is enabled, the key of an enabled command; or this command, if one is
    `needed`.

    From the greatest strong set, enabled commands are given up one by one, each with all that cannot stay without it,
    as long as an enabled command remains, one that is not visible if there is any. So no strong proper subset of the
    result has one. Those that are not begun come first, in increasing number; then, if more than one remains, once more
    in decreasing number. If still more than one remains, the same is tried with weak sets. The first set with the
    fewest enabled commands is taken. If no closed set has one, it is all nodes.
    """
    enabled = _bits(at.enabled)
    best, fewest = (1 << len(rules.cases)) - 1, len(at.enabled) + 1
    for kept in _attempts(rules, at, needed):
        if (kept & enabled).bit_count() < fewest:
            best, fewest = kept, (kept & enabled).bit_count()
        if fewest <= 1:
            break
    return frozenset(node for node in range(len(rules.cases)) if best >> node & 1)


def keys(rules: DerivedRules, chosen: frozenset[int]) -> frozenset[int]:
    """Of rules that have keys: the commands of the set that are keys of it, if they are enabled."""
    return frozenset(command for command, key in enumerate(rules.keys) if command in chosen and key in chosen)


def _attempts(rules: DerivedRules, at: Situation, needed: int | None) -> Iterator[int]:
    """Sets with what is wanted that cannot do with fewer commands, by each way to look for one."""
    visible = rules.visible or frozenset()
    for owed in (_owed_if_strong(rules, at), _owed(rules, at))[: 2 if rules.keys else 1]:
        wanted = _wanted(rules, at) if needed is None else 1 << needed
        greatest = _greatest_closed((1 << len(owed)) - 1, owed)
        for sign in (1, -1) if greatest & wanted else ():
            order = sorted(
                at.enabled, key=lambda command: (command not in visible, command in at.begun, sign * command)
            )
            yield _without(order, greatest, wanted, owed)


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


def _owed_if_strong(rules: DerivedRules, at: Situation) -> Owed:
    """With every enabled command its key."""
    owed = _owed(rules, at)
    for command in at.enabled:
        owed[command].append([1 << rules.key(command)])
    return owed


def _owed_by_visible(command: int, visible: frozenset[int]) -> list[list[int]]:
    """V: with an enabled visible command, all of them."""
    return [[_bits(visible)]] if command in visible else []


def _wanted(rules: DerivedRules, at: Situation) -> int:
    """The keys of enabled commands; those of commands that are not visible, if there are any (I)."""
    hidden = [command for command in at.enabled if command not in (rules.visible or ())]
    return _bits(map(rules.key, hidden or at.enabled))


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
