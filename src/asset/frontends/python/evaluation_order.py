"""Evaluating once and in order what is used several times or not at all, as Python does."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence

from asset.frontends.python.body import Body
from asset.frontends.python.ir_expressions import rounds
from asset.frontends.python.values import RecordOf, Scalar, SetOf, SlotRef, Static, Truth, TupleOf, Value
from asset.ir import nodes as n
from asset.span import Span


class EvaluationOrder:
    def __init__(self, body: Body) -> None:
        self._body = body

    def once(self, values: Sequence[n.Expr], use: Callable[[list[n.Expr]], n.Expr], span: Span) -> n.Expr:
        """An expression that uses the values several times or not at all, each evaluated once and before the rest."""
        binds: list[n.Bind] = []
        in_order = not self.is_repeatable(*values)  # then one of them may change what another one reads
        held = [self.bind(value, binds, in_order) for value in values]
        return self.after(binds, use(held), span)

    def bind(self, e: n.Expr, binds: list[n.Bind], in_order: bool = False) -> n.Expr:
        """The number as it is when its turn comes: bound to a slot, unless that makes no difference."""
        if isinstance(e, n.Const | n.Local) or (self.cannot_fail(e) and not in_order):
            return e
        slot = self._body.new_slot("once")
        binds.append(n.Bind(e.span, slot, e))
        return n.Local(e.span, slot)

    def bind_value(self, value: Value, binds: list[n.Bind]) -> Value:
        """The same of a value that may be a tuple or a record written out."""
        match value:
            case Scalar(expr):
                return Scalar(self.bind(expr, binds))
            case TupleOf(items):
                return TupleOf(tuple(self.bind_value(item, binds) for item in items))
            case RecordOf(cls, items):
                return RecordOf(cls, tuple(self.bind_value(item, binds) for item in items))
            case _:
                return value

    def after(self, binds: Sequence[n.Bind], result: n.Expr, span: Span) -> n.Expr:
        """The result with slots bound beforehand: a sum of one round."""
        return n.Fold(span, n.FoldOp.SUM, (self.round(binds, span),), result) if binds else result

    def truth_after(self, slots: Sequence[int], values: Sequence[n.Expr], test: n.Expr, span: Span) -> n.Expr:
        """Whether the test is true, with the slots bound to the values in order beforehand."""
        binds = [n.Bind(value.span, slot, value) for slot, value in zip(slots, values, strict=True)]
        return n.Fold(span, n.FoldOp.ANY, (self.round(binds, span),), test)

    def round(self, binds: Sequence[n.Bind], span: Span) -> n.Generator:
        """One round that binds the slots."""
        return rounds(span, self._body.new_slot("once"), 1, binds)

    def held_before(self, value: Value, before: int) -> Value:
        """The left operand; if statements were emitted for the right one, it is evaluated before them."""
        if not isinstance(value, Scalar) or len(self._body.emitted) == before or self.cannot_fail(value.expr):
            return value
        slot = self._body.new_slot("left", self._body.bounds_of(value.expr))
        self._body.emitted.insert(before, n.SetLocal(value.expr.span, slot, value.expr))
        return Scalar(n.Local(value.expr.span, slot))

    def only(self, items: Sequence[Value], places: Sequence[int], node: ast.expr) -> list[Value]:
        """Some of the items, which are evaluated where they are used; the others are evaluated now."""
        kept = [items[k] for k in places]
        changing = any(not self.is_repeatable(expr) for expr in map(_number_of, items) if expr is not None)
        if changing and not all(isinstance(item, Static | SlotRef) for item in kept):
            what = "this calls something that changes the state, and is not used"
            self._body.reject(node, what, "assign it to a local first")
        for k, item in enumerate(items):
            if k not in places:
                self.drop([item], kept[0] if kept else None)
        return kept

    def drop(self, values: Iterable[Value], kept: Value | None = None) -> None:
        """Evaluates what is not used any further: Python has evaluated it, which may be a model error."""
        for value in values:
            match value:
                case TupleOf(items) | RecordOf(items=items) | SetOf(items):
                    self.drop(items)
                case Scalar(expr) if self._may_matter(expr) and not _divides_alike(expr, kept):
                    self._body.emit(n.Evaluate(expr.span, expr))

    def _may_matter(self, e: n.Expr) -> bool:
        """Whether evaluating it may be a model error, or may change something."""
        if not isinstance(e, n.Read):
            return not self.cannot_fail(e)
        dims = self._body.draft.variables[e.variable].dims
        bounds = [self._body.bounds_of(index) for index in e.indices]
        return not all(b is not None and b[0] >= 0 and b[1] < size for b, size in zip(bounds, dims, strict=True))

    # --- what evaluating does -------------------------------------------------------------------------------------

    def cannot_fail(self, e: n.Expr) -> bool:
        """Whether evaluating it again, or not at all, makes no difference."""
        return self._body.bounds_of(e) is not None and all(_is_simple(node) for node in n.walk(e))

    def is_repeatable(self, *roots: n.Node) -> bool:
        """Whether evaluating it several times gives the same and changes nothing."""
        calls = (node for node in n.walk(*roots) if isinstance(node, n.Call))
        return all(self._is_pure(call.function) for call in calls)

    def _is_pure(self, function: int) -> bool:
        code = self._body.draft.functions[function].body
        acts = any(isinstance(node, n.SetState | n.When) for node in n.walk(*code))
        return not acts and self.is_repeatable(*code)

    def require_repeatable(self, e: n.Expr, node: ast.expr) -> n.Expr:
        if not self.is_repeatable(e):
            self._body.reject(node, "this calls something that changes the state", "assign it to a local first")
        return e


def _number_of(value: Value) -> n.Expr | None:
    return value.expr if isinstance(value, Scalar | Truth) else None


def _divides_alike(e: n.Expr, kept: Value | None) -> bool:
    """Whether it is the other half of a `divmod`: both are evaluated if one is."""
    match e, kept:
        case n.Binary(left=left, right=right), Scalar(n.Binary(left=other, right=by)):
            return left is other and right is by
        case _:
            return False


_SIMPLE = {n.BinaryOp.ADD, n.BinaryOp.SUB, *n.COMPARISONS}


def _is_simple(node: n.Node) -> bool:
    match node:
        case n.Binary(op=op):
            return op in _SIMPLE
        case n.Read(indices=indices):
            return not indices
        case _:
            return isinstance(node, n.Const | n.Local)
