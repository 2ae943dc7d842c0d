"""Stubborn sets by hand-written rules: which commands are fired in a state.

A rule says of a command which others must be in the stubborn set if it is. A set that is closed under correct rules
satisfies D1 and D2; if it also has an enabled command, or nothing is enabled, it satisfies D0. So the closure of any
strong component of the obligations qualifies whose own members include the enabled commands of that closure. The
components come in the order of completion: what a component leads to was tried before it, and had nothing enabled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from asset.engine.components import strong_components

Obligations = Callable[[int], Iterable[int]]
"""The obligations of a command, in the state at hand."""


def candidates(obligations: Obligations, nr_commands: int) -> Iterator[list[int]]:
    """The strong components of the obligations, in the ancestor's order.

    Starting points are taken in decreasing number. The enabled commands of the first component that has any are those
    of a stubborn set: all that need be fired.
    """
    return strong_components(reversed(range(nr_commands)), obligations)


def closure(obligations: Obligations, members: Iterable[int]) -> frozenset[int]:
    """The whole stubborn set: the members and whatever they oblige, directly or not."""
    found = set(members)
    pending = list(found)
    while pending:
        new = set(obligations(pending.pop())) - found
        found |= new
        pending += new
    return frozenset(found)
