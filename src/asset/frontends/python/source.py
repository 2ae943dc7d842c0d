"""The source text of functions: each file is parsed once, and a function found by the line of its definition."""

from __future__ import annotations

import ast
import linecache
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from types import FunctionType

from asset.errors import Diagnostic
from asset.frontends.python.problems import Rejected
from asset.model.places import definition_span, span_of
from asset.span import Span


@dataclass(frozen=True)
class Definition:
    """A function and the text that it was made from."""

    function: FunctionType
    node: ast.FunctionDef

    @property
    def file(self) -> str:
        return self.function.__code__.co_filename

    def span(self, node: ast.expr | ast.stmt | ast.pattern | ast.keyword | ast.arg) -> Span:
        end_line = node.end_lineno or node.lineno
        end_column = node.end_col_offset if node.end_col_offset is not None else node.col_offset + 1
        return span_of(self.file, node.lineno, end_line, (node.col_offset, end_column))

    @cached_property
    def head(self) -> Span:
        """`def name`: where a definition is pointed at."""
        line, start = self.node.lineno, self.node.col_offset
        return span_of(self.file, line, line, (start, start + len(f"def {self.node.name}".encode())))

    @cached_property
    def stores(self) -> Counter[str]:
        """How often each local name is assigned, as far as the text shows."""
        return stored_names(self.node.body)


def stored_names(statements: Iterable[ast.AST]) -> Counter[str]:
    """The names that the statements assign, with how often; those of match patterns too. The names of a generator
    expression are its own."""
    found: Counter[str] = Counter()
    for statement in statements:
        clauses = [node for node in ast.walk(statement) if isinstance(node, ast.comprehension)]
        elsewhere = {id(name) for clause in clauses for name in ast.walk(clause.target)}
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and id(node) not in elsewhere:
                found[node.id] += 1
            elif isinstance(node, ast.MatchAs | ast.MatchStar) and node.name is not None:
                found[node.name] += 1
    return found


class Sources:
    """Finds definitions; parses each file once."""

    def __init__(self) -> None:
        self._files: dict[str, dict[int, ast.FunctionDef]] = {}

    def definition(self, function: FunctionType) -> Definition:
        code = function.__code__
        found = self._functions(code.co_filename).get(code.co_firstlineno)
        if found is None or found.name != function.__name__:
            raise Rejected(
                Diagnostic(
                    f"the source of {function.__name__} is not available",
                    definition_span(function),
                    "define it with def in a file (lambda, exec and generated functions cannot be compiled)",
                )
            )
        return Definition(function, found)

    def _functions(self, file: str) -> dict[int, ast.FunctionDef]:
        if file not in self._files:
            self._files[file] = _parse(file)
        return self._files[file]


def _parse(file: str) -> dict[int, ast.FunctionDef]:
    """The functions of the file by their first line, which is that of the first decorator."""
    linecache.checkcache(file)
    try:
        tree = ast.parse("".join(linecache.getlines(file)), file)
    except SyntaxError:
        return {}
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return {min([f.lineno, *(d.lineno for d in f.decorator_list)]): f for f in functions}
