"""What can be iterated over: everything becomes a count over a range, with the element derived from the counter."""

from __future__ import annotations

import ast
from dataclasses import replace
from enum import IntEnum

from asset.frontends.python.body import Body, Evaluation
from asset.frontends.python.compounds import Compounds
from asset.frontends.python.expressions.subscripts import Subscripts
from asset.frontends.python.holding import Holding
from asset.frontends.python.ir_expressions import affine, constant
from asset.frontends.python.problems import Rejected
from asset.frontends.python.traversals import Traversal, counted
from asset.frontends.python.values import (
    ArrayRef,
    Compound,
    Poison,
    RangeOf,
    Scalar,
    Static,
    TableRef,
    TupleOf,
    Value,
    known_integer,
    tuple_items,
)
from asset.ir import nodes as n
from asset.ir.shapes import OptionalShape, TupleShape


class Iterables:
    def __init__(
        self, body: Body, evaluation: Evaluation, subscripts: Subscripts, compounds: Compounds, holding: Holding
    ) -> None:
        self._body = body
        self._evaluation = evaluation
        self._subscripts = subscripts
        self._compounds = compounds
        self._holding = holding

    def traversal(self, node: ast.expr) -> Traversal:
        """The iteration over what the expression denotes."""
        if isinstance(node, ast.Call):
            special = self._special(node)
            if special is not None:
                return special
        return self._traversal_of(self._evaluation.evaluate(node), node)

    def counter(self, traversal: Traversal) -> int:
        """A slot for the counter of the iteration."""
        return self._body.new_slot(f"{traversal.name}.at", traversal.bounds)

    def _traversal_of(self, value: Value, node: ast.expr) -> Traversal:
        span = self._body.span(node)
        match value:
            case ArrayRef():
                row, element = self._checked(value), self._subscripts.array_element
                return counted(span, value.name, value.dims[0], lambda k: element(row, k, node))
            case RangeOf(start, stop, step):
                return Traversal("range", start, stop, step, Scalar, counts=True)
            case Static(range() as known):
                start, stop, step = (n.Const(span, bound) for bound in (known.start, known.stop, known.step))
                return Traversal("range", start, stop, step, Scalar, counts=True)
            case Static(type() as cls) if issubclass(cls, IntEnum):
                return self._over_numbers(cls.__name__, tuple(int(member) for member in cls), node)
            case Static(tuple() as data):
                return self._over_table(TableRef(_text_of(node), data), node)
            case TableRef():
                return self._over_table(self._holding.table_row(value) if self._holding.holds_rows else value, node)
            case TupleOf(items):
                return self._over_tuple(items, node)
            case Compound():
                held = self._holding.kept(value, node) if self._holding.holds_rows else value
                return self._compounds.lowered(held).traversal(node)
            case Poison():
                raise Rejected
            case _:
                self._body.reject(
                    node,
                    "this cannot be iterated over",
                    "use range(...), an Array, a Queue, a Set, a tuple or an IntEnum class",
                )

    def _checked(self, row: ArrayRef) -> ArrayRef:
        """The row with its indices checked and, if the body of the loop might change them, held."""
        if self._holding.holds_rows:
            return self._holding.row(row)
        return replace(row, indices=self._compounds.storage.checked_indices(row))

    def _over_numbers(self, name: str, values: tuple[int, ...], node: ast.expr) -> Traversal:
        span = self._body.span(node)
        if values and values == tuple(range(values[0], values[0] + len(values))):
            first, stop = n.Const(span, values[0]), n.Const(span, values[-1] + 1)
            return Traversal(name, first, stop, n.Const(span, 1), Scalar, counts=True)
        table, element = TableRef(name, values), self._subscripts.table_element
        return counted(span, name, len(values), lambda k: element(table, k, node))

    def _over_table(self, table: TableRef, node: ast.expr) -> Traversal:
        if not table.indices and not table.data:
            return self._over_numbers(table.name, (), node)
        length, element = self._subscripts.table_length(table, node), self._subscripts.table_element
        zero, one = n.Const(self._body.span(node), 0), n.Const(self._body.span(node), 1)
        return Traversal(table.name, zero, length, one, lambda k: element(table, k, node))

    def _over_tuple(self, items: tuple[Value, ...], node: ast.expr) -> Traversal:
        known = [known_integer(item) for item in items]
        if None in known:
            what = "a tuple of run-time values cannot be iterated over"
            self._body.reject(node, what, "write out what to do with each")
        return self._over_numbers("tuple", tuple(k for k in known if k is not None), node)

    # --- enumerate, zip, reversed ---------------------------------------------------------------------------------

    def _special(self, node: ast.Call) -> Traversal | None:
        callee = self._evaluation.evaluate(node.func) if isinstance(node.func, ast.Name) else None
        if not isinstance(callee, Static) or callee.value not in (enumerate, zip, reversed):
            return None
        if callee.value is enumerate:
            return self._enumerated(node)
        if node.keywords and not (callee.value is zip and node.keywords[0].arg == "strict"):
            self._body.reject(node, "keyword arguments are not part of the language here")
        return self._zipped(node) if callee.value is zip else self._reversed(node)

    def _enumerated(self, node: ast.Call) -> Traversal:
        extra = [*node.args[1:], *(keyword.value for keyword in node.keywords)]
        first = [known_integer(self._evaluation.evaluate(part)) for part in extra]
        if not node.args or None in first or len(first) > 1:
            self._body.reject(node, "enumerate takes what to iterate over and a constant start")
        shift = first[0] if first and first[0] is not None else 0
        inner, span = self._from_zero(node.args[0]), self._body.span(node)

        def element(k: n.Expr) -> Value:
            number = n.Binary(span, n.BinaryOp.ADD, k, n.Const(span, shift)) if shift else k
            return TupleOf((Scalar(number), inner.element(k)))

        return Traversal(inner.name, inner.start, inner.stop, inner.step, element)

    def _zipped(self, node: ast.Call) -> Traversal:
        parts = [self._from_zero(part) for part in node.args]
        lengths = [part.length for part in parts]
        if not parts or None in lengths:
            self._body.reject(node, "zip takes Arrays, constant tuples and ranges of known length")
        shortest = min(length for length in lengths if length is not None)
        name, span = parts[0].name, self._body.span(node)
        return counted(span, name, shortest, lambda k: TupleOf(tuple(p.element(k) for p in parts)))

    def _from_zero(self, node: ast.expr) -> Traversal:
        """The iteration, counting from 0 in steps of 1."""
        inner, span = self.traversal(node), self._body.span(node)
        start, step, length = constant(inner.start), constant(inner.step), inner.length
        if inner.test is not None:
            self._body.reject(node, "the elements of a set cannot be numbered here", "count in a variable")
        if (start, step) == (0, 1):
            return inner
        if start is None or step is None or length is None:
            what = "a range with bounds known at run time cannot be numbered here"
            self._body.reject(node, what, "count in a variable")
        return counted(span, inner.name, length, lambda k: inner.element(affine(k, start, step, span)))

    def _reversed(self, node: ast.Call) -> Traversal:
        if len(node.args) != 1:
            self._body.reject(node, "reversed takes one argument")
        inner, span = self.traversal(node.args[0]), self._body.span(node)
        if constant(inner.step) != 1:
            self._body.reject(node, "reversed takes a range in steps of 1, an Array or a constant tuple")
        last, before = affine(inner.stop, -1, 1, span), affine(inner.start, -1, 1, span)
        return Traversal(inner.name, last, before, n.Const(span, -1), inner.element, inner.counts, inner.test)

    # --- taking apart ---------------------------------------------------------------------------------------------

    def unpacked(self, value: Value, count: int, node: ast.expr) -> list[Value]:
        """The value's elements, of which there must be `count`."""
        items = self._elements(value, node)
        if len(items) != count:
            self._body.reject(node, f"{count} names, but {len(items)} values")
        return items

    def _elements(self, value: Value, node: ast.expr) -> list[Value]:
        items = tuple_items(value)
        if items is None and isinstance(value, Compound) and isinstance(value.shape, TupleShape | OptionalShape):
            items = self._compounds.lowered(value).items(node)
        if items is not None:
            return list(items)
        try:
            traversal = self._traversal_of(value, node)
        except Rejected:
            self._body.reject(node, "only tuples and Arrays can be taken apart")
        if traversal.length is None:
            self._body.reject(node, "it is not known how many values there are")
        start, step = traversal.start, traversal.step
        assert isinstance(start, n.Const) and isinstance(step, n.Const)
        span = self._body.span(node)
        return [traversal.element(n.Const(span, start.value + k * step.value)) for k in range(traversal.length)]


def _text_of(node: ast.expr) -> str:
    return ast.unparse(node) if isinstance(node, ast.Name | ast.Attribute) else "tuple"
