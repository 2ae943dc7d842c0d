"""States renamed by permutations (`asset.ir.groups`).

A state is one wide number, the words of it one after the other. A permutation of cells moves bits: all that go the same
distance go together. States are compared as numbers, as `asset.ir.groups.Significance` says.
"""

from __future__ import annotations

from collections.abc import Sequence

from asset.analysis.values.bit_layout import WORD_BITS
from asset.codegen.builder import Builder, least_type
from asset.codegen.unit import Unit
from asset.ir.groups import Block, Permutation
from asset.ir.presence import Use

PACKED_TABLE = 4
"""Values of up to so many bits are renamed by a table that fits a word."""


class Renaming:
    """Writes code that renames states."""

    def __init__(self, b: Builder, unit: Unit) -> None:
        self.b = b
        self.unit = unit
        self.places = unit.layout.cells
        self.type = f"i{WORD_BITS * unit.layout.words}"

    # --- wide numbers -------------------------------------------------------------------------------------------

    def joined(self, words: Sequence[str]) -> str:
        if len(words) == 1:
            return words[0]
        whole = "0"
        for number, word in enumerate(words):
            wide = self.b.let(f"zext i64 {word} to {self.type}")
            moved = self.b.let(f"shl {self.type} {wide}, {number * WORD_BITS}")
            whole = self.b.let(f"or {self.type} {whole}, {moved}")
        return whole

    def split(self, whole: str) -> list[str]:
        if self.unit.layout.words == 1:
            return [whole]
        b, kind = self.b, self.type
        shifted = [b.let(f"lshr {kind} {whole}, {word * WORD_BITS}") for word in self.unit.words]
        return [b.let(f"trunc {kind} {word} to i64") for word in shifted]

    def mask(self, cell: int) -> int:
        place = self.places[cell]
        return ((1 << place.width) - 1) << place.position

    def raw(self, whole: str, cell: int) -> str:
        """The cell's bits as a word."""
        place = self.places[cell]
        moved = self.b.let(f"lshr {self.type} {whole}, {place.position}")
        if self.unit.layout.words > 1:
            moved = self.b.let(f"trunc {self.type} {moved} to i64")
        return self.b.let(f"and i64 {moved}, {(1 << place.width) - 1}")

    def placed(self, whole: str, cell: int, raw: str) -> str:
        """The number with the bits of the cell, which are 0, set to a word."""
        if self.unit.layout.words > 1:
            raw = self.b.let(f"zext i64 {raw} to {self.type}")
        moved = self.b.let(f"shl {self.type} {raw}, {self.places[cell].position}")
        return self.b.let(f"or {self.type} {whole}, {moved}")

    # --- permutations -------------------------------------------------------------------------------------------

    def image(self, whole: str, permutation: Permutation) -> str:
        b, moves = self.b, dict[int, int]()
        for cell, to in enumerate(permutation.cells):
            if self.places[cell].width and cell not in permutation.values:
                distance = self.places[to].position - self.places[cell].position
                moves[distance] = moves.get(distance, 0) | self.mask(cell)
        image = "0"
        for distance, mask in moves.items():
            part = b.let(f"and {self.type} {whole}, {mask}")
            if distance:
                part = b.let(f"{'shl' if distance > 0 else 'lshr'} {self.type} {part}, {abs(distance)}")
            image = b.let(f"or {self.type} {image}, {part}")
        for cell in permutation.values:
            renamed = self._renamed(whole, cell, permutation)
            if cell in permutation.uses:
                used = self.in_use(whole, permutation.uses[cell])
                renamed = b.let(f"select i1 {used}, i64 {renamed}, i64 {self.raw(whole, cell)}")
            image = self.placed(image, permutation.cells[cell], renamed)
        return image

    def in_use(self, whole: str, use: Use) -> str:
        """Whether the cell that the use is of is in use."""
        b, place, raw = self.b, self.places[use.by], self.raw(whole, use.by)
        table = tuple(int(place.lo + k in use.values) for k in range(1 << place.width))
        if len(table) <= WORD_BITS:
            bits = sum(bit << k for k, bit in enumerate(table))
            signed = bits - (1 << WORD_BITS) if bits >> WORD_BITS - 1 else bits
            return b.let(f"trunc i64 {b.let(f'lshr i64 {signed}, {raw}')} to i1")
        found = b.load(b.element(self.unit.constants.array(table, "i8"), raw, "i8"), "i8")
        return b.let(f"trunc i8 {found} to i1")

    def _renamed(self, whole: str, cell: int, permutation: Permutation) -> str:
        """The cell's value, renamed, as a word."""
        b, place, raw = self.b, self.places[cell], self.raw(whole, cell)
        table = [permutation.value(cell, place.lo + k) - place.lo for k in range(1 << place.width)]
        if place.width <= PACKED_TABLE:
            packed = sum(to << k * place.width for k, to in enumerate(table))
            moved = b.let(f"lshr i64 {packed}, {b.let(f'mul i64 {raw}, {place.width}')}")
            return b.let(f"and i64 {moved}, {(1 << place.width) - 1}")
        kind = least_type(max(table))
        found = b.load(b.element(self.unit.constants.array(tuple(table), kind), raw, kind), kind)
        return found if kind == "i64" else b.let(f"zext {kind} {found} to i64")

    def lesser(self, best: str, image: str) -> tuple[str, str]:
        """Whether the image is less, and the lesser one."""
        less = self.b.let(f"icmp ult {self.type} {image}, {best}")
        return less, self.b.let(f"select i1 {less}, {self.type} {image}, {self.type} {best}")

    # --- blocks -------------------------------------------------------------------------------------------------

    def key_type(self, block: Block) -> str:
        bits = sum(self.places[c].width for c in block.cells) + len(block.names)
        return f"i{max(WORD_BITS, bits)}"

    def key(self, whole: str, block: Block, kind: str) -> str:
        b, key = self.b, "0"
        for cell in block.cells:
            moved = b.let(f"shl {kind} {key}, {self.places[cell].width}")
            key = b.let(f"or {kind} {moved}, {self.extended(self.raw(whole, cell), kind)}")
        for cell, name in block.names:
            named = b.let(f"icmp eq i64 {self.raw(whole, cell)}, {name - self.places[cell].lo}")
            if cell in block.uses:
                named = b.let(f"and i1 {named}, {self.in_use(whole, block.uses[cell])}")
            moved = b.let(f"shl {kind} {key}, 1")
            key = b.let(f"or {kind} {moved}, {b.let(f'zext i1 {named} to {kind}')}")
        return key

    def extended(self, word: str, kind: str) -> str:
        return word if kind == "i64" else self.b.let(f"zext i64 {word} to {kind}")
