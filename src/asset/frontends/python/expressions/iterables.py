"""What can be iterated over: everything becomes a count over a range, with the element derived from the counter."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from enum import Enum
from itertools import permutations, product
from types import ModuleType
from typing import NoReturn

from asset.frontends.python.body import Body, Evaluation
from asset.frontends.python.compounds import Compounds
from asset.frontends.python.constants import in_some_order
from asset.frontends.python.expressions.applying import applied
from asset.frontends.python.expressions.constant_values import one_of
from asset.frontends.python.expressions.iterators import (
    COMBINING,
    REWRITTEN,
    TAKING_SOME,
    Combining,
    combinations_of,
    combined_count,
    listed,
    width,
)
from asset.frontends.python.expressions.lazy_iterators import LazyIterators
from asset.frontends.python.expressions.subscripts import Subscripts
from asset.frontends.python.expressions.tables import is_table
from asset.frontends.python.holding import Holding
from asset.frontends.python.ir_expressions import NumberBounds, affine, conjunction, constant, from_left
from asset.frontends.python.local_shapes import NOTHING
from asset.frontends.python.problems import Rejected
from asset.frontends.python.shapes.dicts import Dicts
from asset.frontends.python.shapes.maps import Maps
from asset.frontends.python.traversals import NO_ORDER, Traversal, counted
from asset.frontends.python.values import (
    ArrayRef,
    Compound,
    Poison,
    RangeOf,
    Scalar,
    SetOf,
    Static,
    TableRef,
    TupleOf,
    Value,
    is_collection,
    known_integer,
    tuple_items,
)
from asset.frontends.python.views import viewed
from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.ir.rounds import rounds_of
from asset.ir.shapes import (
    BagShape,
    BoundedSetShape,
    Collection,
    LocalShape,
    MapShape,
    OptionalShape,
    QueueShape,
    SetShape,
    TupleShape,
)
from asset.model.symbols import number_of


class Iterables:
    def __init__(
        self, body: Body, evaluation: Evaluation, subscripts: Subscripts, compounds: Compounds, holding: Holding
    ) -> None:
        self._body = body
        self._evaluation = evaluation
        self._subscripts = subscripts
        self._compounds = compounds
        self._holding = holding
        self.lazy = LazyIterators(body, evaluation, self._iterator)

    def traversal(self, node: ast.expr) -> Traversal:
        """The iteration over what the expression denotes."""
        if isinstance(node, ast.Call):
            special = self._special(node)
            if special is not None:
                return special
        with self._holding.mode(holds_rows=False):
            value = self._evaluation.evaluate(node)
        return self._traversal_of(value, node)

    def counter(self, traversal: Traversal) -> int:
        """A slot for the counter of the iteration."""
        return self._body.new_slot(f"{traversal.name}.at", traversal.bounds or self._bounds_of_counter(traversal))

    def _bounds_of_counter(self, traversal: Traversal) -> NumberBounds | None:
        """As far as the bounds of its bounds say."""
        first, last = self._body.bounds_of(traversal.start), self._body.bounds_of(traversal.stop)
        step = constant(traversal.step)
        if first is None or last is None or not step:
            return None
        return (first[0], last[1] - 1) if step > 0 else (last[0] + 1, first[1])

    def _traversal_of(self, value: Value, node: ast.expr) -> Traversal:
        span = self._body.span(node)
        match value:
            case ArrayRef():
                row, element = self._checked(value), self._subscripts.array_element
                return counted(span, value.name, value.dims[0], lambda k: element(row, k, node))
            case RangeOf(start, stop, step):
                most = self._most_of_range(start, stop, step)
                return Traversal("range", start, stop, step, Scalar, counts=True, most=most)
            case Static(range() as known):
                start, stop, step = (n.Const(span, bound) for bound in (known.start, known.stop, known.step))
                return Traversal("range", start, stop, step, Scalar, counts=True)
            case Static(type() as cls) if issubclass(cls, Enum):
                return self._over_numbers(cls.__name__, tuple(number_of(member) for member in cls), node)
            case Static(tuple() as data):
                return self._over_constants(data, node)
            case Static(dict() as known):
                return self._over_constants(tuple(known), node)
            case Static(frozenset() as members):
                return replace(self._over_constants(tuple(in_some_order(members)), node), has_order=False)
            case TableRef():
                return self._over_table(self._holding.table_row(value) if self._holding.holds_rows else value, node)
            case TupleOf(items):
                return self._over_tuple(items, node)
            case Compound(shape=TupleShape()):
                return self._over_tuple(self._compounds.items_of(value, node), node)
            case Compound(shape=LocalShape()):
                return self._compounds.lowered(value).traversal(node)
            case SetOf(items):
                made = self._compounds.sequences.plain_set(items, node)
                return self._compounds.lowered(made).traversal(node)
            case Compound():
                held = self._holding.kept(value, node) if self._holding.holds_rows else value
                return self._compounds.lowered(held).traversal(node)
            case Poison():
                raise Rejected
            case _:
                self._body.reject(
                    node,
                    "this cannot be iterated over",
                    "use range(...), an Array, a Queue, a Set, a tuple or an Enum class",
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
        most = self._subscripts.longest_row(table, node)
        return Traversal(table.name, zero, length, one, lambda k: element(table, k, node), most=most)

    def _over_constants(self, data: tuple[object, ...], node: ast.expr) -> Traversal:
        """As a table of numbers; if the items are neither numbers nor tuples of them, as one of each of their cells."""
        if is_table(data):
            return self._over_table(TableRef(_text_of(node), data), node)
        if one_of("", data, n.Const(self._body.span(node), 0)) is None:
            self._body.reject(node, "the items of this constant are not alike", "use tuples of one length, or a record")
        element = self._subscripts.constant_element
        return counted(self._body.span(node), _text_of(node), len(data), lambda k: element(data, k, node))

    def _over_tuple(self, items: tuple[Value, ...], node: ast.expr) -> Traversal:
        known = [known_integer(item) for item in items]
        if None in known:
            row = self._compounds.sequences.copied(TupleOf(items), node, Collection.TUPLE)
            return self._compounds.lowered(row).traversal(node)
        return self._over_numbers("tuple", tuple(k for k in known if k is not None), node)

    def _most_of_range(self, start: n.Expr, stop: n.Expr, step: n.Expr) -> int | None:
        """The most rounds of a range, as far as the bounds of its bounds say."""
        first, last, by = self._body.bounds_of(start), self._body.bounds_of(stop), constant(step)
        if first is None or last is None or not by:
            return None
        return rounds_of(range(first[0], last[1], by) if by > 0 else range(first[1], last[0], by))

    # --- enumerate, zip, reversed ---------------------------------------------------------------------------------

    def _special(self, node: ast.Call) -> Traversal | None:
        view = viewed(node)
        if view is not None:
            return self._view(*view, node)
        callee = self._iterator(node)
        combining = [each for each in COMBINING if callee is each]
        if combining:
            return self._combined(combining[0], node)
        for function, rewritten in REWRITTEN.items():
            if callee is function:
                return self.traversal(rewritten(node) or self._reject_arguments(node))
        if callee not in (enumerate, zip, reversed, map):
            return None
        if callee is map:
            return self._mapped(node)
        if callee is enumerate:
            return self._enumerated(node)
        if node.keywords and not (callee is zip and node.keywords[0].arg == "strict"):
            self._body.reject(node, "keyword arguments are not part of the language here")
        return self._zipped(node) if callee is zip else self._reversed(node)

    def _iterator(self, node: ast.expr) -> object:
        """The function that is called, if it may be one of Python's own."""
        if not isinstance(node, ast.Call) or not self._may_be_iterator(node.func):
            return None
        callee = self._evaluation.evaluate(node.func)
        return callee.value if isinstance(callee, Static) else None

    def _may_be_iterator(self, function: ast.expr) -> bool:
        """Whether it may be a function of Python's own: a name, or one of a module."""
        if not isinstance(function, ast.Attribute):
            return isinstance(function, ast.Name)
        if not isinstance(function.value, ast.Name) or function.value.id in self._body.names:
            return False
        owner = self._evaluation.evaluate(function.value)
        return isinstance(owner, Static) and isinstance(owner.value, ModuleType)

    def _reject_arguments(self, node: ast.Call) -> NoReturn:
        self._body.reject(node, f"{ast.unparse(node.func)} is given too little, or too much")

    def of_loop(self, node: ast.expr) -> Traversal:
        """What a loop is over whose body may change anything: combinations of what may change are listed first, and
        `filter` asks about an item when its turn comes."""
        if isinstance(node, ast.Call) and self._iterator(node) in COMBINING and not self._are_known(node.args):
            return self.traversal(listed(node))
        if isinstance(node, ast.Call) and self._iterator(node) is filter and len(node.args) == 2:
            return self._filtered(*node.args)
        return self.traversal(node)

    def _filtered(self, function: ast.expr, items: ast.expr) -> Traversal:
        inner, span = self.of_loop(items), self._body.span(function)
        if not inner.has_order:  # what a round changes, the function may read in the next one
            self._body.reject(items, NO_ORDER, "use sorted(...)")

        def asked(k: n.Expr) -> n.Expr:
            item = inner.element(k)
            is_none = isinstance(function, ast.Constant) and function.value is None
            value = item if is_none else applied(function, item, self._body, self._evaluation)
            test = self._evaluation.truth(value, function)
            return n.Const(span, int(test)) if isinstance(test, bool) else test

        def test(k: n.Expr) -> n.Expr:
            tests = [] if inner.test is None else [inner.test(k)]
            return conjunction([*tests, self._body.lazily(lambda: asked(k), span)], span)

        return replace(inner, test=test)

    def _are_known(self, nodes: Sequence[ast.expr]) -> bool:
        with self._body.trial():
            return all(isinstance(self._evaluation.evaluate(node), Static) for node in nodes)

    def _combined(self, function: Combining, node: ast.Call) -> Traversal:
        """`combinations(xs, 2)` and the like: a table says which items are in which round."""
        count, given = combined_count(function, node), node.args[: 1 if function in TAKING_SOME else None]
        some = [] if count is None else [known_integer(self._evaluation.evaluate(count))]
        if any(number is not None and number < 0 for number in some):
            self._reject_arguments(node)
        take = self._from_zero if function in (product, permutations) else self._in_order
        parts = [take(part) for part in given]
        lengths = [part.length for part in parts if part.guards is None]
        if not parts or None in (*lengths, *some) or len(lengths) < len(parts):
            what = f"{ast.unparse(node.func)} takes Arrays, constants and ranges here"
            self._body.reject(node, what, "write loops in each other")
        known = [length for length in lengths if length is not None]
        rounds, span = combinations_of(function, known, some), self._body.span(node)
        if rounds is None:
            self._body.reject(node, f"{ast.unparse(node)} has too many rounds", "write loops in each other")
        columns = list(zip(*(rounds or [(0,) * width(function, known, some)]), strict=True))
        sources = [parts[k % len(parts)] for k in range(len(columns))]

        def element(k: n.Expr) -> Value:
            places = [n.Table(span, "place", (len(column),), column, (k,)) for column in columns]
            return TupleOf(tuple(part.element(at) for part, at in zip(sources, places, strict=True)))

        whole = counted(span, parts[0].name, len(rounds), element)
        return replace(whole, snapshot=True, has_order=all(part.has_order for part in parts))

    def _mapped(self, node: ast.Call) -> Traversal:
        """`map(function, items)`."""
        if len(node.args) != 2 or node.keywords:
            self._body.reject(node, "map takes a function and what to iterate over", "write [f(x, y) for ...]")
        inner, function = self.traversal(node.args[1]), node.args[0]

        def element(k: n.Expr) -> Value:
            return applied(function, inner.element(k), self._body, self._evaluation)

        return replace(inner, element=element, counts=False)

    def _view(self, base: ast.expr, what: str, node: ast.Call) -> Traversal | None:
        """`keys()`, `values()` and `items()` of a Map or a dict."""
        with self._holding.mode(holds_rows=False):
            value = self._evaluation.evaluate(base)
        if isinstance(value, Static) and isinstance(value.value, dict):
            known: dict[object, object] = value.value
            listed = {"keys": tuple(known), "values": tuple(known.values()), "items": tuple(known.items())}
            return self._over_constants(listed[what], node)
        value = self._compounds.through(value, node) if isinstance(value, Compound) else value
        if is_collection(value) and isinstance(dicts := self._compounds.lowered(value), Dicts):
            return self._compounds.lowered(dicts.viewed(what, node)).traversal(node)
        if not isinstance(value, Compound) or not isinstance(value.shape, MapShape):
            return None
        held = self._holding.kept(value, node) if self._holding.holds_rows else value
        return Maps(self._compounds, held).over(what, node)

    def _enumerated(self, node: ast.Call) -> Traversal:
        extra = [*node.args[1:], *(keyword.value for keyword in node.keywords)]
        first = [known_integer(self._evaluation.evaluate(part)) for part in extra]
        if not node.args or None in first or len(first) > 1:
            self._body.reject(node, "enumerate takes what to iterate over and a constant start")
        shift = first[0] if first and first[0] is not None else 0
        inner, span = self._in_order(node.args[0]), self._body.span(node)

        def element(k: n.Expr) -> Value:
            number = n.Binary(span, n.BinaryOp.ADD, k, n.Const(span, shift)) if shift else k
            return TupleOf((Scalar(number), inner.element(k)))

        return replace(inner, element=element, counts=False)

    def _zipped(self, node: ast.Call) -> Traversal:
        parts = [self._in_order(part) for part in node.args]
        if not parts or any(part.guards is not None for part in parts):
            self._body.reject(node, "zip takes Arrays, lists, tuples and ranges", "write list(...) of a Queue")
        lengths = [part.length for part in parts]
        known = [length for length in lengths if length is not None]
        span = self._body.span(node)
        stops = [*([n.Const(span, min(known))] if known else []), *(p.stop for p in parts if p.length is None)]
        shortest = from_left(n.BinaryOp.MIN, stops, span)
        most = [part.most_rounds for part in parts if part.most_rounds is not None]
        whole = counted(span, parts[0].name, 0, lambda k: TupleOf(tuple(p.element(k) for p in parts)))
        return replace(whole, stop=shortest, most=min(most, default=None))

    def _in_order(self, node: ast.expr) -> Traversal:
        """The same of elements whose places matter."""
        found = self._from_zero(node)
        if not found.has_order:
            self._body.reject(node, NO_ORDER, "use sorted(...)")
        return found

    def _from_zero(self, node: ast.expr) -> Traversal:
        """The iteration, counting from 0 in steps of 1."""
        inner, span = self.traversal(node), self._body.span(node)
        start, step, length = constant(inner.start), constant(inner.step), inner.length
        if inner.test is not None:
            self._body.reject(node, "the elements of a set cannot be numbered here", "count in a variable")
        if (start, step) == (0, 1):
            return inner
        if start is None or step is None or length is None:
            return self._from_somewhere(inner, node)
        return counted(span, inner.name, length, lambda k: inner.element(affine(k, start, step, span)))

    def _from_somewhere(self, inner: Traversal, node: ast.expr) -> Traversal:
        """The same of a range with bounds known at run time only, in steps of 1 or -1."""
        step, span = constant(inner.step), self._body.span(node)
        if step not in (1, -1):
            what = "a range with bounds known at run time cannot be numbered here"
            self._body.reject(node, what, "count in a variable")
        low, high = (inner.start, inner.stop) if step == 1 else (inner.stop, inner.start)
        length = n.Binary(span, n.BinaryOp.MAX, n.Binary(span, n.BinaryOp.SUB, high, low), n.Const(span, 0))
        op = n.BinaryOp.ADD if step == 1 else n.BinaryOp.SUB
        whole = counted(span, inner.name, 0, lambda k: inner.element(n.Binary(span, op, inner.start, k)))
        return replace(whole, stop=length, most=inner.most_rounds, has_order=inner.has_order)

    def _reversed(self, node: ast.Call) -> Traversal:
        if len(node.args) != 1:
            self._body.reject(node, "reversed takes one argument")
        inner, span = self.traversal(node.args[0]), self._body.span(node)
        if self._is_unordered(node.args[0]):
            self._body.reject(node, "Python has no order to reverse here", "use sorted(..., reverse=True)")
        if constant(inner.step) != 1:
            self._body.reject(node, "reversed takes a range in steps of 1, an Array or a constant tuple")
        last, before = affine(inner.stop, -1, 1, span), affine(inner.start, -1, 1, span)
        if not inner.has_order:
            self._body.reject(node, "a set has no order that could be reversed", "use sorted(..., reverse=True)")
        return replace(inner, start=last, stop=before, step=n.Const(span, -1), guards=None, most=inner.most_rounds)

    def _is_unordered(self, node: ast.expr) -> bool:
        """Whether it is a Set or a Bag, which are no sequences, though here they are iterated over in an order."""
        if viewed(node) is not None or self._iterator(node) is not None:
            return False
        with self._body.trial():
            value = self._evaluation.evaluate(node)
        return isinstance(value, Compound) and isinstance(value.shape, SetShape | BoundedSetShape | BagShape)

    # --- taking apart ---------------------------------------------------------------------------------------------

    def unpacked(self, value: Value, count: int, node: ast.expr) -> list[Value]:
        """The value's elements, of which there must be `count`."""
        if count > 1:
            self._require_order(value, node)
        if isinstance(value, Compound) and value.shape == NOTHING:
            return [value] * count
        if isinstance(value, Compound) and self._varies(value):
            return self._checked_items(value, count, node)
        items = self._elements(value, node)
        if len(items) != count:
            self._body.reject(node, f"{count} names, but {len(items)} values")
        return items

    def unpacked_around(self, value: Value, before: int, after: int, node: ast.expr) -> list[Value]:
        """`a, *rest, z = value`: so many elements before and after a list of the others."""
        sequences, span = self._compounds.sequences, self._body.span(node)
        self._require_order(value, node)
        if not self._varies(value):
            items = self._elements(value, node)
            if len(items) < before + after:
                self._body.reject(node, f"{before + after} names, but {len(items)} values")
            rest = items[before : len(items) - after]
            listed = sequences.collected(Collection.LIST, rest, n.Const(span, len(rest)), node)
            return [*items[:before], listed, *items[len(items) - after :]]
        whole = sequences.copied(value, node)
        lowered = self._compounds.lowered(whole)
        enough = n.Binary(span, n.BinaryOp.GE, lowered.length(node), n.Const(span, before + after))
        message = f"ValueError: expected {before + after} values or more"
        self._compounds.storage.require(enough, FaultKind.RAISE, (message,), span)
        ends = [lowered.element(Static(k), node) for k in (*range(before), *range(-after, 0))]
        stop = n.Const(span, -after) if after else None
        return [*ends[:before], sequences.sliced(whole, (n.Const(span, before), stop, 1), node), *ends[before:]]

    def _require_order(self, value: Value, node: ast.expr) -> None:
        match value:
            case SetOf() | Static(set() | frozenset()) | Compound(shape=LocalShape(kind=Collection.SET)):
                self._body.reject(node, NO_ORDER, "use sorted(...)")

    def _varies(self, value: Value) -> bool:
        """Whether it is a list or a Queue, which may have more or fewer items."""
        return is_collection(value) or (isinstance(value, Compound) and isinstance(value.shape, QueueShape))

    def _checked_items(self, value: Compound, count: int, node: ast.expr) -> list[Value]:
        """The items of a local collection; a model error if there are more or fewer."""
        spread, span = self._compounds.sequences.required(value, node), self._body.span(node)
        same = n.Binary(span, n.BinaryOp.EQ, spread.length, n.Const(span, count))
        self._compounds.storage.require(same, FaultKind.RAISE, (f"ValueError: expected {count} values",), span)
        if len(spread.items) < count:
            self._body.reject(node, f"{count} names, but {len(spread.items)} values")
        return list(spread.items[:count])

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
