"""Collecting everything that is wrong with a model, so that all of it is reported at once."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from asset.errors import Diagnostic
from asset.span import Span


class Rejected(Exception):
    """Leaves the code being compiled, up to the statement it is in. Without a diagnostic it was reported before."""

    def __init__(self, diagnostic: Diagnostic | None = None) -> None:
        super().__init__(diagnostic)
        self.diagnostic = diagnostic


class Problems:
    """Diagnostics, each once, in the order found."""

    def __init__(self) -> None:
        self._found: dict[Diagnostic, None] = {}

    def add(self, message: str, span: Span | None, remedy: str = "") -> None:
        self._found.setdefault(Diagnostic(message, span, remedy))

    def record(self, rejected: Rejected) -> None:
        if rejected.diagnostic is not None:
            self._found.setdefault(rejected.diagnostic)

    def all(self) -> tuple[Diagnostic, ...]:
        return tuple(self._found)

    def keep(self, found: Sequence[Diagnostic]) -> None:
        """Forgets all others."""
        self._found = dict.fromkeys(found)

    def __bool__(self) -> bool:
        return bool(self._found)

    def in_order(self) -> list[Diagnostic]:
        """By file and line, as they would be mended."""
        return sorted(self._found, key=lambda d: (d.span.file, d.span.line, d.span.column) if d.span else ("", 0, 0))


_YIELD = (
    "yield is a statement of a process, and gives nothing",
    'in a method with @process, write it on a line of its own: yield, or yield "label"',
)

OUTSIDE: dict[type[ast.AST], tuple[str, str]] = {
    ast.Lambda: ("this lambda cannot be put where it is used", "write a method or a function"),
    ast.NamedExpr: (":= is not part of the language here", "assign in a statement of its own"),
    ast.Slice: ("part of a list is changed here", "assign a new list: xs = xs[:1] + more"),
    ast.Starred: ("* is not part of the language here", "write the elements one by one"),
    ast.JoinedStr: ("a text that is put together is no value", "write the texts that there are, such as 'idle'"),
    ast.Await: ("await is not part of the language", "a transition is one atomic step"),
    ast.Yield: _YIELD,
    ast.YieldFrom: _YIELD,
    ast.Try: ("try is not part of the language", "test beforehand; a raised exception is a model error"),
    ast.TryStar: ("try is not part of the language", "test beforehand; a raised exception is a model error"),
    ast.With: ("with is not part of the language", "a transition is atomic: it needs no lock"),
    ast.AsyncWith: ("async is not part of the language", "a transition is one atomic step"),
    ast.AsyncFor: ("async is not part of the language", "a transition is one atomic step"),
    ast.AsyncFunctionDef: ("async is not part of the language", "a transition is one atomic step"),
    ast.Import: ("import is not part of the language here", "import at the top of the file"),
    ast.ImportFrom: ("import is not part of the language here", "import at the top of the file"),
    ast.Global: ("global variables cannot change", "make it a state variable"),
    ast.Nonlocal: ("variables of an outer function cannot change", "make it a state variable"),
    ast.Delete: (
        "del is not part of the language",
        "assign a value that means 'nothing'; keys of a Map can be deleted",
    ),
    ast.FunctionDef: ("this function inside a method cannot be put where it is used", "make it a method or a function"),
    ast.ClassDef: ("a class inside a method is not part of the language", "move it to the top of the file"),
}
"""What Python has and the language has not: what to say, and the way out."""
