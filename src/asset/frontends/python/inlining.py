"""Functions that give values of several cells: their statements are put where they are called.

A compiled function returns one number. What gives a tuple, a record or a collection is inlined instead: its names
become names of the caller, and each `return` an assignment to one more name, with what comes after it in the other
branch. In a loop it is followed by `break`, and what comes after the loop is in its `else`.
"""

from __future__ import annotations

import ast
from copy import deepcopy
from typing import TypeVar

from asset.frontends.python.definitions import FunctionDefinition
from asset.model.syntax_trees import names_of_clauses, stored_names

RESULT = "result"
MARK = "@"
"""Between a name and the place of the call: no name that a modeller can write has it."""

_LOOPS = (ast.For, ast.While)
_NUMBERS = (ast.Compare, ast.Constant, ast.JoinedStr)


def may_give_parts(definition: FunctionDefinition) -> bool:
    """Whether the function can be inlined, and may give something else than a number, as far as the text shows."""
    returned = [node.value for node in _returns(definition.node)]
    if not returned or leaves_unclearly(definition.node):
        return False
    return not all(value is None or _is_number(value) for value in returned) and not _is_generator(definition.node)


def is_result(name: str) -> bool:
    """Whether the name is what an inlined function returns."""
    return name.startswith(RESULT + MARK)


def is_found(name: str) -> bool:
    """Whether the name is what a statement looks for first, such as what `next` gives."""
    return name.startswith(MARK)


SEARCHED = "a part of the state that may change is looked for here"
BY_INDEX = "look for its index: i = next((i for i, x in enumerate(xs) if ...), None)"
"""What to do instead."""


def without_place(name: str) -> str:
    """The name as the modeller wrote it."""
    return name.partition(MARK)[0]


def inlinable(definition: FunctionDefinition, place: str) -> FunctionDefinition:
    """The definition with names that belong to that call, and one `return`, at its end."""
    node = deepcopy(definition.node)
    result = f"{RESULT}{MARK}{place}"
    end = node.body[-1]
    if _returns(node) != [end]:
        whole = node.body if isinstance(end, ast.Return | ast.Raise) else [*node.body, _placed(ast.Return(None), end)]
        node.body = [*_assigning(whole, result), ast.Return(ast.Name(result, ast.Load()))]
        ast.copy_location(node.body[-1], end)
        ast.fix_missing_locations(node.body[-1])
    arguments = {a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg)}
    own = {name for name in (*arguments, *stored_names(node.body), *names_of_clauses(node)) if MARK not in name}
    _Renaming({name: f"{name}{MARK}{place}" for name in own}).visit(node)
    return FunctionDefinition(definition.function, node, definition.head)


def _returns(node: ast.AST) -> list[ast.Return]:
    return [part for part in ast.walk(node) if isinstance(part, ast.Return)]


def _is_number(node: ast.expr) -> bool:
    match node:
        case ast.BoolOp(values=values):
            return all(map(_is_number, values))
        case ast.UnaryOp(operand=operand):
            return isinstance(node.op, ast.Not) or _is_number(operand)
        case ast.Call(func=ast.Name(id="any" | "all" | "sum" | "len" | "abs" | "bool" | "int")):
            return True
        case _:
            return isinstance(node, _NUMBERS)


def _is_generator(node: ast.FunctionDef) -> bool:
    return any(isinstance(part, ast.Yield | ast.YieldFrom) for part in ast.walk(node))


def _assigning(statements: list[ast.stmt], result: str, in_loop: bool = False) -> list[ast.stmt]:
    """The statements with each `return` as an assignment, after which nothing is left to do; in a loop it is left."""
    for k, statement in enumerate(statements):
        before, rest = statements[:k], statements[k + 1 :]
        match statement:
            case ast.Return(value=value):
                given = ast.Constant(None) if value is None else value
                assigned = _placed(ast.Assign([ast.Name(result, ast.Store())], given), statement)
                return [*before, assigned, *([_placed(ast.Break(), statement)] if in_loop else [])]
            case ast.If() if _returns(statement):
                statement.body = _assigning([*statement.body, *deepcopy(rest)], result, in_loop)
                statement.orelse = _assigning([*statement.orelse, *rest], result, in_loop)
                return [*before, statement]
            case ast.Match() if _returns(statement):
                for case in statement.cases:
                    case.body = _assigning([*case.body, *deepcopy(rest)], result, in_loop)
                if rest:
                    otherwise = ast.match_case(ast.MatchAs(), None, _assigning(rest, result, in_loop))
                    statement.cases.append(_placed(otherwise, rest[0]))
                return [*before, statement]
            case ast.For() | ast.While() if _returns(statement):
                return [*before, *_assigning_loop(statement, rest, result, in_loop)]
            case ast.Raise() | ast.Break() | ast.Continue():
                return statements[: k + 1]
            case _:
                pass
    return statements


def _assigning_loop(loop: ast.For | ast.While, rest: list[ast.stmt], result: str, in_loop: bool) -> list[ast.stmt]:
    """A loop that returns, and what comes after it: in its `else`, and where a `break` of its own leaves it."""
    after = _assigning(deepcopy(rest), result)
    body = _Breaking(after).block(loop.body) if not in_loop else loop.body
    loop.orelse = _assigning([*loop.orelse, *rest], result, in_loop)
    loop.body = _assigning(body, result, in_loop=True)
    if not in_loop:
        return [loop]
    loop.orelse.append(_placed(ast.Continue(), loop))
    return [loop, _placed(ast.Break(), loop)]


class _Breaking:
    """A block in which each `break` of the loop around it first does what comes after that loop."""

    def __init__(self, after: list[ast.stmt]) -> None:
        self._after = after

    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        return [done for statement in statements for done in self._statement(statement)]

    def _statement(self, statement: ast.stmt) -> list[ast.stmt]:
        match statement:
            case ast.Break():
                return [*deepcopy(self._after), statement]
            case ast.If():
                statement.body, statement.orelse = self.block(statement.body), self.block(statement.orelse)
            case ast.Match():
                for case in statement.cases:
                    case.body = self.block(case.body)
            case _:
                pass
        return [statement]


def leaves_unclearly(node: ast.AST, in_loop: bool = False) -> bool:
    """Whether a loop in a loop returns, and has a `break` of its own as well: what comes after it is in the outer."""
    for part in ast.iter_child_nodes(node):
        is_loop = isinstance(part, _LOOPS) and bool(_returns(part))
        own = [inner for inner in ast.walk(part) if isinstance(inner, ast.Break)] if is_loop and in_loop else []
        if own or leaves_unclearly(part, in_loop or is_loop):
            return True
    return False


P = TypeVar("P", ast.stmt, ast.match_case)


def _placed(made: P, at: ast.stmt) -> P:
    return ast.fix_missing_locations(ast.copy_location(made, at))


class _Renaming(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.copy_location(ast.Name(self._names.get(node.id, node.id), node.ctx), node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.copy_location(ast.arg(self._names.get(node.arg, node.arg)), node)

    def visit_MatchAs(self, node: ast.MatchAs) -> ast.AST:
        self.generic_visit(node)
        if node.name is not None:
            node.name = self._names.get(node.name, node.name)
        return node
