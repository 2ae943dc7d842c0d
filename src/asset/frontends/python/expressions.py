"""Expressions: from Python's syntax tree to what they denote."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from asset.frontends.python.calls import Calls
from asset.frontends.python.operators import Operators
from asset.frontends.python.problems import OUTSIDE
from asset.frontends.python.values import SetOf, Static, TupleOf, Value
from asset.ir import nodes as n


class Expressions(Operators, Calls):
    def evaluate(self, node: ast.expr) -> Value:
        compile_node = _EXPRESSIONS.get(type(node))
        if compile_node is None:
            what = f"{type(node).__name__} is not part of the language"
            self.reject(node, *OUTSIDE.get(type(node), (what, "")))
        return compile_node(self, node)

    def literal(self, node: ast.Constant) -> Value:
        return Static(node.value)

    def tuple_display(self, node: ast.Tuple) -> Value:
        items = tuple(self.evaluate(part) for part in node.elts)
        if all(isinstance(item, Static) for item in items):
            return Static(tuple(item.value for item in items if isinstance(item, Static)))
        return TupleOf(items)

    def set_display(self, node: ast.Set) -> Value:
        return SetOf(tuple(self.evaluate(part) for part in node.elts))

    # --- text -----------------------------------------------------------------------------------------------------

    def text(self, node: ast.expr) -> tuple[str | n.Expr, ...]:
        """A message: text, with values known at run time in it."""
        match node:
            case ast.JoinedStr(values=parts):
                return tuple(piece for part in parts for piece in self.text(part))
            case ast.FormattedValue(value=inner, format_spec=None):
                return self._formatted(self.evaluate(inner), inner)
            case ast.FormattedValue():
                self.reject(node, "a format in an f-string is not part of the language", "write {value} alone")
            case ast.BinOp(op=ast.Add()):
                return (*self.text(node.left), *self.text(node.right))
            case _:
                value = self.evaluate(node)
                return self._formatted(value, node)

    def _formatted(self, value: Value, node: ast.expr) -> tuple[str | n.Expr, ...]:
        if isinstance(value, Static):
            return (str(value.value),)
        return (self.number(value, node),)


_EXPRESSIONS: dict[type[ast.expr], Callable[[Expressions, Any], Value]] = {
    ast.Constant: Expressions.literal,
    ast.Name: Expressions.name,
    ast.Attribute: Expressions.attribute,
    ast.Subscript: Expressions.subscript,
    ast.BinOp: Expressions.binary,
    ast.UnaryOp: Expressions.unary,
    ast.BoolOp: Expressions.boolean,
    ast.Compare: Expressions.comparison,
    ast.IfExp: Expressions.conditional,
    ast.Call: Expressions.call,
    ast.Tuple: Expressions.tuple_display,
    ast.Set: Expressions.set_display,
}
