"""What every compound value has in common."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from asset.frontends.python.sweeps import Sweep
from asset.frontends.python.values import Compound, InState, Operation, Static, Value
from asset.ir import nodes as n
from asset.ir.shapes import OptionalShape, Shape, leaves, noun
from asset.span import Span

if TYPE_CHECKING:
    from asset.frontends.python.compounds import Compounds


class Lowering:
    """A compound value in the code that is being compiled. What its shape does not offer is rejected."""

    VALUES: ClassVar[Mapping[str, Callable[[Any, ast.Call], Value]]] = {}
    """Its methods that give a value."""
    ACTIONS: ClassVar[Mapping[str, Callable[[Any, ast.Call], None]]] = {}
    """Its methods that change it."""
    remedy = ""
    """What to do where it is used as a number."""

    def __init__(self, body: Compounds, value: Compound) -> None:
        self.body = body
        self.value = value

    @property
    def shape(self) -> Any:
        return self.value.shape

    @property
    def noun(self) -> str:
        return noun(self.value.shape)

    # --- what shapes offer ----------------------------------------------------------------------------------------

    def attribute(self, name: str, node: ast.Attribute) -> Value:
        """`value.name`: a method, before it is called."""
        if name in self.VALUES or name in self.ACTIONS:
            return Operation(self.value, name)
        self.reject_name(name, node)

    def reject_name(self, name: str, node: ast.expr) -> NoReturn:
        known = ", ".join([*self.ACTIONS, *self.VALUES]) or "no names"
        self.body.reject(node, f"a {self.noun} has no '{name}'", f"it has: {known}")

    def part(self, name: str, node: ast.expr) -> Compound:
        """The place of `value.name`, to be assigned to."""
        self.body.reject(node, f"a {self.noun} has no '{name}' that could be assigned")

    def element(self, index: Value, node: ast.expr) -> Value:
        """`value[index]`."""
        return self.body.normal(self.item(index, node), node)

    def item(self, index: Value, node: ast.expr) -> Compound:
        """The place of `value[index]`."""
        self.body.reject(node, f"a {self.noun} cannot be indexed")

    def items(self, node: ast.expr) -> tuple[Value, ...]:
        """The items of a tuple."""
        self.body.reject(node, f"a {self.noun} is not a tuple")

    def inner(self, node: ast.expr) -> Compound:
        """The item of an optional."""
        self.body.reject(node, f"a {self.noun} is not an Optional")

    def length(self, node: ast.expr) -> n.Expr:
        self.body.reject(node, f"a {self.noun} has no length")

    def truth(self, span: Span) -> n.Expr:
        """Whether Python takes it for true."""
        return n.Const(span, 1)

    def contains(self, element: Value, node: ast.expr) -> n.Expr:
        self.body.reject(node, f"a {self.noun} cannot be searched")

    def sweep(self, node: ast.expr) -> Sweep:
        self.body.reject(node, f"a {self.noun} cannot be iterated over")

    def store_item(self, index: Value, value: Value, target: ast.Subscript) -> None:
        """`place[index] = value`."""
        self.body.lowered(self.item(index, target)).assign(value, target)

    def store(self, value: Value, node: ast.expr) -> None:
        """Assigns to the place, whose indices are held; an optional value must be there."""
        if isinstance(value, Compound) and isinstance(value.shape, OptionalShape):
            value = self.body.normal(self.body.lowered(value).inner(node), node)
        self.put_in(value, node)

    def put_in(self, value: Value, node: ast.expr) -> None:
        """Assigns a value of a suitable shape."""
        if not isinstance(value, Compound) or value.shape != self.value.shape:
            self.body.reject(node, f"{self.value.name} takes a value of its own {self.noun}")
        self.body.copy(self.value, value, self.body.span(node))

    def equals(self, other: Value, node: ast.expr) -> n.Expr:
        if not isinstance(other, Compound) or other.shape != self.value.shape:
            self.body.reject(node, f"a {self.noun} is compared with something else", "compare values of one shape")
        return self.body.same_cells(self.value, other, self.body.span(node))

    # --- for all --------------------------------------------------------------------------------------------------

    def assign(self, value: Value, target: ast.expr) -> None:
        """`place = value`: the value is evaluated first, then the place, then all of it is assigned."""
        value = self.body.whole(value, target)
        self.at(target).store(value, target)

    def at(self, node: ast.expr) -> Any:
        """The same place with its indices held, ready to be changed by several statements."""
        if not isinstance(self.value.source, InState) or not self.value.alias:
            self.body.reject(
                node,
                f"this {self.noun} does not change: it is a value, and no part of the state",
                "assign a whole value where it is stored",
            )
        return type(self)(self.body, self.body.fixed(self.value, node))

    def cell(self, leaf: int, indices: tuple[n.Expr, ...], span: Span) -> n.Expr:
        return self.body.cell(self.value, leaf, indices, span)

    def set_cell(self, leaf: int, indices: tuple[n.Expr, ...], value: n.Expr, span: Span) -> None:
        self.body.set_cell(self.value, leaf, indices, value, span)

    def reached(self, span: Span) -> list[n.Expr]:
        """What is true, and a model error where the place is not there: for where none of its cells need be read."""
        parts = leaves(self.value.shape)
        if not self.value.indices or not parts or 0 in parts[0].dims:
            return list(self.value.checks)
        first = self.cell(0, tuple(n.Const(span, 0) for _ in parts[0].dims), span)
        return [binary(n.BinaryOp.GE, first, n.Const(span, parts[0].blank), span)]

    def inside(self, shape: Shape, leaf: int, indices: tuple[n.Expr, ...] = (), suffix: str = "") -> Compound:
        return self.body.part(self.value, shape, leaf, indices, suffix)

    def held(self, e: n.Expr) -> n.Expr:
        """The number as it is now."""
        return self.body.held_number(e, self.value.name)

    def arguments(self, node: ast.Call, least: int, most: int) -> list[Value]:
        """The arguments of a method call; there are no keywords."""
        given = node.args
        if node.keywords or not least <= len(given) <= most or any(isinstance(part, ast.Starred) for part in given):
            count = str(least) if least == most else f"{least} to {most}"
            self.body.reject(node, f"{ast.unparse(node.func)} takes {count} argument{'s' if most != 1 else ''} here")
        return [self.body.evaluate(part) for part in given]

    def copy(self, node: ast.Call) -> Value:
        """`value.copy()`: where it is bound to a name, it is copied."""
        self.arguments(node, 0, 0)
        return replace(self.value, alias=False)

    def clear(self, node: ast.Call) -> None:
        self.arguments(node, 0, 0)
        place = self.at(node)
        self.body.blank(place.value, self.body.span(node))


def is_none(value: Value) -> bool:
    return isinstance(value, Static) and value.value is None


def binary(op: n.BinaryOp, left: n.Expr, right: n.Expr, span: Span) -> n.Expr:
    return n.Binary(span, op, left, right)
