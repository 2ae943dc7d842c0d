"""What can be iterated over: everything becomes a count over a range, with the element derived from the counter."""

from __future__ import annotations

import ast
from enum import IntEnum

from asset.frontends.python.names import Names, known_integer
from asset.frontends.python.problems import Rejected
from asset.frontends.python.sweeps import Sweep, counted
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
    constant,
)
from asset.ir import nodes as n
from asset.span import Span


class Iteration(Names):
    def sweep(self, node: ast.expr) -> Sweep:
        """The iteration over what the expression denotes."""
        if isinstance(node, ast.Call):
            special = self._special(node)
            if special is not None:
                return special
        return self.sweep_over(self.evaluate(node), node)

    def sweep_over(self, value: Value, node: ast.expr) -> Sweep:
        span = self.span(node)
        match value:
            case ArrayRef():
                fixed = self._fixed(value, node)
                return counted(span, value.name, value.dims[0], lambda k: self.array_element(fixed, k, node))
            case RangeOf(start, stop, step):
                return Sweep("range", start, stop, step, Scalar, counts=True)
            case Static(range() as known):
                bounds = [n.Const(span, bound) for bound in (known.start, known.stop, known.step)]
                return Sweep("range", bounds[0], bounds[1], bounds[2], Scalar, counts=True)
            case Static(type() as cls) if issubclass(cls, IntEnum):
                return self._over_numbers(cls.__name__, tuple(int(member) for member in cls), node)
            case Static(tuple() as data):
                return self._over_table(TableRef(_text_of(node), data), node)
            case TableRef():
                held = self.frozen(value, node) if self.may_hold else value
                assert isinstance(held, TableRef)
                return self._over_table(held, node)
            case TupleOf(items):
                return self._over_tuple(items, node)
            case Compound():
                return self.lowered(self.kept(value, node) if self.may_hold else value).sweep(node)
            case Poison():
                raise Rejected
            case _:
                self.reject(
                    node,
                    "this cannot be iterated over",
                    "use range(...), an Array, a Queue, a Set, a tuple or an IntEnum class",
                )

    def _fixed(self, row: ArrayRef, node: ast.expr) -> ArrayRef:
        """The row with its indices checked and, where the body of the loop might change them, held."""
        if self.may_hold:
            held = self.frozen(row, node)
            assert isinstance(held, ArrayRef)
            return held
        return ArrayRef(row.variable, row.name, row.dims, self.checked_indices(row, node))

    def _over_numbers(self, name: str, values: tuple[int, ...], node: ast.expr) -> Sweep:
        span = self.span(node)
        if values and values == tuple(range(values[0], values[0] + len(values))):
            first, stop = n.Const(span, values[0]), n.Const(span, values[-1] + 1)
            return Sweep(name, first, stop, n.Const(span, 1), Scalar, counts=True)
        table = TableRef(name, values)
        return counted(span, name, len(values), lambda k: self.table_element(table, k, node, swept=True))

    def _over_table(self, table: TableRef, node: ast.expr) -> Sweep:
        if not table.indices and not table.data:
            return self._over_numbers(table.name, (), node)
        shape = self.table_shape(table, node)
        length = self.row_length(shape, table.indices, node)
        zero, one = n.Const(self.span(node), 0), n.Const(self.span(node), 1)
        return Sweep(table.name, zero, length, one, lambda k: self.table_element(table, k, node, swept=True))

    def _over_tuple(self, items: tuple[Value, ...], node: ast.expr) -> Sweep:
        known = [known_integer(item) for item in items]
        if None in known:
            self.reject(node, "a tuple of run-time values cannot be iterated over", "write out what to do with each")
        return self._over_numbers("tuple", tuple(k for k in known if k is not None), node)

    # --- range, enumerate, zip, reversed ----------------------------------------------------------------------------

    def _special(self, node: ast.Call) -> Sweep | None:
        callee = self.evaluate(node.func) if isinstance(node.func, ast.Name) else None
        if not isinstance(callee, Static) or callee.value not in (enumerate, zip, reversed):
            return None
        if callee.value is enumerate:
            return self._enumerated(node)
        if node.keywords and not (callee.value is zip and node.keywords[0].arg == "strict"):
            self.reject(node, "keyword arguments are not part of the language here")
        if callee.value is zip:
            return self._zipped(node)
        return self._reversed(node)

    def _enumerated(self, node: ast.Call) -> Sweep:
        extra = [*node.args[1:], *(keyword.value for keyword in node.keywords)]
        first = [known_integer(self.evaluate(part)) for part in extra]
        if not node.args or None in first or len(first) > 1:
            self.reject(node, "enumerate takes what to iterate over and a constant start")
        shift = first[0] if first and first[0] is not None else 0
        inner, span = self._from_zero(node.args[0]), self.span(node)

        def element(k: n.Expr) -> Value:
            number = n.Binary(span, n.BinaryOp.ADD, k, n.Const(span, shift)) if shift else k
            return TupleOf((Scalar(number), inner.element(k)))

        return Sweep(inner.name, inner.start, inner.stop, inner.step, element)

    def _zipped(self, node: ast.Call) -> Sweep:
        parts = [self._from_zero(part) for part in node.args]
        lengths = [part.length for part in parts]
        if not parts or None in lengths:
            self.reject(node, "zip takes Arrays, constant tuples and ranges of known length")
        shortest = min(length for length in lengths if length is not None)
        name = parts[0].name
        return counted(self.span(node), name, shortest, lambda k: TupleOf(tuple(p.element(k) for p in parts)))

    def _from_zero(self, node: ast.expr) -> Sweep:
        """The iteration, counting from 0 in steps of 1."""
        inner, span = self.sweep(node), self.span(node)
        start, step, length = constant(inner.start), constant(inner.step), inner.length
        if inner.test is not None:
            self.reject(node, "the elements of a set cannot be numbered here", "count in a variable")
        if (start, step) == (0, 1):
            return inner
        if start is None or step is None or length is None:
            self.reject(node, "a range with bounds known at run time cannot be numbered here", "count in a variable")

        def element(k: n.Expr) -> Value:
            return inner.element(_affine(k, start, step, span))

        return counted(span, inner.name, length, element)

    def _reversed(self, node: ast.Call) -> Sweep:
        if len(node.args) != 1:
            self.reject(node, "reversed takes one argument")
        inner, span = self.sweep(node.args[0]), self.span(node)
        if constant(inner.step) != 1:
            self.reject(node, "reversed takes a range in steps of 1, an Array or a constant tuple")
        minus_one = n.Const(span, -1)
        last = _affine(inner.stop, -1, 1, span)
        before = _affine(inner.start, -1, 1, span)
        return Sweep(inner.name, last, before, minus_one, inner.element, inner.counts, inner.test)

    def counter(self, sweep: Sweep) -> int:
        """A slot for the counter of the iteration."""
        slot = self.new_slot(f"{sweep.name}.at")
        if sweep.bounds is not None:
            self.bounds[slot] = sweep.bounds
        return slot


def _affine(k: n.Expr, shift: int, factor: int, span: Span) -> n.Expr:
    """shift + factor * k, computed now where k is known."""
    known = constant(k)
    if known is not None:
        return n.Const(span, shift + factor * known)
    scaled = k if factor == 1 else n.Binary(span, n.BinaryOp.MUL, k, n.Const(span, factor))
    return scaled if shift == 0 else n.Binary(span, n.BinaryOp.ADD, scaled, n.Const(span, shift))


def _text_of(node: ast.expr) -> str:
    return ast.unparse(node) if isinstance(node, ast.Name | ast.Attribute) else "tuple"
