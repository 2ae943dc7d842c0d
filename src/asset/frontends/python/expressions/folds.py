"""sum, any, all, min and max: of generator expressions, arrays, tuples and several arguments."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NoReturn

from asset.frontends.python.body import Body, Evaluation
from asset.frontends.python.evaluation_order import EvaluationOrder
from asset.frontends.python.expressions.applying import key_of
from asset.frontends.python.expressions.comprehensions import Comprehensions
from asset.frontends.python.expressions.iterables import Iterables
from asset.frontends.python.ir_expressions import conjunction, from_left
from asset.frontends.python.problems import Rejected
from asset.frontends.python.traversals import NO_ORDER, Traversal
from asset.frontends.python.values import Compound, RecordOf, Scalar, SlotRef, Static, TupleOf, Value, tuple_items
from asset.ir import nodes as n
from asset.ir.shapes import OptionalShape, ScalarShape
from asset.model.syntax_trees import placed

FOLDS: dict[object, n.FoldOp] = {
    sum: n.FoldOp.SUM,
    any: n.FoldOp.ANY,
    all: n.FoldOp.ALL,
    min: n.FoldOp.MIN,
    max: n.FoldOp.MAX,
}

EXTREMA = (n.FoldOp.MIN, n.FoldOp.MAX)
TRUTHS = (n.FoldOp.ANY, n.FoldOp.ALL)
OF_NOTHING = {n.FoldOp.SUM: 0, n.FoldOp.ANY: False, n.FoldOp.ALL: True}


class Folds:
    def __init__(
        self,
        body: Body,
        evaluation: Evaluation,
        iterables: Iterables,
        order: EvaluationOrder,
        comprehensions: Comprehensions,
    ) -> None:
        self._body = body
        self._evaluation = evaluation
        self._iterables = iterables
        self._order = order
        self.comprehensions = comprehensions
        self._holding = comprehensions.holding

    def aggregate(self, op: n.FoldOp, node: ast.Call) -> Value:
        """A call of sum, any, all, min or max."""
        node = _with_start(node) if op is n.FoldOp.SUM else node
        default, key = self._keywords(op, node)
        span = self._body.span(node)
        if op in EXTREMA and len(node.args) > 1 and key is None:
            items = [self._evaluation.evaluate(part) for part in node.args]
            if not any(map(self._has_parts, items)):
                return self._extremum(op, items, node)
        if op in EXTREMA and (key is not None or len(node.args) > 1 or self._is_of_parts(node)):
            return self.comprehensions.extremum(op is n.FoldOp.MIN, node, key, default)
        if not node.args or len(node.args) > (2 if op is n.FoldOp.SUM else 1):
            self._body.reject(node, f"{op.value} takes a generator expression, an Array or a tuple")
        folded = self._folded(op, node, default)
        if len(node.args) == 2:
            start, total = self._evaluation.scalar(node.args[1]), self._evaluation.number(folded, node)
            return Scalar(n.Binary(span, n.BinaryOp.ADD, start, total))
        return folded

    def _keywords(self, op: n.FoldOp, node: ast.Call) -> tuple[Value | None, ast.expr | None]:
        """`default=` and `key=` of min and max."""
        default, key = None, None
        for keyword in node.keywords:
            if op not in EXTREMA or keyword.arg not in ("default", "key"):
                self._body.reject(keyword, f"{op.value} with {keyword.arg}= is not part of the language")
            if keyword.arg == "key" and node.args:
                key = key_of(keyword.value, node.args[0])
            else:
                default = self._evaluation.evaluate(keyword.value)
        return default, key

    def _has_parts(self, value: Value) -> bool:
        """Whether it is no number: a tuple, say."""
        if isinstance(value, Compound):
            return not isinstance(value.shape, OptionalShape) or not isinstance(value.shape.item, ScalarShape)
        return isinstance(value, TupleOf | RecordOf) or (isinstance(value, Static) and isinstance(value.value, tuple))

    def _is_of_parts(self, node: ast.Call) -> bool:
        """Whether the elements of what is iterated over are no numbers; looks at them, and forgets that it did."""
        if len(node.args) != 1:
            return False
        try:
            with self._body.trial():
                return self._has_parts(self._first_element(node.args[0]))
        except Rejected:
            return False

    def _first_element(self, argument: ast.expr) -> Value:
        if isinstance(argument, ast.GeneratorExp | ast.ListComp | ast.SetComp):
            with self._holding.mode(holds_rows=False):
                for clause in argument.generators:
                    self._clause(clause)
                return self._evaluation.evaluate(argument.elt)
        span = self._body.span(argument)
        traversal = self._iterables.traversal(argument)
        return traversal.element(n.Local(span, self._iterables.counter(traversal)))

    def _folded(self, op: n.FoldOp, node: ast.Call, given: Value | None) -> Value:
        argument, span = node.args[0], self._body.span(node)
        binds: list[n.Bind] = []
        default = None if given is None else self._order.bind(self._evaluation.number(given, node), binds)
        if isinstance(argument, ast.ListComp) and op not in TRUTHS:
            argument = ast.copy_location(ast.GeneratorExp(argument.elt, argument.generators), argument)
        if isinstance(argument, ast.GeneratorExp):
            argument = self._in_rounds(op, argument, node)
        if isinstance(argument, ast.GeneratorExp):
            generators, element = self._generated(argument, op in TRUTHS)
            return Scalar(
                self._order.after(binds, self._of_numbers(n.Fold(span, op, generators, element, default)), span)
            )
        if isinstance(argument, ast.Tuple):
            return self._of_tuple(op, self._evaluation.evaluate(argument), node, given)
        traversal = self._iterables.traversal(argument)
        slot = self._iterables.counter(traversal)
        found = traversal.element(n.Local(span, slot))
        element = self._truth(found, argument) if op in TRUTHS else self._evaluation.number(found, argument)
        test = None if traversal.test is None else traversal.test(n.Local(span, slot))
        generator = n.Generator(span, slot, traversal.start, traversal.stop, traversal.step, (), test)
        return Scalar(
            self._order.after(binds, self._of_numbers(n.Fold(span, op, (generator,), element, default)), span)
        )

    def _of_numbers(self, fold: n.Fold) -> n.Fold:
        """The fold; sums and extrema are those of numbers."""
        return fold if fold.op in TRUTHS else self._body.draft.uses.of_numbers(fold)

    def _of_tuple(self, op: n.FoldOp, value: Value, node: ast.Call, default: Value | None) -> Value:
        """The elements are all evaluated, as they are when a tuple is made."""
        items = tuple_items(value) or ()
        if not items:
            nothing = default if op in EXTREMA else Static(OF_NOTHING[op])
            return nothing or self._body.reject(node, f"{op.value} of an empty tuple")
        self._order.drop([] if default is None else [default])
        if op in EXTREMA:
            return self._extremum(op, items, node)
        span = self._body.span(node)
        if op in TRUTHS:
            parts = [self._truth(item, node) for item in items]
        else:
            parts = [self._evaluation.number(item, node) for item in items]
        if op is n.FoldOp.SUM:
            return Scalar(self._from_left(n.BinaryOp.ADD, parts, node))
        tests = [n.Binary(span, n.BinaryOp.NE, part, n.Const(span, 0)) for part in parts]
        return Scalar(from_left(n.BinaryOp.OR if op is n.FoldOp.ANY else n.BinaryOp.AND, tests, span))

    def _extremum(self, op: n.FoldOp, values: Sequence[Value], node: ast.Call) -> Value:
        numbers = [v.value for v in values if isinstance(v, Static) and isinstance(v.value, int)]
        if len(numbers) == len(values):
            return Static(min(numbers) if op is n.FoldOp.MIN else max(numbers))
        binary = n.BinaryOp.MIN if op is n.FoldOp.MIN else n.BinaryOp.MAX
        parts = [self._evaluation.number(v, node) for v in values]
        return Scalar(self._from_left(binary, parts, node))

    def _from_left(self, op: n.BinaryOp, parts: list[n.Expr], node: ast.expr) -> n.Expr:
        computed = from_left(op, parts, self._body.span(node))
        return self._body.draft.uses.of_numbers(computed) if isinstance(computed, n.Binary) else computed

    # --- generator expressions --------------------------------------------------------------------------------------

    def _generated(self, node: ast.GeneratorExp, tested: bool) -> tuple[tuple[n.Generator, ...], n.Expr]:
        """The generators and the element, or whether it is true. Names that they bind are not seen outside."""
        outside, writes = dict(self._body.names), self._body.summary.writes
        self._body.summary.writes = None
        try:
            with self._holding.mode(holds_rows=False):
                clauses = [self._clause(clause, k) for k, clause in enumerate(node.generators)]
                span = self._body.span(node.elt)
                if tested:
                    element = self._test(node.elt)
                else:
                    element = self._body.lazily(lambda: self._evaluation.scalar(node.elt), span)
            if self._body.summary.writes and any(t.guards is not None or t.snapshot for t, _ in clauses):
                self._body.reject(node, "the state changes while it is iterated over", "write a for loop")
            if self._body.summary.writes and not all(traversal.has_order for traversal, _ in clauses):
                self._body.reject(node, NO_ORDER, "go over sorted(...) in a for loop")
        finally:
            self._body.bound = outside
            self._body.summary.writes = writes or self._body.summary.writes
        return tuple(generator for _, generators in clauses for generator in generators), element

    def _in_rounds(self, op: n.FoldOp, node: ast.GeneratorExp, call: ast.Call) -> ast.GeneratorExp | ast.ListComp:
        """The same elements; if a collection is made in each round of a clause, what is inside of it is folded in each
        round, and the least or the greatest element is looked for in a list."""
        at = self._first_made(node.generators)
        if at is None:
            return node
        outer, inner = node.generators[:at], node.generators[at:]
        if op in EXTREMA:
            return placed(ast.ListComp(node.elt, node.generators), node)
        rest = placed(ast.GeneratorExp(node.elt, inner), node)
        return placed(ast.GeneratorExp(ast.Call(call.func, [rest], []), outer), node)

    def _first_made(self, clauses: Sequence[ast.comprehension]) -> int | None:
        """The first clause but one that makes what it goes over; looks at them, and forgets that it did."""
        if len(clauses) == 1:
            return None
        with self._body.trial():
            for k, clause in enumerate(clauses):
                before = len(self._body.emitted)
                with self._holding.mode(holds_rows=True, binds=[]):
                    traversal = self._iterables.traversal(clause.iter)
                if k and len(self._body.emitted) > before:
                    return k
                self._iteration(clause, traversal)
        return None

    def _clause(self, clause: ast.comprehension, number: int = 0) -> tuple[Traversal, list[n.Generator]]:
        """The clause's iteration; before it, a round that fixes the row that it is over."""
        if clause.is_async:
            self._body.reject(clause.iter, "async is not part of the language")
        before = len(self._body.emitted)
        traversal, held = self._held_traversal(clause.iter)
        if number and len(self._body.emitted) > before:
            self._reject_statements(clause.iter)
        before = len(self._body.emitted)
        iteration = self._iteration(clause, traversal)
        if len(self._body.emitted) > before:
            self._reject_statements(clause.target)
        span = self._body.span(clause.iter)
        return traversal, [self._order.round(held, span), iteration] if held else [iteration]

    def _held_traversal(self, iterated: ast.expr) -> tuple[Traversal, list[n.Bind]]:
        """What is iterated over, and what a round before it binds. If statements are needed as well, which stand before
        that round, they hold all of it: they may read what would be bound after them."""
        held, before = list[n.Bind](), len(self._body.emitted)
        with self._holding.mode(holds_rows=True, binds=held):
            traversal = self._iterables.traversal(iterated)
        if not held or len(self._body.emitted) == before:
            return traversal, held
        del self._body.emitted[before:]
        with self._holding.mode(holds_rows=True):
            return self._iterables.traversal(iterated), []

    def _iteration(self, clause: ast.comprehension, traversal: Traversal) -> n.Generator:
        span = self._body.span(clause.iter)
        slot = self._counter_slot(traversal, clause.target)
        binds: list[n.Bind] = []
        self._bind_target(clause.target, traversal.element(n.Local(span, slot)), binds)
        tests = [] if traversal.test is None else [traversal.test(n.Local(span, slot))]
        tests += [self._test(test) for test in clause.ifs]
        test = conjunction(tests, span) if tests else None
        return n.Generator(span, slot, traversal.start, traversal.stop, traversal.step, tuple(binds), test)

    def _reject_statements(self, node: ast.expr) -> NoReturn:
        what = "a collection is made here in each round"
        self._body.reject(node, what, "write a for loop, or a method that makes it")

    def _truth(self, value: Value, node: ast.expr) -> n.Expr:
        test = self._evaluation.truth(value, node)
        return n.Const(self._body.span(node), int(test)) if isinstance(test, bool) else test

    def _test(self, node: ast.expr) -> n.Expr:
        span = self._body.span(node)

        def compiled() -> n.Expr:
            test = self._evaluation.condition(node)
            return n.Const(span, int(test)) if isinstance(test, bool) else test

        return self._body.lazily(compiled, span)

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


def _with_start(node: ast.Call) -> ast.Call:
    """`sum(xs, start=k)` as `sum(xs, k)`."""
    match node:
        case ast.Call(args=[items], keywords=[ast.keyword(arg="start", value=start)]):
            return ast.copy_location(ast.Call(node.func, [items, start], []), node)
        case _:
            return node
