"""The methods that all sets have: operators by name, with any number of operands, which need not be sets."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from asset.frontends.python.shapes.lowering import Lowering
from asset.frontends.python.values import Compound, Scalar, SetOf, Static, Value
from asset.ir import nodes as n
from asset.ir.shapes import BoundedSetShape, Collection, LocalShape, SetShape
from asset.model.syntax_trees import called

_BY_NAME = {
    "union": n.BinaryOp.OR,
    "intersection": n.BinaryOp.AND,
    "difference": n.BinaryOp.SUB,
    "symmetric_difference": n.BinaryOp.XOR,
}
_GENERATED = (ast.GeneratorExp, ast.ListComp)


class SetMethods(Lowering):
    WITHOUT: ClassVar[Mapping[str, tuple[str, str]]] = {
        "pop": (
            "Python does not say which element pop takes",
            "write x = choose(...) or x = min(...), then ....remove(x)",
        )
    }

    def combined(self, op: n.BinaryOp, other: Value, node: ast.expr) -> Value:
        """`self op other`."""
        raise NotImplementedError

    def combined_with(self, left: Value, op: n.BinaryOp, node: ast.expr) -> Value:
        """`left op self`, of a Set in the state."""
        raise NotImplementedError

    def compared(self, op: n.BinaryOp, other: Value, node: ast.expr) -> n.Expr:
        """`self op other` for the order by inclusion."""
        raise NotImplementedError

    def folded(self, op: n.BinaryOp, node: ast.Call) -> Value:
        """`self op a op b` of the arguments a, b."""
        result: Value = self.value
        for argument in self._given(node):
            assert isinstance(result, Compound)
            lowered = self.compounds.lowered(result)
            assert isinstance(lowered, SetMethods)
            result = lowered.combined(op, self.as_set(argument), argument)
        return result

    def _given(self, node: ast.Call) -> list[ast.expr]:
        if node.keywords or not node.args or any(isinstance(part, ast.Starred) for part in node.args):
            self.body.reject(node, f"{ast.unparse(node.func)} takes sets here", "write a for loop, and |= in it")
        return node.args

    def as_set(self, node: ast.expr) -> Value:
        """What the argument denotes; the set of its elements if it is no set."""
        if not isinstance(node, _GENERATED):
            node = self.compounds.operand(node)
            value = self.compounds.through(self.compounds.evaluation.evaluate(node), node)
            if _is_set(value):
                return value
        return self.compounds.evaluation.evaluate(called(set, node))

    def becomes(self, op: n.BinaryOp, node: ast.Call) -> None:
        """`self op= a`."""
        place = self.at(node)
        made = place.folded(op, node)
        place.store(self.holding.assigned(made, node), node)

    def related(self, op: n.BinaryOp, node: ast.Call) -> Value:
        (argument,) = self._one(node)
        return Scalar(self.compared(op, self.as_set(argument), node))

    def isdisjoint(self, node: ast.Call) -> Value:
        (argument,) = self._one(node)
        both = self.combined(n.BinaryOp.AND, self.as_set(argument), node)
        assert isinstance(both, Compound)
        span = self.body.span(node)
        return Scalar(n.Unary(span, n.UnaryOp.NOT, self.compounds.lowered(both).truth(span)))

    def _one(self, node: ast.Call) -> list[ast.expr]:
        if len(node.args) != 1:
            self.arguments(node, 1, 1)
        return self._given(node)


def _is_set(value: Value) -> bool:
    match value:
        case SetOf() | Static(set() | frozenset()):
            return True
        case Compound(shape=SetShape() | BoundedSetShape() | LocalShape(kind=Collection.SET)):
            return True
        case _:
            return False


def _called(method: Callable[..., Any], op: n.BinaryOp) -> Callable[..., Any]:
    return lambda lowered, node: method(lowered, op, node)


VALUES: Mapping[str, Callable[[Any, ast.Call], Value]] = {
    **{name: _called(SetMethods.folded, op) for name, op in _BY_NAME.items()},
    "issubset": _called(SetMethods.related, n.BinaryOp.LE),
    "issuperset": _called(SetMethods.related, n.BinaryOp.GE),
    "isdisjoint": SetMethods.isdisjoint,
}
ACTIONS: Mapping[str, Callable[[Any, ast.Call], None]] = {
    "update": _called(SetMethods.becomes, n.BinaryOp.OR),
    **{f"{name}_update": _called(SetMethods.becomes, op) for name, op in _BY_NAME.items() if op is not n.BinaryOp.OR},
}
