"""The text of a file as tokens, each with its place. Comments and joined lines are gone; ends of lines are tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto

from asset.errors import ModelRejected
from asset.span import Span


class Kind(Enum):
    NAME = auto()
    NUMBER = auto()
    STRING = auto()
    OPERATOR = auto()
    NEWLINE = auto()
    STRAY = auto()
    """No part of Promela: an error, unless the preprocessor leaves it out."""
    END = auto()


@dataclass(frozen=True, slots=True)
class Token:
    kind: Kind
    text: str
    span: Span
    hidden: frozenset[str] = frozenset()
    """The macros that it came out of: they are not expanded in it again."""

    @property
    def value(self) -> int:
        """The number that it denotes."""
        if self.text.startswith("'"):
            return ord(_ESCAPES.get(self.text[1:-1], self.text[-2]))
        return int(self.text, 0) if self.text.lower().startswith("0x") else int(self.text)

    def at(self, span: Span, hidden: frozenset[str]) -> Token:
        """The same token as the use of macros shows it, which are not expanded in it."""
        return replace(self, span=span, hidden=self.hidden | hidden)

    def __str__(self) -> str:
        return {Kind.END: "the end of the file", Kind.NEWLINE: "the end of the line"}.get(self.kind, f"'{self.text}'")


_PATTERN = re.compile(
    r"""
    (?P<blank>(?:[ \t\r\f\v]|\\\r?\n)+)
  | (?P<comment>/\*.*?\*/|//(?:\\\r?\n|[^\n])*)
  | (?P<newline>\n)
  | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
  | (?P<number>0[xX][0-9a-fA-F]+|[0-9]+|'(?:\\.|[^'\\\n])')
  | (?P<string>"(?:\\.|[^"\\\n])*")
  | (?P<operator><->|\.\.|->|::|\+\+|--|&&|\|\||==|!=|<=|>=|<<|>>|!!|\?\?|\#\#|/(?!\*)|[-+*%&|^~!?<>=()\[\]{}.,;:@\#])
    """,
    re.VERBOSE | re.DOTALL,
)

_ESCAPES = {r"\n": "\n", r"\r": "\r", r"\t": "\t", r"\f": "\f"}
"""As in SPIN: behind another character, a backslash says nothing."""

_KINDS = {
    "name": Kind.NAME,
    "number": Kind.NUMBER,
    "string": Kind.STRING,
    "operator": Kind.OPERATOR,
    "newline": Kind.NEWLINE,
}


def tokens_of(text: str, file: str) -> Iterator[Token]:
    """All tokens of the text; the last one is an END."""
    at, line, line_start = 0, 1, 0
    while at < len(text):
        match = _PATTERN.match(text, at)
        span = Span(file, line, at - line_start + 1, line, at - line_start + 2)
        if match is None:
            if text.startswith("/*", at):
                raise ModelRejected.of("this comment does not end", span, "end it with */")
            yield Token(Kind.STRAY, text[at], span)
            at += 1
            continue
        kind = str(match.lastgroup)
        if kind in _KINDS:
            yield Token(_KINDS[kind], match.group(), replace(span, end_column=span.column + len(match.group())))
        lines = match.group().count("\n")
        if lines:
            line, line_start = line + lines, match.start() + match.group().rindex("\n") + 1
        at = match.end()
    yield Token(Kind.NEWLINE, "\n", Span(file, line, at - line_start + 1))
    yield Token(Kind.END, "", Span(file, line, at - line_start + 1))


def unreadable(stray: Token) -> ModelRejected:
    if stray.text == '"':
        return ModelRejected.of("this text does not end in its line", stray.span, 'end it with "')
    return ModelRejected.of(f"the character {stray.text!r} is not part of Promela", stray.span, "remove it")
