"""Reading tokens one after the other, and saying what was expected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from asset.errors import ModelRejected
from asset.frontends.promela.lexing import Kind, Token
from asset.span import Span


class Misplaced(ModelRejected):
    """A token that cannot be here: it cannot be told how what follows is meant."""


class TokenStream:
    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = list(tokens)
        self.position = 0

    @property
    def now(self) -> Token:
        return self._tokens[self.position]

    def ahead(self, count: int = 1) -> Token:
        return self._tokens[min(self.position + count, len(self._tokens) - 1)]

    def next(self) -> Token:
        token = self.now
        if token.kind is not Kind.END:
            self.position += 1
        return token

    def at(self, *texts: str) -> bool:
        return self.now.text in texts and self.now.kind is not Kind.STRING

    def take(self, *texts: str) -> Token | None:
        """The token, if it is one of these."""
        return self.next() if self.at(*texts) else None

    def expect(self, text: str, remedy: str = "") -> Token:
        if not self.at(text):
            raise self.unexpected(f"'{text}'", remedy)
        return self.next()

    def name(self, what: str) -> Token:
        if self.now.kind is not Kind.NAME:
            raise self.unexpected(what)
        return self.next()

    def unexpected(self, wanted: str, remedy: str = "") -> Misplaced:
        return Misplaced.of(f"{self.now} is here, and not {wanted}", self.now.span, remedy or f"write {wanted}")

    def insert(self, tokens: Sequence[Token]) -> None:
        """The tokens are read next."""
        self._tokens[self.position : self.position] = tokens

    def bracketed(self, opening: str, closing: str) -> list[Token]:
        """The tokens between the bracket that is next and the one that closes it."""
        first, depth, inside = self.expect(opening), 1, list[Token]()
        while True:
            token = self.next()
            if token.kind is Kind.END:
                raise Misplaced.of(f"this '{opening}' is not closed", first.span, f"write a '{closing}'")
            depth += (token.text == opening) - (token.text == closing)
            if depth == 0:
                return inside
            inside.append(token)

    def pass_over(self) -> None:
        """To the end of the statement that begins here, whatever is in it."""
        depth = 0
        while self.now.kind is not Kind.END:
            if depth == 0 and self.at(*_ENDING):
                return
            depth += self.at(*_OPENING) - self.at(*_CLOSING)
            self.next()

    def text_since(self, position: int) -> str:
        """What was read since then."""
        return " ".join(token.text for token in self._tokens[position : self.position])

    def since(self, start: Span) -> Span:
        """From there to the end of the token that was read last."""
        last = self._tokens[max(self.position - 1, 0)].span
        if last.file != start.file or (last.end_line, last.end_column) < (start.line, start.column):
            return start
        return replace(start, end_line=last.end_line, end_column=last.end_column)


_OPENING = ("(", "[", "{", "if", "do")
_CLOSING = (")", "]", "}", "fi", "od")
_ENDING = (";", "->", "::", *_CLOSING)
