"""Compound values: where they are stored, copying and comparing them, and whether they are there at all.

What can be done with a value of one shape is in `asset.frontends.python.shapes`, a class for each.
"""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product

from asset.frontends.python.body import Body
from asset.frontends.python.shapes import LOWERINGS, Lowering
from asset.frontends.python.values import (
    ArrayRef,
    Compound,
    Computed,
    InSlots,
    InState,
    RecordOf,
    Scalar,
    SetOf,
    Static,
    TupleOf,
    Value,
    constant,
)
from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.ir.shapes import ArrayShape, OptionalShape, ScalarShape, Shape, TupleShape, dims_of, is_scalars, leaves, noun
from asset.span import Span

Indices = tuple[n.Expr, ...]


class Compounds(Body):
    immediate: ast.expr | None = None
    """The expression that is evaluated as a whole right now: what it does comes before anything else is done."""

    def lowered(self, value: Compound) -> Lowering:
        return LOWERINGS[type(value.shape)](self, value)

    @abstractmethod
    def held_value(self, value: Value, source: ast.expr) -> Value:
        """The value as it is now: no later assignment changes it."""

    # --- places ---------------------------------------------------------------------------------------------------

    def variable(self, name: str) -> Compound | None:
        """The state variable of that name."""
        declared = self.unit.model._variables.get(name)
        return None if declared is None else Compound(declared.shape, InState(), declared.leaf, name)

    def part(self, whole: Compound, shape: Shape, leaf: int, indices: Indices = (), suffix: str = "") -> Compound:
        """A part of the value, `leaf` leaves behind its first one."""
        given = (*whole.indices, *indices)
        return replace(whole, shape=shape, leaf=whole.leaf + leaf, name=whole.name + suffix, indices=given)

    def normal(self, value: Compound, node: ast.expr) -> Value:
        """The value; as a number or as an Array of numbers where it is one."""
        if isinstance(value.shape, ScalarShape):
            return Scalar(self.cell(value, 0, (), self.span(node)))
        if is_scalars(value.shape) and isinstance(value.source, InState) and not value.checks:
            name = self.unit.variables[value.leaf].name
            return ArrayRef(value.leaf, name, dims_of(value.shape), value.indices)
        return value

    def cell(self, value: Compound, leaf: int, indices: Indices, span: Span) -> n.Expr:
        """A cell of the value, which is a model error where the value is not there."""
        read = value.source.read(value.leaf + leaf, (*value.indices, *indices), span)
        if not value.checks:
            return read
        there = value.checks[0] if len(value.checks) == 1 else n.And(span, value.checks)
        return n.Conditional(span, there, read, n.Const(span, 0))

    def located(self, target: ast.expr) -> Compound | None:
        """The place that is assigned to, where it is (part of) a compound value."""
        match target:
            case ast.Name() | ast.Call():
                value = self.evaluate(target)
                return value if isinstance(value, Compound) else None
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if name in self.names and self.is_model(name):
                variable = self.variable(attr)
                return variable if variable is not None and not is_scalars(variable.shape) else None
            case ast.Attribute(value=base, attr=attr):
                whole = self.located(base)
                return None if whole is None else self.lowered(whole).part(attr, target)
            case ast.Subscript(value=base, slice=index):
                whole = self.located(base)
                return None if whole is None else self.lowered(whole).item(self.evaluate(index), target)
            case _:
                return None

    @abstractmethod
    def is_model(self, name: str) -> bool:
        """Whether the name denotes the model itself."""

    # --- statements -----------------------------------------------------------------------------------------------

    def set_cell(self, place: Compound, leaf: int, indices: Indices, value: n.Expr, span: Span) -> None:
        self.summary.writes = self.summary.writes or span
        given = (*place.indices, *indices)
        self.emitted.append(n.SetState(span, place.leaf + leaf, given, value))

    def require(self, test: n.Expr, kind: FaultKind, message: tuple[str | n.Expr, ...], span: Span) -> None:
        """A model error where the test is false."""
        fail = n.Fail(span, kind, message)
        self.emitted.append(n.If(span, (n.Case(span, n.Unary(span, n.UnaryOp.NOT, test), (fail,)),)))

    def check(self, test: n.Expr, message: str, span: Span, kind: FaultKind = FaultKind.RAISE) -> n.Expr:
        """An expression that is 1 where the test is true, and a model error elsewhere."""
        return n.Call(span, self.unit.requirement(kind, message, span), (test,))

    def collected(self, do: Callable[[], None]) -> tuple[n.Stmt, ...]:
        """The statements that it emits."""
        outer, self.emitted = self.emitted, []
        do()
        inner, self.emitted = tuple(self.emitted), outer
        return inner

    def each(self, dims: Sequence[int], do: Callable[[Indices], None], span: Span) -> None:
        """Does it for all indices of an array of these dimensions, in loops."""
        if not dims:
            do(())
            return
        slot = self.new_slot("at")
        self.bounds[slot] = (0, max(dims[0] - 1, 0))
        body = self.collected(lambda: self.each(dims[1:], lambda rest: do((n.Local(span, slot), *rest)), span))
        zero, stop, one = n.Const(span, 0), n.Const(span, dims[0]), n.Const(span, 1)
        self.emitted.append(n.For(span, slot, zero, stop, one, body))

    def blank(self, place: Compound, span: Span) -> None:
        """The cells of a value that is not there."""
        for number, leaf in enumerate(leaves(place.shape)):

            def nothing(indices: Indices, value: int = leaf.blank) -> n.Expr:
                return n.Const(span, value)

            self.each(leaf.dims, _assigning(self, place, number, nothing, span), span)

    def copy(self, place: Compound, value: Compound, span: Span) -> None:
        """Assigns a value of the same leaves, cell by cell."""
        for check in value.checks:
            self.emitted.append(n.Evaluate(span, check))
        for number, leaf in enumerate(leaves(place.shape)):

            def read(indices: Indices, number: int = number) -> n.Expr:
                return value.source.read(value.leaf + number, (*value.indices, *indices), span)

            assigning = _assigning(self, place, number, read, span)
            if isinstance(value.source, InSlots):
                for indices in _constants(leaf.dims, span):
                    assigning(indices)
            else:
                self.each(leaf.dims, assigning, span)

    def fixed(self, value: Compound, node: ast.expr) -> Compound:
        """The place with its indices held and its checks made, so that it can be used in several statements."""
        span = self.span(node)
        for check in value.checks:
            self._now(check, span)
        indices = tuple(self.held_number(index, value.name) for index in self._checked_place(value))
        return replace(value, indices=indices, checks=())

    def _checked_place(self, value: Compound) -> Indices:
        if not isinstance(value.source, InState):
            return value.indices
        full = self.unit.variables[value.leaf].dims
        return tuple(self.checked_index(i, size, value.name) for i, size in zip(value.indices, full, strict=False))

    def _now(self, check: n.Expr, span: Span) -> None:
        if self.binds is None:
            self.emitted.append(n.Evaluate(span, check))
        else:
            self.binds.append(n.Bind(span, self.new_slot("check"), check))

    def copied(self, value: Compound, node: ast.expr) -> Compound:
        """The value as it is now, in local variables."""
        span = self.span(node)
        if isinstance(value.source, InSlots) and not value.indices and not value.checks:
            return value
        place = self.fixed(value, node)
        first: list[int] = []
        parts = leaves(value.shape)
        for number, leaf in enumerate(parts):
            first.append(len(self.slots))
            for indices in _constants(leaf.dims, span):
                cell = place.source.read(place.leaf + number, (*place.indices, *indices), span)
                self.set_slot(self.new_slot(f"{value.name}{leaf.name}"), cell, span)
        return Compound(value.shape, InSlots(parts, tuple(first)), 0, value.name, alias=False)

    def set_slot(self, slot: int, value: n.Expr, span: Span) -> None:
        if self.binds is None:
            self.emitted.append(n.SetLocal(span, slot, value))
        else:
            self.binds.append(n.Bind(span, slot, value))

    def kept(self, value: Compound, node: ast.expr) -> Compound:
        """What a name that is bound to the value denotes: the place, or the value as it is now."""
        return self.fixed(value, node) if is_place(value) else self.copied(value, node)

    def cells(self, value: Compound, span: Span) -> list[n.Expr]:
        """All cells of the value, leaf by leaf."""
        parts = enumerate(leaves(value.shape))
        return [self.cell(value, number, at, span) for number, leaf in parts for at in _constants(leaf.dims, span)]

    def whole(self, value: Value, node: ast.expr) -> Value:
        """The value to be assigned part by part, so that no part of the assignment changes the rest of it."""
        match value:
            case TupleOf(items):
                return TupleOf(tuple(self._own(item, node) for item in items))
            case RecordOf(cls, items):
                return RecordOf(cls, tuple(self._own(item, node) for item in items))
            case SetOf(items):
                return SetOf(tuple(self._own(item, node) for item in items))
            case Compound(source=Computed()):
                return self.copied(value, node)
            case Compound():
                return self.fixed(value, node)
            case _:
                return value

    def now(self, value: Value, node: ast.expr) -> Value:
        """The same of a value that may be a number as well, which is evaluated before whatever is tested next."""
        value = self.whole(value, node)
        return Scalar(self.held_number(value.expr, "value")) if isinstance(value, Scalar) else value

    def _own(self, value: Value, node: ast.expr) -> Value:
        match value:
            case Compound():
                return self.copied(value, node)
            case ArrayRef():
                return self.copied(self.as_compound(value), node)
            case TupleOf() | RecordOf() | SetOf():
                return self.whole(value, node)
            case _:
                return self.held_value(value, node)

    def as_compound(self, array: ArrayRef) -> Compound:
        """An Array of numbers as a compound value."""
        shape: Shape = ScalarShape(self.unit.variables[array.variable].type)
        for size in reversed(array.dims):
            shape = ArrayShape(size, shape)
        return Compound(shape, InState(), array.variable, array.name, array.indices)

    # --- expressions ----------------------------------------------------------------------------------------------

    def once(self, values: Sequence[n.Expr], use: Callable[[list[n.Expr]], n.Expr], span: Span) -> n.Expr:
        """An expression that uses the values several times or not at all, each evaluated once and before the rest."""
        binds: list[n.Bind] = []
        in_order = not self.is_repeatable(*values)  # then one of them may change what another one reads
        held = [self._bind(value, binds, in_order) for value in values]
        return self._bound(binds, use(held), span)

    def once_behind(
        self, place: Lowering, values: Sequence[n.Expr], use: Callable[[list[n.Expr]], n.Expr], node: ast.expr
    ) -> n.Expr:
        """The same, with the place being there as the first thing that is required."""
        binds = self._reached(place, self.span(node))
        before = len(binds)
        held = [self._bind(self.require_repeatable(value, node), binds) for value in values]
        return self._bound(binds if len(binds) > before else [], use(held), self.span(node))

    def _reached(self, place: Lowering, span: Span) -> list[n.Bind]:
        return [n.Bind(span, self.new_slot("reached"), test) for test in place.reached(span)]

    def evaluated(self, values: Sequence[Value], use: Callable[[list[Value]], n.Expr], node: ast.expr) -> n.Expr:
        """The same of values that may be tuples and records written out."""
        binds: list[n.Bind] = []
        places: list[n.Bind] = []
        held = []
        for value in values:
            if isinstance(value, Compound):
                reached = self._reached(self.lowered(value), self.span(node))
                places += reached
                binds += reached
            held.append(self._bind_all(value, binds))
        if len(values) > 1:
            for bind in binds:
                self.require_repeatable(bind.value, node)
        return self._bound(binds if len(binds) > len(places) else [], use(held), self.span(node))

    def _bound(self, binds: Sequence[n.Bind], result: n.Expr, span: Span) -> n.Expr:
        """The result with slots bound beforehand: a sum of one round."""
        if not binds:
            return result
        zero, one = n.Const(span, 0), n.Const(span, 1)
        generator = n.Generator(span, self.new_slot("once"), zero, one, one, tuple(binds))
        return n.Fold(span, n.FoldOp.SUM, (generator,), result)

    def _bind(self, e: n.Expr, binds: list[n.Bind], in_order: bool = False) -> n.Expr:
        if isinstance(e, n.Const | n.Local) or (self.cannot_fail(e) and not in_order):
            return e
        slot = self.new_slot("once")
        binds.append(n.Bind(e.span, slot, e))
        return n.Local(e.span, slot)

    def _bind_all(self, value: Value, binds: list[n.Bind]) -> Value:
        match value:
            case Scalar(expr):
                return Scalar(self._bind(expr, binds))
            case TupleOf(items):
                return TupleOf(tuple(self._bind_all(item, binds) for item in items))
            case RecordOf(cls, items):
                return RecordOf(cls, tuple(self._bind_all(item, binds) for item in items))
            case _:
                return value

    def cannot_fail(self, e: n.Expr) -> bool:
        """Whether evaluating it again, or not at all, makes no difference."""
        return self.interval(e) is not None and all(_is_simple(node) for node in n.walk(e))

    def is_repeatable(self, *roots: n.Node) -> bool:
        """Whether evaluating it several times gives the same and changes nothing."""
        calls = (node for node in n.walk(*roots) if isinstance(node, n.Call))
        return all(self._is_pure(call.function) for call in calls)

    def _is_pure(self, function: int) -> bool:
        body = self.unit.functions[function].body
        acts = any(isinstance(node, n.SetState | n.When) for node in n.walk(*body))
        return not acts and self.is_repeatable(*body)

    def require_repeatable(self, e: n.Expr, node: ast.expr) -> n.Expr:
        if not self.is_repeatable(e):
            self.reject(node, "this calls something that changes the state", "assign it to a local first")
        return e

    def fold_cells(self, op: n.FoldOp, dims: Sequence[int], element: Callable[[Indices], n.Expr], span: Span) -> n.Expr:
        """The fold of an expression over all indices of an array of these dimensions."""
        if not dims:
            return element(())
        slots = [self.new_slot("at") for _ in dims]
        for slot, size in zip(slots, dims, strict=True):
            self.bounds[slot] = (0, max(size - 1, 0))
        zero, one = n.Const(span, 0), n.Const(span, 1)
        generators = tuple(
            n.Generator(span, slot, zero, n.Const(span, size), one) for slot, size in zip(slots, dims, strict=True)
        )
        return n.Fold(span, op, generators, element(tuple(n.Local(span, slot) for slot in slots)))

    def same_cells(self, left: Compound, right: Compound, span: Span) -> n.Expr:
        """Whether two values of the same leaves are equal: their cells are, as every shape is canonical."""
        tests = []
        for number, leaf in enumerate(leaves(left.shape)):

            def equal(indices: Indices, number: int = number) -> n.Expr:
                cells = [self.cell(value, number, indices, span) for value in (left, right)]
                return n.Binary(span, n.BinaryOp.EQ, cells[0], cells[1])

            tests.append(self.fold_cells(n.FoldOp.ALL, leaf.dims, equal, span))
        return _all(tests, span)

    def equal(self, left: Value, right: Value, node: ast.expr) -> n.Expr:
        """Whether two values are equal, of which at least one is compound."""
        return self.evaluated([left, right], lambda both: self._equality(both[0], both[1], node), node)

    def _equality(self, left: Value, right: Value, node: ast.expr) -> n.Expr:
        span = self.span(node)
        if isinstance(right, Compound) and not isinstance(left, Compound):
            left, right = right, left
        if isinstance(right, Compound) and isinstance(right.shape, OptionalShape) and isinstance(left, Compound):
            left, right = (left, right) if isinstance(left.shape, OptionalShape) else (right, left)
        if isinstance(left, Compound):
            return self.lowered(left).equals(right, node)
        if isinstance(left, RecordOf) and isinstance(right, RecordOf):
            if left.cls is not right.cls:
                return n.Const(span, 0)
            return self.equal_parts(left.items, right.items, node)
        if isinstance(left, TupleOf) and isinstance(right, TupleOf | Static):
            return self.equal_parts(left.items, self.items_of(right, node), node)
        if isinstance(left, RecordOf) or isinstance(right, RecordOf | TupleOf):
            self.reject(node, "these are never equal")
        return n.Binary(span, n.BinaryOp.EQ, self.number(left, node), self.number(right, node))

    def is_among(self, element: Value, items: Sequence[Value], node: ast.expr) -> n.Expr:
        """Whether a value equals one of the items, all of which are evaluated."""

        def found(values: list[Value]) -> n.Expr:
            tests = tuple(self.equal(values[0], item, node) for item in values[1:])
            return n.Or(self.span(node), tests) if tests else n.Const(self.span(node), 0)

        return self.evaluated([element, *items], found, node)

    def equal_parts(self, left: Sequence[Value], right: Sequence[Value], node: ast.expr) -> n.Expr:
        span = self.span(node)
        if len(left) != len(right):
            return n.Const(span, 0)
        return _all([self.equal(a, b, node) for a, b in zip(left, right, strict=True)], span)

    def items_of(self, value: Value, node: ast.expr) -> tuple[Value, ...]:
        """The items of a tuple."""
        match value:
            case TupleOf(items):
                return items
            case Static(tuple() as known):
                return tuple(Static(item) for item in known)
            case Compound():
                return self.lowered(value).items(node)
            case _:
                self.reject(node, "a tuple is needed here")

    def compound_number(self, value: Compound, node: ast.expr) -> n.Expr:
        """The value as a number: only an optional number can be one."""
        if isinstance(value.shape, OptionalShape):
            inner = self.lowered(value).inner(node)
            if isinstance(inner.shape, ScalarShape):
                return self.cell(inner, 0, (), self.span(node))
        self.reject(node, f"the {noun(value.shape)} {value.name} is used as a number", self.lowered(value).remedy)

    def through(self, value: Value, node: ast.expr) -> Value:
        """The value; of an optional compound value, that value, which is a model error where there is none."""
        if isinstance(value, Compound) and isinstance(value.shape, OptionalShape):
            inner = self.lowered(value).inner(node)
            return value if isinstance(inner.shape, ScalarShape) else inner
        return value

    def truth(self, value: Compound, node: ast.expr) -> n.Expr | bool:
        lowered = self.lowered(value)
        test = lowered.truth(self.span(node))
        known = constant(test)
        reached = [] if known is None else lowered.reached(self.span(node))
        if reached:
            return n.And(self.span(node), (*reached, test))
        return test if known is None else bool(known)

    def size(self, value: Compound, node: ast.expr) -> n.Expr:
        """`len(value)`."""
        lowered = self.lowered(value)
        length = lowered.length(node)
        reached = lowered.reached(self.span(node)) if isinstance(length, n.Const) else []
        if not reached:
            return length
        return n.Conditional(self.span(node), _all(reached, self.span(node)), length, n.Const(self.span(node), 0))


def is_place(value: Compound) -> bool:
    """Whether a name that is bound to it denotes the place. Python has None and tuples, which do not change."""
    return value.alias and isinstance(value.source, InState) and not isinstance(value.shape, OptionalShape | TupleShape)


_SIMPLE = {n.BinaryOp.ADD, n.BinaryOp.SUB, *n.COMPARISONS}


def _is_simple(node: n.Node) -> bool:
    match node:
        case n.Binary(op=op):
            return op in _SIMPLE
        case n.Read(indices=indices):
            return not indices
        case _:
            return isinstance(node, n.Const | n.Local)


def _assigning(
    body: Compounds, place: Compound, leaf: int, value: Callable[[Indices], n.Expr], span: Span
) -> Callable[[Indices], None]:
    return lambda indices: body.set_cell(place, leaf, indices, value(indices), span)


def _constants(dims: Sequence[int], span: Span) -> Iterator[Indices]:
    """All indices of an array of these dimensions."""
    for indices in product(*map(range, dims)):
        yield tuple(n.Const(span, index) for index in indices)


def _all(tests: Sequence[n.Expr], span: Span) -> n.Expr:
    if not tests:
        return n.Const(span, 1)
    return tests[0] if len(tests) == 1 else n.And(span, tuple(tests))
