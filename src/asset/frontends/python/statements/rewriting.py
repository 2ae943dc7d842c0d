"""Statements that stand for simpler ones: `next(...)`, what is chosen by `if`, and what is taken out of a collection.

What is moved before a statement is what Python evaluates first of it, so that nothing is evaluated earlier or later.
"""

from __future__ import annotations

import ast
from copy import deepcopy
from typing import Protocol

from asset.frontends.python.inlining import MARK
from asset.model.syntax_trees import placed, stored_names


class Moving(Protocol):
    """What is known of expressions that are evaluated in a statement of their own."""

    def is_next(self, node: ast.Call) -> bool:
        """Whether the call is one of Python's own `next`, of a generator or of `iter(...)`."""

    def choice(self, node: ast.expr) -> ast.IfExp | None:
        """The choice between parts of the state that the expression is; None if it is none."""

    def takes_out(self, node: ast.AST) -> bool:
        """Whether it takes something out of a collection, as `self.queue.get()` does."""

    def takes_out_of(self, choice: ast.IfExp) -> bool:
        """Whether something is taken out in one of the two cases."""


def rewritten(statement: ast.stmt, moving: Moving) -> list[ast.stmt]:
    """Statements that mean the same; the statement alone if there is nothing to do."""
    match statement:
        case ast.Expr(ast.Call(func=ast.Attribute() as func, args=[ast.IfExp() as choice], keywords=[])):
            if _is_plain(func.value) and (_has_parts(choice.body) or _has_parts(choice.orelse)):
                return [_by_cases(statement, func, choice)]
        case ast.AugAssign(target=target, op=op, value=ast.IfExp() as choice):
            if _is_plain(target) and (_has_parts(choice.body) or _has_parts(choice.orelse)):
                then, otherwise = (ast.AugAssign(target, op, part) for part in (choice.body, choice.orelse))
                return [placed(ast.If(choice.test, [then], [otherwise]), choice)]
    value = _value_of(statement)
    found = None if value is None else _first(value, moving)
    is_whole = found is value and isinstance(statement, ast.Assign | ast.Return | ast.Expr)
    if found is None or (is_whole and moving.takes_out(found)):
        return [_returning(statement, moving)]
    name = f"{MARK}{found.lineno}.{found.col_offset}"
    taken = ast.copy_location(ast.Name(name, ast.Load()), found)
    rest = _shallow(statement)
    _Replacing(found, taken).visit(rest)
    chosen = found if moving.takes_out(found) else moving.choice(found)
    if chosen is not None:
        return [placed(ast.Assign([ast.Name(name, ast.Store())], chosen), found), rest]
    assert isinstance(found, ast.Call)
    return [*_searched(found, name), rest]


def _returning(statement: ast.stmt, moving: Moving) -> ast.stmt:
    """The statement; `return a if test else b` as a `return` in each case, if something is taken out in one of them."""
    match statement:
        case ast.Return(value=ast.IfExp() as choice) if moving.takes_out_of(choice):
            returns: list[ast.stmt] = [placed(ast.Return(part), part) for part in (choice.body, choice.orelse)]
            return placed(ast.If(choice.test, returns[:1], returns[1:]), choice)
        case _:
            return statement


def _value_of(statement: ast.stmt) -> ast.expr | None:
    """What the statement evaluates first, if it evaluates it once and always."""
    match statement:
        case ast.Assign(value=value) | ast.Return(value=value) | ast.Expr(value=value):
            return value
        case ast.If(test=value) | ast.Assert(test=value) | ast.For(iter=value) | ast.Match(subject=value):
            return value
        case ast.AugAssign(target=target, value=value) if _is_plain(target):
            return value
        case _:
            return None


def _first(node: ast.expr, moving: Moving) -> ast.expr | None:
    """What is to be moved, if it is what is evaluated first."""
    match node:
        case ast.Call(args=[ast.GeneratorExp(generators=[_]) | ast.Call(args=[_]), *default]) if (
            len(default) < 2 and not node.keywords and moving.is_next(node)
        ):
            return node if all(map(_is_plain, default)) else None
        case ast.IfExp() | ast.Call() | ast.Attribute() if moving.choice(node) is not None or moving.takes_out(node):
            return node
        case ast.Compare(left=left, comparators=[right, *_]) | ast.BinOp(left=left, right=right):
            return _first(left, moving) or (_first_choice(right, moving) if _is_plain(left) else None)
        case ast.UnaryOp(operand=inner) | ast.BoolOp(values=[inner, *_]) | ast.Tuple(elts=[inner, *_]):
            return _first(inner, moving)
        case ast.Subscript(value=base, slice=inner) if _is_plain(base):
            return _first(base, moving) or _first(inner, moving)
        case ast.Attribute(value=inner) | ast.Subscript(value=inner) | ast.IfExp(test=inner):
            return _first(inner, moving)
        case ast.Call(func=ast.Attribute(value=base), args=[inner, *_]) if _is_plain(base):
            return _first(base, moving) or _first(inner, moving)
        case ast.Call(func=ast.Name(), args=[inner, *_]) | ast.Call(func=ast.Attribute(value=inner)):
            return _first(inner, moving)
        case ast.GeneratorExp() | ast.ListComp() | ast.SetComp() | ast.DictComp():
            return _first(node.generators[0].iter, moving)
        case _:
            return None


def _first_choice(node: ast.expr, moving: Moving) -> ast.expr | None:
    """The choice that is evaluated first of an operand behind a plain one, which it does not change."""
    found = _first(node, moving)
    choice = None if found is None else moving.choice(found)
    has_calls = choice is None or any(isinstance(part, ast.Call) for part in ast.walk(choice))
    return None if has_calls else found


def _searched(call: ast.Call, name: str) -> list[ast.stmt]:
    """`next((x for x in xs if test), default)` as a loop that is left with the first one."""
    generator = call.args[0]
    if isinstance(generator, ast.Call):
        each = ast.comprehension(ast.Name("each", ast.Store()), generator.args[0], [], 0)
        generator = placed(ast.GeneratorExp(ast.Name("each", ast.Load()), [each]), generator)
    assert isinstance(generator, ast.GeneratorExp)
    clause = generator.generators[0]
    renaming = _Renaming({each: f"{each}{name}" for each in stored_names([clause.target])})
    target, found = renaming.visit(deepcopy(clause.target)), renaming.visit(deepcopy(generator.elt))
    taken = placed(ast.Assign([ast.Name(name, ast.Store())], found), generator.elt)
    body: list[ast.stmt] = [taken, placed(ast.Break(), generator.elt)]
    for test in reversed(clause.ifs):
        body = [placed(ast.If(renaming.visit(deepcopy(test)), body, []), test)]
    loop = placed(ast.For(target, clause.iter, body, []), call)
    if len(call.args) == 2:
        return [placed(ast.Assign([ast.Name(name, ast.Store())], call.args[1]), call), loop]
    loop.orelse = [placed(ast.Raise(ast.Name("StopIteration", ast.Load())), call)]
    return [loop]


def _by_cases(statement: ast.stmt, func: ast.Attribute, choice: ast.IfExp) -> ast.stmt:
    def called(argument: ast.expr) -> list[ast.stmt]:
        return [placed(ast.Expr(ast.Call(func, [argument], [])), statement)]

    return placed(ast.If(choice.test, called(choice.body), called(choice.orelse)), choice)


def _is_plain(node: ast.expr) -> bool:
    """Whether it is evaluated without effects, errors, or a look at what may have changed."""
    match node:
        case ast.Attribute(value=inner) | ast.UnaryOp(operand=inner):
            return _is_plain(inner)
        case _:
            return isinstance(node, ast.Name | ast.Constant)


def _has_parts(node: ast.expr) -> bool:
    """Whether it may be no number."""
    return isinstance(node, ast.Call | ast.Tuple | ast.List | ast.Set | ast.ListComp | ast.SetComp)


def _shallow(statement: ast.stmt) -> ast.stmt:
    """A copy of which parts may be replaced."""
    made = type(statement)(**dict(ast.iter_fields(statement)))
    return ast.copy_location(made, statement)


class _Replacing(ast.NodeTransformer):
    """Replaces one expression; what it is part of is copied, as the tree is read again."""

    def __init__(self, old: ast.expr, new: ast.expr) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        if node is self.old:
            return self.new
        if isinstance(node, ast.stmt):
            for field in ("value", "test", "iter", "subject"):
                if isinstance(getattr(node, field, None), ast.expr):
                    setattr(node, field, self.visit(getattr(node, field)))
            return node
        if not any(each is self.old for each in ast.walk(node)):
            return node
        fields = {name: list(part) if isinstance(part, list) else part for name, part in ast.iter_fields(node)}
        made = type(node)(**fields)
        return self.generic_visit(ast.copy_location(made, node))


class _Renaming(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self.names.get(node.id, node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg = self.names.get(node.arg, node.arg)
        return node
