"""Values one after the other: local collections are made of them, compared and put in order."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import prod

from asset.frontends.python.body import Body
from asset.frontends.python.constants import Listed, in_some_order
from asset.frontends.python.holding import Holding
from asset.frontends.python.inlining import BY_INDEX, SEARCHED, is_found, is_result
from asset.frontends.python.ir_expressions import affine, conjunction, constant
from asset.frontends.python.local_collections import LARGEST
from asset.frontends.python.local_shapes import NOTHING, Unlike, general, joined_shape, shape_of
from asset.frontends.python.shapes.dicts import Dicts
from asset.frontends.python.shapes.local import Locals
from asset.frontends.python.shapes.lowering import CompoundValues
from asset.frontends.python.shapes.plain_sets import PlainSets
from asset.frontends.python.storage import Storage
from asset.frontends.python.traversals import Spread
from asset.frontends.python.values import (
    ArrayRef,
    Compound,
    InSlots,
    RecordOf,
    Scalar,
    SetOf,
    SlotRef,
    Static,
    TupleOf,
    Value,
    is_collection,
    is_optional,
    tuple_items,
)
from asset.ir import nodes as n
from asset.ir.shapes import (
    ArrayShape,
    BoundedSetShape,
    Collection,
    LocalShape,
    MapShape,
    OptionalShape,
    QueueShape,
    ScalarShape,
    Shape,
    TupleShape,
    leaves,
)
from asset.model.syntax_trees import called
from asset.span import Span

FRESH = "the "
"""What the name of a collection that was just made begins with."""


class Sequences:
    def __init__(self, body: Body, compounds: CompoundValues, storage: Storage, holding: Holding) -> None:
        self._body = body
        self._compounds = compounds
        self._storage = storage
        self._holding = holding

    # --- items ----------------------------------------------------------------------------------------------------

    def spread(self, value: Value, node: ast.expr, pairs: bool = False) -> Spread | None:
        """The items of a value that has them one after the other; None if it has not. Those of a dict are its keys or,
        if `pairs` is true, its pairs."""
        value = self._compounds.as_tuple(value, node)
        span, items = self._body.span(node), tuple_items(value)
        if isinstance(value, Static) and isinstance(value.value, range):
            items = tuple(Static(number) for number in value.value[:LARGEST])
        if items is not None:
            return Spread(n.Const(span, len(items)), items)
        if isinstance(value, ArrayRef):
            value = self._storage.as_compound(value)
        if not isinstance(value, Compound):
            return None
        match value.shape:
            case LocalShape():
                local = self._compounds.lowered(value)
                assert isinstance(local, Locals)
                return Spread(local.size(span), local.all_items(node) if pairs else local.sought(node))
            case TupleShape(parts):
                return Spread(n.Const(span, len(parts)), self._compounds.lowered(value).items(node))
            case ArrayShape(length=length):
                element = self._compounds.lowered(value).traversal(node).element
                return Spread(n.Const(span, length), tuple(element(n.Const(span, k)) for k in range(length)))
            case QueueShape(capacity=capacity) | BoundedSetShape(capacity=capacity):
                traversal = self._compounds.lowered(value).traversal(node)
                return Spread(traversal.stop, tuple(traversal.element(n.Const(span, k)) for k in range(capacity)))
            case OptionalShape():
                inner = self._compounds.through(value, node)
                return None if inner is value else self.spread(inner, node, pairs)
            case _:
                return None

    def required(self, value: Value, node: ast.expr) -> Spread:
        found = self.spread(value, node)
        if found is None:
            self._body.reject(node, "this has no items in a row", "use a list, a tuple, an Array or a Queue")
        return found

    def item_shape(self, items: Sequence[Value], node: ast.expr) -> Shape:
        """A shape that takes each of the items."""
        shapes = []
        for item in items:
            self.put(item, node)
            shape = shape_of(item) or self._shape_of_copy(item)
            if shape is None and isinstance(item, SetOf):
                self._body.reject(
                    node, "a set that is written out is no item here", "assign it to a local variable first"
                )
            if shape is None:
                what = "this cannot be an item of a local collection: it is a part of the state that may change"
                self._body.reject(node, what, "write x.copy() of a record, list(x) of an Array")
            shapes.append(shape)
        try:
            return joined_shape(shapes) if shapes else NOTHING
        except Unlike as unlike:
            self._body.reject(node, f"this collection holds {unlike}", "put items of one kind into it")

    def _shape_of_copy(self, item: Value) -> Shape | None:
        """The shape of a copy of a part of the state, if that is as good."""
        if not self._holding.copies_places or self._body.has_acted:
            return None
        if isinstance(item, TupleOf):
            parts = [shape_of(part) or self._shape_of_copy(part) for part in item.items]
            return None if None in parts else TupleShape(tuple(part for part in parts if part is not None))
        place = self._storage.as_compound(item) if isinstance(item, ArrayRef) else item
        return general(place.shape) if isinstance(place, Compound) else None

    # --- making ---------------------------------------------------------------------------------------------------

    def empty(self, kind: Collection, item: Shape, capacity: int, node: ast.expr) -> Compound:
        """A collection without items, with room for so many, in local variables of its own."""
        if self._body.has_acted:
            what = "something before this changes the state, which this collection may read"
            self._body.reject(node, what, "assign the collection to a local variable first")
        return self.allocated(LocalShape(kind, capacity, item), f"{FRESH}{kind.value}", node)

    def allocated(self, shape: LocalShape, name: str, node: ast.expr) -> Compound:
        if shape.capacity > LARGEST:
            what = f"this collection would have room for {shape.capacity} items: {LARGEST} are the most"
            self._body.reject(node, what, "use a Set or an Array in the state")
        return Compound(shape, InSlots(leaves(shape), self.new_slots(shape, name, node)), 0, name, alias=False)

    def new_slots(self, shape: Shape, name: str, node: ast.expr) -> tuple[int, ...]:
        """Local variables for the leaves of a shape; each has a value from here on."""
        span, first = self._body.span(node), []
        for leaf in leaves(shape):
            first.append(len(self._body.slots))
            for _ in range(prod(leaf.dims)):
                slot = self._body.new_slot(f"{name}{leaf.name}")
                self._body.emit(n.SetLocal(span, slot, n.Const(span, 0)))
        if isinstance(shape, LocalShape):
            self._body.bounds[first[0]] = (0, shape.capacity)  # its length
        return tuple(first)

    def collected(self, kind: Collection, items: Sequence[Value], length: n.Expr, node: ast.expr) -> Compound:
        """A collection of the first `length` of the items."""
        items = [
            self.plain_set(v.items, node) if isinstance(v, SetOf) else self._compounds.as_tuple(v, node) for v in items
        ]
        self.item_shape(items, node)
        held = [self._holding.assigned_now(item, node) for item in items]
        length = self._holding.index(length)
        made = self.empty(kind, self.item_shape(held, node), len(held), node)
        span, lowered = self._body.span(node), self._compounds.lowered(made)
        assert isinstance(lowered, Locals)
        for k, item in enumerate(held):
            self._compounds.lowered(lowered.place(n.Const(span, k))).store(item, node)
        lowered.set_cell(0, (), length, span)
        return made

    def copied(self, value: Value, node: ast.expr, kind: Collection = Collection.LIST) -> Compound:
        spread = self.required(value, node)
        return self.collected(kind, spread.items, spread.length, node)

    def as_plain_set(self, value: Value, node: ast.expr) -> Compound | None:
        """A set in local variables, or one that is written out or known now; None if it is something else."""
        match value:
            case SetOf(items):
                return self.plain_set(items, node)
            case Static(set() | frozenset() as known):
                return self.plain_set([Static(item) for item in in_some_order(known)], node)
            case Compound(shape=LocalShape(kind=Collection.SET)):
                return value
            case _:
                return None

    def plain_set(self, items: Sequence[Value], node: ast.expr) -> Compound:
        """A set of the items."""
        items = [self._compounds.as_tuple(item, node) for item in items]
        self.item_shape(items, node)
        held = [self._holding.assigned_now(item, node) for item in items]
        made = self.empty(Collection.SET, self.item_shape(held, node), len(held), node)
        for item in held:
            PlainSets(self._compounds, made).include(item, node)
        return made

    def bound(self, name: str, value: Value, node: ast.expr) -> Compound:
        """The variable of that name, which has the value from here on."""
        collections, shape = self._body.collections, shape_of(value)
        if shape is None and is_result(name):
            what = "a part of the state is returned here, and something else in another place"
            self._body.reject(node, what, "return a copy: x.copy() of a record or a Set, list(x) of an Array")
        if shape is None and is_found(name):
            self._body.reject(node, SEARCHED, BY_INDEX)
        if shape is None:
            what = f"{name} is bound to a part of the state here, and to a value elsewhere"
            self._body.reject(node, what, "use another name")
        if name in collections.traversed:
            what = f"{name} is assigned while it is iterated over"
            self._body.reject(node, what, f"use another name, or iterate over list({name})")
        try:
            shape = collections.binds(name, shape)
        except Unlike as unlike:
            if is_result(name):
                what, remedy = f"what is returned is {unlike}", "return values of one kind, or write two functions"
                self._body.reject(node, what, remedy)
            self._body.reject(node, f"{name} is {unlike}", "use another name, or make them alike: set(x), list(x)")
        if is_collection(value) and value.is_variable and value.name != name:
            self.share(value.name, name, node)
        if self._is_fresh(value, shape, name):
            assert isinstance(value, Compound) and isinstance(value.source, InSlots)
            collections.slots[name] = (shape, value.source.first)
            return replace(value, source=replace(value.source, varies=True), name=name, alias=True)
        held = self._holding.value(value, node)
        known = collections.slots.get(name)
        collections.moved = collections.moved or (known is not None and known[0] != shape)
        if known is None or known[0] != shape:
            known = collections.slots[name] = (shape, self.new_slots(shape, name, node))
        is_list = isinstance(shape, LocalShape)
        variable = Compound(shape, InSlots(leaves(shape), known[1], varies=True), 0, name, alias=is_list)
        self._compounds.lowered(variable).store(held, node)
        return variable

    def _is_fresh(self, value: Value, shape: Shape, name: str) -> bool:
        """Whether the name can take over the local variables of a collection that was just made, as nothing else uses
        them and nothing else is bound to the name."""
        if not is_collection(value) or value.is_variable or value.indices or not value.name.startswith(FRESH):
            return False
        return value.shape == shape and self._body.definition.stores[name] == 1

    def share(self, name: str, other: str, node: ast.expr) -> None:
        """A collection has two names from here on: neither may be changed in place."""
        collections = self._body.collections
        collections.shared |= {name, other}
        for each in (name, other):
            self.require_unshared(each, node)

    def put(self, value: Value, node: ast.expr) -> None:
        """The value is put into a collection or a tuple, where it must stay as it is if it is a collection itself."""
        if isinstance(value, TupleOf | RecordOf):
            for item in value.items:
                self.put(item, node)
        elif is_collection(value) and value.is_variable and not value.indices:
            self._body.collections.sharing.put(value.name, node)
            self.require_unshared(value.name, node)

    def require_unshared(self, name: str, node: ast.expr) -> None:
        collections = self._body.collections
        if collections.sharing.conflicts(name, self._body.definition.node):
            what = f"{name} is changed in place after it was put into something else, which would change too"
            self._body.reject(node, what, f"put a copy there: list({name})")
        if name in collections.shared & collections.changed:
            what = f"{name} is changed in place, and has another name too"
            self._body.reject(node, what, f"make a copy: list({name})")

    # --- comparing ------------------------------------------------------------------------------------------------

    def equal(self, left: Spread, right: Spread, node: ast.expr) -> n.Expr:
        """Whether both have the same items in the same order."""
        span = self._body.span(node)
        lengths = constant(left.length), constant(right.length)
        if None not in lengths and lengths[0] != lengths[1]:
            return n.Const(span, 0)
        tests: list[n.Expr] = []
        if None in lengths:
            tests.append(n.Binary(span, n.BinaryOp.EQ, left.length, right.length))
        for k, (a, b) in enumerate(zip(left.items, right.items, strict=False)):
            same = self._compounds.equal(a, b, node)
            there = n.Binary(span, n.BinaryOp.GE, n.Const(span, k), left.length)
            tests.append(n.Or(span, (there, same)) if None in lengths else same)
        return conjunction(tests, span)

    def ordered(self, op: n.BinaryOp, left: Value, right: Value, node: ast.expr) -> n.Expr:
        """`left op right`, item by item: the first ones that differ decide; None among these is a model error."""
        span = self._body.span(node)
        if _is_number(left) and _is_number(right):
            number = self._compounds.evaluation.number
            return self._body.draft.uses.of_numbers(n.Binary(span, op, number(left, node), number(right, node)))
        one, other = self.spread(left, node), self.spread(right, node)
        if one is None or other is None or _is_tuple(left) != _is_tuple(right):
            self._body.reject(node, "these have no order", "compare numbers, or tuples of numbers")
        return self._from(0, op, one, other, node)

    def _from(self, k: int, op: n.BinaryOp, left: Spread, right: Spread, node: ast.expr) -> n.Expr:
        """The comparison of the items from k on."""
        span = self._body.span(node)
        by_length = n.Binary(span, op, left.length, right.length)
        if k == min(len(left.items), len(right.items)):
            return by_length
        strict = {n.BinaryOp.LE: n.BinaryOp.LT, n.BinaryOp.GE: n.BinaryOp.GT}.get(op, op)
        less = self.ordered(strict, left.items[k], right.items[k], node)
        same = self._compounds.equal(left.items[k], right.items[k], node)
        rest = self._from(k + 1, op, left, right, node)
        if is_optional(left.items[k]) or is_optional(right.items[k]):  # None is equal to None, and has no order
            decided: n.Expr = n.Conditional(span, same, rest, less)
        else:
            decided = n.Or(span, (less, n.And(span, (same, rest))))
        known = [constant(length) for length in (left.length, right.length)]
        unknown = [s.length for s, length in zip((left, right), known, strict=True) if length is None]
        if not unknown:
            return decided
        there = conjunction([n.Binary(span, n.BinaryOp.LT, n.Const(span, k), length) for length in unknown], span)
        return n.Conditional(span, there, decided, by_length)

    # --- in another order -----------------------------------------------------------------------------------------

    def backwards(self, value: Value, node: ast.expr) -> Compound:
        """A list of the items, the last one first."""
        return self.sliced(value, (None, None, -1), node)

    def in_order(
        self, made: Compound, node: ast.expr, keys: Compound | None = None, descending: bool = False
    ) -> Compound:
        """Puts the items of a fresh list in order, by insertion; those with equal keys stay as they were."""
        span, lists = self._body.span(node), self._compounds.lowered(made)
        assert isinstance(lists, Locals) and isinstance(made.shape, LocalShape)
        by = lists if keys is None else self._compounds.lowered(keys)
        assert isinstance(by, Locals)
        op = n.BinaryOp.GT if descending else n.BinaryOp.LT
        for k in range(1, made.shape.capacity):
            for j in range(k, 0, -1):
                at, before = n.Const(span, j), n.Const(span, j - 1)
                less = self.ordered(op, by.at_place(at, node), by.at_place(before, node), node)
                code = self._body.collected(partial(self._exchange, (lists, by), at, before, node))
                self._body.emit(n.If(span, (n.Case(span, n.And(span, (lists.there(k, span), less)), code),)))
        return made

    def _exchange(self, lists: Sequence[Locals], one: n.Expr, other: n.Expr, node: ast.expr) -> None:
        span = self._body.span(node)
        for each in dict.fromkeys(lists):
            kept = self._holding.value(each.at_place(one, node), node)
            self._storage.copy(each.place(one), each.place(other), span)
            self._compounds.lowered(each.place(other)).store(kept, node)

    def sliced(self, value: Value, bounds: tuple[n.Expr | None, n.Expr | None, int], node: ast.expr) -> Compound:
        """`value[start:stop:step]`."""
        spread, span = self.required(value, node), self._body.span(node)
        start, stop, step = bounds
        size, up = self._holding.index(spread.length), step > 0
        low, high = (n.Const(span, 0), size) if up else (n.Const(span, -1), affine(size, -1, 1, span))
        first = self._clamped(start, size, (low, high), span) if start is not None else (low if up else high)
        last = self._clamped(stop, size, (low, high), span) if stop is not None else (high if up else low)
        first, last = self._holding.index(first), self._holding.index(last)
        kind = Collection.TUPLE if _is_tuple(value) else Collection.LIST
        made = self.empty(kind, self.item_shape(spread.items, node), len(spread.items), node)
        result = self._compounds.lowered(made)
        assert isinstance(result, Locals)
        for k in range(len(spread.items)) if up else reversed(range(len(spread.items))):
            test = self._within(n.Const(span, k), first, last, step, span)
            code = self._body.collected(partial(result.push_within, spread.items[k], node))
            self._body.emit(n.If(span, (n.Case(span, test, code),)))
        return made

    def _clamped(self, bound: n.Expr, size: n.Expr, limits: tuple[n.Expr, n.Expr], span: Span) -> n.Expr:
        """A bound of a slice: a negative one counts from the end, and one outside is moved to the limit."""
        held = self._holding.index(bound)
        negative = n.Binary(span, n.BinaryOp.LT, held, n.Const(span, 0))
        position = n.Conditional(span, negative, n.Binary(span, n.BinaryOp.ADD, held, size), held)
        above = n.Binary(span, n.BinaryOp.MAX, position, limits[0])
        return n.Binary(span, n.BinaryOp.MIN, above, limits[1])

    def _within(self, k: n.Expr, first: n.Expr, last: n.Expr, step: int, span: Span) -> n.Expr:
        low, high = (first, k) if step > 0 else (k, first)
        beyond = (k, last) if step > 0 else (last, k)
        tests = [n.Binary(span, n.BinaryOp.LE, low, high), n.Binary(span, n.BinaryOp.LT, *beyond)]
        if abs(step) > 1:
            distance = n.Binary(span, n.BinaryOp.SUB, k, first)
            rest = n.Binary(span, n.BinaryOp.MOD, distance, n.Const(span, abs(step)))
            tests.append(n.Binary(span, n.BinaryOp.EQ, rest, n.Const(span, 0)))
        return n.And(span, tuple(tests))

    def joined(self, left: Value, right: Value, node: ast.expr) -> Compound | None:
        """`left + right` of lists, Arrays and Queues, or of tuples; None if they are neither."""
        kinds = {Collection.LIST if _is_row(value) else self.kind_of(value) for value in (left, right)}
        if len(kinds) > 1 or not kinds <= {Collection.LIST, Collection.TUPLE}:
            return None
        one, other = self.required(left, node), self.required(right, node)
        (kind,) = kinds
        assert kind is not None
        items = (*one.items, *other.items)
        made = self.empty(kind, self.item_shape(items, node), len(items), node)
        result = self._compounds.lowered(made)
        assert isinstance(result, Locals)
        for spread in (one, other):
            self._pushed(result, spread, node)
        return made

    def pairs_of(self, value: Value, node: ast.expr) -> Spread:
        """The keys of a dict or of a Map, which the node denotes, with their values."""
        if isinstance(value, Compound) and isinstance(value.shape, MapShape):
            value = self._compounds.evaluation.evaluate(called(dict, node))
        if isinstance(value, Static) and isinstance(value.value, dict):
            pairs = tuple(TupleOf((Static(key), Static(item))) for key, item in value.value.items())
            return Spread(n.Const(self._body.span(node), len(pairs)), pairs)
        found = self.spread(value, node, pairs=True) if self.kind_of(value) is Collection.DICT else None
        if found is None:
            self._body.reject(node, "a dict is needed here", "write {key: value for key, value in ...}")
        return found

    def merged(self, spreads: Sequence[Spread], node: ast.expr) -> Compound:
        """A dict of all the keys; the last one of each key says its value."""
        items = [item for spread in spreads for item in spread.items]
        made = self.empty(Collection.DICT, self.item_shape(items, node), len(items), node)
        span, result = self._body.span(node), Dicts(self._compounds, made)
        for spread in spreads:
            for k, pair in enumerate(spread.items):
                there = n.Binary(span, n.BinaryOp.LT, n.Const(span, k), spread.length)
                key, value = self._compounds.items_of(pair, node)
                code = self._body.collected(partial(result.assign_key, key, value, node))
                self._body.emit(n.If(span, (n.Case(span, there, code),)))
        return made

    def repeated(self, value: Value, times: int, node: ast.expr) -> Compound:
        """`[x] * times`."""
        spread, kind = self.required(value, node), self.kind_of(value)
        assert kind is not None
        held = Spread(self._holding.index(spread.length), spread.items)
        capacity = len(held.items) * max(times, 0)
        made = self.empty(kind, self.item_shape(held.items, node), capacity, node)
        result = self._compounds.lowered(made)
        assert isinstance(result, Locals)
        for _ in range(times):
            self._pushed(result, held, node)
        return made

    def _pushed(self, result: Locals, spread: Spread, node: ast.expr) -> None:
        span = self._body.span(node)
        for k, item in enumerate(spread.items):
            there = n.Binary(span, n.BinaryOp.LT, n.Const(span, k), spread.length)
            code = self._body.collected(partial(result.push_within, item, node))
            if constant(spread.length) is None:
                self._body.emit(n.If(span, (n.Case(span, there, code),)))
            else:
                self._body.emitted += code

    def kind_of(self, value: Value) -> Collection | None:
        if is_collection(value):
            assert isinstance(value.shape, LocalShape)
            return value.shape.kind
        if isinstance(value, Static) and isinstance(value.value, Listed):
            return Collection.LIST
        return Collection.TUPLE if _is_tuple(value) else None


def _is_number(value: Value) -> bool:
    """Whether it is a number, or is one if it is not None."""
    if is_optional(value):
        assert isinstance(value.shape, OptionalShape)
        return isinstance(value.shape.item, ScalarShape)
    return isinstance(value, Scalar | SlotRef) or (isinstance(value, Static) and isinstance(value.value, int))


def _is_row(value: Value) -> bool:
    """Whether it is an Array or a Queue, which a list may come behind."""
    return isinstance(value, ArrayRef) or (
        isinstance(value, Compound) and isinstance(value.shape, ArrayShape | QueueShape)
    )


def _is_tuple(value: Value) -> bool:
    match value:
        case Static(Listed()):
            return False
        case TupleOf() | Static(tuple()) | Compound(shape=TupleShape()):
            return True
        case Compound(shape=LocalShape(kind=kind)):
            return kind is Collection.TUPLE
        case _:
            return False
