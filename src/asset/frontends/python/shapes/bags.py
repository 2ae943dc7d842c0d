"""Bags: a count for each key."""

from __future__ import annotations

import ast

from asset.frontends.python.shapes.keyed import Keyed
from asset.frontends.python.values import Scalar, Static, Value
from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.span import Span


class Bags(Keyed):
    def attribute(self, name: str, node: ast.Attribute) -> Value:
        return Static(self.shape.most) if name == "most" else super().attribute(name, node)

    def is_in(self, positions: tuple[n.Expr, ...], span: Span) -> n.Expr:
        return n.Binary(span, n.BinaryOp.GT, self.cell(0, positions, span), n.Const(span, 0))

    def add(self, node: ast.Call) -> None:
        place, span = self.at(node), self.body.span(node)
        numbers = self.held_numbers(self.argument(node), node)
        place.require_key(numbers, node)
        count = place.cell(0, place.positions(numbers, span), span)
        room = n.Binary(span, n.BinaryOp.LT, count, n.Const(span, self.shape.most))
        full = f"Full: {self.value.name} is full: it holds this {self.shape.most} times"
        self.storage.require(room, FaultKind.RAISE, (full,), span)
        place.shift(numbers, n.BinaryOp.ADD, span)

    def remove(self, node: ast.Call) -> None:
        place = self.at(node)
        numbers = self.held_numbers(self.arguments(node, 1, 1)[0], node)
        place.require_present(numbers, node)
        place.shift(numbers, n.BinaryOp.SUB, self.body.span(node))

    def discard(self, node: ast.Call) -> None:
        place, span = self.at(node), self.body.span(node)
        numbers = self.held_numbers(self.arguments(node, 1, 1)[0], node)
        body = self.body.collected(lambda: place.shift(numbers, n.BinaryOp.SUB, span))
        self.body.emit(n.If(span, (n.Case(span, place.present(numbers, span), body),)))

    def shift(self, numbers: list[n.Expr], op: n.BinaryOp, span: Span) -> None:
        """One more, or one less."""
        at = self.positions(numbers, span)
        self.set_cell(0, at, n.Binary(span, op, self.cell(0, at, span), n.Const(span, 1)), span)

    def count(self, node: ast.Call) -> Value:
        (element,) = self.arguments(node, 1, 1)
        span = self.body.span(node)

        def counted(held: list[n.Expr]) -> n.Expr:
            cell = self.cell(0, self.positions(held, span), span)
            tests = [*self.reached(span), *self.within(held, span, exactly=False)]
            return n.Conditional(span, n.And(span, tuple(tests)), cell, n.Const(span, 0)) if tests else cell

        return Scalar(self.once_behind(self.numbers(element, node), counted, node))


Bags.ACTIONS = {"add": Bags.add, "discard": Bags.discard, "remove": Bags.remove, "clear": Bags.clear}
Bags.VALUES = {"copy": Bags.copy, "count": Bags.count}
