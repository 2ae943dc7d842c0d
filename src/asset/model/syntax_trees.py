"""The source of functions as syntax trees: found by file and line, and what their statements assign."""

from __future__ import annotations

import ast
import linecache
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import CellType, FunctionType

from asset.span import Span

STEP_MARK = "__asset_step__"
"""The attribute of a function that was made from a step of a process or a part of a formula: its definition, which no
file has."""


@dataclass(frozen=True, slots=True)
class StepDefinition:
    """What such a function was made from, for those who compile it."""

    node: ast.FunctionDef
    head: Span


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


def function_from(
    node: ast.FunctionDef, original: FunctionType, more: Mapping[str, CellType] | None = None
) -> FunctionType:
    """The definition as a function in the surroundings of the original one, with more names besides."""
    cells = dict(zip(original.__code__.co_freevars, original.__closure__ or (), strict=True))
    cells |= more or {}
    outer = ast.FunctionDef(
        name="surroundings",
        args=ast.arguments([], [ast.arg(name) for name in cells], None, [], [], None, []),
        body=[node],
        decorator_list=[],
    )
    module = ast.fix_missing_locations(ast.Module([ast.copy_location(outer, node)], []))
    compiled = compile(module, original.__code__.co_filename, "exec")
    surroundings = next(c for c in compiled.co_consts if hasattr(c, "co_consts"))
    code = next(c for c in surroundings.co_consts if hasattr(c, "co_consts"))
    closure = tuple(cells[name] for name in code.co_freevars)
    return FunctionType(code, original.__globals__, node.name, None, closure)


class WithoutSelf(ast.NodeTransformer):
    """`self.n` as `n`: text over what the model has."""

    def __init__(self, itself: str) -> None:
        self._itself = itself

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if isinstance(node.value, ast.Name) and node.value.id == self._itself:
            return ast.copy_location(ast.Name(node.attr, ast.Load()), node)
        return self.generic_visit(node)
