"""Records."""

from __future__ import annotations

import ast
from inspect import getattr_static
from types import FunctionType
from typing import NoReturn

from asset.frontends.python.local_shapes import NOTHING
from asset.frontends.python.shapes.lowering import Lowering
from asset.frontends.python.shapes.unions import Unions
from asset.frontends.python.values import Compound, Method, RecordOf, Value
from asset.ir import nodes as n
from asset.ir.shapes import RecordShape, UnionShape, part_of


class Records(Lowering):
    remedy = "name one of its parts"

    def attribute(self, name: str, node: ast.Attribute) -> Value:
        if self.shape == NOTHING:
            return self.value
        if name in self.shape.names:
            return self.storage.normal(self._part(name), node)
        method = getattr_static(self.shape.host, name, None)
        if isinstance(method, FunctionType) and name not in self.VALUES:
            return Method(method, self.value)
        return super().attribute(name, node)

    def reject_name(self, name: str, node: ast.expr) -> NoReturn:
        own = [key for key, member in vars(self.shape.host).items() if isinstance(member, FunctionType)]
        known = ", ".join([*self.shape.names, *(key for key in own if not key.startswith("_")), *self.VALUES])
        self.body.reject(node, f"a {self.noun} has no '{name}'", f"it has: {known}")

    def part(self, name: str, node: ast.expr) -> Compound:
        if name not in self.shape.names:
            self.body.reject(node, f"{self.noun} has no part '{name}'", f"it has: {', '.join(self.shape.names)}")
        return self._part(name)

    def _part(self, name: str) -> Compound:
        shape, leaf = part_of(self.shape, self.shape.names.index(name))
        return self.inside(shape, leaf, (), f".{name}")

    def parts(self, node: ast.expr) -> tuple[Value, ...]:
        return tuple(self.storage.normal(self._part(name), node) for name in self.shape.names)

    def put_in(self, value: Value, node: ast.expr) -> None:
        if isinstance(value, Compound) and value.shape == self.shape:
            self.storage.copy(self.value, value, self.body.span(node))
            return
        for name, item in zip(self.shape.names, self._items(value, node), strict=True):
            self.compounds.lowered(self._part(name)).store(item, node)

    def _items(self, value: Value, node: ast.expr) -> tuple[Value, ...]:
        """The parts of a record of the same class."""
        if isinstance(value, Compound) and isinstance(value.shape, UnionShape):
            variant = Unions(self.compounds, value).checked_variant(self.shape.host, node)
            value = value if variant is None else variant
        if isinstance(value, RecordOf) and value.cls is self.shape.host:
            return value.items
        if isinstance(value, Compound) and isinstance(value.shape, RecordShape) and value.shape.host is self.shape.host:
            return Records(self.compounds, value).parts(node)
        self.body.reject(node, f"{self.value.name} takes a {self.noun}", f"write {self.noun}(...)")

    def equals(self, other: Value, node: ast.expr) -> n.Expr:
        if isinstance(other, Compound) and other.shape == self.shape:
            return self.storage.same_cells(self.value, other, self.body.span(node))
        return self.compounds.equal_parts(self.parts(node), self._items(other, node), node)


Records.VALUES = {"copy": Records.copy}
