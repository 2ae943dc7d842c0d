"""Lists that may be long, such as those of messages, are made where they are used, if that is the same."""

from __future__ import annotations

import ast
from inspect import getattr_static

from asset.frontends.python.body import Body
from asset.frontends.python.expressions.expression_compiler import ExpressionCompiler
from asset.frontends.python.fusing import fused
from asset.frontends.python.problems import Rejected
from asset.frontends.python.values import Itself, Scalar, SlotRef, Static
from asset.model import Record, when

LONGEST_KEPT = 16
"""A list that may be longer is not kept if it need not be."""
_FOLDS = ("abs", "all", "any", "bool", "divmod", "int", "isinstance", "len", "max", "min", "pow", "sum")
PURE = frozenset((*_FOLDS, "enumerate", "list", "range", "reversed", "set", "sorted", "tuple", "zip"))


class LongLists:
    def __init__(self, body: Body, expressions: ExpressionCompiler) -> None:
        self._body = body
        self._iterables = expressions.iterables

    def without(self, statement: ast.stmt, after: list[ast.stmt]) -> tuple[ast.stmt, list[ast.stmt]]:
        """The statement and those after it, without the list that it makes if that is long."""
        if not isinstance(statement, ast.Assign) or not self._is_long(statement.value):
            return statement, after
        return fused(statement, after, self._body.definition, self) or (statement, after)

    def _is_long(self, node: ast.expr) -> bool:
        if not isinstance(node, ast.ListComp) or self._hides_builtins():
            return False
        try:
            with self._body.trial():
                rounds = self._iterables.traversal(node.generators[0].iter).most_rounds
        except Rejected:
            return False
        return rounds is not None and rounds > LONGEST_KEPT

    def is_pure(self, part: ast.Call | ast.Attribute) -> bool:
        """Whether it is known that a call, or the reading of an attribute, changes nothing."""
        if isinstance(part, ast.Attribute):
            return not isinstance(getattr_static(type(self._body.draft.model), part.attr, None), property)
        if not isinstance(part.func, ast.Name):
            return False
        known = self._body.definition.function.__globals__.get(part.func.id)
        return part.func.id in PURE or known is when or (isinstance(known, type) and issubclass(known, Record))

    def variable(self, node: ast.expr) -> str | None:
        """The state variable that `self.name` is; None if the expression is none."""
        match node:
            case ast.Attribute(value=ast.Name(id=name)) if isinstance(self._body.names.get(name), Itself):
                return node.attr
            case _:
                return None

    def is_number(self, name: str) -> bool:
        """Whether the name denotes a number or a constant, and no part of the state."""
        known = self._body.names.get(name)
        return self._body.draft.model._heaps is None and (known is None or isinstance(known, SlotRef | Static | Scalar))

    def _hides_builtins(self) -> bool:
        function = self._body.definition.function
        hidden = PURE & (function.__globals__.keys() | self._body.definition.closure.keys() | self._body.names.keys())
        return bool(hidden) or function.__globals__.get("when", when) is not when
