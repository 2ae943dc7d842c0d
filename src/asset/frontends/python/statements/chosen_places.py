"""Choices between parts of the state, written where they are used or as a method of the model."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from inspect import getattr_static
from types import FunctionType

from asset.frontends.python.body import Body
from asset.frontends.python.expressions.expression_compiler import ExpressionCompiler
from asset.frontends.python.problems import Rejected
from asset.frontends.python.values import Itself, Operation, Static
from asset.model.local_functions import LocalFunction
from asset.model.syntax_trees import placed


class ChosenPlaces:
    """What is to be evaluated in a statement of its own: it is the `Moving` of `rewriting`."""

    def __init__(self, body: Body, expressions: ExpressionCompiler) -> None:
        self._body = body
        self._expressions = expressions

    def is_next(self, node: ast.Call) -> bool:
        made = node.args[0]
        is_made = isinstance(made, ast.GeneratorExp) or (isinstance(made, ast.Call) and self._is(made.func, iter))
        return is_made and self._is(node.func, next)

    def _is(self, node: ast.expr, function: object) -> bool:
        return isinstance(node, ast.Name) and self._expressions.evaluate(node) == Static(function)

    def takes_out(self, node: ast.AST) -> bool:
        """Whether it takes something out of a collection, as `self.queue.get()` does."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return False
        if not self._is_stored(node.func.value):
            return False
        try:
            with self._body.trial():
                callee = self._expressions.evaluate(node.func)
        except Rejected:
            return False
        return isinstance(callee, Operation) and callee.name in self._expressions.compounds.lowered(callee.value).TAKES

    def takes_out_of(self, choice: ast.IfExp) -> bool:
        """Whether something is taken out in one of the two cases."""
        return any(map(self.takes_out, (*ast.walk(choice.body), *ast.walk(choice.orelse))))

    def _is_stored(self, node: ast.expr) -> bool:
        """Whether it is a state variable, a local one, or a part of one; not what a function or a property gives."""
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if isinstance(self._body.names.get(name), Itself):
                return attr in self._body.draft.model._variables
            case ast.Attribute(value=inner):
                return self._is_stored(inner)
            case ast.Subscript(value=inner, slice=index):
                return self._is_stored(inner) and not any(isinstance(part, ast.Call) for part in ast.walk(index))
            case _:
                return isinstance(node, ast.Name)

    def choice(self, node: ast.expr) -> ast.IfExp | None:
        """`self.a if test else self.b` as an expression, or as what a method returns; None if it is something else."""
        found = node if isinstance(node, ast.IfExp) else self._returned(node)
        if found is None or not self._expressions.operators.chooses_places(found):
            return None
        return found

    def _returned(self, node: ast.expr) -> ast.IfExp | None:
        """What a method or a property of the model returns, if that is a choice and nothing else is done."""
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name() as itself, attr=name), args=given, keywords=[]):
                function = self._member(itself, name)
            case ast.Attribute(value=ast.Name() as itself, attr=name):
                member = self._member(itself, name)
                function, given = (member.fget if isinstance(member, property) else None), []
            case _:
                return None
        if not isinstance(function, FunctionType) or not self._is_beside(function):
            return None
        tree = self._body.draft.definitions.of(function).node
        made = _as_choice(tree.body)
        if not isinstance(made, ast.IfExp):
            return None
        local, call = LocalFunction(tree.args, made, function), ast.Call(node, [itself, *given], [])
        if not local.is_plain or not local.takes(call):
            return None
        applied = placed(local.applied(call.args), node)
        return applied if isinstance(applied, ast.IfExp) else None

    def _member(self, itself: ast.Name, name: str) -> object:
        is_model = isinstance(self._body.names.get(itself.id), Itself)
        return getattr_static(type(self._body.draft.model), name, None) if is_model else None

    def _is_beside(self, function: FunctionType) -> bool:
        """Whether names mean the same in the function as they do here, but for local ones."""
        here = self._body.definition.function
        is_closed = function.__code__.co_freevars or here.__code__.co_freevars
        return function.__globals__ is here.__globals__ and not is_closed and not self._hides(function)

    def _hides(self, function: FunctionType) -> bool:
        """Whether a local name here is the name of something global in the function."""
        return any(name in self._body.names for name in function.__code__.co_names)


def _as_choice(statements: Sequence[ast.stmt]) -> ast.expr | None:
    """`if test: return a`, `return b` as one expression; None if there is more than that."""
    match statements:
        case [ast.Expr(value=ast.Constant()), *rest]:
            return _as_choice(rest)
        case [ast.Return(value=value), *_]:
            return value
        case [ast.If(test=test, body=body, orelse=orelse), *rest]:
            then, otherwise = _as_choice(body), _as_choice([*orelse, *rest])
            is_whole = then is not None and otherwise is not None
            return placed(ast.IfExp(test, then, otherwise), test) if is_whole else None  # type: ignore[arg-type]
        case _:
            return None
