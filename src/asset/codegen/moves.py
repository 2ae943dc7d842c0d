"""Loops that move cells of an array to other places in it, done with a whole word at a time.

`for i in range(a, b): x[i] = x[i + d]` is how a queue moves up and how a ring is turned. If the array is in one
word, that is a shift and a mask, however many cells there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from asset.codegen.builder import Builder
from asset.codegen.cell_access import Store, VariableExtent
from asset.ir import nodes as n


class Move(NamedTuple):
    """The bits `mask` of a word get what is `distance` bits above them, or below them if it is negative. `last` is
    what the loop's counter is in the end."""

    word: int
    mask: int
    distance: int
    last: int


def find_move(loop: n.For, extents: Sequence[VariableExtent]) -> Move | None:
    """The move that the loop comes to, if it does: it has no fault, and reads each cell before it writes to it."""
    match loop.start, loop.stop, loop.step, loop.body:
        case n.Const(value=start), n.Const(value=stop), n.Const(value=1 | -1 as step), (n.SetState() as assignment,):
            counters = range(start, stop, step)
            ahead = _ahead(assignment, loop.slot)
            extent = extents[assignment.variable]
            if counters and ahead is not None and ahead * step > 0 and _within(extent, counters, ahead):
                return _move(extent, counters, ahead)
    return None


def _ahead(assignment: n.SetState, slot: int) -> int | None:
    """How far ahead of the slot an array is read, if the assignment copies a cell of it to the one at the slot."""
    match assignment.indices, assignment.value:
        case (n.Local(slot=at),), n.Read(variable=source, indices=(index,), before=False):
            if at == slot and source == assignment.variable:
                return _distance(index, slot)
    return None


def _distance(index: n.Expr, slot: int) -> int | None:
    """The difference of the index and the slot, if it is a constant."""
    match index:
        case n.Binary(op=n.BinaryOp.ADD, left=n.Local(slot=found), right=n.Const(value=value)) if found == slot:
            return value
        case n.Binary(op=n.BinaryOp.ADD, left=n.Const(value=value), right=n.Local(slot=found)) if found == slot:
            return value
        case n.Binary(op=n.BinaryOp.SUB, left=n.Local(slot=found), right=n.Const(value=value)) if found == slot:
            return -value
    return None


def _within(extent: VariableExtent, counters: range, ahead: int) -> bool:
    """Whether the array is one run of bits in a word, and all cells that are read or written are in it."""
    ends = (counters[0], counters[-1], counters[0] + ahead, counters[-1] + ahead)
    if not extent.width or not all(0 <= end < len(extent.cells) for end in ends):
        return False
    first = extent.positions[0]
    even = all(position == first + k * extent.width for k, position in enumerate(extent.positions))
    return even and len(extent.words) == 1


def _move(extent: VariableExtent, counters: range, ahead: int) -> Move:
    run = (1 << len(counters) * extent.width) - 1
    lowest = extent.positions[min(counters[0], counters[-1])]
    return Move(extent.words[0], run << lowest, ahead * extent.width, counters[-1])


def write_move(b: Builder, store: Store, move: Move) -> None:
    """Changes the state, of which there is a copy already."""
    old = store.load(move.word)
    direction = "lshr" if move.distance > 0 else "shl"
    moved = b.let(f"and i64 {b.let(f'{direction} i64 {old}, {abs(move.distance)}')}, {move.mask}")
    kept = b.let(f"and i64 {old}, {~move.mask}")
    store.store(move.word, b.let(f"or i64 {kept}, {moved}"))
