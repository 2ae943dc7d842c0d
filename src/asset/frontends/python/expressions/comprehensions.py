"""Local collections: written out, by comprehension, and by list, tuple, set, dict and sorted; min and max of them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import prod

from asset.frontends.python.body import Body, Evaluation
from asset.frontends.python.compounds import Compounds
from asset.frontends.python.evaluation_order import EvaluationOrder
from asset.frontends.python.expressions.applying import applied, key_of
from asset.frontends.python.expressions.iterables import Iterables
from asset.frontends.python.holding import Holding
from asset.frontends.python.inlining import MARK
from asset.frontends.python.ir_expressions import conjunction, constant
from asset.frontends.python.local_shapes import NOTHING
from asset.frontends.python.shapes.dicts import Dicts
from asset.frontends.python.shapes.local import Locals
from asset.frontends.python.shapes.plain_sets import PlainSets
from asset.frontends.python.shapes.unions import Unions
from asset.frontends.python.traversals import NO_ORDER, Traversal
from asset.frontends.python.values import (
    Compound,
    RecordOf,
    Scalar,
    SetOf,
    SlotRef,
    Static,
    TupleOf,
    Value,
    is_collection,
)
from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.ir.shapes import Collection, MapShape, TupleShape, UnionShape

FEW = 8
"""So many items of a list in local variables are compared one by one in the code, and more in a loop."""
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


class Comprehensions:
    def __init__(
        self,
        body: Body,
        evaluation: Evaluation,
        iterables: Iterables,
        compounds: Compounds,
        order: EvaluationOrder,
    ) -> None:
        self._body = body
        self._evaluation = evaluation
        self._iterables = iterables
        self._compounds = compounds
        self._sequences = compounds.sequences
        self.holding: Holding = compounds.holding
        self._order = order

    # --- written out ----------------------------------------------------------------------------------------------

    def list_(self, node: ast.List) -> Value:
        return self.row(node.elts, Collection.LIST, node)

    def row(self, elements: Sequence[ast.expr], kind: Collection, node: ast.expr) -> Value:
        """`[a, b, *c]`, or a tuple written so."""
        parts: list[Value] = []
        run: list[Value] = []
        for element in elements:
            if isinstance(element, ast.Starred):
                parts += [self._written(run, kind, node)] if run else []
                run = []
                parts.append(self._listed(element.value, kind))
            else:
                run.append(self._evaluation.evaluate(element))
        parts += [self._written(run, kind, node)] if run or not parts else []
        whole = parts[0]
        for part in parts[1:]:
            joined = self._sequences.joined(whole, part, node)
            assert joined is not None
            whole = joined
        return whole

    def _written(self, items: Sequence[Value], kind: Collection, node: ast.expr) -> Value:
        return self._sequences.collected(kind, items, n.Const(self._body.span(node), len(items)), node)

    def dict_(self, node: ast.Dict) -> Value:
        """`{key: value}`."""
        if None in node.keys:
            return self._merged(node)
        keys = [key for key in node.keys if key is not None]
        evaluate = self._evaluation.evaluate
        written = [TupleOf((evaluate(k), evaluate(value))) for k, value in zip(keys, node.values, strict=True)]
        pairs = [self._compounds.as_tuple(pair, node) for pair in written]
        self._sequences.item_shape(pairs, node)
        held = [self.holding.assigned_now(pair, node) for pair in pairs]
        made = self._sequences.empty(Collection.DICT, self._sequences.item_shape(held, node), len(held), node)
        for pair in held:
            assert isinstance(pair, TupleOf)
            self._dicts(made).assign_key(pair.items[0], pair.items[1], node)
        return made

    def _merged(self, node: ast.Dict) -> Value:
        """`{**a, key: value}`."""
        spreads = []
        for key, value in zip(node.keys, node.values, strict=True):
            part = value if key is None else ast.copy_location(ast.Dict([key], [value]), value)
            spreads.append(self._sequences.pairs_of(self._evaluation.evaluate(part), part))
        return self._sequences.merged(spreads, node)

    def set_(self, node: ast.Set) -> Value:
        """`{a, *b}`: what is written out, and the elements of others."""
        starred = [part.value for part in node.elts if isinstance(part, ast.Starred)]
        others = [part for part in node.elts if not isinstance(part, ast.Starred)]
        whole: Value = self._sequences.plain_set([self._evaluation.evaluate(part) for part in others], node)
        for part in starred:
            made = self._listed(part, Collection.SET)
            whole = PlainSets(self._compounds, made).combined(n.BinaryOp.OR, whole, part)
        return whole

    def _dicts(self, made: Compound) -> Dicts:
        return Dicts(self._compounds, made)

    def _sets(self, made: Compound) -> PlainSets:
        return PlainSets(self._compounds, made)

    # --- comprehensions -------------------------------------------------------------------------------------------

    def comprehension(self, node: Comprehension) -> Value:
        match node:
            case ast.ListComp():
                return self.built(node, Collection.LIST)
            case ast.SetComp():
                return self.built(node, Collection.SET)
            case ast.DictComp():
                return self.built(node, Collection.DICT)
            case ast.GeneratorExp():
                self._body.reject(node, "a generator expression stands alone", "write [... for ...]")

    def built(self, node: Comprehension, kind: Collection) -> Compound:
        """The collection of the elements; names that the comprehension binds are not seen outside."""

        def element() -> Value:
            if isinstance(node, ast.DictComp):
                return TupleOf((self._evaluation.evaluate(node.key), self._evaluation.evaluate(node.value)))
            return self._evaluation.evaluate(node.elt)

        outside, made = dict(self._body.names), list[Compound]()
        prefix: list[n.Stmt] = []

        has_acted = self._body.has_acted

        def innermost(rounds: int) -> None:
            item = self._compounds.as_tuple(element(), node)
            if isinstance(item, SetOf):
                item = self._sequences.plain_set(item.items, node)
            if self._body.has_acted and not has_acted:
                self._body.reject(node, "this calls something that changes the state", "write a for loop")
            shape = self._sequences.item_shape([item], node)
            make = self._sequences.empty
            most = min(rounds, self._different(item, rounds)) if kind is Collection.SET else rounds
            prefix.extend(self._body.collected(lambda: made.append(make(kind, shape, most, node))))
            self._put(made[0], item, node)

        try:
            code = self._body.collected(lambda: self._clauses(node.generators, 1, innermost, kind))
        finally:
            self._body.bound = outside
        return self._finished(made, prefix, code, kind, node)

    def _different(self, item: Value, unknown: int) -> int:
        """How many values there are that the item could have; `unknown` if that is not known."""
        match item:
            case Static():
                return 1
            case TupleOf(items) | RecordOf(items=items):
                return prod(self._different(part, unknown) for part in items)
            case Scalar(expr):
                known = self._body.bounds_of(expr)
            case SlotRef(slot):
                known = self._body.bounds.get(slot)
            case _:
                return unknown
        return unknown if known is None else known[1] - known[0] + 1

    def _finished(
        self,
        made: list[Compound],
        prefix: Sequence[n.Stmt],
        code: Sequence[n.Stmt],
        kind: Collection,
        node: ast.expr,
    ) -> Compound:
        if not made:  # a clause that never goes round
            return self._sequences.empty(kind, NOTHING, 0, node)
        if not self._order.is_repeatable(*code):
            self._body.reject(node, "this calls something that changes the state", "write a for loop")
        self._body.emitted += [*prefix, *code]
        return made[0]

    def _put(self, made: Compound, item: Value, node: ast.expr) -> None:
        """One element more."""
        lowered = self._compounds.lowered(made)
        match lowered:
            case PlainSets():
                lowered.include(item, node)
            case Dicts():
                key, value = self._compounds.items_of(item, node)
                lowered.assign_key(key, value, node)
            case Locals():
                lowered.push_within(self.holding.assigned_now(item, node), node)

    def _clauses(
        self, clauses: Sequence[ast.comprehension], rounds: int, innermost: Callable[[int], None], kind: Collection
    ) -> None:
        """The loops of the clauses, one in the other."""
        if not clauses:
            innermost(rounds)
            return
        clause, rest = clauses[0], clauses[1:]
        if clause.is_async:
            self._body.reject(clause.iter, "async is not part of the language")
        with self.holding.mode(holds_rows=True):
            traversal = self._iterables.traversal(clause.iter)
        if kind is not Collection.SET:
            self.require_order(traversal, clause.iter)
        more = rounds * self.most_rounds(traversal, clause.iter)
        if more == 0:
            return

        def body(element: Value) -> None:
            self._bind(clause.target, element)
            self._where(clause.ifs, lambda: self._clauses(rest, more, innermost, kind))

        self._loop(traversal, body, clause.iter)

    def require_order(self, traversal: Traversal, node: ast.expr) -> None:
        if not traversal.has_order:
            remedy = "make a set of them, {... for ...}, a list from the beginning, or use sorted(...)"
            self._body.reject(node, NO_ORDER, remedy)

    def most_rounds(self, traversal: Traversal, node: ast.expr) -> int:
        if traversal.most_rounds is None:
            what = "it is not known how many elements there are at most"
            self._body.reject(node, what, "iterate over a range whose bounds are known, and leave out with if")
        return traversal.most_rounds

    def _loop(self, traversal: Traversal, body: Callable[[Value], None], node: ast.expr) -> None:
        span, slot = self._body.span(node), self._iterables.counter(traversal)
        counter = n.Local(span, slot)
        code = self._body.collected(lambda: body(traversal.element(counter)))
        if traversal.test is not None:
            code = (n.If(span, (n.Case(span, traversal.test(counter), code),)),)
        self._body.emit(n.For(span, slot, traversal.start, traversal.stop, traversal.step, code))

    def _where(self, tests: Sequence[ast.expr], then: Callable[[], None]) -> None:
        if not tests:
            then()
            return
        if isinstance(tests[0], ast.BoolOp) and isinstance(tests[0].op, ast.And):
            self._where([*tests[0].values, *tests[1:]], then)
            return
        test, span = self._evaluation.condition(tests[0]), self._body.span(tests[0])
        self._narrow(tests[0])
        if test is True:
            self._where(tests[1:], then)
            return
        code = self._body.collected(lambda: self._where(tests[1:], then))
        expr = n.Const(span, 0) if isinstance(test, bool) else test
        self._body.emit(n.If(span, (n.Case(span, expr, code),)))

    def _narrow(self, test: ast.expr) -> None:
        """Behind `isinstance(m, Promise)`, m is a Promise."""
        match test:
            case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), ast.expr() as cls]):
                value = self._body.names.get(name)
                known = self._evaluation.evaluate(cls) if isinstance(cls, ast.Name) else None
                if isinstance(value, Compound) and isinstance(value.shape, UnionShape) and isinstance(known, Static):
                    union = Unions(self._compounds, value)
                    tags = union.tags_of(known.value)
                    if len(tags) == 1:
                        self._body.names[name] = union.variant(tags[0])

    def _bind(self, target: ast.expr, value: Value) -> None:
        """Binds the names of a `for` clause."""
        match target:
            case ast.Name(id=name):
                if isinstance(value, Scalar) and not isinstance(value.expr, n.Local):
                    slot, span = self._body.new_slot(name, self._body.bounds_of(value.expr)), self._body.span(target)
                    self._body.emit(n.SetLocal(span, slot, value.expr))
                    value = SlotRef(slot)
                self._body.names[name] = value
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                items = self._iterables.unpacked(value, len(targets), target)
                for part, item in zip(targets, items, strict=True):
                    self._bind(part, item)
            case _:
                self._body.reject(target, "a comprehension binds names only")

    # --- list, tuple, set, dict, sorted ---------------------------------------------------------------------------

    def converted(self, kind: Collection, node: ast.Call) -> Value:
        """`list(...)` and the like."""
        if node.keywords or len(node.args) > 1 or any(isinstance(part, ast.Starred) for part in node.args):
            self._body.reject(node, f"{kind.value} takes one argument here")
        if not node.args:
            return SetOf(()) if kind is Collection.SET else self._sequences.empty(kind, NOTHING, 0, node)
        return self._listed(node.args[0], kind)

    def _listed(self, argument: ast.expr, kind: Collection, in_any_order: bool = False) -> Compound:
        """A collection of the elements of what can be iterated over; of pairs, if it is a dict."""
        if kind is Collection.DICT and self._is_dict(argument):
            items = ast.Call(ast.Attribute(argument, "items", ast.Load()), [], [])
            argument = ast.fix_missing_locations(ast.copy_location(items, argument))
        if isinstance(argument, ast.GeneratorExp | ast.ListComp) and kind is not Collection.DICT:
            return self.built(argument, Collection.LIST if in_any_order else kind)
        if isinstance(argument, ast.Name) and kind in (Collection.LIST, Collection.TUPLE):
            value = self._evaluation.evaluate(argument)
            if is_collection(value) and self._sequences.kind_of(value) in (Collection.LIST, Collection.TUPLE):
                return self._sequences.copied(value, argument, kind)
        with self.holding.mode(holds_rows=True):
            traversal = self._iterables.traversal(argument)
        if kind is not Collection.SET and not in_any_order:
            self.require_order(traversal, argument)
        made, prefix = list[Compound](), list[n.Stmt]()
        most = self.most_rounds(traversal, argument)

        def body(element: Value) -> None:
            items = self._compounds.items_of(element, argument) if kind is Collection.DICT else ()
            item = self._compounds.as_tuple(TupleOf(items) if items else element, argument)
            shape, make = self._sequences.item_shape([item], argument), self._sequences.empty
            prefix.extend(self._body.collected(lambda: made.append(make(kind, shape, most, argument))))
            self._put(made[0], item, argument)

        code = () if most == 0 else self._body.collected(lambda: self._loop(traversal, body, argument))
        return self._finished(made, prefix, code, kind, argument)

    def _is_dict(self, node: ast.expr) -> bool:
        """Looks at it, and forgets that it did."""
        if not isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
            return False
        with self._body.trial():
            value = self._evaluation.evaluate(node)
        is_map = isinstance(value, Compound) and isinstance(value.shape, MapShape)
        return is_map or self._sequences.kind_of(value) is Collection.DICT

    def sorted_(self, node: ast.Call) -> Value:
        """`sorted(..., key=..., reverse=...)`."""
        key, descending = None, False
        for keyword in node.keywords:
            value = None if keyword.arg == "key" else self._evaluation.evaluate(keyword.value)
            if keyword.arg == "key" and node.args:
                key = key_of(keyword.value, node.args[0])
            elif keyword.arg == "reverse" and isinstance(value, Static) and isinstance(value.value, bool):
                descending = value.value
            else:
                self._body.reject(keyword, f"sorted with {keyword.arg}= takes a constant here")
        if len(node.args) != 1:
            self._body.reject(node, "sorted takes one argument, key= and reverse=")
        made = self._listed(node.args[0], Collection.LIST, in_any_order=key is None)
        return self._sequences.in_order(made, node, None if key is None else self._keys(made, key), descending)

    def _keys(self, made: Compound, key: ast.expr) -> Compound:
        """The keys of the items of a list."""
        span, items = self._body.span(key), self._lists(made).all_items(key)
        keys, prefix = list[Compound](), list[n.Stmt]()
        code: list[n.Stmt] = []
        for k, item in enumerate(items):

            def put(item: Value = item) -> None:
                value = self.holding.assigned_now(applied(key, item, self._body, self._evaluation), key)
                shape, make = self._sequences.item_shape([value], key), self._sequences.empty
                if not keys:
                    prefix.extend(
                        self._body.collected(lambda: keys.append(make(Collection.LIST, shape, len(items), key)))
                    )
                self._lists(keys[0]).push_within(value, key)

            there = self._lists(made).there(k, span)
            code.append(n.If(span, (n.Case(span, there, self._body.collected(put)),)))
        return self._finished(keys, prefix, code, Collection.LIST, key)

    def _lists(self, made: Compound) -> Locals:
        lowered = self._compounds.lowered(made)
        assert isinstance(lowered, Locals)
        return lowered

    # --- min and max ----------------------------------------------------------------------------------------------

    def extremum(self, least: bool, node: ast.Call, key: ast.expr | None, default: Value | None) -> Value:
        """min or max of elements that are no numbers, or by a key: the first one that none is better than."""
        one_by_one = self._one_by_one(node.args[0]) if len(node.args) == 1 else None
        if one_by_one is not None:
            best = self._running(one_by_one, key, least, node)
            return self._best(best, best, least, default, node)
        if len(node.args) == 1:
            made = self._extremum_of(node.args[0], in_any_order=key is None)
        else:
            items = [self._evaluation.evaluate(part) for part in node.args]
            made = self._sequences.collected(Collection.LIST, items, n.Const(self._body.span(node), len(items)), node)
        return self._best(made, made if key is None else self._keys(made, key), least, default, node)

    def _one_by_one(self, argument: ast.expr) -> ast.GeneratorExp | ast.ListComp | None:
        """The elements as a generator; None if they are few, and in local variables already."""
        if isinstance(argument, ast.GeneratorExp | ast.ListComp):
            return argument
        value = self._evaluation.evaluate(argument) if isinstance(argument, ast.Name) else None
        if value is None or not is_collection(value) or value.shape.capacity <= FEW:  # type: ignore[union-attr]
            return None
        each = ast.Name(f"each{MARK}", ast.Store())
        clause = ast.comprehension(each, argument, [], 0)
        made = ast.GeneratorExp(ast.Name(each.id, ast.Load()), [clause])
        return ast.fix_missing_locations(ast.copy_location(made, argument))

    def _running(
        self, comprehension: ast.GeneratorExp | ast.ListComp, key: ast.expr | None, least: bool, node: ast.expr
    ) -> Compound:
        """A list of the best element, without keeping the others; empty if there is none."""
        outside, made, prefix = dict(self._body.names), list[Compound](), list[n.Stmt]()

        def innermost(_rounds: int) -> None:
            item = self._compounds.as_tuple(self._evaluation.evaluate(comprehension.elt), node)
            self._sequences.item_shape([item], node)
            item = self.holding.assigned_now(item, node)
            by = item if key is None else applied(key, item, self._body, self._evaluation)
            values = [item] if key is None else [item, self.holding.assigned_now(by, key)]
            shapes = [self._sequences.item_shape([value], node) for value in values]
            make = self._sequences.empty
            prefix.extend(
                self._body.collected(lambda: made.extend(make(Collection.LIST, shape, 1, node) for shape in shapes))
            )
            self._keep_better(values, [self._lists(each) for each in made], least, node)

        try:
            kind = Collection.SET if key is None else Collection.LIST  # the first of those that are equally good
            code = self._body.collected(lambda: self._clauses(comprehension.generators, 1, innermost, kind))
        finally:
            self._body.bound = outside
        return self._finished(made, prefix, code, Collection.LIST, node)

    def _keep_better(self, values: Sequence[Value], best: Sequence[Locals], least: bool, node: ast.expr) -> None:
        """The values, an element and its key, are kept if the key is better than the one that is there."""
        span, zero = self._body.span(node), n.Const(self._body.span(node), 0)
        op = n.BinaryOp.LT if least else n.BinaryOp.GT
        none = n.Unary(span, n.UnaryOp.NOT, best[0].truth(span))
        better = self._sequences.ordered(op, values[-1], best[-1].at_place(zero, node), node)

        def take() -> None:
            for value, kept in zip(values, best, strict=True):
                self._compounds.lowered(kept.place(zero)).store(value, node)
            best[0].set_cell(0, (), n.Const(span, 1), span)

        self._body.emit(n.If(span, (n.Case(span, n.Or(span, (none, better)), self._body.collected(take)),)))

    def _extremum_of(self, argument: ast.expr, in_any_order: bool) -> Compound:
        """The elements; a list or a tuple that is there already is not copied."""
        if isinstance(argument, ast.Name):
            value = self._evaluation.evaluate(argument)
            if self._sequences.kind_of(value) in (Collection.LIST, Collection.TUPLE) and is_collection(value):
                return value
        return self._listed(argument, Collection.LIST, in_any_order)

    def _best(self, made: Compound, keys: Compound, least: bool, default: Value | None, node: ast.expr) -> Value:
        span, lists, by = self._body.span(node), self._lists(made), self._lists(keys)
        items = lists.all_items(node)
        shape = self._sequences.item_shape([*items, *([] if default is None else [default])], node)
        result = self._lists(self._sequences.empty(Collection.LIST, shape, 1, node))
        place = result.place(n.Const(span, 0))
        if default is None:
            some, word = lists.truth(span), "min" if least else "max"
            self._storage_require(some, f"{word}() of nothing", node)
        else:
            self._compounds.lowered(place).store(self.holding.assigned_now(default, node), node)
        if items:
            best = self._lists(self._sequences.empty(Collection.LIST, keys.shape.item, 1, node))  # type: ignore[union-attr]
            for k in range(len(items)):
                self._prefer(k, (lists, by), (place, best.place(n.Const(span, 0))), least, node)
        return self._compounds.storage.normal(replace(place, alias=False), node)

    def _storage_require(self, test: n.Expr, message: str, node: ast.expr) -> None:
        self._compounds.storage.require(test, FaultKind.EMPTY, (message,), self._body.span(node))

    def _prefer(
        self, k: int, lists: tuple[Locals, Locals], best: tuple[Compound, Compound], least: bool, node: ast.expr
    ) -> None:
        """Item k is the best one so far, if it is there and better than the best one before it."""
        span, storage = self._body.span(node), self._compounds.storage
        at = n.Const(span, k)
        tests = [lists[0].there(k, span)]
        if k:
            key, other = lists[1].at_place(at, node), storage.normal(replace(best[1], alias=False), node)
            tests.append(self._sequences.ordered(n.BinaryOp.LT if least else n.BinaryOp.GT, key, other, node))

        def take() -> None:
            self._compounds.lowered(best[0]).store(lists[0].at_place(at, node), node)
            storage.copy(best[1], lists[1].place(at), span)

        self._body.emit(n.If(span, (n.Case(span, conjunction(tests, span), self._body.collected(take)),)))

    # --- slices ---------------------------------------------------------------------------------------------------

    def sliced(self, base: Value, node: ast.Subscript) -> Value:
        assert isinstance(node.slice, ast.Slice)
        parts = [node.slice.lower, node.slice.upper]
        bounds = [None if part is None else self._evaluation.scalar(part) for part in parts]
        step = 1 if node.slice.step is None else constant(self._evaluation.scalar(node.slice.step))
        if not step:
            self._body.reject(node, "the step of a slice is a constant that is not 0")
        known = [None if bound is None else constant(bound) for bound in bounds]
        if isinstance(base, Static) and isinstance(base.value, tuple | range) and _are_known(bounds, known):
            return Static(base.value[known[0] : known[1] : step])
        if isinstance(base, Compound) and isinstance(base.shape, TupleShape) and _are_known(bounds, known):
            base = TupleOf(self._compounds.items_of(base, node))
        if isinstance(base, TupleOf) and _are_known(bounds, known):
            places = range(len(base.items))[known[0] : known[1] : step]
            return TupleOf(tuple(self._order.only(base.items, places, node)))
        if is_collection(base) and base.shape.kind in (Collection.SET, Collection.DICT):  # type: ignore[union-attr]
            self._body.reject(node, "this cannot be sliced", "write sorted(...)[a:b]")
        return self._sequences.sliced(base, (bounds[0], bounds[1], step), node)


def _are_known(bounds: Sequence[n.Expr | None], known: Sequence[int | None]) -> bool:
    return all(bound is None or number is not None for bound, number in zip(bounds, known, strict=True))
