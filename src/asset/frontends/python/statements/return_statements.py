"""return: what a function may return depends on what it is compiled for."""

from __future__ import annotations

import ast
from typing import NoReturn

from asset.frontends.python.body import Body
from asset.frontends.python.expressions.expression_compiler import ExpressionCompiler
from asset.frontends.python.expressions.invocations import is_users_own
from asset.frontends.python.inlining import leaves_unclearly
from asset.frontends.python.requests import Argument, FunctionRole, copied
from asset.frontends.python.values import ArrayRef, Compound, Computed, RecordOf, Truth, TupleOf, Value
from asset.ir import nodes as n
from asset.ir.shapes import OptionalShape, RefShape, refers

_NOTHING = {
    FunctionRole.TRANSITION: ("a transition returns nothing", "disable it with when(...)"),
    FunctionRole.RULE: ("a rule returns nothing", "list the transitions with stb(...)"),
    FunctionRole.REPRESENTATIVE: ("symmetry_representative returns nothing", "change the state in place"),
}
"""The functions that return nothing: what to say, and the way out."""


class ReturnStatements:
    def __init__(self, body: Body, expressions: ExpressionCompiler) -> None:
        self._body = body
        self._expressions = expressions
        self._invoke = expressions.invocations.invoke

    def return_(self, node: ast.Return) -> None:
        value = self._returned(node)
        self._body.emit(n.Return(self._body.span(node), value))
        self._body.bound = None

    def _returned(self, node: ast.Return) -> n.Expr | None:
        role, summary = self._body.role, self._body.summary
        nothing = node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None)
        if role is FunctionRole.MESSAGES:
            return self._message(node.value) if node.value is not None else None
        if nothing or node.value is None:
            summary.gives_nothing = True
            if role in (FunctionRole.FIRE, FunctionRole.PROPERTY):
                self._body.reject(node, f"{self._body.definition.node.name} must return True or False on every path")
            return None
        if role in _NOTHING:
            self._body.reject(node, *_NOTHING[role])
        if isinstance(node.value, ast.Tuple) and role is not FunctionRole.CELL:
            self._reject_parts("a tuple", node.value)
        if role is FunctionRole.PROPERTY:
            summary.gives_value = True
            return self._test(self._expressions.condition(node.value), node.value)
        value = self._expressions.evaluate_now(node.value)
        if role is FunctionRole.CELL:
            return self._cell(value, node.value)
        shape = value.shape if role is FunctionRole.HELPER and isinstance(value, Compound) else None
        ref = shape if isinstance(shape, RefShape) else None
        if summary.gives_value and summary.refers != ref:
            self._body.reject(node.value, "a function returns a number or a reference, not both", "write two functions")
        summary.gives_value, summary.refers = True, ref
        if ref is not None and isinstance(value, Compound):
            return value.cell(0, (), self._body.span(node.value))
        if isinstance(value, Truth):
            summary.gives_truth = value.operand
            return value.expr
        if role is FunctionRole.HELPER and isinstance(value, Compound) and isinstance(value.shape, OptionalShape):
            self._reject_parts("None or a value", node.value)
        return self._expressions.number(value, node.value)

    def _test(self, test: n.Expr | bool, node: ast.expr) -> n.Expr:
        return n.Const(self._body.span(node), int(test)) if isinstance(test, bool) else test

    def _reject_parts(self, returned: str, node: ast.expr) -> NoReturn:
        if self._body.role is FunctionRole.HELPER and leaves_unclearly(self._body.definition.node):
            what = "a loop in a loop is left by break and by return: what is returned can only be a number then"
            self._body.reject(node, what, "move the inner loop to a function of its own")
        self._body.reject(node, f"{returned} is returned where one value is needed", "write a function for each")

    def _cell(self, value: Value, node: ast.expr) -> n.Expr:
        """One of the numbers that the value is made of."""
        if isinstance(value, ArrayRef):
            value = self._expressions.storage.as_compound(value)
        cells = self._cells(value, node)
        if not cells:
            self._body.reject(node, "this has no cell that could change")
        self._body.summary.gives_value = True
        self._body.summary.given = Argument("", copied(value), len(cells))
        return cells[self._body.cell]

    def _cells(self, value: Value, node: ast.expr) -> list[n.Expr]:
        match value:
            case TupleOf(items) | RecordOf(items=items):
                return [cell for item in items for cell in self._cells(item, node)]
            case Compound(shape=shape) if refers(shape):
                what = "references of two states cannot be compared: objects are numbered anew in each"
                self._body.reject(node, what, "compare parts of the objects: after(self.head.value)")
            case Compound() if not isinstance(value.source, Computed):
                return self._expressions.storage.cells(value, self._body.span(node))
            case _:
                return [self._expressions.number(value, node)]

    def _message(self, node: ast.expr) -> n.Expr:
        """What is wrong, as the number of its text; 0 if nothing is."""
        span = self._body.span(node)
        match node:
            case ast.Constant(value=str() as text) if text:
                messages = self._body.draft.messages
                if text not in messages:
                    messages.append(text)
                return n.Const(span, messages.index(text) + 1)
            case ast.Constant(value=None | False | 0 | ""):
                return n.Const(span, 0)
            case ast.IfExp():
                test = self._expressions.condition(node.test)
                if isinstance(test, bool):
                    return self._message(node.body if test else node.orelse)
                return n.Conditional(span, test, self._message(node.body), self._message(node.orelse))
            case ast.BoolOp(op=ast.Or()):
                return n.Or(span, tuple(self._message(part) for part in node.values))
            case ast.Call():
                return self._called_message(node)
            case ast.JoinedStr():
                self._body.reject(node, "the message of a check is fixed text", "the values are shown with the state")
            case _:
                self._body.reject(node, "a check returns text that says what is wrong, or None")

    def _called_message(self, node: ast.Call) -> n.Expr:
        callee = self._expressions.evaluate(node.func)
        if not is_users_own(callee):
            self._body.reject(node, "a check returns text that says what is wrong, or None")
        return self._invoke(callee, node, FunctionRole.MESSAGES)[1]
