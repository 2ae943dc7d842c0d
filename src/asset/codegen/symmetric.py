"""Representatives by a group of symmetries (native/abi.h, representatives).

A state is one wide number, the words of it one after the other. A permutation of cells moves bits: all that go the same
distance go together. States are compared as numbers, as `asset.ir.symmetric.Significance` says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from asset.analysis.layout import WORD_BITS
from asset.codegen.batches import Entry
from asset.codegen.calls import load_words, store_words
from asset.codegen.text import least_type
from asset.codegen.unit import Unit
from asset.ir.symmetric import Block, Descent, Group, Least, Permutation, Sorting

PACKED_TABLE = 4
"""Values of up to so many bits are renamed by a table that fits a word."""


class SymmetricRepresentatives(Entry):
    def __init__(self, unit: Unit, group: Group) -> None:
        super().__init__(unit)
        self.group = group
        self.places = unit.layout.cells
        self.type = f"i{WORD_BITS * unit.layout.words}"

    def text(self) -> str:
        self.for_each_state(self._state)
        self.b.end("ret void")
        body = self.b.text()
        return f"define void @representatives(ptr noalias %states, i64 %count, ptr noalias %fault) #0 {{\n{body}\n}}\n"

    def _state(self) -> None:
        words = self.words or load_words(self.b, self.unit, self.state)
        match self.group.chooser:
            case Least(elements=elements):
                chosen = self._least(self._joined(words), elements)
            case Sorting(parts=parts):
                chosen = self._joined(words)
                for blocks in parts:
                    chosen = self._sorted(chosen, blocks)
            case Descent(steps=steps):
                chosen = self._descended(self._joined(words), steps)
            case other:
                raise AssertionError(other)
        store_words(self.b, self._split(chosen), self.state)

    # --- wide numbers -------------------------------------------------------------------------------------------

    def _joined(self, words: Sequence[str]) -> str:
        if len(words) == 1:
            return words[0]
        whole = "0"
        for number, word in enumerate(words):
            wide = self.b.let(f"zext i64 {word} to {self.type}")
            moved = self.b.let(f"shl {self.type} {wide}, {number * WORD_BITS}")
            whole = self.b.let(f"or {self.type} {whole}, {moved}")
        return whole

    def _split(self, whole: str) -> list[str]:
        if self.unit.layout.words == 1:
            return [whole]
        b, kind = self.b, self.type
        shifted = [b.let(f"lshr {kind} {whole}, {word * WORD_BITS}") for word in self.unit.words]
        return [b.let(f"trunc {kind} {word} to i64") for word in shifted]

    def _mask(self, cell: int) -> int:
        place = self.places[cell]
        return ((1 << place.width) - 1) << place.position

    def _raw(self, whole: str, cell: int) -> str:
        """The cell's bits as a word."""
        place = self.places[cell]
        moved = self.b.let(f"lshr {self.type} {whole}, {place.position}")
        if self.unit.layout.words > 1:
            moved = self.b.let(f"trunc {self.type} {moved} to i64")
        return self.b.let(f"and i64 {moved}, {(1 << place.width) - 1}")

    def _placed(self, whole: str, cell: int, raw: str) -> str:
        """The number with the bits of the cell, which are 0, set to a word."""
        if self.unit.layout.words > 1:
            raw = self.b.let(f"zext i64 {raw} to {self.type}")
        moved = self.b.let(f"shl {self.type} {raw}, {self.places[cell].position}")
        return self.b.let(f"or {self.type} {whole}, {moved}")

    # --- permutations -------------------------------------------------------------------------------------------

    def _image(self, whole: str, permutation: Permutation) -> str:
        b, moves = self.b, dict[int, int]()
        for cell, to in enumerate(permutation.cells):
            if self.places[cell].width and cell not in permutation.values:
                distance = self.places[to].position - self.places[cell].position
                moves[distance] = moves.get(distance, 0) | self._mask(cell)
        image = "0"
        for distance, mask in moves.items():
            part = b.let(f"and {self.type} {whole}, {mask}")
            if distance:
                part = b.let(f"{'shl' if distance > 0 else 'lshr'} {self.type} {part}, {abs(distance)}")
            image = b.let(f"or {self.type} {image}, {part}")
        for cell in permutation.values:
            image = self._placed(image, permutation.cells[cell], self._renamed(whole, cell, permutation))
        return image

    def _renamed(self, whole: str, cell: int, permutation: Permutation) -> str:
        """The cell's value, renamed, as a word."""
        b, place, raw = self.b, self.places[cell], self._raw(whole, cell)
        table = [permutation.value(cell, place.lo + k) - place.lo for k in range(1 << place.width)]
        if place.width <= PACKED_TABLE:
            packed = sum(to << k * place.width for k, to in enumerate(table))
            moved = b.let(f"lshr i64 {packed}, {b.let(f'mul i64 {raw}, {place.width}')}")
            return b.let(f"and i64 {moved}, {(1 << place.width) - 1}")
        kind = least_type(max(table))
        found = b.load(b.element(self.unit.constants.array(tuple(table), kind), raw, kind), kind)
        return found if kind == "i64" else b.let(f"zext {kind} {found} to i64")

    def _least(self, whole: str, elements: Sequence[Permutation]) -> str:
        best = whole
        for element in elements[1:]:
            best = self._lesser(best, self._image(whole, element))[1]
        return best

    def _lesser(self, best: str, image: str) -> tuple[str, str]:
        """Whether the image is less, and the lesser one."""
        less = self.b.let(f"icmp ult {self.type} {image}, {best}")
        return less, self.b.let(f"select i1 {less}, {self.type} {image}, {self.type} {best}")

    def _descended(self, whole: str, steps: Sequence[Permutation]) -> str:
        b = self.b
        current, improved = b.slot(self.type), b.slot("i1")
        again, done = b.name("again"), b.name("done")
        b.store(whole, current, self.type)
        b.begin(again)
        b.store("false", improved, "i1")
        for step in steps:
            here = b.load(current, self.type)
            less, best = self._lesser(here, self._image(here, step))
            b.store(best, current, self.type)
            b.store(b.let(f"or i1 {b.load(improved, 'i1')}, {less}"), improved, "i1")
        b.fork(b.load(improved, "i1"), again, done)
        b.begin(done)
        return b.load(current, self.type)

    # --- sorting ------------------------------------------------------------------------------------------------

    def _sorted(self, whole: str, blocks: Sequence[Block]) -> str:
        """The blocks in increasing order of their cells and of whether cells name them, the first cell first."""
        b = self.b
        bits = sum(self.places[c].width for c in blocks[0].cells) + len(blocks[0].names)
        kind = f"i{max(WORD_BITS, bits)}"
        keys = [self._key(whole, block, kind) for block in blocks]
        for low, high in comparators(len(keys)):
            less = b.let(f"icmp ult {kind} {keys[high]}, {keys[low]}")
            one, other = keys[low], keys[high]
            keys[low] = b.let(f"select i1 {less}, {kind} {other}, {kind} {one}")
            keys[high] = b.let(f"select i1 {less}, {kind} {one}, {kind} {other}")
        return self._written(whole, blocks, keys, kind)

    def _key(self, whole: str, block: Block, kind: str) -> str:
        b, key = self.b, "0"
        for cell in block.cells:
            moved = b.let(f"shl {kind} {key}, {self.places[cell].width}")
            key = b.let(f"or {kind} {moved}, {self._extended(self._raw(whole, cell), kind)}")
        for cell, name in block.names:
            named = b.let(f"icmp eq i64 {self._raw(whole, cell)}, {name - self.places[cell].lo}")
            moved = b.let(f"shl {kind} {key}, 1")
            key = b.let(f"or {kind} {moved}, {b.let(f'zext i1 {named} to {kind}')}")
        return key

    def _extended(self, word: str, kind: str) -> str:
        return word if kind == "i64" else self.b.let(f"zext i64 {word} to {kind}")

    def _written(self, whole: str, blocks: Sequence[Block], keys: Sequence[str], kind: str) -> str:
        b = self.b
        naming = {cell: self._raw(whole, cell) for cell, _ in blocks[0].names}
        rest = sum(self._mask(c) for c in (*(c for block in blocks for c in block.cells), *naming))
        everything = (1 << WORD_BITS * self.unit.layout.words) - 1
        image = b.let(f"and {self.type} {whole}, {everything & ~rest}")
        for block, key in zip(blocks, keys, strict=True):
            for cell, name in reversed(block.names):
                named = b.let(f"trunc {kind} {key} to i1")
                here = name - self.places[cell].lo
                naming[cell] = b.let(f"select i1 {named}, i64 {here}, i64 {naming[cell]}")
                key = b.let(f"lshr {kind} {key}, 1")
            for cell in reversed(block.cells):
                low = key if kind == "i64" else b.let(f"trunc {kind} {key} to i64")
                raw = b.let(f"and i64 {low}, {(1 << self.places[cell].width) - 1}")
                image = self._placed(image, cell, raw)
                key = b.let(f"lshr {kind} {key}, {self.places[cell].width}")
        for cell, raw in naming.items():
            image = self._placed(image, cell, raw)
        return image


def comparators(size: int) -> Iterator[tuple[int, int]]:
    """A network that sorts: Batcher's merge exchange (Knuth, Algorithm 5.2.2M)."""
    top = 1 << max(0, (size - 1).bit_length() - 1)
    step = top
    while step > 0 and size > 1:
        span, offset, distance = top, 0, step
        while True:
            for i in range(size - distance):
                if i & step == offset:
                    yield i, i + distance
            if span == step:
                break
            distance, span, offset = span - step, span // 2, step
        step //= 2
