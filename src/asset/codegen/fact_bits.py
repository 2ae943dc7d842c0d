"""The facts that derived stubborn set rules speak of, as bits (native/abi.h, facts)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from operator import and_, or_
from typing import NamedTuple

from asset.codegen.batches import Entry
from asset.codegen.cell_access import InMemory, InRegisters, Store
from asset.codegen.expressions import Expressions, FunctionFrame
from asset.codegen.unit import Unit
from asset.ir import nodes as n
from asset.ir.faults import FaultKind

_WORD = 64
_IMPOSSIBLE = "impossible"


class _CellValues(NamedTuple):
    """That a cell has one of some values, given as bits counted from the least value of its type."""

    variable: int
    cell: int
    values: int


_PARAMETERS = "(ptr noalias readonly %states, i64 %count, ptr noalias %out)"
_LARGE = 2_000
"""Nodes of facts that are written by one function: the time of LLVM grows faster than a function does."""


def fact_functions(unit: Unit, facts: Sequence[n.Expr]) -> Iterator[str]:
    """One bit for each fact of each state: `facts`, and the functions that it calls."""
    size = -(-len(facts) // _WORD)
    names: list[str] = []
    for first, end in _parts(facts):
        names.append(f"facts_{len(names)}")
        yield _FactBits(unit, facts[first * _WORD : end * _WORD], (first, size)).text(names[-1])
    calls = "\n".join(f"  call void @{name}(ptr %states, i64 %count, ptr %out)" for name in names)
    yield f"define void @facts{_PARAMETERS} #0 {{\n{calls}\n  ret void\n}}\n"


def _parts(facts: Sequence[n.Expr]) -> Iterator[tuple[int, int]]:
    """Ranges of words whose facts are not too many."""
    first, nodes = 0, 0
    for word, fact in ((number // _WORD, fact) for number, fact in enumerate(facts)):
        if word > first and nodes > _LARGE:
            yield first, word
            first, nodes = word, 0
        nodes += sum(1 for _ in n.walk(fact))
    yield first, -(-len(facts) // _WORD)


class _FactBits(Entry):
    """Writes one bit for each of these facts of each state, from a word on; for each state there are so many words."""

    def __init__(self, unit: Unit, facts: Sequence[n.Expr], place: tuple[int, int]) -> None:
        super().__init__(unit)
        self.facts = facts
        self.first, self.size = place
        self.status = self.b.slot("i32")
        self.cells: dict[tuple[int, int], str] = {}  # registers with the values of cells, counted from the least
        self.bits: dict[_CellValues, str] = {}  # registers that say whether cells have these values

    def text(self, name: str) -> str:
        b = self.b
        self.for_each_state(self._state)
        b.end("ret void")
        b.begin(_IMPOSSIBLE)  # a fact never faults
        b.do("call void @llvm.trap()")
        b.end("unreachable")
        return f"define void @{name}{_PARAMETERS} #0 {{\n{b.text()}\n}}\n"

    def _state(self) -> None:
        b, number = self.b, self.b.load(self.number)
        out = b.element("%out", b.let(f"mul i64 {number}, {self.size}"))
        self.expressions = Expressions(self._frame())
        for word in range(-(-len(self.facts) // _WORD)):
            bits = self._word(self.facts[word * _WORD : (word + 1) * _WORD])
            b.store(bits, b.element(out, self.first + word))

    def _word(self, facts: Sequence[n.Expr]) -> str:
        """The bits of the facts, the first one lowest."""
        b, word = self.b, "0"
        for number, fact in enumerate(facts):
            bit = b.let(f"zext i1 {self._bit(fact)} to i64")
            word = b.let(f"or i64 {word}, {b.let(f'shl i64 {bit}, {number}')}")
        return word

    def _bit(self, fact: n.Expr) -> str:
        """Whether the fact holds; without branches if it is simple, as no processor can foresee them."""
        b, members = self.b, self._membership(fact)
        if members is not None:
            return self._member(members)
        match fact:
            case n.Unary(op=n.UnaryOp.NOT, operand=operand):
                return b.let(f"xor i1 {self._bit(operand)}, true")
            case n.And(operands=operands) | n.Or(operands=operands) if all(map(self._is_simple, operands)):
                op = "and" if isinstance(fact, n.And) else "or"
                result = self._bit(operands[0])
                for operand in operands[1:]:
                    result = b.let(f"{op} i1 {result}, {self._bit(operand)}")
                return result
            case n.Binary(op=op, left=left, right=right) if op in n.COMPARISONS:
                a = self.expressions.value(left)
                return self.expressions.arithmetic.compare(op, a, self.expressions.value(right))
            case _:
                return b.let(f"icmp ne i64 {self.expressions.value(fact)}, 0")

    def _member(self, members: _CellValues) -> str:
        """Whether the cell has one of the values: a bit of a constant. Written once for each cell and values."""
        b, cell = self.b, (members.variable, members.cell)
        if cell not in self.cells:
            extent = self.unit.extents[members.variable]
            value = self.expressions.places.read(extent, str(members.cell))
            self.cells[cell] = b.let(f"sub i64 {value}, {extent.type.lo}")
        if members not in self.bits:
            moved = b.let(f"lshr i64 {members.values}, {self.cells[cell]}")
            self.bits[members] = b.let(f"trunc i64 {moved} to i1")
        return self.bits[members]

    def _membership(self, e: n.Expr) -> _CellValues | None:
        """What the condition says, if that is which values one cell has."""
        match e:
            case n.Binary(op=op, left=n.Read() as read, right=n.Const(value=value)) if op in n.COMPARISONS:
                return self._compared(read, lambda cell: n.COMPARISONS[op](cell, value))
            case n.Unary(op=n.UnaryOp.NOT, operand=operand):
                inner = self._membership(operand)
                return inner and inner._replace(values=inner.values ^ self._every_value(inner.variable))
            case n.And(operands=operands) | n.Or(operands=operands):
                parts = [self._membership(operand) for operand in operands]
                first = parts[0]
                if first is None or any(p is None or p[:2] != first[:2] for p in parts):
                    return None
                combine = and_ if isinstance(e, n.And) else or_
                return first._replace(values=reduce(combine, (p.values for p in parts if p is not None)))
        return None

    def _compared(self, read: n.Read, holds: Callable[[int], bool]) -> _CellValues | None:
        extent = self.unit.extents[read.variable]
        lo, hi = extent.type.lo, extent.type.hi
        if hi - lo >= _WORD or not self._is_simple(read):
            return None
        cell = 0
        for index, size in zip(read.indices, extent.dims, strict=True):
            cell = cell * size + (index.value if isinstance(index, n.Const) else 0)
        return _CellValues(read.variable, cell, sum(1 << value - lo for value in range(lo, hi + 1) if holds(value)))

    def _every_value(self, variable: int) -> int:
        kind = self.unit.extents[variable].type
        return (1 << kind.hi - kind.lo + 1) - 1

    def _is_simple(self, e: n.Expr) -> bool:
        """Whether it can be evaluated in vain: it never faults and takes no branches."""
        match e:
            case n.Const():
                return True
            case n.Read(variable=variable, indices=indices):
                dims = self.unit.extents[variable].dims
                return all(isinstance(i, n.Const) and 0 <= i.value < d for i, d in zip(indices, dims, strict=True))
            case n.Unary(op=n.UnaryOp.NOT, operand=operand):
                return self._is_simple(operand)
            case n.And(operands=operands) | n.Or(operands=operands):
                return all(map(self._is_simple, operands))
            case n.Binary(op=op, left=left, right=right):
                return op in n.COMPARISONS and self._is_simple(left) and self._is_simple(right)
        return False

    def _frame(self) -> FunctionFrame:
        def impossible(_: FaultKind | None = None) -> str:
            return _IMPOSSIBLE

        store = self._store()
        return FunctionFrame(self.unit, self.b, store, store, [], self.status, _IMPOSSIBLE, impossible, impossible)

    def _store(self) -> Store:
        if self.unit.in_registers:
            return InRegisters(self.b, self.words)
        return InMemory(self.b, self.unit.layout.words, self.state)
