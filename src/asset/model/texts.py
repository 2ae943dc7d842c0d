"""The texts that a model's code mentions: those that a state variable which is a text can be.

`self.phase = "idle"` does not say what else the variable can be. Whatever is assigned to it, or compared with it, comes
from the code of the model, or from a constant that the code names.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from types import FunctionType
from typing import Any

from asset.errors import ModelRejected
from asset.model.syntax_trees import closure_of, tree_of

_speaking: ContextVar[Callable[[], frozenset[str]] | None] = ContextVar("speaking", default=None)
"""The texts of the model whose `state()` is running; looked for only if a text is declared."""


@contextmanager
def mentioning(cls: type, known: type, parameters: Mapping[str, Any]) -> Iterator[None]:
    """Within it, texts are those of the model: of its classes down to `known`, and of its parameters."""
    token = _speaking.set(cache(lambda: _Mentioned().of_model(cls, known, parameters)))
    try:
        yield
    finally:
        _speaking.reset(token)


def mentioned() -> frozenset[str] | None:
    """The texts of the model whose `state()` is running; None if there is none."""
    found = _speaking.get()
    return None if found is None else found()


class _Mentioned:
    """What was found so far, and which functions were read."""

    def __init__(self) -> None:
        self._found: set[str] = set()
        self._read: set[int] = set()

    def of_model(self, cls: type, known: type, parameters: Mapping[str, Any]) -> frozenset[str]:
        for base in cls.__mro__:
            if issubclass(base, known) and base is not known:
                for name, member in vars(base).items():
                    if not name.startswith("__"):
                        self._member(member)
        self._constant(tuple(parameters.values()))
        return frozenset(self._found - {""})

    def _member(self, member: object) -> None:
        """A method, however it is decorated, or a constant."""
        for name in ("function", "fget", "__func__"):
            member = getattr(member, name, member)
        if isinstance(member, FunctionType):
            self._function(member)
        else:
            self._constant(member)

    def _constant(self, value: object) -> None:
        match value:
            case str():
                self._found.add(value)
            case dict():
                self._constant((*value.keys(), *value.values()))
            case tuple() | list() | set() | frozenset():
                for part in value:
                    self._constant(part)

    def _function(self, function: FunctionType) -> None:
        if id(function.__code__) in self._read or function.__module__.partition(".")[0] == "asset":
            return
        self._read.add(id(function.__code__))
        try:
            tree = tree_of(function)
        except ModelRejected:  # compiling says what is wrong with it
            return
        outside = {**function.__globals__, **closure_of(function)}
        for node in _said(tree.body):
            if isinstance(node, ast.Constant):
                self._constant(node.value)
            elif isinstance(node, ast.Name) and node.id in outside:
                named = outside[node.id]
                self._function(named) if isinstance(named, FunctionType) else self._constant(named)


def _said(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """The parts of the code that may be values: no comments, messages or labels."""
    pending: list[ast.AST] = list(body)
    while pending:
        node = pending.pop()
        match node:
            case ast.Expr(value=ast.Constant()) | ast.JoinedStr() | ast.Raise() | ast.Yield(value=ast.Constant()):
                continue
            case ast.Assert(test=test):
                pending.append(test)
            case ast.Call(func=ast.Attribute(attr="at")):
                continue
            case ast.AnnAssign(value=value):
                pending += [value] if value is not None else []
            case _:
                yield node
                pending += ast.iter_child_nodes(node)
