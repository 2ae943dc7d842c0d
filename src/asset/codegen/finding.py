"""Code that finds the candidates in a state (`asset.codegen.candidates`): a bit for each, in an array of words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

from asset.codegen.builder import Builder
from asset.codegen.candidates import WORD, Candidates, first_word, last_word
from asset.codegen.digits import Chain, Digit
from asset.codegen.unit import Unit

VECTOR = 4
"""Words that the processor reads together."""

FEW = 2
"""As many words of a row are read one by one."""

MOST_BYTES = 512
"""A table with more bytes is divided, if it gets smaller by that, into one that says which row there is for a value,
and one of the rows, each once."""


class Finding:
    """Writes the words of candidates. `size` of them are written, the last ones of which may be empty; if it
    `tells_words`, one more says which of them have any."""

    def __init__(self, b: Builder, unit: Unit, candidates: Candidates) -> None:
        self.b = b
        self.unit = unit
        self.candidates = candidates
        words = -(-len(candidates.runs) // WORD)
        self.size = _padded(words)
        self.tells_words = bool(candidates.selectors) and words <= WORD
        self._single: dict[int, str] = {}
        """By word: what digits leave of it that rule out something in few words."""
        self._vectors: dict[int, str] = {}
        """By the first of its words: what digits leave of a vector."""

    def find(self, state: str, words: Sequence[str], bits: str) -> None:
        """Of the state, which is in these words if it is in registers, to `bits`."""
        self._state, self._words, self._bits = state, words, bits
        for digit in self.candidates.digits:
            self._narrow(digit.rows, self._value(digit))
        for chain in self.candidates.chains:
            self._narrow([row for digit in chain.then for row in digit.rows], self._chained(chain))
        begun = self.candidates.possible & ~self.candidates.selected
        if self.candidates.selectors:
            self._store_constants(begun)
            self._select(begun)
            for word in sorted({*self._single, *(first + k for first in self._vectors for k in range(VECTOR))}):
                self._leave(word)
        else:
            self._store(begun)

    # --- digits ---------------------------------------------------------------------------------------------------

    def _narrow(self, rows: Sequence[int], number: str) -> None:
        """Leaves what is in the row with the number."""
        everything = (1 << len(self.candidates.runs)) - 1
        touched = sorted({word for row in set(rows) for word in _words_with(everything & ~row)})
        if len(touched) <= FEW:
            row = self._row([[_word(bits, word) for word in touched] for bits in rows], number)
            for at, word in enumerate(touched):
                part = self.b.load(self.b.element(row, at))
                before = self._single.get(word)
                self._single[word] = part if before is None else self.b.let(f"and i64 {before}, {part}")
            return
        firsts = sorted({word - word % VECTOR for word in touched})
        words = [first + k for first in firsts for k in range(VECTOR)]
        row = self._row([[_word(bits, word) for word in words] for bits in rows], number)
        for at, first in enumerate(firsts):
            part = self.b.let(f"load {_VECTOR}, ptr {self.b.element(row, at * VECTOR)}, align 8")
            before = self._vectors.get(first)
            self._vectors[first] = part if before is None else self.b.let(f"and {_VECTOR} {before}, {part}")

    def _row(self, rows: Sequence[Sequence[int]], number: str) -> str:
        """The address of the row with the number."""
        b, size = self.b, len(rows[0])
        different = list(dict.fromkeys(map(tuple, rows)))
        whole, divided = 8 * size * len(rows), 8 * size * len(different) + len(rows)
        if whole > MOST_BYTES and 2 * divided < whole and len(different) <= 256:
            places = {row: place for place, row in enumerate(different)}
            which = self.unit.constants.array(tuple(_signed(places[tuple(row)], 8) for row in rows), "i8")
            number = b.let(f"zext i8 {b.load(b.element(which, number, 'i8'), 'i8')} to i64")
            rows = different
        table = self.unit.constants.array(tuple(_signed(word) for row in rows for word in row))
        return b.element(table, number, f"[{size} x i64]")

    def _chained(self, chain: Chain) -> str:
        """The number of the row among those of all digits of the chain. What these are is read from a table: for each
        the number of its first row, its word, its shift and its mask."""
        b = self.b
        firsts = accumulate((len(digit.rows) for digit in chain.then), initial=0)
        places = [
            number
            for first, digit in zip(firsts, chain.then, strict=False)
            for number in (first, digit.word, digit.shift, (1 << digit.width) - 1)
        ]
        place = b.element(self.unit.constants.array(tuple(places)), self._value(chain), "[4 x i64]")
        first, word, shift, mask = (b.load(b.element(place, at)) for at in range(4))
        held = b.let(f"lshr i64 {b.load(b.element(self._state, word))}, {shift}")
        return b.let(f"add i64 {first}, {b.let(f'and i64 {held}, {mask}')}")

    def _value(self, digit: Digit | Chain) -> str:
        b = self.b
        word = self._words[digit.word] if self._words else b.load(b.element(self._state, digit.word))
        return b.let(f"and i64 {b.let(f'lshr i64 {word}, {digit.shift}')}, {(1 << digit.width) - 1}")

    # --- without selectors ----------------------------------------------------------------------------------------

    def _store(self, begun: int) -> None:
        """Candidates are all that are possible and were left."""
        b = self.b
        for first in range(0, self.size, VECTOR):
            if first in self._vectors:
                found = b.let(f"and {_VECTOR} {_constants(begun, first)}, {self._vectors[first]}")
                b.do(f"store {_VECTOR} {found}, ptr {b.element(self._bits, first)}, align 8")
                for word in range(first, first + VECTOR):
                    if word in self._single:
                        self._leave(word, self._single[word])
            else:
                for word in range(first, min(first + VECTOR, self.size)):
                    left, constant = self._single.get(word), _signed(_word(begun, word))
                    found = str(constant) if left is None else b.let(f"and i64 {left}, {constant}")
                    b.store(found, b.element(self._bits, word))

    # --- with selectors -------------------------------------------------------------------------------------------

    def _store_constants(self, begun: int) -> None:
        b = self.b
        for first in range(0, self.size, VECTOR):
            b.do(f"store {_VECTOR} {_constants(begun, first)}, ptr {b.element(self._bits, first)}, align 8")

    def _select(self, begun: int) -> None:
        """Adds the commands that selectors list. A row is the number of a word, and this word with those behind it."""
        b, which = self.b, str(sum(1 << word for word in _words_with(begun)))
        for selector in self.candidates.selectors:
            length = max(last_word(row) - first_word(row) + 1 for row in selector.rows if row)
            firsts = [min(first_word(row), self.size - length) if row else 0 for row in selector.rows]
            rows = [
                [first, *(_word(row, first + k) for k in range(length))]
                for first, row in zip(firsts, selector.rows, strict=True)
            ]
            row = self._row(rows, self._value(selector))
            first = b.load(row)
            for k in range(length):
                at = b.element(self._bits, b.let(f"add i64 {first}, {k}") if k else first)
                b.store(b.let(f"or i64 {b.load(at)}, {b.load(b.element(row, 1 + k))}"), at)
            if self.tells_words:
                which = b.let(f"or i64 {which}, {b.let(f'shl i64 {(1 << length) - 1}, {first}')}")
        if self.tells_words:
            b.store(which, b.element(self._bits, self.size))

    def _leave(self, word: int, left: str = "") -> None:
        """Leaves of a word of candidates what digits do not rule out."""
        b, at = self.b, self.b.element(self._bits, word)
        parts = [left] if left else [self._single[word]] if word in self._single else []
        if not left and word - word % VECTOR in self._vectors:
            vector = self._vectors[word - word % VECTOR]
            parts.append(b.let(f"extractelement {_VECTOR} {vector}, i32 {word % VECTOR}"))
        found = b.load(at)
        for part in parts:
            found = b.let(f"and i64 {found}, {part}")
        b.store(found, at)


_VECTOR = f"<{VECTOR} x i64>"


def _constants(bits: int, first: int) -> str:
    return "<" + ", ".join(f"i64 {_signed(_word(bits, first + k))}" for k in range(VECTOR)) + ">"


def _words_with(bits: int) -> Iterable[int]:
    """The words that have any of the bits."""
    return (word for word in range(-(-bits.bit_length() // WORD)) if _word(bits, word))


def _word(bits: int, word: int) -> int:
    return bits >> WORD * word & (1 << WORD) - 1


def _padded(words: int) -> int:
    """So many words that they are whole vectors, which the processor reads with one or two instructions, and none of up
    to eight words lies in two lines of its cache."""
    return words if words < 3 else -(-words // VECTOR) * VECTOR


def _signed(word: int, width: int = WORD) -> int:
    return word if word < 1 << width - 1 else word - (1 << width)
