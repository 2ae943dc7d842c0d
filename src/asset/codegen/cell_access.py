"""Where the state is while a function runs, and how its cells are read and written.

A state of few words is kept in registers: functions take its words and give them back. A longer one stays in
memory, and what fires a command copies it only when it writes to it for the first time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple

from asset.analysis.values.bit_layout import WORD_BITS, BitField, BitLayout
from asset.codegen.builder import Builder, ConstantArrays, least_type
from asset.ir.program import Program, Variable

# States of at most so many words are kept in registers.
REGISTER_WORDS = 3

# Longer states are copied by a function.
INLINED_WORDS = 24

# States are copied and compared by a loop over so many words at a time.
BLOCK = 64


class InRegisters:
    """Each word of the state is a variable, to be kept in a register."""

    def __init__(self, b: Builder, words: list[str]) -> None:
        self.b = b
        self.words = [b.slot() for _ in words]
        for slot, word in zip(self.words, words, strict=True):
            b.store(word, slot)

    def load(self, word: int) -> str:
        return self.b.load(self.words[word])

    def store(self, word: int, value: str) -> None:
        self.b.store(value, self.words[word])

    def load_at(self, index: str, among: range) -> str:
        """The word with that number, which is one of `among`."""
        value = self.load(among[-1])
        for word in reversed(among[:-1]):
            here = self.b.let(f"icmp eq i64 {index}, {word}")
            value = self.b.let(f"select i1 {here}, i64 {self.load(word)}, i64 {value}")
        return value

    def store_at(self, index: str, among: range, value: str) -> None:
        for word in among:
            here = self.b.let(f"icmp eq i64 {index}, {word}")
            self.store(word, self.b.let(f"select i1 {here}, i64 {value}, i64 {self.load(word)}"))

    owned = True  # the words are a copy from the start

    def own(self) -> None:
        pass

    def mark(self) -> str:
        return ""

    def reset(self, mark: str) -> None:
        pass


class InMemory:
    """The state is at an address. If `work` is given, it is copied there before it is first written to."""

    def __init__(self, b: Builder, size: int, state: str, work: str | None = None) -> None:
        self.b = b
        self.size = size
        self.base = state
        self.work = work

    @property
    def owned(self) -> bool:
        """Whether the state is at a place where it may be written to."""
        return self.work is None or self.base == self.work

    def mark(self) -> str:
        """Where the state is on the way to here."""
        return self.base

    def reset(self, mark: str) -> None:
        """Goes on from a point with that mark."""
        self.base = mark

    def own(self) -> None:
        """Makes the copy unless it has been made on every way to here."""
        if not self.owned and self.work is not None:
            copy_words(self.b, self.size, self.base, self.work)
            self.base = self.work

    def load(self, word: int) -> str:
        return self.b.load(self.b.element(self.base, word))

    def store(self, word: int, value: str) -> None:
        self.b.store(value, self.b.element(self.base, word))

    def load_at(self, index: str, among: range) -> str:
        return self.b.load(self.b.element(self.base, index))

    def store_at(self, index: str, among: range, value: str) -> None:
        self.b.store(value, self.b.element(self.base, index))


Store = InRegisters | InMemory


def copy_words(b: Builder, size: int, source: str, target: str) -> None:
    """Copies a state: a long one by a call of @copy."""
    if size > INLINED_WORDS:
        b.do(f"call void @copy(ptr {source}, ptr {target})")
    else:
        _copy_pieces(b, size, source, target)


def _copy_pieces(b: Builder, size: int, source: str, target: str) -> None:
    """Copies in pieces as large as the machine's registers."""
    at = 0
    for piece in (8, 4, 2, 1):
        while size - at >= piece:
            kind = f"<{piece} x i64>"
            value = b.let(f"load {kind}, ptr {b.element(source, at)}, align 8")
            b.do(f"store {kind} {value}, ptr {b.element(target, at)}, align 8")
            at += piece


def write_copy(size: int) -> str:
    """@copy, for states that are not copied in place."""
    b = Builder()
    whole = _for_each_block(
        b, size, lambda at: _copy_pieces(b, BLOCK, b.element("%source", at), b.element("%target", at))
    )
    _copy_pieces(b, size - whole, b.element("%source", whole), b.element("%target", whole))
    b.end("ret void")
    return f"define private void @copy(ptr noalias %source, ptr noalias %target) #0 noinline {{\n{b.text()}\n}}\n"


def _copy_from(b: Builder, first: str, count: int) -> None:
    _copy_pieces(b, count, b.element("%source", first), b.element("%target", first))


def write_differ(size: int) -> str:
    """@differ: whether two states in memory differ."""
    b = Builder()
    differences = b.slot()
    b.store("0", differences)
    whole = _for_each_block(b, size, lambda at: _gather(b, differences, at, BLOCK))
    _gather(b, differences, str(whole), size - whole)
    b.end(f"ret i1 {b.let(f'icmp ne i64 {b.load(differences)}, 0')}")
    return f"define private i1 @differ(ptr %a, ptr %b) #0 noinline {{\n{b.text()}\n}}\n"


def _gather(b: Builder, differences: str, first: str, count: int) -> None:
    """The bits in which these words of the states differ are added to the differences."""
    left, right = (b.element(state, first) for state in ("%a", "%b"))
    found = b.load(differences)
    for word in range(count):
        difference = b.let(f"xor i64 {b.load(b.element(left, word))}, {b.load(b.element(right, word))}")
        found = b.let(f"or i64 {found}, {difference}")
    b.store(found, differences)


def _for_each_block(b: Builder, size: int, body: Callable[[str], None]) -> int:
    """A loop over the words in whole blocks, if there are several; how many words those are."""
    whole = size // BLOCK * BLOCK
    if whole <= BLOCK:
        return 0
    at = b.slot()
    b.store("0", at)
    b.begin("block")
    body(b.load(at))
    b.store(b.let(f"add i64 {b.load(at)}, {BLOCK}"), at)
    b.fork(b.let(f"icmp ult i64 {b.load(at)}, {whole}"), "block", "rest")
    b.begin("rest")
    return whole


class Progression(NamedTuple):
    """Numbers given by arithmetic: number i is first + i * stride + (i >> log) * skip."""

    first: int
    stride: int
    log: int
    skip: int

    def __call__(self, i: int) -> int:
        return self.first + i * self.stride + (i >> self.log) * self.skip


def as_progression(numbers: Sequence[int]) -> Progression | None:
    """The arithmetic that gives these numbers, if there is any: evenly spaced, or in even groups of 2, 4, …"""
    if isinstance(numbers, range):
        return Progression(numbers.start, numbers.step, 0, 0)
    stride = numbers[1] - numbers[0] if len(numbers) > 1 else 0
    for log in range(7):
        group = 1 << log
        skip = numbers[group] - numbers[0] - group * stride if log and group < len(numbers) else 0
        found = Progression(numbers[0], stride, log, skip)
        if all(found(i) == number for i, number in enumerate(numbers)):
            return found
    return None


class VariableExtent:
    """The cells of a variable."""

    def __init__(self, variable: Variable, cells: tuple[BitField, ...]) -> None:
        self.type = variable.type
        self.dims = variable.dims
        self.cells = cells

    @cached_property
    def words(self) -> range:
        """A range of words that has all its cells."""
        return range(min(c.word for c in self.cells), max(c.word for c in self.cells) + 1)

    @cached_property
    def width(self) -> int:
        return self.cells[0].width if self.cells else 0

    @cached_property
    def lo(self) -> int:
        """The least value that a cell can have."""
        return self.cells[0].lo if self.cells else self.type.lo

    @cached_property
    def positions(self) -> tuple[int, ...]:
        """The number of each cell's lowest bit, counted from the first of the words."""
        return tuple(c.position - self.words[0] * WORD_BITS for c in self.cells)


def extents(program: Program, layout: BitLayout) -> tuple[VariableExtent, ...]:
    """For each variable where its cells are."""
    return tuple(
        VariableExtent(v, layout.cells[offset : offset + v.cells])
        for v, offset in zip(program.variables, program.offsets, strict=True)
    )


class CellPlace(NamedTuple):
    """A cell found: the number of its word (a register, if that depends on an index) and its shift."""

    word: int | str
    shift: str


class CellAccess:
    """Reads and writes cells, given the number of the cell in its variable: a number, or a register."""

    def __init__(self, b: Builder, store: Store, constants: ConstantArrays) -> None:
        self.b = b
        self.store = store
        self.constants = constants

    def read(self, extent: VariableExtent, cell: str) -> str:
        if extent.width == 0:
            return str(extent.lo)
        place = self.locate(extent, cell)
        moved = self.b.let(f"lshr i64 {self.load(extent, place)}, {place.shift}")
        field = self.b.let(f"and i64 {moved}, {_mask(extent)}")
        return field if extent.lo == 0 else self.b.let(f"add i64 {field}, {extent.lo}")

    def write(self, extent: VariableExtent, cell: str, value: str) -> None:
        """Stores a value that is in the variable's range."""
        self.store.own()
        if extent.width == 0:
            return
        b, lo = self.b, extent.lo
        place = self.locate(extent, cell)
        field = value if lo == 0 else b.let(f"sub i64 {value}, {lo}")
        hole = b.let(f"xor i64 {b.let(f'shl i64 {_mask(extent)}, {place.shift}')}, -1")
        kept = b.let(f"and i64 {self.load(extent, place)}, {hole}")
        self.store_word(extent, place, b.let(f"or i64 {kept}, {b.let(f'shl i64 {field}, {place.shift}')}"))

    def load(self, extent: VariableExtent, place: CellPlace) -> str:
        if isinstance(place.word, int):
            return self.store.load(place.word)
        return self.store.load_at(place.word, extent.words)

    def store_word(self, extent: VariableExtent, place: CellPlace, value: str) -> None:
        if isinstance(place.word, int):
            self.store.store(place.word, value)
        else:
            self.store.store_at(place.word, extent.words, value)

    def locate(self, extent: VariableExtent, cell: str) -> CellPlace:
        if not cell.startswith("%"):
            found = extent.cells[int(cell)]
            return CellPlace(found.word, str(found.shift))
        position = number_at(self.b, self.constants, extent.positions, cell)
        first = extent.words[0]
        if len(extent.words) == 1:
            return CellPlace(first, position)
        word = self.b.let(f"lshr i64 {position}, {WORD_BITS.bit_length() - 1}")
        shift = self.b.let(f"and i64 {position}, {WORD_BITS - 1}")
        return CellPlace(self.b.let(f"add i64 {word}, {first}") if first else word, shift)


def number_at(b: Builder, constants: ConstantArrays, numbers: Sequence[int], index: str) -> str:
    """`numbers[index]`: by arithmetic if that is possible, else from a table. The index is within bounds."""
    found = as_progression(numbers)
    if found is None:
        kind = "i64" if min(numbers) < 0 else least_type(max(numbers))
        value = b.load(b.element(constants.array(tuple(numbers), kind), index, kind), kind)
        return value if kind == "i64" else b.let(f"zext {kind} {value} to i64")
    result = index if found.stride == 1 else b.let(f"mul i64 {index}, {found.stride}")
    if found.skip:
        groups = b.let(f"lshr i64 {index}, {found.log}")
        result = b.let(f"add i64 {result}, {b.let(f'mul i64 {groups}, {found.skip}')}")
    return b.let(f"add i64 {result}, {found.first}") if found.first else result


def _mask(extent: VariableExtent) -> int:
    return (1 << extent.width) - 1
