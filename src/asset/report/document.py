"""Text whose pieces know their role, so that one report serves pipes (plain) and terminals (coloured)."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum


class Role(Enum):
    """What a piece of text is; the value is how a terminal shows it (SGR codes)."""

    PLAIN = ""
    STRONG = "1"
    FAINT = "2"
    NAME = "36"
    GOOD = "1;32"
    BAD = "1;31"
    UNSURE = "1;33"


@dataclass(frozen=True, slots=True)
class Piece:
    text: str
    role: Role = Role.PLAIN
    link: str = ""
    """An address that the text leads to, in terminals that know links."""


Line = tuple[Piece, ...]

EMPTY: Line = ()


def line(*parts: str | Piece) -> Line:
    """A line of these parts, strings being plain."""
    return tuple(Piece(part) if isinstance(part, str) else part for part in parts)


def plain(lines: Iterable[Line]) -> str:
    """The text alone: no escape codes, no spaces at the ends of lines."""
    return "\n".join("".join(piece.text for piece in parts).rstrip() for parts in lines)


def coloured(lines: Iterable[Line], links: bool = False) -> str:
    """The same text with the escape codes of a terminal, those of links (OSC 8) only if it knows them."""
    return "\n".join("".join(_painted(piece, links) for piece in parts) for parts in lines)


def _painted(piece: Piece, links: bool) -> str:
    if not piece.text.strip():
        return piece.text
    text = piece.text if piece.role is Role.PLAIN else f"\x1b[{piece.role.value}m{piece.text}\x1b[0m"
    return f"\x1b]8;;{piece.link}\x1b\\{text}\x1b]8;;\x1b\\" if links and piece.link else text


_NOT_ASCII = re.compile(r"[^\x00-\x7f]")


def cells(text: str) -> int:
    """How many columns of a terminal the text takes: East Asian wide characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    return len(text) + sum(_cells_of(character) - 1 for character in _NOT_ASCII.findall(text))


def _cells_of(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def padded(text: str, width: int) -> str:
    return text + " " * (width - cells(text))


def folded(text: str, width: int) -> list[str]:
    """The text in lines of at most `width`, broken at spaces if there are any; at least one line."""
    return textwrap.wrap(text, max(width, 8), break_on_hyphens=False) or [""]


def packed(phrases: Sequence[str], width: int) -> list[str]:
    """The phrases separated by commas, as many to a line as fit; a phrase is broken only if it fits no line."""
    lines: list[str] = []
    for number, phrase in enumerate(phrases):
        ended = phrase if number == len(phrases) - 1 else phrase + ","
        if lines and cells(lines[-1]) + 1 + cells(ended) <= width:
            lines[-1] += " " + ended
        else:
            lines += folded(ended, width)
    return lines or [""]


_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|.)?")


def harmless(text: str) -> list[str]:
    """The lines of a text of the user's, without escape codes and other control characters."""
    bare = "".join(c for c in _ESCAPE.sub("", text) if c in "\n\t" or unicodedata.category(c) != "Cc")
    return [each.rstrip() for each in bare.expandtabs().rstrip().split("\n")]


def one_line(text: str) -> str:
    return " ".join(harmless(text))
