"""The comments of a model: those above a line, and the one at its end. Each is told once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from linecache import getline

from asset.span import Span

_WHOLE = re.compile(r"\s*(?://(?P<line>.*)|/\*(?P<block>.*?)\*/)\s*$")
_AT_END = re.compile(r".*\S\s*(?://(?P<line>[^\"]*)|/\*(?P<block>[^\"]*?)\*/)\s*$")


class Comments:
    def __init__(self) -> None:
        self._told: set[tuple[str, int]] = set()

    def above(self, span: Span) -> Iterator[str]:
        """The comments in the lines right above, as comments of Python."""
        found, line = list[str](), span.line - 1
        while line > 0 and (comment := self._comment(_WHOLE, span.file, line)) is not None:
            found.append(comment)
            line -= 1
        return reversed(found)

    def behind(self, span: Span) -> str:
        """The comment at the end of the line, with two spaces before it."""
        found = self._comment(_AT_END, span.file, span.line)
        return "" if found is None else f"  {found}"

    def _comment(self, form: re.Pattern[str], file: str, line: int) -> str | None:
        match = form.match(getline(file, line).rstrip("\n"))
        if match is None or (file, line) in self._told:
            return None
        self._told.add((file, line))
        text = (match["line"] or match["block"] or "").strip()
        return f"# {text}" if text else None
