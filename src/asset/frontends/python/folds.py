"""sum, any, all, min and max: of generator expressions, arrays, tuples and several arguments."""

from __future__ import annotations

import ast

from asset.frontends.python.iteration import Iteration
from asset.frontends.python.operators import sum_of
from asset.frontends.python.problems import Rejected
from asset.frontends.python.sweeps import Sweep
from asset.frontends.python.values import Compound, Scalar, SlotRef, Static, TupleOf, Value
from asset.ir import nodes as n
from asset.ir.shapes import OptionalShape, TupleShape
from asset.span import Span

FOLDS: dict[object, n.FoldOp] = {
    sum: n.FoldOp.SUM,
    any: n.FoldOp.ANY,
    all: n.FoldOp.ALL,
    min: n.FoldOp.MIN,
    max: n.FoldOp.MAX,
}


class Folds(Iteration):
    guarded = False
    """Whether the generator expression that is being compiled iterates over something that must not change."""

    def aggregate(self, op: n.FoldOp, node: ast.Call) -> Value:
        """A call of sum, any, all, min or max."""
        default = self._default(op, node)
        span = self.span(node)
        if op in (n.FoldOp.MIN, n.FoldOp.MAX) and len(node.args) > 1:
            return self._extremum(op, [self.evaluate(part) for part in node.args], node)
        if not node.args or len(node.args) > (2 if op is n.FoldOp.SUM else 1):
            self.reject(node, f"{op.value} takes a generator expression, an Array or a tuple")
        folded = self._folded(op, node, default)
        if len(node.args) == 2:
            return Scalar(n.Binary(span, n.BinaryOp.ADD, self.scalar(node.args[1]), self.number(folded, node)))
        return folded

    def _default(self, op: n.FoldOp, node: ast.Call) -> n.Expr | None:
        default = None
        for keyword in node.keywords:
            if keyword.arg != "default" or op not in (n.FoldOp.MIN, n.FoldOp.MAX):
                self.reject(keyword, f"{op.value} with {keyword.arg}= is not part of the language")
            default = self.scalar(keyword.value)
        return default

    def _folded(self, op: n.FoldOp, node: ast.Call, default: n.Expr | None) -> Value:
        argument, span = node.args[0], self.span(node)
        if isinstance(argument, ast.GeneratorExp):
            return self.fold(op, argument, default, span)
        if isinstance(argument, ast.Tuple):
            return self._of_tuple(op, self.evaluate(argument), node)
        sweep = self.sweep(argument)
        slot = self.counter(sweep)
        element = self.number(sweep.element(n.Local(span, slot)), argument)
        test = None if sweep.test is None else sweep.test(n.Local(span, slot))
        generator = n.Generator(span, slot, sweep.start, sweep.stop, sweep.step, (), test)
        return Scalar(n.Fold(span, op, (generator,), element, default))

    def _of_tuple(self, op: n.FoldOp, value: Value, node: ast.Call) -> Value:
        """The elements are all evaluated, as they are when a tuple is made."""
        items = _items(value) or []
        if not items:
            self.reject(node, f"{op.value} of an empty tuple")
        if op in (n.FoldOp.MIN, n.FoldOp.MAX):
            return self._extremum(op, items, node)
        span = self.span(node)
        parts = [self.number(item, node) for item in items]
        if op is n.FoldOp.SUM:
            return Scalar(sum_of(n.BinaryOp.ADD, parts, span))
        tests = [n.Binary(span, n.BinaryOp.NE, part, n.Const(span, 0)) for part in parts]
        return Scalar(sum_of(n.BinaryOp.OR if op is n.FoldOp.ANY else n.BinaryOp.AND, tests, span))

    def _extremum(self, op: n.FoldOp, values: list[Value], node: ast.Call) -> Value:
        if all(isinstance(v, Static) and isinstance(v.value, int) for v in values):
            numbers = [v.value for v in values if isinstance(v, Static) and isinstance(v.value, int)]
            return Static(min(numbers) if op is n.FoldOp.MIN else max(numbers))
        binary = n.BinaryOp.MIN if op is n.FoldOp.MIN else n.BinaryOp.MAX
        return Scalar(sum_of(binary, [self.number(v, node) for v in values], self.span(node)))

    # --- generator expressions --------------------------------------------------------------------------------------

    def fold(self, op: n.FoldOp, node: ast.GeneratorExp, default: n.Expr | None, span: Span) -> Value:
        outside, may_hold, binds = dict(self.names), self.may_hold, self.binds
        self.may_hold, self.binds = False, None
        guarded, writes = self.guarded, self.summary.writes
        self.guarded, self.summary.writes = False, None
        try:
            generators = tuple(g for clause in node.generators for g in self._generators(clause))
            element = self.scalar(node.elt)
            if self.guarded and self.summary.writes:
                self.reject(node, "the state changes while a Queue is iterated over", "write a for loop")
        finally:
            self.bound, self.may_hold, self.binds = outside, may_hold, binds
            self.guarded, self.summary.writes = guarded, writes or self.summary.writes
        return Scalar(n.Fold(span, op, generators, element, default))

    def _generators(self, clause: ast.comprehension) -> list[n.Generator]:
        """The clause's iteration; before it, a round that fixes the row that it is over."""
        if clause.is_async:
            self.reject(clause.iter, "async is not part of the language")
        self.may_hold, self.binds = True, []
        sweep = self.sweep(clause.iter)
        held, self.may_hold, self.binds = self.binds, False, None
        self.guarded = self.guarded or sweep.guards is not None
        iteration = self._iteration(clause, sweep)
        return [self._once(held, clause), iteration] if held else [iteration]

    def _once(self, binds: list[n.Bind], clause: ast.comprehension) -> n.Generator:
        span = self.span(clause.iter)
        zero, one = n.Const(span, 0), n.Const(span, 1)
        return n.Generator(span, self.new_slot("once"), zero, one, one, tuple(binds))

    def _iteration(self, clause: ast.comprehension, sweep: Sweep) -> n.Generator:
        span = self.span(clause.iter)
        slot = self._counter_slot(sweep, clause.target)
        binds: list[n.Bind] = []
        self._bind_target(clause.target, sweep.element(n.Local(span, slot)), binds)
        tests = [] if sweep.test is None else [sweep.test(n.Local(span, slot))]
        tests += [self._test(test) for test in clause.ifs]
        test = None if not tests else tests[0] if len(tests) == 1 else n.And(span, tuple(tests))
        return n.Generator(span, slot, sweep.start, sweep.stop, sweep.step, tuple(binds), test)

    def _test(self, node: ast.expr) -> n.Expr:
        test = self.condition(node)
        return n.Const(self.span(node), int(test)) if isinstance(test, bool) else test

    def _counter_slot(self, sweep: Sweep, target: ast.expr) -> int:
        slot = self.counter(sweep)
        if sweep.counts and isinstance(target, ast.Name):
            self.slots[slot] = target.id
        return slot

    def _bind_target(self, target: ast.expr, value: Value, binds: list[n.Bind]) -> None:
        """Binds the names of a `for` clause; they are not seen outside of the generator expression."""
        match target:
            case ast.Name(id=name):
                self.names[name] = self._bound_value(name, value, target, binds)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                for part, item in zip(targets, self.unpacked(value, len(targets), target), strict=True):
                    self._bind_target(part, item, binds)
            case _:
                self.reject(target, "a generator expression binds names only")

    def _bound_value(self, name: str, value: Value, target: ast.expr, binds: list[n.Bind]) -> Value:
        match value:
            case Scalar(n.Local(slot=slot)):
                return SlotRef(slot)
            case Scalar(expr):
                slot = self.new_slot(name)
                binds.append(n.Bind(self.span(target), slot, expr))
                return SlotRef(slot)
            case _:
                return value

    def unpacked(self, value: Value, count: int, node: ast.expr) -> list[Value]:
        """The value's elements, of which there must be `count`."""
        items = self._elements(value, node)
        if len(items) != count:
            self.reject(node, f"{count} names, but {len(items)} values")
        return items

    def _elements(self, value: Value, node: ast.expr) -> list[Value]:
        items = _items(value)
        if items is not None:
            return items
        if isinstance(value, Compound) and isinstance(value.shape, TupleShape | OptionalShape):
            return list(self.lowered(value).items(node))
        try:
            sweep = self.sweep_over(value, node)
        except Rejected:
            self.reject(node, "only tuples and Arrays can be taken apart")
        if sweep.length is None:
            self.reject(node, "it is not known how many values there are")
        start, step = sweep.start, sweep.step
        assert isinstance(start, n.Const) and isinstance(step, n.Const)
        span = self.span(node)
        return [sweep.element(n.Const(span, start.value + k * step.value)) for k in range(sweep.length)]


def _items(value: Value) -> list[Value] | None:
    """The elements of a tuple whose length is known now."""
    match value:
        case Static(tuple() as known):
            return [Static(item) for item in known]
        case TupleOf(items):
            return list(items)
        case _:
            return None
