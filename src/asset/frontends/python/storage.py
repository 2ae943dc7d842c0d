"""The cells of the state: where values are stored, how their cells are read, written and compared."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product

from asset.frontends.python.body import Body
from asset.frontends.python.ir_expressions import conjunction, constant, rounds
from asset.frontends.python.values import ArrayRef, Compound, InSlots, InState, Scalar, TableRef, Value
from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.ir.shapes import ArrayShape, ScalarShape, Shape, dims_of, is_scalars, leaves
from asset.span import Span

Indices = tuple[n.Expr, ...]


class Storage:
    def __init__(self, body: Body) -> None:
        self._body = body

    # --- places ---------------------------------------------------------------------------------------------------

    def variable(self, name: str) -> Compound | None:
        """The state variable of that name."""
        declared = self._body.draft.model._variables.get(name)
        return None if declared is None else Compound(declared.shape, InState(), declared.leaf, name)

    def normal(self, value: Compound, node: ast.expr) -> Value:
        """The value; if it is a number or the place of an Array of numbers, as that."""
        if isinstance(value.shape, ScalarShape):
            return Scalar(value.cell(0, (), self._body.span(node)))
        if is_scalars(value.shape) and value.is_place and not value.checks:
            name = self._body.draft.variables[value.leaf].name
            return ArrayRef(value.leaf, name, dims_of(value.shape), value.indices)
        return value

    def as_compound(self, array: ArrayRef) -> Compound:
        """An Array of numbers as a compound value."""
        shape: Shape = ScalarShape(self._body.draft.variables[array.variable].type)
        for size in reversed(array.dims):
            shape = ArrayShape(size, shape)
        return Compound(shape, InState(), array.variable, array.name, array.indices)

    def checked_index(self, index: n.Expr, size: int, name: str) -> n.Expr:
        """The index; if it may be out of bounds, a look-up in the table of all indices, which faults then."""
        known = self._body.bounds_of(index)
        if known is not None and known[0] >= 0 and known[1] < size:
            return index
        return n.Table(index.span, name, (size,), tuple(range(size)), (index,))

    def checked_indices(self, value: ArrayRef | TableRef | Compound) -> Indices:
        """The indices given so far; each is checked if it may be out of bounds."""
        match value:
            case ArrayRef(variable=variable) | Compound(leaf=variable, source=InState()):
                full = self._body.draft.variables[variable].dims
                pairs = zip(value.indices, full, strict=False)
                return tuple(self.checked_index(index, size, value.name) for index, size in pairs)
            case _:
                return value.indices

    # --- reading --------------------------------------------------------------------------------------------------

    def cells(self, value: Compound, span: Span) -> list[n.Expr]:
        """All cells of the value, leaf by leaf."""
        parts = enumerate(leaves(value.shape))
        return [value.cell(number, at, span) for number, leaf in parts for at in all_indices(leaf.dims, span)]

    def fold_cells(self, op: n.FoldOp, dims: Sequence[int], element: Callable[[Indices], n.Expr], span: Span) -> n.Expr:
        """The fold of an expression over all indices of an array of these dimensions."""
        if not dims:
            return element(())
        slots = [self._body.new_slot("at", (0, max(size - 1, 0))) for size in dims]
        generators = tuple(rounds(span, slot, size) for slot, size in zip(slots, dims, strict=True))
        return n.Fold(span, op, generators, element(tuple(n.Local(span, slot) for slot in slots)))

    def same_cells(self, left: Compound, right: Compound, span: Span) -> n.Expr:
        """Whether two values of the same leaves are equal: their cells are, as every shape is canonical."""
        tests = []
        for number, leaf in enumerate(leaves(left.shape)):

            def equal(indices: Indices, number: int = number) -> n.Expr:
                cells = [value.cell(number, indices, span) for value in (left, right)]
                return n.Binary(span, n.BinaryOp.EQ, cells[0], cells[1])

            tests.append(self.fold_cells(n.FoldOp.ALL, leaf.dims, equal, span))
        return conjunction(tests, span)

    # --- writing --------------------------------------------------------------------------------------------------

    def set_cell(self, place: Compound, leaf: int, indices: Indices, value: n.Expr, span: Span) -> None:
        given = (*place.indices, *indices)
        if isinstance(place.source, InSlots):
            self._set_slot(place.source, place.leaf + leaf, given, value, span)
            return
        self._body.summary.writes = self._body.summary.writes or span
        self._body.emit(n.SetState(span, place.leaf + leaf, given, value))

    def _set_slot(self, slots: InSlots, leaf: int, indices: Indices, value: n.Expr, span: Span) -> None:
        """A local variable cannot be indexed, so an index known at run time only is compared with each number."""
        known = [constant(index) for index in indices]
        if None not in known:
            self._body.emit(n.SetLocal(span, slots.slot(leaf, tuple(k for k in known if k is not None)), value))
            return
        at = known.index(None)
        cases = []
        for k in range(slots.leaves[leaf].dims[at]):
            fixed = (*indices[:at], n.Const(span, k), *indices[at + 1 :])
            code = self._body.collected(partial(self._set_slot, slots, leaf, fixed, value, span))
            cases.append(n.Case(span, n.Binary(span, n.BinaryOp.EQ, indices[at], n.Const(span, k)), code))
        if cases:
            self._body.emit(n.If(span, tuple(cases)))

    def blank(self, place: Compound, span: Span) -> None:
        """Makes the cells those of a value that is not there."""
        for number, leaf in enumerate(leaves(place.shape)):

            def assign(indices: Indices, number: int = number, blank: int = leaf.blank) -> None:
                self.set_cell(place, number, indices, n.Const(span, blank), span)

            if isinstance(place.source, InSlots):
                for indices in all_indices(leaf.dims, span):
                    assign(indices)
            else:
                self._each(leaf.dims, assign, span)

    def copy(self, place: Compound, value: Compound, span: Span) -> None:
        """Assigns a value of the same leaves, cell by cell."""
        for check in value.checks:
            self._body.emit(n.Evaluate(span, check))
        for number, leaf in enumerate(leaves(place.shape)):

            def assign(indices: Indices, number: int = number) -> None:
                self.set_cell(place, number, indices, value.read(number, indices, span), span)

            if isinstance(value.source, InSlots) or isinstance(place.source, InSlots):
                for indices in all_indices(leaf.dims, span):
                    assign(indices)
            else:
                self._each(leaf.dims, assign, span)

    def _each(self, dims: Sequence[int], do: Callable[[Indices], None], span: Span) -> None:
        """Does it for all indices of an array of these dimensions, in loops."""
        if not dims:
            do(())
            return
        slot = self._body.new_slot("at", (0, max(dims[0] - 1, 0)))
        inner = self._body.collected(lambda: self._each(dims[1:], lambda rest: do((n.Local(span, slot), *rest)), span))
        zero, stop, one = n.Const(span, 0), n.Const(span, dims[0]), n.Const(span, 1)
        self._body.emit(n.For(span, slot, zero, stop, one, inner))

    # --- model errors ---------------------------------------------------------------------------------------------

    def require(self, test: n.Expr, kind: FaultKind, message: tuple[str | n.Expr, ...], span: Span) -> None:
        """From here on the test is true; it is a model error if it is false."""
        fail = n.Fail(span, kind, message)
        self._body.emit(n.If(span, (n.Case(span, n.Unary(span, n.UnaryOp.NOT, test), (fail,)),)))

    def check(self, test: n.Expr, message: str, span: Span, kind: FaultKind = FaultKind.RAISE) -> n.Expr:
        """An expression that is 1 if the test is true, and a model error otherwise."""
        return n.Call(span, self._body.draft.functions.requirement(kind, message, span), (test,))


def all_indices(dims: Sequence[int], span: Span) -> Iterator[Indices]:
    """All indices of an array of these dimensions, row by row."""
    for indices in product(*map(range, dims)):
        yield tuple(n.Const(span, index) for index in indices)
