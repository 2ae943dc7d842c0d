"""The definitions of functions in the user's files."""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from types import CellType, FunctionType

from asset.errors import ModelRejected
from asset.frontends.python.problems import Rejected
from asset.model.plain_statements import plain_tree_of
from asset.model.spans import span_of
from asset.model.syntax_trees import STEP_MARK, stored_names
from asset.span import Span


@dataclass(frozen=True)
class FunctionDefinition:
    """A function and the text that it was made from."""

    function: FunctionType
    node: ast.FunctionDef
    given_head: Span | None = None

    @property
    def file(self) -> str:
        return self.function.__code__.co_filename

    def span(self, node: ast.expr | ast.stmt | ast.pattern | ast.keyword) -> Span:
        end_line = node.end_lineno or node.lineno
        end_column = node.end_col_offset if node.end_col_offset is not None else node.col_offset + 1
        return span_of(self.file, node.lineno, end_line, (node.col_offset, end_column))

    @cached_property
    def head(self) -> Span:
        """`def name`: the place that stands for the definition in messages."""
        if self.given_head is not None:
            return self.given_head
        line, start = self.node.lineno, self.node.col_offset
        return span_of(self.file, line, line, (start, start + len(f"def {self.node.name}".encode())))

    @cached_property
    def closure(self) -> dict[str, CellType]:
        """The variables of enclosing functions that the function uses."""
        names, cells = self.function.__code__.co_freevars, self.function.__closure__ or ()
        return dict(zip(names, cells, strict=True))

    def is_local(self, name: str) -> bool:
        """Whether Python takes the name for a local variable in all of the function."""
        return bool(self.stores[name]) or name in self.function.__code__.co_varnames

    @cached_property
    def stores(self) -> Counter[str]:
        """How often each local name is assigned, as far as the text shows."""
        return stored_names(self.node.body)


class Definitions:
    """Finds the definitions of functions, each once."""

    def __init__(self) -> None:
        self._found: dict[FunctionType, FunctionDefinition] = {}

    def of(self, function: FunctionType) -> FunctionDefinition:
        if function not in self._found:
            self._found[function] = self._read(function)
        return self._found[function]

    def _read(self, function: FunctionType) -> FunctionDefinition:
        step = getattr(function, STEP_MARK, None)
        if step is not None:
            return FunctionDefinition(function, step.node, step.head)
        try:
            return FunctionDefinition(function, plain_tree_of(function))
        except ModelRejected as error:
            raise Rejected(error.diagnostics[0]) from None
