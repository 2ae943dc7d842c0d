"""Text to tokens, for both notations, and which notation a text is in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from asset.errors import Diagnostic
from asset.span import Span


class Notation(Enum):
    ASMETAL = "AsmetaL"
    ASM_SL = "ASM-SL"


@dataclass(frozen=True, slots=True)
class Token:
    """`kind` is word, number, real, text, sign or end."""

    kind: str
    text: str
    span: Span


_BLANK = r"\s+"
_COMMENTS = {
    Notation.ASMETAL: r"//(?!@\s+\w+\s*(?:[(={<]|in\b))[^\n]*|/\*.*?(?:\*/|\Z)|\(\*.*?(?:\*\)|\Z)",
    Notation.ASM_SL: r"\(\*.*?(?:\*\)|\Z)|//(?!@\s)[^\n]*|/\*.*?(?:\*/|\Z)",
}
_REST = r"""
    (?P<word>\$?[A-Za-z_][\w']*)
  | (?P<real>\d+\.\d+)
  | (?P<number>\d+n?\b)
  | (?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)?')
  | (?P<sign>//@|:=|->|<-(?!\s*\d)|<<|>>|<=>|=>|<=|>=|!=|<>|==|\.\.|[-+*/^=<>()\[\]{}|,;:.\\~&!])
  | (?P<wrong>.)
"""
_PATTERNS = {
    notation: re.compile(rf"(?P<blank>{_BLANK}|{comments})|{_REST}", re.VERBOSE | re.DOTALL)
    for notation, comments in _COMMENTS.items()
}
_FIRST_WORD = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/|\(\*.*?\*\))*(\w*)", re.DOTALL)
_ASMETAL_HEADS = frozenset({"asm", "module", "asyncr", "syncr", "synchr"})


def notation_of(text: str) -> Notation:
    """Told by the first word: AsmetaL begins with `asm` or `module`."""
    found = _FIRST_WORD.match(text)
    return Notation.ASMETAL if found is not None and found[1] in _ASMETAL_HEADS else Notation.ASM_SL


def tokens_of(text: str, file: str, notation: Notation) -> tuple[list[Token], list[Diagnostic]]:
    """The tokens, the last of which is the end, and what is no token."""
    found: list[Token] = []
    wrong: list[Diagnostic] = []
    line, start = 1, 0  # of the current line
    for match in _PATTERNS[notation].finditer(text):
        kind, piece = match.lastgroup or "", match[0]
        column = match.start() - start + 1
        span = Span(file, line, column, line, column + len(piece))
        if kind == "wrong":
            wrong.append(Diagnostic(f"{piece!r} is no part of {notation.value}", span, "remove it"))
        elif kind != "blank":
            found.append(Token(kind, piece, span))
        if "\n" in piece:
            line += piece.count("\n")
            start = match.start() + piece.rfind("\n") + 1
    column = len(text) - start + 1
    found.append(Token("end", "", Span(file, line, column, line, column + 1)))
    return found, wrong
