"""Statements that stand for simpler ones: `:=`, `reduce`, a choice in one branch of an expression, local functions.

What is moved before a statement is what Python evaluates first of it, so that nothing is evaluated earlier or later.
"""

from __future__ import annotations

import ast
import functools
import operator
from collections.abc import Callable, Iterator
from copy import deepcopy
from types import FunctionType

from asset.model.local_functions import LocalFunction, without_local_functions
from asset.model.steps.choosing import choices_in, denoted
from asset.model.syntax_trees import MADE, placed, tree_of

_OPERATORS: dict[object, type[ast.operator]] = {
    operator.add: ast.Add,
    operator.mul: ast.Mult,
    operator.or_: ast.BitOr,
    operator.and_: ast.BitAnd,
    operator.xor: ast.BitXor,
    operator.concat: ast.Add,
}


def plain_tree_of(function: FunctionType) -> ast.FunctionDef:
    """The function's definition with simpler statements; its own tree if there is nothing to do."""
    tree = tree_of(function)
    if not any(_is_rewritten(node, function) for node in ast.walk(tree)):
        return tree
    copy = without_local_functions(deepcopy(tree), function)
    _Plain(function).generic_visit(copy)
    return copy


def _is_rewritten(node: ast.AST, function: FunctionType) -> bool:
    match node:
        case ast.NamedExpr() | ast.Assign(value=ast.Lambda()):
            return True
        case ast.Call(func=callee):
            return denoted(callee, function) is functools.reduce
        case ast.IfExp() | ast.BoolOp():
            return next(choices_in(node, function), None) is not None
        case _:
            return isinstance(node, ast.FunctionDef) and node.name != function.__name__
    return False


class _Plain(ast.NodeTransformer):
    """Each statement as a list of simpler ones."""

    def __init__(self, function: FunctionType) -> None:
        self._function = function

    def visit(self, node: ast.AST) -> ast.AST | list[ast.stmt]:
        if isinstance(node, ast.expr):
            return node
        self.generic_visit(node)
        return self._simplified(node) if isinstance(node, ast.stmt) else node

    def _simplified(self, node: ast.stmt) -> list[ast.stmt]:
        for rewrite in (self._chosen, self._looped, self._nested, self._moved):
            made = rewrite(node)
            if made is not None:
                return [simple for each in made for simple in self._again(each, node)]
        return [node]

    def _again(self, made: ast.stmt, node: ast.stmt) -> list[ast.stmt]:
        """What was made may be made simpler; what it has inside was looked at before, but for what is new."""
        if isinstance(made, ast.If) and not isinstance(node, ast.If):
            made.body = [simple for each in made.body for simple in self._simplified(each)]
            made.orelse = [simple for each in made.orelse for simple in self._simplified(each)]
        return self._simplified(made)

    # --- a choice in one branch -----------------------------------------------------------------------------------

    def _chosen(self, node: ast.stmt) -> list[ast.stmt] | None:
        """`x = choose(1, 2) if test else 0` as an assignment in each branch; the same of `or`, `and`."""
        match node:
            case ast.Assign(value=ast.IfExp() as choice) | ast.AugAssign(value=ast.IfExp() as choice):
                pass
            case ast.Return(value=ast.IfExp() as choice):
                pass
            case ast.Assign(value=ast.BoolOp() as choice) if self._chooses(*choice.values[1:]):
                return _one_by_one(node, choice)
            case _:
                return None
        if not self._chooses(choice.body, choice.orelse):
            return None
        then, otherwise = (_with_value(node, part) for part in (choice.body, choice.orelse))
        return [placed(ast.If(choice.test, [then], [otherwise]), node)]

    def _chooses(self, *parts: ast.expr) -> bool:
        return any(next(choices_in(part, self._function), None) is not None for part in parts)

    # --- := and reduce --------------------------------------------------------------------------------------------

    def _looped(self, node: ast.stmt) -> list[ast.stmt] | None:
        """`while (y := f()) > 0: ...` with the test as a statement of the loop."""
        if not isinstance(node, ast.While) or node.orelse or not any(_moved_parts(node.test, self._is_reduce)):
            return None
        leave = placed(ast.If(ast.UnaryOp(ast.Not(), node.test), [placed(ast.Break(), node)], []), node.test)
        loop = ast.While(placed(ast.Constant(True), node.test), [*self._simplified(leave), *node.body], [])
        return [placed(loop, node)]

    def _nested(self, node: ast.stmt) -> list[ast.stmt] | None:
        """`if a and (y := b) > 0` as one `if` in the other; the same of `when`."""
        match node:
            case ast.If(test=ast.BoolOp(op=ast.And(), values=[first, *others]) as test, orelse=[]):
                pass
            case ast.Expr(ast.Call(args=[ast.BoolOp(op=ast.And(), values=[first, *others]) as test])):
                pass
            case _:
                return None
        if not any(part for other in others for part in _moved_parts(other, self._is_reduce)):
            return None
        rest = others[0] if len(others) == 1 else placed(ast.BoolOp(test.op, others), test)
        if isinstance(node, ast.If):
            inner = placed(ast.If(rest, node.body, []), node)
            return [placed(ast.If(first, self._simplified(inner), []), node)]
        assert isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
        callee = node.value.func
        if getattr(denoted(callee, self._function), "__name__", "") != "when":
            return None
        return [placed(ast.Expr(ast.Call(callee, [part], [])), node) for part in (first, rest)]

    def _is_reduce(self, call: ast.Call) -> bool:
        return denoted(call.func, self._function) is functools.reduce

    def _moved(self, node: ast.stmt) -> list[ast.stmt] | None:
        value = _value_of(node)
        found = None if value is None else self._first(value)
        if found is None:
            return None
        before: list[ast.stmt]
        if isinstance(found, ast.NamedExpr):
            name, before = found.target.id, [placed(ast.Assign([found.target], found.value), found)]
        else:
            name = f"reduced{MADE}{found.lineno}.{found.col_offset}"
            before = self._reduced(found, name)
        taken = ast.copy_location(ast.Name(name, ast.Load()), found)
        _Replacing(found, taken).visit(node)
        return [*before, node]

    def _first(self, node: ast.expr) -> ast.NamedExpr | ast.Call | None:
        """What is to be moved, if it is what is evaluated first."""
        match node:
            case ast.NamedExpr():
                return node if self._first(node.value) is None else self._first(node.value)
            case ast.Call() if self._is_reduce(node):
                return node if _is_reducible(node) else None
            case (
                ast.Compare(left=inner)
                | ast.BinOp(left=inner)
                | ast.UnaryOp(operand=inner)
                | ast.BoolOp(values=[inner, *_])
                | ast.Attribute(value=inner)
                | ast.Subscript(value=inner)
                | ast.IfExp(test=inner)
                | ast.Call(func=ast.Name() | ast.Attribute(value=ast.Name()), args=[inner, *_])
            ):
                return self._first(inner)
            case _:
                return None

    def _reduced(self, call: ast.Call, name: str) -> list[ast.stmt]:
        """`reduce(f, items, start)` as a loop; without a start, the first of the items is it."""
        function, items, *start = call.args
        element = f"each{MADE}{call.lineno}.{call.col_offset}"

        def assigned(target: str, value: ast.expr) -> ast.stmt:
            return placed(ast.Assign([ast.Name(target, ast.Store())], value), call)

        before: list[ast.stmt] = []
        if start:
            before = [assigned(name, start[0])]
        else:
            listed = f"items{MADE}{call.lineno}.{call.col_offset}"
            known = ast.Name(listed, ast.Load())
            nothing = ast.Call(ast.Name("TypeError", ast.Load()), [ast.Constant("reduce() of nothing")], [])
            empty = ast.If(ast.UnaryOp(ast.Not(), known), [ast.Raise(nothing)], [])
            before = [assigned(listed, ast.List([ast.Starred(items, ast.Load())], ast.Load())), placed(empty, call)]
            before.append(assigned(name, ast.Subscript(known, ast.Constant(0), ast.Load())))
            items = ast.Subscript(known, ast.Slice(ast.Constant(1), None), ast.Load())
        applied = self._applied(function, ast.Name(name, ast.Load()), ast.Name(element, ast.Load()))
        body = assigned(name, placed(applied, call))
        return [*before, placed(ast.For(ast.Name(element, ast.Store()), items, [body], []), call)]

    def _applied(self, function: ast.expr, left: ast.expr, right: ast.expr) -> ast.expr:
        op = _OPERATORS.get(denoted(function, self._function))
        if op is not None:
            return ast.BinOp(left, op(), right)
        if isinstance(function, ast.Lambda):
            return LocalFunction(function.args, function.body, self._function).applied([left, right])
        return ast.Call(function, [left, right], [])


def _one_by_one(node: ast.Assign, choice: ast.BoolOp) -> list[ast.stmt]:
    """`x = a or b` as two assignments, the second one if it is needed."""
    name = f"either{MADE}{choice.lineno}.{choice.col_offset}"
    first, *others = choice.values
    rest = others[0] if len(others) == 1 else ast.BoolOp(choice.op, others)
    known = ast.Name(name, ast.Load())
    test = known if isinstance(choice.op, ast.And) else ast.UnaryOp(ast.Not(), known)
    both = [placed(ast.Assign([ast.Name(name, ast.Store())], part), node) for part in (first, rest)]
    return [both[0], placed(ast.If(test, [both[1]], []), node), placed(ast.Assign(node.targets, known), node)]


def _moved_parts(node: ast.expr, is_reduce: Callable[[ast.Call], bool]) -> Iterator[ast.AST]:
    """The parts that `_moved` might move."""
    for part in ast.walk(node):
        if isinstance(part, ast.NamedExpr) or (isinstance(part, ast.Call) and is_reduce(part)):
            yield part


def _is_reducible(call: ast.Call) -> bool:
    return len(call.args) in (2, 3) and not call.keywords and not any(isinstance(a, ast.Starred) for a in call.args)


def _value_of(statement: ast.stmt) -> ast.expr | None:
    """What the statement evaluates first, if it evaluates it once and always."""
    match statement:
        case ast.Assign(value=value) | ast.AnnAssign(value=value) | ast.Return(value=value) | ast.Expr(value=value):
            return value
        case ast.If(test=test) | ast.Assert(test=test):
            return test
        case ast.Match(subject=subject):
            return subject
        case ast.For(iter=iterated):
            return iterated
        case _:
            return None


def _with_value(statement: ast.stmt, value: ast.expr) -> ast.stmt:
    fields = {name: deepcopy(part) for name, part in ast.iter_fields(statement)}
    return placed(type(statement)(**{**fields, "value": value}), statement)


class _Replacing(ast.NodeTransformer):
    def __init__(self, old: ast.expr, new: ast.expr) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self._new if node is self._old else self.generic_visit(node)
