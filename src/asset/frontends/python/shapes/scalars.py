"""One cell of the state, as a part of something larger."""

from __future__ import annotations

import ast

from asset.frontends.python.shapes.lowering import Lowering
from asset.frontends.python.values import Value


class Scalars(Lowering):
    def assign(self, value: Value, target: ast.expr) -> None:
        number = self.body.number(value, target)
        if self.value.checks:
            number = self.held(number)
        place = self.at(target) if self.value.checks else self
        if place is self:
            self.at_once(target)
        place.set_cell(0, (), number, self.body.span(target))

    def at_once(self, target: ast.expr) -> None:
        """Rejects what is no part of the state; one assignment needs nothing held."""
        if not self.value.alias:
            self.at(target)

    def put_in(self, value: Value, node: ast.expr) -> None:
        self.set_cell(0, (), self.body.number(value, node), self.body.span(node))
