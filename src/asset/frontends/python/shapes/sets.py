"""Sets over a finite domain: a bool for each key."""

from __future__ import annotations

import ast

from asset.frontends.python.constants import in_some_order
from asset.frontends.python.ir_expressions import conjunction, disjunction
from asset.frontends.python.shapes import set_methods
from asset.frontends.python.shapes.keyed import Keyed
from asset.frontends.python.shapes.set_methods import SetMethods
from asset.frontends.python.values import Compound, Computed, SetOf, Static, Value
from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.ir.shapes import Collection, SetShape
from asset.span import Span

OPERATORS: dict[n.BinaryOp, n.BinaryOp] = {
    n.BinaryOp.OR: n.BinaryOp.OR,
    n.BinaryOp.AND: n.BinaryOp.AND,
    n.BinaryOp.SUB: n.BinaryOp.GT,  # of two bools: the one, and not the other
    n.BinaryOp.XOR: n.BinaryOp.NE,
}
"""What an operator on sets does with the cells."""

ORDERS = {n.BinaryOp.LE, n.BinaryOp.GE, n.BinaryOp.LT, n.BinaryOp.GT}


class Sets(Keyed, SetMethods):
    # --- elements -------------------------------------------------------------------------------------------------

    def add(self, node: ast.Call) -> None:
        place = self.at(node)
        numbers = self.held_numbers(self.argument(node), node)
        place.require_key(numbers, node)
        place.mark(numbers, 1, self.body.span(node))

    def discard(self, node: ast.Call) -> None:
        place, span = self.at(node), self.body.span(node)
        numbers = self.held_numbers(self.arguments(node, 1, 1)[0], node)
        tests = place.within(numbers, span, exactly=False)
        body = self.body.collected(lambda: place.mark(numbers, 0, span))
        self.body.emitted += [n.If(span, (n.Case(span, n.And(span, tuple(tests)), body),))] if tests else body

    def remove(self, node: ast.Call) -> None:
        place = self.at(node)
        numbers = self.held_numbers(self.arguments(node, 1, 1)[0], node)
        place.require_present(numbers, node)
        place.mark(numbers, 0, self.body.span(node))

    def mark(self, numbers: list[n.Expr], present: int, span: Span) -> None:
        self.set_cell(0, self.positions(numbers, span), n.Const(span, present), span)

    # --- whole sets -----------------------------------------------------------------------------------------------

    def combined(self, op: n.BinaryOp, other: Value, node: ast.expr) -> Compound:
        """`self op other`, cell by cell."""
        right = self._operand(other, node)
        cells = OPERATORS[op]

        def cell(leaf: int, indices: tuple[n.Expr, ...], span: Span) -> n.Expr:
            return n.Binary(span, cells, self.cell(leaf, indices, span), right.cell(leaf, indices, span))

        return Compound(self.shape, Computed(cell), 0, "the set", alias=False)

    def combined_with(self, other: Value, op: n.BinaryOp, node: ast.expr) -> Compound:
        """`other op self`, of a plain set."""
        return Sets(self.compounds, self._operand(other, node)).combined(op, self.value, node)

    def _operand(self, other: Value, node: ast.expr) -> Compound:
        """Another set over the same domain."""
        other = self.compounds.through(other, node)
        if isinstance(other, Compound) and isinstance(other.shape, SetShape):
            if other.shape != self.shape:
                domains = f"{self.keys} and {other.shape.keys}"
                self.body.reject(node, f"these are sets over different domains: {domains}")
            return other
        if isinstance(other, Static) and isinstance(other.value, set | frozenset):
            other = SetOf(tuple(Static(element) for element in in_some_order(other.value)))
        if isinstance(other, SetOf) and self.keys.shape is not None:
            other = self.compounds.sequences.plain_set(other.items, node)
        if isinstance(other, SetOf):
            return self._written_out(other, node)
        if self.compounds.sequences.kind_of(other) is Collection.SET:
            return self._of_plain_set(other, node)
        self.body.reject(node, "a Set has nothing in common with this", "use a Set over the same domain")

    def _written_out(self, other: SetOf, node: ast.expr) -> Compound:
        """A set written out, as a value over this domain; a model error if an element is outside of it."""
        span = self.body.span(node)
        keys = [[self._once(number) for number in self.numbers(item, node)] for item in other.items]
        tests = [test for key in keys for test in self.within(key, span, exactly=True)]
        outside = f"an element is out of range: {self.value.name} takes {self.keys}"
        checks = tuple(self.storage.check(test, outside, span, FaultKind.RANGE) for test in tests)
        positions = [self.positions(key, span) for key in keys]

        def cell(leaf: int, indices: tuple[n.Expr, ...], span: Span) -> n.Expr:
            tests = [_same(indices, position, span) for position in positions]
            return n.Or(span, tuple(tests)) if tests else n.Const(span, 0)

        return Compound(self.shape, Computed(cell), 0, "the set", checks=checks, alias=False)

    def _once(self, number: n.Expr) -> n.Expr:
        """The number, which each cell is compared with: evaluated once if it may be a model error, or takes long."""
        return number if isinstance(number, n.Local) or self.order.cannot_fail(number) else self.held(number)

    def _of_plain_set(self, other: Value, node: ast.expr) -> Compound:
        """A plain set in local variables, as a value over this domain; a model error if an element is outside of it."""
        spread, span = self.compounds.sequences.required(other, node), self.body.span(node)
        keys = [self.numbers(item, node) for item in spread.items]
        outside = f"an element is out of range: {self.value.name} takes {self.keys}"
        present = [n.Binary(span, n.BinaryOp.LT, n.Const(span, k), spread.length) for k in range(len(keys))]
        checks: list[n.Expr] = []
        for there, key in zip(present, keys, strict=True):
            tests = self.within(key, span, exactly=True)
            inside = n.Or(span, (n.Unary(span, n.UnaryOp.NOT, there), conjunction(tests, span)))
            checks += [self.storage.check(inside, outside, span, FaultKind.RANGE)] if tests else []
        positions = [self.positions(key, span) for key in keys]

        def cell(leaf: int, indices: tuple[n.Expr, ...], span: Span) -> n.Expr:
            pairs = zip(present, positions, strict=True)
            tests = [n.And(span, (there, _same(indices, position, span))) for there, position in pairs]
            return disjunction(tests, span)

        return Compound(self.shape, Computed(cell), 0, "the set", checks=tuple(checks), alias=False)

    def compared(self, op: n.BinaryOp, other: Value, node: ast.expr) -> n.Expr:
        """`self op other` for the order by inclusion."""
        right, span = self._operand(other, node), self.body.span(node)
        weak = n.BinaryOp.LE if op in (n.BinaryOp.LE, n.BinaryOp.LT) else n.BinaryOp.GE

        def ordered(at: tuple[n.Expr, ...]) -> n.Expr:
            return n.Binary(span, weak, self.cell(0, at, span), right.cell(0, at, span))

        included = self.storage.fold_cells(n.FoldOp.ALL, self.keys.sizes, ordered, span)
        if op is weak:
            return included
        differs = n.Unary(span, n.UnaryOp.NOT, self.storage.same_cells(self.value, right, span))
        return n.And(span, (included, differs))

    def equals(self, other: Value, node: ast.expr) -> n.Expr:
        return self.storage.same_cells(self.value, self._operand(other, node), self.body.span(node))

    def put_in(self, value: Value, node: ast.expr) -> None:
        self.storage.copy(self.value, self._operand(value, node), self.body.span(node))


def _same(left: tuple[n.Expr, ...], right: tuple[n.Expr, ...], span: Span) -> n.Expr:
    return conjunction([n.Binary(span, n.BinaryOp.EQ, a, b) for a, b in zip(left, right, strict=True)], span)


Sets.ACTIONS = {
    "add": Sets.add,
    "discard": Sets.discard,
    "remove": Sets.remove,
    "clear": Sets.clear,
    **set_methods.ACTIONS,
}
Sets.VALUES = {"copy": Sets.copy, **set_methods.VALUES}
