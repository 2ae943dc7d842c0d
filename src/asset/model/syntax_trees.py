"""The source of functions as syntax trees: found by file and line, and what their statements assign."""

from __future__ import annotations

import ast
import linecache
from collections import Counter
from collections.abc import Iterable
from types import FunctionType

STEP_MARK = "__asset_step__"
"""The attribute of a function that was made from a step of a process: its definition, which no file has."""


def functions_of(file: str) -> dict[int, ast.FunctionDef]:
    """The functions of the file by their first line: that of the first decorator. None if it has no text."""
    linecache.checkcache(file)
    try:
        tree = ast.parse("".join(linecache.getlines(file)), file)
    except SyntaxError:
        return {}
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return {min([f.lineno, *(d.lineno for d in f.decorator_list)]): f for f in functions}


def tree_of(function: FunctionType, functions: dict[int, ast.FunctionDef]) -> ast.FunctionDef | None:
    """The function's definition among those of its file."""
    found = functions.get(function.__code__.co_firstlineno)
    return found if found is not None and found.name == function.__name__ else None


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


def closure_of(function: FunctionType) -> dict[str, object]:
    """What the names of enclosing functions mean in the function, as far as they have a value."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    found: dict[str, object] = {}
    for name, cell in cells:
        try:
            found[name] = cell.cell_contents
        except ValueError:  # it has no value yet
            continue
    return found
