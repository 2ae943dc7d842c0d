"""Facts that speak of the same few cells, told by a table.

Derived stubborn set rules speak of hundreds of facts, most of them about the cells of one process. What all facts about
such a group of cells say is looked up by the values of the cells (native/rules.h); only *far* facts, about more cells
than that, are evaluated in each state.

Many facts about more cells are disjunctions of which only matters that they hold, or conjunctions of which only matters
that they fail: then each part is told for itself, with the number of the whole fact.

The truth table of a fact has a bit for each value that the cells of its group have together: the number that their bits
make in a state, the first cell lowest. It is an integer, so that a connective is one operation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import reduce
from itertools import product
from operator import and_, or_
from typing import NamedTuple

from asset.analysis.values.bit_layout import BitLayout
from asset.ir import nodes as n
from asset.ir.derived import AskedFact
from asset.ir.faults import Fault
from asset.ir.interpreter import Interpreter, binary_value
from asset.ir.program import Program

MOST_BITS = 12
"""Of the cells of a group."""

PART_BITS = 8
"""Of the cells of a group that only parts of facts speak of: such facts are of use in many rules, so its table is wide.
"""

MORE_BITS = 4
"""Cells join a group if they add at most so many bits to it."""

ATOM_BITS = 8
"""Of the cells that a part of a fact without connectives may speak of: it is evaluated for all their values."""

CellSet = frozenset[int]


class FactGroup(NamedTuple):
    """Facts, by number, that speak of no other cells than these, or parts of them; each with its truth table."""

    cells: tuple[int, ...]
    facts: tuple[int, ...]
    truths: tuple[int, ...]


class FlatFacts(NamedTuple):
    """As native/rules.h has them."""

    groups: list[int]
    truths: bytes
    far: list[int]


class FarFact(NamedTuple):
    """A fact, by number, or a part of it, and what is to be evaluated."""

    fact: int
    condition: n.Expr


class FactGroups(NamedTuple):
    """Each fact is in one group or far; or in parts, each of which is."""

    groups: tuple[FactGroup, ...] = ()
    far: tuple[FarFact, ...] = ()

    def flat(self, layout: BitLayout) -> FlatFacts:
        groups, truths = list[int](), bytearray()
        for cells, facts, tables in self.groups:
            groups.append(len(cells))
            for number in cells:
                cell = layout.cells[number]
                groups += (cell.word, cell.shift, cell.width)
            groups += (len(facts), *facts)
            size = max(1, (1 << _bits(layout, cells)) // 8)
            truths += b"".join(table.to_bytes(size, "little") for table in tables)
        return FlatFacts(groups, bytes(truths), [each.fact for each in self.far])


def group_facts(program: Program, layout: BitLayout, facts: Sequence[AskedFact]) -> FactGroups:
    atoms = _Atoms(program)
    parts = [part for number, fact in enumerate(facts) for part in _parts(atoms, layout, number, fact)]
    joined = _homes(atoms, layout, parts)
    members: dict[CellSet, dict[int, list[_Part]]] = {cells: {} for cells in joined}
    far: list[FarFact] = []
    for part in parts:
        support = atoms.support(part.condition)
        home = next((cells for cells in joined if support is not None and support <= cells), None)
        if home is None:
            far.append(FarFact(part.fact, part.condition))
        else:
            members[home].setdefault(part.fact, []).append(part)
    groups = []
    for cells, own in members.items():
        if own:
            truths = _Truths(atoms, layout, sorted(cells))
            tables = tuple(truths.together(of_fact) for of_fact in own.values())
            groups.append(FactGroup(truths.cells, tuple(own), tables))
    return FactGroups(tuple(groups), tuple(far))


class _Part(NamedTuple):
    """A part of a fact, which holds if one of its parts does or, if it is `all`, if all of them do."""

    fact: int
    condition: n.Expr
    all: bool = False
    whole: bool = True


def _parts(atoms: _Atoms, layout: BitLayout, number: int, fact: AskedFact) -> Iterator[_Part]:
    """The fact in parts, if it speaks of many cells and it only matters that it holds, or only that it fails."""
    support = atoms.support(fact.condition)
    is_near = support is not None and _bits(layout, support) <= MOST_BITS
    if is_near or fact.if_holds == fact.if_fails:
        yield _Part(number, fact.condition)
    else:
        for condition in _operands(fact.condition, all_of=fact.if_fails):
            yield _Part(number, condition, all=fact.if_fails, whole=False)


def _operands(condition: n.Expr, all_of: bool) -> Iterator[n.Expr]:
    """Conditions of which all must hold for this one to hold, or one of them."""
    match condition:
        case n.Unary(op=n.UnaryOp.NOT, operand=operand):
            for part in _operands(operand, not all_of):
                yield n.Unary(condition.span, n.UnaryOp.NOT, part)
        case n.And(operands=operands) if all_of:
            for operand in operands:
                yield from _operands(operand, all_of)
        case n.Or(operands=operands) if not all_of:
            for operand in operands:
                yield from _operands(operand, all_of)
        case _:
            yield condition


def _homes(atoms: _Atoms, layout: BitLayout, parts: Iterable[_Part]) -> list[CellSet]:
    """Sets of cells of which each part that is not far is about one."""
    near: dict[bool, set[CellSet]] = {True: set(), False: set()}
    for part in parts:
        support = atoms.support(part.condition)
        if support is not None:
            near[part.whole].add(support)
    homes = _joined(layout, (cells for cells in near[True] if _bits(layout, cells) <= MOST_BITS), MOST_BITS)
    loose = (cells for cells in near[False] if not any(cells <= home for home in homes))
    return homes + _joined(layout, (cells for cells in loose if _bits(layout, cells) <= PART_BITS), PART_BITS)


def _joined(layout: BitLayout, supports: Iterable[CellSet], most: int) -> list[CellSet]:
    """Sets of cells of which each support is in one; the largest first, so that others fit into them."""
    joined: list[CellSet] = []
    for support in sorted(supports, key=lambda s: (-_bits(layout, s), sorted(s))):
        costs = [(_bits(layout, support - cells), number) for number, cells in enumerate(joined)]
        fitting = [(cost, k) for cost, k in costs if cost <= MORE_BITS and _bits(layout, joined[k]) + cost <= most]
        if fitting:
            joined[min(fitting)[1]] |= support
        else:
            joined.append(support)
    return joined


def _bits(layout: BitLayout, cells: Iterable[int]) -> int:
    return sum(layout.cells[cell].width for cell in cells)


class _Atoms:
    """The parts of facts without connectives. They are shared, so each is looked at once."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.types = [variable.type for variable in program.cell_variables]
        self._run = Interpreter(program)
        self._supports: dict[int, CellSet | None] = {}
        self._true: dict[int, list[tuple[int, ...]]] = {}

    def support(self, fact: n.Expr) -> CellSet | None:
        """The cells that the fact speaks of; None if some part of it speaks of too many."""
        found: set[int] = set()
        for atom in _atoms(fact):
            if id(atom) not in self._supports:
                self._supports[id(atom)] = self._cells(atom)
            cells = self._supports[id(atom)]
            if cells is None:
                return None
            found |= cells
        return frozenset(found)

    def _cells(self, atom: n.Expr) -> CellSet | None:
        found: set[int] = set()
        for part in n.walk(atom):
            if isinstance(part, n.Read):
                cell = _cell(self.program.variables[part.variable].dims, part.indices)
                if cell is None:
                    return None
                found.add(self.program.offsets[part.variable] + cell)
        bits = sum((self.types[cell].hi - self.types[cell].lo).bit_length() for cell in found)
        return frozenset(found) if bits <= ATOM_BITS else None

    def true(self, atom: n.Expr) -> tuple[list[int], list[tuple[int, ...]]]:
        """The cells that the atom speaks of, and with which values of them, counted from the least, it is true."""
        cells = sorted(self._supports[id(atom)] or ())
        if id(atom) not in self._true:
            self._true[id(atom)] = list(self._compared(atom) or self._tried(atom, cells))
        return cells, self._true[id(atom)]

    def _compared(self, atom: n.Expr) -> list[tuple[int, ...]]:
        """As `_tried`, of a cell and a constant: most atoms are such, and bytes have many values. Else nothing."""
        match atom:
            case n.Binary(left=n.Read(variable=variable), right=n.Const(value=value)):
                kind = self.program.variables[variable].type
                return [(x - kind.lo,) for x in range(kind.lo, kind.hi + 1) if binary_value(atom, x, value)]
        return []

    def _tried(self, atom: n.Expr, cells: Sequence[int]) -> Iterator[tuple[int, ...]]:
        state = list(self.program.initial)
        for values in product(*(range(self.types[cell].hi - self.types[cell].lo + 1) for cell in cells)):
            for cell, value in zip(cells, values, strict=True):
                state[cell] = self.types[cell].lo + value
            with suppress(Fault):  # it may be one for values that the cell never has
                if self._run.holds(atom, tuple(state)):
                    yield values


def _atoms(fact: n.Expr) -> Iterator[n.Expr]:
    match fact:
        case n.And(operands=operands) | n.Or(operands=operands):
            for operand in operands:
                yield from _atoms(operand)
        case n.Unary(op=n.UnaryOp.NOT, operand=operand):
            yield from _atoms(operand)
        case _:
            yield fact


def _cell(dims: Sequence[int], indices: Sequence[n.Expr]) -> int | None:
    """Which cell of an array it is; None if that depends on the state."""
    cell = 0
    for size, index in zip(dims, indices, strict=True):
        if not isinstance(index, n.Const):
            return None
        cell = cell * size + index.value
    return cell


class _Truths:
    """Truth tables over the values of some cells."""

    def __init__(self, atoms: _Atoms, layout: BitLayout, cells: Sequence[int]) -> None:
        self.cells = tuple(cells)
        self.atoms = atoms
        self._layout = layout
        self._places = {cell: _bits(layout, cells[:number]) for number, cell in enumerate(cells)}
        self._size = 1 << _bits(layout, cells)
        self._all = (1 << self._size) - 1
        self._known: dict[int, int] = {}

    def together(self, parts: Sequence[_Part]) -> int:
        """What parts of a fact say."""
        return reduce(and_ if parts[0].all else or_, (self.of(part.condition) for part in parts))

    def of(self, fact: n.Expr) -> int:
        match fact:
            case n.And(operands=operands):
                return reduce(and_, map(self.of, operands))
            case n.Or(operands=operands):
                return reduce(or_, map(self.of, operands))
            case n.Unary(op=n.UnaryOp.NOT, operand=operand):
                return self._all ^ self.of(operand)
        if id(fact) not in self._known:
            self._known[id(fact)] = self._atom(fact)
        return self._known[id(fact)]

    def _atom(self, atom: n.Expr) -> int:
        cells, true = self.atoms.true(atom)
        return reduce(or_, (reduce(and_, map(self._has, cells, values), self._all) for values in true), 0)

    def _has(self, cell: int, value: int) -> int:
        """That the cell has the value, counted from the least of its type: some in a row, over and over. If it is known
        never to have it, it has no bits for it."""
        place, field = self._places[cell], self._layout.cells[cell]
        value += self.atoms.types[cell].lo - field.lo
        if value < 0 or value >> field.width:
            return 0
        table = ((1 << (1 << place)) - 1) << (value << place)
        period = 1 << place + field.width
        while period < self._size:
            table |= table << period
            period *= 2
        return table
