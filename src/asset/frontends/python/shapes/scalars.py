"""One cell of the state, as a part of something larger."""

from __future__ import annotations

import ast

from asset.frontends.python.shapes.lowering import Lowering
from asset.frontends.python.values import Value


class Scalars(Lowering):
    def assign(self, value: Value, target: ast.expr) -> None:
        number, span = self.number(value, target), self.body.span(target)
        if self.value.checks or not self.value.alias:
            number = self.held(number)
            self.at(target).set_cell(0, (), number, span)
        else:
            self.set_cell(0, (), number, span)  # one assignment needs nothing held

    def put_in(self, value: Value, node: ast.expr) -> None:
        self.set_cell(0, (), self.number(value, node), self.body.span(node))
