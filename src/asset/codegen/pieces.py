"""A module cut into pieces that can be compiled on their own: LLVM then works on all of them at once.

A piece has some of the functions that others may call, and all private ones that these need; what it needs of other
pieces it declares. Private functions and tables may so be in several pieces. What is run for every state is a piece of
its own, which is compiled well.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

PIECE_BYTES = 50_000
"""Text from which on a piece is cut: some hundredths of a second, as long as a child takes to start."""

MOST_PIECES = 16

WELL_BYTES = 160_000
"""Text of a function that is compiled well at the most: that takes a quarter of a second."""

_NAME = re.compile(r"@(\w+)")


class _Definition(NamedTuple):
    """A function or table; `needs` are the names in it."""

    name: str
    text: str
    private: bool
    needs: frozenset[str]

    @property
    def is_table(self) -> bool:
        return self.text.startswith("@")


class Piece(NamedTuple):
    """The text of a module, and whether it is to be compiled quickly rather than well."""

    text: str
    quickly: bool


def cut(definitions: Sequence[str], surroundings: str, well: Container[str] = ()) -> list[Piece]:
    """The definitions in pieces, each within the surroundings, which need nothing. Functions with the names in `well`
    are compiled well unless they are long, all others quickly."""
    known = {each.name: each for each in map(_read, definitions)}
    roots = [each for each in known.values() if not each.private]
    best = [each for each in roots if each.name in well and _code_bytes(each, known) <= WELL_BYTES]
    others = [each for each in roots if each not in best]
    nr_groups = max(1, min(MOST_PIECES, sum(map(len, definitions)) // PIECE_BYTES))
    groups = [(best, False), *((group, True) for group in _groups(others, nr_groups))]
    return [Piece("\n".join([*_piece(group, known), surroundings]), quickly) for group, quickly in groups if group]


def _code_bytes(root: _Definition, known: Mapping[str, _Definition]) -> int:
    """How long a function is with all that it needs, without tables."""
    return sum(len(known[name].text) for name in _own([root], known) if not known[name].is_table)


def _read(text: str) -> _Definition:
    text = text.strip()
    names = _NAME.findall(text)
    head = text[: text.index("constant" if text.startswith("@") else "@")]
    return _Definition(names[0], text, "private" in head, frozenset(names[1:]))


def _groups(roots: Sequence[_Definition], pieces: int) -> Iterator[list[_Definition]]:
    """The functions in their order, in groups of about the same size."""
    share = sum(len(each.text) for each in roots) / pieces
    group: list[_Definition] = []
    size = 0
    for each in roots:
        if group and size + len(each.text) / 2 > share:
            yield group
            group, size = [], 0
        group.append(each)
        size += len(each.text)
    if group:
        yield group


def _piece(roots: Iterable[_Definition], known: Mapping[str, _Definition]) -> Iterator[str]:
    """These functions, the private ones that they need, directly or not, and declarations of the others."""
    own = _own(roots, known)
    needed = frozenset[str]().union(*(known[name].needs for name in own))
    for name, each in known.items():
        if name in own:
            yield each.text
        elif name in needed:
            yield _declaration(each.text)


def _own(roots: Iterable[_Definition], known: Mapping[str, _Definition]) -> set[str]:
    """The names of these functions and of the private definitions that they need."""
    own = {each.name for each in roots}
    pending = list(own)
    while pending:
        more = {name for name in known[pending.pop()].needs - own if name in known and known[name].private}
        own |= more
        pending += more
    return own


def _declaration(definition: str) -> str:
    head = definition[: definition.index("{\n")].rstrip()
    return head.replace("define", "declare", 1)
