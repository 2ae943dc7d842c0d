"""A module cut into pieces that can be compiled on their own: LLVM then works on all of them at once.

A piece has some of the functions that others may call, and all private ones that these need; what it needs of other
pieces it declares. Private functions and tables may so be in several pieces.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

PIECE_BYTES = 50_000
"""Text from which on a piece is cut: some hundredths of a second, as long as a child takes to start."""

MOST_PIECES = 16

_NAME = re.compile(r"@(\w+)")


class _Definition(NamedTuple):
    """A function or table; `needs` are the names in it."""

    name: str
    text: str
    private: bool
    needs: frozenset[str]


def cut(definitions: Sequence[str], surroundings: str) -> list[str]:
    """The definitions in pieces, each within the surroundings, which need nothing; one piece if there is little."""
    total = sum(map(len, definitions))
    pieces = min(MOST_PIECES, total // PIECE_BYTES)
    if pieces <= 1:
        return ["\n".join([*definitions, surroundings])]
    known = {each.name: each for each in map(_read, definitions)}
    roots = [each for each in known.values() if not each.private]
    return ["\n".join([*_piece(group, known), surroundings]) for group in _groups(roots, pieces)]


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
    own = {each.name for each in roots}
    met, pending = set(own), [known[name] for name in own]
    while pending:
        for name in pending.pop().needs - met:
            met.add(name)
            if name in known and known[name].private:
                pending.append(known[name])
    for name, each in known.items():
        if name in own or (name in met and each.private):
            yield each.text
        elif name in met:
            yield _declaration(each.text)


def _declaration(definition: str) -> str:
    head = definition[: definition.index("{\n")].rstrip()
    return head.replace("define", "declare", 1)
