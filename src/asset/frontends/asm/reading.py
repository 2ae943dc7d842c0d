"""What both parsers share: a cursor over tokens, and errors that do not end the reading."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Never, TypeVar

from asset.errors import Diagnostic
from asset.frontends.asm.tokens import Token
from asset.span import Span

T = TypeVar("T")


class Misread(Exception):
    """What stands here is not what the notation has here; it ends the declaration that is being read."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


class Reader:
    """A cursor over the tokens of one text."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self.problems: list[Diagnostic] = []

    @property
    def here(self) -> Token:
        return self._tokens[self._at]

    def ahead(self, count: int = 1) -> Token:
        return self._tokens[min(self._at + count, len(self._tokens) - 1)]

    def take(self) -> Token:
        token = self.here
        if token.kind != "end":
            self._at += 1
        return token

    def sees(self, *texts: str) -> bool:
        return self.here.text in texts and self.here.kind not in ("text", "end")

    def accept(self, *texts: str) -> bool:
        """Goes past the token if it is one of these."""
        if self.sees(*texts):
            self._at += 1
            return True
        return False

    def expect(self, text: str, remedy: str = "") -> Token:
        if not self.sees(text):
            self.fail(f"{text!r} is missing here", remedy)
        return self.take()

    def word(self, what: str) -> Token:
        if self.here.kind != "word":
            self.fail(f"{what} is missing here")
        return self.take()

    def fail(self, message: str, remedy: str = "") -> Never:
        found = "the text ends" if self.here.kind == "end" else f"there is {self.here.text!r}"
        raise Misread(Diagnostic(f"{message}: {found}", self.here.span, remedy))

    def unsupported(self, what: str, remedy: str) -> Diagnostic:
        return Diagnostic(f"{what} is not part of what is read", self.here.span, remedy)

    def since(self, start: Span) -> Span:
        """From there to the last token that was taken."""
        last = self._tokens[max(self._at - 1, 0)].span
        return Span(start.file, start.line, start.column, last.end_line, last.end_column)

    def separated(self, item: Callable[[], T], *separators: str) -> tuple[T, ...]:
        items = [item()]
        while self.accept(*separators):
            items.append(item())
        return tuple(items)

    def recovering(self, declaration: Callable[[], None], heads: Container[str]) -> None:
        """Reads a declaration; if it is wrong, that is noted, and reading goes on at the next head."""
        start = self._at
        try:
            declaration()
        except Misread as wrong:
            self.problems.append(wrong.diagnostic)
            if self._at == start:
                self.take()
            while self.here.kind != "end" and self.here.text not in heads:
                self._at += 1
