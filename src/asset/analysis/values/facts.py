"""Facts of an abstract interpretation: what is known of local variables and of cells of the state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from asset.analysis.values.interval import Interval
from asset.ir import nodes as n

Index = tuple[int | None, int]
"""An index that facts can be about: a constant, or a local variable and what is added to it."""


def index_of(e: n.Expr) -> Index | None:
    match e:
        case n.Const(value=value):
            return None, value
        case n.Local(slot=slot):
            return slot, 0
        case n.Binary(op=n.BinaryOp.ADD, left=n.Local(slot=slot), right=n.Const(value=value)):
            return slot, value
        case n.Binary(op=n.BinaryOp.SUB, left=n.Local(slot=slot), right=n.Const(value=value)):
            return slot, -value
    return None


def moved_by(indices: Sequence[Index], argument: Callable[[int], Index | None]) -> tuple[Index, ...] | None:
    """The indices in terms of the parameters of a function that is called; None if they cannot be said so."""
    found: list[Index] = []
    for slot, amount in indices:
        base = (None, 0) if slot is None else argument(slot)
        if base is None:
            return None
        found.append((base[0], amount + base[1]))
    return tuple(found)


class NamedCell(NamedTuple):
    """A cell of the state: each index is a constant, or a local and what is added to it."""

    variable: int
    indices: tuple[Index, ...]
    before: bool = False
    """Whether it is the cell as it was when the firing began: nothing changes it."""


Key = int | NamedCell
"""What facts are about: a slot or a cell."""

Facts = dict[Key, Interval]
"""Nothing is known of what is missing, beyond its type."""

Given = frozenset[tuple[Key, Interval]]
"""Facts that a function begins with, besides its arguments."""


def cell_of(variable: int, indices: Iterable[n.Expr], before: bool = False) -> NamedCell | None:
    named = []
    for index in map(index_of, indices):
        if index is None:
            return None
        named.append(index)
    return NamedCell(variable, tuple(named), before)


def key_of(e: n.Expr) -> Key | None:
    match e:
        case n.Local(slot=slot):
            return slot
        case n.Read(variable=variable, indices=indices, before=before):
            return cell_of(variable, indices, before)
    return None


def forget_slot(facts: Facts, slot: int, indexing: frozenset[int]) -> None:
    """Forgets what is known of the slot and, if it is an index somewhere, of the cells that it names."""
    facts.pop(slot, None)
    if slot not in indexing:
        return
    for key in [k for k in facts if isinstance(k, NamedCell) and any(slot == at for at, _ in k.indices)]:
        del facts[key]


def forget_state(facts: Facts, variables: frozenset[int] | None = None) -> None:
    """Forgets all cells that may have changed, or those of some variables."""
    cells = [k for k in facts if isinstance(k, NamedCell) and not k.before]
    for key in [k for k in cells if variables is None or k.variable in variables]:
        del facts[key]


def join(branches: Iterable[Facts | None]) -> Facts | None:
    """What holds after whichever of the branches was taken; None is a branch that never gets there."""
    reached = [facts for facts in branches if facts is not None]
    if not reached:
        return None
    result = reached[0]
    for facts in reached[1:]:
        result = {key: _wider(value, facts[key]) for key, value in result.items() if key in facts}
    return dict(result)


def _wider(one: Interval, other: Interval) -> Interval:
    return one if one is other else one.hull(other)
