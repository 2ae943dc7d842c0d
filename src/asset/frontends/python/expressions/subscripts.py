"""Subscripts: elements of arrays, of constant tuples and of compound values."""

from __future__ import annotations

import ast
from enum import IntEnum
from typing import Any

from asset.frontends.python.body import Body, Evaluation
from asset.frontends.python.compounds import Compounds
from asset.frontends.python.constants import is_immutable
from asset.frontends.python.expressions.constant_values import one_of
from asset.frontends.python.expressions.tables import PaddedTable, Ragged, is_table, padded
from asset.frontends.python.ir_expressions import has_call, is_plain
from asset.frontends.python.local_shapes import NOTHING
from asset.frontends.python.problems import Rejected
from asset.frontends.python.values import (
    ArrayRef,
    Compound,
    Poison,
    Scalar,
    Static,
    TableRef,
    TupleOf,
    Value,
    known_integer,
)
from asset.ir import nodes as n
from asset.ir.shapes import Collection
from asset.model.symbols import is_symbol, number_of


class Subscripts:
    def __init__(self, body: Body, evaluation: Evaluation, compounds: Compounds) -> None:
        self._body = body
        self._evaluation = evaluation
        self._compounds = compounds

    def subscript(self, node: ast.Subscript) -> Value:
        base = self._evaluation.evaluate(node.value)
        if isinstance(node.slice, ast.Tuple) and isinstance(base, ArrayRef):
            self._body.reject(node, "an Array is indexed one dimension at a time", "write a[i][j]")
        return self._element(base, self._evaluation.evaluate(node.slice), node)

    def _element(self, base: Value, index: Value, node: ast.Subscript) -> Value:
        number = self._evaluation.number
        match base:
            case ArrayRef():
                return self.array_element(base, number(index, node.slice), node)
            case Static(tuple() as data):
                known = known_integer(index)
                if known is not None and -len(data) <= known < len(data):
                    return Static(data[known])
                if not is_table(data):
                    return self._constant_item(data, number(index, node.slice), node)
                table = TableRef(ast.unparse(node.value), data)
                return self._table_item(table, number(index, node.slice), node)
            case Static(dict() as known):
                return self._value_of_key(known, index, node)
            case TableRef():
                return self._table_item(base, number(index, node.slice), node)
            case Compound(shape=shape):
                return base if shape == NOTHING else self._compounds.lowered(base).element(index, node)
            case TupleOf(items):
                return self._item(items, index, node)
            case Static(type() as cls) if issubclass(cls, IntEnum):
                what = f"{cls.__name__}[...] looks a member up by its name"
                self._body.reject(node, what, f"write {cls.__name__}(number)")
            case Poison():
                raise Rejected
            case _:
                number(base, node)  # says what is wrong with a list, a text…
                self._body.reject(node, "a number cannot be indexed")

    def _constant_item(self, data: tuple[object, ...], index: n.Expr, node: ast.Subscript) -> Value:
        """An item of a constant whose items are no numbers; a negative index counts from the end."""
        span, held = self._body.span(node), self._compounds.holding.index(index)
        known = self._body.bounds_of(held)
        if known is None or known[0] < 0:
            negative = n.Binary(span, n.BinaryOp.LT, held, n.Const(span, 0))
            from_end = n.Binary(span, n.BinaryOp.ADD, held, n.Const(span, len(data)))
            held = n.Conditional(span, negative, from_end, held)
        checked = self._compounds.storage.checked_index(held, len(data), ast.unparse(node.value))
        return self.constant_element(data, self._compounds.holding.index(checked), node)

    def constant_element(self, data: tuple[object, ...], position: n.Expr, node: ast.expr) -> Value:
        """The item at a position, which is within."""
        if all(isinstance(item, int) or is_symbol(item) for item in data):
            numbers = tuple(map(number_of, data))
            return Scalar(n.Table(self._body.span(node), "constants", (len(data),), numbers, (position,)))
        found = one_of("constants", data, position)
        if found is None:
            self._body.reject(node, "the items of this constant are not alike", "use tuples of one length, or a record")
        return found

    def _value_of_key(self, known: dict[Any, Any], index: Value, node: ast.Subscript) -> Value:
        """The value of a key of a constant dict; a model error if there is no such key."""
        if isinstance(index, Static) and is_immutable(index.value) and index.value in known:
            return self._body.known(known[index.value], node)
        span, position = self._body.span(node), self.position_of(tuple(known), index, node)
        there = n.Binary(span, n.BinaryOp.GE, position, n.Const(span, 0))
        name = ast.unparse(node.value)
        checked = self._compounds.storage.check(there, f"KeyError: the key is not in {name}", span)
        at = self._compounds.holding.index(n.Conditional(span, checked, position, n.Const(span, 0)))
        if not known:
            self._body.reject(node, f"{name} is empty")
        return self.constant_element(tuple(known.values()), at, node)

    def position_of(self, keys: tuple[object, ...], key: Value, node: ast.expr) -> n.Expr:
        """The position of a key among constants; -1 if it is none of them."""
        span, held = self._body.span(node), self._compounds.holding.value(key, node)
        position: n.Expr = n.Const(span, -1)
        for k, other in reversed(list(enumerate(keys))):
            test = self._compounds.equal(held, self._body.known(other, node), node)
            position = n.Conditional(span, test, n.Const(span, k), position)
        return self._compounds.holding.index(position)

    def _item(self, items: tuple[Value, ...], index: Value, node: ast.Subscript) -> Value:
        known = index.value if isinstance(index, Static) else None
        if isinstance(known, int) and -len(items) <= known < len(items):
            return self._compounds.order.only(items, [known % len(items)], node)[0]
        row = self._compounds.sequences.copied(TupleOf(items), node, Collection.TUPLE)
        return self._compounds.lowered(row).element(index, node)

    def array_element(self, base: ArrayRef, index: n.Expr, node: ast.expr) -> Value:
        indices, dims = (*base.indices, index), base.dims[1:]
        if dims:
            return ArrayRef(base.variable, base.name, dims, indices)
        return Scalar(n.Read(self._body.span(node), base.variable, indices))

    # --- constant tuples ------------------------------------------------------------------------------------------

    def _table_item(self, table: TableRef, index: n.Expr, node: ast.Subscript) -> Value:
        shape = self._padded(table, node)
        return self._entry(table, shape, self._position(index, shape, table.indices, node), node)

    def table_element(self, table: TableRef, position: n.Expr, node: ast.expr) -> Value:
        """The element at a position counted from the row's start, which is not checked."""
        return self._entry(table, self._padded(table, node), position, node)

    def _entry(self, table: TableRef, shape: PaddedTable, position: n.Expr, node: ast.expr) -> Value:
        indices = (*table.indices, position)
        if len(indices) < len(shape.dims):
            return TableRef(table.name, table.data, indices)
        return Scalar(n.Table(self._body.span(node), table.name, shape.dims, shape.values, indices))

    def _padded(self, table: TableRef, node: ast.expr) -> PaddedTable:
        try:
            return padded(table.data)
        except Ragged as ragged:
            what = f"{table.name} cannot be indexed at run time: {ragged}"
            self._body.reject(node, what, "use tuples of integers")

    def _position(self, index: n.Expr, shape: PaddedTable, given: tuple[n.Expr, ...], node: ast.expr) -> n.Expr:
        """The index counted from the row's start: a negative one counts from its end, as in Python."""
        depth, span = len(given), self._body.span(node)
        ragged, known = shape.is_ragged(depth), self._body.bounds_of(index)
        if known is not None and known[0] >= 0 and not ragged:
            return index
        if is_plain(index) and not ragged:
            negative = n.Binary(span, n.BinaryOp.LT, index, n.Const(span, 0))
            from_end = n.Binary(span, n.BinaryOp.ADD, index, n.Const(span, shape.dims[depth]))
            return n.Conditional(span, negative, from_end, index)
        if ragged and has_call(*given):
            self._body.reject(node, "an index of this tuple changes the state", "assign it to a local first")
        length = self._row_length(shape, given, node)
        return n.Call(span, self._body.draft.functions.position(), (index, length))

    def table_length(self, table: TableRef, node: ast.expr) -> n.Expr:
        """How many elements the row has."""
        return self._row_length(self._padded(table, node), table.indices, node)

    def checked_length(self, table: TableRef, node: ast.expr) -> n.Expr:
        """The same; a model error if there is no such row."""
        shape, given = self._padded(table, node), table.indices
        bounds = [self._body.bounds_of(index) for index in given]
        if all(b is not None and b[0] >= 0 and b[1] < size for b, size in zip(bounds, shape.dims, strict=False)):
            return self._row_length(shape, given, node)
        return n.Table(self._body.span(node), "len", shape.dims[: len(given)], shape.lengths[len(given)], given)

    def longest_row(self, table: TableRef, node: ast.expr) -> int:
        return max(self._padded(table, node).lengths[len(table.indices)])

    def _row_length(self, shape: PaddedTable, given: tuple[n.Expr, ...], node: ast.expr) -> n.Expr:
        lengths = shape.lengths[len(given)]
        span = self._body.span(node)
        if len(set(lengths)) == 1 or not given:
            return n.Const(span, lengths[0])
        return n.Table(span, "len", shape.dims[: len(given)], lengths, given)
