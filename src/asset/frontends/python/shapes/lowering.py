"""What every compound value has in common."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Protocol

from asset.frontends.python.body import Body, Evaluation
from asset.frontends.python.evaluation_order import EvaluationOrder
from asset.frontends.python.holding import Holding
from asset.frontends.python.storage import Storage
from asset.frontends.python.traversals import Traversal
from asset.frontends.python.values import Compound, InState, Operation, Static, Value, is_optional
from asset.ir import nodes as n
from asset.ir.shapes import Shape, leaves, noun
from asset.model.state import article
from asset.model.syntax_trees import called
from asset.span import Span

if TYPE_CHECKING:
    from asset.frontends.python.sequences import Sequences


class CompoundValues(Protocol):
    """What a shape needs for values of other shapes: its items, and what it is compared with or assigned."""

    body: Body
    evaluation: Evaluation
    storage: Storage
    order: EvaluationOrder
    holding: Holding
    sequences: Sequences

    def lowered(self, value: Compound) -> Lowering:
        """What code may do with the value."""

    def items_of(self, value: Value, node: ast.expr) -> tuple[Value, ...]:
        """The items of a tuple."""

    def as_tuple(self, value: Value, node: ast.expr) -> Value:
        """The value; a row of a constant table as a tuple that is written out."""

    def through(self, value: Value, node: ast.expr) -> Value:
        """The value; of an optional compound value, that value."""

    def evaluated(self, values: Sequence[Value], use: Callable[[list[Value]], n.Expr], node: ast.expr) -> n.Expr:
        """An expression that uses the values, each evaluated once and before the rest."""

    def equal(self, left: Value, right: Value, node: ast.expr) -> n.Expr:
        """Whether two values are equal, of which at least one is compound."""

    def equal_parts(self, left: Sequence[Value], right: Sequence[Value], node: ast.expr) -> n.Expr:
        """Whether the values are equal one by one."""

    def is_among(self, element: Value, items: Sequence[Value], node: ast.expr) -> n.Expr:
        """Whether a value equals one of the items, all of which are evaluated."""


class Lowering:
    """A compound value in the code that is being compiled. What its shape does not offer is rejected."""

    VALUES: ClassVar[Mapping[str, Callable[[Any, ast.Call], Value]]] = {}
    """Its methods that give a value."""
    TAKES: ClassVar[Mapping[str, Callable[[Any, ast.Call], Value]]] = {}
    """Its methods that give a value and change it."""
    ACTIONS: ClassVar[Mapping[str, Callable[[Any, ast.Call], None]]] = {}
    """Its methods that change it."""
    WITHOUT: ClassVar[Mapping[str, tuple[str, str]]] = {}
    """Methods of Python's own collections that it has not, with what is wrong and what to do instead."""
    remedy = ""
    """What to do if it is used as a number."""

    def __init__(self, compounds: CompoundValues, value: Compound) -> None:
        self.compounds = compounds
        self.value = value
        self.body = compounds.body
        self.storage = compounds.storage
        self.order = compounds.order
        self.holding = compounds.holding

    @property
    def shape(self) -> Any:
        return self.value.shape

    @property
    def noun(self) -> str:
        return noun(self.value.shape)

    # --- what shapes offer ----------------------------------------------------------------------------------------

    def attribute(self, name: str, node: ast.Attribute) -> Value:
        """`value.name`: a method, before it is called."""
        if name in self.VALUES or name in self.TAKES or name in self.ACTIONS:
            return Operation(self.value, name)
        self.reject_name(name, node)

    def reject_name(self, name: str, node: ast.expr) -> NoReturn:
        if name in self.WITHOUT:
            self.body.reject(node, *self.WITHOUT[name])
        known = ", ".join([*self.ACTIONS, *self.TAKES, *self.VALUES]) or "no names"
        self.body.reject(node, f"{article(self.noun)} has no '{name}'", f"it has: {known}")

    def part(self, name: str, node: ast.expr) -> Compound:
        """The place of `value.name`, to be assigned to."""
        self.body.reject(node, f"{article(self.noun)} has no '{name}' that could be assigned")

    def element(self, index: Value, node: ast.expr) -> Value:
        """`value[index]`."""
        return self.storage.normal(self.item(index, node), node)

    def item(self, index: Value, node: ast.expr) -> Compound:
        """The place of `value[index]`."""
        self.body.reject(node, f"a {self.noun} cannot be indexed")

    def items(self, node: ast.expr) -> tuple[Value, ...]:
        """The items of a tuple."""
        what = f"it is not known how many items this {self.noun} has" if self.noun == "tuple" else ""
        self.body.reject(node, what or f"a {self.noun} is not a tuple", "write the items one by one")

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

    def traversal(self, node: ast.expr) -> Traversal:
        self.body.reject(node, f"a {self.noun} cannot be iterated over")

    def store_item(self, index: Value, value: Value, target: ast.Subscript) -> None:
        """`place[index] = value`."""
        self.compounds.lowered(self.item(index, target)).assign(value, target)

    def store(self, value: Value, node: ast.expr) -> None:
        """Assigns to the place, whose indices are held; an optional value must be there."""
        if is_optional(value):
            value = self.storage.normal(self.compounds.lowered(value).inner(node), node)
        self.put_in(value, node)

    def put_in(self, value: Value, node: ast.expr) -> None:
        """Assigns a value of a suitable shape."""
        if not isinstance(value, Compound) or value.shape != self.value.shape:
            self.body.reject(node, f"{self.value.name} takes a value of its own {self.noun}")
        self.storage.copy(self.value, value, self.body.span(node))

    def equals(self, other: Value, node: ast.expr) -> n.Expr:
        if not isinstance(other, Compound) or other.shape != self.value.shape:
            self.body.reject(node, f"a {self.noun} is compared with something else", "compare values of one shape")
        return self.storage.same_cells(self.value, other, self.body.span(node))

    # --- for all --------------------------------------------------------------------------------------------------

    def assign(self, value: Value, target: ast.expr) -> None:
        """`place = value`: the value is evaluated first, then the place, then all of it is assigned."""
        value = self.holding.assigned(value, target)
        self.at(target).store(value, target)

    def at(self, node: ast.expr) -> Any:
        """The same place with its indices held, ready to be changed by several statements."""
        if not isinstance(self.value.source, InState) or not self.value.alias:
            self.body.reject(
                node,
                f"this {self.noun} does not change: it is a value, and no part of the state",
                "assign a whole value where it is stored",
            )
        return type(self)(self.compounds, self.holding.fixed(self.value, node))

    def cell(self, leaf: int, indices: tuple[n.Expr, ...], span: Span) -> n.Expr:
        return self.value.cell(leaf, indices, span)

    def set_cell(self, leaf: int, indices: tuple[n.Expr, ...], value: n.Expr, span: Span) -> None:
        self.storage.set_cell(self.value, leaf, indices, value, span)

    def number(self, value: Value, node: ast.expr) -> n.Expr:
        return self.compounds.evaluation.number(value, node)

    def reached(self, span: Span) -> list[n.Expr]:
        """Tests that are true if the place is there, and else a model error: for use if none of its cells is read."""
        parts = leaves(self.value.shape)
        if not self.value.indices or not parts or 0 in parts[0].dims:
            return list(self.value.checks)
        first = self.cell(0, tuple(n.Const(span, 0) for _ in parts[0].dims), span)
        return [n.Binary(span, n.BinaryOp.GE, first, n.Const(span, parts[0].blank))]

    def inside(self, shape: Shape, leaf: int, indices: tuple[n.Expr, ...] = (), suffix: str = "") -> Compound:
        return self.value.part(shape, leaf, indices, suffix)

    def held(self, e: n.Expr) -> n.Expr:
        """The number as it is now."""
        return self.holding.number(e, self.value.name)

    def once_behind(self, values: Sequence[n.Expr], use: Callable[[list[n.Expr]], n.Expr], node: ast.expr) -> n.Expr:
        """An expression that uses the values, each evaluated once; before them the place is required to be there."""
        span = self.body.span(node)
        binds = [n.Bind(span, self.body.new_slot("reached"), test) for test in self.reached(span)]
        before = len(binds)
        held = [self.order.bind(self.order.require_repeatable(value, node), binds) for value in values]
        return self.order.after(binds if len(binds) > before else [], use(held), span)

    def arguments(self, node: ast.Call, least: int, most: int) -> list[Value]:
        """The arguments of a method call; there are no keywords."""
        given = node.args
        if node.keywords or not least <= len(given) <= most or any(isinstance(part, ast.Starred) for part in given):
            count = str(least) if least == most else f"{least} to {most}"
            self.body.reject(node, f"{ast.unparse(node.func)} takes {count} argument{'s' if most != 1 else ''} here")
        return [self.compounds.as_tuple(self.compounds.evaluation.evaluate(part), part) for part in given]

    def argument(self, node: ast.Call) -> Value:
        """The one argument of a method that is a statement of its own; evaluating it may change the state."""
        if len(node.args) != 1 or node.keywords or isinstance(node.args[0], ast.Starred):
            self.arguments(node, 1, 1)
        return self.compounds.as_tuple(self.compounds.evaluation.evaluate_now(node.args[0]), node)

    def sorted_items(self, node: ast.Call) -> Value:
        """For `place.sort(...)`, what sorted gives for the place."""
        assert isinstance(node.func, ast.Attribute)
        return self.compounds.evaluation.evaluate(called(sorted, node.func.value, *node.args, keywords=node.keywords))

    def copy(self, node: ast.Call) -> Value:
        """`value.copy()`: if it is bound to a name, it is copied."""
        self.arguments(node, 0, 0)
        return replace(self.value, alias=False)

    def clear(self, node: ast.Call) -> None:
        self.arguments(node, 0, 0)
        place = self.at(node)
        self.storage.blank(place.value, self.body.span(node))


def is_none(value: Value) -> bool:
    return isinstance(value, Static) and value.value is None
