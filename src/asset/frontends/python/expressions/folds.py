"""sum, any, all, min and max: of generator expressions, arrays, tuples and several arguments."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from asset.frontends.python.body import Body, Evaluation
from asset.frontends.python.evaluation_order import EvaluationOrder
from asset.frontends.python.expressions.iterables import Iterables
from asset.frontends.python.holding import Holding
from asset.frontends.python.ir_expressions import conjunction, from_left
from asset.frontends.python.traversals import Traversal
from asset.frontends.python.values import Scalar, SlotRef, Static, Value, tuple_items
from asset.ir import nodes as n

FOLDS: dict[object, n.FoldOp] = {
    sum: n.FoldOp.SUM,
    any: n.FoldOp.ANY,
    all: n.FoldOp.ALL,
    min: n.FoldOp.MIN,
    max: n.FoldOp.MAX,
}


class Folds:
    def __init__(
        self, body: Body, evaluation: Evaluation, iterables: Iterables, order: EvaluationOrder, holding: Holding
    ) -> None:
        self._body = body
        self._evaluation = evaluation
        self._iterables = iterables
        self._order = order
        self._holding = holding

    def aggregate(self, op: n.FoldOp, node: ast.Call) -> Value:
        """A call of sum, any, all, min or max."""
        default = self._default(op, node)
        span = self._body.span(node)
        if op in (n.FoldOp.MIN, n.FoldOp.MAX) and len(node.args) > 1:
            return self._extremum(op, [self._evaluation.evaluate(part) for part in node.args], node)
        if not node.args or len(node.args) > (2 if op is n.FoldOp.SUM else 1):
            self._body.reject(node, f"{op.value} takes a generator expression, an Array or a tuple")
        folded = self._folded(op, node, default)
        if len(node.args) == 2:
            start, total = self._evaluation.scalar(node.args[1]), self._evaluation.number(folded, node)
            return Scalar(n.Binary(span, n.BinaryOp.ADD, start, total))
        return folded

    def _default(self, op: n.FoldOp, node: ast.Call) -> n.Expr | None:
        default = None
        for keyword in node.keywords:
            if keyword.arg != "default" or op not in (n.FoldOp.MIN, n.FoldOp.MAX):
                self._body.reject(keyword, f"{op.value} with {keyword.arg}= is not part of the language")
            default = self._evaluation.scalar(keyword.value)
        return default

    def _folded(self, op: n.FoldOp, node: ast.Call, default: n.Expr | None) -> Value:
        argument, span = node.args[0], self._body.span(node)
        if isinstance(argument, ast.GeneratorExp):
            return Scalar(n.Fold(span, op, *self._generated(argument), default))
        if isinstance(argument, ast.Tuple):
            return self._of_tuple(op, self._evaluation.evaluate(argument), node)
        traversal = self._iterables.traversal(argument)
        slot = self._iterables.counter(traversal)
        element = self._evaluation.number(traversal.element(n.Local(span, slot)), argument)
        test = None if traversal.test is None else traversal.test(n.Local(span, slot))
        generator = n.Generator(span, slot, traversal.start, traversal.stop, traversal.step, (), test)
        return Scalar(n.Fold(span, op, (generator,), element, default))

    def _of_tuple(self, op: n.FoldOp, value: Value, node: ast.Call) -> Value:
        """The elements are all evaluated, as they are when a tuple is made."""
        items = tuple_items(value) or ()
        if not items:
            self._body.reject(node, f"{op.value} of an empty tuple")
        if op in (n.FoldOp.MIN, n.FoldOp.MAX):
            return self._extremum(op, items, node)
        span = self._body.span(node)
        parts = [self._evaluation.number(item, node) for item in items]
        if op is n.FoldOp.SUM:
            return Scalar(from_left(n.BinaryOp.ADD, parts, span))
        tests = [n.Binary(span, n.BinaryOp.NE, part, n.Const(span, 0)) for part in parts]
        return Scalar(from_left(n.BinaryOp.OR if op is n.FoldOp.ANY else n.BinaryOp.AND, tests, span))

    def _extremum(self, op: n.FoldOp, values: Sequence[Value], node: ast.Call) -> Value:
        numbers = [v.value for v in values if isinstance(v, Static) and isinstance(v.value, int)]
        if len(numbers) == len(values):
            return Static(min(numbers) if op is n.FoldOp.MIN else max(numbers))
        binary = n.BinaryOp.MIN if op is n.FoldOp.MIN else n.BinaryOp.MAX
        parts = [self._evaluation.number(v, node) for v in values]
        return Scalar(from_left(binary, parts, self._body.span(node)))

    # --- generator expressions --------------------------------------------------------------------------------------

    def _generated(self, node: ast.GeneratorExp) -> tuple[tuple[n.Generator, ...], n.Expr]:
        """The generators and the element. Names that they bind are not seen outside."""
        outside, writes = dict(self._body.names), self._body.summary.writes
        self._body.summary.writes = None
        try:
            with self._holding.mode(holds_rows=False):
                clauses = [self._clause(clause) for clause in node.generators]
                element = self._evaluation.scalar(node.elt)
            if self._body.summary.writes and any(traversal.guards is not None for traversal, _ in clauses):
                self._body.reject(node, "the state changes while a Queue is iterated over", "write a for loop")
        finally:
            self._body.bound = outside
            self._body.summary.writes = writes or self._body.summary.writes
        return tuple(generator for _, generators in clauses for generator in generators), element

    def _clause(self, clause: ast.comprehension) -> tuple[Traversal, list[n.Generator]]:
        """The clause's iteration; before it, a round that fixes the row that it is over."""
        if clause.is_async:
            self._body.reject(clause.iter, "async is not part of the language")
        held: list[n.Bind] = []
        with self._holding.mode(holds_rows=True, binds=held):
            traversal = self._iterables.traversal(clause.iter)
        iteration = self._iteration(clause, traversal)
        span = self._body.span(clause.iter)
        return traversal, [self._order.round(held, span), iteration] if held else [iteration]

    def _iteration(self, clause: ast.comprehension, traversal: Traversal) -> n.Generator:
        span = self._body.span(clause.iter)
        slot = self._counter_slot(traversal, clause.target)
        binds: list[n.Bind] = []
        self._bind_target(clause.target, traversal.element(n.Local(span, slot)), binds)
        tests = [] if traversal.test is None else [traversal.test(n.Local(span, slot))]
        tests += [self._test(test) for test in clause.ifs]
        test = conjunction(tests, span) if tests else None
        return n.Generator(span, slot, traversal.start, traversal.stop, traversal.step, tuple(binds), test)

    def _test(self, node: ast.expr) -> n.Expr:
        test = self._evaluation.condition(node)
        return n.Const(self._body.span(node), int(test)) if isinstance(test, bool) else test

    def _counter_slot(self, traversal: Traversal, target: ast.expr) -> int:
        slot = self._iterables.counter(traversal)
        if traversal.counts and isinstance(target, ast.Name):
            self._body.slots[slot] = target.id
        return slot

    def _bind_target(self, target: ast.expr, value: Value, binds: list[n.Bind]) -> None:
        """Binds the names of a `for` clause."""
        match target:
            case ast.Name(id=name):
                self._body.names[name] = self._bound_value(name, value, target, binds)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                items = self._iterables.unpacked(value, len(targets), target)
                for part, item in zip(targets, items, strict=True):
                    self._bind_target(part, item, binds)
            case _:
                self._body.reject(target, "a generator expression binds names only")

    def _bound_value(self, name: str, value: Value, target: ast.expr, binds: list[n.Bind]) -> Value:
        match value:
            case Scalar(n.Local(slot=slot)):
                return SlotRef(slot)
            case Scalar(expr):
                slot = self._body.new_slot(name)
                binds.append(n.Bind(self._body.span(target), slot, expr))
                return SlotRef(slot)
            case _:
                return value
