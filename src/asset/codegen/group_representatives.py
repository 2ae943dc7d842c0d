"""Representatives by a group of symmetries (native/abi.h, representatives)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from asset.analysis.values.bit_layout import WORD_BITS
from asset.codegen.batches import Entry
from asset.codegen.calls import load_words, store_words
from asset.codegen.renaming import Renaming
from asset.codegen.unit import Unit
from asset.ir.groups import Block, Descent, Group, Least, Permutation, Sorting


class GroupRepresentatives(Entry):
    def __init__(self, unit: Unit, group: Group) -> None:
        super().__init__(unit)
        self.group = group
        self.renaming = Renaming(self.b, unit)
        self.type = self.renaming.type

    def text(self) -> str:
        self.for_each_state(self._state)
        self.b.end("ret void")
        body = self.b.text()
        return f"define void @representatives(ptr noalias %states, i64 %count, ptr noalias %fault) #0 {{\n{body}\n}}\n"

    def _state(self) -> None:
        words = self.words or load_words(self.b, self.unit, self.state)
        match self.group.chooser:
            case Least(elements=elements):
                chosen = self._least(self.renaming.joined(words), elements)
            case Sorting(parts=parts):
                chosen = self.renaming.joined(words)
                for blocks in parts:
                    chosen = self._sorted(chosen, blocks)
            case Descent(steps=steps):
                chosen = self._descended(self.renaming.joined(words), steps)
            case other:
                raise AssertionError(other)
        store_words(self.b, self.renaming.split(chosen), self.state)

    def _least(self, whole: str, elements: Sequence[Permutation]) -> str:
        best = whole
        for element in elements[1:]:
            best = self.renaming.lesser(best, self.renaming.image(whole, element))[1]
        return best

    def _descended(self, whole: str, steps: Sequence[Permutation]) -> str:
        b = self.b
        current, improved = b.slot(self.type), b.slot("i1")
        again, done = b.name("again"), b.name("done")
        b.store(whole, current, self.type)
        b.begin(again)
        b.store("false", improved, "i1")
        for step in steps:
            here = b.load(current, self.type)
            less, best = self.renaming.lesser(here, self.renaming.image(here, step))
            b.store(best, current, self.type)
            b.store(b.let(f"or i1 {b.load(improved, 'i1')}, {less}"), improved, "i1")
        b.fork(b.load(improved, "i1"), again, done)
        b.begin(done)
        return b.load(current, self.type)

    # --- sorting ------------------------------------------------------------------------------------------------

    def _sorted(self, whole: str, blocks: Sequence[Block]) -> str:
        """The blocks in increasing order of their cells and of whether cells name them, the first cell first."""
        b = self.b
        kind = self.renaming.key_type(blocks[0])
        keys = [self.renaming.key(whole, block, kind) for block in blocks]
        for low, high in comparators(len(keys)):
            less = b.let(f"icmp ult {kind} {keys[high]}, {keys[low]}")
            one, other = keys[low], keys[high]
            keys[low] = b.let(f"select i1 {less}, {kind} {other}, {kind} {one}")
            keys[high] = b.let(f"select i1 {less}, {kind} {one}, {kind} {other}")
        return self._written(whole, blocks, keys, kind)

    def _written(self, whole: str, blocks: Sequence[Block], keys: Sequence[str], kind: str) -> str:
        b = self.b
        naming = {cell: self.renaming.raw(whole, cell) for cell, _ in blocks[0].names}
        rest = sum(self.renaming.mask(c) for c in (*(c for block in blocks for c in block.cells), *naming))
        everything = (1 << WORD_BITS * self.unit.layout.words) - 1
        image = b.let(f"and {self.type} {whole}, {everything & ~rest}")
        for block, key in zip(blocks, keys, strict=True):
            for cell, name in reversed(block.names):
                named = b.let(f"trunc {kind} {key} to i1")
                here = name - self.renaming.places[cell].lo
                naming[cell] = b.let(f"select i1 {named}, i64 {here}, i64 {naming[cell]}")
                key = b.let(f"lshr {kind} {key}, 1")
            for cell in reversed(block.cells):
                low = key if kind == "i64" else b.let(f"trunc {kind} {key} to i64")
                raw = b.let(f"and i64 {low}, {(1 << self.renaming.places[cell].width) - 1}")
                image = self.renaming.placed(image, cell, raw)
                key = b.let(f"lshr {kind} {key}, {self.renaming.places[cell].width}")
        for cell, raw in naming.items():
            image = self.renaming.placed(image, cell, raw)
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
