"""The definitions of functions in the user's files: each file is parsed once, and a function is found by its line."""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from types import CellType, FunctionType

from asset.errors import Diagnostic
from asset.frontends.python.problems import Rejected
from asset.model.spans import definition_span, span_of
from asset.model.syntax_trees import STEP_MARK, functions_of, stored_names, tree_of
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

    @cached_property
    def stores(self) -> Counter[str]:
        """How often each local name is assigned, as far as the text shows."""
        return stored_names(self.node.body)


class Definitions:
    """Finds the definitions of functions; parses each file once."""

    def __init__(self) -> None:
        self._files: dict[str, dict[int, ast.FunctionDef]] = {}

    def of(self, function: FunctionType) -> FunctionDefinition:
        code = function.__code__
        step = getattr(function, STEP_MARK, None)
        if step is not None:
            return FunctionDefinition(function, step.node, step.head)
        found = tree_of(function, self._functions(code.co_filename))
        if found is None:
            raise Rejected(
                Diagnostic(
                    f"the source of {function.__name__} is not available",
                    definition_span(function),
                    "define it with def in a file (lambda, exec and generated functions cannot be compiled)",
                )
            )
        return FunctionDefinition(function, found)

    def _functions(self, file: str) -> dict[int, ast.FunctionDef]:
        if file not in self._files:
            self._files[file] = functions_of(file)
        return self._files[file]
