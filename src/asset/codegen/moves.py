"""Loops that move cells of an array to other places in it, done with a whole word at a time.

`for i in range(a, b): x[i] = x[i + d]` is how a queue moves up and how a ring is turned. If the array, or the row of it
that the other indices name, is in one word, that is a shift and a mask, however many cells there are. If it is in
several, which is the same for all rows, each of them is shifted by one cell, and gets one from its neighbour.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from asset.analysis.values.bit_layout import BitField
from asset.codegen.cell_access import VariableExtent
from asset.codegen.expressions import Expressions
from asset.codegen.unit import Unit
from asset.ir import nodes as n
from asset.span import NOWHERE


class Move(NamedTuple):
    """Cells of a row get what is `ahead` cells behind them, or before them if it is negative."""

    extent: VariableExtent
    row: tuple[n.Expr, ...]
    ahead: int


class Moves(NamedTuple):
    """What a loop comes to: moves of so many `cells` from `lowest` on, or, if that is not known while compiling,
    of those up to `stop`. `last` is what the loop's counter is in the end, if that is known."""

    moves: tuple[Move, ...]
    lowest: int
    cells: int | None
    stop: n.Expr
    last: int


def find_moves(loop: n.For, unit: Unit) -> Moves | None:
    """The moves that the loop comes to, if it does: it has no fault, and reads each cell before it writes to it."""
    match loop.start, loop.stop, loop.step:
        case n.Const(value=start), n.Const(value=stop), n.Const(value=1 | -1 as step):
            counters = range(start, stop, step)
            cells: int | None = len(counters)
        case n.Const(value=start), stop, n.Const(value=1 as step):
            counters = range(start, unit.intervals.of(stop).hi)  # all that the counter may be
            cells = None
        case _:
            return None
    steady = _Steady(loop, unit)
    moves = [_move(each, loop.slot, steady) for each in loop.body]
    found = tuple(move for move in moves if move is not None)
    different = len({id(move.extent) for move in found}) == len(moves)
    if not counters or not different or not all(_may_move(move, counters, step, cells is not None) for move in found):
        return None
    return Moves(found, min(counters[0], counters[-1]), cells, loop.stop, counters[-1])


def _move(statement: n.Stmt, slot: int, steady: _Steady) -> Move | None:
    """The move of one cell, if the statement copies a cell of a row to the one at the slot."""
    match statement:
        case n.SetState(indices=(*row, n.Local(slot=at)), value=n.Read(indices=(*source, index), before=False) as read):
            ahead = _distance(index, slot)
            extent = steady.unit.extents[statement.variable]
            here = steady.indices(row, extent.dims[:-1])
            same = read.variable == statement.variable and here == steady.indices(source, extent.dims[:-1])
            if at == slot and ahead is not None and same and here is not None:
                return Move(extent, tuple(row), ahead)
    return None


_Key = tuple[object, ...]
"""Equal of expressions that are written alike, and so have equal values."""


class _Steady:
    """Expressions that are the same in each round of a loop, and neither take long nor can fail."""

    def __init__(self, loop: n.For, unit: Unit) -> None:
        self.unit = unit
        self._counter = loop.slot
        self._changed = {each.variable for each in loop.body if isinstance(each, n.SetState)}

    def indices(self, given: Sequence[n.Expr], dims: Sequence[int]) -> _Key | None:
        """Of indices that are within these bounds."""
        if len(given) != len(dims) or not all(
            self.unit.intervals.of(each).within(0, size - 1) for each, size in zip(given, dims, strict=True)
        ):
            return None
        keys = tuple(map(self._key, given))
        return None if None in keys else keys

    def _key(self, e: n.Expr) -> _Key | None:
        match e:
            case n.Const(value=value):
                return ("value", value)
            case n.Local(slot=slot) if slot != self._counter:
                return ("slot", slot)
            case n.Read(variable=variable, indices=indices, before=False) if variable not in self._changed:
                inside = self.indices(indices, self.unit.extents[variable].dims)
                return None if inside is None else ("cell", variable, inside)
            case n.Binary(op=n.BinaryOp.ADD | n.BinaryOp.SUB as op, left=left, right=right):
                keys = (self._key(left), self._key(right))
                exact = self.unit.intervals.of(e).within(-_SMALL, _SMALL)
                return ("sum", op, *keys) if exact and None not in keys else None
        return None


_SMALL = 1 << 31
"""Sums within it do not overflow."""


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


def _may_move(move: Move, counters: range, step: int, known: bool) -> bool:
    """Whether each row is a run of bits in a word, or some of them that are alike in all rows, all cells that are read
    or written are in it, and each is read before it is written to. `known` says whether the range is."""
    extent, size = move.extent, move.extent.dims[-1]
    ends = (counters[0], counters[-1], counters[0] + move.ahead, counters[-1] + move.ahead)
    if not extent.width or move.ahead * step <= 0 or not all(0 <= end < size for end in ends):
        return False
    parts = len(_parts(extent))
    return parts == 1 or (0 < 2 * parts <= size and known and abs(move.ahead) == 1)


def _parts(extent: VariableExtent) -> tuple[range, ...]:
    """The cells of a row that are one run of bits in a word each; none if that is not the same for all rows."""
    size = extent.dims[-1]
    rows = [extent.cells[first : first + size] for first in range(0, len(extent.cells), size)]
    breaks = {tuple(k for k in range(1, size) if not _follows(row[k - 1], row[k])) for row in rows}
    if len(breaks) != 1:
        return ()
    ends = (0, *breaks.pop(), size)
    return tuple(map(range, ends, ends[1:]))


def _follows(one: BitField, other: BitField) -> bool:
    return one.word == other.word and other.shift == one.shift + one.width


def write_moves(expressions: Expressions, moves: Moves, slot: str) -> None:
    """Changes the state, of which there is a copy already, and sets the loop's counter."""
    b = expressions.b
    if moves.cells is not None:
        for move in moves.moves:
            _write_parts(expressions, move, range(moves.lowest, moves.lowest + moves.cells))
        b.store(str(moves.last), slot)
        return
    stop, some, done = expressions.value(moves.stop), b.name("some"), b.name("done")
    # Nothing is known of the row's indices if there is no round.
    b.fork(b.let(f"icmp sgt i64 {stop}, {moves.lowest}"), some, done)
    b.begin(some)
    cells = b.let(f"sub i64 {stop}, {moves.lowest}")
    for move in moves.moves:
        width = move.extent.width
        beyond = b.let(f"shl i64 1, {b.let(f'mul i64 {cells}, {width}')}")
        _write(expressions, move, b.let(f"shl i64 {b.let(f'sub i64 {beyond}, 1')}, {moves.lowest * width}"))
    b.store(b.let(f"sub i64 {stop}, 1"), slot)
    b.begin(done)


def _write_parts(expressions: Expressions, move: Move, cells: range) -> None:
    """Cells of the row get what is ahead. A part that a cell is taken from is written after the one that gets it."""
    parts, width = _parts(move.extent), move.extent.width
    for part in parts if move.ahead > 0 else reversed(parts):
        here = [k for k in cells if k in part]
        inside = [k for k in here if k + move.ahead in part]
        across = [k for k in here if k + move.ahead not in part]
        taken = [_cell(expressions, move, k + move.ahead) for k in across]
        found = [expressions.places.read(move.extent, cell) for cell in taken]
        if inside:
            mask = (1 << len(inside) * width) - 1 << (inside[0] - part[0]) * width
            _write(expressions, move, str(mask), part[0])
        for k, value in zip(across, found, strict=True):
            expressions.places.write(move.extent, _cell(expressions, move, k), value)


def _cell(expressions: Expressions, move: Move, number: int) -> str:
    """A cell of the row, as one of the variable."""
    return expressions.flat_index(move.extent.dims, (*move.row, n.Const(NOWHERE, number)))


def _write(expressions: Expressions, move: Move, mask: str, first: int = 0) -> None:
    """The bits of the mask, from the first bit of that cell on, get what is so far above or below them."""
    b, places, extent = expressions.b, expressions.places, move.extent
    place = places.locate(extent, _cell(expressions, move, first))
    old = places.load(extent, place)
    here = b.let(f"shl i64 {mask}, {place.shift}")
    direction = "lshr" if move.ahead > 0 else "shl"
    moved = b.let(f"and i64 {b.let(f'{direction} i64 {old}, {abs(move.ahead) * extent.width}')}, {here}")
    kept = b.let(f"and i64 {old}, {b.let(f'xor i64 {here}, -1')}")
    places.store_word(extent, place, b.let(f"or i64 {kept}, {moved}"))
